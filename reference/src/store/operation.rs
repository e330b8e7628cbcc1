//! Operations: what is started, stopped and deleted at a provider, and which observation may be written over what.
//!
//! # Theory of operation
//!
//! A row for each computer has a *phase*, the newest *launch*, the *owner* of the operation that is under way, and a
//! *mark*: how far the row has come in the provider's order of its reports. Its *revision* counts the writes.
//!
//! An operation begins with one write of phase, launch and owner, and ends with another, which names the same three. In
//! between its owner calls the provider, and may die. Then whoever has a proof of the death takes the operation over,
//! with the same launch, so that a call of the dead owner that still arrives is the same call.
//!
//! A compare-and-swap orders writes, and does not say how old an observation is. So whatever is written of an
//! observation shows three things: that no operation is under way, that the row is the one that was read before the
//! provider, and that the instance that was seen is of the row's launch. A report shows its mark, and no revision.
//!
//! # Ground rules
//!
//! - Only a start mints a launch, in the write that begins it.
//! - An observation never ends an operation that somebody owns, nor one that nobody does: its owner settles it.
//! - Nothing leaves [`Phase::Gone`].
//! - What follows from an observation is decided in the step that writes it, over the phase of that moment.
//! - The mark never goes back, and of what is ready or an error it comes as far as every observation that counts, also
//!   one from which nothing follows.
//!
//! # What is not here
//!
//! The calls of the provider, and what drives an operation on: that is [`crate::operation`] and [`crate::reconcile`].
//!
//! # What is recorded
//!
//! Where recording is on, each step is: done or refused, in its own transaction, with the row as it is after it. So is
//! the row that a sweep reads by [`OperationStore::read`], since its revision decides what may be written later. A look
//! by [`OperationStore::standing`] and the lists are never recorded, and nothing may be concluded over a revision that
//! only they have told: a sweep that is recorded reads each row that it goes on with. A takeover that is refused for
//! want of a proof, though the trace has another's proof of that very death, has no event: it changes nothing, and the
//! protocol knows no owner that is dead for one and not for another.
//!
//! # What a sweep costs
//!
//! A page of [`OperationStore::computers_to_sweep`] costs the same at any number of computers, and what is stopped or
//! gone is not on it. Yet a sweep costs in proportion to the computers that are ready or an error, not to those that
//! have changed, and no index can mend that: the change is at the provider, where the store does not see it, and a
//! provider's marks are of one computer each, so that none of them says "nothing else has changed since". What a
//! provider does tell of is in proportion to the changes: each report is one [`OperationStore::deliver`]. A sweep is
//! for what no report has told, so it can be as rare as reports are reliable.

mod liveness;
mod outcome;
mod request;
mod standing;

use std::future::Future;
use std::sync::Arc;

pub use liveness::{Liveness, OwnerDeath};
pub use outcome::{BeginOutcome, ConcludeOutcome, Conclusion, DeliverOutcome, RecoverOutcome, SettleOutcome};
pub use request::{BeginDelete, BeginStart, BeginStop, Conclude, Deliver, Ending, Read, Recover, Settle};
pub use standing::{Kind, Phase, Standing};

use crate::error::StoreError;
use crate::id::ComputerId;

