//! A provider of real processes: what it learns of them, and what it does, is a behaviour of the model, although an end
//! takes its time and nobody says when a process has died.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use outlive::locks::Locks;
use outlive::provider::process::{ProcessProvider, Program, RestartPolicy, Revival};
use outlive::provider::{Condition, Get, Observation, Start, StartOutcome, Watch};
use outlive::store::operation::*;
use outlive::store::{Create, Durability, SqliteOptions};
use outlive::trace::OwnerRecorder;
use outlive::{ComputerId, Launch, Mark, OperationStore, OwnerName, Provider, ProviderName, SqliteStore, Store};
use outlive_model_check::conform::render::{self, Colors};
use outlive_model_check::conform::report::Verdict;
use outlive_spec::trace::Event;

use crate::judged;

/// Gets ready, and exits when it is killed. It counts nothing and leaves nothing behind.
const IDLE: &str = r#": > "$OUTLIVE_READY"; exec sleep 600"#;

struct World {
    folder: tempfile::TempDir,
    store: Arc<SqliteStore>,
    provider: ProcessProvider,
    locks: Locks<()>,
    says: OwnerRecorder,
}

fn computer() -> ComputerId {
    ComputerId::new("computer").unwrap()
}

fn owner() -> OwnerName {
    OwnerName::new("one").unwrap()
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

/// One of the control planes that share the folder.
fn provider(folder: &Path, store: &SqliteStore) -> ProcessProvider {
    let recorder = store.recorder().provider(&ProviderName::new("provider").unwrap());
    let program = |_: &ComputerId| {
        Program::new("/bin/sh")
            .argument("-c")
            .argument(IDLE)
            .variable("PATH", "/usr/bin:/bin")
            .restart_policy(RestartPolicy::Always)
    };
    ProcessProvider::open_recording(folder.join("records"), program, recorder).unwrap()
}

impl World {
    async fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions::new().durability(Durability::Normal).recording();
        let store = Arc::new(SqliteStore::open(folder.path().join("store.db"), options).unwrap());
        let _ = store.create(Create { computer: computer() }).await.unwrap();
        let provider = provider(folder.path(), &store);
        let says = store.recorder().owner(&owner());
        World { folder, store, provider, locks: Locks::new(()), says }
    }

    async fn start(&self, number: u64) {
        let begun = self.store.begin_start(BeginStart { owner: owner(), computer: computer() }).await.unwrap();
        assert!(matches!(begun, BeginOutcome::Begun { .. }), "{begun:?}");
        self.sent(Kind::Start, number).await;
        let started = self.call_start(number).await;
        assert!(matches!(started, StartOutcome::Started { .. }), "{started:?}");
        let mark = self.until(Condition::Up).await;
        self.settle(number, Ending::Admitted, mark).await;
    }

    async fn sent(&self, kind: Kind, number: u64) {
        self.says.send(&computer(), kind, launch(number)).await.unwrap();
    }

    async fn call_start(&self, number: u64) -> StartOutcome {
        let call = Start { computer: computer(), launch: launch(number) };
        self.provider.start(self.locks.sweep().io(), call).await.unwrap()
    }

    async fn settle(&self, number: u64, ending: Ending, mark: Mark) {
        self.says.hear(&computer(), launch(number), ending, mark).await.unwrap();
        let request = Settle { owner: owner(), computer: computer(), launch: launch(number), ending, mark };
        let settled = self.store.settle(request).await.unwrap();
        assert!(matches!(settled, SettleOutcome::Settled { .. }), "{settled:?}");
    }

    async fn stop(&self, number: u64) {
        let _ = self.store.begin_stop(BeginStop { owner: owner(), computer: computer() }).await.unwrap();
        self.sent(Kind::Stop, number).await;
        let proof = self.provider.stop(self.locks.sweep().io(), computer(), launch(number)).await.unwrap();
        self.settle(number, Ending::Stopped, proof.mark()).await;
    }

    async fn delete(&self, number: u64) {
        let _ = self.store.begin_delete(BeginDelete { owner: owner(), computer: computer() }).await.unwrap();
        self.sent(Kind::Delete, number).await;
        let proof = self.provider.remove(self.locks.sweep().io(), computer(), launch(number)).await.unwrap();
        self.settle(number, Ending::Removed, proof.mark()).await;
    }

    async fn get(&self) -> Observation {
        let call = Get { computer: computer(), launch: Launch::NONE };
        self.provider.get(self.locks.sweep().io(), call).await.unwrap()
    }

    /// Until that is reported, and still so. The place of the last report by then.
    async fn until(&self, expected: Condition) -> Mark {
        let mut after = Mark::START;
        loop {
            let call = Watch { computer: computer(), after };
            after = self.provider.watch(self.locks.sweep().io(), call).await.unwrap().mark;
            let seen = self.get().await;
            if seen.seen.is_some_and(|seen| seen.condition == expected) {
                return seen.mark;
            }
        }
    }

    /// Somebody outside kills it.
    fn kill(&self) {
        let identity = self.provider.process_of(&computer()).unwrap().unwrap();
        assert!(Command::new("kill").args(["-9", &identity.pid.to_string()]).status().unwrap().success());
    }

    /// A sweep, from the row to what follows.
    async fn sweep(&self) -> ConcludeOutcome {
        let row = self.store.read(Read { owner: owner(), computer: computer() }).await.unwrap();
        self.says.begin_get(&computer()).await.unwrap();
        let call = Get { computer: computer(), launch: row.launch };
        let seen = self.provider.get(self.locks.sweep().io(), call).await.unwrap();
        self.says.end_get(&seen).await.unwrap();
        self.store.conclude(Conclude { owner: owner(), expected: row.revision, seen }).await.unwrap()
    }

    async fn deliver_what_is_told(&self) -> DeliverOutcome {
        let report = self.provider.list(self.locks.sweep().io()).await.unwrap().pop().unwrap();
        self.store.deliver(Deliver { owner: owner(), report }).await.unwrap()
    }

    /// It conforms; what the provider has said of itself, in its order.
    async fn conforms(&self) -> Vec<String> {
        let (report, trace) = judged(&*self.store).await;
        assert_eq!(report.verdict, Verdict::Conforms, "{}\n{trace}", render::text(&report, Colors::Never));
        let events = trace.lines().skip(1).map(|line| serde_json::from_str::<Event<'_>>(line).unwrap());
        let own = events.filter(|event| &*event.process == "provider");
        let word = |event: Event<'_>| match event.because {
            None => event.action.word().to_owned(),
            Some(because) => format!("{} {because}", event.action.word()),
        };
        own.map(word).collect()
    }
}

