//! The bounds are honest: no cap on what is in flight binds, and nothing hides just beyond them.

mod common;

use outlive_model_check::engine::Verdict;
use outlive_spec::snapshot::bounds::{Bounds, CI, SMOKE};
use outlive_spec::snapshot::variants::RIGHT;

fn states(bounds: Bounds) -> usize {
    let outcome = common::search_snapshot(RIGHT, bounds);
    assert_eq!(outcome.verdict(), Verdict::Holds, "{bounds:?}");
    outcome.statistics.states
}

#[test]
fn no_cap_on_what_is_in_flight_binds() {
    let Bounds { questions, calls, saves, wipes, acts, .. } = CI;
    let raised = [
        Bounds { questions: questions + 1, ..CI },
        Bounds { calls: calls + 1, ..CI },
        Bounds { saves: saves + 1, ..CI },
        Bounds { wipes: wipes + 1, ..CI },
        Bounds { acts: acts + 1, ..CI },
    ];
    let known = states(CI);
    common::for_each(&raised, |bounds| assert_eq!(states(*bounds), known, "{bounds:?}"));
}

#[test]
fn each_bound_of_an_id_raised_by_one_adds_states_and_breaks_nothing() {
    let Bounds { lives, incarnations, generations, shown, .. } = SMOKE;
    let raised = [
        Bounds { lives: lives + 1, ..SMOKE },
        Bounds { incarnations: incarnations + 1, ..SMOKE },
        Bounds { generations: generations + 1, saves: SMOKE.saves + 1, ..SMOKE },
        Bounds { shown: shown + 1, ..SMOKE },
    ];
    let known = states(SMOKE);
    common::for_each(&raised, |bounds| assert!(states(*bounds) > known, "{bounds:?}"));
}
