//! What must come about: each sentence needs all that it assumes, each loop that is reported is one, and the states
//! that stand for others do so rightly.

use outlive_model_check::registry::teardown::{bounds_of_loops, endless};
use outlive_spec::protocol::Protocol as _;
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::bounds::{Bounds, ENDLESS};
use outlive_spec::teardown::state::World;
use outlive_spec::teardown::variants::{RIGHT, VARIANTS};

use crate::common::{self, endless as loops};
use crate::small;

/// The rules of a variant, watching single pointers, within the bounds of its loops.
fn watching(name: &str) -> Teardowns {
    let (info, rules) = VARIANTS.iter().find(|(info, _)| info.name == name).expect("a variant of that name");
    endless(Teardowns { rules: *rules, bounds: bounds_of_loops(info.name) })
}

#[test]
fn the_right_rules_answer_whatever_waits_and_need_all_that_is_assumed_for_it() {
    let bounds = Bounds { worlds: &[World::Atomic], ..ENDLESS };
    let weakened = loops::assert_all_that_is_assumed_is_needed(&endless(Teardowns { rules: RIGHT, bounds }));
    assert_eq!(weakened, 33, "each assumption of each sentence");
}

#[test]
fn each_loop_that_is_reported_can_be_walked_and_is_fair_beyond_the_bounds() {
    common::for_each(VARIANTS, |(info, _)| loops::assert_loops_are_loops(info.name, &watching(info.name)));
}

#[test]
fn what_must_come_about_does_not_under_the_variants_that_it_names() {
    for (place, response) in watching("right").responses().iter().enumerate() {
        let name = response.property.broken_by;
        assert!(loops::is_broken(&watching(name), place), "{name} keeps `{}`", response.property.name);
    }
}

#[test]
fn a_state_and_the_one_that_stands_for_it_lead_to_the_same() {
    let places: Vec<usize> = (0..VARIANTS.len()).collect();
    common::for_each(&places, |&place| {
        let protocol = small(place);
        loops::assert_representatives_stand_rightly(VARIANTS[place].0.name, &protocol, &protocol.far(), 2_000);
    });
}

#[test]
fn a_search_of_those_that_stand_for_others_breaks_the_same_properties() {
    let places: Vec<usize> = (1..VARIANTS.len()).collect();
    common::for_each(&places, |&place| loops::assert_symmetry_hides_nothing(VARIANTS[place].0.name, &small(place)));
}
