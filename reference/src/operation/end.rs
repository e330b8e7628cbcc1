//! Stops and deletions. Each begins in the row before it waits for the gate, so that no start that hangs delays it.

use tracing::instrument;

use super::drive::{Ended, Operation, TakenUp};
use super::{ControlPlane, Deleted, Gate, OperationError, Stopped};
use crate::id::{ComputerId, Launch};
use crate::provider::Provider;
use crate::store::OperationStore;
use crate::store::operation::*;

/// What became of a stop or a deletion that was to begin.
enum Announced {
    /// It is in the row, or was.
    UnderWay {
        /// It ends this launch at least.
        launch: Launch,
    },
    /// It cannot begin there.
    Refused { phase: Phase },
}

/// How a stop or a deletion has ended.
enum Over {
    Done { up_to: Launch },
    Refused { phase: Phase },
    Overtaken { current: Standing },
}

impl<S: OperationStore, P: Provider, L: Liveness> ControlPlane<S, P, L> {
    /// Stops a computer, in place of the start that may be under way. Those who ask at the same time share one stop.
    ///
    /// # Guarantees
    /// RECONCILE-9: it begins in every phase in which something may run, also while a start hangs at the provider. It
    /// is over only with a proof of death, and no launch up to that one comes up any more.
    ///
    /// # Assumptions
    /// ASSUME-9, that the provider disarms and fences what it stops; ASSUME-12, that what it calls dead is dead.
    ///
    /// # Outcomes
    /// See [`Stopped`].
    ///
    /// # Errors
    /// [`OperationError`]. Without a proof the stop stays under way, and the next pass drives it on.
    ///
    /// # Cancellation
    /// Once it has begun it is under way, and whoever else asks for it, or the next pass, drives it on.
    #[instrument(name = "outlive.stop", skip_all, fields(computer = %computer))]
    pub async fn stop(&self, computer: &ComputerId) -> Result<Stopped, OperationError> {
        let _at_work = self.enter()?;
        let announced = match self.announce(computer, Kind::Stop).await? {
            Announced::UnderWay { launch } => launch,
            Announced::Refused { phase } => return Ok(Stopped::Refused { phase }),
        };
        loop {
            let mut ticket = self.inner.locks.ticket();
            let work = async |gate: &mut Gate<'_>| {
                Ok(match self.end_under(gate, Kind::Stop).await? {
                    Over::Done { up_to } => Stopped::Stopped { up_to },
                    Over::Refused { phase } => Stopped::Refused { phase },
                    Over::Overtaken { current } => Stopped::Overtaken { current },
                })
            };
            let told = self.inner.stops.run(&mut ticket, computer.clone(), work).await?;
            // RECONCILE-9: of an older launch. 1. The stop that was joined has been settled. 2. Another control plane
            // starts the computer. 3. Ours is written, and is what nobody has driven yet.
            if !matches!(told, Stopped::Stopped { up_to } if announced.is_newer_than(up_to)) {
                return Ok(told);
            }
        }
    }

    /// Deletes a computer, in place of whatever is under way. Those who ask at the same time share one deletion.
    ///
    /// # Guarantees
    /// RECONCILE-10: it is gone only once the provider has proven that it has taken its instance away, and stays gone.
    ///
    /// # Assumptions
    /// Those of [`ControlPlane::stop`].
    ///
    /// # Outcomes
    /// See [`Deleted`].
    ///
    /// # Errors
    /// [`OperationError`]. Without a proof the deletion stays under way, and the next pass drives it on.
    ///
    /// # Cancellation
    /// As for [`ControlPlane::stop`].
    #[instrument(name = "outlive.delete", skip_all, fields(computer = %computer))]
    pub async fn delete(&self, computer: &ComputerId) -> Result<Deleted, OperationError> {
        let _at_work = self.enter()?;
        // What is gone stays gone, so a deletion that is joined is never of an older launch.
        if let Announced::Refused { phase } = self.announce(computer, Kind::Delete).await? {
            return Ok(Deleted::Refused { phase });
        }
        let mut ticket = self.inner.locks.ticket();
        let work = async |gate: &mut Gate<'_>| {
            Ok(match self.end_under(gate, Kind::Delete).await? {
                Over::Done { up_to } => Deleted::Gone { up_to },
                Over::Refused { phase } => Deleted::Refused { phase },
                Over::Overtaken { current } => Deleted::Overtaken { current },
            })
        };
        self.inner.deletions.run(&mut ticket, computer.clone(), work).await
    }

    /// Begins it without the gate, or finds it begun.
    async fn announce(&self, computer: &ComputerId, kind: Kind) -> Result<Announced, OperationError> {
        // RECONCILE-9: whoever holds the gate may hang at the provider. The claim decides, not the gate.
        let launch = match self.begin_end(computer, kind).await? {
            BeginOutcome::Begun { launch, .. } => {
                self.inner.written.notify_waiters();
                launch
            }
            BeginOutcome::Refused { phase } if phase == kind.phase() => {
                self.inner.store.standing(computer.clone()).await?.launch
            }
            BeginOutcome::Refused { phase } => return Ok(Announced::Refused { phase }),
        };
        // Also if it was begun before: whoever has begun it may have been dropped before it could tell.
        self.inner.drivers.look_again(computer);
        Ok(Announced::UnderWay { launch })
    }

    fn begin_end(
        &self,
        computer: &ComputerId,
        kind: Kind,
    ) -> impl Future<Output = Result<BeginOutcome, crate::StoreError>> + Send {
        let (owner, computer) = (self.inner.own.clone(), computer.clone());
        let store = &self.inner.store;
        let (stop, deletion) = match kind {
            Kind::Delete => (None, Some(store.begin_delete(BeginDelete { owner, computer }))),
            Kind::Start | Kind::Stop => (Some(store.begin_stop(BeginStop { owner, computer })), None),
        };
        async move {
            match (stop, deletion) {
                (Some(stop), _) => stop.await,
                (None, Some(deletion)) => deletion.await,
                (None, None) => unreachable!("one of them was submitted"),
            }
        }
    }

    /// What was announced is driven; if it was replaced since, it begins once more.
    async fn end_under(&self, gate: &mut Gate<'_>, kind: Kind) -> Result<Over, OperationError> {
        let computer = gate.id().clone();
        let driver = self.inner.drivers.enter(&computer);
        let begun = {
            let _order = gate.global();
            self.begin_end(&computer, kind)
        };
        let ended = match begun.await? {
            // A start has come in between.
            BeginOutcome::Begun { launch, .. } => self.drive(gate, &driver, Operation { kind, launch }).await?,
            BeginOutcome::Refused { phase } if phase == kind.phase() => {
                match self.take_up_under(gate, &driver).await? {
                    TakenUp::Driven(ended) => ended,
                    TakenUp::Nothing { current } => return Ok(Over::of(kind, current)),
                    TakenUp::OwnerLives { current } | TakenUp::Lost { current } => {
                        return Ok(Over::Overtaken { current });
                    }
                    TakenUp::Busy => unreachable!("the gate is held here"),
                }
            }
            // Somebody else has ended it since, or a deletion has taken its place.
            BeginOutcome::Refused { .. } => {
                let current = self.standing_under(gate).await?;
                return Ok(Over::of(kind, current));
            }
        };
        Ok(match ended {
            Ended::Settled { operation, .. } if operation.kind == kind => Over::Done { up_to: operation.launch },
            Ended::Settled { .. } => Over::of(kind, self.standing_under(gate).await?),
            Ended::Overtaken { current } => Over::Overtaken { current },
        })
    }
}

impl Over {
    /// By the row, once it has ended elsewhere.
    fn of(kind: Kind, current: Standing) -> Over {
        match (kind, current.phase) {
            (Kind::Stop, Phase::Stopped) | (Kind::Delete, Phase::Gone) => Over::Done { up_to: current.launch },
            (_, phase @ (Phase::Deleting | Phase::Gone)) => Over::Refused { phase },
            _ => Over::Overtaken { current },
        }
    }
}
