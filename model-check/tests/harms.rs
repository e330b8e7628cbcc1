//! A harm is told where it is done, and nowhere behind it.

mod common;

use outlive_model_check::engine::walk::walk;
use outlive_model_check::engine::{Question, explore};
use outlive_spec::protocol::{Broken, Protocol};
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::Action;
use outlive_spec::snapshot::bounds::SMOKE;
use outlive_spec::snapshot::properties::Holds;
use outlive_spec::snapshot::state::Gateway;

fn acts_unresolved() -> Snapshot {
    Snapshot { rules: common::rules("act-unresolved"), bounds: SMOKE }
}

#[test]
fn a_harm_is_told_of_the_step_that_does_it_and_of_no_later_one() {
    let protocol = acts_unresolved();
    let found = common::search_all(&protocol).violations;
    let harm = found.iter().find(|found| found.property == Holds::NothingActsUnresolved as usize);
    let harm = harm.expect("this variant acts on what did not resolve");
    let goes_on = [&harm.actions[..], &[Action::Crash(Gateway(0))]].concat();
    let steps = walk(&protocol, harm.start, &goes_on).expect("a gateway may crash at any time");
    let told: Vec<bool> = steps.iter().map(|step| step.broken.has(harm.property)).collect();
    assert_eq!(told.iter().position(|is_told| *is_told), Some(harm.actions.len() - 1));
    assert_eq!(told.last(), Some(&false));
}

/// Whoever acts on nothing does harm and changes nothing. Such a step is stuttering: no behaviour is fair by taking it.
#[test]
fn a_step_that_does_harm_and_nothing_else_is_no_edge() {
    let question = Question { keeps_graph: true, properties: Broken(0), ..Question::EVERYTHING };
    let protocol = acts_unresolved();
    let graph = explore(&protocol, &question, &mut |_| ()).graph;
    let states = u32::try_from(graph.len()).expect("a smoke test has few states");
    assert!(states > 1000, "{} has hardly been searched", protocol.name());
    for state in 0..states {
        assert!(graph.edges_of(state).all(|edge| graph.edge(edge).to != state), "state {state} leads to itself");
    }
}
