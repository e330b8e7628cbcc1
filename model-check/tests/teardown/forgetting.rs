//! Forgetting what is refused for ever hides nothing: without it, every variant breaks the same in as many steps.

use outlive_model_check::engine::limits::Limits;
use outlive_model_check::engine::{Question, search};
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::rules::Rules;
use outlive_spec::teardown::variants::VARIANTS;

use crate::{common, small};

/// Nothing ever leaves a set without forgetting, so that the states are many: the search goes as deep as most harms.
const DEPTH: u32 = 12;

#[test]
fn without_forgetting_every_variant_breaks_the_same_in_as_many_steps() {
    let places: Vec<usize> = (0..VARIANTS.len()).collect();
    common::for_each(&places, |&place| {
        let forgets = small(place);
        let remembers = Teardowns { rules: Rules { forgets: false, ..forgets.rules }, ..forgets };
        assert_eq!(lengths(&forgets), lengths(&remembers), "{}", VARIANTS[place].0.name);
    });
}

fn lengths(protocol: &Teardowns) -> Vec<(String, outlive_model_check::report::counterexample::Length)> {
    let limits = Limits { max_depth: Some(DEPTH), ..Limits::default() };
    let outcome = search(protocol, &Question { limits, ..Question::EVERYTHING }, &mut |_| ());
    let lengths = common::lengths(protocol, &outcome).into_iter();
    // A dead end is no matter of depth, so that a search which is cut cannot tell it.
    lengths.filter(|(name, _)| name != "settled-is-reachable").collect()
}
