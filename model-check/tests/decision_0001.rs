//! Decision 0001 chose the store to mint incarnations. This is the run of the model of the design that lost: it holds
//! as well, and needs a counter that outlives the computer.

#[path = "decision_0001/model.rs"]
mod model;

use outlive_model_check::engine::{Question, Verdict, search};
use outlive_spec::protocol::Protocol;

use model::Design;

#[test]
fn minted_by_the_far_side_holds_while_its_counter_survives() {
    let outcome = search(&Design { counter_survives: true }, &Question::EVERYTHING, &mut |_| {});
    assert_eq!((outcome.verdict(), outcome.statistics.states), (Verdict::Holds, 6_026));
}

#[test]
fn minted_by_the_far_side_drops_fresh_saves_once_its_counter_is_lost() {
    let design = Design { counter_survives: false };
    let outcome = search(&design, &Question::EVERYTHING, &mut |_| {});
    let broken: Vec<_> = outcome
        .violations
        .iter()
        .map(|violation| (design.properties()[violation.property].name, violation.actions.len()))
        .collect();
    assert_eq!(broken, [("page-never-goes-back", 7), ("fresh-save-lands", 6)]);
}
