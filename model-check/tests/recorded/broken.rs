//! A store whose guard is broken: somebody edits the row between two steps, so that the store decides on something that
//! is not so. What it then records is refused, for the requirement that it has broken.

use std::path::PathBuf;

use outlive::locks::Locks;
use outlive::provider::{Condition, Get, Observation, Start};
use outlive::store::operation::*;
use outlive::store::{Create, Durability, SqliteOptions};
use outlive::testing::{FakeLiveness, FakeProvider};
use outlive::trace::OwnerRecorder;
use outlive::{ComputerId, Launch, Mark, OperationStore, OwnerName, Provider, ProviderName, SqliteStore, Store};
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::{render, render::Colors};
use outlive_spec::requirement::Requirement::{self, *};
use outlive_spec::trace::Verb;

use crate::judged;

/// A computer on a store in a file that others can edit.
struct Edited {
    _folder: tempfile::TempDir,
    path: PathBuf,
    store: SqliteStore,
    provider: FakeProvider,
    locks: Locks<()>,
}

fn computer() -> ComputerId {
    ComputerId::new("computer").unwrap()
}

fn owner(name: &str) -> OwnerName {
    OwnerName::new(name).unwrap()
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

impl Edited {
    async fn new() -> Edited {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let options = SqliteOptions::new().durability(Durability::Normal).recording();
        let store = SqliteStore::open(&path, options).unwrap();
        let _ = store.create(Create { computer: computer() }).await.unwrap();
        let recorder = store.recorder().provider(&ProviderName::new("provider").unwrap());
        let provider = FakeProvider::recording(recorder);
        Edited { _folder: folder, path, store, provider, locks: Locks::new(()) }
    }

    fn edit(&self, change: &str) {
        let raw = rusqlite::Connection::open(&self.path).unwrap();
        assert_eq!(raw.execute(&format!("UPDATE operation SET {change}"), []).unwrap(), 1);
    }

    fn says(&self, name: &str) -> OwnerRecorder {
        self.store.recorder().owner(&owner(name))
    }

    async fn start(&self, by: &str) -> BeginOutcome {
        self.store.begin_start(BeginStart { owner: owner(by), computer: computer() }).await.unwrap()
    }

    async fn stop(&self, by: &str) -> BeginOutcome {
        self.store.begin_stop(BeginStop { owner: owner(by), computer: computer() }).await.unwrap()
    }

    async fn delete(&self, by: &str) -> BeginOutcome {
        self.store.begin_delete(BeginDelete { owner: owner(by), computer: computer() }).await.unwrap()
    }

    /// The start of this launch is driven until its owner has heard that it is up.
    async fn is_up(&self, by: &str, number: u64) -> Mark {
        self.says(by).send(&computer(), Kind::Start, launch(number)).await.unwrap();
        let call = Start { computer: computer(), launch: launch(number) };
        let _ = self.provider.start(self.locks.sweep().io(), call).await.unwrap();
        assert!(self.provider.admit(&computer()));
        let mark = self.seen(number).await.mark;
        self.says(by).hear(&computer(), launch(number), Ending::Admitted, mark).await.unwrap();
        mark
    }

    async fn settle(&self, by: &str, number: u64, ending: Ending, mark: Mark) -> SettleOutcome {
        let request = Settle { owner: owner(by), computer: computer(), launch: launch(number), ending, mark };
        self.store.settle(request).await.unwrap()
    }

    /// It was started, and is ready.
    async fn ready(&self) {
        let _ = self.start("one").await;
        let mark = self.is_up("one", 1).await;
        let _ = self.settle("one", 1, Ending::Admitted, mark).await;
    }

    async fn seen(&self, number: u64) -> Observation {
        let call = Get { computer: computer(), launch: launch(number) };
        self.provider.get(self.locks.sweep().io(), call).await.unwrap()
    }

    /// A sweep reads the row, and the provider.
    async fn look(&self, by: &str) -> (Standing, Observation) {
        let row = self.store.read(Read { owner: owner(by), computer: computer() }).await.unwrap();
        self.says(by).begin_get(&computer()).await.unwrap();
        let seen = self.seen(row.launch.number()).await;
        self.says(by).end_get(&seen).await.unwrap();
        (row, seen)
    }

    async fn conclude(&self, by: &str, (row, seen): (Standing, Observation)) -> ConcludeOutcome {
        self.store.conclude(Conclude { owner: owner(by), expected: row.revision, seen }).await.unwrap()
    }

    async fn deliver(&self, by: &str, report: Observation) -> DeliverOutcome {
        self.store.deliver(Deliver { owner: owner(by), report }).await.unwrap()
    }

    async fn told(&self) -> Observation {
        self.provider.list(self.locks.sweep().io()).await.unwrap().pop().unwrap()
    }

    /// The trace up to the edit is right, and the step behind it is refused for this.
    async fn is_refused(&self, action: Verb, because: Requirement) {
        let (report, trace) = judged(&self.store).await;
        let text = render::text(&report, Colors::Never);
        assert_eq!(report.verdict, Verdict::Diverges, "{because}: {text}\n{trace}");
        let divergence = report.divergence.unwrap();
        assert_eq!((divergence.action, divergence.requirement), (action, Some(because)), "{text}\n{trace}");
    }

    async fn conforms(&self) {
        let (report, trace) = judged(&self.store).await;
        assert_eq!(report.verdict, Verdict::Conforms, "{}\n{trace}", render::text(&report, Colors::Never));
    }
}

fn play(scenario: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(scenario);
}

#[test]
fn reconcile_1_a_start_over_what_runs_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        world.conforms().await;
        world.edit("phase = 'stopped'");
        assert!(matches!(world.start("two").await, BeginOutcome::Begun { .. }));
        world.is_refused(Verb::Start, Reconcile1).await;
    });
}

