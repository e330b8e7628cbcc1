//! Resets: claimed, driven, finished, and driven on by whoever finds one that was left half done.
//!
//! A reset has four steps: claim, send the wipe, be told that it was obeyed, finish. The claim is durable before
//! anything is wiped, so whoever dies between two of them leaves a reset that is under way, and nothing worse: no save
//! lands and no reference resolves until somebody drives it on.

use std::fmt::{Debug, Display};
use std::future::Future;

use tracing::{debug, instrument};

use super::{Gateway, WipeOrder, Wiped};
use crate::error::StoreError;
use crate::id::{ComputerId, Incarnation};
use crate::store::*;

/// How a gateway reaches a computer in order to wipe it.
pub trait Computer: Sync {
    /// Why it could not be reached.
    type Error: Send;

    /// Delivers the order, and brings back what the computer said.
    ///
    /// # Guarantees
    /// What is brought back is the computer's answer to this very order.
    ///
    /// # Assumptions
    /// ASSUME-5: the computer compares the order's incarnation with its own before it obeys.
    ///
    /// # Outcomes
    /// [`WipeReply`].
    ///
    /// # Errors
    /// An error is no answer: the computer may or may not have obeyed.
    ///
    /// # Cancellation
    /// The same.
    fn wipe(&self, order: &WipeOrder) -> impl Future<Output = Result<WipeReply, Self::Error>> + Send;
}

/// What a computer says to a wipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WipeReply {
    /// It was that incarnation, and has forgotten everything, also who it was.
    Obeyed,
    /// It is another, and has done nothing.
    Refused {
        /// What it is; none if it does not know yet.
        own: Option<Incarnation>,
    },
}

/// How a reset ended, or where it stands.
#[must_use = "a reset that waits must be driven on"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResetOutcome {
    /// It is over. The wiped process registers next, under an incarnation above this one.
    Done {
        /// What was minted.
        minted: Incarnation,
    },
    /// Another gateway has ended it, or there was none.
    NotResetting {
        /// The current incarnation.
        current: Incarnation,
    },
    /// Another reset is under way already: drive it on with [`Gateway::drive_reset`].
    UnderWay {
        /// The incarnation that it ends.
        current: Incarnation,
    },
    /// The decision was made on a life that is over: look again whether it still stands.
    Moved {
        /// The current incarnation.
        current: Incarnation,
    },
    /// The computer's process is not the current incarnation, so it cannot be told to wipe it: it has just started, or
    /// was wiped by a gateway that has died. Let it register, and drive the reset on.
    Waiting {
        /// The incarnation that must be wiped.
        current: Incarnation,
        /// What the process is; none if it does not know yet.
        own: Option<Incarnation>,
    },
    /// Each time that an incarnation was to be wiped, another had registered. Find out why the process keeps starting,
    /// and drive the reset on.
    GivenUp {
        /// The incarnation that was current at the end.
        current: Incarnation,
        /// How many orders to wipe were sent.
        orders: usize,
    },
}

/// Why a reset could not be driven on. It is still under way if it was claimed, and any gateway may take it up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResetError<E: Debug + Display> {
    /// The store failed.
    #[error("the store failed during a reset, which any gateway can drive on")]
    Store(#[from] StoreError),
    /// The computer could not be reached.
    #[error("the computer was not reached during a reset, which any gateway can drive on: {0}")]
    Computer(E),
}

/// How many orders to wipe one drive sends. A process that keeps dying registers under a new incarnation each time;
/// after so many, somebody should look.
const ORDERS_PER_DRIVE: usize = 16;

impl<S: Store> Gateway<S> {
    /// Resets a computer: the stored page goes, its state is wiped, and a new incarnation is minted.
    ///
    /// # Guarantees
    /// RESET-1: it ends the expected incarnation or nothing, and is durable before anything is wiped. RESET-4: it is
    /// over only after the process of the current incarnation has confirmed its wipe.
    ///
    /// # Assumptions
    /// ASSUME-1: a committed transaction lasts. ASSUME-5: the computer obeys only a wipe that names its own
    /// incarnation.
    ///
    /// # Outcomes
    /// See [`ResetOutcome`]. All but `Done` and `NotResetting` have a next step.
    ///
    /// # Errors
    /// [`ResetError`]. If it was claimed it stays under way; call [`Gateway::drive_reset`].
    ///
    /// # Cancellation
    /// The same: it stays where it was, under way or not.
    #[instrument(name = "outlive.reset", skip_all, fields(computer = %computer, expected = expected.number()))]
    pub async fn reset<C>(
        &self,
        computer: &ComputerId,
        expected: Incarnation,
        far: &C,
    ) -> Result<ResetOutcome, ResetError<C::Error>>
    where
        C: Computer,
        C::Error: Debug + Display,
    {
        match self.claim(computer, expected).await? {
            ClaimOutcome::Claimed => self.drive_reset(computer, far).await,
            ClaimOutcome::UnderWay { current } => Ok(ResetOutcome::UnderWay { current }),
            ClaimOutcome::Moved { current } => Ok(ResetOutcome::Moved { current }),
        }
    }

