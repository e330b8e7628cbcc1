//! Opening a file: is it ours, are the settings in effect on which the guarantees rest, and is the schema as we made
//! it?
//!
//! The header of the file is read before the engine opens it, so that a file which is not ours is not even locked. The
//! application id is written in the first transaction of a new file, before the file is turned to WAL; so it stands in
//! the file itself, in that header, and not in the log.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection as Raw, OpenFlags};

use super::connection::{Access, Connection};
use super::failure::Fault;
use super::{Durability, SqliteOptions};
use crate::error::StoreError;

/// "OUTL": how a database says that it is ours.
const APPLICATION_ID: u32 = 0x4f55_544c;

/// In order; the number of those that were applied is the schema's version.
const MIGRATIONS: &[&str] = &[
    include_str!("../schema/sqlite/0001_computer.sql"),
    include_str!("../schema/sqlite/0002_trace.sql"),
    include_str!("../schema/sqlite/0003_operation.sql"),
];

const KNOWN_SCHEMA: u32 = MIGRATIONS.len() as u32;

/// Opens the connection that writes, and brings the file up to date.
pub(super) fn writer(path: &Path, options: &SqliteOptions) -> Result<Connection, StoreError> {
    look_at_header(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let raw = connect(path, flags, options)?;
    prepare(&raw, path, options)?;
    Ok(Connection::new(raw, path.to_owned(), Access::Write))
}

/// Opens a connection that only reads, on a file that the writer has prepared.
pub(super) fn reader(path: &Path, options: &SqliteOptions) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let raw = connect(path, flags, options)?;
    set(&raw, path, "query_only", "1")?;
    Ok(Connection::new(raw, path.to_owned(), Access::Read))
}

fn connect(path: &Path, flags: OpenFlags, options: &SqliteOptions) -> Result<Raw, StoreError> {
    let raw = Raw::open_with_flags(path, flags).map_err(|error| Fault::from(error).at(path))?;
    raw.busy_timeout(options.busy_timeout).map_err(|error| Fault::from(error).at(path))?;
    raw.set_prepared_statement_cache_capacity(64);
    // Otherwise the engine prepares a statement anew whenever a value is bound to it, in the hope of a better plan.
    // Measured, that was more than half of what recording costs.
    raw.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(|error| Fault::from(error).at(path))?;
    Ok(raw)
}

/// Makes an open database one on which the guarantees hold, or refuses it.
pub(super) fn prepare(raw: &Raw, path: &Path, options: &SqliteOptions) -> Result<(), StoreError> {
    if raw.is_readonly("main").map_err(|error| Fault::from(error).at(path))? {
        return Err(StoreError::ReadOnly { path: path.to_owned() });
    }
    // A foreign key or a trigger that is not obeyed, or is not obeyed recursively, loses rows without a word.
    set(raw, path, "foreign_keys", "1")?;
    set(raw, path, "recursive_triggers", "1")?;
    migrate(raw, path)?;
    set(raw, path, "journal_mode", "wal")?;
    // ASSUME-1: in WAL mode, FULL is what makes a committed transaction outlive a power cut.
    let synchronous = match options.durability {
        Durability::Full => "2",
        Durability::Normal => "1",
    };
    set(raw, path, "synchronous", synchronous)?;
    compare_schema(raw, path)
}

// -------------------------------------------------------------------------------------------------- whose it is

/// Where SQLite keeps the version of the schema in its header, and where the application id.
const HEADER: usize = 100;
const USER_VERSION_AT: usize = 60;
const APPLICATION_ID_AT: usize = 68;

fn look_at_header(path: &Path) -> Result<(), StoreError> {
    // A pipe that nobody writes to would be waited for, for ever, and a device has no end. The engine opens the files
    // beside the database as well.
    for ending in ["", "-wal", "-shm", "-journal"] {
        let path = beside(path, ending);
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(StoreError::NotAFile { path });
        }
    }
    if has_hot_journal(path) {
        // A transaction was cut short, maybe the very first; the engine undoes it, and the owner is checked after that.
        return Ok(());
    }
    let mut header = [0; HEADER];
    match File::open(path).and_then(|mut file| read_up_to(&mut file, &mut header)) {
        Ok(0) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::Io { path: path.to_owned(), source: Box::new(error) }),
        Ok(HEADER) if header.starts_with(b"SQLite format 3\0") => {
            check_owner(path, number_at(&header, APPLICATION_ID_AT), number_at(&header, USER_VERSION_AT))
        }
        Ok(_) => Err(StoreError::NotADatabase { path: path.to_owned() }),
    }
}