#[test]
fn reconcile_1_a_launch_that_is_not_the_next_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        let _ = world.stop("one").await;
        world.conforms().await;
        world.edit("phase = 'error', owner = NULL, launch = 2");
        assert!(matches!(world.start("two").await, BeginOutcome::Begun { .. }));
        world.is_refused(Verb::Start, Reconcile1).await;
    });
}

#[test]
fn reconcile_2_a_start_that_settles_over_a_stop_is_refused() {
    play(async {
        let world = Edited::new().await;
        let _ = world.start("one").await;
        let mark = world.is_up("one", 1).await;
        let _ = world.stop("two").await;
        world.conforms().await;
        world.edit("phase = 'starting', owner = 'one'");
        assert!(matches!(world.settle("one", 1, Ending::Admitted, mark).await, SettleOutcome::Settled { .. }));
        world.is_refused(Verb::Settle, Reconcile2).await;
    });
}

#[test]
fn reconcile_3_a_sweep_that_writes_over_another_row_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        assert!(world.provider.exit(&computer()));
        let look = world.look("two").await;
        // The report of the exit, and that of another life, are written in between.
        let _ = world.deliver("three", world.told().await).await;
        assert!(world.provider.revive(&computer()) && world.provider.admit(&computer()));
        let _ = world.deliver("three", world.told().await).await;
        world.conforms().await;
        world.edit(&format!("revision = {}", look.0.revision.number()));
        assert!(matches!(world.conclude("two", look).await, ConcludeOutcome::Written { .. }));
        world.is_refused(Verb::Conclude, Reconcile3).await;
    });
}

#[test]
fn reconcile_4_a_sweep_that_writes_over_a_start_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        let _ = world.stop("one").await;
        let proof = {
            world.says("one").send(&computer(), Kind::Stop, launch(1)).await.unwrap();
            world.provider.stop(world.locks.sweep().io(), computer(), launch(1)).await.unwrap()
        };
        world.says("one").hear(&computer(), launch(1), Ending::Stopped, proof.mark()).await.unwrap();
        let _ = world.settle("one", 1, Ending::Stopped, proof.mark()).await;
        // The start has claimed the row, and the old exit is what is seen.
        let _ = world.start("one").await;
        let mut look = world.look("two").await;
        world.conforms().await;
        world.edit("phase = 'ready', owner = NULL, launch = 1");
        look.0.revision = world.store.standing(computer()).await.unwrap().revision;
        assert!(matches!(world.conclude("two", look).await, ConcludeOutcome::Written { .. }));
        world.is_refused(Verb::Conclude, Reconcile4).await;
    });
}

#[test]
fn reconcile_5_a_report_of_another_launch_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        let _ = world.stop("one").await;
        world.says("one").send(&computer(), Kind::Stop, launch(1)).await.unwrap();
        let proof = world.provider.stop(world.locks.sweep().io(), computer(), launch(1)).await.unwrap();
        world.says("one").hear(&computer(), launch(1), Ending::Stopped, proof.mark()).await.unwrap();
        let _ = world.settle("one", 1, Ending::Stopped, proof.mark()).await;
        let _ = world.start("one").await;
        world.says("one").fail(&computer(), launch(2)).await.unwrap();
        let _ = world.settle("one", 2, Ending::Failed, Mark::START).await;
        world.conforms().await;
        world.edit("launch = 1, mark = 0");
        let _ = world.deliver("two", world.told().await).await;
        world.is_refused(Verb::Deliver, Reconcile5).await;
    });
}

