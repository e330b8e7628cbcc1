//! A folder whose processes do what a test says, and none of which outlives the test.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::path::{Path, PathBuf};

use outlive::ComputerId;
use outlive::locks::Locks;
use outlive::provider::process::{ProcessProvider, Program, RestartPolicy};
use outlive::testing::provider_kit::Outside;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tempfile::TempDir;

/// Obeys one word after another that is written to its pipe, whose name is its first argument. It holds both ends: or
/// the pipe would end, and words be lost, between one writer and the next. It starts no process of its own.
const OBEDIENT: &str = r#"
exec 3<> "$0"
while read -r word <&3; do
    case $word in
    up) : > "$OUTLIVE_READY" ;;
    exit) exit 1 ;;
    esac
done"#;

/// No process is left.
pub(crate) const NOBODY: [i32; 0] = [];

/// Is ready at once, and does nothing until it is ended. It starts no process of its own, and stays the program that
/// it is: while one becomes another, its variables cannot be read.
const IDLE: &str = r#": > "$OUTLIVE_READY"; while :; do read -r _ < "$0"; done"#;

pub(crate) struct World {
    folder: PathBuf,
    /// Removes it. None if it is another's.
    _own: Option<TempDir>,
    pub(crate) locks: Locks<()>,
}

impl World {
    pub(crate) fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("pipes")).unwrap();
        make_pipe(&folder.path().join("nobody-writes"));
        World { folder: folder.path().to_owned(), _own: Some(folder), locks: Locks::default() }
    }

    /// The world of another process.
    pub(crate) fn of_another(folder: &Path) -> World {
        World { folder: folder.to_owned(), _own: None, locks: Locks::default() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Another provider of the same folder.
    pub(crate) fn provider(&self) -> ProcessProvider {
        let pipes = self.folder.join("pipes");
        ProcessProvider::open(self.records(), move |computer| obedient(&pipes, computer)).unwrap()
    }

    /// One whose computers all run this.
    pub(crate) fn provider_of(&self, program: Program) -> ProcessProvider {
        ProcessProvider::open(self.records(), move |_| program.clone()).unwrap()
    }

    pub(crate) fn idle(&self) -> Program {
        let pipe = self.folder.join("nobody-writes");
        Program::new("/bin/sh").argument("-c").argument(IDLE).argument(pipe.to_str().unwrap())
    }

    pub(crate) fn records(&self) -> PathBuf {
        self.folder.join("records")
    }

    /// The one record that there is.
    pub(crate) fn record(&self) -> PathBuf {
        let files = std::fs::read_dir(self.records()).unwrap().map(|entry| entry.unwrap().path());
        let mut records: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|it| it == "json")).collect();
        assert_eq!(records.len(), 1, "{records:?}");
        records.pop().unwrap()
    }

    /// Every process that was started by way of this folder and runs.
    pub(crate) fn processes(&self) -> Vec<i32> {
        processes_of(&self.records())
    }

    fn tell(&self, computer: &ComputerId, word: &str) {
        // It blocks until the process opens the other end.
        std::fs::write(self.folder.join("pipes").join(computer.as_str()), format!("{word}\n")).unwrap();
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for pid in self.processes() {
            kill(pid);
        }
    }
}

fn obedient(pipes: &Path, computer: &ComputerId) -> Program {
    let pipe = pipes.join(computer.as_str());
    if !pipe.exists() {
        make_pipe(&pipe);
    }
    let program = Program::new("/bin/sh").argument("-c").argument(OBEDIENT).argument(pipe.to_str().unwrap());
    program.restart_policy(RestartPolicy::Always)
}

fn make_pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// They are known by the file that they are told of. Whoever has exited has no variables any more.
fn processes_of(records: &Path) -> Vec<i32> {
    let told = format!("OUTLIVE_READY={}/", records.display());
    let pids =
        std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_ours = |pid: &i32| {
        let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|variable| variable.starts_with(told.as_bytes()))
    };
    pids.filter(is_ours).collect()
}

pub(crate) fn kill(pid: i32) {
    if let Ok(pidfd) = pidfd_open(Pid::from_raw(pid).unwrap(), PidfdFlags::empty()) {
        let _ = pidfd_send_signal(pidfd, Signal::KILL);
    }
}

/// The hand of the kit.
pub(crate) struct ByPipe<'a> {
    pub(crate) world: &'a World,
    pub(crate) provider: &'a ProcessProvider,
}

impl Outside for ByPipe<'_> {
    async fn admit(&self, computer: &ComputerId) {
        self.world.tell(computer, "up");
    }

    async fn exit(&self, computer: &ComputerId) {
        self.world.tell(computer, "exit");
    }

    async fn revive(&self, _: &ComputerId) {
        let turn = self.provider.revive(self.world.locks.sweep().io()).await.unwrap();
        assert_eq!((turn.passed_by, turn.failed), (0, 0), "{turn:?}");
        assert_eq!(turn.looked_at, turn.revived + turn.left);
    }
}
