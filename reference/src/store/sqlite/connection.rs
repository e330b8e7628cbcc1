//! A connection, and a transaction on it.

use std::path::{Path, PathBuf};

use rusqlite::Connection as Raw;

use super::failure::Fault;
use crate::error::StoreError;

/// How a transaction begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// By taking the write lock, so that what is read cannot change before it is acted on (ASSUME-7).
    Write,
    /// By pinning one state of the database.
    Read,
}

/// An open database that was found to be ours.
pub(crate) struct Connection {
    raw: Raw,
    path: PathBuf,
    access: Access,
}

impl Connection {
    pub(super) fn new(raw: Raw, path: PathBuf, access: Access) -> Connection {
        Connection { raw, path, access }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Takes one step in a transaction of its own.
    pub(super) fn transact<T>(&self, step: impl FnOnce(&Raw) -> Result<T, Fault>) -> Result<T, StoreError> {
        let committed = self.begin().and_then(|raw| {
            let value = step(raw)?;
            self.commit()?;
            Ok(value)
        });
        committed.map_err(|fault| {
            self.roll_back();
            fault.at(&self.path)
        })
    }

    pub(super) fn begin(&self) -> Result<&Raw, Fault> {
        let begin = match self.access {
            Access::Write => "BEGIN IMMEDIATE",
            Access::Read => "BEGIN",
        };
        self.raw.prepare_cached(begin)?.execute([])?;
        Ok(&self.raw)
    }

    /// Whoever calls it rolls back if it fails.
    pub(super) fn commit(&self) -> Result<(), Fault> {
        let committed = self.raw.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        committed.map(drop).map_err(Fault::of_commit)
    }

    /// Ends what has failed, unless the engine has done so.
    pub(super) fn roll_back(&self) {
        if !self.raw.is_autocommit() {
            // The failure is what is reported; a connection that cannot even roll back says so at its next transaction.
            let _ = self.raw.execute_batch("ROLLBACK");
        }
    }
}
