//! The guards that decide about messages. The step, its refusal and whoever forgets ask the same function, so that no
//! two of them disagree; what only one step asks stands with the step, in `rules.rs`.

use super::action::Rollback;
use super::check::Check;
use super::rules::{Admits, Resolves, Rules, Stamps, Step};
use super::state::*;
use crate::guard::{Guard, Value};

impl Rules {
    pub(super) fn check_register(&self, state: &State, question: Question) -> Step {
        // RESTART-1: a question of a dead process must not take the computer from the living one.
        let current = state.store.incarnation;
        self.check(Check::RegisterFollows, question.expected == current, question.expected, current)
    }

    /// RESTART-2: minted in order, since what was before the last reset must be told from what came after.
    pub(super) fn check_minted(&self, state: &State, check: Check, mints: bool, minted: Incarnation) -> Step {
        let current = state.store.incarnation;
        let is_right = if mints { minted > current } else { minted == current };
        self.check(check, is_right, minted, current)
    }

    pub(super) fn check_call(&self, state: &State, call: Call) -> Step {
        // RESTART-3: else a page of this life goes out under the name of another.
        let own = state.process.incarnation;
        let is_for_us = match (call.stamp, own) {
            (Stamp::Is(named), Some(own)) => named == own,
            (Stamp::Pending, Some(_)) => self.stamps == Stamps::AfterTheAnswer,
            (Stamp::Unknown, _) => self.may_be_unknown(),
            (Stamp::Is(_) | Stamp::Pending, None) => false,
        };
        self.check(Check::AnswerIsForUs, is_for_us, call.stamp, own)
    }

    pub(super) fn check_save(&self, state: &State, save: &Save) -> Step {
        // RESET-2: the claim comes before the wipe, and what the wipe destroys must not be stored after it.
        let is_open = !state.store.is_resetting;
        self.check(Check::SaveWhileOpen, is_open, save.cited, "a reset under way")?;
        self.check_incarnation(state, save)?;
        self.check_order(state, save)
    }

    pub(super) fn check_incarnation(&self, state: &State, save: &Save) -> Step {
        // SAVE-3: equality decides, since the stored page may be gone and leave no order to compare with.
        let current = Stamp::Is(state.store.incarnation);
        let is_current = match self.admits {
            Admits::Current => save.cited.stamp == current,
            Admits::CurrentIfKnown => save.cited.stamp == current || save.cited.stamp == Stamp::Unknown,
            Admits::GenerationOnly
            | Admits::GenerationAboveTheDeleted
            | Admits::GenerationOtherThanTheDeleted
            | Admits::AnyOther
            | Admits::AboveTheStoredPage => true,
        };
        self.check(Check::SaveIsCurrent, is_current, save.cited.stamp, current)
    }

    pub(super) fn check_order(&self, state: &State, save: &Save) -> Step {
        let (new, deleted) = (save.cited, state.store.deleted);
        let Some(Save { cited: old, .. }) = state.store.page else {
            let may_insert = match self.admits {
                Admits::GenerationAboveTheDeleted => new.generation > deleted,
                Admits::GenerationOtherThanTheDeleted => deleted == Generation(0) || new.generation != deleted,
                Admits::Current
                | Admits::CurrentIfKnown
                | Admits::GenerationOnly
                | Admits::AnyOther
                | Admits::AboveTheStoredPage => true,
            };
            return self.check(Check::SaveIsNewer, may_insert, new, deleted);
        };
        // SAVE-4: only within an incarnation, because each counts for itself.
        let is_newer = match self.admits {
            Admits::Current => new.stamp != old.stamp || new.generation > old.generation,
            Admits::CurrentIfKnown => {
                let are_known = new.stamp != Stamp::Unknown && old.stamp != Stamp::Unknown;
                (are_known && new.stamp != old.stamp) || new.generation > old.generation
            }
            Admits::GenerationOnly | Admits::GenerationOtherThanTheDeleted => new.generation > old.generation,
            Admits::GenerationAboveTheDeleted => new.generation > old.generation.max(deleted),
            Admits::AnyOther => new.stamp != old.stamp || new.generation > old.generation,
            Admits::AboveTheStoredPage => new > old,
        };
        self.check(Check::SaveIsNewer, is_newer, new, old)
    }

    pub(super) fn check_claim(&self, state: &State, expected: Incarnation) -> Step {
        let is_open = !state.store.is_resetting;
        self.check(Check::ClaimWhileOpen, is_open, "a second reset", "a reset under way")?;
        // RESET-1: decided on an older incarnation, it would wipe what its author never saw.
        let current = state.store.incarnation;
        self.check(Check::ClaimFollows, expected == current, expected, current)
    }

    pub(super) fn check_wipe(&self, state: &State, wipe: WipeCall) -> Step {
        // RESET-3: a wipe may arrive long after its reset is over.
        let own = state.process.incarnation;
        self.check(Check::WipeIsForUs, own == Some(wipe.incarnation), wipe.incarnation, own)
    }

