//! What a step does to the pointers: every instance that lives has one, and one alone.

use smallvec::SmallVec;

use super::properties as noted;
use super::rules::{Due, GivesUp, Replaced, Rescues, Rules, torn_down};
use super::state::*;

/// Behind all others, until [`Rules::put_in_order`] counts.
const LAST: Turn = Turn(u32::MAX);

/// A place in the order of what is due.
type At = (u32, u32);

impl Rules {
    /// The record goes, and what it holds into the outbox.
    pub(super) fn lose_record(&self, state: &mut State) {
        // PURGE-1: many paths delete a record, and none of them can wait for a kill.
        if let Some(record) = state.record.take().filter(|record| record.phase != Phase::TornDown) {
            noted::an_instance_is_licensed(state, record.instance);
            if self.rescues != Rescues::Nothing {
                self.point(state, record.instance, Place::Outbox);
            }
        }
    }

    /// The owner has this instance; what it had goes into the outbox.
    pub(super) fn write_record(&self, state: &mut State, instance: Instance) {
        let before = state.record;
        let replaced = before.filter(|record| record.phase != Phase::TornDown && record.instance != instance);
        if replaced.is_some() && !self.reconnect_records {
            return;
        }
        let is_stamped = before.is_some_and(|record| record.phase == Phase::TornDown);
        let phase = if is_stamped && !self.record_clears_the_stamp { Phase::TornDown } else { Phase::Live };
        let requested = before.and_then(|record| record.requested).filter(|_| !self.voids);
        state.record = Some(Record { instance, phase, requested, ..Record::default() });
        state.pointers.retain(|pointer| pointer.instance != instance || pointer.place != Place::Quarantine);
        // PURGE-1: an update that overwrites the instance fires no trigger of a delete.
        if let Some(record) = replaced {
            noted::an_instance_is_licensed(state, record.instance);
            if self.rescues == Rescues::EveryLoss {
                self.point(state, record.instance, Place::Outbox);
            }
        }
    }

    /// What licensed a teardown does so no more.
    pub(super) fn void(&self, state: &mut State) {
        if self.voids {
            state.record.iter_mut().for_each(|record| record.requested = None);
        }
    }

    /// Nobody may use this instance.
    pub(super) fn put_into_the_outbox(&self, state: &mut State, instance: Instance) {
        noted::an_instance_is_licensed(state, instance);
        self.point(state, instance, Place::Outbox);
    }

    /// A pointer to this instance, which had none.
    pub(super) fn point(&self, state: &mut State, instance: Instance, place: Place) {
        let by_name = self.outbox_by_name && place == Place::Outbox;
        let is_taken = |it: &Pointer| it.place == place && (it.instance == instance || by_name);
        if state.pointers.iter().any(is_taken) {
            return;
        }
        state.pointers.insert(Pointer { instance, place, attempts: 0, turn: LAST });
    }

    /// What was found at the name of an owner that is gone is nobody's.
    pub(super) fn license_the_quarantined(&self, state: &mut State) {
        let before = std::mem::take(&mut state.pointers);
        for pointer in before.iter() {
            let is_quarantined = pointer.place == Place::Quarantine;
            let place = if is_quarantined { Place::Outbox } else { pointer.place };
            state.pointers.insert(Pointer { place, ..*pointer });
            if is_quarantined {
                noted::an_instance_is_licensed(state, pointer.instance);
            }
        }
    }

    /// Nothing points at this instance any more, and whatever points at another stays.
    pub(super) fn release_pointers(&self, state: &mut State, instance: Instance) {
        // RECONCILE-29: the name may be in use again, so that the instance decides.
        let record = state.record.filter(|record| record.names(instance) || self.releases_by_name);
        if record.is_some() {
            state.record = Some(torn_down());
        }
        let by_name = self.releases_by_name;
        state.pointers.retain(|it| it.instance != instance && !(by_name && it.place == Place::Outbox));
    }

    /// Another instance was found at the name.
    pub(super) fn replaced(&self, state: &mut State, actual: Instance) {
        // RECONCILE-30: nobody may have a pointer to it; and whoever has one knows what it is for.
        let is_recorded = state.record.is_some_and(|record| record.names(actual));
        let is_named = state.names(actual) > 0;
        match self.replaced {
            Replaced::QuarantinesTheUnnamed if !is_named => self.point(state, actual, Place::Quarantine),
            Replaced::QuarantinesTheUnrecorded if !is_recorded => self.point(state, actual, Place::Quarantine),
            Replaced::Chases => self.point(state, actual, Place::Outbox),
            Replaced::ChasesTheUnnamed if !is_named => self.point(state, actual, Place::Outbox),
            Replaced::QuarantinesTheUnnamed
            | Replaced::QuarantinesTheUnrecorded
            | Replaced::Releases
            | Replaced::ChasesTheUnnamed
            | Replaced::Fails => {}
        }
    }