/// A durable table of the operations of computers, which [`crate::Store::create`] has made.
///
/// # Guarantees
/// Each method is one atomic step, in one order for everybody. A method that returned `Ok` has done what its outcome
/// says, durably if the store is durable at all. Each write counts the revision up by one, and each refusal leaves the
/// row as it was.
///
/// # Assumptions
/// ASSUME-1, that a committed transaction lasts, for the durable ones; ASSUME-7, that a row has one writer at a time;
/// ASSUME-10, that a provider's reports bear their place in its order. An owner that was proven dead writes nothing any
/// more, and its name is not used again.
///
/// # Outcomes
/// Each method has a type of its own for how it ended, which says what won where it was refused.
///
/// # Errors
/// [`StoreError`]; nothing was changed, unless its variant says that nobody knows. All but the lists fail with
/// [`StoreError::NoSuchComputer`] for a computer that was never created. Once a row was written 2^53 - 1 times, all but
/// the lists and the read of a row fail with [`StoreError::LastRevision`].
///
/// # Cancellation
/// As for [`crate::Store`]: a step is submitted when its method is called, and to drop the future gives up the outcome,
/// not the step.
pub trait OperationStore: Send + Sync + 'static {
    /// Begins a start: the next launch, the phase and the owner are one write.
    ///
    /// # Guarantees
    /// Iff the computer is stopped or an error: what may run is stopped first.
    fn begin_start(&self, request: BeginStart) -> impl Future<Output = Result<BeginOutcome, StoreError>> + Send;

    /// Begins a stop, in place of the start that may be under way.
    ///
    /// # Guarantees
    /// Iff something may run: the computer is starting, ready, or an error. A start may hang for ever, and whoever pays
    /// for it must be able to end it.
    fn begin_stop(&self, request: BeginStop) -> impl Future<Output = Result<BeginOutcome, StoreError>> + Send;

    /// Begins a deletion, in place of whatever is under way.
    ///
    /// # Guarantees
    /// Iff none was begun before.
    fn begin_delete(&self, request: BeginDelete) -> impl Future<Output = Result<BeginOutcome, StoreError>> + Send;

    /// Takes over an operation whose owner is dead, or that names none.
    ///
    /// # Guarantees
    /// Iff what is under way is of that owner, and still of the kind and the launch that were read. It goes on as the
    /// same operation with the same launch. Where recording is on, the death is marked with it, whoever owns what.
    fn recover(&self, request: Recover) -> impl Future<Output = Result<RecoverOutcome, StoreError>> + Send;

    /// Ends an operation.
    ///
    /// # Guarantees
    /// Iff it is still what is under way: this kind, of this launch, of this owner. One that names no owner is taken
    /// over first.
    ///
    /// # Assumptions
    /// What its author says of the provider is so.
    fn settle(&self, request: Settle) -> impl Future<Output = Result<SettleOutcome, StoreError>> + Send;

    /// Reads the row, for whoever wants to know. It is never recorded.
    ///
    /// # Guarantees
    /// None beyond the moment: nothing may be decided by it alone.
    fn standing(&self, computer: ComputerId) -> impl Future<Output = Result<Standing, StoreError>> + Send;

    /// Reads the row: what a sweep does before it reads the provider.
    ///
    /// # Guarantees
    /// None beyond the moment. What is written over it names its revision.
    fn read(&self, request: Read) -> impl Future<Output = Result<Standing, StoreError>> + Send;

    /// Writes what follows from what the provider has answered to a sweep.
    ///
    /// # Guarantees
    /// Iff something follows, no operation is under way, the revision is the one that was read before the provider, and
    /// what was seen is of the row's launch. Of these, the first that was broken is told.
    ///
    /// # Assumptions
    /// The revision was read before the provider, by [`OperationStore::read`] if it is to be recorded. It is an answer
    /// to a read, and no report or line of a list.
    fn conclude(&self, request: Conclude) -> impl Future<Output = Result<ConcludeOutcome, StoreError>> + Send;

    /// Writes what follows from a report.
    ///
    /// # Guarantees
    /// Iff it says that something is there, no operation is under way, it is of the row's launch and beyond the row's
    /// mark, and something follows. Of these, the first that was broken is told.
    fn deliver(&self, request: Deliver) -> impl Future<Output = Result<DeliverOutcome, StoreError>> + Send;

    /// Lists the computers with an operation under way, a page at a time: what a control plane looks through when it
    /// starts, for operations of the dead.
    ///
    /// # Guarantees
    /// Up to `limit` of them, in the order of their ids, beginning behind `after`, each as it stood at that moment. The
    /// list is empty iff there are none behind it. Whoever goes on from the last one until the list is empty has met
    /// each computer on which something was under way all the time. A page costs the same at any number of computers.
    fn operations_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>> + Send;

    /// Lists the computers of which an observation could be written: those that are ready, or an error.
    ///
    /// # Guarantees
    /// Those of [`OperationStore::operations_under_way`]. The revision was read before a provider that is asked after
    /// the list has come.
    fn computers_to_sweep(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>> + Send;
}

macro_rules! forward {
    ($($method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            (**self).$method(request)
        }
    )*};
}

macro_rules! forward_lists {
    ($($method:ident)*) => {$(
        fn $method(
            &self,
            after: Option<ComputerId>,
            limit: usize,
        ) -> impl Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>> + Send {
            (**self).$method(after, limit)
        }
    )*};
}

impl<S: OperationStore> OperationStore for Arc<S> {
    forward! {
        begin_start(BeginStart) -> BeginOutcome;
        begin_stop(BeginStop) -> BeginOutcome;
        begin_delete(BeginDelete) -> BeginOutcome;
        recover(Recover) -> RecoverOutcome;
        settle(Settle) -> SettleOutcome;
        standing(ComputerId) -> Standing;
        read(Read) -> Standing;
        conclude(Conclude) -> ConcludeOutcome;
        deliver(Deliver) -> DeliverOutcome;
    }

    forward_lists! { operations_under_way computers_to_sweep }
}
