//! The exact set of the states that were found, in the order in which they were.
//!
//! Open addressing: a slot holds the place of a state and its hash, so that a look-up mostly waits for memory twice, once
//! for the slot and once for the state that is compared, and a set that grows need not look at its states again.

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

/// The slot where the search for a state begins, as it was read.
#[derive(Clone, Copy)]
pub(super) struct Guess(Slot);

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

    /// Where the state is looked for first: mostly its place, if it has one. Whoever asks this of several states, and
    /// then finds them, waits for memory once and not for each.
    #[inline]
    pub(super) fn guess(&self, hashed: &Hashed<K>) -> Guess {
        Guess(self.slots[hashed.hash as usize & (self.slots.len() - 1)])
    }

    /// The place of the state, if it was found before.
    #[inline]
    pub(super) fn find(&self, hashed: &Hashed<K>, guess: Guess) -> Option<u32> {
        let Slot { hash, place } = guess.0;
        if hash == hashed.hash && self.states.get(place as usize) == Some(&hashed.state) {
            return Some(place);
        }
        let place = self.slots[self.slot_of(hashed)].place;
        (place != VACANT).then_some(place)
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

    /// The slot of the state, or the vacant one where it belongs.
    #[inline]
    fn slot_of(&self, hashed: &Hashed<K>) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hashed.hash as usize & mask;
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
