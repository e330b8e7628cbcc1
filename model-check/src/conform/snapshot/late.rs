//! Messages that arrive when they may long be dead: what a step sends, and what the model makes of it later. A search
//! forgets what is refused for ever; walks and scripts remember it themselves, since a late message is how the incident
//! began.

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::action::{Action, Attempt};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::state::*;

/// What somebody may try again that has seen this step, which has led to this state: the message that was sent, or the
/// same decision once more.
pub(crate) fn sent(state: &State, action: &Action) -> Option<Attempt> {
    match *action {
        Action::Ask(question) => Some(Attempt::Register(question)),
        Action::Begin(call) => Some(Attempt::Answer(call)),
        Action::SendWipe(gateway, incarnation) => Some(Attempt::Wipe(WipeCall { by: Some(gateway), incarnation })),
        Action::Answer(_, generation) => {
            let save = state.saves.iter().rev().find(|save| save.cited.generation == generation);
            save.map(|save| Attempt::Save(*save))
        }
        Action::Resolve(cited) => {
            let act = state.acts.iter().rev().find(|act| act.cited == cited);
            act.map(|act| Attempt::Perform(*act))
        }
        Action::Claim(gateway, expected) => Some(Attempt::Claim(gateway, expected)),
        Action::Finish(gateway, wiped, _) => Some(Attempt::Finish(gateway, wiped)),
        Action::Rollback(rollback) => Some(Attempt::Rollback(rollback)),
        Action::Load(Some(cited)) => Some(Attempt::Resolve(cited)),
        Action::Restart(_)
        | Action::Register(..)
        | Action::Learn(_)
        | Action::Stamp(..)
        | Action::Save(_)
        | Action::Wipe(..)
        | Action::Load(None)
        | Action::Discard(_)
        | Action::Forward(_)
        | Action::Perform(_)
        | Action::Crash(_)
        | Action::Refuse(..) => None,
    }
}

/// What it would be if the message had its effect.
pub(crate) fn delivered(state: &State, attempt: Attempt) -> Action {
    let minted = Incarnation(state.store.incarnation.0 + 1);
    match attempt {
        Attempt::Register(question) => Action::Register(question, minted),
        Attempt::Answer(call) => Action::Answer(call, Generation(state.process.generation.0 + 1)),
        Attempt::Save(save) => Action::Save(save),
        Attempt::Claim(gateway, expected) => Action::Claim(gateway, expected),
        Attempt::Wipe(wipe) => Action::Wipe(wipe, Life(state.process.life.0 + 1), Generation(0)),
        Attempt::Finish(gateway, wiped) => Action::Finish(gateway, wiped, minted),
        Attempt::Resolve(cited) => Action::Resolve(cited),
        Attempt::Perform(act) => Action::Perform(act),
        Attempt::Rollback(rollback) => Action::Rollback(rollback),
    }
}

/// Takes what becomes of it now: its effect, or its refusal. Nothing becomes of what the model does not remember as
/// sent, if there is no other reason to refuse it.
pub(crate) fn arrive(rules: &Rules, state: &mut State, attempt: Attempt) -> Option<Action> {
    let effect = delivered(state, attempt);
    let Err(guard) = rules.apply(state, &effect) else { return Some(effect) };
    let refusal = Action::Refuse(attempt, guard.requirement);
    let is_refused = guard.requirement != Requirement::Save6 && rules.apply(state, &refusal).is_ok();
    is_refused.then_some(refusal)
}
