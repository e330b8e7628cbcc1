//! What is refused for ever is forgotten, and so is what nothing mentions: otherwise the search would count states that
//! differ in nothing that matters, and the walk of a trace would grow with its length.
//!
//! Each message is judged by the very guard that would refuse it. A test switches forgetting off and finds no
//! difference.

use super::check::Check;
use super::rules::Rules;
use super::state::*;

impl Rules {
    /// Forgets the calls that are refused for ever, and then the dead and the tokens that nothing mentions.
    #[inline]
    pub(super) fn forget(&self, state: &mut State) {
        if !self.forgets {
            return;
        }
        if !state.creates.is_empty() {
            let mut creates = std::mem::take(&mut state.creates);
            creates.retain(|token| self.check_create(state, *token).is_ok());
            state.creates = creates;
        }
        if !state.kills.is_empty() {
            let mut kills = std::mem::take(&mut state.kills);
            kills.retain(|instance| self.may_kill(state, *instance));
            state.kills = kills;
        }
        if !state.provider.revoked.is_empty() {
            let mut revoked = std::mem::take(&mut state.provider.revoked);
            revoked.retain(|token| mentions(state, *token));
            state.provider.revoked = revoked;
        }
        let mut made = std::mem::take(&mut state.provider.made);
        made.retain(|made| made.lives || made.is_cut_off || names(state, made));
        state.provider.made = made;
        let Ghost { licensed, .. } = &mut state.ghost;
        if !licensed.is_empty() {
            licensed.retain(|instance| state.provider.get(*instance).is_some_and(|made| made.lives));
        }
    }

    /// Nothing that is dead lives again, so a call that names it is refused for ever; but one that goes by the name
    /// alone never is.
    fn may_kill(&self, state: &State, instance: Instance) -> bool {
        let goes_by_the_name = instance == UNKNOWN || self.without.has(Check::KillIsExpected);
        goes_by_the_name || self.check_kill(state, instance).is_ok()
    }
}

fn mentions(state: &State, token: Token) -> bool {
    state.intents.iter().any(|intent| intent.token == token) || state.creates.contains(&token)
}

/// Whether anything would ask about this instance, which is dead.
fn names(state: &State, made: &Made) -> bool {
    let instance = made.instance;
    let is_worked_on = state
        .workers
        .iter()
        .flatten()
        .any(|errand| errand.instance == instance || errand.stage == Stage::Heard(Answer::Replaced(instance)));
    is_worked_on
        || state.pointed().any(|id| id == instance)
        || state.kills.contains(&instance)
        || state.provider.deletes.contains(&instance)
        || made.token.is_some_and(|token| mentions(state, token))
}
