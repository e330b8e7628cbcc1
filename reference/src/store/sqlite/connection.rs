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
        self.try_transact(step).map_err(|fault| {
            if !self.raw.is_autocommit() {
                // The step has failed, and that is what is reported; a connection that cannot even roll back says so at
                // its next transaction.
                let _ = self.raw.execute_batch("ROLLBACK");
            }
            fault.at(&self.path)
        })
    }

    fn try_transact<T>(&self, step: impl FnOnce(&Raw) -> Result<T, Fault>) -> Result<T, Fault> {
        let begin = match self.access {
            Access::Write => "BEGIN IMMEDIATE",
            Access::Read => "BEGIN",
        };
        self.raw.prepare_cached(begin)?.execute([])?;
        let value = step(&self.raw)?;
        self.raw.prepare_cached("COMMIT")?.execute([])?;
        Ok(value)
    }
}
