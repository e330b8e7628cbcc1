//! The operations of computers in the file: steps of the same writer, which share its commits.

mod decide;
mod row;

use std::future::Future;

use rusqlite::Connection as Raw;

use super::SqliteStore;
use super::failure::Fault;
use super::worker::Pending;
use crate::error::StoreError;
use crate::id::ComputerId;
use crate::store::operation::*;

impl SqliteStore {
    /// A step on an operation. Its event will be written here, in the same transaction.
    fn operate<R, O>(&self, request: R, decide: fn(&Raw, &R) -> Result<O, Fault>) -> Pending<O>
    where
        R: Send + 'static,
        O: Send + 'static,
    {
        self.shared.writer.submit(move |raw| decide(raw, &request))
    }
}

macro_rules! steps {
    ($($method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            self.operate(request, decide::$method)
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
            self.shared.readers.submit(move |raw| row::$method(raw, after.as_ref(), limit))
        }
    )*};
}

impl OperationStore for SqliteStore {
    steps! {
        begin_start(BeginStart) -> BeginOutcome;
        begin_stop(BeginStop) -> BeginOutcome;
        begin_delete(BeginDelete) -> BeginOutcome;
        recover(Recover) -> RecoverOutcome;
        settle(Settle) -> SettleOutcome;
        conclude(Conclude) -> ConcludeOutcome;
        deliver(Deliver) -> DeliverOutcome;
    }

    fn standing(&self, computer: ComputerId) -> impl Future<Output = Result<Standing, StoreError>> + Send {
        self.shared.readers.submit(move |raw| row::standing(raw, &computer))
    }

    lists! { operations_under_way computers_to_sweep }
}
