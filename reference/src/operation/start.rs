//! Starts, and restarts.

use tracing::instrument;

use super::call::Unanswered;
use super::drive::{Ended, Heard, Operation};
use super::{ControlPlane, OperationError, StartFailure, Started, Stopped};
use crate::error::ProviderError;
use crate::id::{ComputerId, Launch, Mark};
use crate::locks::IoPermit;
use crate::provider::{Condition, Observation, Provider, Start, StartOutcome};
use crate::race::{First, first};
use crate::store::OperationStore;
use crate::store::operation::*;
use crate::sync::Arc;

/// How [`ControlPlane::restart`] ended.
#[must_use = "a restart that was overtaken may have brought up nothing"]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Restarted {
    /// It runs again, as another launch of the same computer.
    Ready {
        /// The new one.
        launch: Launch,
    },
    /// It was stopped, and did not come up again.
    Failed {
        /// The launch that was tried.
        launch: Launch,
        /// Why nothing came of it.
        cause: StartFailure,
    },
    /// There is nothing to restart: a deletion is under way or over.
    Refused {
        /// What is said of the computer.
        phase: Phase,
    },
    /// Somebody else has acted in between, or in its place.
    Overtaken {
        /// What is so instead.
        current: Standing,
    },
}

impl<S: OperationStore, P: Provider, L: Liveness> ControlPlane<S, P, L> {
    /// Starts a computer, and waits until it is admitted.
    ///
    /// # Guarantees
    /// RECONCILE-1: it begins only on a computer that is stopped or an error, as a new launch. RECONCILE-13: it is
    /// ready only once the provider has said that this launch was admitted. RECONCILE-19: if nothing comes of it, the
    /// row says that it is an error, also where nothing was sent.
    ///
    /// # Assumptions
    /// ASSUME-9, that the provider brings up each launch once; ASSUME-10, that its answers are true.
    ///
    /// # Outcomes
    /// See [`Started`].
    ///
    /// # Errors
    /// [`OperationError::Store`], and [`OperationError::Draining`]. Errors of the provider are no errors of a start:
    /// what is unknown is asked again until the patience is over.
    ///
    /// # Cancellation
    /// The start is under way, or never began. Nobody drives it until the next pass, or until a stop takes its place.
    #[instrument(name = "outlive.start", skip_all, fields(computer = %computer))]
    pub async fn start(&self, computer: &ComputerId) -> Result<Started, OperationError> {
        let _at_work = self.enter()?;
        let mut ticket = self.inner.locks.ticket();
        let mut gate = ticket.lock_for(computer.clone()).await;
        // Before it begins: a stop that comes later finds whom to tell.
        let driver = self.inner.drivers.enter(computer);
        let request = BeginStart { owner: self.inner.own.clone(), computer: computer.clone() };
        let begun = {
            let _order = gate.global();
            self.inner.store.begin_start(request)
        };
        let launch = match begun.await? {
            BeginOutcome::Begun { launch, .. } => launch,
            BeginOutcome::Refused { phase } => return Ok(Started::Refused { phase }),
        };
        self.inner.written.notify_waiters();
        Ok(match self.drive(&mut gate, &driver, Operation { kind: Kind::Start, launch }).await? {
            Ended::Settled { failure: None, .. } => Started::Ready { launch },
            Ended::Settled { failure: Some(cause), .. } => Started::Failed { launch, cause },
            Ended::Overtaken { current } => Started::Overtaken { current },
        })
    }

    /// Stops a computer, and starts it again.
    ///
    /// # Guarantees
    /// Those of [`ControlPlane::stop`] and of [`ControlPlane::start`]. The computer keeps its identity, and gets a new
    /// launch: whatever is late of the old one is refused. Between the two, others may act, and then it is overtaken.
    ///
    /// # Assumptions
    /// Those of the two.
    ///
    /// # Outcomes
    /// See [`Restarted`].
    ///
    /// # Errors
    /// Those of the two.
    ///
    /// # Cancellation
    /// It is where it was: running, stopped, or with one of the two under way, which the next pass ends. A start that
    /// had not begun does not begin.
    #[instrument(name = "outlive.restart", skip_all, fields(computer = %computer))]
    pub async fn restart(&self, computer: &ComputerId) -> Result<Restarted, OperationError> {
        match self.stop(computer).await? {
            Stopped::Stopped { .. } | Stopped::Refused { phase: Phase::Stopped } => {}
            Stopped::Refused { phase } => return Ok(Restarted::Refused { phase }),
            Stopped::Overtaken { current } => return Ok(Restarted::Overtaken { current }),
        }
        Ok(match self.start(computer).await? {
            Started::Ready { launch } => Restarted::Ready { launch },
            Started::Failed { launch, cause } => Restarted::Failed { launch, cause },
            // It was stopped a moment ago.
            Started::Refused { .. } => {
                Restarted::Overtaken { current: self.inner.store.standing(computer.clone()).await? }
            }
            Started::Overtaken { current } => Restarted::Overtaken { current },
        })
    }

