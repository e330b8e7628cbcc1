//! The bounds are honest: what binds is told, and nothing hides just beyond.

use outlive_model_check::engine::{Question, Verdict, explore};
use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::{Bounds, CI, ENDLESS, SMOKE};
use outlive_spec::operation::variants::RIGHT;
use outlive_spec::protocol::Broken;

use crate::common;

fn states(bounds: Bounds) -> usize {
    let outcome = common::search_all(&Operations { rules: RIGHT, bounds });
    assert_eq!(outcome.verdict(), Verdict::Holds, "{bounds:?}");
    outcome.statistics.states
}

#[test]
fn no_cap_on_messages_binds() {
    let raised = [Bounds { calls: CI.calls + 1, ..CI }, Bounds { reports: CI.reports + 1, ..CI }];
    let known = states(CI);
    common::for_each(&raised, |bounds| assert_eq!(states(*bounds), known, "{bounds:?}"));
}

#[test]
fn each_other_bound_raised_by_one_adds_states_and_breaks_nothing() {
    let raised = [
        Bounds { launches: SMOKE.launches + 1, calls: SMOKE.calls + 1, ..SMOKE },
        Bounds { unclaimed: SMOKE.unclaimed + 1, ..SMOKE },
        Bounds { marks: SMOKE.marks + 1, reports: SMOKE.reports + 1, ..SMOKE },
        Bounds { lives: SMOKE.lives + 1, ..SMOKE },
        Bounds { looks: SMOKE.looks + 1, ..SMOKE },
    ];
    let known = states(SMOKE);
    common::for_each(&raised, |bounds| assert!(states(*bounds) > known, "{bounds:?}"));
    let one_launch = Bounds { launches: 1, marks: 0, ..SMOKE };
    let third = Bounds { gateways: SMOKE.gateways + 1, lives: SMOKE.lives + 1, ..one_launch };
    assert!(states(third) > states(one_launch), "a third gateway");
}

#[test]
fn nothing_is_mentioned_that_one_more_launch_or_gateway_would_allow() {
    // So these bounds bind nothing: what holds here holds for any number of starts and deaths.
    let states = |bounds| {
        let question = Question { symmetry: true, properties: Broken(0), ..Question::EVERYTHING };
        explore(&Operations { rules: RIGHT, bounds }, &question, &mut |_| ()).outcome.statistics.states
    };
    let narrower = Bounds {
        launches: ENDLESS.launches - 1,
        unclaimed: ENDLESS.unclaimed - 1,
        lives: ENDLESS.lives - 1,
        ..ENDLESS
    };
    assert_eq!([states(narrower), states(ENDLESS)], [24_163; 2]);
}
