//! The same on a store in a file and a provider of real processes: real exits, real restarts, and a control plane that
//! is killed with an operation under way.

#[path = "../processes/world.rs"]
mod host;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use host::{ByPipe, NOBODY, kill};
use outlive::clock::Timer;
use outlive::operation::{Deleted, Limits, Restarted, Started, Stopped, Until, Waited};
use outlive::provider::process::{ProcessLiveness, ProcessProvider};
use outlive::store::operation::{Phase, Standing};
use outlive::store::{Create, Durability, Store};
use outlive::testing::provider_kit::Outside;
use outlive::{ComputerId, ControlPlane, OperationStore, Reconciler, SqliteOptions, SqliteStore};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::world::{computer, launch};

type Plane = ControlPlane<SqliteStore, Arc<ProcessProvider>, ProcessLiveness>;

struct Control {
    store: Arc<SqliteStore>,
    provider: Arc<ProcessProvider>,
    plane: Plane,
    id: ComputerId,
}

impl Control {
    async fn of(folder: &Path, provider: ProcessProvider) -> Control {
        let options = SqliteOptions::new().durability(Durability::Normal);
        let (store, provider) =
            (Arc::new(SqliteStore::open(folder.join("store.db"), options).unwrap()), Arc::new(provider));
        let liveness = ProcessLiveness::new().unwrap();
        let own = liveness.own_name().unwrap();
        let mut limits = Limits::default();
        limits.poll_interval = Duration::from_millis(20);
        limits.revival = Duration::from_secs(60);
        let timer = Timer::new(tokio::time::sleep);
        let plane = ControlPlane::with_limits(own, store.clone(), provider.clone(), liveness, timer, limits);
        let id = computer("worker");
        let _ = store.create(Create { computer: id.clone() }).await.unwrap();
        Control { store, provider, plane, id }
    }

    fn passes(&self) -> Reconciler<SqliteStore, Arc<ProcessProvider>, ProcessLiveness> {
        Reconciler::new(self.plane.clone())
    }

    async fn row(&self) -> Standing {
        self.store.standing(self.id.clone()).await.unwrap()
    }

    fn pid(&self) -> i32 {
        self.provider.process_of(&self.id).unwrap().unwrap().pid
    }
}

#[tokio::test]
async fn reconcile_20_processes_are_started_stopped_restarted_and_deleted() {
    let world = host::World::new();
    let control = Control::of(world.folder(), world.provider_of(world.idle())).await;
    let (plane, id) = (&control.plane, &control.id);
    let started = plane.start(id).await.unwrap();
    assert!(matches!(started, Started::Ready { launch: of } if of == launch(1)), "{started:?}");
    assert_eq!(world.processes(), [control.pid()]);
    assert_eq!(plane.stop(id).await.unwrap(), Stopped::Stopped { up_to: launch(1) });
    assert_eq!(world.processes(), NOBODY);
    for number in 2..=3 {
        let restarted = plane.restart(id).await.unwrap();
        assert!(matches!(restarted, Restarted::Ready { launch: of } if of == launch(number)), "{restarted:?}");
        assert_eq!(world.processes(), [control.pid()]);
    }
    assert_eq!(plane.delete(id).await.unwrap(), Deleted::Gone { up_to: launch(3) });
    assert_eq!((world.processes(), control.row().await.phase), (Vec::new(), Phase::Gone));
}

#[tokio::test]
async fn reconcile_22_a_process_that_is_killed_from_outside_is_an_error_until_it_is_up_again() {
    let world = host::World::new();
    let control = Control::of(world.folder(), world.provider()).await;
    let hand = ByPipe { world: &world, provider: &control.provider };
    let start = {
        let (plane, id) = (control.plane.clone(), control.id.clone());
        tokio::spawn(async move { plane.start(&id).await.unwrap() })
    };
    while world.processes().is_empty() {
        tokio::task::yield_now().await;
    }
    hand.admit(&control.id).await;
    assert!(matches!(start.await.unwrap(), Started::Ready { .. }));
    // 1. It dies, and a report tells.
    let follow = {
        let (passes, id) = (control.passes(), control.id.clone());
        tokio::spawn(async move { passes.follow(&id).await })
    };
    kill(control.pid());
    until(&control, Phase::Error).await;
    // 2. Its policy starts it again, and it is ready once it says so: the same launch.
    revive(&control, &world).await;
    hand.admit(&control.id).await;
    until(&control, Phase::Ready).await;
    follow.abort();
    let _ = follow.await;
    // 3. It dies, and nobody tells: a sweep finds it.
    kill(control.pid());
    until_nobody(&world).await;
    let counts = control.passes().pass().await.sweep;
    assert_eq!((counts.written, control.row().await.phase), (1, Phase::Error), "{counts:?}");
    assert_eq!(control.row().await.launch, launch(1));
    // 4. What is an error can be stopped, and the policy does not undo it.
    assert_eq!(control.plane.stop(&control.id).await.unwrap(), Stopped::Stopped { up_to: launch(1) });
    revive(&control, &world).await;
    assert_eq!(world.processes(), NOBODY);
}

