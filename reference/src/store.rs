//! The store: one row for each computer, and every decision about a row in one transaction.
//!
//! # Theory of operation
//!
//! A row has the current incarnation of a computer, whether a reset is under way, the incarnation that the last reset
//! opened, and the stored page under its own name. The store mints incarnations, so equality with the current one is
//! the whole fence: whatever is late names another. Pages are compared by generation only within one incarnation.
//!
//! # Ground rules
//!
//! - Every write but the creation of a computer names what its author expects. Each is decided and done in one
//!   transaction.
//! - A lost race is an outcome that says what won, never an error.
//! - Where recording is on, the decision and its trace event are one transaction: a decision that was rolled back
//!   leaves no event, and one that was committed leaves one.
//!
//! [`crate::Gateway`] and [`crate::ProcessStart`] call a store for you. What is started, stopped and deleted at a
//! provider stands in a row of its own: see [`operation`].

mod memory;
pub mod operation;
mod outcome;
mod request;
pub(crate) mod sqlite;

use std::future::Future;
use std::sync::Arc;

pub use memory::MemoryStore;
pub use operation::OperationStore;
pub use outcome::{
    BeginOutcome, ClaimOutcome, CreateOutcome, FinishOutcome, LoadOutcome, RegisterOutcome, ResolveOutcome,
    RollbackOutcome, SaveOutcome, SendWipeOutcome, Standing,
};
pub use request::{Ask, Begin, Claim, Create, Finish, Load, Question, Resolve, Rollback, Save, SendWipe};
pub use sqlite::{Durability, SqliteOptions, SqliteStore};

use crate::error::StoreError;
use crate::id::ComputerId;
use crate::trace::Recorder;

