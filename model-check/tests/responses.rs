//! What must come about in the snapshot protocol: each sentence needs all that it assumes, each loop that is reported
//! is one, and the states that stand for others do so rightly.

mod common;

use common::endless;
use outlive_model_check::registry::snapshot::bounds_of_loops;
use outlive_spec::protocol::Protocol as _;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, ENDLESS, FAR, SMOKE};
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};

#[test]
fn the_right_rules_answer_whatever_waits_and_need_all_that_is_assumed_for_it() {
    let weakened = endless::assert_all_that_is_assumed_is_needed(&Snapshot { rules: RIGHT, bounds: ENDLESS });
    assert_eq!(weakened, 28, "each assumption of each sentence, and the strong ones weakened as well");
}

#[test]
fn nothing_is_mentioned_that_one_more_life_or_incarnation_would_allow() {
    // So the bounds of lives and incarnations bind nothing: what holds here holds for any number of restarts and
    // resets.
    let states = |bounds| endless::graph(&Snapshot { rules: RIGHT, bounds }).outcome.statistics.states;
    let narrower = Bounds { lives: ENDLESS.lives - 1, incarnations: ENDLESS.incarnations - 1, ..ENDLESS };
    assert_eq!([states(narrower), states(ENDLESS)], [31_512; 2], "`docs/bounds.md` says so");
}

#[test]
fn each_loop_that_is_reported_can_be_walked_and_is_fair_beyond_the_bounds() {
    common::for_each(VARIANTS, |(info, rules)| {
        endless::assert_loops_are_loops(info.name, &Snapshot { rules: *rules, bounds: bounds_of_loops(info.name) });
    });
}

#[test]
fn each_sentence_is_broken_by_the_variant_that_it_names() {
    for (place, response) in (Snapshot { rules: RIGHT, bounds: ENDLESS }).responses().iter().enumerate() {
        let variant = response.property.broken_by;
        let protocol = Snapshot { rules: common::rules(variant), bounds: bounds_of_loops(variant) };
        assert!(endless::is_broken(&protocol, place), "{variant} does not break {}", response.property.name);
    }
}

#[test]
fn a_state_and_the_one_that_stands_for_it_lead_to_the_same() {
    common::for_each(VARIANTS, |(info, rules)| {
        let bounds = Bounds { acts: 1, saves: 1, questions: 1, wipes: 2, ..SMOKE };
        let protocol = Snapshot { rules: *rules, bounds };
        let far = Snapshot { bounds: Bounds { gateways: bounds.gateways, ..FAR }, ..protocol };
        endless::assert_representatives_stand_rightly(info.name, &protocol, &far, 20_000);
    });
}

#[test]
fn a_search_of_those_that_stand_for_others_breaks_the_same_properties() {
    common::for_each(VARIANTS, |(info, rules)| {
        let protocol = Snapshot { rules: *rules, bounds: Bounds { acts: 1, ..SMOKE } };
        endless::assert_symmetry_hides_nothing(info.name, &protocol);
    });
}
