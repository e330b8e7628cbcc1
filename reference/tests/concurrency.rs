//! Many at once on one file: of those who expect the same, one wins.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::{BOTH_KINDS, check_trace, exported, gateway};
use outlive::snapshot::{Begun, ResetOutcome, Resolved};
use outlive::store::{ClaimOutcome, RegisterOutcome, SaveOutcome, SqliteOptions, SqliteStore, Store};
use outlive::testing::SimulatedComputer;
use outlive::{ComputerId, Gateway, PageName};
use tokio::task::JoinSet;

const TASKS: usize = 16;

/// Two handles on one file, as two processes would have it.
fn two_stores(folder: &tempfile::TempDir) -> [Arc<SqliteStore>; 2] {
    let open = || {
        let options = SqliteOptions::new().recording();
        Arc::new(SqliteStore::open(folder.path().join("store.db"), options).unwrap())
    };
    [open(), open()]
}

async fn registered(store: &Arc<SqliteStore>, id: &ComputerId) -> SimulatedComputer<SqliteStore> {
    let _ = gateway(store, "maker").create(id).await.unwrap();
    let computer = SimulatedComputer::start(store.clone(), id.clone(), BOTH_KINDS[0]).await.unwrap();
    let _ = computer.register().await.unwrap();
    computer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn restart_1_of_many_processes_one_follows() {
    let folder = tempfile::tempdir().unwrap();
    let stores = two_stores(&folder);
    let id = ComputerId::new("computer").unwrap();
    let _ = gateway(&stores[0], "maker").create(&id).await.unwrap();
    let computer = SimulatedComputer::start(stores[0].clone(), id, BOTH_KINDS[0]).await.unwrap();
    let mut questions = Vec::new();
    for _ in 0..TASKS {
        // Each dies with its question on the way.
        questions.push(computer.process_start().ask().await.unwrap());
        computer.restart().await.unwrap();
    }
    let mut tasks = JoinSet::new();
    for (task, question) in questions.into_iter().enumerate() {
        let store = stores[task % 2].clone();
        tasks.spawn(async move { store.register(question).await.unwrap() });
    }
    let outcomes = tasks.join_all().await;
    let won = |outcome: &&RegisterOutcome| matches!(outcome, RegisterOutcome::Registered { .. });
    assert_eq!(outcomes.iter().filter(won).count(), 1);
    check_trace(&*stores[0]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reset_1_of_many_claims_one_is_admitted() {
    let folder = tempfile::tempdir().unwrap();
    let stores = two_stores(&folder);
    let id = ComputerId::new("computer").unwrap();
    let own = registered(&stores[0], &id).await.incarnation().unwrap();
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let (gateway, id) = (gateway(&stores[task % 2], &format!("gateway-{task}")), id.clone());
        tasks.spawn(async move { gateway.claim(&id, own).await.unwrap() });
    }
    let outcomes = tasks.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == ClaimOutcome::Claimed).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, ClaimOutcome::UnderWay { .. })).count(), TASKS - 1);
    check_trace(&*stores[1]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn save_4_saves_that_overtake_each_other_end_at_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let stores = two_stores(&folder);
    let id = ComputerId::new("computer").unwrap();
    let computer = registered(&stores[0], &id).await;
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let gateway = gateway(&stores[task % 2], &format!("gateway-{task}"));
        let Begun::Ticket(ticket) = gateway.begin(&id).await.unwrap() else { panic!("nobody to call") };
        let answer = computer.answer(ticket.call(), b"page").await.unwrap().unwrap();
        tasks.spawn(async move { gateway.save(&ticket, &answer).await.unwrap() });
    }
    tasks.join_all().await;
    let newest = gateway(&stores[0], "maker").load(&id).await.unwrap().page.unwrap().name();
    assert_eq!(newest.generation.number(), TASKS as u64);
    check_trace(&*stores[0]).await;
    check_rows(&exported(&*stores[0]).await);
}

