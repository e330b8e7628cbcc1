//! Small sorted sets: equal contents are equal values, so a set is canonical by construction.

use std::fmt;
use std::hash::{Hash, Hasher};

/// How many items need no memory of their own: enough in nearly every search.
const FEW: usize = 4;

/// What a set is of.
pub trait Item: Copy + Ord + Default {}

impl<T: Copy + Ord + Default> Item for T {}

/// A sorted set without repetitions. A few items are held inline and copied whole, for a search mends a state after
/// each step, and that costs less than to ask how many there are.
pub struct Set<T: Item> {
    few: [T; FEW],
    /// How many of the few there are, if there are not many.
    len: usize,
    /// All of them, once they were more than a few.
    many: Vec<T>,
}

impl<T: Item> Default for Set<T> {
    fn default() -> Self {
        Set { few: [T::default(); FEW], len: 0, many: Vec::new() }
    }
}

impl<T: Item> Clone for Set<T> {
    #[inline]
    fn clone(&self) -> Self {
        Set { many: self.many.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        (self.few, self.len) = (other.few, other.len);
        if !self.many.is_empty() || !other.many.is_empty() {
            self.many.clone_from(&other.many);
        }
    }
}

impl<T: Item> Set<T> {
    #[inline]
    fn items(&self) -> &[T] {
        if self.many.is_empty() { &self.few[..self.len] } else { &self.many }
    }

    /// Adds the item, unless it is there.
    #[inline]
    pub fn insert(&mut self, item: T) {
        let Err(at) = self.items().binary_search(&item) else { return };
        if self.many.is_empty() && self.len < FEW {
            self.few.copy_within(at..self.len, at + 1);
            self.few[at] = item;
            self.len += 1;
        } else {
            if self.many.is_empty() {
                self.many.extend_from_slice(&self.few);
            }
            self.many.insert(at, item);
        }
    }

    /// Whether the item is there.
    #[inline]
    pub fn contains(&self, item: &T) -> bool {
        self.items().binary_search(item).is_ok()
    }

    /// Keeps what the test admits.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        if !self.many.is_empty() {
            self.many.retain(&mut keep);
            // With none left, the few count again.
            self.len = 0;
            return;
        }
        let mut kept = 0;
        for at in 0..self.len {
            let item = self.few[at];
            if keep(&item) {
                self.few[kept] = item;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The items in order.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items().iter()
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.items().len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.items().is_empty()
    }
}

// Two sets are what they hold, whatever lies in the room that is free.

impl<T: Item> PartialEq for Set<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.items() == other.items()
    }
}

impl<T: Item> Eq for Set<T> {}

impl<T: Item + Hash> Hash for Set<T> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.items().hash(state);
    }
}

impl<T: Item + fmt::Debug> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.items()).finish()
    }
}