    /// One more attempt has proven nothing: the pointer stays, and is due last.
    pub(super) fn try_again(&self, state: &mut State, instance: Instance) {
        let again = |attempts: u32, turn: Turn| {
            let turn = if self.due == Due::ByAge { turn } else { LAST };
            ((attempts + 1).min(self.most_attempts), turn)
        };
        if let Some(record) = state.record.as_mut().filter(|record| record.names(instance)) {
            (record.attempts, record.turn) = again(record.attempts, record.turn);
        }
        if self.failure_unclaims {
            unclaim(state);
        }
        self.change_pointer(state, instance, |pointer| {
            let (attempts, turn) = again(pointer.attempts, pointer.turn);
            // What is only looked at is not tried.
            let attempts = if pointer.place == Place::Outbox { attempts } else { pointer.attempts };
            Some(Pointer { attempts, turn, ..pointer })
        });
    }

    /// A person has to look.
    pub(super) fn give_up_pointer(&self, state: &mut State, instance: Instance) {
        let keeps = self.gives_up != GivesUp::Forgets;
        if state.record.is_some_and(|record| record.names(instance)) {
            state.record = Some(torn_down());
            if keeps {
                self.point(state, instance, Place::DeadLetters);
            }
        }
        self.change_pointer(state, instance, |pointer| {
            let given_up = Pointer { place: Place::DeadLetters, attempts: 0, turn: LAST, ..pointer };
            if pointer.place == Place::Outbox { keeps.then_some(given_up) } else { Some(pointer) }
        });
    }

    fn change_pointer(&self, state: &mut State, instance: Instance, change: impl Fn(Pointer) -> Option<Pointer>) {
        let before = std::mem::take(&mut state.pointers);
        for &pointer in before.iter() {
            let after = if pointer.instance == instance { change(pointer) } else { Some(pointer) };
            after.into_iter().for_each(|pointer| state.pointers.insert(pointer));
        }
    }

    /// Counts the turns of what is due from 1, since only their order matters.
    pub(super) fn put_in_order(&self, state: &mut State) {
        let mut turns: SmallVec<[Turn; 8]> = SmallVec::new();
        if let Some(record) = state.record.as_mut() {
            let is_licensed = record.phase == Phase::Live && (record.requested.is_some() || record.is_overdue);
            let is_due = record.phase == Phase::Killing || is_licensed;
            record.turn = match (is_due, record.turn) {
                (false, _) => Turn(0),
                (true, Turn(0)) => LAST,
                (true, turn) => turn,
            };
            turns.extend(is_due.then_some(record.turn));
        }
        turns.extend(state.pointers.iter().map(|pointer| pointer.turn));
        turns.sort_unstable();
        turns.dedup();
        // Mostly they are counted from 1 already.
        if turns.last().is_none_or(|last| last.0 as usize == turns.len()) {
            return;
        }
        let rank = |turn: Turn| Turn(turns.binary_search(&turn).map_or(0, |at| at as u32 + 1));
        state.record.iter_mut().for_each(|record| record.turn = rank(record.turn));
        let before = std::mem::take(&mut state.pointers);
        before.iter().for_each(|it| state.pointers.insert(Pointer { turn: rank(it.turn), ..*it }));
    }

    /// What a worker finds when it reads what is due, in its order.
    pub(super) fn due(&self, state: &State) -> impl Iterator<Item = (Instance, Found)> {
        let mut due: SmallVec<[(At, Instance, Found); 8]> = SmallVec::new();
        let key = |attempts: u32, turn: Turn, instance: Instance| match self.due {
            Due::ByTurn => (turn.0, 0),
            Due::ByAge => (instance.0, 0),
            Due::ByAttempts => (attempts, turn.0),
        };
        if let Some(record) = state.record {
            let at = key(record.attempts, record.turn, record.instance);
            if record.phase == Phase::Killing && self.resumes {
                due.push((at, record.instance, Found::Claimed));
            }
            for licence in self.licences(state, &record).into_iter().flatten() {
                due.push((at, record.instance, Found::Licensed(licence)));
            }
        }
        for pointer in state.pointers.iter() {
            let at = key(pointer.attempts, pointer.turn, pointer.instance);
            due.push((at, pointer.instance, Found::Pointer(pointer.place)));
        }
        due.sort_unstable();
        due.into_iter().map(|(_, instance, found)| (instance, found))
    }
}

/// The instance is the owner's again.
pub(super) fn unclaim(state: &mut State) {
    if let Some(record) = state.record.as_mut().filter(|record| record.phase == Phase::Killing) {
        record.phase = Phase::Live;
        let instance = record.instance;
        noted::an_instance_is_wanted(state, instance);
        noted::a_claim_is_taken_back(state);
    }
}