fn has_hot_journal(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-journal")).is_ok_and(|journal| journal.len() > 0)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

fn read_up_to(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read(&mut buffer[read..])? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}

fn number_at(header: &[u8; HEADER], at: usize) -> u32 {
    u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
}

fn check_owner(path: &Path, application_id: u32, schema: u32) -> Result<(), StoreError> {
    let path = path.to_owned();
    if application_id != APPLICATION_ID {
        return Err(StoreError::ForeignDatabase { path, application_id });
    }
    if schema > KNOWN_SCHEMA {
        return Err(StoreError::NewerSchema { path, found: schema, known: KNOWN_SCHEMA });
    }
    Ok(())
}

// ----------------------------------------------------------------------------------------------------- settings

/// Sets and reads back: SQLite ignores a setting that it cannot follow.
fn set(raw: &Raw, path: &Path, pragma: &'static str, wanted: &str) -> Result<(), StoreError> {
    let at = |error: rusqlite::Error| Fault::from(error).at(path);
    raw.execute_batch(&format!("PRAGMA {pragma} = {wanted}")).map_err(at)?;
    // Some settings are numbers and some are words; as text they compare alike.
    let read = format!("SELECT CAST({pragma} AS TEXT) FROM pragma_{pragma}");
    let found: String = raw.query_row(&read, [], |row| row.get(0)).map_err(at)?;
    if found == wanted {
        return Ok(());
    }
    Err(StoreError::Setting { path: path.to_owned(), pragma, wanted: wanted.to_owned(), found })
}

// ------------------------------------------------------------------------------------------------------- schema

/// Applies what is missing, in one transaction. It takes the write lock even if nothing is missing, so that a database
/// which somebody keeps locked is found out now.
fn migrate(raw: &Raw, path: &Path) -> Result<(), StoreError> {
    let migrated = raw.execute_batch("BEGIN IMMEDIATE").map_err(|error| Fault::from(error).at(path)).and_then(|()| {
        try_migrate(raw, path)?;
        raw.execute_batch("COMMIT").map_err(|error| Fault::from(error).at(path))
    });
    if migrated.is_err() && !raw.is_autocommit() {
        // The migration has failed, and that is what is reported.
        let _ = raw.execute_batch("ROLLBACK");
    }
    migrated
}

fn try_migrate(raw: &Raw, path: &Path) -> Result<(), StoreError> {
    let at = |error: rusqlite::Error| Fault::from(error).at(path);
    let read = |pragma: &str| raw.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i32>(0)).map_err(at);
    let (application_id, schema) = (read("application_id")?.cast_unsigned(), read("user_version")?.cast_unsigned());
    let is_new = application_id == 0 && schema == 0 && objects(raw).map_err(at)?.is_empty();
    if !is_new {
        // Again, since another process may have been here since, or the header stood in a journal.
        check_owner(path, application_id, schema)?;
    }
    let missing = MIGRATIONS.iter().zip(1..).skip(schema as usize);
    for (sql, version) in missing {
        raw.execute_batch(sql).map_err(at)?;
        raw.pragma_update(None, "user_version", version).map_err(at)?;
    }
    if is_new {
        raw.pragma_update(None, "application_id", APPLICATION_ID.cast_signed()).map_err(at)?;
    }
    Ok(())
}

/// A missing index is slow, a missing constraint lets a bug in, a foreign trigger does anything: none is a warning.
fn compare_schema(raw: &Raw, path: &Path) -> Result<(), StoreError> {
    let at = |error: rusqlite::Error| Fault::from(error).at(path);
    let model = Raw::open_in_memory().map_err(at)?;
    MIGRATIONS.iter().try_for_each(|sql| model.execute_batch(sql)).map_err(at)?;
    let (found, wanted) = (objects(raw).map_err(at)?, objects(&model).map_err(at)?);
    let differs = |object: &&Object| !(found.contains(object) && wanted.contains(object));
    match found.iter().chain(&wanted).find(differs) {
        None => Ok(()),
        Some((kind, name, _)) => {
            Err(StoreError::ChangedSchema { path: path.to_owned(), object: format!("{kind} {name}") })
        }
    }
}

/// Kind, name, and the text that made it.
type Object = (String, String, String);

fn objects(raw: &Raw) -> rusqlite::Result<Vec<Object>> {
    let mut statement = raw.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         ORDER BY type, name",
    )?;
    let objects = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    objects.collect()
}
