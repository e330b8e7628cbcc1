//! The turn of one row.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::Poll;

use tracing::{Instrument, error, info_span, warn};

use super::Reconciler;
use super::plan::Plan;
use crate::error::StoreError;
use crate::id::ComputerId;
use crate::operation::{Ended, OperationError, TakenUp};
use crate::provider::{Observation, Provider};
use crate::race::at_once;
use crate::store::OperationStore;
use crate::store::operation::*;

/// Why a row has its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// An operation is under way.
    UnderWay,
    /// It is ready or an error, and the provider may say something else.
    Sweep,
}

impl Reason {
    pub(super) fn word(self) -> &'static str {
        match self {
            Reason::UnderWay => "under way",
            Reason::Sweep => "sweep",
        }
    }
}

/// A row of a list, as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Whose.
    pub computer: ComputerId,
    /// What it was.
    pub standing: Standing,
    /// In which list.
    pub reason: Reason,
}

/// What became of a row.
#[must_use = "a row that has failed wants another turn"]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Acted {
    /// What was under way was driven to its end.
    Settled,
    /// What was seen was written. A deletion that follows from it was driven to its end, or somebody else is at it.
    Written {
        /// What the row says now.
        conclusion: Conclusion,
    },
    /// There is nothing to do.
    Nothing,
    /// Somebody is at work on it: in this process, or an owner of whom no death is proven.
    PassedBy,
    /// Somebody else was quicker.
    Lost,
    /// It has its turn in the next pass.
    Failed(OperationError),
    /// The same: the provider, the store or the authority on deaths has panicked.
    Panicked,
}

impl<S: OperationStore, P: Provider, L: Liveness> Reconciler<S, P, L> {
    /// One page of a list, beginning behind a computer.
    ///
    /// # Guarantees
    /// Those of the list of the store. Each row was read before anything that is asked once it is here.
    ///
    /// # Assumptions
    /// None.
    ///
    /// # Outcomes
    /// Up to [`super::Pace::page`] rows; none iff there are none behind.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// Nothing has happened.
    pub async fn list(&self, reason: Reason, after: Option<ComputerId>) -> Result<Vec<Row>, StoreError> {
        let (store, limit) = (self.plane.store(), self.pace.page);
        let page = match reason {
            Reason::UnderWay => store.operations_under_way(after, limit).await?,
            Reason::Sweep => store.computers_to_sweep(after, limit).await?,
        };
        Ok(page.into_iter().map(|(computer, standing)| Row { computer, standing, reason }).collect())
    }

    /// The turn of one row.
    ///
    /// # Guarantees
    /// RECONCILE-3: what is written of an answer is written over the row as it was listed, or not at all.
    /// RECONCILE-12: that something is gone is concluded from an answer of the provider alone.
    /// RECONCILE-18: what somebody in this process is at work on is left to it, until the next pass.
    ///
    /// # Assumptions
    /// Those of [`Reconciler::pass`].
    ///
    /// # Outcomes
    /// See [`Acted`].
    ///
    /// # Errors
    /// As an outcome, since they end nothing but this turn.
    ///
    /// # Cancellation
    /// What was begun is under way, and the next pass goes on.
    pub async fn act(&self, row: Row) -> Acted {
        let (computer, launch) = (&row.computer, row.standing.launch.number());
        let span = info_span!("reconcile", %computer, launch, reason = row.reason.word());
        let turn = async {
            let acted = match row.reason {
                Reason::UnderWay => self.drive_on(&row).await,
                Reason::Sweep => self.look(row).await,
            };
            acted.unwrap_or_else(|error| {
                warn!(%error, source = std::error::Error::source(&error), "a turn has failed");
                Acted::Failed(error)
            })
        };
        caught(pin!(turn.instrument(span))).await.unwrap_or(Acted::Panicked)
    }

    async fn drive_on(&self, row: &Row) -> Result<Acted, OperationError> {
        Ok(match self.plane.take_up(&row.computer).await? {
            TakenUp::Driven(Ended::Settled { .. }) => Acted::Settled,
            TakenUp::Driven(Ended::Overtaken { .. }) | TakenUp::Lost { .. } => Acted::Lost,
            TakenUp::Nothing { .. } => Acted::Nothing,
            TakenUp::Busy | TakenUp::OwnerLives { .. } => Acted::PassedBy,
        })
    }

