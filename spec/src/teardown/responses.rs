//! What must come about, and what each sentence assumes of the world.
//!
//! A worker that nobody runs and an authority that never answers break such an assumption, and nothing comes about.

use Step::*;

use super::action::{Action, Attempt};
use super::properties::{Watch, is_to_be_torn_down};
use super::state::{Answer, Instance, State, Worker};
use crate::protocol::{Classes, Fairness, Outlook, Property, Response};
use crate::requirement::Requirement;

classes! {
    List "list" "a worker reads what is due"
    Claim "claim" "a worker claims what it has read, or is told that it has lost"
    Send "send" "a worker calls the provider"
    Hear "hear" "a worker hears an answer, or an error"
    Doubt "doubt" "a worker hears an error though the node is reached, or looks into a list"
    Release "release" "a pointer is released"
    Note "note" "an attempt is noted, or the pointer given up"
    Call "call" "the provider is asked to create"
    Create "create" "an instance is created"
    Revoke "revoke" "a token is revoked"
    Close "close" "an intent is closed, by what was created or since nothing will be"
    Kill "kill" "a call to kill reaches the provider, or a delete by name lands or is lost"
    Fence "fence" "a node that is out of reach is fenced"
    CutOff "cut-off" "a node is out of reach"
    Crash "crash" "a worker dies"
    Demand "demand" "somebody asks something of the owner or the record"
}

/// In the order of [`outlook`].
pub(super) const RESPONSES: &[Response] = &[
    Response {
        property: Property {
            requirement: Requirement::Reconcile40,
            name: "pointers-are-settled",
            sentence: "a pointer whose instance is to be killed is released, or given up",
            broken_by: "retry-without-bound",
        },
        fairness: Fairness {
            weak: of([List, Claim, Send, Hear, Release, Note]),
            strong: Classes::NONE,
            finitely: of([Crash]),
        },
    },
    Response {
        property: Property {
            requirement: Requirement::Reconcile38,
            name: "the-dead-are-released",
            sentence: "a pointer to a dead instance is released",
            broken_by: "gone-is-failure",
        },
        fairness: Fairness {
            weak: of([List, Claim, Send, Hear, Release, Note, Fence]),
            strong: Classes::NONE,
            finitely: of([Crash, Doubt, CutOff]),
        },
    },
    Response {
        property: Property {
            requirement: Requirement::Reconcile35,
            name: "due-is-attempted",
            sentence: "a pointer whose instance is to be killed is tried at least once",
            broken_by: "oldest-first-unbounded",
        },
        fairness: Fairness {
            weak: of([List, Claim, Send, Hear, Release, Note]),
            strong: Classes::NONE,
            finitely: of([Crash]),
        },
    },
    Response {
        property: Property {
            requirement: Requirement::Reconcile39,
            name: "requested-is-torn-down",
            sentence: "a teardown that was requested leaves no instance in the record, unless the owner is restored",
            broken_by: "provision-under-trashed",
        },
        fairness: Fairness {
            weak: of([List, Claim, Send, Hear, Release, Note]),
            strong: Classes::NONE,
            finitely: of([Crash]),
        },
    },
    Response {
        property: Property {
            requirement: Requirement::Purge10,
            name: "intents-are-closed",
            sentence: "an intent to create is closed",
            broken_by: "unanswered-intent-waits",
        },
        fairness: Fairness { weak: of([Revoke, Close]), strong: Classes::NONE, finitely: Classes::NONE },
    },
];

/// What the state says of the response at this place.
pub(super) fn outlook(response: usize, state: &State) -> Outlook {
    let watched = |watch: Watch| state.ghost.watched[watch as usize] != Instance(0);
    let waits = match response {
        0 => watched(Watch::Settling),
        1 => watched(Watch::Death),
        2 => watched(Watch::Attempt),
        3 => is_to_be_torn_down(state),
        _ => !state.intents.is_empty(),
    };
    if waits { Outlook::Waits } else { Outlook::Answered }
}

/// The classes of an action.
pub(super) fn classes_of(state: &State, action: &Action) -> Classes {
    match action {
        Action::List(..) => of([List]),
        Action::Claim(..) | Action::Refuse(Attempt::Claim(..), _) => of([Claim]),
        Action::Send(..) => of([Send]),
        Action::Hear(worker, answer) if is_doubt(state, *worker, *answer) => of([Hear, Doubt]),
        Action::Hear(..) => of([Hear]),
        Action::Release(..) => of([Release]),
        Action::Note(_) | Action::GiveUp(_) => of([Note]),
        Action::Call(_) => of([Call]),
        Action::Create(..) => of([Create]),
        Action::Revoke(_) => of([Revoke]),
        Action::Record(..) | Action::Orphan(..) | Action::Close(_) => of([Close]),
        Action::Kill(_) | Action::Land(_) | Action::Lose(_) => of([Kill]),
        Action::Fence(_) => of([Fence]),
        Action::CutOff(_) => of([CutOff]),
        Action::Crash(_) => of([Crash]),
        Action::Own(_)
        | Action::Trash
        | Action::Request
        | Action::Restore(_)
        | Action::Purge
        | Action::Delete
        | Action::Renew
        | Action::Attach(_)
        | Action::Expire
        | Action::Intend(_) => of([Demand]),
        Action::Intrude(_)
        | Action::Die(_)
        | Action::Quarantine(_)
        | Action::Meter(..)
        | Action::Adopt(_)
        | Action::Refuse(..) => Classes::NONE,
    }
}

/// Nobody answers for a node that is out of reach, however often it is asked: only a fence ends that.
fn is_doubt(state: &State, worker: Worker, answer: Answer) -> bool {
    let made = state.errand(worker).and_then(|errand| state.provider.get(errand.instance));
    let is_reached = made.is_none_or(|made| !made.is_cut_off);
    answer == Answer::Unlisted || (answer == Answer::Unreachable && is_reached)
}
