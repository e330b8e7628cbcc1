//! Reports: what a provider tells unasked.

use tracing::{debug, instrument};

use super::{Acted, Reason, Reconciler, Row};
use crate::error::{ProviderError, StoreError};
use crate::id::{ComputerId, Mark};
use crate::operation::OperationError;
use crate::provider::{Observation, Provider, Watch};
use crate::store::OperationStore;
use crate::store::operation::*;

/// What became of a report.
#[must_use = "a report that was refused has changed nothing"]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Told {
    /// The store has decided.
    Decided(DeliverOutcome),
    /// It said that nothing is there. Of a row that is ready or an error the provider was asked, and this came of it;
    /// of another there is nothing to ask.
    Asked(Acted),
}

impl<S: OperationStore, P: Provider, L: Liveness> Reconciler<S, P, L> {
    /// Takes a report in, or a line of a list.
    ///
    /// # Guarantees
    /// RECONCILE-11: it is written only above the mark of the row, which is durable: a report that comes late or again,
    /// also to a control plane that has just started, has no effect. RECONCILE-12: that nothing is there is only a
    /// reason to ask the provider.
    ///
    /// # Assumptions
    /// ASSUME-10, that a report bears its place in the order of the provider.
    ///
    /// # Outcomes
    /// See [`Told`].
    ///
    /// # Errors
    /// [`OperationError`], [`OperationError::Draining`] among them. The report may be taken in again, elsewhere.
    ///
    /// # Cancellation
    /// It is written or not; taken in again, it is refused or written.
    pub async fn deliver(&self, report: Observation) -> Result<Told, OperationError> {
        // Whoever drains was promised that nothing is written afterwards.
        let _at_work = self.plane.enter()?;
        let computer = report.computer.clone();
        let told = self.plane.store().deliver(Deliver { owner: self.plane.owner().clone(), report }).await?;
        // RECONCILE-12: a list may leave out what is there.
        if told != DeliverOutcome::Absent {
            self.plane.note_written();
            return Ok(Told::Decided(told));
        }
        let standing = self.plane.store().standing(computer.clone()).await?;
        if !matches!(standing.phase, Phase::Ready | Phase::Error) {
            return Ok(Told::Asked(Acted::Nothing));
        }
        Ok(Told::Asked(self.look(Row { computer, standing, reason: Reason::Sweep }).await?))
    }

    /// Takes in what the provider tells of one computer, one report after another, until it is gone.
    ///
    /// # Guarantees
    /// Those of [`Reconciler::deliver`], for each report. It begins behind the mark of the row, so that a control plane
    /// that starts anew hears of what it has missed. A report that could not be written is asked for again.
    ///
    /// # Assumptions
    /// Those of [`Reconciler::deliver`]. What is not reported is found by a sweep.
    ///
    /// # Outcomes
    /// The computer is gone.
    ///
    /// # Errors
    /// [`OperationError::Store`] if there is no such computer, and [`OperationError::Draining`] once the control plane
    /// is drained and the provider tells of something. Others are told to the log, and it goes on.
    ///
    /// # Cancellation
    /// Nobody listens any more; the sweep goes on.
    #[instrument(name = "outlive.follow", skip_all, fields(computer = %computer))]
    pub async fn follow(&self, computer: &ComputerId) -> Result<(), OperationError> {
        let mut after = Mark::START;
        loop {
            match self.follow_once(computer, after).await {
                Ok(Some(mark)) => after = mark,
                Ok(None) => return Ok(()),
                Err(OperationError::Store(error)) if matches!(*error, StoreError::NoSuchComputer { .. }) => {
                    return Err(OperationError::Store(error));
                }
                Err(OperationError::Draining) => return Err(OperationError::Draining),
                Err(error) => {
                    debug!(%error, "a report was not taken in, and is asked for again");
                    self.plane.timer().sleep(self.plane.limits().poll_interval).await;
                }
            }
        }
    }

    /// The place that it has come to; none once the computer is gone.
    async fn follow_once(&self, computer: &ComputerId, after: Mark) -> Result<Option<Mark>, OperationError> {
        let standing = self.plane.store().standing(computer.clone()).await?;
        if standing.phase == Phase::Gone {
            return Ok(None);
        }
        drop(self.plane.enter()?);
        let after = after.or_later(standing.mark);
        let call = Watch { computer: computer.clone(), after };
        let sweep = self.plane.locks().sweep();
        // There is no limit of time to it: nobody knows when something happens next.
        let report = self.plane.provider().watch(sweep.io(), call).await;
        let report = report.map_err(|error| self.plane.lost_report(standing.launch, error))?;
        if report.computer != *computer {
            // Its mark says nothing of how far this computer has come.
            let what = format!("asked about {computer}, it tells of {}", report.computer);
            return Err(self.plane.lost_report(standing.launch, ProviderError::Nonsense { what }));
        }
        if !report.mark.is_beyond(after) {
            // It is an old one. To ask again at once might never end.
            self.plane.timer().sleep(self.plane.limits().poll_interval).await;
            return Ok(Some(after));
        }
        let mark = report.mark;
        let told = self.deliver(report).await?;
        debug!(?told, "a report");
        Ok(Some(mark))
    }
}