    /// The row was read first; the provider is asked second, and what follows is written over that row.
    pub(super) async fn look(&self, row: Row) -> Result<Acted, OperationError> {
        let _at_work = self.plane.enter()?;
        let Row { computer, standing, .. } = row;
        let mut sweep = self.plane.locks().sweep();
        if sweep.global().probe(&computer).is_none() {
            return Ok(Acted::PassedBy);
        }
        // TRACE-4: a trace has one look at a computer at a time of each owner, and another pass, or a report, may be at
        // one. Without a trace, two do no harm: each names the revision that it has read.
        let mut ticket = self.plane.looks().ticket();
        let own_turn = match self.plane.recorder().is_on() {
            true => match at_once(ticket.lock_for(computer.clone())).await {
                Some(turn) => Some(turn),
                None => return Ok(Acted::PassedBy),
            },
            false => None,
        };
        // A list is not recorded, and a trace has to show the look. Another row than listed is left to the next pass.
        if self.plane.recorder().is_on() && self.read(&computer).await? != standing {
            return Ok(Acted::Lost);
        }
        // RECONCILE-12: an answer to a read of this launch, so that also "it is not there" is said of it.
        self.plane.told(self.plane.recorder().begin_get(&computer)).await;
        let seen = self.plane.get(sweep.io(), &computer, standing.launch).await;
        let limit = self.plane.limits().call;
        let seen = seen.map_err(|unanswered| unanswered.about(standing.launch, limit))?;
        self.plane.told(self.plane.recorder().end_get(&seen)).await;
        if Plan::of(&standing, &seen) == Plan::Nothing {
            return Ok(Acted::Nothing);
        }
        let concluded = {
            let mut global = sweep.global();
            // RECONCILE-4: an operation of this process may be between two of its writes.
            if global.probe(&computer).is_none() {
                return Ok(Acted::PassedBy);
            }
            self.plane.store().conclude(self.conclusion(&standing, seen))
        };
        let concluded = concluded.await?;
        drop(own_turn);
        match concluded {
            ConcludeOutcome::Written { conclusion: Conclusion::Prune, .. } => self.prune(&computer).await,
            ConcludeOutcome::Written { conclusion, .. } => {
                self.plane.note_written();
                Ok(Acted::Written { conclusion })
            }
            ConcludeOutcome::Nothing => Ok(Acted::Nothing),
            ConcludeOutcome::UnderWay { .. }
            | ConcludeOutcome::Moved { .. }
            | ConcludeOutcome::AnotherLaunch { .. } => Ok(Acted::Lost),
        }
    }

    /// RECONCILE-3: the revision is the one that was read before the provider.
    fn conclusion(&self, standing: &Standing, seen: Observation) -> Conclude {
        Conclude { owner: self.plane.owner().clone(), expected: standing.revision, seen }
    }

    async fn read(&self, computer: &ComputerId) -> Result<Standing, StoreError> {
        self.plane.store().read(Read { owner: self.plane.owner().clone(), computer: computer.clone() }).await
    }

    /// What was seen to be gone is ours to delete: the provider is asked for the proof.
    async fn prune(&self, computer: &ComputerId) -> Result<Acted, OperationError> {
        self.plane.note_written();
        match self.plane.take_up(computer).await? {
            // RECONCILE-18: whoever is busy with it, or has taken it, ends it; else the next pass finds it under way.
            TakenUp::Driven(_)
            | TakenUp::Nothing { .. }
            | TakenUp::Busy
            | TakenUp::OwnerLives { .. }
            | TakenUp::Lost { .. } => Ok(Acted::Written { conclusion: Conclusion::Prune }),
        }
    }
}

/// None, if it panics. What it holds is given back as if it were dropped, and one turn must not end all others.
async fn caught<T>(mut turn: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| turn.as_mut().poll(context))) {
        Ok(poll) => poll.map(Some),
        Err(_) => {
            error!("a turn has panicked");
            Poll::Ready(None)
        }
    })
    .await
}
