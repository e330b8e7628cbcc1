//! A store of which one step fails, so that a test can have each of them fail.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outlive::store::operation::*;
use outlive::{ComputerId, MemoryStore, OperationStore, StoreError};

/// A store of which one step fails: it was not done, or nobody knows whether it was.
pub(crate) struct FailsOnce {
    pub(crate) store: Arc<MemoryStore>,
    /// How many succeed before.
    pub(crate) steps_left: AtomicUsize,
    pub(crate) is_done: bool,
}

impl FailsOnce {
    fn step<'s, T, F: Future<Output = Result<T, StoreError>> + Send>(
        &'s self,
        submit: impl FnOnce(&'s MemoryStore) -> F,
    ) -> impl Future<Output = Result<T, StoreError>> + Send {
        let is_this_one = self.steps_left.fetch_sub(1, Ordering::Relaxed) == 0;
        let submitted = (!is_this_one || self.is_done).then(|| submit(&self.store));
        async move {
            match submitted {
                Some(answer) if !is_this_one => answer.await,
                Some(_) | None => Err(StoreError::Busy { path: "as planned".into() }),
            }
        }
    }
}

macro_rules! fails {
    ($($method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            self.step(move |store| store.$method(request))
        }
    )*};
}

macro_rules! failing_lists {
    ($($method:ident)*) => {$(
        fn $method(
            &self,
            after: Option<ComputerId>,
            limit: usize,
        ) -> impl Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>> + Send {
            self.step(move |store| store.$method(after, limit))
        }
    )*};
}

impl OperationStore for FailsOnce {
    fails! {
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
    failing_lists! { operations_under_way computers_to_sweep }
}
