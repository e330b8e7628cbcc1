//! The writer's work on the caller's own thread, so that a bench can time a step without the two handovers.

use std::path::Path;
use std::sync::Arc;

use super::trace::{Recording, decide_and_record};
use super::{Connection, SqliteOptions, decide, open};
use crate::error::StoreError;
use crate::store::{Create, CreateOutcome, Question, RegisterOutcome, Save, SaveOutcome};

/// A connection that takes the very steps of [`crate::SqliteStore`]'s writer, and records them if its options say so.
pub struct InlineSqlite {
    connection: Connection,
    recording: Option<Arc<Recording>>,
}

impl InlineSqlite {
    /// Opens a file, or makes a new one.
    ///
    /// # Errors
    /// As [`crate::SqliteStore::open`].
    pub fn open(path: impl AsRef<Path>, options: &SqliteOptions) -> Result<InlineSqlite, StoreError> {
        let connection = open::writer(path.as_ref(), options)?;
        Ok(InlineSqlite { connection, recording: Recording::of(options) })
    }

    /// Creates a computer, unless it is there already.
    ///
    /// # Errors
    /// As [`crate::Store::create`].
    pub fn create(&self, request: &Create) -> Result<CreateOutcome, StoreError> {
        self.connection.transact(|raw| decide::create(raw, request))
    }

    /// Registers a process.
    ///
    /// # Errors
    /// As [`crate::Store::register`].
    pub fn register(&self, question: &Question) -> Result<RegisterOutcome, StoreError> {
        self.connection.transact(|raw| decide_and_record(raw, question, decide::register, self.recording.as_deref()))
    }

    /// Saves a page.
    ///
    /// # Errors
    /// As [`crate::Store::save`].
    pub fn save(&self, request: &Save) -> Result<SaveOutcome, StoreError> {
        self.connection.transact(|raw| decide_and_record(raw, request, decide::save, self.recording.as_deref()))
    }
}
