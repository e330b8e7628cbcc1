//! The operations of computers in the file: steps of the same writer, which share its commits.

mod decide;
pub(super) mod row;

use std::future::Future;

use super::SqliteStore;
use crate::error::StoreError;
use crate::id::ComputerId;
use crate::store::operation::*;

macro_rules! steps {
    ($($how:ident $method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            self.$how(request, decide::$method)
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
        write begin_start(BeginStart) -> BeginOutcome;
        write begin_stop(BeginStop) -> BeginOutcome;
        write begin_delete(BeginDelete) -> BeginOutcome;
        write recover(Recover) -> RecoverOutcome;
        write settle(Settle) -> SettleOutcome;
        read read(Read) -> Standing;
        write conclude(Conclude) -> ConcludeOutcome;
        write deliver(Deliver) -> DeliverOutcome;
    }

    fn standing(&self, computer: ComputerId) -> impl Future<Output = Result<Standing, StoreError>> + Send {
        self.shared.readers.submit(move |raw| row::standing(raw, &computer))
    }

    lists! { operations_under_way computers_to_sweep }
}