    pub(super) fn check_finish(&self, state: &State, gateway: Gateway, wiped: Incarnation) -> Step {
        let heard = state.gateways.get(gateway) == Memory::Wiped(wiped);
        self.check(Check::FinishHeardOfWipe, heard, wiped, gateway)?;
        let is_claimed = state.store.is_resetting;
        self.check(Check::FinishWhileResetting, is_claimed, "no reset", "a reset under way")?;
        // RESET-4: a process that registered during the reset may show what the wipe of a former one left alone, and a
        // gateway that slept may speak of a reset before this one.
        let current = state.store.incarnation;
        self.check(Check::FinishWipedCurrent, wiped == current, wiped, current)
    }

    /// The page against which the reference resolves.
    pub(super) fn check_resolve(&self, state: &State, cited: Cited) -> Result<Page, Guard> {
        let stored = match self.resolves {
            Resolves::TheStoredPage | Resolves::TheStoredPageIfKnown => state.store.page,
            Resolves::TheCache => shown(state, cited),
        };
        let found = stored.map(|stored| stored.cited);
        self.check(Check::ResolveFindsPage, found == Some(cited), cited, found)?;
        let Some(stored) = stored else { return Err(refusal(Check::ResolveFindsPage, cited, Value::Nothing)) };
        // RESET-6: a page of another incarnation shows elements that the computer may no longer have.
        let current = Stamp::Is(state.store.incarnation);
        let is_current = match self.resolves {
            Resolves::TheStoredPage => stored.cited.stamp == current,
            Resolves::TheStoredPageIfKnown => stored.cited.stamp == current || stored.cited.stamp == Stamp::Unknown,
            Resolves::TheCache => true,
        };
        self.check(Check::ResolveIsCurrent, is_current, stored.cited.stamp, current)?;
        Ok(stored.page)
    }

    pub(super) fn check_act(&self, state: &State, act: Act) -> Step {
        // RESTART-5: between the store's look and the click, the computer may have become another.
        let own = state.process.incarnation;
        let is_for_us = match act.cited.stamp {
            Stamp::Is(named) => own == Some(named),
            Stamp::Unknown => self.may_be_unknown(),
            Stamp::Pending => false,
        };
        self.check(Check::ActIsForUs, is_for_us, act.cited.stamp, own)?;
        let newest = state.process.generation;
        self.check(Check::ActIsNewest, act.cited.generation == newest, act.cited.generation, newest)
    }

    pub(super) fn check_rollback(&self, state: &State, rollback: Rollback) -> Step {
        let is_open = !state.store.is_resetting;
        self.check(Check::RollbackWhileOpen, is_open, rollback.to, "a reset under way")?;
        // SAVE-7: sent twice, it would undo what was done since the first time.
        let current = state.store.incarnation;
        self.check(Check::RollbackFollows, rollback.expected == current, rollback.expected, current)?;
        let was_loaded = shown(state, rollback.to).is_some();
        self.check(Check::RollbackWasLoaded, was_loaded, rollback.to, Value::Nothing)?;
        self.check_since(state, rollback.to)
    }

    pub(super) fn check_since(&self, state: &State, to: Cited) -> Step {
        // SAVE-8: what was wiped stays wiped, also for those who remember it.
        let since = state.store.since;
        self.check(Check::RollbackIsSinceReset, to.stamp >= Stamp::Is(since), to, since)
    }

    /// What was refused for ever is forgotten, so nobody can tell any more whether it was sent; but nothing can name an
    /// incarnation that is yet to come, nor a page of this process that it has not handed out.
    pub(super) fn check_may_have_been_sent(&self, state: &State, save: &Save) -> Step {
        let may_have_been_sent = match save.cited.stamp {
            Stamp::Is(named) if state.process.incarnation == Some(named) => {
                save.cited.generation <= state.process.generation
            }
            Stamp::Is(named) => named <= state.store.incarnation,
            Stamp::Unknown | Stamp::Pending => state.saves.contains(save),
        };
        self.check(Check::SaveWasSent, may_have_been_sent, save.cited, Value::Nothing)
    }

    pub(super) fn remembers_the_deleted(&self) -> bool {
        matches!(self.admits, Admits::GenerationAboveTheDeleted | Admits::GenerationOtherThanTheDeleted)
    }

    pub(super) fn may_be_unknown(&self) -> bool {
        matches!(self.stamps, Stamps::Never | Stamps::BeforeTheCallIfKnown)
    }

    #[inline]
    pub(super) fn check(&self, check: Check, holds: bool, found: impl Into<Value>, against: impl Into<Value>) -> Step {
        if holds || self.without.has(check) { Ok(()) } else { Err(refusal(check, found, against)) }
    }
}

#[inline]
fn refusal(check: Check, found: impl Into<Value>, against: impl Into<Value>) -> Guard {
    Guard { requirement: check.requirement(), found: found.into(), against: against.into() }
}

/// The page that somebody was shown under this name.
#[inline]
pub(super) fn shown(state: &State, cited: Cited) -> Option<Save> {
    state.shown.iter().find(|page| page.cited == cited).copied()
}
