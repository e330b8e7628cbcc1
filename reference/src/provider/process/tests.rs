//! What stands between two steps: a child that is held, a record that fails, a stop that waits.

use std::io::{PipeReader, PipeWriter, Read, pipe};
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Signal, pidfd_send_signal};
use tempfile::TempDir;

use super::birth::Held;
use super::host::{Host, Revival};
use super::identity::boot_id;
use super::program::{Program, RestartPolicy};
use super::thread;
use crate::error::ProviderError;
use crate::id::{ComputerId, Launch, Mark};
use crate::provider::{Condition, End, EndKind, Get, Start, StartOutcome, Watch};
use crate::trace::ProviderRecorder;

fn computer() -> ComputerId {
    ComputerId::new("worker").unwrap()
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

/// A host with one computer, of which nothing is left behind.
struct World {
    folder: TempDir,
    host: Host,
    /// Somebody waits for reports.
    caller: (PipeReader, PipeWriter),
}

impl World {
    fn of(program: impl FnOnce(&Path) -> Program) -> World {
        let folder = tempfile::tempdir().unwrap();
        let program = program(folder.path());
        let host =
            Host::open(&folder.path().join("records"), Box::new(move |_| program.clone()), ProviderRecorder::default())
                .unwrap();
        World { folder, host, caller: pipe().unwrap() }
    }

    fn start(&self, number: u64) -> Result<StartOutcome, ProviderError> {
        self.host.start(&Start { computer: computer(), launch: launch(number) })
    }

    fn stop(&self, number: u64) {
        let ended = self.host.end(End { computer: computer(), up_to: launch(number), kind: EndKind::Stop }).unwrap();
        assert_eq!(ended.up_to, launch(number));
    }

    fn condition(&self) -> Option<Condition> {
        let seen = self.host.get(&Get { computer: computer(), launch: launch(1) }).unwrap().seen;
        seen.map(|seen| seen.condition)
    }

    fn until_up(&self) {
        let mut after = Mark::START;
        while self.condition() != Some(Condition::Up) {
            after = self.host.watch(&Watch { computer: computer(), after }, &self.caller.0).unwrap().mark;
        }
    }

    /// Somebody outside kills it, and it is dead.
    fn kill(&self) {
        let Ok(Some(identity)) = self.host.process_of(&computer()) else { return };
        if let Ok(Some(process)) = identity.find(&boot_id().unwrap()) {
            let _ = pidfd_send_signal(&process, Signal::KILL);
            assert!(process.exits_within(None).unwrap());
        }
    }

    /// How many processes were told of a file in this folder, and run.
    fn processes(&self) -> usize {
        let told = format!("OUTLIVE_READY={}/", self.folder.path().join("records").display());
        let paths = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path().join("environ"));
        let variables = paths.filter_map(|path| std::fs::read(path).ok());
        variables.filter(|variables| String::from_utf8_lossy(variables).contains(&told)).count()
    }
}

/// Whoever waits for its death is freed when this is dropped.
struct Killed<'w>(&'w World);

