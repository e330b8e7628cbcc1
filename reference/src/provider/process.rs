//! A provider of processes: each instance is one process of this host, under Linux.
//!
//! # Theory of operation
//!
//! A folder has one *record* for each computer: its fence, its instance, and the last report. The record is changed
//! under a lock of the file system, and replaced as a whole, durably. So several control planes of one host can use one
//! folder, and the fence of a computer outlives all of them.
//!
//! A pid is no identity: it is given out again. A process is the boot of the kernel, the pid and the start time; what
//! differs in any of them is somebody else, and ours has exited. It is killed and waited for by a *pidfd*, a descriptor
//! that never means another process, once its identity was compared.
//!
//! *A child is born held.* Between the spawn and the record the control plane can die, and nobody would know of the
//! child. So a child waits on a pipe before it becomes its program, and exits when the pipe closes; it is let go once
//! its identity is on the disk.
//!
//! An instance is [`Condition::Up`](super::Condition::Up) once its program has created the file that the variable
//! `OUTLIVE_READY` names. It is another file for each process, so the word of a former one admits nobody. A program
//! that knows nothing of it runs behind one that does: `sh -c ': > "$OUTLIVE_READY" && exec program'`.
//!
//! # Ground rules
//!
//! - Nobody waits for a process to die, or for anything else outside, while holding the lock of a record.
//! - A record is written first and acted on second: a child is let go once it is written down, and killed once it is
//!   written down that it will not come back.
//! - An end that was begun is finished by whoever finds its instance dead, under one lock: what is refused because of
//!   it is refused after that, and nobody sees it half done.
//! - Each call has a thread of its own. This crate brings no runtime, and a hung computer holds up only who asks for
//!   it.
//!
//! # What it does not do
//!
//! - It follows one process. What that starts itself must end with it, or is nobody's.
//! - It has no clock and no task of its own: the restart policy has its turn when [`ProcessProvider::revive`] is
//!   called. Whoever wants restarts keeps a clone of the provider beside the control plane, and calls it in a loop of
//!   its own, under the permit of [`crate::locks::Locks::sweep`].
//! - It keeps no output. A program starts in the root directory with an empty input, and with no variables but
//!   its own and `OUTLIVE_READY`.
//!
//! A control plane does not call it by hand, as here: [`crate::ControlPlane`] does.
//!
//! ```
//! use outlive::locks::Locks;
//! use outlive::provider::process::{ProcessProvider, Program};
//! use outlive::provider::{Provider, Start, StartOutcome};
//! use outlive::{ComputerId, Launch};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path();
//! let provider = ProcessProvider::open(path, |_| Program::new("/bin/sleep").argument("60"))?;
//! let (computer, launch) = (ComputerId::new("worker-7")?, Launch::try_from(1)?);
//!
//! // Whoever calls a provider holds no global lock.
//! let locks = Locks::new(());
//! let mut ticket = locks.ticket();
//! let gate = ticket.lock_for(computer.clone()).await;
//! let started = provider.start(gate.io(), Start { computer: computer.clone(), launch }).await?;
//! assert!(matches!(started, StartOutcome::Started { .. }));
//!
//! // The removal fences the launch: a start that was on its way brings up nothing.
//! let proof = provider.remove(gate.io(), computer.clone(), launch).await?;
//! assert_eq!(proof.up_to(), launch);
//! let late = provider.start(gate.io(), Start { computer, launch }).await?;
//! assert_eq!(late, StartOutcome::Fenced { up_to: launch });
//! # Ok(())
//! # }
//! ```

mod birth;
mod failure;
mod folder;
mod host;
mod identity;
mod liveness;
mod program;
mod record;
mod steps;
#[cfg(test)]
mod tests;
mod thread;

use std::future::Future;
use std::path::Path;
use std::sync::Arc;

pub use host::Revival;
pub use identity::ProcessIdentity;
pub use liveness::ProcessLiveness;
pub use program::{Program, RestartPolicy};

use super::{End, Ended, Get, Observation, Provider, Start, StartOutcome, Watch};
use crate::error::ProviderError;
use crate::id::ComputerId;
use crate::locks::IoPermit;
use crate::trace::ProviderRecorder;
use host::Host;

/// Runs each instance as a process of this host.
pub struct ProcessProvider {
    host: Arc<Host>,
}