async fn until(control: &Control, phase: Phase) {
    while control.row().await.phase != phase {
        tokio::task::yield_now().await;
    }
}

/// The restart policy has its turn. Whoever looks at the computer meanwhile makes it come again.
async fn revive(control: &Control, world: &host::World) {
    loop {
        let turn = control.provider.revive(world.locks.sweep().io()).await.unwrap();
        assert_eq!(turn.failed, 0, "{turn:?}");
        if turn.passed_by == 0 {
            return;
        }
    }
}

async fn until_nobody(world: &host::World) {
    while !world.processes().is_empty() {
        tokio::task::yield_now().await;
    }
}

// ------------------------------------------------------------------------------------ a control plane that is killed

const TEST: &str =
    "processes::reconcile_7_the_start_of_a_control_plane_that_is_killed_is_taken_over_as_the_same_process";
/// Set for the process that is killed.
const FOLDER: &str = "OUTLIVE_DRIVING_FOLDER";
const BEGUN: &str = "it is under way";

#[tokio::test]
async fn reconcile_7_the_start_of_a_control_plane_that_is_killed_is_taken_over_as_the_same_process() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return be_killed(Path::new(&folder)).await;
    }
    let world = host::World::new();
    let control = Control::of(world.folder(), world.provider()).await;
    // 1. Another control plane begins a start, and waits for the admission.
    let mut another = another(&world);
    let begun = control.row().await;
    assert_eq!((begun.phase, begun.launch), (Phase::Starting, launch(1)));
    assert!(begun.owner.as_ref() != Some(control.plane.owner()));
    let pids = world.processes();
    assert_eq!(pids.len(), 1);
    // 2. It lives, so it is passed by.
    let counts = control.passes().pass().await.under_way;
    assert_eq!((counts.listed, counts.passed_by), (1, 1), "{counts:?}");
    assert_eq!(control.row().await, begun);
    // 3. It is killed. Nobody has reaped it, and it is dead all the same.
    another.kill().unwrap();
    let exited = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let _ = waitid(WaitId::Pid(Pid::from_child(&another)), exited).unwrap();
    // 4. It is taken over: the same launch, and the very process that the dead one has started.
    let pass = {
        let passes = control.passes();
        tokio::spawn(async move { passes.pass().await.under_way })
    };
    while control.row().await.owner.as_ref() != Some(control.plane.owner()) {
        tokio::task::yield_now().await;
    }
    ByPipe { world: &world, provider: &control.provider }.admit(&control.id).await;
    let waited = control.plane.wait(&control.id, Until::Ready, launch(1)).await.unwrap();
    assert!(matches!(waited, Waited::Reached { .. }), "{waited:?}");
    assert_eq!(pass.await.unwrap().settled, 1);
    assert_eq!(world.processes(), pids);
    another.wait().unwrap();
    assert_eq!(control.plane.delete(&control.id).await.unwrap(), Deleted::Gone { up_to: launch(1) });
    assert_eq!(world.processes(), NOBODY);
}

/// This test once more, in a process of its own.
fn another(world: &host::World) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([TEST, "--exact", "--nocapture"]).env(FOLDER, world.folder());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.by_ref().map_while(Result::ok).any(|line| line.ends_with(BEGUN)), "it has begun nothing");
    child
}

async fn be_killed(folder: &Path) {
    let world = host::World::of_another(folder);
    let control = Control::of(folder, world.provider()).await;
    let start = async { drop(control.plane.start(&control.id).await) };
    let tell = async {
        while !is_let_go(&world) {
            tokio::task::yield_now().await;
        }
        println!("{BEGUN}");
        std::future::pending::<()>().await;
    };
    tokio::join!(start, tell);
    panic!("nobody has killed the process");
}

/// A child is held before it becomes its program, and exits if its control plane dies before that.
fn is_let_go(world: &host::World) -> bool {
    let runs = |pid: &i32| std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let commands: Vec<String> = world.processes().iter().map(runs).collect();
    !commands.is_empty() && commands.iter().all(|it| !it.is_empty() && !it.contains("read -r go"))
}