impl Drop for Killed<'_> {
    fn drop(&mut self) {
        self.0.kill();
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A shell that obeys this script. It is told of a pipe to which nobody writes, and of another.
fn shell(folder: &Path, script: &str) -> Program {
    let mut program = Program::new("/bin/sh").argument("-c").argument(script);
    for pipe in ["nobody-writes", "asked"].map(|name| folder.join(name)) {
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        program = program.argument(pipe.to_str().unwrap());
    }
    program.restart_policy(RestartPolicy::Always)
}

/// Is ready at once, and ends when it is asked to.
fn idle(folder: &Path) -> Program {
    shell(folder, r#": > "$OUTLIVE_READY"; while :; do read -r _ < "$0"; done"#)
}

/// Does not end when it is asked to, but says on the other pipe that it was asked. It waits for nothing: a shell that
/// is about to wait would not hear of a signal before that is over.
fn stubborn(folder: &Path) -> Program {
    let says_so = r#"trap 'echo asked > "$1"' TERM; : > "$OUTLIVE_READY"; while :; do :; done"#;
    shell(folder, says_so).grace(Duration::MAX)
}

/// Leaves a file where it has been.
fn writer(file: &Path) -> Program {
    Program::new("/bin/sh").argument("-c").argument(": > \"$0\"").argument(file.to_str().unwrap())
}

// ------------------------------------------------------------------------------------------------- a child is held

fn held(folder: &TempDir, file: &Path) -> Held {
    Held::spawn(&boot_id().unwrap(), &writer(file), &folder.path().join("ready")).unwrap()
}

#[test]
fn a_child_acts_once_it_is_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("was-here");
    let held = held(&folder, &file);
    let process = held.identity().find(&boot_id().unwrap()).unwrap().expect("it waits");
    held.release();
    assert!(process.exits_within(None).unwrap());
    assert!(file.exists());
}

#[test]
fn a_child_whose_control_plane_dies_before_the_record_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("was-here");
    let mut held = held(&folder, &file);
    // That is what the kernel does for whoever dies.
    drop(held.pipe.take());
    let status = held.child.wait().unwrap();
    assert_eq!(status.code(), Some(1), "it exits by itself, and without its program");
    assert!(!file.exists());
}

#[test]
fn a_child_that_is_given_up_is_dead_and_reaped() {
    let folder = tempfile::tempdir().unwrap();
    let held = held(&folder, &folder.path().join("was-here"));
    let of_the_child = format!("/proc/{}", held.identity().pid);
    assert!(Path::new(&of_the_child).exists());
    drop(held);
    assert!(!Path::new(&of_the_child).exists());
}

#[test]
fn a_record_that_cannot_be_written_leaves_no_process() {
    let world = World::of(idle);
    let draft = world.host.folder.file(&computer(), "draft");
    std::fs::create_dir(&draft).unwrap();
    let lost = world.start(1).unwrap_err();
    assert!(lost.is_transient(), "{lost:?}");
    assert_eq!(world.processes(), 0);
    // The launch was not spent.
    std::fs::remove_dir(&draft).unwrap();
    assert!(matches!(world.start(1).unwrap(), StartOutcome::Started { .. }));
    world.until_up();
    assert_eq!(world.processes(), 1);
}

// ---------------------------------------------------------------------------------------------------- a stop waits

#[test]
fn while_a_stop_waits_it_is_written_down_and_nobody_waits_with_it() {
    let world = World::of(stubborn);
    let _ = world.start(1).unwrap();
    world.until_up();
    std::thread::scope(|scope| {
        let stop = scope.spawn(|| world.stop(1));
        let killed = Killed(&world);
        // 1. The stop asks the process to end, which it does not.
        assert_eq!(std::fs::read_to_string(world.folder.path().join("asked")).unwrap(), "asked\n");
        // 2. Were it not durable by now, a crash here would let the policy undo it.
        let record = world.host.folder.read(&computer()).unwrap().unwrap();
        assert!(record.fenced == launch(1) && record.instance.is_some_and(|it| !it.is_armed));
        // 3. The record is free for everybody else.
        assert!(world.host.folder.try_lock(&computer()).unwrap().is_some());
        assert_eq!(world.condition(), Some(Condition::Up));
        assert_eq!(world.start(1).unwrap(), StartOutcome::Fenced { up_to: launch(1) });
        // 4. There is no proof before it is dead.
        assert!(!stop.is_finished());
        drop(killed);
    });
    assert_eq!(world.condition(), Some(Condition::Exited));
    assert_eq!(world.host.revive().unwrap(), Revival { looked_at: 1, left: 1, ..Revival::default() });
}

