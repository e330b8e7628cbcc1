//! The operation protocol, as a control plane uses it: starts, stops and deletions that are driven to their end.
//!
//! # Theory of operation
//!
//! Each control-plane process has one [`ControlPlane`]. A start takes the gate of its computer first, and then begins
//! in the row; a stop or a deletion begins in the row first. Then either calls the provider, and settles with what it
//! has heard. If its future is dropped, or its process dies, at any of
//! these steps, the row says what is under way and whose it is; [`crate::Reconciler`] finds it and drives it on, with
//! the same launch.
//!
//! *A stop waits for no start.* A start can hang at the provider for as long as it likes, and holds the gate meanwhile.
//! So a stop, or a deletion, begins in the row without the gate, where the claim decides. Then it tells whoever drives
//! the computer in this process to look at its row again. That one finds that it was replaced, drops its call, and
//! gives up the gate. So does each pass that finds a driver, since whoever has replaced it may have been dropped before
//! it could tell, or be in another process: there the driver goes on until the next pass of its own, or until the fence
//! of the provider refuses it, and what it settles is refused.
//!
//! # Who is who
//!
//! A *gateway* is a process. As an *owner* it has a name for this life, from the authority on deaths. Its
//! [`ControlPlane`] begins operations in that name; the future that calls the provider for one is its *driver*; the
//! [`crate::Reconciler`] beside it drives on what has lost its driver, and sweeps.
//!
//! # How to use it
//!
//! 1. Create each computer ([`crate::store::Store::create`]). A start of an unknown one is an error of the store.
//! 2. Give each process one control plane, and spawn [`crate::Reconciler::run_until`]. Without passes, what was dropped
//!    stays under way, and no failure is ever seen.
//! 3. Where the provider reports, spawn one [`crate::Reconciler::follow`] for each computer: sweeps can then be rarer.
//! 4. A computer that is an error is started again, or stopped, or left to a sweep. A start ends the older instance.
//! 5. To shut down: drop the follows, stop the passes, then [`ControlPlane::drain`].
//!
//! [`crate::provider::process::ProcessLiveness`] knows deaths on one Linux host. Elsewhere write a [`Liveness`]: for
//! instance a lock in a database that ends with its connection, named anew for each life. `examples/operations.rs` has
//! all of it in one file.
//!
//! # Ground rules
//!
//! - Whoever holds a gate submits its steps of the store under the global lock, and waits for them without it; so does
//!   a sweep that concludes. Everything else needs no order: the announcement of a stop or a deletion, a report, and
//!   each look that decides nothing.
//! - What is unknown is asked again for the same launch, which the provider brings up once. Nobody mints another one
//!   in order to try again.
//! - That an owner is slow proves nothing: only a [`Liveness`] says that it is dead.
//! - Futures run anywhere: the time to wait is measured by the [`Timer`] of the host.
//!
//! # What it does not do
//!
//! - It looks at no computer that nobody asks for: that is the work of [`crate::Reconciler`].
//! - A future that nobody polls keeps its gate. Drop what you do not poll.

mod call;
mod drain;
mod drive;
mod drivers;
mod end;
mod outcome;
mod start;
mod wait;

use std::time::Duration;

use tokio::sync::Notify;
use tracing::debug;

pub use outcome::{Deleted, OperationError, StartFailure, Started, Stopped};
pub use start::Restarted;
pub use wait::{Until, Waited};

use crate::clock::Timer;
use crate::error::ProviderError;
use crate::id::{Launch, OwnerName};
use crate::locks::{LifecycleGuard, Locks, Shutdown, SingleFlight};
use crate::provider::Provider;
use crate::store::OperationStore;
use crate::store::operation::Liveness;
use crate::sync::Arc;
use crate::trace::{OwnerRecorder, Recorder, Written};
pub(crate) use call::Unanswered;
use drain::{AtWork, Drain};
pub(crate) use drive::{Ended, TakenUp};
use drivers::Drivers;

/// How long things may take. None of it decides what is true: whoever gives up leaves what is under way to the next
/// pass, and a start that is called an error too early is called ready by a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// One call of the provider: more than the grace of a process that is stopped, or no stop gets its proof in time.
    /// And one question to the authority on deaths. Default: 30 seconds.
    pub call: Duration,
    /// A start, from the moment at which it is driven until it is admitted. Default: 5 minutes.
    pub patience: Duration,
    /// An instance that has exited, until its restart policy has started it again. Default: 10 seconds.
    pub revival: Duration,
    /// Between two questions, where no report comes before. Default: 1 second.
    pub poll_interval: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let seconds = Duration::from_secs;
        Limits { call: seconds(30), patience: seconds(300), revival: seconds(10), poll_interval: seconds(1) }
    }
}

/// A control-plane process: it starts, stops and deletes computers. Cheap to clone; the clones share their gates.
///
/// # Assumptions
/// There is one for each process and store, besides its clones: two of the same owner would drive the same operations.
pub struct ControlPlane<S, P, L> {
    inner: Arc<Inner<S, P, L>>,
}

