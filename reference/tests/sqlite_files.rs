//! Files that are not what they should be: each is an error of its own kind that says what to do, and is left as it is.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use outlive::store::{
    Ask, Create, CreateOutcome, Load, RegisterOutcome, Save, SaveOutcome, SqliteOptions, SqliteStore, Store,
};
use outlive::trace::Protocol;
use outlive::{ComputerId, GatewayName, Generation, LifeName, PageName, StoreError};
use rusqlite::Connection;

fn options() -> SqliteOptions {
    SqliteOptions::new().busy_timeout(Duration::ZERO)
}

/// Opening fails, changes no byte, leaves nothing beside the file, and names the path.
fn refused(path: &Path) -> StoreError {
    let (before, beside) = (fs::read(path).ok(), siblings(path));
    let error = SqliteStore::open(path, options()).err().expect("it was opened");
    assert_eq!((fs::read(path).ok(), siblings(path)), (before, beside), "{error}");
    assert!(error.to_string().contains(&path.display().to_string()), "it does not say where: {error}");
    error
}

fn siblings(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn computer() -> ComputerId {
    ComputerId::new("computer").unwrap()
}

fn to_load() -> Load {
    Load { gateway: GatewayName::new("gateway").unwrap(), computer: computer() }
}

/// A file with one computer and its page.
async fn filled(path: &Path) -> Save {
    let store = SqliteStore::open(path, options()).unwrap();
    assert_eq!(store.create(Create { computer: computer() }).await.unwrap(), CreateOutcome::Created);
    let question = store.ask(Ask { computer: computer(), life: LifeName::mint() }).await.unwrap();
    let RegisterOutcome::Registered { incarnation } = store.register(question).await.unwrap() else {
        panic!("overtaken without a race");
    };
    let save = Save {
        gateway: GatewayName::new("gateway").unwrap(),
        computer: computer(),
        page: PageName::new(incarnation, Generation::FIRST),
        body: Bytes::from_static(b"page"),
        operation: None,
    };
    assert_eq!(store.save(save.clone()).await.unwrap(), SaveOutcome::Stored);
    save
}

fn alter(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_folder_is_not_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fs::create_dir(&path).unwrap();
    assert!(matches!(refused(&path), StoreError::NotAFile { .. }));
}

/// What waits for a pipe waits until somebody writes to it.
#[cfg(unix)]
#[test]
fn neither_a_pipe_nor_a_device_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    make_pipe(&pipe);
    for path in [pipe, PathBuf::from("/dev/zero"), PathBuf::from("/dev/null")] {
        must_be_refused_as_no_file(&path, &path);
    }
}

/// What the engine opens beside the database is waited for as well.
#[cfg(unix)]
#[tokio::test]
async fn a_pipe_beside_the_database_is_no_file() {
    for ending in ["-wal", "-shm", "-journal"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        filled(&path).await;
        let pipe = folder.path().join(format!("store.db{ending}"));
        make_pipe(&pipe);
        must_be_refused_as_no_file(&path, &pipe);
        fs::remove_file(pipe).unwrap();
        assert!(SqliteStore::open(&path, options()).is_ok(), "nothing was changed");
    }
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
fn must_be_refused_as_no_file(opened: &Path, expected: &Path) {
    let (told, outcome) = std::sync::mpsc::channel();
    let path = opened.to_owned();
    std::thread::spawn(move || told.send(SqliteStore::open(path, options()).err()));
    let error = outcome.recv_timeout(Duration::from_secs(20)).expect("it is waited for").expect("it was opened");
    assert!(matches!(&error, StoreError::NotAFile { path } if path == expected), "{error:?}");
}

#[test]
fn a_file_without_a_folder_is_an_error_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("store.db");
    let error = SqliteStore::open(&path, options()).err().unwrap();
    assert!(matches!(error, StoreError::Io { .. }), "{error:?}");
}

/// The words of the engine for it would be that it cannot open the file.
#[cfg(unix)]
#[test]
fn why_a_file_cannot_be_read_is_told_in_the_words_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    std::os::unix::fs::symlink(&path, &path).unwrap();
    let expected = fs::read(&path).unwrap_err();
    let StoreError::Io { source, .. } = refused(&path) else { panic!("a link to itself is no error of the system") };
    assert_eq!(source.to_string(), expected.to_string());
}

