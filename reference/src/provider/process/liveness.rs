//! Which control planes of this host are dead: an owner is named after its process, and dies with it.
//!
//! It stands here because it identifies processes as the provider beside it does. It has nothing to do with computers.

use std::future::{Future, ready};
use std::io;

use super::identity::{ProcessIdentity, boot_id};
use crate::id::OwnerName;
use crate::store::operation::Liveness;

/// What such a name begins with. Whoever is called anything else is not known here.
const PREFIX: &str = "process";

/// Tells of the death of control planes that are processes of this host. Each names itself by
/// [`ProcessLiveness::own_name`]: the boot of the kernel, the pid, and the start time.
///
/// # Guarantees
/// An owner is dead if it is of another boot, if nobody has its pid or somebody does who started at another time, or if
/// it has exited, reaped or not. Nobody is reaped, signalled or waited for. Whose name is not of this kind is never
/// called dead.
///
/// # Assumptions
/// ASSUME-14, that a pid and a start time are one process; ASSUME-15, that whoever has such a name in one store shares
/// one kernel, one space of pids and its view of `/proc`.
#[derive(Clone, Debug)]
pub struct ProcessLiveness {
    boot_id: String,
}

impl ProcessLiveness {
    /// An authority for this boot of this host.
    ///
    /// # Errors
    /// If the kernel does not say which boot it is in.
    pub fn new() -> io::Result<ProcessLiveness> {
        Ok(ProcessLiveness { boot_id: boot_id()? })
    }

    /// The name of the calling process as an owner, the same for its whole life. So a process has one
    /// [`crate::ControlPlane`] for each store.
    ///
    /// # Errors
    /// If the kernel does not show the process.
    pub fn own_name(&self) -> io::Result<OwnerName> {
        let pid = std::process::id().cast_signed();
        name_of(&ProcessIdentity::of(&self.boot_id, pid)?)
    }
}

impl Liveness for ProcessLiveness {
    fn is_dead(&self, owner: &OwnerName) -> impl Future<Output = io::Result<bool>> + Send {
        // RECONCILE-7: whoever is not known, or is only slow, is not dead.
        ready(identity_of(owner).map_or(Ok(false), |identity| identity.has_exited(&self.boot_id)))
    }
}

fn name_of(identity: &ProcessIdentity) -> io::Result<OwnerName> {
    let ProcessIdentity { boot_id, pid, start_time } = identity;
    OwnerName::new(format!("{PREFIX}/{boot_id}/{pid}/{start_time}")).map_err(io::Error::other)
}

fn identity_of(owner: &OwnerName) -> Option<ProcessIdentity> {
    let [PREFIX, boot_id, pid, start_time] = owner.as_str().split('/').collect::<Vec<_>>()[..] else { return None };
    let identity =
        ProcessIdentity { boot_id: boot_id.to_owned(), pid: pid.parse().ok()?, start_time: start_time.parse().ok()? };
    // What we would not have written is no name of ours, however it reads.
    let is_ours = !boot_id.is_empty() && identity.pid > 0 && name_of(&identity).ok()? == *owner;
    is_ours.then_some(identity)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::process::{Child, Command, Stdio};
    use std::task::{Context, Poll, Waker};

    use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};

    use super::*;
    use crate::provider::process::identity::Process;

    fn authority() -> ProcessLiveness {
        ProcessLiveness::new().unwrap()
    }

    fn is_dead(owner: &OwnerName) -> bool {
        let (authority, context) = (authority(), &mut Context::from_waker(Waker::noop()));
        let answer = pin!(authority.is_dead(owner)).poll(context);
        let Poll::Ready(answer) = answer else { panic!("it waits for nobody") };
        answer.unwrap()
    }

    /// It lives until its input closes.
    fn child() -> (Child, OwnerName) {
        let mut command = Command::new("/bin/sh");
        let child = command.args(["-c", "read -r _"]).stdin(Stdio::piped()).spawn().unwrap();
        let identity = ProcessIdentity::of(&boot_id().unwrap(), child.id().cast_signed()).unwrap();
        (child, name_of(&identity).unwrap())
    }

    #[test]
    fn reconcile_7_whoever_runs_is_not_dead() {
        assert!(!is_dead(&authority().own_name().unwrap()));
        assert_eq!(authority().own_name().unwrap(), authority().own_name().unwrap());
        let (mut child, name) = child();
        assert!(!is_dead(&name));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn reconcile_7_whoever_has_exited_is_dead_reaped_or_not_and_is_reaped_by_its_parent_alone() {
        let (mut child, name) = child();
        child.kill().unwrap();
        // 1. It has exited, and nobody has reaped it.
        let pidfd = pidfd_open(Pid::from_raw(child.id().cast_signed()).unwrap(), PidfdFlags::empty()).unwrap();
        assert!(Process::of(pidfd).exits_within(None).unwrap());
        assert!(is_dead(&name));
        // 2. Its status is still there, for whoever spawned it.
        let left = waitid(WaitId::Pid(Pid::from_child(&child)), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).unwrap();
        assert!(left.is_some(), "somebody else has reaped it");
        assert!(!child.wait().unwrap().success());
        // 3. It is reaped.
        assert!(is_dead(&name));
    }

    #[test]
    fn reconcile_7_another_boot_or_start_time_is_another_process() {
        let own = identity_of(&authority().own_name().unwrap()).unwrap();
        let of_another_boot = ProcessIdentity { boot_id: "another".to_owned(), ..own.clone() };
        let of_another_time = ProcessIdentity { start_time: own.start_time + 1, ..own };
        for identity in [of_another_boot, of_another_time] {
            assert!(is_dead(&name_of(&identity).unwrap()), "{identity:?}");
        }
    }

    #[test]
    fn reconcile_7_whoever_is_not_known_is_not_called_dead() {
        let not_ours = [
            "gateway-1",
            "process",
            "process/boot/1",
            "process//1/2",
            "process/boot/0/2",
            "process/boot/-1/2",
            "process/boot/+1/2",
            "process/boot/01/2",
            "process/boot/one/2",
            "process/boot/1/2/3",
            "Process/boot/1/2",
        ];
        for name in not_ours {
            assert!(!is_dead(&OwnerName::new(name).unwrap()), "{name}");
        }
        // Of another boot, and written as we write it: this is what the others lack.
        assert!(is_dead(&OwnerName::new("process/boot/1/2").unwrap()));
    }
}
