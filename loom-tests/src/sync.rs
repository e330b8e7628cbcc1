//! The names of `reference/src/sync.rs`, over locks that a model of threads drives.

use std::sync::PoisonError;

#[cfg(not(feature = "shuttle"))]
use loom as model;
#[cfg(feature = "shuttle")]
use shuttle as model;

pub use model::sync::{Arc, MutexGuard};
#[cfg(test)]
pub(crate) use model::{future::block_on, thread};

/// Mutual exclusion for a few lines without an await. The model decides who gets it next.
#[derive(Debug, Default)]
pub struct Mutex<T>(model::sync::Mutex<T>);

impl<T> Mutex<T> {
    /// Guards the value.
    pub fn new(value: T) -> Mutex<T> {
        Mutex(model::sync::Mutex::new(value))
    }

    /// Waits until nobody else has it. A panic while it was held does not spread, as in the shipping file.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
