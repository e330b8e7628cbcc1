//! What each step on an operation leaves in the trace, in both stores alike.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use outlive::clock::StillClock;
use outlive::provider::{Condition, Observation, Seen};
use outlive::store::operation::*;
use outlive::store::{Ask, Create, Store};
use outlive::testing::FakeLiveness;
use outlive::trace::Protocol;
use outlive::{
    ComputerId, GatewayName, InstanceId, Launch, LifeName, Mark, MemoryStore, OperationStore, OwnerName, Revision,
    SqliteStore,
};
use outlive_spec::trace::{Event, Header, Verb, schema_hash};
use serde_json::Value;

use crate::options;

fn computer() -> ComputerId {
    ComputerId::new("computer").unwrap()
}

fn owner(name: &str) -> OwnerName {
    OwnerName::new(name).unwrap()
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

fn mark(number: u64) -> Mark {
    Mark::try_from(number).unwrap()
}

fn observation(of: u64, condition: Option<Condition>, at: u64) -> Observation {
    let seen = condition.map(|condition| Seen { instance: InstanceId::new("instance").unwrap(), condition });
    Observation { computer: computer(), launch: launch(of), seen, mark: mark(at) }
}

/// What may be asked of a store, in short.
struct Asking<'a, S>(&'a S);

impl<S: Store + OperationStore> Asking<'_, S> {
    async fn created(&self) {
        let _ = self.0.create(Create { computer: computer() }).await.unwrap();
    }

    async fn begin(&self, kind: Kind, by: &str) {
        let (owner, computer) = (owner(by), computer());
        let _ = match kind {
            Kind::Start => self.0.begin_start(BeginStart { owner, computer }).await.unwrap(),
            Kind::Stop => self.0.begin_stop(BeginStop { owner, computer }).await.unwrap(),
            Kind::Delete => self.0.begin_delete(BeginDelete { owner, computer }).await.unwrap(),
        };
    }

    async fn settle(&self, by: &str, of: u64, ending: Ending, at: u64) {
        let request = Settle { owner: owner(by), computer: computer(), launch: launch(of), ending, mark: mark(at) };
        let _ = self.0.settle(request).await.unwrap();
    }

    async fn recover(&self, by: &str, dead: Option<&str>, kind: Kind, of: u64) {
        let dead = match dead {
            Some(dead) => {
                let liveness = FakeLiveness::new();
                liveness.die(owner(dead));
                liveness.prove_death(owner(dead)).await.unwrap()
            }
            None => None,
        };
        let request = Recover { owner: owner(by), computer: computer(), dead, kind, launch: launch(of) };
        let _ = self.0.recover(request).await.unwrap();
    }

    async fn read(&self, by: &str) -> Revision {
        self.0.read(Read { owner: owner(by), computer: computer() }).await.unwrap().revision
    }

    async fn conclude(&self, by: &str, expected: u64, seen: Observation) {
        let expected = Revision::try_from(expected).unwrap();
        let _ = self.0.conclude(Conclude { owner: owner(by), expected, seen }).await.unwrap();
    }

    async fn deliver(&self, by: &str, report: Observation) {
        let _ = self.0.deliver(Deliver { owner: owner(by), report }).await.unwrap();
    }
}