#[test]
fn while_a_newer_start_waits_the_old_instance_is_disarmed_and_the_new_one_not_there() {
    let world = World::of(stubborn);
    let _ = world.start(1).unwrap();
    world.until_up();
    std::thread::scope(|scope| {
        let start = scope.spawn(|| world.start(2).unwrap());
        let killed = Killed(&world);
        assert_eq!(std::fs::read_to_string(world.folder.path().join("asked")).unwrap(), "asked\n");
        // The policy may have its turn before the start has.
        let record = world.host.folder.read(&computer()).unwrap().unwrap();
        assert!(record.instance.is_some_and(|it| it.launch == launch(1) && !it.is_armed));
        assert!(world.host.folder.try_lock(&computer()).unwrap().is_some());
        assert_eq!(world.processes(), 1);
        drop(killed);
        assert!(matches!(start.join().unwrap(), StartOutcome::Started { .. }));
    });
    world.until_up();
    assert_eq!(world.processes(), 1);
}

#[test]
fn what_does_not_end_within_its_grace_is_killed() {
    let ignores = r#"trap '' TERM; : > "$OUTLIVE_READY"; while :; do read -r _ < "$0"; done"#;
    let world = World::of(|folder| shell(folder, ignores).grace(Duration::ZERO));
    let _ = world.start(1).unwrap();
    world.until_up();
    world.stop(1);
    assert_eq!((world.condition(), world.processes()), (Some(Condition::Exited), 0));
}

#[test]
fn the_word_of_a_former_process_admits_nobody() {
    let world = World::of(|folder| shell(folder, r#"while :; do read -r _ < "$0"; done"#));
    let _ = world.start(1).unwrap();
    let first = world.host.folder.ready(&computer(), 1);
    std::fs::write(&first, "").unwrap();
    assert_eq!(world.condition(), Some(Condition::Up));
    world.kill();
    assert_eq!(world.host.revive().unwrap().revived, 1);
    assert!(!first.exists());
    // Something that the first has started says it again.
    std::fs::write(&first, "").unwrap();
    assert_eq!(world.condition(), Some(Condition::Booting));
}

#[test]
fn who_is_at_work_on_a_computer_is_not_waited_for() {
    let world = World::of(idle);
    let _ = world.start(1).unwrap();
    world.until_up();
    let reported = world.host.list().unwrap();
    world.kill();
    let locked = world.host.folder.lock(&computer()).unwrap();
    // The list shows the past, and the policy comes again.
    assert_eq!(world.host.list().unwrap(), reported);
    assert_eq!(world.host.revive().unwrap(), Revival { looked_at: 1, passed_by: 1, ..Revival::default() });
    drop(locked);
    assert!(world.host.list().unwrap()[0].mark.is_beyond(reported[0].mark));
    assert_eq!(world.host.revive().unwrap(), Revival { looked_at: 1, revived: 1, ..Revival::default() });
}

// ------------------------------------------------------------------------------------------------------ who waits

#[test]
fn a_watch_ends_when_nobody_waits_for_it() {
    let world = World::of(idle);
    let (caller, waiting) = pipe().unwrap();
    drop(waiting);
    let ended = world.host.watch(&Watch { computer: computer(), after: Mark::START }, &caller);
    assert!(matches!(ended, Err(ProviderError::Transport { .. })), "{ended:?}");
}

#[test]
fn who_drops_the_future_of_a_watch_does_not_wait() {
    let (done, is_done) = channel();
    let waits = thread::ask_while_waited_for(move |mut caller| {
        let is_closed = caller.read(&mut [0]).map_err(ProviderError::transport)? == 0;
        done.send(is_closed).map_err(ProviderError::transport)
    });
    assert!(is_done.try_recv().is_err());
    drop(waits);
    assert!(is_done.recv().unwrap());
}

#[tokio::test]
async fn a_thread_that_panics_gives_no_answer() {
    let answer = thread::ask::<()>(|| panic!("as planned")).await;
    assert!(matches!(&answer, Err(error) if error.is_transient()), "{answer:?}");
}
