//! What can go wrong besides a lost race. A lost race is an outcome, and stands in [`crate::store`].
//!
//! Each message says what happened, where, and what mends it.

use std::path::PathBuf;

use crate::id::ComputerId;

/// A name or a number that cannot be an identity.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidId {
    /// There is nothing in it.
    #[error("a name must not be empty")]
    Empty,
    /// It is too long.
    #[error("a name has at most {limit} bytes, this one {found}")]
    TooLong {
        /// Its length in bytes.
        found: usize,
        /// The longest that is taken.
        limit: usize,
    },
    /// It would garble a log.
    #[error("a name must not contain the control character {character:?}")]
    ControlCharacter {
        /// The first one.
        character: char,
    },
    /// It names no page: the first one is 1.
    #[error("pages are counted from 1, so there is no generation 0")]
    Zero,
    /// Some readers of JSON would round it to another number.
    #[error("a counter stays below 2^53, {found} does not")]
    TooLarge {
        /// The number.
        found: u64,
    },
}

/// Why a store could not do what it was asked to. Nothing was changed, unless the variant says that nobody knows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The computer was never created here.
    #[error("there is no computer {computer} in this store; create it first")]
    NoSuchComputer {
        /// The name that was asked for.
        computer: ComputerId,
    },
    /// The computer is its last incarnation, and nothing can follow it: no process, no reset, no rollback.
    #[error("computer {computer} has used up its incarnations, which stay below 2^53; create another computer")]
    LastIncarnation {
        /// The computer.
        computer: ComputerId,
    },
    /// The row of its operations was written as often as it can be, and nothing can be begun or settled any more.
    #[error("computer {computer} has used up its revisions, which stay below 2^53; create another computer")]
    LastRevision {
        /// The computer.
        computer: ComputerId,
    },
    /// Somebody else holds the database's write lock.
    #[error("{path} is locked by another process; try again, or end the transaction that holds it")]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// There is no room left.
    #[error("no room is left for {path}; free some space on its disk, and try again")]
    DiskFull {
        /// The database.
        path: PathBuf,
    },
    /// The database, its folder or its disk cannot be written.
    #[error("{path} cannot be written; make it and its folder writable for this user")]
    ReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// The path leads to something other than a file: a folder, a pipe, a device.
    #[error("{path} is not a file; name a file, which may be new")]
    NotAFile {
        /// What was named.
        path: PathBuf,
    },
    /// The file has another format.
    #[error("{path} is not an SQLite database, and was left as it is; name another file")]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// It is a database of some other program.
    #[error(
        "{path} is a database of another program (application id {application_id:#010x}), and was left as it is; \
         name another file"
    )]
    ForeignDatabase {
        /// The database.
        path: PathBuf,
        /// How it says whose it is; 0 if it does not say.
        application_id: u32,
    },
    /// A later version of this crate has been here.
    #[error(
        "{path} has schema {found}, this version knows {known}, and left it as it is; use the version that wrote it"
    )]
    NewerSchema {
        /// The database.
        path: PathBuf,
        /// The schema that it has.
        found: u32,
        /// The newest schema that this version knows.
        known: u32,
    },
    /// Somebody has changed the tables, indexes or triggers.
    #[error("the schema of {path} was changed: {object} is not as this version made it; restore it from a backup")]
    ChangedSchema {
        /// The database.
        path: PathBuf,
        /// The first object that differs.
        object: String,
    },
    /// The database did not take a setting that the guarantees rest on.
    #[error("{path} did not accept {pragma} = {wanted} and stays at {found}; move it to a local disk")]
    Setting {
        /// The database.
        path: PathBuf,
        /// The setting.
        pragma: &'static str,
        /// What was asked for.
        wanted: String,
        /// What is in effect.
        found: String,
    },
    /// What is stored cannot have been written by this crate.
    #[error("{location} is corrupt: {what}; restore it from a backup")]
    Corrupt {
        /// Which database, and which computer if it is known.
        location: String,
        /// What is impossible about it.
        what: String,
    },
    /// The operating system refused. Nobody knows whether the write was kept: a commit whose end was not reported may
    /// be on the disk or not, with all that shared it.
    #[error("reading or writing {path} failed; look at its disk")]
    Io {
        /// The database.
        path: PathBuf,
        /// What the operating system or the database engine said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The store was closed before the outcome was known. Nobody knows whether the write was kept.
    #[error("the store of {path} is closed; open it again")]
    Closed {
        /// The database.
        path: PathBuf,
    },
}

impl StoreError {
    /// Whether the very same call may succeed later, without any repair here. Each call names what it expects, so
    /// repeating it is never worse than having it delivered late.
    pub fn is_transient(&self) -> bool {
        matches!(self, StoreError::Busy { .. } | StoreError::DiskFull { .. })
    }
}

/// Why a provider gave no answer that can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// The call or its answer was lost. Nobody knows whether it took effect, or whether it will.
    #[error("the provider gave no answer; ask it again")]
    Transport {
        /// What was in the way.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The provider does not do it. Nothing was changed, and the same call is refused until what it names is mended.
    #[error("the provider does not do it; mend what it names")]
    Refused {
        /// What it says is wrong.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// What the provider says cannot be: another question was answered, or its records are damaged. Nobody knows
    /// whether the call took effect.
    #[error("the provider talks nonsense: {what}; look at it before anything is believed")]
    Nonsense {
        /// What is impossible about it.
        what: String,
    },
}

impl ProviderError {
    /// Whether the very same call may succeed later, without any repair. Each call names the launch that it is about,
    /// so repeating it is never worse than having it delivered late.
    pub fn is_transient(&self) -> bool {
        matches!(self, ProviderError::Transport { .. })
    }

    pub(crate) fn transport(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ProviderError {
        ProviderError::Transport { source: source.into() }
    }

    pub(crate) fn refused(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ProviderError {
        ProviderError::Refused { source: source.into() }
    }
}
