//! From what the engine reports to what its user can do about it.

use std::path::Path;
use std::sync::Arc;

use rusqlite::ErrorCode;

use crate::error::StoreError;
use crate::id::ComputerId;

/// What a step failed of, before it is known in which file. Who shares a commit shares its fault.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// The engine said so, and nothing was changed.
    Engine(Arc<rusqlite::Error>),
    /// The engine said so of a commit, and nobody knows what is on the disk.
    Commit(Arc<rusqlite::Error>),
    /// What is stored cannot have been written by us.
    Corrupt(String),
    /// There is no such row.
    NoSuchComputer(ComputerId),
    /// Nothing can be minted any more.
    LastIncarnation(ComputerId),
    /// The row of its operations cannot be written any more.
    LastRevision(ComputerId),
}

impl Fault {
    pub(super) fn impossible(computer: &ComputerId, what: &str) -> Fault {
        Fault::Corrupt(format!("{what} (computer {computer})"))
    }

    /// What a commit failed of.
    pub(super) fn of_commit(error: rusqlite::Error) -> Fault {
        match error.sqlite_error_code() {
            // The lock was not granted, or the mark of the commit found no room: it cannot be on the disk.
            Some(ErrorCode::DatabaseBusy | ErrorCode::DiskFull) => Fault::from(error),
            _ => Fault::Commit(Arc::new(error)),
        }
    }

    /// Whether the fault is in what the caller asked for, and was found by reading alone, so that nothing was changed.
    pub(super) fn is_an_answer(&self) -> bool {
        match self {
            Fault::NoSuchComputer(_) | Fault::LastIncarnation(_) | Fault::LastRevision(_) => true,
            Fault::Engine(_) | Fault::Commit(_) | Fault::Corrupt(_) => false,
        }
    }

    /// The error, in this file.
    pub(super) fn at(self, path: &Path) -> StoreError {
        let path = path.to_owned();
        let location = path.display().to_string();
        match self {
            Fault::NoSuchComputer(computer) => StoreError::NoSuchComputer { computer },
            Fault::LastIncarnation(computer) => StoreError::LastIncarnation { computer },
            Fault::LastRevision(computer) => StoreError::LastRevision { computer },
            Fault::Corrupt(what) => StoreError::Corrupt { location, what },
            Fault::Commit(error) => StoreError::Io { path, source: Box::new(error) },
            Fault::Engine(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
                Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
                Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { path },
                Some(ErrorCode::NotADatabase) => StoreError::NotADatabase { path },
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => {
                    StoreError::Corrupt { location, what: error.to_string() }
                }
                _ if is_about_a_value(&error) => StoreError::Corrupt { location, what: error.to_string() },
                _ => StoreError::Io { path, source: Box::new(error) },
            },
        }
    }
}

/// A column holds what its type does not allow.
fn is_about_a_value(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::Utf8Error(..)
    )
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Engine(Arc::new(error))
    }
}
