//! How a starting process learns who it is.

use std::sync::Arc;

use tracing::instrument;

use crate::error::StoreError;
use crate::id::{ComputerId, LifeName};
use crate::store::{Ask, Question, RegisterOutcome, Store};

/// A process of a computer that does not know who it is: one that has just started, or was wiped.
///
/// It names its own life, asks whom it would follow, and is registered. The incarnation that it is told is kept in the
/// memory of the process and nowhere else (ASSUME-3): a copy on disk would outlive it.
pub struct ProcessStart<S> {
    store: Arc<S>,
    computer: ComputerId,
    life: LifeName,
}

impl<S: Store> ProcessStart<S> {
    /// The process of this computer, in this life. RESTART-4: each start and each wipe takes a new name, from
    /// [`LifeName::mint`].
    pub fn new(store: Arc<S>, computer: ComputerId, life: LifeName) -> ProcessStart<S> {
        ProcessStart { store, computer, life }
    }

    /// Reads the incarnation that the process would follow.
    ///
    /// # Guarantees
    /// None beyond the moment: [`ProcessStart::register`] finds out whether it is still so.
    ///
    /// # Assumptions
    /// RESTART-4: who asks again no longer listens for the reply to an earlier question. ASSUME-2: and nobody else
    /// does.
    ///
    /// # Outcomes
    /// The question that [`ProcessStart::register`] takes.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// Nothing has happened. It is submitted at once, not when it is polled.
    pub fn ask(&self) -> impl Future<Output = Result<Question, StoreError>> + Send + use<'_, S> {
        self.store.ask(Ask { computer: self.computer.clone(), life: self.life.clone() })
    }

    /// Becomes the incarnation that follows the one in the question, if that is still the current one.
    ///
    /// # Guarantees
    /// RESTART-1: of several processes that ask to follow one incarnation, one is registered. RESTART-2: it is given an
    /// incarnation that nobody had.
    ///
    /// # Assumptions
    /// ASSUME-1: a committed transaction lasts. ASSUME-3: the process keeps what it is told in memory only. ASSUME-7:
    /// nobody else writes the row meanwhile. ASSUME-4: a registered process first loads the stored page, and goes on
    /// from there.
    ///
    /// # Outcomes
    /// See [`RegisterOutcome`]. A process that was overtaken and is still wanted asks anew.
    ///
    /// # Errors
    /// Those of the store. Do not send the question again, ask anew: the first may have been answered after all.
    ///
    /// # Cancellation
    /// An incarnation may have been minted that nobody is; asking anew mends it.
    #[instrument(name = "outlive.register", skip_all, fields(computer = %question.computer))]
    pub async fn register(&self, question: Question) -> Result<RegisterOutcome, StoreError> {
        self.store.register(question).await
    }
}
