//! The trace: what is in it, in which order, and that there is none when it is off.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod common;

use std::sync::Arc;
use std::time::SystemTime;

use common::{BOTH_KINDS, World, check_trace, exported, on_each};
use outlive::clock::StillClock;
use outlive::store::{MemoryStore, SqliteOptions, SqliteStore, Store};
use outlive::trace::{BoxFuture, Line, Protocol, Recorder, Sink, Summary};
use outlive::{ComputerId, StoreError};
use outlive_spec::trace::{Event, Header, Verb, schema_hash};
use serde_json::{Value, json};

/// Each verb, done and, where it can be, refused.
async fn everything<S: Store>(world: &World<S>) {
    let page = world.stored().await;
    let late = world.snapshot().await;
    let own = world.current().await;
    let _ = world.save(&late).await;
    let _ = world.save(&late).await;
    let resolved = world.gateway.resolve(&world.id, late.1.page).await.unwrap();
    if let outlive::snapshot::Resolved::Forward { act, .. } = resolved {
        world.computer.perform(&act).await.unwrap().unwrap();
        let ticket = world.begin().await;
        let dead = world.computer.process_start();
        let _ = world.gateway.resolve(&world.id, page.name()).await.unwrap();
        let _ = world.gateway.rollback(&page, own).await.unwrap();
        let _ = world.gateway.rollback(&page, own).await.unwrap();
        world.computer.restart().await.unwrap();
        let question = world.computer.process_start().ask().await.unwrap();
        world.register().await;
        let _ = dead.register(question).await.unwrap();
        let _ = world.computer.answer(ticket.call(), b"").await.unwrap();
        let _ = world.computer.perform(&act).await.unwrap();
    }
    let current = world.current().await;
    let _ = world.gateway.claim(&world.id, own).await.unwrap();
    let _ = world.gateway.claim(&world.id, current).await.unwrap();
    let order = world.gateway.send_wipe(&world.id).await.unwrap().unwrap();
    let late_order = world.other.send_wipe(&world.id).await.unwrap().unwrap();
    let _ = outlive::snapshot::Computer::wipe(&world.computer, &order).await.unwrap();
    let _ = outlive::snapshot::Computer::wipe(&world.computer, &late_order).await.unwrap();
    let wiped = order.confirmed();
    let _ = world.gateway.finish(&wiped).await.unwrap();
    let _ = world.gateway.finish(&wiped).await.unwrap();
    world.store.recorder().gateway_crashed(world.gateway.name()).await.unwrap();
}

/// Random names replaced by the order in which they appear.
fn without_chance(mut lines: Vec<Value>) -> Vec<Value> {
    let mut seen: Vec<String> = Vec::new();
    for line in &mut lines {
        for field in ["life", "operation"] {
            if let Some(name) = line.get(field).and_then(Value::as_str).map(str::to_owned) {
                let at = seen.iter().position(|known| *known == name).unwrap_or_else(|| {
                    seen.push(name);
                    seen.len() - 1
                });
                line[field] = at.into();
            }
        }
        if line.get("store").is_some() {
            line["store"] = "any".into();
        }
    }
    lines
}

#[tokio::test]
async fn both_stores_tell_the_same_story() {
    let clock = Arc::new(StillClock(SystemTime::UNIX_EPOCH));
    for kind in BOTH_KINDS {
        let memory = World::on(Arc::new(MemoryStore::recording_by(clock.clone())), kind).await;
        everything(&memory).await;
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions::new().recording_by(clock.clone());
        let store = SqliteStore::open(folder.path().join("store.db"), options).unwrap();
        let file = World::on(Arc::new(store), kind).await;
        everything(&file).await;
        let told = without_chance(exported(&*memory.store).await);
        assert_eq!(told, without_chance(exported(&*file.store).await));
        for verb in Verb::of("snapshot") {
            assert!(told.iter().any(|event| event["action"] == verb.word()), "no {}", verb.word());
        }
        for refused in
            ["SAVE-4", "SAVE-7", "RESET-1", "RESET-3", "RESET-4", "RESET-6", "RESTART-1", "RESTART-3", "RESTART-5"]
        {
            assert!(told.iter().any(|event| event["because"] == refused), "nothing refused by {refused}");
        }
    }
}

