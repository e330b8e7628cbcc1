//! What must come about, and what each sentence assumes of the world.
//!
//! Messages are never lost here: one that waits can be delivered, and fairness says that at last it is. A computer that
//! is out of reach for ever, a gateway that nobody runs, a store that is down: each breaks such an assumption, and
//! nothing comes about.

use Step::*;

use super::action::Action;
use super::properties::is_fresh;
use super::state::{Process, State};
use crate::protocol::{Classes, Fairness, Outlook, Property, Response};
use crate::requirement::Requirement;

classes! {
    Ask "ask" "a process that does not know who it is asks"
    Register "register" "a question that waits reaches the store"
    Learn "learn" "an answer reaches the process that waits for it"
    Begin "begin" "an agent asks for a page"
    Answer "answer" "a computer answers a call"
    Save "save" "a save that may land does"
    SendWipe "send-wipe" "a gateway drives on a reset that it finds"
    Wipe "wipe" "a computer obeys a wipe"
    Finish "finish" "a gateway that has heard of the wipe ends the reset"
    Replace "replace" "a process that has lost its place is started anew"
    Die "die" "a process dies by itself"
    Crash "crash" "a gateway crashes"
    Claim "claim" "somebody resets the computer"
    Rollback "rollback" "somebody rolls the computer back"
}

/// In the order of [`outlook`].
pub(super) const RESPONSES: &[Response] = &[
    Response {
        property: Property {
            requirement: Requirement::Save10,
            name: "fresh-save-lands-at-last",
            sentence: "a save of what the computer shows now, and the stored page does not, is at last stored or overtaken",
            broken_by: "floor-kept-across-reset",
        },
        fairness: Fairness { weak: of([Save]), strong: Classes::NONE, finitely: Classes::NONE },
    },
    Response {
        property: Property {
            requirement: Requirement::Reset8,
            name: "reset-ends-at-last",
            sentence: "a reset that was claimed ends",
            broken_by: "wipe-forgotten-on-crash",
        },
        // Each of the two is possible only until the other side moves on: an answer until the process asks again, the
        // end until the wiped process registers.
        fairness: Fairness {
            weak: of([Ask, Register, SendWipe, Wipe, Replace]),
            strong: of([Learn, Finish]),
            finitely: of([Die, Crash]),
        },
    },
    Response {
        property: Property {
            requirement: Requirement::Save11,
            name: "agent-works-at-last",
            sentence: "an agent gets a page of what its computer shows now",
            broken_by: "retry-same-save",
        },
        fairness: Fairness {
            weak: of([Ask, Register, Begin, Answer, Save, SendWipe, Wipe, Replace]),
            strong: of([Learn, Finish]),
            finitely: of([Die, Crash, Claim, Rollback]),
        },
    },
];

pub(super) fn outlook(response: usize, state: &State) -> Outlook {
    let is_answered = match response {
        0 => !state.saves.iter().any(|save| is_fresh(state, save)),
        1 => !state.store.is_resetting,
        _ => !state.store.is_resetting && state.store.page.is_some_and(|it| it.page.life == state.process.life),
    };
    if is_answered { Outlook::Answered } else { Outlook::Waits }
}

pub(super) fn classes_of(state: &State, action: &Action) -> Classes {
    let step = match action {
        Action::Restart(_) if has_lost_its_place(state) => Replace,
        Action::Restart(_) => Die,
        Action::Ask(_) => Ask,
        Action::Register(..) => Register,
        Action::Learn(_) => Learn,
        Action::Begin(_) => Begin,
        Action::Answer(..) => Answer,
        Action::Stamp(..) | Action::Save(_) => Save,
        Action::Claim(..) => Claim,
        Action::SendWipe(..) => SendWipe,
        Action::Wipe(..) => Wipe,
        Action::Finish(..) => Finish,
        Action::Rollback(_) => Rollback,
        Action::Crash(_) => Crash,
        Action::Load(_)
        | Action::Discard(_)
        | Action::Resolve(_)
        | Action::Forward(_)
        | Action::Perform(_)
        | Action::Refuse(..) => return Classes::default(),
    };
    Classes::only(step as usize)
}

/// It knows itself as somebody whom another has replaced.
pub(super) fn has_lost_its_place(state: &State) -> bool {
    let Process { incarnation, .. } = state.process;
    incarnation.is_some_and(|own| own != state.store.incarnation)
}
