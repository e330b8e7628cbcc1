//! The bounds are honest: what binds is told, and nothing hides just beyond.

use outlive_model_check::engine::{Question, Verdict, explore};
use outlive_model_check::registry::teardown::endless;
use outlive_spec::protocol::Broken;
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::bounds::{Bounds, ENDLESS, LEAST};
use outlive_spec::teardown::state::World;
use outlive_spec::teardown::variants::RIGHT;

use crate::common;

/// One owner at a provider whose names are exclusive.
const ONE: Bounds = Bounds { worlds: &[World::Atomic], owners: 1, tokens: 1, instances: 1, ..LEAST };

fn states(bounds: Bounds) -> usize {
    let outcome = common::search_all(&Teardowns { rules: RIGHT, bounds });
    assert_eq!(outcome.verdict(), Verdict::Holds, "{bounds:?}");
    outcome.statistics.states
}

#[test]
fn each_bound_raised_by_one_adds_states_and_breaks_nothing() {
    let two = Bounds { tokens: 2, instances: 2, ..ONE };
    let raised = [
        (ONE, Bounds { worlds: &[World::Atomic, World::CheckThenAct], ..ONE }),
        (ONE, Bounds { worlds: &[World::Atomic, World::SharedNames], ..ONE }),
        (ONE, Bounds { owners: 2, ..ONE }),
        (ONE, Bounds { trashes: 2, ..ONE }),
        (ONE, Bounds { tokens: 2, ..ONE }),
        (ONE, Bounds { instances: 2, outsiders: 1, ..ONE }),
        (ONE, Bounds { deadlines: true, ..ONE }),
        (ONE, Bounds { nodes: true, ..ONE }),
        (ONE, Bounds { workers: 2, ..ONE }),
        (Bounds { tokens: 2, ..ONE }, two),
        (two, Bounds { intents: 2, ..two }),
        (two, Bounds { page: 2, ..two }),
    ];
    common::for_each(&raised, |&(one, other)| assert!(states(other) > states(one), "{other:?}"));
}

/// Two workers at once, which the default bounds have not.
#[test]
fn reconcile_29_two_workers_release_a_pointer_once() {
    assert!(states(Bounds { workers: 2, outsiders: 1, instances: 2, page: 2, ..ONE }) > 50_000);
}

#[test]
fn nothing_is_mentioned_that_one_more_owner_or_trash_would_allow() {
    // So these bounds bind nothing: what holds here holds for any number of owners and trashes.
    let states = |bounds| {
        let question = Question { symmetry: true, properties: Broken(0), ..Question::EVERYTHING };
        explore(&endless(Teardowns { rules: RIGHT, bounds }), &question, &mut |_| ()).outcome.statistics.states
    };
    let atomic = Bounds { worlds: &[World::Atomic], nodes: false, ..ENDLESS };
    let [narrow, wide] = [4, 5].map(|most| states(Bounds { owners: most, trashes: most, ..atomic }));
    assert_eq!(narrow, wide);
}