/// Every method, with every way in which it can end.
async fn everything<S: Store + OperationStore>(store: &S) {
    use Condition::{Booting, Exited, Up};
    let ask = Asking(store);
    ask.created().await;
    ask.begin(Kind::Stop, "one").await;
    ask.begin(Kind::Start, "one").await;
    ask.begin(Kind::Start, "two").await;
    // A sweep and reports meet an operation.
    ask.read("two").await;
    ask.conclude("two", 1, observation(1, Some(Exited), 0)).await;
    ask.deliver("two", observation(1, None, 1)).await;
    ask.deliver("two", observation(1, Some(Up), 1)).await;
    // It changes hands, and its former owner is told so.
    ask.recover("two", None, Kind::Start, 1).await;
    ask.recover("two", Some("one"), Kind::Stop, 1).await;
    ask.recover("two", None, Kind::Start, 1).await;
    ask.recover("two", Some("one"), Kind::Start, 1).await;
    ask.settle("three", 1, Ending::Failed, 2).await;
    ask.settle("two", 1, Ending::Admitted, 2).await;
    // It is seen to have exited, to be up again, and to be as it was.
    ask.deliver("three", observation(2, Some(Exited), 3)).await;
    ask.deliver("three", observation(1, Some(Exited), 2)).await;
    ask.deliver("three", observation(1, Some(Exited), 3)).await;
    ask.deliver("three", observation(1, Some(Booting), 4)).await;
    ask.conclude("three", 4, observation(1, Some(Up), 5)).await;
    ask.conclude("three", 5, observation(2, Some(Up), 5)).await;
    ask.conclude("three", 5, observation(1, Some(Up), 5)).await;
    ask.conclude("three", 6, observation(1, Some(Booting), 5)).await;
    ask.conclude("three", 6, observation(1, Some(Up), 6)).await;
    // Somebody is proven dead who owns nothing.
    ask.recover("two", Some("four"), Kind::Start, 1).await;
    ask.begin(Kind::Stop, "two").await;
    ask.settle("two", 1, Ending::Stopped, 7).await;
    ask.begin(Kind::Start, "two").await;
    ask.settle("two", 2, Ending::Failed, 0).await;
    ask.conclude("three", 11, observation(2, Some(Up), 8)).await;
    ask.conclude("three", 12, observation(2, None, 9)).await;
    ask.begin(Kind::Delete, "two").await;
    ask.settle("three", 2, Ending::Removed, 10).await;
    ask.begin(Kind::Delete, "two").await;
}

/// The trace of everything: who did what, why it was refused, what it was about, and the row after it.
const EXPECTED: &[&str] = &[
    "one stop RECONCILE-9 | 0 stopped 0 - 0",
    "one start launch=1 | 1 starting 1 one 0",
    "two start RECONCILE-1 | 1 starting 1 one 0",
    "two read launch=1 revision=1",
    "two conclude RECONCILE-4 conclusion=error | 1 starting 1 one 0",
    "two deliver RECONCILE-12 condition=absent launch=1 mark=1 | 1 starting 1 one 0",
    "two deliver RECONCILE-4 condition=up launch=1 mark=1 | 1 starting 1 one 0",
    "two recover RECONCILE-7 kind=start launch=1 | 1 starting 1 one 0",
    "one crash",
    "two recover RECONCILE-8 kind=stop launch=1 | 1 starting 1 one 0",
    // The next one shows no proof of a death that the trace knows of, and has no event.
    "two recover kind=start launch=1 | 2 starting 1 two 0",
    "three settle RECONCILE-2 ending=failed kind=start launch=1 | 2 starting 1 two 0",
    "two settle ending=done kind=start launch=1 | 3 ready 1 - 2",
    "three deliver RECONCILE-5 condition=exited launch=2 mark=3 | 3 ready 1 - 2",
    "three deliver RECONCILE-11 condition=exited launch=1 mark=2 | 3 ready 1 - 2",
    "three deliver conclusion=error condition=exited launch=1 mark=3 | 4 error 1 - 3",
    "three deliver conclusion=nothing condition=booting launch=1 mark=4 | 5 error 1 - 4",
    "three conclude RECONCILE-3 conclusion=ready | 5 error 1 - 4",
    "three conclude RECONCILE-5 conclusion=ready | 5 error 1 - 4",
    "three conclude conclusion=ready | 6 ready 1 - 5",
    "three conclude conclusion=nothing | 6 ready 1 - 5",
    "three conclude conclusion=nothing | 7 ready 1 - 6",
    "four crash",
    "two recover RECONCILE-7 kind=start launch=1 | 7 ready 1 - 6",
    "two stop | 8 stopping 1 two 6",
    "two settle ending=done kind=stop launch=1 | 9 stopped 1 - 7",
    "two start launch=2 | 10 starting 2 two 7",
    "two settle ending=failed kind=start launch=2 | 11 error 2 - 7",
    "three conclude conclusion=ready | 12 ready 2 - 8",
    "three conclude conclusion=prune | 13 deleting 2 three 9",
    "two delete RECONCILE-10 | 13 deleting 2 three 9",
    "three settle ending=done kind=delete launch=2 | 14 gone 2 - 10",
    "two delete RECONCILE-10 | 14 gone 2 - 10",
];

async fn exported<S: Store>(store: &S, protocol: Protocol) -> String {
    let mut out = Vec::new();
    store.recorder().export(protocol, &mut out).await.unwrap();
    String::from_utf8(out).unwrap()
}

