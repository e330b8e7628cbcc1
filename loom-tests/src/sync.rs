//! The names of `reference/src/sync.rs`, over loom's locks.

use std::sync::PoisonError;

use loom::sync::MutexGuard;

/// Mutual exclusion for a few lines without an await. Loom decides who gets it next.
#[derive(Debug, Default)]
pub struct Mutex<T>(loom::sync::Mutex<T>);

impl<T> Mutex<T> {
    /// Guards the value.
    pub fn new(value: T) -> Mutex<T> {
        Mutex(loom::sync::Mutex::new(value))
    }

    /// Waits until nobody else has it. A panic while it was held does not spread, as in the shipping file.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