#[test]
fn garbage_is_not_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    for garbage in [&b"not a database at all, but long enough to be one: ".repeat(100)[..], b"short", &[0; 8192]] {
        fs::write(&path, garbage).unwrap();
        assert!(matches!(refused(&path), StoreError::NotADatabase { .. }));
    }
}

#[test]
fn an_empty_file_is_a_new_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    fs::write(&path, b"").unwrap();
    drop(SqliteStore::open(&path, options()).unwrap());
    drop(SqliteStore::open(&path, options()).unwrap());
}

#[test]
fn the_database_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("theirs.db");
    alter(&path, "CREATE TABLE theirs (value); INSERT INTO theirs VALUES (1)");
    assert!(matches!(refused(&path), StoreError::ForeignDatabase { application_id: 0, .. }));
    alter(&path, "PRAGMA application_id = 4711");
    assert!(matches!(refused(&path), StoreError::ForeignDatabase { application_id: 4711, .. }));
}

/// Their program works on it. Who had to ask the engine whose it is would be told that it is busy, or keep theirs out.
#[test]
fn the_database_of_another_program_is_not_even_locked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("theirs.db");
    alter(&path, "CREATE TABLE theirs (value)");
    let owner = Connection::open(&path).unwrap();
    owner.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert!(matches!(refused(&path), StoreError::ForeignDatabase { .. }));
    // A journal without content is what some programs leave behind a transaction that has ended.
    fs::write(folder.path().join("theirs.db-journal"), b"").unwrap();
    assert!(matches!(refused(&path), StoreError::ForeignDatabase { .. }));
}

/// The first bytes are ours, and what stands between them makes no sense.
#[tokio::test]
async fn a_header_that_the_engine_does_not_read_is_of_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    filled(&path).await;
    let mut bytes = fs::read(&path).unwrap();
    // Pages of three bytes.
    bytes[16..18].copy_from_slice(&[0, 3]);
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(refused(&path), StoreError::NotADatabase { .. }));
}

/// In each of many closings: of two connections that close at the same time, each could leave the log to the other.
#[tokio::test]
async fn a_store_that_was_closed_leaves_nothing_beside_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    filled(&path).await;
    for _ in 0..60 {
        let store = SqliteStore::open(&path, options().readers(4)).unwrap();
        let _ = store.load(to_load()).await.unwrap();
        drop(store);
        assert_eq!(siblings(&path), [path.as_path()]);
    }
}

#[tokio::test]
async fn a_newer_schema_is_left_to_the_newer_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    filled(&path).await;
    alter(&path, "PRAGMA user_version = 99");
    assert!(matches!(refused(&path), StoreError::NewerSchema { found: 99, known: 3, .. }));
}

/// A newer version is at work, and what it has written stands in the log alone: the header of the file is of before.
#[tokio::test]
async fn a_newer_schema_is_found_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    filled(&path).await;
    let newer = Connection::open(&path).unwrap();
    newer.execute_batch("PRAGMA user_version = 99").unwrap();
    assert_eq!(fs::read(&path).unwrap()[60..64], [0, 0, 0, 3]);
    let error = SqliteStore::open(&path, options()).err().expect("it was opened");
    assert!(matches!(error, StoreError::NewerSchema { found: 99, known: 3, .. }), "{error:?}");
}

/// The process that made the file has died in its first transaction, after some of its pages were written.
#[test]
fn a_database_that_was_never_finished_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (cut_short, path) = (folder.path().join("cut.db"), folder.path().join("store.db"));
    let dying = Connection::open(&cut_short).unwrap();
    let fill =
        "PRAGMA cache_size = 2; BEGIN; CREATE TABLE filler (body); INSERT INTO filler VALUES (zeroblob(1 << 20))";
    dying.execute_batch(fill).unwrap();
    // What a crash would leave: both files as they are now.
    fs::copy(&cut_short, &path).unwrap();
    fs::copy(folder.path().join("cut.db-journal"), folder.path().join("store.db-journal")).unwrap();
    assert_ne!(fs::metadata(&path).unwrap().len(), 0, "no page was written before the commit");
    drop(SqliteStore::open(&path, options()).unwrap());
    drop(SqliteStore::open(&path, options()).unwrap());
}