struct Inner<S, P, L> {
    store: Arc<S>,
    provider: P,
    liveness: L,
    own: OwnerName,
    recorder: OwnerRecorder,
    timer: Timer,
    limits: Limits,
    locks: Locks<()>,
    /// Who looks at a computer, where that is recorded.
    looks: Locks<()>,
    drivers: Drivers,
    stops: SingleFlight<Result<Stopped, OperationError>>,
    deletions: SingleFlight<Result<Deleted, OperationError>>,
    drain: Drain,
    shutdown: Shutdown,
    /// Told after each write of our own, for those who wait for a phase.
    written: Notify,
}

/// The gate of the computer that is operated on.
type Gate<'g> = LifecycleGuard<'g, ()>;

impl<S, P, L> Clone for ControlPlane<S, P, L> {
    fn clone(&self) -> Self {
        ControlPlane { inner: self.inner.clone() }
    }
}

impl<S: OperationStore, P: Provider, L: Liveness> ControlPlane<S, P, L> {
    /// A control plane of this owner, which the authority on deaths has named, with [`Limits::default`].
    pub fn new(own: OwnerName, store: Arc<S>, provider: P, liveness: L, timer: Timer) -> ControlPlane<S, P, L> {
        ControlPlane::with_limits(own, store, provider, liveness, timer, Limits::default())
    }

    /// The same, with limits of its own, and nothing recorded of what it asks and hears.
    pub fn with_limits(
        own: OwnerName,
        store: Arc<S>,
        provider: P,
        liveness: L,
        timer: Timer,
        limits: Limits,
    ) -> ControlPlane<S, P, L> {
        ControlPlane::recording(own, store, provider, liveness, timer, limits, Recorder::off())
    }

    /// The same, which tells this recorder what it asks of the provider, and what it hears. It has to be that of the
    /// store, so that all of it stands in one order. What it asks of the store, the store records. A trace is whole
    /// only if the provider records too, into the same store: `examples/operations.rs` has all three.
    pub fn recording(
        own: OwnerName,
        store: Arc<S>,
        provider: P,
        liveness: L,
        timer: Timer,
        limits: Limits,
        recorder: Recorder,
    ) -> ControlPlane<S, P, L> {
        let inner = Inner {
            store,
            provider,
            liveness,
            recorder: recorder.owner(&own),
            own,
            timer,
            limits,
            locks: Locks::new(()),
            looks: Locks::new(()),
            drivers: Drivers::default(),
            stops: SingleFlight::new(),
            deletions: SingleFlight::new(),
            drain: Drain::default(),
            shutdown: Shutdown::new(),
            written: Notify::new(),
        };
        ControlPlane { inner: Arc::new(inner) }
    }

    /// Who owns what is begun here.
    pub fn owner(&self) -> &OwnerName {
        &self.inner.own
    }

    /// The store that it works on.
    pub fn store(&self) -> &Arc<S> {
        &self.inner.store
    }

    /// The provider that it calls.
    pub fn provider(&self) -> &P {
        &self.inner.provider
    }

    pub(crate) fn recorder(&self) -> &OwnerRecorder {
        &self.inner.recorder
    }

    /// Waits until what is told is durable. If it cannot be, the trace says of itself that it is lossy, and the work
    /// goes on.
    pub(crate) async fn told(&self, written: Written) {
        if let Err(error) = written.await {
            debug!(%error, "a step could not be recorded");
        }
    }

    pub(crate) fn timer(&self) -> &Timer {
        &self.inner.timer
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    pub(crate) fn locks(&self) -> &Locks<()> {
        &self.inner.locks
    }

    pub(crate) fn looks(&self) -> &Locks<()> {
        &self.inner.looks
    }

    /// Begins nothing any more, and waits until whatever is under way here has ended. Whoever asks again waits for the
    /// same end.
    ///
    /// # Guarantees
    /// Once it returns, no row is written here, and the provider is called for nothing. What could not be settled is in
    /// the rows. A [`crate::Reconciler::follow`] that waits for a report is not waited for, and ends when one comes.
    ///
    /// # Assumptions
    /// Whoever has begun an operation polls its future, or has dropped it. Of one that was dropped nothing is waited
    /// for: the step of the store, or the call, that it had submitted by then may still be done.
    ///
    /// # Cancellation
    /// It stays closed, and whoever else waits goes on.
    pub async fn drain(&self) {
        self.inner.shutdown.join(async || self.inner.drain.close().await).await;
    }

    pub(crate) fn enter(&self) -> Result<AtWork<'_>, OperationError> {
        self.inner.drain.enter().ok_or(OperationError::Draining)
    }

    /// Whoever waits for a phase looks again.
    pub(crate) fn note_written(&self) {
        self.inner.written.notify_waiters();
    }

    pub(crate) fn lost_report(&self, launch: Launch, error: ProviderError) -> OperationError {
        Unanswered::Error(error).about(launch, self.inner.limits.call)
    }
}
