//! Messages that arrive when they are long dead. The search forgets a message that is refused for ever, so no edge of
//! its graph delivers it. But a late message is how the incident began, and an implementation must refuse it. So each
//! script delivers every message that the model has forgotten once more. The model says by which requirement it is
//! refused.

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::action::{Action, Attempt, Rollback};
use outlive_spec::snapshot::state::{Cited, State, WipeCall};
use outlive_spec::snapshot::variants::RIGHT;

use crate::conform::walk::delivered;

/// What was sent on a path, and not delivered late yet.
#[derive(Default)]
pub(super) struct Late {
    sent: Vec<Attempt>,
    shown: Vec<Cited>,
}

impl Late {
    /// Notes what a step has sent, now that it has led to this state.
    pub(super) fn note(&mut self, state: &State, action: &Action) {
        match *action {
            Action::Ask(question) => self.sent.push(Attempt::Register(question)),
            Action::Begin(call) => self.sent.push(Attempt::Answer(call)),
            Action::Answer(_, generation) => {
                let save = state.saves.iter().rev().find(|save| save.cited.generation == generation);
                self.sent.extend(save.map(|save| Attempt::Save(*save)));
            }
            Action::SendWipe(gateway, incarnation) => {
                self.sent.push(Attempt::Wipe(WipeCall { by: Some(gateway), incarnation }));
            }
            Action::Resolve(cited) => {
                let act = state.acts.iter().rev().find(|act| act.cited == cited);
                self.sent.extend(act.map(|act| Attempt::Perform(*act)));
            }
            Action::Load(Some(cited)) => self.shown.push(cited),
            // Whoever will not come back to a page does not go back to it late.
            Action::Discard(cited) => self.shown.retain(|shown| *shown != cited),
            Action::Restart(_)
            | Action::Register(..)
            | Action::Learn(_)
            | Action::Stamp(..)
            | Action::Save(_)
            | Action::Claim(..)
            | Action::Wipe(..)
            | Action::Finish(..)
            | Action::Load(None)
            | Action::Forward(_)
            | Action::Perform(_)
            | Action::Rollback(_)
            | Action::Crash(_)
            | Action::Refuse(..) => {}
        }
    }

    /// The refusals of everything that was forgotten up to this state. None of them changes it.
    pub(super) fn deliver(&mut self, state: &State) -> Vec<Action> {
        let mut refusals = Vec::new();
        self.sent.retain(|attempt| {
            let refusal = if is_under_way(state, attempt) { None } else { refusal(state, *attempt) };
            refusals.extend(refusal);
            refusal.is_none()
        });
        let is_there = |cited: &Cited| state.shown.iter().any(|page| page.cited == *cited);
        for cited in self.shown.extract_if(.., |cited| !is_there(cited)) {
            let expected = state.store.incarnation;
            let back = Rollback { to: cited, expected, minted: expected };
            refusals.extend(refusal(state, Attempt::Resolve(cited)));
            refusals.extend(refusal(state, Attempt::Rollback(back)));
        }
        refusals
    }
}

fn is_under_way(state: &State, attempt: &Attempt) -> bool {
    match *attempt {
        Attempt::Register(question) => state.questions.contains(&question),
        Attempt::Answer(call) => state.calls.contains(&call),
        Attempt::Save(save) => state.saves.contains(&save),
        Attempt::Wipe(wipe) => state.wipes.iter().any(|it| it.incarnation == wipe.incarnation),
        Attempt::Perform(act) => state.acts.contains(&act),
        Attempt::Claim(..) | Attempt::Finish(..) | Attempt::Resolve(_) | Attempt::Rollback(_) => false,
    }
}

fn refusal(state: &State, attempt: Attempt) -> Option<Action> {
    let because = RIGHT.apply(&mut state.clone(), &delivered(state, attempt)).err()?.requirement;
    let refusal = Action::Refuse(attempt, because);
    // What nobody remembers as sent can only be refused for another reason.
    let is_refused = because != Requirement::Save6 && RIGHT.apply(&mut state.clone(), &refusal).is_ok();
    is_refused.then_some(refusal)
}
