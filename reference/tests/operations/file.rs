//! Operations in a file: who comes first, who dies, what older releases have written, and what nobody can have written.

use std::path::Path;
use std::sync::Arc;

use outlive::store::operation::*;
use outlive::store::{Create, Store};
use outlive::testing::{FakeLiveness, operation_kit};
use outlive::{ComputerId, Launch, Mark, OperationStore, OwnerName, SqliteStore, StoreError};
use rusqlite::Connection;
use tokio::task::JoinSet;

use crate::options;

const TASKS: usize = 16;

fn computer() -> ComputerId {
    ComputerId::new("computer").unwrap()
}

fn owner(name: &str) -> OwnerName {
    OwnerName::new(name).unwrap()
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, options()).unwrap()
}

async fn created(path: &Path) -> SqliteStore {
    let store = open(path);
    let _ = store.create(Create { computer: computer() }).await.unwrap();
    store
}

fn settle(by: &str, of: u64, ending: Ending) -> Settle {
    Settle { owner: owner(by), computer: computer(), launch: launch(of), ending, mark: Mark::START }
}

/// Two handles on one file, as two processes would have it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_starts_on_two_stores_one_begins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let stores = [Arc::new(created(&path).await), Arc::new(open(&path))];
    for round in 1..=8 {
        let mut tasks = JoinSet::new();
        for task in 0..TASKS {
            let store = stores[task % 2].clone();
            let request = BeginStart { owner: owner(&task.to_string()), computer: computer() };
            tasks.spawn(async move { (task, store.begin_start(request).await.unwrap()) });
        }
        let outcomes = tasks.join_all().await;
        let begun = outcomes.iter().filter_map(|(task, outcome)| match outcome {
            BeginOutcome::Begun { launch, .. } => Some((*task, *launch)),
            other => {
                assert_eq!(*other, BeginOutcome::Refused { phase: Phase::Starting });
                None
            }
        });
        let [(winner, minted)] = begun.collect::<Vec<_>>()[..] else { panic!("not one has begun: {outcomes:?}") };
        assert_eq!(minted, launch(round));
        let standing = stores[0].standing(computer()).await.unwrap();
        assert_eq!(standing.owner, Some(owner(&winner.to_string())));
        let ended = stores[1].settle(settle(&winner.to_string(), round, Ending::Failed)).await.unwrap();
        assert!(matches!(ended, SettleOutcome::Settled { .. }));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_take_over_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let stores = [Arc::new(created(&path).await), Arc::new(open(&path))];
    let _ = stores[0].begin_start(BeginStart { owner: owner("dead"), computer: computer() }).await.unwrap();
    let liveness = FakeLiveness::new();
    liveness.die(owner("dead"));
    let dead = liveness.prove_death(owner("dead")).await.unwrap();
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let (store, owner) = (stores[task % 2].clone(), owner(&task.to_string()));
        let (dead, kind, launch) = (dead.clone(), Kind::Start, launch(1));
        let request = Recover { owner, computer: computer(), dead, kind, launch };
        tasks.spawn(async move { store.recover(request).await.unwrap() });
    }
    let outcomes = tasks.join_all().await;
    let recovered = |outcome: &&RecoverOutcome| matches!(outcome, RecoverOutcome::Recovered { .. });
    assert_eq!(outcomes.iter().filter(recovered).count(), 1);
}

#[tokio::test]
async fn what_a_dead_owner_has_begun_is_found_and_ended_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    // 1. The start begins, and its owner dies.
    let store = created(&path).await;
    let _ = store.begin_start(BeginStart { owner: owner("first life"), computer: computer() }).await.unwrap();
    drop(store);
    // 2. The next one looks through what is under way.
    let store = open(&path);
    let liveness = FakeLiveness::new();
    let [(id, found)] = &store.operations_under_way(None, 10).await.unwrap()[..] else { panic!("it is not found") };
    assert_eq!((id, found.phase, found.launch), (&computer(), Phase::Starting, launch(1)));
    // 3. Before the death is proven there is nothing to show.
    let of = found.owner.clone().unwrap();
    assert_eq!(liveness.prove_death(of.clone()).await.unwrap(), None);
    liveness.die(of.clone());
    let dead = liveness.prove_death(of).await.unwrap();
    // 4. It takes over, and ends the same launch. 5. The dead one's word arrives late.
    let by = owner("second life");
    let recover = Recover { owner: by, computer: computer(), dead, kind: Kind::Start, launch: found.launch };
    assert!(matches!(store.recover(recover).await.unwrap(), RecoverOutcome::Recovered { .. }));
    let ended = store.settle(settle("second life", 1, Ending::Admitted)).await.unwrap();
    assert!(matches!(ended, SettleOutcome::Settled { .. }));
    let late = store.settle(settle("first life", 1, Ending::Failed)).await.unwrap();
    assert!(matches!(late, SettleOutcome::Lost { current } if current.phase == Phase::Ready));
    assert_eq!(store.operations_under_way(None, 10).await.unwrap(), []);
}

