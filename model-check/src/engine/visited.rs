//! The exact set of the states that were found, in the order in which they were.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Each state once. Its place is its name from then on.
pub(super) struct Visited<K> {
    states: Vec<K>,
    places: HashTable<u32>,
}

/// A state with its hash, which takes as long to make as the state is.
#[derive(Clone, Copy)]
pub(super) struct Hashed<K> {
    hash: u64,
    state: K,
}

impl<K: Copy + Hash> Hashed<K> {
    #[inline]
    pub(super) fn new(state: K) -> Self {
        Hashed { hash: FxBuildHasher.hash_one(state), state }
    }
}

impl<K: Copy + Eq + Hash> Visited<K> {
    pub(super) fn new() -> Self {
        Visited { states: Vec::new(), places: HashTable::new() }
    }

    /// The place of the state, if it was found before.
    #[inline]
    pub(super) fn find(&self, hashed: &Hashed<K>) -> Option<u32> {
        self.places.find(hashed.hash, |&place| self.states[place as usize] == hashed.state).copied()
    }

    /// The place of the state, and whether it is new.
    ///
    /// # Panics
    /// Beyond 2^32 states.
    #[inline]
    pub(super) fn insert(&mut self, hashed: Hashed<K>) -> (u32, bool) {
        if let Some(place) = self.find(&hashed) {
            return (place, false);
        }
        let Visited { states, places } = self;
        let place = u32::try_from(states.len()).expect("a search of more than 2^32 states does not fit a machine");
        states.push(hashed.state);
        places.insert_unique(hashed.hash, place, |&place| FxBuildHasher.hash_one(states[place as usize]));
        (place, true)
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
