//! The teardown protocol: the reviewed tables, other ways to the same numbers, and that nothing in the model is idle.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/naive.rs"]
mod naive;

mod bounds;
mod forgetting;
mod guards;
mod packing;
mod padding;
mod responses;
mod table;

use outlive_model_check::registry::teardown::bounds_of;
use outlive_model_check::registry::{FAMILIES, Family, Profile};
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::variants::VARIANTS;

fn family() -> &'static dyn Family {
    *FAMILIES.iter().find(|family| family.name() == "teardown").expect("a family of that name")
}

/// The model under the rules of the variant at this place, within the bounds of the small profile.
fn small(variant: usize) -> Teardowns {
    let (info, rules) = VARIANTS[variant];
    Teardowns { rules, bounds: bounds_of(info.name, Profile::Smoke) }
}