#[tokio::test]
async fn each_line_is_of_the_format_that_the_judge_reads() {
    on_each!(|world| {
        everything(&world).await;
        let mut out = Vec::new();
        let written = world.store.recorder().export(Protocol::Snapshot, &mut out).await.unwrap();
        let text = String::from_utf8(out).unwrap();
        let mut lines = text.lines();
        let header: Header = serde_json::from_str(lines.next().unwrap()).unwrap();
        assert_eq!((header.format, header.schema, header.lossy), (1, schema_hash(), false));
        assert_eq!(header.claims, Verb::of("snapshot").collect::<Vec<_>>());
        let events: Vec<Event<'_>> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(events.len() as u64, written);
    });
}

/// What the judge may do without, and a person who looks for a cause may not.
#[tokio::test]
async fn each_event_says_when_it_was_under_which_name_and_what_it_left_behind() {
    on_each!(|world| {
        everything(&world).await;
        let told = exported(&*world.store).await;
        for event in &told[1..] {
            let verb = event["action"].as_str().unwrap();
            assert!(event["time"].is_string(), "no time: {event}");
            let is_of_an_operation = matches!(verb, "begin" | "answer" | "save" | "resolve" | "perform");
            assert_eq!(event["operation"].is_string(), is_of_an_operation, "{event}");
            let writes = matches!(verb, "register" | "save" | "claim" | "finish" | "rollback");
            assert_eq!(event["row"].is_object(), writes, "{event}");
        }
    });
}

#[tokio::test]
async fn the_header_says_in_what_kind_of_store_it_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let (memory, file) = (World::in_memory(BOTH_KINDS[0]).await, World::in_file(folder.path(), BOTH_KINDS[0]).await);
    assert_eq!(exported(&*memory.store).await[0]["store"], "memory");
    assert_eq!(exported(&*file.store).await[0]["store"], "sqlite");
}

#[tokio::test]
async fn off_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = Arc::new(SqliteStore::open(&path, SqliteOptions::new()).unwrap());
    let world = World::on(store, BOTH_KINDS[0]).await;
    everything(&world).await;
    assert!(!world.store.recorder().is_on());
    assert!(exported(&*world.store).await.is_empty());
    let raw = rusqlite::Connection::open(&path).unwrap();
    let lines: i64 = raw.query_row("SELECT count(*) FROM trace", [], |row| row.get(0)).unwrap();
    assert_eq!(lines, 0);
}

#[tokio::test]
async fn a_trace_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut last = 0;
    for life in 0..3 {
        let store = Arc::new(SqliteStore::open(&path, SqliteOptions::new().recording()).unwrap());
        let world = World::on(store, BOTH_KINDS[life % 2]).await;
        everything(&world).await;
        let lines = exported(&*world.store).await.len();
        assert!(lines > last);
        last = lines;
        check_trace(&*world.store).await;
    }
}

#[tokio::test]
async fn a_crash_is_marked_for_each_computer_that_the_gateway_spoke_about() {
    let store = Arc::new(MemoryStore::recording());
    for name in ["one", "two", "three"] {
        let id = ComputerId::new(name).unwrap();
        let by = if name == "three" { "another" } else { "gateway" };
        let gateway = common::gateway(&store, by);
        let _ = gateway.create(&id).await.unwrap();
        let _ = gateway.load(&id).await.unwrap();
    }
    store.recorder().gateway_crashed(common::gateway(&store, "gateway").name()).await.unwrap();
    let lines = exported(&*store).await;
    let crashes: Vec<_> = lines.iter().filter(|event| event["action"] == "crash").collect();
    let told: Vec<_> = crashes.iter().map(|event| (event["computer"].as_str().unwrap(), &event["phase"])).collect();
    assert_eq!(told, [("one", &Value::from("marker")), ("two", &Value::from("marker"))]);
}