    /// Asks the provider for this launch until it is known what comes of it, or until the patience is over.
    pub(super) async fn bring_up(&self, io: IoPermit<'_>, computer: &ComputerId, launch: Launch) -> Heard {
        let heard = self.timer().within(self.limits().patience, self.until_known(io, computer, launch)).await;
        // RECONCILE-19: whoever waits for it, and the next start, would wait for ever. RECONCILE-21: if it comes up
        // later all the same, a sweep says so.
        heard.unwrap_or_else(|| failed(StartFailure::OutOfPatience, Mark::START))
    }

    async fn until_known(&self, io: IoPermit<'_>, computer: &ComputerId, launch: Launch) -> Heard {
        let mut is_brought_up = false;
        // Over once an instance has exited for as long as its policy may take.
        let mut revival = None;
        let mut told = Mark::START;
        loop {
            if !is_brought_up {
                let call = Start { computer: computer.clone(), launch };
                match self.call("start", (computer, launch), self.provider().start(io, call)).await {
                    Ok(StartOutcome::Started { .. }) => {}
                    Ok(StartOutcome::Fenced { up_to }) => return failed(StartFailure::Fenced { up_to }, Mark::START),
                    // RECONCILE-18: nothing was changed at the provider, so nobody else will ever end it.
                    Err(Unanswered::Error(error @ ProviderError::Refused { .. })) => {
                        return failed(StartFailure::Refused(Arc::new(error)), Mark::START);
                    }
                    // Nobody knows whether it was done. The same launch is brought up once, so to ask again is safe.
                    Err(Unanswered::Error(_)) => self.timer().sleep(self.limits().poll_interval).await,
                    Err(Unanswered::Silent) => {}
                }
            }
            match self.get(io, computer, launch).await.map(|seen| (Next::of(launch, &seen), seen.mark)) {
                // RECONCILE-13: what runs may yet be turned away.
                Ok((Next::Admitted, mark)) => return Heard { ending: Ending::Admitted, mark, failure: None },
                Ok((Next::Send, _)) => {
                    (is_brought_up, revival) = (false, None);
                    // A provider whose word does not last would be asked without a pause.
                    self.timer().sleep(self.limits().poll_interval).await;
                }
                Ok((Next::Boots, mark)) => {
                    (is_brought_up, revival) = (true, None);
                    self.until_news(io, computer, mark, &mut told).await;
                }
                Ok((Next::Exited, mark)) => {
                    is_brought_up = true;
                    let over = revival.get_or_insert_with(|| self.timer().sleep(self.limits().revival));
                    match first(self.until_news(io, computer, mark, &mut told), over).await {
                        First::One(()) => {}
                        First::Other(()) => return failed(StartFailure::Exited, mark),
                    }
                }
                Err(Unanswered::Error(_)) => self.timer().sleep(self.limits().poll_interval).await,
                Err(Unanswered::Silent) => {}
            }
        }
    }
}

fn failed(cause: StartFailure, mark: Mark) -> Heard {
    Heard { ending: Ending::Failed, mark, failure: Some(cause) }
}

/// What a start does next, by what is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Admitted,
    Boots,
    Exited,
    /// The launch is not there: the call was lost, or is over for ever, which the provider says if it is asked again.
    Send,
}

impl Next {
    fn of(launch: Launch, seen: &Observation) -> Next {
        match &seen.seen {
            Some(it) if seen.launch == launch => match it.condition {
                Condition::Up => Next::Admitted,
                Condition::Booting => Next::Boots,
                Condition::Exited => Next::Exited,
            },
            // RECONCILE-5: what is there of another launch says nothing of this one.
            Some(_) | None => Next::Send,
        }
    }
}
