//! A store and a provider whose answers have to be waited for once, each: so that there is an await at every step.

use std::future::Future;
use std::sync::Arc;

use outlive::locks::IoPermit;
use outlive::provider::*;
use outlive::store::operation::*;
use outlive::testing::FakeProvider;
use outlive::{ComputerId, MemoryStore, OperationStore, Provider, ProviderError, StoreError};

/// What it does is done when it is called, and told at the second poll.
pub(crate) struct Pends<T>(pub(crate) Arc<T>);

/// A store whose lists fail.
pub(crate) struct NoLists(pub(crate) Arc<MemoryStore>);

async fn later<T>(answer: impl Future<Output = T>) -> T {
    tokio::task::yield_now().await;
    answer.await
}

macro_rules! store {
    ($($method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            later(self.0.$method(request))
        }
    )*};
}

macro_rules! lists {
    ($($method:ident)*) => {$(
        fn $method(
            &self,
            after: Option<ComputerId>,
            limit: usize,
        ) -> impl Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>> + Send {
            later(self.0.$method(after, limit))
        }
    )*};
}

impl OperationStore for Pends<MemoryStore> {
    store! {
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
    lists! { operations_under_way computers_to_sweep }
}

impl OperationStore for NoLists {
    store! {
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

    async fn operations_under_way(
        &self,
        _: Option<ComputerId>,
        _: usize,
    ) -> Result<Vec<(ComputerId, Standing)>, StoreError> {
        Err(StoreError::Busy { path: "as planned".into() })
    }

    async fn computers_to_sweep(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> Result<Vec<(ComputerId, Standing)>, StoreError> {
        self.operations_under_way(after, limit).await
    }
}

macro_rules! provider {
    ($($method:ident($call:ty) -> $answer:ty;)*) => {$(
        fn $method(
            &self,
            permit: IoPermit<'_>,
            call: $call,
        ) -> impl Future<Output = Result<$answer, ProviderError>> + Send {
            later(self.0.$method(permit, call))
        }
    )*};
}

impl Provider for Pends<FakeProvider> {
    provider! {
        start(Start) -> StartOutcome;
        end(End) -> Ended;
        get(Get) -> Observation;
        watch(Watch) -> Observation;
    }

    fn list(&self, permit: IoPermit<'_>) -> impl Future<Output = Result<Vec<Observation>, ProviderError>> + Send {
        later(self.0.list(permit))
    }
}
