//! The exact set of the states that were found, in the order in which they were.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Each state once. Its place is its name from then on.
pub(super) struct Visited<K> {
    states: Vec<K>,
    places: HashTable<u32>,
}

impl<K: Copy + Eq + Hash> Visited<K> {
    pub(super) fn new() -> Self {
        Visited { states: Vec::new(), places: HashTable::new() }
    }

    /// The place of the state, and whether it is new.
    ///
    /// # Panics
    /// Beyond 2^32 states.
    #[inline]
    pub(super) fn insert(&mut self, state: K) -> (u32, bool) {
        let Visited { states, places } = self;
        let hash = FxBuildHasher.hash_one(state);
        if let Some(&place) = places.find(hash, |&place| states[place as usize] == state) {
            return (place, false);
        }
        let place = u32::try_from(states.len()).expect("a search of more than 2^32 states does not fit a machine");
        states.push(state);
        places.insert_unique(hash, place, |&place| FxBuildHasher.hash_one(states[place as usize]));
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
