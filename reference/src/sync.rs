//! The only file that names a lock, so that a model of threads can replace it.

#![expect(clippy::disallowed_types, reason = "this is the one place where locks are named")]

use std::sync::PoisonError;

pub(crate) use std::sync::{Arc, MutexGuard};

/// Mutual exclusion for a few lines without an await. A panic while it is held does not spread: whatever we guard asks
/// first and writes last, so it is whole at every point where one could panic.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Mutex<T> {
        Mutex(std::sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
