//! What must come about, and what each sentence assumes of the world.
//!
//! A gateway that nobody runs, a provider that never answers, a store that is down: each breaks such an assumption, and
//! nothing comes about.

use Step::*;

use super::action::{Action, Attempt};
use super::properties::{is_up, runs};
use super::state::{Phase, State};
use crate::protocol::{Classes, Fairness, Outlook, Property, Response};
use crate::requirement::Requirement;

classes! {
    Recover "recover" "a gateway takes over what a dead one has left"
    Send "send" "a gateway that drives an operation calls the provider"
    Arrive "arrive" "a call reaches the provider"
    Admit "admit" "an instance is admitted"
    Hear "hear" "a gateway hears how its operation has ended"
    Settle "settle" "a gateway writes the outcome, or is told that it has lost"
    Read "read" "a sweep reads the row"
    Get "get" "a sweep reads the provider"
    Conclude "conclude" "a sweep writes what it has seen, or gives it up"
    Deliver "deliver" "a report is written"
    Fail "fail" "a gateway gives a start up"
    Exit "exit" "an instance exits, or is removed from outside"
    Revive "revive" "the provider starts an instance again"
    Crash "crash" "a gateway dies"
    Demand "demand" "somebody starts, stops or deletes the computer"
}

/// In the order of [`outlook`].
pub(super) const RESPONSES: &[Response] = &[
    Response {
        property: Property {
            requirement: Requirement::Reconcile19,
            name: "claims-settle",
            sentence: "an operation that was begun is settled, or another takes its place",
            broken_by: "predispatch-failure-keeps-claim",
        },
        fairness: Fairness {
            weak: of([Recover, Send, Arrive, Admit, Settle]),
            strong: of([Hear]),
            finitely: of([Crash]),
        },
    },
    Response {
        property: Property {
            requirement: Requirement::Reconcile20,
            name: "stop-wins",
            sentence: "a stop that was begun ends in a computer that is stopped, unless it is deleted",
            broken_by: "lease-as-fence",
        },
        fairness: Fairness {
            weak: of([Recover, Send, Arrive, Hear, Settle]),
            strong: Classes::NONE,
            finitely: of([Crash]),
        },
    },
    Response {
        property: Property {
            requirement: Requirement::Reconcile21,
            name: "healthy-reaches-ready",
            sentence: "a computer that is up and stays up is called ready, unless something else is asked of it",
            broken_by: "error-absorbs",
        },
        fairness: Fairness {
            weak: of([Recover, Send, Hear, Settle, Read, Get, Conclude]),
            strong: Classes::NONE,
            finitely: of([Crash]),
        },
    },
    Response {
        property: Property {
            requirement: Requirement::Reconcile22,
            name: "failure-is-reported",
            sentence: "a computer that does not run is not called ready for ever",
            broken_by: "ignore-error",
        },
        fairness: Fairness { weak: of([Read, Get, Conclude]), strong: Classes::NONE, finitely: of([Crash]) },
    },
    Response {
        property: Property {
            requirement: Requirement::Reconcile18,
            name: "cleanup-happens",
            sentence: "a deletion that was begun ends in a computer that is gone",
            broken_by: "gate-held-over-io",
        },
        fairness: Fairness {
            weak: of([Recover, Send, Arrive, Hear, Settle]),
            strong: Classes::NONE,
            finitely: of([Crash]),
        },
    },
];

pub(super) fn outlook(response: usize, state: &State) -> Outlook {
    let phase = state.row.phase;
    let waits = match response {
        0 => phase.under_way().is_some(),
        1 => phase == Phase::Stopping,
        2 => matches!(phase, Phase::Starting | Phase::Error) && is_up(state),
        3 => phase == Phase::Ready && !runs(state),
        _ => phase == Phase::Deleting,
    };
    if waits { Outlook::Waits } else { Outlook::Answered }
}

pub(super) fn classes_of(action: &Action) -> Classes {
    let step = match action {
        Action::Recover(..) => Recover,
        Action::Send(..) => Send,
        Action::Arrive(_) => Arrive,
        Action::Admit(_) => Admit,
        Action::Hear(..) => Hear,
        Action::Settle(..) | Action::Refuse(Attempt::Settle(..), _) => Settle,
        Action::Read(..) => Read,
        Action::Get(..) => Get,
        Action::Conclude(..) | Action::Refuse(Attempt::Conclude(..), _) => Conclude,
        Action::Deliver(..) => Deliver,
        Action::Fail(_) => Fail,
        Action::Exit(_) | Action::Vanish(_) => Exit,
        Action::Revive(_) => Revive,
        Action::Crash(..) => Crash,
        Action::Start(..) | Action::StartUnclaimed(..) | Action::Stop(_) | Action::Delete(_) => Demand,
        Action::Yield(_) | Action::Report(_) | Action::Refuse(..) => return Classes::NONE,
    };
    Classes::only(step as usize)
}
