//! Waiting for what comes of a launch.

use tracing::instrument;

use super::{ControlPlane, OperationError};
use crate::id::{ComputerId, Launch};
use crate::provider::Provider;
use crate::race::either;
use crate::store::OperationStore;
use crate::store::operation::*;

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// Nothing is under way on the computer.
    Settled,
    /// The computer is ready.
    Ready,
}

/// How [`ControlPlane::wait`] ended. Each says what the row was at that moment.
#[must_use = "what was waited for may never come"]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Waited {
    /// It is so, of the launch that was named.
    Reached {
        /// The row.
        current: Standing,
    },
    /// A newer launch was begun: what becomes of the one that was named, nobody is told any more.
    Overtaken {
        /// The row.
        current: Standing,
    },
    /// The launch will not be ready, for all that is known: it is an error, or is stopped or deleted, or was never
    /// begun. Of an error a sweep may find yet that it is over.
    WillNotCome {
        /// The row.
        current: Standing,
    },
}

impl Waited {
    /// None while it has to be waited for.
    fn of(current: Standing, until: Until, launch: Launch) -> Option<Waited> {
        if current.launch.is_newer_than(launch) {
            return Some(Waited::Overtaken { current });
        }
        if launch.is_newer_than(current.launch) {
            return Some(Waited::WillNotCome { current });
        }
        match (until, current.phase) {
            (Until::Settled, phase) => phase.under_way().is_none().then_some(Waited::Reached { current }),
            (Until::Ready, Phase::Ready) => Some(Waited::Reached { current }),
            (Until::Ready, Phase::Starting) => None,
            (Until::Ready, _) => Some(Waited::WillNotCome { current }),
        }
    }
}

impl<S: OperationStore, P: Provider, L: Liveness> ControlPlane<S, P, L> {
    /// Waits until the computer is settled or ready, as the launch that is named.
    ///
    /// # Guarantees
    /// It was so at some moment after the call. What is so of another launch is never taken for it. What another
    /// control plane writes is seen after [`super::Limits::poll_interval`]; there is no limit of time.
    ///
    /// # Assumptions
    /// Somebody drives what is under way.
    ///
    /// # Outcomes
    /// See [`Waited`].
    ///
    /// # Errors
    /// [`OperationError::Store`].
    ///
    /// # Cancellation
    /// Nothing has happened.
    #[instrument(name = "outlive.wait", skip_all, fields(computer = %computer, launch = launch.number()))]
    pub async fn wait(&self, computer: &ComputerId, until: Until, launch: Launch) -> Result<Waited, OperationError> {
        loop {
            // Before the look: what is written behind it wakes as well.
            let written = self.inner.written.notified();
            let current = self.inner.store.standing(computer.clone()).await?;
            if let Some(waited) = Waited::of(current, until, launch) {
                return Ok(waited);
            }
            either(written, self.timer().sleep(self.limits().poll_interval)).await;
        }
    }
}
