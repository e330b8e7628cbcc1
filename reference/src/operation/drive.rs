//! What is under way is driven to its end: by whoever has begun it, or by whoever takes it up.

use tracing::debug;

use super::drivers::Driver;
use super::{ControlPlane, Gate, OperationError, StartFailure};
use crate::id::{ComputerId, Launch, Mark, OwnerName};
use crate::provider::Provider;
use crate::race::{First, at_once, first};
use crate::store::OperationStore;
use crate::store::operation::*;

/// What is under way, and of which launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operation {
    pub(crate) kind: Kind,
    pub(crate) launch: Launch,
}

/// How an operation has ended that was driven.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// It was settled so.
    Settled { operation: Operation, failure: Option<StartFailure> },
    /// Something else has taken its place.
    Overtaken { current: Standing },
}

/// How it has ended: as the provider has said, or given up; and how far the provider's reports had come by then, or
/// [`Mark::START`].
pub(super) struct Heard {
    pub(super) ending: Ending,
    pub(super) mark: Mark,
    pub(super) failure: Option<StartFailure>,
}

/// What became of a computer on which something may be under way.
#[derive(Clone, Debug)]
pub(crate) enum TakenUp {
    /// It was ours, or was taken over, and was driven.
    Driven(Ended),
    /// There is nothing to drive.
    Nothing { current: Standing },
    /// Somebody in this process is at work on the computer.
    Busy,
    /// It belongs to an owner of whom no death is proven.
    OwnerLives { current: Standing },
    /// Somebody else was quicker.
    Lost { current: Standing },
}

impl<S: OperationStore, P: Provider, L: Liveness> ControlPlane<S, P, L> {
    /// Drives what is under way to its end, if it is ours and nobody drives it, or if its owner is dead.
    pub(crate) async fn take_up(&self, computer: &ComputerId) -> Result<TakenUp, OperationError> {
        let _at_work = self.enter()?;
        let mut ticket = self.inner.locks.ticket();
        // RECONCILE-18: who holds the gate drives it. What becomes of that, only the row says, in the next pass.
        let Some(mut gate) = at_once(ticket.lock_for(computer.clone())).await else {
            // RECONCILE-20: what it drives may have been replaced by somebody who did not live to tell it, or who is
            // in another process. The next pass finds the gate free then.
            self.inner.drivers.look_again(computer);
            return Ok(TakenUp::Busy);
        };
        let driver = self.inner.drivers.enter(computer);
        self.take_up_under(&mut gate, &driver).await
    }

    /// The same, under the gate.
    pub(super) async fn take_up_under(
        &self,
        gate: &mut Gate<'_>,
        driver: &Driver<'_>,
    ) -> Result<TakenUp, OperationError> {
        let current = self.standing_under(gate).await?;
        let Some(kind) = current.phase.under_way() else { return Ok(TakenUp::Nothing { current }) };
        // RECONCILE-8: the call of the dead owner may still arrive, and is the same call only if the launch is.
        let operation = Operation { kind, launch: current.launch };
        match &current.owner {
            // RECONCILE-19, RECONCILE-20: its future was dropped, or an error has ended it. The gate is ours, so nobody
            // drives it.
            Some(owner) if *owner == self.inner.own => {}
            // RECONCILE-7: an owner that is only slow keeps it. A start that names none is anybody's.
            owner => {
                let dead = match owner {
                    Some(owner) => match self.prove_death(owner).await? {
                        Some(dead) => Some(dead),
                        None => return Ok(TakenUp::OwnerLives { current }),
                    },
                    None => None,
                };
                match self.recover(gate, operation, dead).await? {
                    RecoverOutcome::Recovered { .. } => {}
                    RecoverOutcome::NotLeft { current } | RecoverOutcome::Moved { current } => {
                        return Ok(TakenUp::Lost { current });
                    }
                }
            }
        }
        debug!(computer = %gate.id(), launch = operation.launch.number(), ?kind, "driven on");
        Ok(TakenUp::Driven(self.drive(gate, driver, operation).await?))
    }

    /// Calls the provider, and settles with what it says.
    pub(super) async fn drive(
        &self,
        gate: &mut Gate<'_>,
        driver: &Driver<'_>,
        operation: Operation,
    ) -> Result<Ended, OperationError> {
        let calls = self.hear(gate, operation);
        // The calls are dropped before anything else is done: whoever has replaced this waits for the gate.
        let heard = match first(calls, self.until_replaced(gate.id(), driver, operation)).await {
            First::One(heard) => heard?,
            First::Other(current) => return Ok(Ended::Overtaken { current }),
        };
        self.tell_heard(gate.id(), operation.launch, &heard).await;
        let request = Settle {
            owner: self.inner.own.clone(),
            computer: gate.id().clone(),
            launch: operation.launch,
            ending: heard.ending,
            mark: heard.mark,
        };
        let settled = {
            let _order = gate.global();
            self.inner.store.settle(request)
        };
        match settled.await? {
            SettleOutcome::Settled { .. } => {
                self.inner.written.notify_waiters();
                Ok(Ended::Settled { operation, failure: heard.failure })
            }
            SettleOutcome::Lost { current } => Ok(Ended::Overtaken { current }),
        }
    }