fn play(scenario: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(scenario);
}

#[test]
fn the_life_of_a_process_is_a_behaviour_of_the_model() {
    play(async {
        let world = World::new().await;
        world.start(1).await;
        // The start comes again, and brings up nothing.
        assert!(matches!(world.call_start(1).await, StartOutcome::Started { .. }));
        world.kill();
        world.until(Condition::Exited).await;
        assert!(matches!(world.deliver_what_is_told().await, DeliverOutcome::Written { .. }));
        assert_eq!(world.provider.revive(world.locks.sweep().io()).await.unwrap().revived, 1);
        world.until(Condition::Up).await;
        assert!(matches!(world.sweep().await, ConcludeOutcome::Written { .. }));
        world.stop(1).await;
        let turn = Revival { looked_at: 1, left: 1, ..Revival::default() };
        for _ in 0..3 {
            assert_eq!(world.provider.revive(world.locks.sweep().io()).await.unwrap(), turn);
        }
        assert_eq!(world.call_start(1).await, StartOutcome::Fenced { up_to: launch(1) });
        world.start(2).await;
        world.delete(2).await;
        let told = world.conforms().await;
        let count = |what: &str| told.iter().filter(|it| *it == what).count();
        let counted = ["arrive", "arrive RECONCILE-6", "admit", "revive", "revive RECONCILE-14"].map(count);
        // Two starts, a stop and a removal; and the policy was refused once, however often it had its turn.
        assert_eq!(counted, [4, 2, 3, 1, 1], "{told:?}");
    });
}

#[test]
fn an_exit_is_recorded_before_whoever_learns_of_it_is_answered() {
    play(async {
        let world = World::new().await;
        world.start(1).await;
        world.kill();
        // Nobody watches. Whoever asks may meet it dying, and then it is up.
        while world.get().await.seen.is_some_and(|seen| seen.condition != Condition::Exited) {}
        assert!(matches!(world.sweep().await, ConcludeOutcome::Written { conclusion: Conclusion::Error, .. }));
        let told = world.conforms().await;
        assert_eq!(told.iter().filter(|it| *it == "exit").count(), 1, "{told:?}");
        world.delete(1).await;
        world.conforms().await;
    });
}

/// Two control planes on one folder and one store, which take turns.
#[test]
fn whoever_uses_the_folder_goes_on_with_its_trace() {
    play(async {
        let mut world = World::new().await;
        world.start(1).await;
        world.provider = provider(world.folder.path(), &world.store);
        world.kill();
        world.until(Condition::Exited).await;
        world.provider = provider(world.folder.path(), &world.store);
        world.stop(1).await;
        world.start(2).await;
        world.delete(2).await;
        let told = world.conforms().await;
        assert_eq!(told.iter().filter(|it| *it == "exit").count(), 2, "{told:?}");
    });
}
