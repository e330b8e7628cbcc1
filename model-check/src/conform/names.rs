//! Values by name. Each line of a trace looks up two, a process and a computer. There may be many, in any order, so the cost
//! of a look-up is memory that is not in the cache. Therefore the table holds only places, and a name stands beside the value
//! that it names, which is looked at next.

use std::hash::BuildHasher;
use std::ops::{Index, IndexMut};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// Values that are found by name, in the order in which they came.
pub(super) struct Named<T> {
    places: HashTable<u32>,
    entries: Vec<(Name, T)>,
}

/// A short name stands in place.
type Name = SmallVec<[u8; 24]>;

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(u32);

/// Where a value most likely is.
#[derive(Clone, Copy)]
pub(super) struct Guess {
    hash: u64,
    /// None if there is no such name.
    pub(super) place: Option<Place>,
}

impl<T> Index<Place> for Named<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: Place) -> &T {
        &self.entries[place.0 as usize].1
    }
}

impl<T> IndexMut<Place> for Named<T> {
    #[inline]
    fn index_mut(&mut self, place: Place) -> &mut T {
        &mut self.entries[place.0 as usize].1
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named { places: HashTable::new(), entries: Vec::new() }
    }
}

impl<T> Named<T> {
    /// Where the value of this name is, if there is one. It stays there.
    #[inline]
    pub(super) fn place(&self, name: &str) -> Option<Place> {
        let is_it = |place: &u32| self.entries[*place as usize].0.as_slice() == name.as_bytes();
        self.places.find(hash(name.as_bytes()), is_it).copied().map(Place)
    }

    /// Where the value of this name is most likely, without a look at it.
    #[inline]
    pub(super) fn guess(&self, name: &str) -> Guess {
        let hash = hash(name.as_bytes());
        Guess { hash, place: self.places.iter_hash(hash).next().copied().map(Place) }
    }

    /// As [`Named::place`], for a name that was guessed before.
    #[inline]
    pub(super) fn settle(&self, name: &str, guess: Guess) -> Option<Place> {
        let is_it = |place: &u32| self.entries[*place as usize].0.as_slice() == name.as_bytes();
        match guess.place {
            Some(place) if is_it(&place.0) => Some(place),
            Some(_) => self.places.find(guess.hash, is_it).copied().map(Place),
            None => None,
        }
    }

    /// Where the value of this name is, which is made if there is none.
    #[inline]
    pub(super) fn place_or_insert_with(&mut self, name: &str, make: impl FnOnce() -> T) -> Place {
        self.place(name).unwrap_or_else(|| self.insert(name, make()))
    }

    fn insert(&mut self, name: &str, value: T) -> Place {
        let place = self.entries.len() as u32;
        self.entries.push((Name::from_slice(name.as_bytes()), value));
        let entries = &self.entries;
        self.places.insert_unique(hash(name.as_bytes()), place, |place| hash(&entries[*place as usize].0));
        Place(place)
    }

    /// The values, in the order in which they came.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|(_, value)| value)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}

#[inline]
fn hash(name: &[u8]) -> u64 {
    FxBuildHasher.hash_one(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_length_are_found_again() {
        let names: Vec<String> = (0..2_000).map(|at| format!("{at}{}", "x".repeat(at % 60))).collect();
        let mut named = Named::default();
        for (at, name) in names.iter().enumerate() {
            let place = named.place_or_insert_with(name, || at);
            assert_eq!(named[place], at);
        }
        for (at, name) in names.iter().enumerate() {
            let place = named.place_or_insert_with(name, || usize::MAX);
            assert_eq!((named[place], named.place(name)), (at, Some(place)));
        }
        assert_eq!((named.len(), named.place("y")), (names.len(), None));
    }
}
