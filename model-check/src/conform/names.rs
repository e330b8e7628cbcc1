//! Things by name. Each line of a trace looks two up, computers and processes come in any order, and there may be many:
//! what a look-up costs is memory that is not in the cache. So the table holds nothing but places, and the names stand
//! close together, apart from what they name, which is large.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// Values that are found by name, in the order in which they came.
pub(super) struct Named<T> {
    places: HashTable<u32>,
    names: Vec<Name>,
    values: Vec<T>,
}

/// A short name stands in place.
type Name = SmallVec<[u8; 24]>;

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named { places: HashTable::new(), names: Vec::new(), values: Vec::new() }
    }
}

impl<T> Named<T> {
    /// Where the value of this name is, if there is one.
    #[inline]
    fn place(&self, name: &str) -> Option<usize> {
        let is_it = |place: &u32| self.names[*place as usize].as_slice() == name.as_bytes();
        self.places.find(hash(name.as_bytes()), is_it).map(|place| *place as usize)
    }

    /// The value of this name.
    #[inline]
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        self.place(name).map(|place| &self.values[place])
    }

    /// The value of this name.
    #[inline]
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.place(name).map(|place| &mut self.values[place])
    }

    /// The value of this name, which is made if there is none.
    #[inline]
    pub(super) fn get_or_insert_with(&mut self, name: &str, make: impl FnOnce() -> T) -> &mut T {
        let place = match self.place(name) {
            Some(place) => place,
            None => self.insert(name, make()),
        };
        &mut self.values[place]
    }

    fn insert(&mut self, name: &str, value: T) -> usize {
        let place = self.names.len();
        self.names.push(Name::from_slice(name.as_bytes()));
        self.values.push(value);
        let names = &self.names;
        self.places.insert_unique(hash(name.as_bytes()), place as u32, |place| hash(&names[*place as usize]));
        place
    }

    /// The values, in the order in which they came.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
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
            assert_eq!(*named.get_or_insert_with(name, || at), at);
        }
        for (at, name) in names.iter().enumerate() {
            assert_eq!(*named.get_or_insert_with(name, || usize::MAX), at);
            assert_eq!(named.get(name).copied(), named.get_mut(name).copied());
        }
        assert_eq!((named.len(), named.get("y")), (names.len(), None));
    }
}
