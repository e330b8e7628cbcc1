//! A store in memory, for tests and for state that may die with its process. It keeps every promise of a store except
//! durability.

mod operation;
mod row;
mod trace;

use std::collections::BTreeMap;
use std::future::{Future, ready};
use std::sync::Arc;

use outlive_spec::trace::Phase;

use super::*;
use crate::clock::{Clock, WallClock};
use crate::sync::Mutex;
use crate::trace::Recorded;
use row::Row;
use trace::{Trace, TraceList};

/// A store in memory.
#[derive(Default)]
pub struct MemoryStore {
    tables: Arc<Mutex<Tables>>,
    /// Present iff recording is on.
    clock: Option<Arc<dyn Clock>>,
}

#[derive(Default)]
struct Tables {
    computers: BTreeMap<ComputerId, Row>,
    /// Of those on which something was ever begun.
    operations: BTreeMap<ComputerId, super::operation::Standing>,
    trace: Trace,
}

impl MemoryStore {
    /// An empty store that records nothing.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// An empty store that records what it decides.
    pub fn recording() -> MemoryStore {
        MemoryStore::recording_by(Arc::new(WallClock))
    }

    /// The same, with another clock.
    pub fn recording_by(clock: Arc<dyn Clock>) -> MemoryStore {
        MemoryStore { clock: Some(clock), ..MemoryStore::default() }
    }

    /// Decides, and records the decision, while nobody else can (ASSUME-7).
    fn step<R: Recorded<Row = Standing>>(
        &self,
        request: R,
        decide: fn(&mut Row, &R) -> Result<R::Outcome, StoreError>,
    ) -> impl Future<Output = Result<R::Outcome, StoreError>> + Send {
        ready(self.decide(&request, decide))
    }

    fn decide<R: Recorded<Row = Standing>>(
        &self,
        request: &R,
        decide: fn(&mut Row, &R) -> Result<R::Outcome, StoreError>,
    ) -> Result<R::Outcome, StoreError> {
        let mut tables = self.tables.lock();
        let Tables { computers, trace, .. } = &mut *tables;
        let row = computers.get_mut(request.computer());
        let row = row.ok_or_else(|| StoreError::NoSuchComputer { computer: request.computer().clone() })?;
        let outcome = decide(row, request)?;
        // TRACE-3: before the lock is given back, so that neither is seen without the other.
        if let Some(clock) = &self.clock {
            let found = (R::PHASE == Phase::Commit).then(|| row.standing());
            trace.record_decision(request, &outcome, found, &**clock);
        }
        Ok(outcome)
    }
}

macro_rules! steps {
    ($($method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            self.step(request, Row::$method)
        }
    )*};
}

impl Store for MemoryStore {
    fn create(&self, request: Create) -> impl Future<Output = Result<CreateOutcome, StoreError>> + Send {
        let mut tables = self.tables.lock();
        let outcome = match tables.computers.get(&request.computer) {
            Some(row) => CreateOutcome::Exists { current: row.standing().incarnation },
            None => {
                tables.computers.insert(request.computer, Row::nobodys());
                CreateOutcome::Created
            }
        };
        ready(Ok(outcome))
    }

    fn look(&self, computer: ComputerId) -> impl Future<Output = Result<Option<Standing>, StoreError>> + Send {
        ready(Ok(self.tables.lock().computers.get(&computer).map(Row::standing)))
    }

    fn resets_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ComputerId>, StoreError>> + Send {
        let tables = self.tables.lock();
        let is_behind = |id: &ComputerId| after.as_ref().is_none_or(|after| id > after);
        let under_way = tables.computers.iter().filter(|(id, row)| row.standing().is_resetting && is_behind(id));
        ready(Ok(under_way.take(limit).map(|(id, _)| id.clone()).collect()))
    }

    steps! {
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

    fn recorder(&self) -> Recorder {
        let to_list =
            |clock: &Arc<dyn Clock>| Recorder::to(Arc::new(TraceList::new(self.tables.clone(), clock.clone())));
        self.clock.as_ref().map_or_else(Recorder::off, to_list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{operation_kit, store_kit};

    #[tokio::test]
    async fn restart_2_a_store_in_memory_mints_nothing_after_the_last_incarnation() {
        let store = MemoryStore::recording();
        let computer = ComputerId::new("old").unwrap();
        store.tables.lock().computers.insert(computer.clone(), Row::of_the_last_incarnation());
        store_kit::hold_the_last_incarnation(&store, &computer).await;
    }

    /// A computer whose operations stand like this.
    fn with(standing: crate::store::operation::Standing) -> (MemoryStore, ComputerId) {
        let (store, computer) = (MemoryStore::new(), ComputerId::new("old").unwrap());
        let mut tables = store.tables.lock();
        tables.computers.insert(computer.clone(), Row::nobodys());
        tables.operations.insert(computer.clone(), standing);
        drop(tables);
        (store, computer)
    }

    #[tokio::test]
    async fn a_start_without_a_claim_is_anybodys_in_memory() {
        let (store, computer) = with(operation::unclaimed_start());
        operation_kit::hold_an_unclaimed_start(&store, &computer).await;
    }

    #[tokio::test]
    async fn a_store_in_memory_writes_nothing_after_the_last_revision() {
        for standing in operation::of_the_last_revision() {
            let (store, computer) = with(standing);
            operation_kit::hold_the_last_revision(&store, &computer).await;
        }
    }
}