fn short(line: &str) -> String {
    let event: Value = serde_json::from_str(line).unwrap();
    let mut words = vec![event["process"].as_str().unwrap().to_owned(), event["action"].as_str().unwrap().to_owned()];
    words.extend(event["because"].as_str().map(str::to_owned));
    for field in ["conclusion", "condition", "ending", "kind", "launch", "mark", "revision"] {
        let value = &event[field];
        let value = value.as_str().map(str::to_owned).or(value.as_u64().map(|number| number.to_string()));
        words.extend(value.map(|value| format!("{field}={value}")));
    }
    if let Some(row) = event["standing"].as_object() {
        let owner = row["owner"].as_str().unwrap_or("-");
        let phase = row["phase"].as_str().unwrap();
        words.push(format!("| {} {phase} {} {owner} {}", row["revision"], row["launch"], row["mark"]));
    }
    words.join(" ")
}

/// In the file and in memory, with a clock that stands still.
fn both(folder: &tempfile::TempDir) -> (MemoryStore, SqliteStore) {
    let clock = Arc::new(StillClock(SystemTime::UNIX_EPOCH));
    let file = SqliteStore::open(folder.path().join("store.db"), options().recording_by(clock.clone())).unwrap();
    (MemoryStore::recording_by(clock), file)
}

#[tokio::test]
async fn e23_every_write_on_an_operation_is_recorded_and_every_refusal_in_both_stores_alike() {
    let folder = tempfile::tempdir().unwrap();
    let (memory, file) = both(&folder);
    everything(&memory).await;
    everything(&file).await;
    let told = exported(&memory, Protocol::Operation).await;
    assert_eq!(told.replace("\"memory\"", "\"sqlite\""), exported(&file, Protocol::Operation).await);
    let short: Vec<String> = told.lines().skip(1).map(short).collect();
    assert_eq!(short, EXPECTED);
}

#[tokio::test]
async fn each_event_of_an_operation_is_of_the_format_and_counted_for_its_process() {
    let folder = tempfile::tempdir().unwrap();
    let (memory, _) = both(&folder);
    everything(&memory).await;
    let told = exported(&memory, Protocol::Operation).await;
    let (header, events) = told.split_once('\n').unwrap();
    let header: Header = serde_json::from_str(header).unwrap();
    assert_eq!((header.protocol.as_str(), header.schema, header.lossy), ("operation", schema_hash(), false));
    assert_eq!(header.claims, Verb::of("operation").collect::<Vec<_>>());
    let (mut next, mut last) = (BTreeMap::<String, u64>::new(), 0);
    for line in events.lines() {
        let event: Event<'_> = serde_json::from_str(line).unwrap();
        assert!(event.time.is_some() && event.commit > Some(last), "{line}");
        last = event.commit.unwrap();
        let due = next.entry(event.process.to_string()).or_default();
        assert_eq!(event.sequence, *due, "{line}");
        *due += 1;
    }
    assert_eq!(header.processes, next.into_keys().collect::<Vec<_>>());
}

#[tokio::test]
async fn one_store_keeps_the_traces_of_both_protocols_and_each_is_without_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let (memory, file) = both(&folder);
    async fn works<S: Store + OperationStore>(store: &S) -> [Vec<(String, u64, String)>; 2] {
        let ask = Asking(store);
        ask.created().await;
        let gateway = GatewayName::new("one").unwrap();
        let load = || outlive::store::Load { gateway: gateway.clone(), computer: computer() };
        // The same process speaks in both, by turns.
        let _ = store.load(load()).await.unwrap();
        ask.begin(Kind::Start, "one").await;
        let _ = store.load(load()).await.unwrap();
        let life = LifeName::new("life").unwrap();
        let _ = store.ask(Ask { computer: computer(), life }).await.unwrap();
        ask.settle("one", 1, Ending::Admitted, 0).await;
        // Its death is told in both, and as an owner it dies once.
        store.recorder().gateway_crashed(&gateway).await.unwrap();
        store.recorder().gateway_crashed(&gateway).await.unwrap();
        let mut told = Vec::new();
        for protocol in Protocol::ALL {
            let text = exported(store, protocol).await;
            let event = |line: &str| {
                let event: Event<'_> = serde_json::from_str(line).unwrap();
                (event.process.to_string(), event.sequence, event.action.word().to_owned())
            };
            told.push(text.lines().skip(1).map(event).collect());
        }
        told.try_into().unwrap()
    }
    let told = works(&memory).await;
    assert_eq!(told, works(&file).await);
    let events = |events: &[(&str, u64, &str)]| {
        events.iter().map(|(who, number, what)| ((*who).to_owned(), *number, (*what).to_owned())).collect::<Vec<_>>()
    };
    let snapshots = [
        ("one", 0, "load"),
        ("one", 1, "load"),
        ("computer/process", 0, "ask"),
        ("one", 2, "crash"),
        ("one", 3, "crash"),
    ];
    assert_eq!(told[0], events(&snapshots));
    assert_eq!(told[1], events(&[("one", 0, "start"), ("one", 1, "settle"), ("one", 2, "crash")]));
}

