//! What is refused for ever is forgotten: otherwise the search would count states that differ in nothing that matters,
//! and the walk of a trace would grow with its length.
//!
//! Each message is judged by the very guard that would refuse it, and then by whether that refusal lasts. A shortcut
//! that judged by the right rules would hide what the wrong ones do; a test switches forgetting off and finds no
//! difference.

use super::check::Check;
use super::properties as noted;
use super::rules::{Admits, Resolves, Rules, Stamps};
use super::state::*;
use crate::set::{Item, Set};

impl Rules {
    /// Forgets the messages that these very rules refuse, and will refuse for ever; but not a save whose refusal would
    /// be a harm or keeps an agent busy, for that must still be seen.
    #[inline]
    pub(super) fn forget(&self, state: &mut State) {
        if !self.forgets {
            return;
        }
        forget_in(
            state,
            |it| &it.questions,
            |it| &mut it.questions,
            |state, question| self.check_register(state, *question).is_ok(),
        );
        forget_in(
            state,
            |it| &it.calls,
            |it| &mut it.calls,
            |state, call| self.check_call(state, *call).is_ok() || self.may_become(state, call.stamp),
        );
        forget_in(
            state,
            |it| &it.wipes,
            |it| &mut it.wipes,
            |state, wipe| self.check_wipe(state, *wipe).is_ok() || self.may_become(state, Stamp::Is(wipe.incarnation)),
        );
        forget_in(
            state,
            |it| &it.acts,
            |it| &mut it.acts,
            |state, act| self.check_act(state, *act).is_ok() || self.may_be_performed(state, act),
        );
        forget_in(
            state,
            |it| &it.saves,
            |it| &mut it.saves,
            |state, save| {
                let is_sent_again = !self.refused_saves_are_given_up;
                self.may_be_stored(state, save) || noted::is_fresh(state, save) || is_sent_again
            },
        );
        let memories_last = self.without.has(Check::FinishWipedCurrent) || !self.reset_mints;
        let current = Memory::Wiped(state.store.incarnation);
        state.gateways.retain(|memory| memory == Memory::Claimed || memory == current || memories_last);
        if self.forgets_what_was_wiped() && state.shown.iter().next().is_some_and(|page| !self.is_since(state, page)) {
            forget_in(state, |it| &it.shown, |it| &mut it.shown, |state, page| self.is_since(state, page));
        }
        noted::forget_what_no_page_recalls(state);
    }

    /// Whether the computer could yet learn that it is this incarnation.
    fn may_become(&self, state: &State, stamp: Stamp) -> bool {
        let Stamp::Is(incarnation) = stamp else { return true };
        let is_on_its_way = state.process.reply == Some(incarnation);
        let next =
            if self.registration_mints { Incarnation(state.store.incarnation.0 + 1) } else { state.store.incarnation };
        is_on_its_way || state.process.incarnation == Some(incarnation) || incarnation >= next
    }

    /// Whether an act that is refused now could be performed later: not if its page is no longer the newest, and
    /// generations are compared within one incarnation.
    fn may_be_performed(&self, state: &State, act: &Act) -> bool {
        let is_superseded = Stamp::Is(state.process.incarnation.unwrap_or_default()) == act.cited.stamp
            && act.cited.generation < state.process.generation;
        let compares_incarnations = !self.without.has(Check::ActIsForUs);
        !compares_incarnations || (self.may_become(state, act.cited.stamp) && !is_superseded)
    }

    /// Whether a page that was shown, and is from before the last reset, can neither be resolved against nor gone back
    /// to.
    fn forgets_what_was_wiped(&self) -> bool {
        self.resolves == Resolves::TheStoredPage && self.stamps == Stamps::BeforeTheCall
    }

    fn is_since(&self, state: &State, page: &Save) -> bool {
        self.check_since(state, page.cited).is_ok()
    }

    /// Whether a save could yet land. Incarnations only grow, so one that is not current never will be again; and while
    /// an incarnation is current its stored generation only grows, if no page can be deleted without ending it.
    fn may_be_stored(&self, state: &State, save: &Save) -> bool {
        let is_pending = save.cited.stamp == Stamp::Pending;
        let generations_only_grow = self.admits == Admits::Current
            && self.registration_mints
            && self.reset_mints
            && self.rollback_mints
            && !self.without.has(Check::SaveIsCurrent);
        let order_lasts = generations_only_grow && self.check_order(state, save).is_err();
        is_pending || (self.check_incarnation(state, save).is_ok() && !order_lasts)
    }
}

/// Keeps of one set what is still needed. Mostly that is all of it, and then nothing is moved.
#[inline]
fn forget_in<T: Item>(
    state: &mut State,
    set: impl Fn(&State) -> &Set<T>,
    set_mut: impl Fn(&mut State) -> &mut Set<T>,
    is_needed: impl Fn(&State, &T) -> bool,
) {
    if set(state).iter().all(|message| is_needed(state, message)) {
        return;
    }
    let mut messages = std::mem::take(set_mut(state));
    messages.retain(|message| is_needed(state, message));
    *set_mut(state) = messages;
}