impl ProcessProvider {
    /// Opens a folder of records, which may be new, or in use by others on this host.
    ///
    /// `program_of` says what a computer runs. It is asked at each start; a revival runs what was started.
    ///
    /// # Guarantees
    /// Whatever was started by way of this folder is found again, and nothing is changed.
    ///
    /// # Assumptions
    /// ASSUME-13, that all who use the folder share one kernel and one space of pids, that its file system knows locks,
    /// and that nobody else writes there; ASSUME-14, that a pid and a start time are one process.
    ///
    /// # Errors
    /// [`ProviderError::Refused`] if the folder cannot be made, or if the kernel does not show its processes.
    pub fn open(
        folder: impl AsRef<Path>,
        program_of: impl Fn(&ComputerId) -> Program + Send + Sync + 'static,
    ) -> Result<ProcessProvider, ProviderError> {
        ProcessProvider::open_recording(folder, program_of, ProviderRecorder::default())
    }

    /// The same, and records what the provider does, and what it learns of its processes.
    ///
    /// # Guarantees
    /// Those of [`ProcessProvider::open`]. Each step is recorded once it is written down, under the lock of its record,
    /// and before anybody is answered with what it has changed: also an exit, of which the provider learns when
    /// somebody asks. That the restart policy has been refused is recorded once for each end.
    ///
    /// # Assumptions
    /// Those of [`ProcessProvider::open`]. All who use the folder record into the same store, under the same name; none
    /// is killed between a step and its event, or the trace lacks the step and is refused where something is seen of
    /// it.
    ///
    /// # Errors
    /// Those of [`ProcessProvider::open`]. If an event cannot be written, its step is taken all the same, and the trace
    /// is lossy.
    pub fn open_recording(
        folder: impl AsRef<Path>,
        program_of: impl Fn(&ComputerId) -> Program + Send + Sync + 'static,
        recorder: ProviderRecorder,
    ) -> Result<ProcessProvider, ProviderError> {
        Ok(ProcessProvider { host: Arc::new(Host::open(folder.as_ref(), Box::new(program_of), recorder)?) })
    }

    /// Gives the restart policy its turn: one pass over the folder, which starts again what has exited, is armed, and
    /// whose policy is [`RestartPolicy::Always`]. Call it as often as you want it; what exits at once is started again
    /// at each call.
    ///
    /// # Guarantees
    /// The instance keeps its id and launch, and boots. Whatever was ended is left alone.
    ///
    /// # Assumptions
    /// Those of [`Provider`].
    ///
    /// # Outcomes
    /// What was done, counted: see [`Revival`].
    ///
    /// # Errors
    /// [`ProviderError::Transport`] if the folder cannot be read. A computer that fails is counted, and the others have
    /// their turn.
    ///
    /// # Cancellation
    /// The pass goes on.
    pub fn revive(&self, _: IoPermit<'_>) -> impl Future<Output = Result<Revival, ProviderError>> + Send + use<> {
        let host = self.host.clone();
        thread::ask(move || host.revive())
    }

    /// The process that runs, or ran last, as this computer. It is for people: nothing may be done to it by its pid.
    ///
    /// # Errors
    /// [`ProviderError::Transport`] if its record cannot be read, [`ProviderError::Nonsense`] if that makes no sense.
    pub fn process_of(&self, computer: &ComputerId) -> Result<Option<ProcessIdentity>, ProviderError> {
        self.host.process_of(computer)
    }
}

impl Provider for ProcessProvider {
    fn start(&self, _: IoPermit<'_>, call: Start) -> impl Future<Output = Result<StartOutcome, ProviderError>> + Send {
        let host = self.host.clone();
        thread::ask(move || host.start(&call))
    }

    fn end(&self, _: IoPermit<'_>, call: End) -> impl Future<Output = Result<Ended, ProviderError>> + Send {
        let host = self.host.clone();
        thread::ask(move || host.end(call))
    }

    fn get(&self, _: IoPermit<'_>, call: Get) -> impl Future<Output = Result<Observation, ProviderError>> + Send {
        let host = self.host.clone();
        thread::ask(move || host.get(&call))
    }

    fn list(&self, _: IoPermit<'_>) -> impl Future<Output = Result<Vec<Observation>, ProviderError>> + Send {
        let host = self.host.clone();
        thread::ask(move || host.list())
    }

    fn watch(&self, _: IoPermit<'_>, call: Watch) -> impl Future<Output = Result<Observation, ProviderError>> + Send {
        let host = self.host.clone();
        thread::ask_while_waited_for(move |caller| host.watch(&call, caller))
    }
}
