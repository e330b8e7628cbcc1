//! The exact set of the states that were found, in the order in which they were.
//!
//! Open addressing: a slot holds the place of a state and its hash, so that a look-up mostly waits for memory twice,
//! once for the slot and once for the state that is compared, and a set that grows need not look at its states again.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// Each state once. Its place is its name from then on.
pub(super) struct Visited<K> {
    states: Vec<K>,
    /// A power of two of them, and at least twice as many as there are states.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    /// Of a state, or [`VACANT`].
    place: u32,
}

/// The slot where the search for a state begins, and whether it ends there, as it mostly does.
#[derive(Clone, Copy)]
pub(super) struct Found {
    at: Slot,
    is_it: bool,
}

const VACANT: u32 = u32::MAX;
const FIRST_SLOTS: usize = 1 << 10;

/// A state with its hash, which takes as long to make as the state is.
#[derive(Clone, Copy)]
pub(super) struct Hashed<K> {
    hash: u32,
    state: K,
}

impl<K: Copy + Hash> Hashed<K> {
    #[inline]
    pub(super) fn new(state: K) -> Self {
        // The low bits are the ones that this hash mixes best.
        Hashed { hash: FxBuildHasher.hash_one(state) as u32, state }
    }
}

impl<K: Copy + Eq + Hash> Visited<K> {
    pub(super) fn new() -> Self {
        Visited { states: Vec::new(), slots: vacant(FIRST_SLOTS) }
    }

    /// Looks for each of these states in the first place where it may be. A look waits for memory twice, for the slot
    /// and for the state in its place. Without a branch between them, many looks wait together.
    pub(super) fn find_each<'a>(&self, wanted: impl Iterator<Item = &'a Hashed<K>> + Clone) -> Vec<Found>
    where
        K: 'a,
    {
        let look = |hashed: &Hashed<K>| Found { at: self.slots[self.first_slot(hashed)], is_it: false };
        let mut each: Vec<Found> = wanted.clone().map(look).collect();
        let last = self.states.len() - 1;
        for (Found { at, is_it }, hashed) in each.iter_mut().zip(wanted) {
            let state = &self.states[last.min(at.place as usize)];
            *is_it = (at.place != VACANT) & (at.hash == hashed.hash) & (*state == hashed.state);
        }
        each
    }

    /// The place of the state, if it was found before. Mostly the first look has found it.
    #[inline]
    pub(super) fn find(&self, hashed: &Hashed<K>, found: Found) -> Option<u32> {
        let place = if found.is_it { found.at.place } else { self.slots[self.slot_of(hashed)].place };
        (place != VACANT).then_some(place)
    }

    /// The same as [`Visited::insert`], after a first look.
    #[inline]
    pub(super) fn insert_found(&mut self, hashed: Hashed<K>, found: Found) -> (u32, bool) {
        if found.is_it { (found.at.place, false) } else { self.insert(hashed) }
    }

    /// The place of the state, and whether it is new.
    ///
    /// # Panics
    /// Beyond 2^32 - 1 states.
    #[inline]
    pub(super) fn insert(&mut self, hashed: Hashed<K>) -> (u32, bool) {
        let at = self.slot_of(&hashed);
        let Slot { place, .. } = self.slots[at];
        if place != VACANT {
            return (place, false);
        }
        let place = u32::try_from(self.states.len()).ok().filter(|place| *place != VACANT);
        let place = place.expect("a search of 2^32 states does not fit a machine");
        self.states.push(hashed.state);
        self.slots[at] = Slot { hash: hashed.hash, place };
        if self.states.len() * 2 > self.slots.len() {
            self.grow();
        }
        (place, true)
    }

    #[inline]
    fn first_slot(&self, hashed: &Hashed<K>) -> usize {
        hashed.hash as usize & (self.slots.len() - 1)
    }

    /// The slot of the state, or the vacant one where it belongs.
    #[inline]
    fn slot_of(&self, hashed: &Hashed<K>) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.first_slot(hashed);
        loop {
            let Slot { hash, place } = self.slots[at];
            if place == VACANT || (hash == hashed.hash && self.states[place as usize] == hashed.state) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let slots = vacant(self.slots.len() * 2);
        let mask = slots.len() - 1;
        for slot in std::mem::replace(&mut self.slots, slots).into_iter().filter(|slot| slot.place != VACANT) {
            let mut at = slot.hash as usize & mask;
            while self.slots[at].place != VACANT {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }

    #[inline]
    pub(super) fn get(&self, place: u32) -> K {
        self.states[place as usize]
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }
}

fn vacant(slots: usize) -> Vec<Slot> {
    vec![Slot { hash: 0, place: VACANT }; slots]
}
