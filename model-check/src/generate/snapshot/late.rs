//! Messages that arrive when they are long dead. The search forgets a message that is refused for ever, so no edge of
//! its graph delivers it. But a late message is how the incident began, and an implementation must refuse it. So each
//! script delivers every message that the model has forgotten once more. The model says by which requirement it is
//! refused.

use outlive_spec::snapshot::action::{Action, Attempt, Rollback};
use outlive_spec::snapshot::state::{Cited, Incarnation, State};
use outlive_spec::snapshot::variants::RIGHT;

use crate::conform::snapshot::late;

/// What was sent on a path, and not delivered late yet.
#[derive(Default)]
pub(super) struct Late {
    sent: Vec<Attempt>,
    shown: Vec<Cited>,
}

impl Late {
    /// Notes what a step has sent, now that it has led to this state.
    pub(super) fn note(&mut self, state: &State, action: &Action) {
        self.sent.extend(late::sent(state, action).filter(is_a_message));
        if let Action::Load(Some(cited)) = *action {
            self.shown.push(cited);
        }
        // Whoever will not come back to a page does not go back to it late.
        if let Action::Discard(cited) = *action {
            self.shown.retain(|shown| *shown != cited);
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
            // Decided before the last incarnation was minted.
            let late = Rollback { expected: Incarnation(expected.0.saturating_sub(1)), ..back };
            refusals.extend(refusal(state, Attempt::Resolve(cited)));
            refusals.extend(refusal(state, Attempt::Rollback(back)));
            refusals.extend(refusal(state, Attempt::Rollback(late)));
        }
        refusals
    }
}

/// Whether it travels and can be forgotten on its way. A decision is made anew, on what is there.
fn is_a_message(attempt: &Attempt) -> bool {
    match attempt {
        Attempt::Register(_) | Attempt::Answer(_) | Attempt::Save(_) | Attempt::Wipe(_) | Attempt::Perform(_) => true,
        Attempt::Claim(..) | Attempt::Finish(..) | Attempt::Resolve(_) | Attempt::Rollback(_) => false,
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
    let arrived = late::arrive(&RIGHT, &mut state.clone(), attempt);
    arrived.filter(|action| matches!(action, Action::Refuse(..)))
}