#[tokio::test]
async fn a_changed_schema_is_an_error_and_no_warning() {
    let folder = tempfile::tempdir().unwrap();
    let changes = [
        ("DROP INDEX computer_resetting", "index computer_resetting"),
        ("CREATE INDEX mine ON computer (since)", "index mine"),
        ("CREATE TRIGGER mine AFTER UPDATE ON computer BEGIN DELETE FROM trace; END", "trigger mine"),
        ("ALTER TABLE trace ADD COLUMN mine TEXT", "table trace"),
        ("DROP TABLE trace_loss", "table trace_loss"),
        ("DROP INDEX trace_death", "index trace_death"),
    ];
    for (number, (change, expected)) in changes.into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.db"));
        filled(&path).await;
        alter(&path, change);
        let error = SqliteStore::open(&path, options()).err().expect("it was opened");
        assert!(matches!(&error, StoreError::ChangedSchema { object, .. } if object == expected), "{error}");
    }
}

#[tokio::test]
async fn an_older_schema_is_brought_up_to_date_with_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    alter(&path, include_str!("../src/store/schema/sqlite/0001_computer.sql"));
    alter(&path, "INSERT INTO computer VALUES ('computer', 3, 0, 2, 3, 7, x'70'); PRAGMA user_version = 1");
    alter(&path, "PRAGMA application_id = 0x4f55544c");
    let store = SqliteStore::open(&path, options().recording()).unwrap();
    let loaded = store.load(to_load()).await.unwrap();
    assert_eq!(loaded.body.as_deref(), Some(&b"p"[..]));
    let version: i64 = Connection::open(&path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 3);
}

#[tokio::test]
async fn a_locked_database_is_busy_and_the_same_save_lands_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let first = filled(&path).await;
    let store = SqliteStore::open(&path, options()).unwrap();
    let holder = Connection::open(&path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let save = Save {
        page: PageName::new(first.page.incarnation, Generation::after(Some(first.page.generation)).unwrap()),
        ..first.clone()
    };
    let error = store.save(save.clone()).await.unwrap_err();
    assert!(matches!(&error, StoreError::Busy { .. }) && error.is_transient(), "{error:?}");
    assert!(matches!(SqliteStore::open(&path, options()).err(), Some(StoreError::Busy { .. })));
    // Who only reads is not kept waiting.
    assert_eq!(store.load(to_load()).await.unwrap().standing.page, Some(first.page));
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.save(save).await.unwrap(), SaveOutcome::Stored);
}

#[tokio::test]
async fn a_damaged_file_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    filled(&path).await;
    let mut bytes = fs::read(&path).unwrap();
    bytes[4096..].fill(0x5a);
    fs::write(&path, &bytes).unwrap();
    let error = match SqliteStore::open(&path, options()) {
        Err(error) => error,
        Ok(store) => store.load(to_load()).await.unwrap_err(),
    };
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
}

#[tokio::test]
async fn a_row_that_no_decision_can_have_written_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    filled(&path).await;
    let store = SqliteStore::open(&path, options()).unwrap();
    let impossible = [
        ("incarnation = -1", "an incarnation is negative"),
        ("incarnation = 1 << 53", "an incarnation is 2^53 or more"),
        ("resetting = 2", "neither yes nor no"),
        ("since = -1", "an incarnation is negative"),
        ("since = 1 << 53", "an incarnation is 2^53 or more"),
        ("since = 2", "opened an incarnation that was not minted yet"),
        ("stamp = NULL", "half a page"),
        ("generation = NULL", "half a page"),
        ("body = NULL", "half a page"),
        ("stamp = NULL, generation = NULL", "half a page"),
        ("stamp = NULL, body = NULL", "half a page"),
        ("generation = NULL, body = NULL", "half a page"),
        ("stamp = -1", "an incarnation is negative"),
        ("stamp = 2", "of an incarnation that was not minted yet"),
        ("stamp = 0", "nobody's"),
        ("generation = 0", "the generation 0"),
        ("generation = -5", "a generation is negative"),
        ("generation = 1 << 53", "a generation is 2^53 or more"),
        ("resetting = 1", "while a reset is under way"),
        ("incarnation = 2, since = 2", "from before the last reset"),
    ];
    let raw = Connection::open(&path).unwrap();
    for (change, expected) in impossible {
        let constrained = raw.execute(&format!("UPDATE computer SET {change}"), []);
        assert!(constrained.is_err(), "the schema lets it in: {change}");
        raw.execute_batch("PRAGMA ignore_check_constraints = ON; SAVEPOINT before").unwrap();
        raw.execute(&format!("UPDATE computer SET {change}"), []).unwrap();
        raw.execute_batch("RELEASE before; PRAGMA ignore_check_constraints = OFF").unwrap();
        let error = store.load(to_load()).await.unwrap_err();
        let StoreError::Corrupt { what, location } = &error else { panic!("{change} gave {error:?}") };
        assert!(what.contains(expected) && what.contains("computer computer"), "{change} gave {what}");
        assert!(location.contains("store.db"));
        raw.execute_batch("PRAGMA ignore_check_constraints = ON").unwrap();
        raw.execute(
            "UPDATE computer SET incarnation = 1, resetting = 0, since = 0, stamp = 1, generation = 1, body = x'70'",
            [],
        )
        .unwrap();
        raw.execute_batch("PRAGMA ignore_check_constraints = OFF").unwrap();
        assert!(store.load(to_load()).await.is_ok());
    }
}

