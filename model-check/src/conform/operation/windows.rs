//! The moments in which a wrong implementation of the operation protocol goes wrong.

use outlive_spec::operation::state::{Phase, Stage, State};
use outlive_spec::requirement::Requirement::{Reconcile3, Reconcile4, Reconcile5, Reconcile11};
use outlive_spec::trace::{Outcome, Verb};

use super::Operations;
use crate::conform::track::{Said, Window};

const LOOK_AT_AN_OPERATION: usize = 0;
const LOOK_AT_ANOTHER_ROW: usize = 1;
const LOOK_AT_ANOTHER_LAUNCH: usize = 2;
const LATE_REPORT: usize = 3;
const STOP_WHILE_STARTING: usize = 4;
const LOST_SETTLE: usize = 5;
const LATE_START: usize = 6;
const CRASH_WHILE_CALLING: usize = 7;
const TAKEN_OVER: usize = 8;

/// In the order of the numbers above.
pub const WINDOWS: &[Window] = &[
    Window {
        name: "look-at-an-operation",
        sentence: "what a sweep had seen was refused, since an operation was under way",
    },
    Window {
        name: "look-at-another-row",
        sentence: "what a sweep had seen was refused, since the row had been written meanwhile",
    },
    Window { name: "look-at-another-launch", sentence: "what was seen was refused, since it was of another launch" },
    Window { name: "late-report", sentence: "a report was refused, since the row had come farther" },
    Window { name: "stop-while-starting", sentence: "a stop began while a start was under way" },
    Window { name: "lost-settle", sentence: "the end of an operation was refused, since another had taken its place" },
    Window { name: "late-start", sentence: "a provider refused a start that had been overtaken" },
    Window { name: "crash-while-calling", sentence: "a gateway died with a call at the provider" },
    Window { name: "taken-over", sentence: "an operation was taken over from the dead" },
];

/// The window that the event opens if it is taken, seen from before it is.
#[allow(clippy::wildcard_enum_match_arm, reason = "most steps open none")]
pub(super) fn window(state: &State, said: &Said<'_, '_, Operations>) -> Option<usize> {
    let window = match (said.event.action, said.event.outcome, said.event.because) {
        (Verb::Conclude | Verb::Deliver, Outcome::Refused, Some(Reconcile4)) => LOOK_AT_AN_OPERATION,
        (Verb::Conclude, Outcome::Refused, Some(Reconcile3)) => LOOK_AT_ANOTHER_ROW,
        (Verb::Conclude | Verb::Deliver, Outcome::Refused, Some(Reconcile5)) => LOOK_AT_ANOTHER_LAUNCH,
        (Verb::Deliver, Outcome::Refused, Some(Reconcile11)) => LATE_REPORT,
        (Verb::Stop, Outcome::Done, _) if state.row.phase == Phase::Starting => STOP_WHILE_STARTING,
        (Verb::Settle, Outcome::Refused, _) => LOST_SETTLE,
        (Verb::Arrive, Outcome::Refused, _) => LATE_START,
        (Verb::Crash, Outcome::Done, _) if calls(state, said) => CRASH_WHILE_CALLING,
        (Verb::Recover, Outcome::Done, _) if state.row.owner.is_some() => TAKEN_OVER,
        _ => return None,
    };
    Some(window)
}

/// Whether the gateway waits for the provider.
fn calls(state: &State, said: &Said<'_, '_, Operations>) -> bool {
    let memory = state.gateways.get(said.words.gateway);
    memory.and_then(|memory| memory.operation).is_some_and(|operation| operation.stage == Stage::Sent)
}
