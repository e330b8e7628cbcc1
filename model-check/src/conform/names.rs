//! Values by name. Each line of a trace looks up two, a process and a computer. There may be many, in any order, so the
//! cost of a look-up is memory that is not in the cache. Therefore the table holds only places, and a name stands
//! beside the value that it names, which is looked at next.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::{Index, IndexMut};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// Values that are found by name, in the order in which they came.
pub(super) struct Named<T> {
    places: HashTable<u32>,
    entries: Vec<Entry<T>>,
}

/// Begins a line of the cache, so that the name and the beginning of the value come with one look into memory.
#[repr(C, align(64))]
struct Entry<T> {
    name: Name,
    value: T,
}

/// A name, which stands in place if it is short.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Name(SmallVec<[u8; 24]>);

impl Name {
    #[inline]
    pub(super) fn of(name: &str) -> Name {
        Name(SmallVec::from_slice(name.as_bytes()))
    }

    #[inline]
    pub(super) fn is(&self, name: &str) -> bool {
        self.0.as_slice() == name.as_bytes()
    }

    /// As text, which it was made of.
    pub(super) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(u32);

/// Where a value most likely is.
#[derive(Clone, Copy)]
pub(super) struct Guess {
    hash: NameHash,
    /// None if there is no such name.
    place: Option<Place>,
}

/// A name as a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct NameHash(pub(super) u64);

impl NameHash {
    #[inline]
    pub(super) fn of(name: &str) -> NameHash {
        NameHash(hash(name.as_bytes()))
    }
}

impl<T> Index<Place> for Named<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: Place) -> &T {
        &self.entries[place.0 as usize].value
    }
}

impl<T> IndexMut<Place> for Named<T> {
    #[inline]
    fn index_mut(&mut self, place: Place) -> &mut T {
        &mut self.entries[place.0 as usize].value
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
        self.find(name, NameHash::of(name))
    }

    #[inline]
    fn find(&self, name: &str, hash: NameHash) -> Option<Place> {
        self.places.find(hash.0, |place| self.entries[*place as usize].name.is(name)).copied().map(Place)
    }

    /// Where the value of the name with this hash is most likely, without a look at it.
    #[inline]
    pub(super) fn guess(&self, hash: NameHash) -> Guess {
        Guess { hash, place: self.places.iter_hash(hash.0).next().copied().map(Place) }
    }

    /// Looks at the name that was guessed, so that it is in the cache.
    #[inline]
    pub(super) fn touch(&self, guess: Guess) -> u32 {
        guess.place.map_or(0, |Place(place)| self.entries[place as usize].name.0.len() as u32)
    }

    /// As [`Named::place`], for a name that was guessed before.
    #[inline]
    pub(super) fn settle(&self, name: &str, guess: Guess) -> Option<Place> {
        let place = guess.place?;
        if self.entries[place.0 as usize].name.is(name) { Some(place) } else { self.find(name, guess.hash) }
    }

    /// Where the value of this name is, which is made if there is none.
    #[inline]
    pub(super) fn place_or_insert_with(&mut self, name: &str, make: impl FnOnce() -> T) -> Place {
        self.place(name).unwrap_or_else(|| self.insert(name, make()))
    }

    fn insert(&mut self, name: &str, value: T) -> Place {
        let place = self.entries.len() as u32;
        self.entries.push(Entry { name: Name::of(name), value });
        let entries = &self.entries;
        self.places.insert_unique(hash(name.as_bytes()), place, |place| hash(&entries[*place as usize].name.0));
        Place(place)
    }

    /// The values, in the order in which they came.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().map(|entry| &entry.value)
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
