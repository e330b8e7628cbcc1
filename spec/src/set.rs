//! Small sorted sets: equal contents are equal values, so a set is canonical by construction.

use std::fmt;
use std::hash::{Hash, Hasher};

/// How many items need no memory of their own: enough in nearly every search.
const FEW: usize = 4;

/// What a set is of.
pub trait Item: Copy + Ord + Default {}

impl<T: Copy + Ord + Default> Item for T {}

/// A sorted set without repetitions. A few items are held inline and copied whole, for a search mends a state after
/// each step, and that costs less than to copy as many as there are.
pub struct Set<T: Item> {
    len: usize,
    /// The items, if they are not more than a few.
    few: [T; FEW],
    /// The items, if they are; and else nothing.
    many: Vec<T>,
}

impl<T: Item> Default for Set<T> {
    #[inline]
    fn default() -> Self {
        Set { len: 0, few: [T::default(); FEW], many: Vec::new() }
    }
}

impl<T: Item> Clone for Set<T> {
    #[inline]
    fn clone(&self) -> Self {
        let many = if self.len > FEW { self.many.clone() } else { Vec::new() };
        Set { many, ..*self }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        if self.len > FEW || other.len > FEW {
            self.many.clone_from(&other.many);
        }
        (self.few, self.len) = (other.few, other.len);
    }
}

impl<T: Item> Set<T> {
    #[inline]
    fn items(&self) -> &[T] {
        if self.len <= FEW { &self.few[..self.len] } else { &self.many }
    }

    /// Adds the item, unless it is there.
    #[inline]
    pub fn insert(&mut self, item: T) {
        if let Err(at) = self.items().binary_search(&item) {
            self.insert_at(at, item);
        }
    }

    /// Adds the item, which is above all that are there: nothing is looked for.
    #[inline]
    pub fn push(&mut self, item: T) {
        debug_assert!(self.items().last().is_none_or(|last| *last < item), "the set would not be sorted");
        self.insert_at(self.len, item);
    }

    #[inline]
    fn insert_at(&mut self, at: usize, item: T) {
        if self.len < FEW {
            self.few.copy_within(at..self.len, at + 1);
            self.few[at] = item;
        } else {
            if self.len == FEW {
                self.many.extend_from_slice(&self.few);
            }
            self.many.insert(at, item);
        }
        self.len += 1;
    }

    /// Whether the item is there.
    #[inline]
    pub fn contains(&self, item: &T) -> bool {
        self.items().binary_search(item).is_ok()
    }

    /// Keeps what the test admits.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        if self.len > FEW {
            self.retain_of_many(keep);
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

    fn retain_of_many(&mut self, keep: impl FnMut(&T) -> bool) {
        self.many.retain(keep);
        self.len = self.many.len();
        if self.len <= FEW {
            self.few[..self.len].copy_from_slice(&self.many);
            self.many.clear();
        }
    }

    /// The items in order.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items().iter()
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
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
