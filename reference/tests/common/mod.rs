//! A computer, two gateways and a store, on which each scenario is played: in memory and in a file, with both kinds of
//! providers, and with the trace recorded.

#![allow(dead_code, unused_macros, unused_imports, reason = "each test binary uses a part of it")]
#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a scenario that goes another way has failed")]

use std::collections::BTreeMap;
use std::sync::Arc;

use outlive::snapshot::{Answer, Begun, Page, ResetOutcome, Saved, Ticket};
use outlive::store::{MemoryStore, SaveOutcome, SqliteOptions, SqliteStore, Store};
use outlive::testing::{CounterKind, Learned, SimulatedComputer};
use outlive::trace::Protocol;
use outlive::{ComputerId, Gateway, GatewayName, Incarnation};
use serde_json::Value;

pub(crate) const BOTH_KINDS: [CounterKind; 2] = [CounterKind::SurvivesAWipe, CounterKind::StartsAgain];

/// Plays a scenario on each store with each kind of provider.
macro_rules! on_each {
    (|$world:ident| $scenario:block) => {
        for kind in $crate::common::BOTH_KINDS {
            {
                let $world = $crate::common::World::in_memory(kind).await;
                $scenario
                $world.check_trace().await;
            }
            {
                let folder = tempfile::tempdir().unwrap();
                let $world = $crate::common::World::in_file(folder.path(), kind).await;
                $scenario
                $world.check_trace().await;
            }
        }
    };
}
pub(crate) use on_each;

pub(crate) struct World<S> {
    pub(crate) store: Arc<S>,
    pub(crate) id: ComputerId,
    pub(crate) computer: SimulatedComputer<S>,
    pub(crate) gateway: Gateway<S>,
    pub(crate) other: Gateway<S>,
}

impl World<MemoryStore> {
    pub(crate) async fn in_memory(kind: CounterKind) -> Self {
        World::on(Arc::new(MemoryStore::recording()), kind).await
    }
}

impl World<SqliteStore> {
    pub(crate) async fn in_file(folder: &std::path::Path, kind: CounterKind) -> Self {
        let store = SqliteStore::open(folder.join("store.db"), SqliteOptions::new().recording()).unwrap();
        World::on(Arc::new(store), kind).await
    }
}

impl<S: Store> World<S> {
    /// A computer whose first process knows who it is.
    pub(crate) async fn on(store: Arc<S>, kind: CounterKind) -> Self {
        let id = ComputerId::new("computer").unwrap();
        let gateway = gateway(&store, "gateway-1");
        let other = self::gateway(&store, "gateway-2");
        let _ = gateway.create(&id).await.unwrap();
        let computer = SimulatedComputer::start(store.clone(), id.clone(), kind).await.unwrap();
        assert!(matches!(computer.register().await.unwrap(), Learned::Is(_)));
        World { store, id, computer, gateway, other }
    }

    pub(crate) async fn current(&self) -> Incarnation {
        self.gateway.standing(&self.id).await.unwrap().incarnation
    }

    /// Begins a snapshot, and lets the computer answer.
    pub(crate) async fn snapshot(&self) -> (Ticket, Answer) {
        let ticket = self.begin().await;
        let answer = self.computer.answer(ticket.call(), b"a page").await.unwrap().unwrap();
        (ticket, answer)
    }

    pub(crate) async fn begin(&self) -> Ticket {
        match self.gateway.begin(&self.id).await.unwrap() {
            Begun::Ticket(ticket) => ticket,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn save(&self, (ticket, answer): &(Ticket, Answer)) -> SaveOutcome {
        match self.gateway.save(ticket, answer).await.unwrap() {
            Saved::Decided(outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    /// A snapshot that is stored.
    pub(crate) async fn stored(&self) -> Page {
        let snapshot = self.snapshot().await;
        assert_eq!(self.save(&snapshot).await, SaveOutcome::Stored);
        self.load().await.unwrap()
    }

    pub(crate) async fn load(&self) -> Option<Page> {
        self.gateway.load(&self.id).await.unwrap().page
    }

    pub(crate) async fn reset(&self) -> Incarnation {
        match self.gateway.reset(&self.id, self.current().await, &self.computer).await.unwrap() {
            ResetOutcome::Done { minted } => minted,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn register(&self) -> Incarnation {
        match self.computer.register().await.unwrap() {
            Learned::Is(own) => own,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn restart(&self) -> Incarnation {
        self.computer.restart().await.unwrap();
        self.register().await
    }

    /// The computer works: what it shows now is stored, resolved and acted on.
    pub(crate) async fn works(&self) {
        let page = self.stored().await;
        let resolved = self.gateway.resolve(&self.id, page.name()).await.unwrap();
        let outlive::snapshot::Resolved::Forward { act, .. } = resolved else { panic!("{resolved:?}") };
        self.computer.perform(&act).await.unwrap().unwrap();
    }

    /// The trace has a header, and its events stand in order and without a gap.
    pub(crate) async fn check_trace(&self) {
        check_trace(&*self.store).await;
    }
}

pub(crate) fn gateway<S: Store>(store: &Arc<S>, name: &str) -> Gateway<S> {
    Gateway::new(store.clone(), GatewayName::new(name).unwrap())
}

pub(crate) async fn exported<S: Store>(store: &S) -> Vec<Value> {
    let mut out = Vec::new();
    store.recorder().export(Protocol::Snapshot, &mut out).await.unwrap();
    String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) async fn check_trace<S: Store>(store: &S) {
    let lines = exported(store).await;
    let (header, events) = lines.split_first().expect("a recorded trace has a header");
    assert_eq!(header["format"], 1);
    assert!(!events.is_empty());
    let (mut last_commit, mut next) = (0, BTreeMap::<&str, u64>::new());
    for event in events {
        let (process, commit) = (event["process"].as_str().unwrap(), event["commit"].as_u64().unwrap());
        assert!(commit > last_commit, "the trace goes back at {event}");
        last_commit = commit;
        let expected = next.entry(process).or_default();
        assert_eq!(event["sequence"].as_u64(), Some(*expected), "a gap in {process} at {event}");
        *expected += 1;
        assert!(header["processes"].as_array().unwrap().iter().any(|known| known == process));
    }
}