    /// Drives a reset on that is under way, whoever has claimed it.
    ///
    /// # Guarantees
    /// RESET-5: any gateway can, at any time, also while another does: the computer may then be wiped twice, which
    /// harms nobody, since nothing of the life between has been stored. So a reset ends at last (RESET-8) if whatever
    /// is found under way ([`Store::resets_under_way`]) is driven on.
    ///
    /// # Assumptions
    /// ASSUME-5: the computer obeys only a wipe that names its own incarnation.
    ///
    /// # Outcomes
    /// `Done`, `NotResetting`, `Waiting` or `GivenUp`: see [`ResetOutcome`].
    ///
    /// # Errors
    /// [`ResetError`]. The reset stays under way; drive it on again.
    ///
    /// # Cancellation
    /// It stays where it was. The computer may or may not have been wiped; driving it on goes on from either.
    #[instrument(name = "outlive.drive_reset", skip_all, fields(computer = %computer))]
    pub async fn drive_reset<C>(&self, computer: &ComputerId, far: &C) -> Result<ResetOutcome, ResetError<C::Error>>
    where
        C: Computer,
        C::Error: Debug + Display,
    {
        let mut refused = None;
        // RESET-8: whoever registers during the reset is wiped in its turn; a reset that stopped at the first would
        // stay half done.
        for _ in 0..ORDERS_PER_DRIVE {
            let order = match self.send_wipe(computer).await? {
                Ok(order) => order,
                Err(NotResetting { current }) => return Ok(ResetOutcome::NotResetting { current }),
            };
            let current = order.incarnation();
            match (far.wipe(&order).await.map_err(ResetError::Computer)?, refused) {
                (WipeReply::Obeyed, _) => match self.finish(&order.confirmed()).await? {
                    FinishOutcome::Finished { minted } => return Ok(ResetOutcome::Done { minted }),
                    FinishOutcome::NotResetting { current } => return Ok(ResetOutcome::NotResetting { current }),
                    // RESET-4: somebody has registered meanwhile, and shows what nobody has wiped.
                    FinishOutcome::NotWiped { current } => debug!(%current, "a process registered during the reset"),
                },
                // It has refused this very incarnation before, so waiting is all that is left.
                (WipeReply::Refused { own }, Some(before)) if before == current => {
                    return Ok(ResetOutcome::Waiting { current, own });
                }
                // It may have registered between our look and our order: look again.
                (WipeReply::Refused { .. }, _) => refused = Some(current),
            }
        }
        let current = self.standing(computer).await?.incarnation;
        Ok(ResetOutcome::GivenUp { current, orders: ORDERS_PER_DRIVE })
    }

    /// Begins a reset: the first of its steps, for those who drive it by hand.
    ///
    /// # Guarantees
    /// RESET-1, RESET-2: from here on nothing lands and nothing resolves, and the stored page is gone.
    ///
    /// # Assumptions
    /// ASSUME-1: a committed transaction lasts. ASSUME-7: nobody else writes the row meanwhile.
    ///
    /// # Outcomes
    /// Claimed, or what it lost to.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// It may or may not be claimed; claiming again says which.
    #[instrument(name = "outlive.claim", skip_all, fields(computer = %computer, expected = expected.number()))]
    pub async fn claim(&self, computer: &ComputerId, expected: Incarnation) -> Result<ClaimOutcome, StoreError> {
        self.store.claim(Claim { gateway: self.name.clone(), computer: computer.clone(), expected }).await
    }

    /// Makes the order to wipe whoever the computer is now: the second step.
    ///
    /// # Guarantees
    /// RESET-3: the order names the current incarnation, and there is none unless a reset is under way.
    ///
    /// # Assumptions
    /// ASSUME-5: the order may arrive at another incarnation, which refuses it.
    ///
    /// # Outcomes
    /// An order, or that there is nothing to wipe.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// Nothing has happened.
    #[instrument(name = "outlive.send_wipe", skip_all, fields(computer = %computer))]
    pub async fn send_wipe(&self, computer: &ComputerId) -> Result<Result<WipeOrder, NotResetting>, StoreError> {
        let request = SendWipe { gateway: self.name.clone(), computer: computer.clone() };
        Ok(match self.store.send_wipe(request).await? {
            SendWipeOutcome::Send { incarnation } => {
                Ok(WipeOrder::new(computer.clone(), incarnation, self.name.clone()))
            }
            SendWipeOutcome::NotResetting { current } => Err(NotResetting { current }),
        })
    }

    /// Ends a reset: the last step, once the computer has confirmed its wipe.
    ///
    /// # Guarantees
    /// RESET-4: it ends only if what was wiped is still the current incarnation, and mints one.
    ///
    /// # Assumptions
    /// ASSUME-1: a committed transaction lasts. ASSUME-5: the computer has confirmed a wipe that it has obeyed.
    /// ASSUME-7: nobody else writes the row meanwhile.
    ///
    /// # Outcomes
    /// What was minted, or why the reset is not ended by this.
    ///
    /// # Errors
    /// Those of the store. It may be sent again, and happens at most once.
    ///
    /// # Cancellation
    /// It may or may not be over; [`Gateway::drive_reset`] goes on from either.
    #[instrument(name = "outlive.finish", skip_all, fields(computer = %wiped.computer()))]
    pub async fn finish(&self, wiped: &Wiped) -> Result<FinishOutcome, StoreError> {
        let request =
            Finish { gateway: self.name.clone(), computer: wiped.computer().clone(), wiped: wiped.incarnation() };
        self.store.finish(request).await
    }

    /// What the store knows about a computer: where the expected incarnation of a reset or a rollback comes from.
    ///
    /// # Guarantees
    /// None beyond the moment: who acts on it names what was seen.
    ///
    /// # Assumptions
    /// None.
    ///
    /// # Outcomes
    /// What the store knew at that moment.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// Nothing has happened.
    pub async fn standing(&self, computer: &ComputerId) -> Result<Standing, StoreError> {
        let standing = self.store.look(computer.clone()).await?;
        standing.ok_or_else(|| StoreError::NoSuchComputer { computer: computer.clone() })
    }
}

/// There is nothing to wipe: no reset is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotResetting {
    /// The current incarnation.
    pub current: Incarnation,
}
