//! What must come about: each sentence needs all that it assumes, each loop that is reported is one, and the states
//! that stand for others do so rightly.

use outlive_model_check::registry::Profile;
use outlive_model_check::registry::operation::{bounds_of, bounds_of_loops};
use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::{Bounds, ENDLESS, SMOKE};
use outlive_spec::operation::variants::{RIGHT, VARIANTS};
use outlive_spec::protocol::Protocol as _;

use crate::common::{self, endless};

#[test]
fn the_right_rules_answer_whatever_waits_and_need_all_that_is_assumed_for_it() {
    let weakened = endless::assert_all_that_is_assumed_is_needed(&Operations { rules: RIGHT, bounds: ENDLESS });
    assert_eq!(weakened, 32, "each assumption of each sentence, and the strong ones weakened as well");
}

#[test]
fn each_loop_that_is_reported_can_be_walked_and_is_fair_beyond_the_bounds() {
    common::for_each(VARIANTS, |(info, rules)| {
        endless::assert_loops_are_loops(info.name, &Operations { rules: *rules, bounds: bounds_of_loops(info.name) });
    });
}

#[test]
fn reconcile_19_to_22_are_broken_by_the_variants_that_they_name() {
    for (place, response) in (Operations { rules: RIGHT, bounds: ENDLESS }).responses().iter().enumerate() {
        let named = VARIANTS.iter().find(|(info, _)| info.name == response.property.broken_by);
        let (info, rules) = named.expect("a variant of that name");
        let protocol = Operations { rules: *rules, bounds: bounds_of_loops(info.name) };
        assert!(endless::is_broken(&protocol, place), "{} keeps `{}`", info.name, response.property.name);
    }
}

#[test]
fn a_state_and_the_one_that_stands_for_it_lead_to_the_same() {
    common::for_each(VARIANTS, |(info, rules)| {
        let protocol = Operations { rules: *rules, bounds: Bounds { launches: 3, lives: 4, ..SMOKE } };
        endless::assert_representatives_stand_rightly(info.name, &protocol, &protocol.far(), 5_000);
    });
}

#[test]
fn a_search_of_those_that_stand_for_others_breaks_the_same_properties() {
    common::for_each(VARIANTS, |(info, rules)| {
        let small = bounds_of(info.name, Profile::Smoke);
        let protocol = Operations { rules: *rules, bounds: Bounds { launches: 1, lives: 2, ..small } };
        endless::assert_symmetry_hides_nothing(info.name, &protocol);
    });
}