/// No guard is broken here: chance meets this one hardly ever.
#[test]
fn reconcile_5_a_sweep_that_sees_the_launch_before_writes_nothing() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        assert!(world.provider.exit(&computer()));
        let _ = world.deliver("two", world.told().await).await;
        // The second start fails before anything was sent, and the first launch is up again.
        let _ = world.start("one").await;
        world.says("one").fail(&computer(), launch(2)).await.unwrap();
        let _ = world.settle("one", 2, Ending::Failed, Mark::START).await;
        assert!(world.provider.revive(&computer()) && world.provider.admit(&computer()));
        let look = world.look("two").await;
        let current = launch(2);
        assert_eq!(world.conclude("two", look).await, ConcludeOutcome::AnotherLaunch { current });
        world.conforms().await;
    });
}

#[test]
fn reconcile_7_an_operation_that_is_taken_from_the_living_is_refused() {
    play(async {
        let world = Edited::new().await;
        let _ = world.start("one").await;
        world.conforms().await;
        world.edit("owner = 'three'");
        let liveness = FakeLiveness::new();
        liveness.die(owner("three"));
        let dead = liveness.prove_death(owner("three")).await.unwrap();
        let (kind, launch) = (Kind::Start, launch(1));
        let request = Recover { owner: owner("two"), computer: computer(), dead, kind, launch };
        assert!(matches!(world.store.recover(request).await.unwrap(), RecoverOutcome::Recovered { .. }));
        world.is_refused(Verb::Recover, Reconcile7).await;
    });
}

#[test]
fn reconcile_8_an_operation_that_goes_on_with_another_launch_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        let _ = world.stop("one").await;
        world.conforms().await;
        world.edit("launch = 2");
        let liveness = FakeLiveness::new();
        liveness.die(owner("one"));
        let dead = liveness.prove_death(owner("one")).await.unwrap();
        let (kind, launch) = (Kind::Stop, launch(2));
        let request = Recover { owner: owner("two"), computer: computer(), dead, kind, launch };
        assert!(matches!(world.store.recover(request).await.unwrap(), RecoverOutcome::Recovered { .. }));
        world.is_refused(Verb::Recover, Reconcile8).await;
    });
}

#[test]
fn reconcile_9_a_stop_that_is_not_admitted_is_refused() {
    play(async {
        let world = Edited::new().await;
        let _ = world.start("one").await;
        world.conforms().await;
        world.edit("phase = 'stopped', owner = NULL");
        assert!(matches!(world.stop("two").await, BeginOutcome::Refused { .. }));
        world.is_refused(Verb::Stop, Reconcile17).await;
    });
}

#[test]
fn reconcile_10_a_deletion_of_what_is_gone_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        let _ = world.delete("one").await;
        world.conforms().await;
        world.edit("phase = 'error', owner = NULL");
        assert!(matches!(world.delete("two").await, BeginOutcome::Begun { .. }));
        world.is_refused(Verb::Delete, Reconcile10).await;
    });
}

#[test]
fn reconcile_11_a_report_that_comes_again_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        assert!(world.provider.exit(&computer()));
        let exit = world.told().await;
        let _ = world.deliver("two", exit.clone()).await;
        assert!(world.provider.revive(&computer()) && world.provider.admit(&computer()));
        let _ = world.deliver("two", world.told().await).await;
        world.conforms().await;
        world.edit("mark = 0");
        assert!(matches!(world.deliver("two", exit).await, DeliverOutcome::Written { .. }));
        world.is_refused(Verb::Deliver, Reconcile11).await;
    });
}

/// A provider that says something else than is so, to a sweep.
#[test]
fn reconcile_15_an_answer_that_is_not_so_is_refused() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        world.conforms().await;
        let _ = world.store.read(Read { owner: owner("two"), computer: computer() }).await.unwrap();
        world.says("two").begin_get(&computer()).await.unwrap();
        let mut seen = world.seen(1).await;
        seen.seen.as_mut().unwrap().condition = Condition::Exited;
        world.says("two").end_get(&seen).await.unwrap();
        let (report, trace) = judged(&world.store).await;
        let divergence = report.divergence.unwrap_or_else(|| panic!("it conforms:\n{trace}"));
        assert_eq!(divergence.action, Verb::Get);
    });
}

/// A row that somebody else has written is not the model's.
#[test]
fn trace_8_a_row_that_was_edited_is_refused_at_the_next_step() {
    play(async {
        let world = Edited::new().await;
        world.ready().await;
        world.edit("mark = 7");
        let _ = world.stop("one").await;
        let (report, trace) = judged(&world.store).await;
        let divergence = report.divergence.unwrap_or_else(|| panic!("it conforms:\n{trace}"));
        assert_eq!((divergence.action, divergence.requirement), (Verb::Stop, None));
    });
}