#[tokio::test]
async fn trace_3_an_operation_that_cannot_be_recorded_does_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    let (_, file) = both(&folder);
    let ask = Asking(&file);
    ask.created().await;
    ask.begin(Kind::Start, "one").await;
    let before = (exported(&file, Protocol::Operation).await, file.standing(computer()).await.unwrap());
    // 1. The file takes no more events. 2. A stop begins, and somebody takes over. 3. Neither they nor their events are
    // there, nor is the death of which the proof was shown.
    let other = rusqlite::Connection::open(folder.path().join("store.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON trace WHEN NEW.is_death = 0
                BEGIN SELECT raise(ABORT, 'no room'); END";
    other.execute_batch(full).unwrap();
    let stop = BeginStop { owner: owner("two"), computer: computer() };
    assert!(file.begin_stop(stop.clone()).await.is_err());
    let liveness = FakeLiveness::new();
    liveness.die(owner("one"));
    let dead = liveness.prove_death(owner("one")).await.unwrap();
    let recover = Recover { owner: owner("two"), computer: computer(), dead, kind: Kind::Start, launch: launch(1) };
    assert!(file.recover(recover).await.is_err());
    other.execute_batch("DROP TRIGGER full").unwrap();
    let after = (exported(&file, Protocol::Operation).await, file.standing(computer()).await.unwrap());
    assert_eq!(after, before);
    // 4. With room for its event, the stop begins.
    assert!(matches!(file.begin_stop(stop).await.unwrap(), BeginOutcome::Begun { .. }));
}

#[tokio::test]
async fn trace_4_the_row_that_a_sweep_reads_is_recorded_and_a_look_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (memory, file) = both(&folder);
    async fn looks<S: Store + OperationStore>(store: &S) -> Vec<String> {
        let ask = Asking(store);
        ask.created().await;
        ask.begin(Kind::Start, "one").await;
        let _ = store.standing(computer()).await.unwrap();
        let _ = store.operations_under_way(None, 10).await.unwrap();
        let _ = store.computers_to_sweep(None, 10).await.unwrap();
        assert_eq!(ask.read("two").await.number(), 1);
        exported(store, Protocol::Operation).await.lines().skip(1).map(short).collect()
    }
    for told in [looks(&memory).await, looks(&file).await] {
        assert_eq!(told, ["one start launch=1 | 1 starting 1 one 0", "two read launch=1 revision=1"]);
    }
}

#[tokio::test]
async fn off_an_operation_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let file = SqliteStore::open(folder.path().join("store.db"), options()).unwrap();
    everything(&file).await;
    assert!(exported(&file, Protocol::Operation).await.is_empty());
    let raw = rusqlite::Connection::open(folder.path().join("store.db")).unwrap();
    let lines: i64 = raw.query_row("SELECT count(*) FROM trace", [], |row| row.get(0)).unwrap();
    assert_eq!(lines, 0);
}

/// An owner dies once, whoever writes.
#[tokio::test]
async fn a_second_death_of_an_owner_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let (_, file) = both(&folder);
    everything(&file).await;
    let raw = rusqlite::Connection::open(folder.path().join("store.db")).unwrap();
    let again = "INSERT INTO trace SELECT 1000, protocol, process, 1000, computer, is_death, event FROM trace
                 WHERE is_death = 1 LIMIT 1";
    let error = raw.execute_batch(again).unwrap_err().to_string();
    assert!(error.contains("UNIQUE constraint failed"), "{error}");
}