#[tokio::test]
async fn a_start_without_a_claim_is_anybodys_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = created(&path).await;
    alter(&path, "INSERT INTO operation VALUES ('computer', 1, 'starting', 1, NULL, 0)");
    operation_kit::hold_an_unclaimed_start(&store, &computer()).await;
}

#[tokio::test]
async fn a_store_in_a_file_writes_nothing_after_the_last_revision() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = created(&path).await;
    for (phase, owner) in [("ready", "NULL"), ("stopped", "NULL"), ("starting", "'owner'")] {
        let row = format!("('computer', (1 << 53) - 1, '{phase}', 1, {owner}, 0)");
        alter(&path, &format!("DELETE FROM operation; INSERT INTO operation VALUES {row}"));
        operation_kit::hold_the_last_revision(&store, &computer()).await;
    }
}

fn alter(path: &Path, sql: &str) {
    let raw = Connection::open(path).unwrap();
    raw.execute_batch(sql).unwrap();
}

#[tokio::test]
async fn a_row_that_no_decision_can_have_written_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = created(&path).await;
    let impossible = [
        ("revision = -1", "its revision is no number"),
        ("revision = 1 << 53", "its revision is no number"),
        ("revision = 0, phase = 'stopped', launch = 0, owner = NULL", "a row that was never written"),
        ("phase = 'paused'", "its phase is none that we know"),
        ("launch = -1", "its launch is no number"),
        ("launch = 1 << 53", "its launch is no number"),
        ("launch = 3", "started more often than it was written"),
        ("launch = 0", "never started"),
        ("owner = ''", "has no name"),
        ("phase = 'stopping', owner = NULL", "that nobody owns"),
        ("phase = 'deleting', owner = NULL", "that nobody owns"),
        ("phase = 'ready'", "nothing is under way, and yet it has an owner"),
        ("mark = -1", "its mark is no number"),
        ("mark = 1 << 53", "its mark is no number"),
    ];
    for (change, expected) in impossible {
        let row = "DELETE FROM operation; INSERT INTO operation VALUES ('computer', 2, 'starting', 1, 'owner', 0)";
        alter(&path, row);
        assert!(store.standing(computer()).await.is_ok());
        let change = format!("UPDATE operation SET {change}");
        let constrained = Connection::open(&path).unwrap().execute_batch(&change);
        assert!(constrained.is_err(), "the schema lets it in: {change}");
        alter(&path, &format!("PRAGMA ignore_check_constraints = ON; {change}"));
        let error = store.standing(computer()).await.unwrap_err();
        let StoreError::Corrupt { what, location } = &error else { panic!("{change} gave {error:?}") };
        assert!(what.contains(expected) && what.contains("computer computer"), "{change} gave {what}");
        assert!(location.contains("store.db"));
    }
}

#[tokio::test]
async fn an_operation_on_no_computer_is_not_let_in_and_on_one_without_a_name_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = created(&path).await;
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("PRAGMA foreign_keys = ON").unwrap();
    let foreign = raw.execute("INSERT INTO operation VALUES ('another', 1, 'ready', 1, NULL, 0)", []).unwrap_err();
    assert!(foreign.to_string().contains("FOREIGN KEY"), "{foreign}");
    alter(&path, "INSERT INTO computer VALUES (char(7), 0, 0, 0, NULL, NULL, NULL)");
    alter(&path, "INSERT INTO operation VALUES (char(7), 1, 'ready', 1, NULL, 0)");
    let error = store.computers_to_sweep(None, 10).await.unwrap_err();
    assert!(matches!(&error, StoreError::Corrupt { what, .. } if what.contains("the id of a computer")), "{error:?}");
}
