//! The bounds are honest: what binds is told, and nothing hides just beyond.

use outlive_model_check::engine::{Question, Verdict, explore};
use outlive_model_check::registry::Profile;
use outlive_model_check::report::reviewed;
use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::{Bounds, CI, ENDLESS, SMOKE};
use outlive_spec::operation::variants::RIGHT;
use outlive_spec::protocol::Broken;

use crate::{common, family};

fn states(bounds: Bounds) -> usize {
    let outcome = common::search_all(&Operations { rules: RIGHT, bounds });
    assert_eq!(outcome.verdict(), Verdict::Holds, "{bounds:?}");
    outcome.statistics.states
}

/// The right rules at the default bounds, too: the caps are raised together, since each of them takes a whole search.
#[test]
fn no_cap_on_messages_binds() {
    let reviewed = reviewed::parse(family().reviewed(Profile::Ci)).expect("the reviewed table");
    let raised = Bounds { calls: CI.calls + 1, reports: CI.reports + 1, ..CI };
    assert_eq!(states(raised), reviewed[0].states);
}

#[test]
fn each_other_bound_raised_by_one_adds_states_and_breaks_nothing() {
    let one = Bounds { launches: 1, ..SMOKE };
    let raised = [
        Bounds { launches: one.launches + 1, ..one },
        Bounds { marks: one.marks + 1, reports: one.reports + 1, ..one },
        Bounds { lives: one.lives + 1, ..one },
        Bounds { looks: one.looks + 1, ..one },
    ];
    let known = states(one);
    common::for_each(&raised, |bounds| assert!(states(*bounds) > known, "{bounds:?}"));
    assert!(known > states(Bounds { unclaimed: one.unclaimed - 1, ..one }), "a start without a claim");
    let without_reports = Bounds { marks: 0, reports: 0, ..one };
    let third = Bounds { gateways: one.gateways + 1, lives: one.lives + 1, ..without_reports };
    assert!(states(third) > states(without_reports), "a third gateway");
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
