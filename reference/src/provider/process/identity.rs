//! Which process is meant, and whether it lives.

use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid};
use serde::{Deserialize, Serialize};

/// One process of a host. What differs in any part is another process, however its pid is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessIdentity {
    /// Of which boot of the kernel, as it says in `/proc/sys/kernel/random/boot_id`.
    pub boot_id: String,
    /// By which number.
    pub pid: i32,
    /// Since when: clock ticks after the boot.
    pub start_time: u64,
}

/// The boot that the kernel is in.
pub(super) fn boot_id() -> io::Result<String> {
    Ok(std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?.trim().to_owned())
}

impl ProcessIdentity {
    /// Who has this pid now. A child keeps its own until we have reaped it.
    pub(super) fn of(boot_id: &str, pid: i32) -> io::Result<ProcessIdentity> {
        let start_time = start_time(pid)?.ok_or(ErrorKind::NotFound)?;
        Ok(ProcessIdentity { boot_id: boot_id.to_owned(), pid, start_time })
    }

    /// The process, if it has not exited. If it was our child, it is reaped.
    pub(super) fn find(&self, boot_id: &str) -> io::Result<Option<Process>> {
        let Some(process) = self.open(boot_id)? else { return Ok(None) };
        if process.exits_within(Some(Duration::ZERO))? {
            process.reap();
            return Ok(None);
        }
        Ok(Some(process))
    }

    /// Whether it has exited. Nothing is done to it: its parent may wait for its status.
    pub(super) fn has_exited(&self, boot_id: &str) -> io::Result<bool> {
        // One that has exited and was not reaped runs nothing.
        self.open(boot_id)?.map_or(Ok(true), |process| process.exits_within(Some(Duration::ZERO)))
    }

    /// The process, unless it was reaped.
    ///
    /// The descriptor is opened first and the identity is compared after that: who has the pid now, and had it when the
    /// record was written, had it in between.
    fn open(&self, boot_id: &str) -> io::Result<Option<Process>> {
        let (Some(pid), true) = (Pid::from_raw(self.pid), self.boot_id == boot_id) else { return Ok(None) };
        let process = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(pidfd) => Process(pidfd),
            // Nobody has the pid; or a thread has it, and no process.
            Err(Errno::SRCH | Errno::INVAL | Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        match start_time(self.pid)? {
            Some(start_time) if start_time == self.start_time => Ok(Some(process)),
            Some(_) => Ok(None),
            // Reaped since the descriptor was opened, or hidden from us; whoever is hidden may live.
            None if !process.exits_within(Some(Duration::ZERO))? => Err(ErrorKind::PermissionDenied.into()),
            None => Ok(None),
        }
    }
}

/// A process that was compared with its identity. The descriptor never means another.
pub(super) struct Process(OwnedFd);

impl Process {
    #[cfg(test)]
    pub(super) fn of(pidfd: OwnedFd) -> Process {
        Process(pidfd)
    }

    /// Asks it to end, kills it after the grace, and waits until it is dead.
    pub(super) fn end(&self, grace: Duration) -> io::Result<()> {
        self.signal(Signal::TERM)?;
        if !self.exits_within(Some(grace))? {
            self.signal(Signal::KILL)?;
            // Without a limit: nobody may say that it is dead before it is.
            self.exits_within(None)?;
        }
        self.reap();
        Ok(())
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        match pidfd_send_signal(&self.0, signal) {
            // It has exited meanwhile.
            Ok(()) | Err(Errno::SRCH) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether it exits before the time is over. One that has exited and was not reaped is dead: it runs nothing.
    pub(super) fn exits_within(&self, time: Option<Duration>) -> io::Result<bool> {
        // The kernel cannot count more than this.
        let time = time.map(|time| Timespec::try_from(time).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 }));
        let exited = retry_on_intr(|| poll(&mut [PollFd::new(&self.0, PollFlags::IN)], time.as_ref()))?;
        Ok(exited > 0)
    }

    /// If it is our child; else whoever is its parent does.
    fn reap(&self) {
        let _ = waitid(WaitId::PidFd(self.0.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    }
}

impl AsFd for Process {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Of whoever has this pid; none if nobody has.
fn start_time(pid: i32) -> io::Result<Option<u64>> {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => parse_start_time(&stat).map(Some).ok_or_else(|| ErrorKind::InvalidData.into()),
        // The second is what reading says of a process that is reaped meanwhile.
        Err(error)
            if error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(Errno::SRCH.raw_os_error()) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The 22nd field. The second one is a name in brackets, which may have blanks and brackets of its own.
fn parse_start_time(stat: &str) -> Option<u64> {
    let (_, behind_the_name) = stat.rsplit_once(')')?;
    behind_the_name.split_whitespace().nth(22 - 3)?.parse().ok()
}

#[test]
fn a_start_time_is_found_behind_any_name() {
    let rest = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 424242 20 21";
    assert_eq!(parse_start_time(&format!("7 (sh) {rest}")), Some(424_242));
    assert_eq!(parse_start_time(&format!("7 (a ) (b) 1) {rest}")), Some(424_242));
    assert_eq!(parse_start_time("7 (sh) S 1"), None);
}