#[tokio::test]
async fn an_export_walks_along_the_positions_whatever_is_missing_between_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = Arc::new(SqliteStore::open(&path, SqliteOptions::new().recording()).unwrap());
    let world = World::on(store, BOTH_KINDS[0]).await;
    world.works().await;
    let whole = exported(&*world.store).await;
    // Somebody has edited the file, and cut the trace at its beginning.
    let raw = rusqlite::Connection::open(&path).unwrap();
    assert_eq!(raw.execute("DELETE FROM trace WHERE position <= 3", []).unwrap(), 3);
    assert_eq!(exported(&*world.store).await[1..], whole[4..]);
    // The next event stands above all that are left.
    let _ = world.load().await;
    let next = exported(&*world.store).await;
    assert_eq!(next.last().unwrap()["commit"], whole.len());
}

#[tokio::test]
async fn an_export_of_several_pages_has_every_event_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = Arc::new(SqliteStore::open(&path, SqliteOptions::new().recording()).unwrap());
    let world = World::on(store, BOTH_KINDS[0]).await;
    world.works().await;
    // Copies of the last event, more than two pages of 10,000, and with a gap behind each third one.
    let raw = rusqlite::Connection::open(&path).unwrap();
    let copies = "WITH RECURSIVE copy (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM copy LIMIT 20001)
                  INSERT INTO trace SELECT position + number + number / 3, protocol, 'copy', number, computer, 0, event
                  FROM copy, (SELECT * FROM trace ORDER BY position DESC LIMIT 1)";
    assert_eq!(raw.execute(copies, []).unwrap(), 20_001);
    let mut statement = raw.prepare("SELECT position FROM trace ORDER BY position").unwrap();
    let kept: Vec<i64> = statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    let lines = exported(&*world.store).await;
    let told: Vec<i64> = lines[1..].iter().map(|event| event["commit"].as_i64().unwrap()).collect();
    assert_eq!(told, kept);
}

/// A trace with gaps, of which more was written while it was exported. It is read two lines at a time.
struct Growing {
    positions: Vec<u64>,
    last_at_first: u64,
}

impl Sink for Growing {
    fn record(&self, _: Protocol, _: Event<'static>) -> BoxFuture<Result<(), StoreError>> {
        unreachable!("nothing is recorded here")
    }

    fn record_crash(&self, _: String) -> BoxFuture<Result<(), StoreError>> {
        unreachable!("nobody crashes here")
    }

    fn lines(&self, _: Protocol, after: u64, limit: usize) -> BoxFuture<Result<Vec<Line>, StoreError>> {
        let behind = self.positions.iter().copied().filter(|position| *position > after);
        let line = |position| Line { position, text: json!({ "commit": position }).to_string() };
        Box::pin(std::future::ready(Ok(behind.map(line).take(limit.min(2)).collect())))
    }

    fn summary(&self, _: Protocol) -> BoxFuture<Result<Summary, StoreError>> {
        let summary = Summary { last: self.last_at_first, processes: Vec::new(), is_lossy: false };
        Box::pin(std::future::ready(Ok(summary)))
    }

    fn store_kind(&self) -> &'static str {
        "growing"
    }
}

#[tokio::test]
async fn an_export_ends_with_what_was_the_last_event_when_it_began() {
    let positions = vec![2, 3, 4, 8, 9, 11];
    // The last one stands at the end of a page, at the beginning of one and right behind another, and is gone.
    for (last_at_first, expected) in [(8, 4), (4, 3), (10, 5), (11, 6)] {
        let growing = Growing { positions: positions.clone(), last_at_first };
        let mut out = Vec::new();
        let written = Recorder::to(Arc::new(growing)).export(Protocol::Snapshot, &mut out).await.unwrap();
        let lines = String::from_utf8(out).unwrap();
        let events = lines.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        let told: Vec<u64> = events.map(|event| event["commit"].as_u64().unwrap()).collect();
        assert_eq!((told.as_slice(), written), (&positions[..expected], expected as u64), "up to {last_at_first}");
    }
}
