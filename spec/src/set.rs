//! Small sorted sets: equal contents are equal values, so a set is canonical by construction.

use smallvec::SmallVec;

/// A sorted set without repetitions, inline up to four elements (nearly every search) and on the heap beyond.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Set<T: Copy + Ord>(SmallVec<[T; 4]>);

impl<T: Copy + Ord> Default for Set<T> {
    fn default() -> Self {
        Set(SmallVec::new())
    }
}

impl<T: Copy + Ord> Clone for Set<T> {
    #[inline]
    fn clone(&self) -> Self {
        Set(SmallVec::from_slice(&self.0))
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.0.clear();
        self.0.extend_from_slice(&other.0);
    }
}

impl<T: Copy + Ord> Set<T> {
    /// Adds the item, unless it is there.
    #[inline]
    pub fn insert(&mut self, item: T) {
        if let Err(at) = self.0.binary_search(&item) {
            self.0.insert(at, item);
        }
    }

    /// Whether the item is there.
    #[inline]
    pub fn contains(&self, item: &T) -> bool {
        self.0.binary_search(item).is_ok()
    }

    /// Keeps what the test admits.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|item| keep(item));
    }

    /// The items in order.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