/// What no machine word of 32 bits holds, and neither does a float.
#[tokio::test]
async fn the_largest_numbers_are_read_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    filled(&path).await;
    let store = SqliteStore::open(&path, options()).unwrap();
    for number in [(1 << 32) + 1, (1 << 53) - 1] {
        alter(&path, &format!("UPDATE computer SET incarnation = {number}, stamp = {number}, generation = {number}"));
        let standing = store.look(computer()).await.unwrap().unwrap();
        let page = PageName::new(number.try_into().unwrap(), number.try_into().unwrap());
        assert_eq!((standing.incarnation, standing.page), (page.incarnation, Some(page)));
    }
}

#[tokio::test]
async fn a_computer_whose_id_is_no_name_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path, options()).unwrap();
    alter(&path, "INSERT INTO computer VALUES (char(7), 1, 1, 0, NULL, NULL, NULL)");
    let error = store.resets_under_way(None, 10).await.unwrap_err();
    assert!(matches!(&error, StoreError::Corrupt { what, .. } if what.contains("the id of a computer")), "{error:?}");
}

#[tokio::test]
async fn an_id_that_is_no_text_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path, options()).unwrap();
    alter(&path, "INSERT INTO computer VALUES (CAST(x'ff' AS TEXT), 1, 1, 0, NULL, NULL, NULL)");
    let error = store.resets_under_way(None, 10).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
}

#[tokio::test]
async fn an_event_that_nobody_can_have_recorded_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(SqliteStore::open(&path, options().recording()).unwrap());
    filled(&path).await;
    let store = SqliteStore::open(&path, options().recording()).unwrap();
    let _ = store.load(to_load()).await.unwrap();
    let impossible = [
        ("sequence = -1", "the event at position 1 of the trace has the number -1"),
        ("position = 0", "an event of the trace has the position 0"),
        ("event = '{'", "the event at position 1 of the trace: EOF"),
    ];
    for (change, expected) in impossible {
        let unchecked =
            "PRAGMA ignore_check_constraints = ON; CREATE TABLE kept AS SELECT * FROM trace; UPDATE trace SET";
        alter(&path, &format!("{unchecked} {change}"));
        let error = store.recorder().export(Protocol::Snapshot, &mut Vec::new()).await.unwrap_err();
        alter(&path, "DELETE FROM trace; INSERT INTO trace SELECT * FROM kept; DROP TABLE kept");
        let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<StoreError>());
        let Some(StoreError::Corrupt { what, .. }) = cause else { panic!("{change} gave {error:?}") };
        assert!(what.contains(expected), "{change} gave {what}");
        assert_eq!(store.recorder().export(Protocol::Snapshot, &mut Vec::new()).await.unwrap(), 1);
    }
}

/// An export walks upward from 0. What stood at 0 would be missed, so that the whole export is refused; nobody can put
/// an event there.
#[tokio::test]
async fn no_event_can_be_written_where_an_export_would_miss_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let _ = SqliteStore::open(&path, options().recording()).unwrap();
    let raw = Connection::open(&path).unwrap();
    for (position, sequence) in [(0, 0), (-1, 0), (1, -1)] {
        let event =
            format!("INSERT INTO trace VALUES ({position}, 'snapshot', 'gateway', {sequence}, 'computer', 0, '{{}}')");
        let error = raw.execute_batch(&event).unwrap_err().to_string();
        assert!(error.contains("CHECK constraint failed"), "{position}, {sequence}: {error}");
    }
}

#[tokio::test]
async fn what_was_acknowledged_is_there_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let save = filled(&path).await;
    let store = SqliteStore::open(&path, options()).unwrap();
    let loaded = store.load(to_load()).await.unwrap();
    assert_eq!((loaded.standing.page, loaded.body), (Some(save.page), Some(save.body)));
}
