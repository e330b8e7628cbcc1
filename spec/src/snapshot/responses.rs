//! What must come about, and what each sentence assumes of the world.
//!
//! Messages are never lost here: one that waits can be delivered, and fairness says that at last it is. A computer that
//! is out of reach for ever, a gateway that nobody runs, a store that is down: each breaks such an assumption, and
//! nothing comes about.

use super::action::Action;
use super::properties::is_fresh;
use super::state::{Process, State};
use crate::protocol::{Class, Classes, Outlook, Response};
use crate::requirement::Requirement;

macro_rules! classes {
    ($($place:ident $name:literal $sentence:literal)*) => {
        #[derive(Clone, Copy)]
        enum Step { $($place,)* }

        /// In the order of [`Step`].
        pub(super) const CLASSES: &[Class] = &[$(Class { name: $name, sentence: $sentence, tells_apart: false },)*];
    };
}

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
        requirement: Requirement::Save10,
        name: "fresh-save-lands-at-last",
        sentence: "a save of what the computer shows now is stored at last, unless something ends that",
        broken_by: "floor-kept-across-reset",
        weak: &[Step::Save as usize],
        strong: &[],
        finitely: &[],
    },
    Response {
        requirement: Requirement::Reset8,
        name: "reset-ends-at-last",
        sentence: "a reset that was claimed ends",
        broken_by: "wipe-forgotten-on-crash",
        weak: &[Step::Ask as usize, Step::Register as usize, Step::SendWipe as usize, Step::Wipe as usize, Step::Replace as usize],
        strong: &[Step::Learn as usize, Step::Finish as usize],
        finitely: &[Step::Die as usize, Step::Crash as usize],
    },
    Response {
        requirement: Requirement::Save11,
        name: "agent-works-at-last",
        sentence: "an agent gets a page of what its computer shows now",
        broken_by: "retry-same-save",
        weak: &[
            Step::Ask as usize,
            Step::Register as usize,
            Step::Begin as usize,
            Step::Answer as usize,
            Step::Save as usize,
            Step::SendWipe as usize,
            Step::Wipe as usize,
            Step::Replace as usize,
        ],
        strong: &[Step::Learn as usize, Step::Finish as usize],
        finitely: &[Step::Die as usize, Step::Crash as usize, Step::Claim as usize, Step::Rollback as usize],
    },
];

pub(super) fn outlook(response: usize, state: &State) -> Outlook {
    let is_answered = match response {
        0 => !state.saves.iter().any(|save| is_fresh(state, save)),
        1 => !state.store.is_resetting,
        _ => !state.store.is_resetting && state.store.page.is_some_and(|row| row.page.life == state.process.life),
    };
    if is_answered { Outlook::Answered } else { Outlook::Waits }
}

pub(super) fn classes_of(state: &State, action: &Action) -> Classes {
    let step = match action {
        Action::Restart(_) if has_lost_its_place(state) => Step::Replace,
        Action::Restart(_) => Step::Die,
        Action::Ask(_) => Step::Ask,
        Action::Register(..) => Step::Register,
        Action::Learn(_) => Step::Learn,
        Action::Begin(_) => Step::Begin,
        Action::Answer(..) => Step::Answer,
        Action::Save(_) => Step::Save,
        Action::Claim(..) => Step::Claim,
        Action::SendWipe(..) => Step::SendWipe,
        Action::Wipe(..) => Step::Wipe,
        Action::Finish(..) => Step::Finish,
        Action::Rollback(_) => Step::Rollback,
        Action::Crash(_) => Step::Crash,
        Action::Stamp(..)
        | Action::Load(_)
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