/// A durable table of computers.
///
/// # Guarantees
/// Each method is one atomic step, in one order for everybody. A method that returned `Ok` has done what its outcome
/// says, durably if the store is durable at all.
///
/// # Assumptions
/// ASSUME-1, that a committed transaction lasts, for the durable ones; ASSUME-2, that a reply reaches only the process
/// that asked; ASSUME-7, that a row has one writer at a time.
///
/// # Outcomes
/// Each method has a type of its own for how it ended. Where the step was refused, it says what won. A refusal has
/// changed nothing.
///
/// # Errors
/// [`StoreError`]; nothing was changed, unless its variant says that nobody knows. All but `create`, `look` and
/// `resets_under_way` fail with [`StoreError::NoSuchComputer`] for a computer that was never created, and those that
/// mint with [`StoreError::LastIncarnation`] once nothing is left to mint.
///
/// # Cancellation
/// A step is submitted when its method is called, not when the future is first polled. So writes that one thread
/// submits are taken in the order of the calls, and a read that begins after a write's outcome sees the write. To drop
/// the future gives up the outcome, not the step, which may or may not happen.
pub trait Store: Send + Sync + 'static {
    /// Makes a row for a computer that has none.
    ///
    /// # Guarantees
    /// An existing row is left as it is: none is revived by accident.
    fn create(&self, request: Create) -> impl Future<Output = Result<CreateOutcome, StoreError>> + Send;

    /// What is known about a computer; none if it was never created. It is never recorded.
    ///
    /// # Guarantees
    /// None beyond the moment: nothing may be decided by it alone. A write that follows names what was seen here.
    fn look(&self, computer: ComputerId) -> impl Future<Output = Result<Option<Standing>, StoreError>> + Send;

    /// Lists computers whose reset is under way, a page at a time: what a gateway looks through when it starts.
    ///
    /// # Guarantees
    /// RESET-5: up to `limit` of them, in the order of their ids, beginning behind `after`. The list is empty iff there
    /// are none behind it. Whoever goes on from the last one until the list is empty has met each computer whose reset
    /// was under way all the time.
    fn resets_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ComputerId>, StoreError>> + Send;

    /// Reads, for a process that does not know who it is, the incarnation that it would follow.
    ///
    /// # Guarantees
    /// None beyond the moment: [`Store::register`] finds out whether it is still so.
    fn ask(&self, request: Ask) -> impl Future<Output = Result<Question, StoreError>> + Send;

    /// Mints an incarnation for a process.
    ///
    /// # Guarantees
    /// RESTART-1: iff the incarnation that the process expects to follow is the current one. RESTART-2: what is minted
    /// is above all that was minted before.
    fn register(&self, question: Question) -> impl Future<Output = Result<RegisterOutcome, StoreError>> + Send;

    /// Reads the incarnation that a call must name.
    ///
    /// # Guarantees
    /// SAVE-1: it was the current one at some moment between call and outcome.
    fn begin(&self, request: Begin) -> impl Future<Output = Result<BeginOutcome, StoreError>> + Send;

    /// Stores a page.
    ///
    /// # Guarantees
    /// Iff no reset is under way (RESET-2), its incarnation is the current one and not nobody's (SAVE-3), and its
    /// generation is above that of the stored page if that is of the same incarnation (SAVE-4). SAVE-5: of these, the
    /// first that was broken is told.
    fn save(&self, request: Save) -> impl Future<Output = Result<SaveOutcome, StoreError>> + Send;

    /// Begins a reset.
    ///
    /// # Guarantees
    /// RESET-1: iff none is under way and the expected incarnation is the current one. The stored page is gone with it.
    fn claim(&self, request: Claim) -> impl Future<Output = Result<ClaimOutcome, StoreError>> + Send;

    /// Reads the incarnation that a wipe must name.
    ///
    /// # Guarantees
    /// RESET-5: there is one iff a reset is under way, whoever has claimed it.
    fn send_wipe(&self, request: SendWipe) -> impl Future<Output = Result<SendWipeOutcome, StoreError>> + Send;

    /// Ends a reset and mints an incarnation.
    ///
    /// # Guarantees
    /// RESET-4: iff a reset is under way and what was wiped is the current incarnation.
    fn finish(&self, request: Finish) -> impl Future<Output = Result<FinishOutcome, StoreError>> + Send;

    /// Reads the stored page, and what else is known.
    ///
    /// # Guarantees
    /// SAVE-9: both as they stood in the row at one moment.
    fn load(&self, request: Load) -> impl Future<Output = Result<LoadOutcome, StoreError>> + Send;

    /// Reads the page that an agent cites, if references into it still resolve.
    ///
    /// # Guarantees
    /// RESET-6: iff it is the stored one and of the current incarnation.
    fn resolve(&self, request: Resolve) -> impl Future<Output = Result<ResolveOutcome, StoreError>> + Send;

    /// Puts a page back under its own old name and mints an incarnation.
    ///
    /// # Guarantees
    /// Iff no reset is under way (RESET-2), the expected incarnation is the current one (SAVE-7), and the page is
    /// neither from before the last reset nor of an incarnation that was not minted (SAVE-8).
    ///
    /// # Assumptions
    /// SAVE-8: the page was loaded. A store does not remember which pages were; [`crate::Gateway::rollback`] takes no
    /// other.
    fn rollback(&self, request: Rollback) -> impl Future<Output = Result<RollbackOutcome, StoreError>> + Send;

    /// Where the steps are recorded; [`Recorder::off`] if they are not.
    fn recorder(&self) -> Recorder;
}

macro_rules! forward {
    ($($method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            (**self).$method(request)
        }
    )*};
}

impl<S: Store> Store for Arc<S> {
    forward! {
        create(Create) -> CreateOutcome;
        look(ComputerId) -> Option<Standing>;
        ask(Ask) -> Question;
        register(Question) -> RegisterOutcome;
        begin(Begin) -> BeginOutcome;
        save(Save) -> SaveOutcome;
        claim(Claim) -> ClaimOutcome;
        send_wipe(SendWipe) -> SendWipeOutcome;
        finish(Finish) -> FinishOutcome;
        load(Load) -> LoadOutcome;
        resolve(Resolve) -> ResolveOutcome;
        rollback(Rollback) -> RollbackOutcome;
    }

    fn resets_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ComputerId>, StoreError>> + Send {
        (**self).resets_under_way(after, limit)
    }

    fn recorder(&self) -> Recorder {
        (**self).recorder()
    }
}
