//! The durable store's writer on the caller's own thread, so that a bench can time a step without the two handovers.

use std::path::Path;

use crate::error::StoreError;
use crate::store::{
    Create, CreateOutcome, Question, RegisterOutcome, Save, SaveOutcome, SqliteConnection, SqliteOptions,
};

/// A connection that takes the very steps of [`crate::SqliteStore`]'s writer, and records nothing.
pub struct InlineSqlite {
    connection: SqliteConnection,
}

impl InlineSqlite {
    /// Opens a file, or makes a new one.
    ///
    /// # Errors
    /// As [`crate::SqliteStore::open`].
    pub fn open(path: impl AsRef<Path>, options: &SqliteOptions) -> Result<InlineSqlite, StoreError> {
        Ok(InlineSqlite { connection: SqliteConnection::open(path.as_ref(), options)? })
    }

    /// Makes room for a computer.
    ///
    /// # Errors
    /// As [`crate::Store::create`].
    pub fn create(&self, request: &Create) -> Result<CreateOutcome, StoreError> {
        self.connection.create(request)
    }

    /// Registers a process.
    ///
    /// # Errors
    /// As [`crate::Store::register`].
    pub fn register(&self, question: &Question) -> Result<RegisterOutcome, StoreError> {
        self.connection.register(question)
    }

    /// Saves a page.
    ///
    /// # Errors
    /// As [`crate::Store::save`].
    pub fn save(&self, request: &Save) -> Result<SaveOutcome, StoreError> {
        self.connection.save(request)
    }
}