/// Everything at once: gateways that snapshot, act, roll back and reset, and computers that die.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whatever_happens_at_once_ends_in_computers_that_work() {
    let folder = tempfile::tempdir().unwrap();
    let stores = two_stores(&folder);
    let mut computers = Vec::new();
    for number in 0..4 {
        let id = ComputerId::new(format!("computer-{number}")).unwrap();
        computers.push(Arc::new(registered(&stores[0], &id).await));
    }
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let gateway = gateway(&stores[task % 2], &format!("gateway-{task}"));
        let computers = computers.clone();
        tasks.spawn(async move {
            let mut random = Random(task as u64 + 1);
            for _ in 0..12 {
                let computer = &computers[random.below(4)];
                one_deed(&gateway, computer, &mut random).await;
            }
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    let gateway = gateway(&stores[1], "cleaner");
    for computer in &computers {
        settle(&gateway, computer).await;
        let Begun::Ticket(ticket) = gateway.begin(computer.id()).await.unwrap() else { panic!("nobody to call") };
        let answer = computer.answer(ticket.call(), b"page").await.unwrap().unwrap();
        let saved = gateway.save(&ticket, &answer).await.unwrap();
        assert_eq!(saved, outlive::snapshot::Saved::Decided(SaveOutcome::Stored));
    }
    check_trace(&*stores[0]).await;
    check_rows(&exported(&*stores[1]).await);
}

async fn one_deed<S: Store>(gateway: &Gateway<S>, computer: &SimulatedComputer<S>, random: &mut Random) {
    let id = computer.id();
    match random.below(10) {
        0 => computer.restart().await.unwrap(),
        1 => {
            let seen = gateway.standing(id).await.unwrap().incarnation;
            let _ = gateway.reset(id, seen, computer).await.unwrap();
        }
        2 => {
            let loaded = gateway.load(id).await.unwrap();
            if let Some(page) = loaded.page {
                let _ = gateway.rollback(&page, loaded.standing.incarnation).await.unwrap();
            }
        }
        3 | 4 => {
            if let Some(page) = gateway.load(id).await.unwrap().page
                && let Resolved::Forward { act, .. } = gateway.resolve(id, page.name()).await.unwrap()
            {
                let _ = computer.perform(&act).await.unwrap();
            }
        }
        5 => {
            let _ = computer.register().await.unwrap();
        }
        _ => {
            if let Begun::Ticket(ticket) = gateway.begin(id).await.unwrap()
                && let Ok(answer) = computer.answer(ticket.call(), b"page").await.unwrap()
            {
                let _ = gateway.save(&ticket, &answer).await.unwrap();
            }
        }
    }
}

async fn settle<S: Store>(gateway: &Gateway<S>, computer: &SimulatedComputer<S>) {
    for _ in 0..4 {
        let current = gateway.standing(computer.id()).await.unwrap().incarnation;
        if computer.incarnation().is_some_and(|own| own != current) {
            computer.restart().await.unwrap();
        }
        let _ = computer.register().await.unwrap();
        match gateway.drive_reset(computer.id(), computer).await.unwrap() {
            ResetOutcome::NotResetting { current } if computer.incarnation() == Some(current) => return,
            _ => {}
        }
    }
    panic!("{} is not settled", computer.id());
}

/// What each row says was observed inside its transaction: incarnations only grow, and a page is only replaced by a
/// newer one of its life, or by one of another life.
fn check_rows(lines: &[serde_json::Value]) {
    let mut last = BTreeMap::new();
    for event in lines.iter().filter(|event| event["row"].is_object()) {
        let row = &event["row"];
        let incarnation = row["incarnation"].as_u64().unwrap();
        let page: Option<PageName> = row["page"].as_array().map(|page| {
            let number = |at: usize| page[at].as_u64().unwrap();
            PageName::new(number(0).try_into().unwrap(), number(1).try_into().unwrap())
        });
        let computer = event["computer"].as_str().unwrap();
        if let Some((before, old)) = last.insert(computer, (incarnation, page)) {
            assert!(incarnation >= before, "{event}");
            let is_rollback = event["action"] == "rollback";
            if let (false, Some(old), Some(new)) = (is_rollback, old, page) {
                assert!(new.partial_cmp(&old).is_none_or(std::cmp::Ordering::is_ge), "{event}");
            }
        }
    }
}

/// A few bits of chance that are the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}