    async fn hear(&self, gate: &Gate<'_>, operation: Operation) -> Result<Heard, OperationError> {
        let Operation { kind, launch } = operation;
        // Before the call goes out: its effect is never recorded before it.
        self.told(self.recorder().send(gate.id(), kind, launch)).await;
        match kind {
            Kind::Start => Ok(self.bring_up(gate.io(), gate.id(), launch).await),
            Kind::Stop | Kind::Delete => self.bring_down(gate.io(), gate.id(), operation).await,
        }
    }

    /// An answer that shows the instance admitted, exited or proven dead is told as heard, with its mark. All else
    /// gives the start up: a refusal, a fence, or no answer in time.
    async fn tell_heard(&self, computer: &ComputerId, launch: Launch, heard: &Heard) {
        let is_an_answer = heard.failure.as_ref().is_none_or(|failure| matches!(failure, StartFailure::Exited));
        self.told(match is_an_answer {
            true => self.recorder().hear(computer, launch, heard.ending, heard.mark),
            false => self.recorder().fail(computer, launch),
        })
        .await;
    }

    async fn bring_down(
        &self,
        io: crate::locks::IoPermit<'_>,
        computer: &ComputerId,
        Operation { kind, launch }: Operation,
    ) -> Result<Heard, OperationError> {
        let about = (computer, launch);
        let (proof, ending) = if kind == Kind::Delete {
            let removal = self.provider().remove(io, computer.clone(), launch);
            (self.call("remove", about, removal).await, Ending::Removed)
        } else {
            (self.call("stop", about, self.provider().stop(io, computer.clone(), launch)).await, Ending::Stopped)
        };
        // RECONCILE-10: only the proof ends it. Whoever gets none leaves it under way, and it is asked for again.
        let proof = proof.map_err(|unanswered| unanswered.about(launch, self.limits().call))?;
        Ok(Heard { ending, mark: proof.mark(), failure: None })
    }

    /// Waits until the row says that this operation is not ours any more. It is a look that decides nothing: whoever
    /// settles is told as well.
    async fn until_replaced(&self, computer: &ComputerId, driver: &Driver<'_>, operation: Operation) -> Standing {
        loop {
            driver.is_told().await;
            loop {
                match self.inner.store.standing(computer.clone()).await {
                    // RECONCILE-18: that somebody looks for us is no reason to give up what is still ours.
                    Ok(current) if self.is_ours(&current, operation) => break,
                    Ok(current) => return current,
                    Err(error) => debug!(%computer, %error, "the row could not be read, and is read again"),
                }
                self.timer().sleep(self.limits().poll_interval).await;
            }
        }
    }

    fn is_ours(&self, current: &Standing, Operation { kind, launch }: Operation) -> bool {
        let is_it = current.phase == kind.phase() && current.launch == launch;
        is_it && current.owner.as_ref() == Some(&self.inner.own)
    }

    pub(super) async fn standing_under(&self, gate: &mut Gate<'_>) -> Result<Standing, OperationError> {
        let computer = gate.id().clone();
        let standing = {
            let _order = gate.global();
            self.inner.store.standing(computer)
        };
        Ok(standing.await?)
    }

    async fn prove_death(&self, owner: &OwnerName) -> Result<Option<OwnerDeath>, OperationError> {
        // An authority that does not answer would hold the gate for ever.
        let asked = self.inner.liveness.prove_death(owner.clone());
        let proof = self.timer().within(self.limits().call, asked).await;
        let proof = proof.unwrap_or_else(|| Err(std::io::ErrorKind::TimedOut.into()));
        proof.map_err(|error| OperationError::Liveness(crate::sync::Arc::new(error)))
    }

    async fn recover(
        &self,
        gate: &mut Gate<'_>,
        Operation { kind, launch }: Operation,
        dead: Option<OwnerDeath>,
    ) -> Result<RecoverOutcome, OperationError> {
        let request = Recover { owner: self.inner.own.clone(), computer: gate.id().clone(), dead, kind, launch };
        let recovered = {
            let _order = gate.global();
            self.inner.store.recover(request)
        };
        Ok(recovered.await?)
    }
}
