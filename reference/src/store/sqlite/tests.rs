//! What only the inside can arrange: a disk that fills up, one that cannot be written, a setting that is ignored.

mod batch;

use super::*;
use crate::GatewayName;
use crate::id::{Generation, Incarnation, LifeName, PageName};
use crate::trace::Protocol;
use bytes::Bytes;
use rusqlite::OpenFlags;
use serde_json::Value;

/// More events than fit into what is left of the pages of a trace that has just begun.
const MORE_THAN_A_PAGE: u64 = 200;

struct Fixture {
    _folder: tempfile::TempDir,
    path: PathBuf,
    store: SqliteStore,
    computer: ComputerId,
    own: Incarnation,
}

impl Fixture {
    async fn new(options: SqliteOptions) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let store = SqliteStore::open(&path, options).unwrap();
        let computer = ComputerId::new("computer").unwrap();
        let _ = store.create(Create { computer: computer.clone() }).await.unwrap();
        let question = store.ask(Ask { computer: computer.clone(), life: LifeName::mint() }).await.unwrap();
        let RegisterOutcome::Registered { incarnation: own } = store.register(question).await.unwrap() else {
            panic!("overtaken without a race");
        };
        Fixture { _folder: folder, path, store, computer, own }
    }

    fn to_save(&self, generation: u64, length: usize) -> Save {
        Save {
            gateway: GatewayName::new("gateway").unwrap(),
            computer: self.computer.clone(),
            page: PageName::new(self.own, Generation::try_from(generation).unwrap()),
            body: Bytes::from(vec![7; length]),
            operation: None,
        }
    }

    /// As large as it is and no larger; 0 lets it grow again.
    async fn limit_pages(&self, pages: u32) {
        let limit = move |raw: &Raw| {
            let pages = if pages == 0 { u32::MAX - 1 } else { pages };
            Ok(raw.pragma_update(None, "max_page_count", pages)?)
        };
        self.store.shared.writer.submit(limit).await.unwrap();
    }

    async fn export(&self) -> Vec<Value> {
        let mut out = Vec::new();
        self.store.recorder().export(Protocol::Snapshot, &mut out).await.unwrap();
        out.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }
}

#[tokio::test]
async fn a_full_disk_is_told_and_what_was_stored_stays() {
    let fixture = Fixture::new(SqliteOptions::new()).await;
    assert_eq!(fixture.store.save(fixture.to_save(1, 10)).await.unwrap(), SaveOutcome::Stored);
    fixture.limit_pages(1).await;
    let error = fixture.store.save(fixture.to_save(2, 1 << 20)).await.unwrap_err();
    assert!(matches!(&error, StoreError::DiskFull { path } if *path == fixture.path), "{error:?}");
    assert!(error.is_transient());
    let standing = fixture.store.look(fixture.computer.clone()).await.unwrap().unwrap();
    assert_eq!(standing.page.map(|page| page.generation.number()), Some(1));
    // The very same save lands once there is room.
    fixture.limit_pages(0).await;
    assert_eq!(fixture.store.save(fixture.to_save(2, 1 << 20)).await.unwrap(), SaveOutcome::Stored);
}

#[tokio::test]
async fn a_decision_whose_event_finds_no_room_is_not_taken() {
    let fixture = Fixture::new(SqliteOptions::new().recording()).await;
    let before = fixture.export().await;
    fixture.limit_pages(1).await;
    let (mut decided, mut refusal) = (0, None);
    // Bodies of nothing: only the trace grows, until it finds no room.
    while refusal.is_none() && decided < MORE_THAN_A_PAGE {
        match fixture.store.save(fixture.to_save(decided + 1, 0)).await {
            Ok(outcome) => assert_eq!(outcome, SaveOutcome::Stored),
            Err(error) => refusal = Some(error),
        }
        decided += u64::from(refusal.is_none());
    }
    assert!(matches!(refusal, Some(StoreError::DiskFull { .. })), "{refusal:?}");
    let standing = fixture.store.look(fixture.computer.clone()).await.unwrap().unwrap();
    assert_eq!(standing.page.map_or(0, |page| page.generation.number()), decided);
    let after = fixture.export().await;
    assert_eq!(after.len() as u64, before.len() as u64 + decided);
    assert_eq!(after[0].get("lossy"), None, "nothing was lost: neither the decision nor its event exists");
}

#[tokio::test]
async fn trace_6_a_step_of_the_computer_that_was_not_recorded_makes_the_trace_lossy_for_good() {
    let fixture = Fixture::new(SqliteOptions::new().recording()).await;
    fixture.limit_pages(1).await;
    let recorder = fixture.store.recorder().computer(&fixture.computer);
    let mut lost = 0;
    for _ in 0..MORE_THAN_A_PAGE {
        lost += usize::from(recorder.restart(&LifeName::mint()).await.is_err());
    }
    assert_ne!(lost, 0, "there was room for everything");
    assert_eq!(fixture.export().await[0]["lossy"], true);
    // 1. Its process ends. 2. Another opens the file, and has lost nothing itself.
    let Fixture { _folder, path, store, computer, own } = fixture;
    drop((recorder, store));
    let store = SqliteStore::open(&path, SqliteOptions::new().recording()).unwrap();
    let again = Fixture { _folder, path, store, computer, own };
    assert_eq!(again.export().await[0]["lossy"], true);
}

#[tokio::test]
async fn trace_6_a_lost_event_marks_the_trace_though_nobody_waits_and_the_mark_finds_no_room_at_first() {
    let fixture = Fixture::new(SqliteOptions::new().recording().busy_timeout(Duration::ZERO)).await;
    let holder = Raw::open(&fixture.path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    // 1. Neither the event nor the mark can be written. 2. The computer gives up the answer.
    drop(fixture.store.recorder().computer(&fixture.computer).restart(&LifeName::mint()));
    let busy = fixture.store.save(fixture.to_save(1, 1)).await;
    assert!(matches!(busy, Err(StoreError::Busy { .. })), "{busy:?}");
    holder.execute_batch("ROLLBACK").unwrap();
    let is_marked = || holder.query_row("SELECT lossy FROM trace_loss", [], |row| row.get::<_, bool>(0)).unwrap();
    assert!(!is_marked());
    assert_eq!(fixture.export().await[0]["lossy"], true);
    // 3. The next event takes the mark with it.
    assert_eq!(fixture.store.save(fixture.to_save(1, 1)).await.unwrap(), SaveOutcome::Stored);
    assert!(is_marked());
}

#[tokio::test]
async fn a_disk_that_cannot_be_written_is_found_out_when_it_is_opened() {
    let Fixture { _folder, path, store, .. } = Fixture::new(SqliteOptions::new()).await;
    drop(store);
    let before = std::fs::read(&path).unwrap();
    let uri = format!("file:{}?immutable=1", path.display());
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_URI;
    let raw = Raw::open_with_flags(uri, flags).unwrap();
    let error = open::prepare(&raw, &path, &SqliteOptions::new()).unwrap_err();
    assert!(matches!(&error, StoreError::ReadOnly { path: named } if *named == path), "{error:?}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_setting_that_is_ignored_is_an_error() {
    // A database in memory has no write-ahead log, and says nothing when it is asked for one.
    let raw = Raw::open_in_memory().unwrap();
    let error = open::prepare(&raw, Path::new(":memory:"), &SqliteOptions::new()).unwrap_err();
    assert!(
        matches!(&error, StoreError::Setting { pragma: "journal_mode", wanted, found, .. }
            if wanted == "wal" && found == "memory"),
        "{error:?}"
    );
}

/// The header of the file is asked first; here it is the engine, as where the header stood in a journal.
#[test]
fn a_database_that_is_not_ours_is_left_alone_inside_the_transaction_too() {
    for (theirs, expected) in
        [("CREATE TABLE theirs (value)", 0), ("PRAGMA application_id = 4711", 4711), ("PRAGMA user_version = 2", 0)]
    {
        let raw = Raw::open_in_memory().unwrap();
        raw.execute_batch(theirs).unwrap();
        let before: i64 = raw.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        let error = open::prepare(&raw, Path::new(":memory:"), &SqliteOptions::new()).unwrap_err();
        assert!(
            matches!(error, StoreError::ForeignDatabase { application_id, .. } if application_id == expected),
            "{theirs}: {error:?}"
        );
        assert!(raw.is_autocommit(), "{theirs}: the transaction was left open");
        let after: i64 = raw.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        assert_eq!(after, before, "{theirs}");
    }
}

#[test]
fn only_a_commit_that_cannot_be_on_the_disk_may_be_tried_again() {
    let of_commit = |code| {
        let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        Fault::of_commit(error).at(Path::new("store.db"))
    };
    assert!(matches!(of_commit(rusqlite::ffi::SQLITE_BUSY), StoreError::Busy { .. }));
    assert!(matches!(of_commit(rusqlite::ffi::SQLITE_FULL), StoreError::DiskFull { .. }));
    // Any of these may have been told too late.
    for code in [rusqlite::ffi::SQLITE_IOERR, rusqlite::ffi::SQLITE_CORRUPT, rusqlite::ffi::SQLITE_READONLY] {
        assert!(matches!(of_commit(code), StoreError::Io { .. }), "{code}");
    }
}

#[tokio::test]
async fn as_many_reads_go_on_at_once_as_there_are_readers() {
    const READERS: usize = 3;
    let fixture = Fixture::new(SqliteOptions::new().readers(READERS)).await;
    let (begun, begins) = std::sync::mpsc::channel();
    let held: Vec<_> = (0..READERS)
        .map(|_| {
            let (release, released) = std::sync::mpsc::channel::<()>();
            let (begun, released) = (begun.clone(), crate::sync::Mutex::new(released));
            let told = fixture.store.shared.readers.submit(move |_| {
                let _ = begun.send(());
                let _ = released.lock().recv();
                Ok(())
            });
            (release, told)
        })
        .collect();
    for _ in 0..READERS {
        begins.recv_timeout(Duration::from_secs(20)).expect("a read waits for another");
    }
    for (release, told) in held {
        drop(release);
        told.await.unwrap();
    }
}

#[tokio::test]
async fn the_settings_on_which_the_guarantees_rest_are_in_effect() {
    for (durability, synchronous) in [(Durability::Full, 2), (Durability::Normal, 1)] {
        let fixture = Fixture::new(SqliteOptions::new().durability(durability)).await;
        for worker in [&fixture.store.shared.writer, &fixture.store.shared.readers] {
            let read = |raw: &Raw| {
                let number = |pragma: &str| raw.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
                let mode = raw.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0))?;
                Ok((mode, number("busy_timeout")?, number("synchronous")?, number("query_only")?))
            };
            let (mode, busy_timeout, found, query_only) = worker.submit(read).await.unwrap();
            assert_eq!((mode.as_str(), busy_timeout), ("wal", 5_000));
            assert!(query_only == 1 || found == synchronous);
        }
        let obeyed = |raw: &Raw| {
            let number = |pragma: &str| raw.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
            Ok((number("foreign_keys")?, number("recursive_triggers")?))
        };
        assert_eq!(fixture.store.shared.writer.submit(obeyed).await.unwrap(), (1, 1));
        let written = fixture.store.shared.readers.submit(|raw| Ok(raw.execute("DELETE FROM computer", [])?)).await;
        assert!(matches!(written, Err(StoreError::ReadOnly { .. })), "the reader can write: {written:?}");
    }
}

#[tokio::test]
async fn a_step_that_panics_closes_the_store_and_hangs_nobody() {
    let fixture = Fixture::new(SqliteOptions::new()).await;
    let panicked = fixture.store.shared.writer.submit::<()>(|_| panic!("on purpose")).await;
    assert!(matches!(panicked, Err(StoreError::Closed { .. })));
    let after = fixture.store.save(fixture.to_save(1, 1)).await;
    assert!(matches!(&after, Err(StoreError::Closed { path }) if *path == fixture.path), "{after:?}");
}
