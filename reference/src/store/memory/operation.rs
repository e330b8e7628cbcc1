//! The operations of computers in memory. Each decision asks first and writes last, so that a refusal leaves the row as
//! it was.

use std::future::{Future, ready};

use super::{MemoryStore, Tables};
use crate::error::StoreError;
use crate::id::{ComputerId, Launch, OwnerName, Revision};
use crate::provider::Observation;
use crate::store::operation::*;
use crate::trace::Recorded;

impl MemoryStore {
    /// Takes a step, and records it, while nobody else can (ASSUME-7).
    fn operate<R: Recorded<Row = Standing>>(
        &self,
        request: R,
        decide: fn(&mut Standing, Revision, &R) -> R::Outcome,
    ) -> impl Future<Output = Result<R::Outcome, StoreError>> + Send + use<R> {
        ready(self.decide_operation(&request, decide))
    }

    fn decide_operation<R: Recorded<Row = Standing>>(
        &self,
        request: &R,
        decide: fn(&mut Standing, Revision, &R) -> R::Outcome,
    ) -> Result<R::Outcome, StoreError> {
        let (mut tables, computer) = (self.tables.lock(), request.computer());
        let mut row = tables.standing(computer)?;
        let last = || StoreError::LastRevision { computer: computer.clone() };
        let before = row.revision;
        let outcome = decide(&mut row, before.next().ok_or_else(last)?, request);
        if row.revision != before {
            tables.operations.insert(computer.clone(), row);
        }
        // TRACE-3: before the lock is given back, so that neither is seen without the other.
        if let Some(clock) = &self.clock {
            let found = tables.standing(computer)?;
            tables.trace.record_decision(request, &outcome, Some(found), &**clock);
        }
        Ok(outcome)
    }

    fn read_operation(&self, request: &Read) -> Result<Standing, StoreError> {
        let mut tables = self.tables.lock();
        let found = tables.standing(&request.computer)?;
        // TRACE-4: what a sweep will write names this revision.
        if let Some(clock) = &self.clock {
            tables.trace.record_decision(request, &found, None, &**clock);
        }
        Ok(found)
    }

    fn operations(
        &self,
        after: Option<&ComputerId>,
        limit: usize,
        is_listed: fn(Phase) -> bool,
    ) -> impl Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>> + Send + use<> {
        let tables = self.tables.lock();
        let is_behind = |id: &ComputerId| after.is_none_or(|after| id > after);
        let listed = tables.operations.iter().filter(|(id, row)| is_listed(row.phase) && is_behind(id));
        ready(Ok(listed.take(limit).map(|(id, row)| (id.clone(), row.clone())).collect()))
    }
}

impl Tables {
    fn standing(&self, computer: &ComputerId) -> Result<Standing, StoreError> {
        if !self.computers.contains_key(computer) {
            return Err(StoreError::NoSuchComputer { computer: computer.clone() });
        }
        Ok(self.operations.get(computer).cloned().unwrap_or_else(Standing::unwritten))
    }
}

impl OperationStore for MemoryStore {
    fn begin_start(&self, request: BeginStart) -> impl Future<Output = Result<BeginOutcome, StoreError>> + Send {
        self.operate(request, begin_start)
    }

    fn begin_stop(&self, request: BeginStop) -> impl Future<Output = Result<BeginOutcome, StoreError>> + Send {
        self.operate(request, begin_stop)
    }

    fn begin_delete(&self, request: BeginDelete) -> impl Future<Output = Result<BeginOutcome, StoreError>> + Send {
        self.operate(request, begin_delete)
    }

    fn recover(&self, request: Recover) -> impl Future<Output = Result<RecoverOutcome, StoreError>> + Send {
        self.operate(request, recover)
    }

    fn settle(&self, request: Settle) -> impl Future<Output = Result<SettleOutcome, StoreError>> + Send {
        self.operate(request, settle)
    }

    fn standing(&self, computer: ComputerId) -> impl Future<Output = Result<Standing, StoreError>> + Send {
        ready(self.tables.lock().standing(&computer))
    }

    fn read(&self, request: Read) -> impl Future<Output = Result<Standing, StoreError>> + Send {
        ready(self.read_operation(&request))
    }

    fn conclude(&self, request: Conclude) -> impl Future<Output = Result<ConcludeOutcome, StoreError>> + Send {
        self.operate(request, conclude)
    }

    fn deliver(&self, request: Deliver) -> impl Future<Output = Result<DeliverOutcome, StoreError>> + Send {
        self.operate(request, deliver)
    }

    fn operations_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>> + Send {
        self.operations(after.as_ref(), limit, |phase| phase.under_way().is_some())
    }

    fn computers_to_sweep(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>> + Send {
        self.operations(after.as_ref(), limit, |phase| matches!(phase, Phase::Ready | Phase::Error))
    }
}

// ---------------------------------------------------------------------------------- an operation begins, or ends

fn begin_start(row: &mut Standing, next: Revision, request: &BeginStart) -> BeginOutcome {
    // RECONCILE-1: the name stands for one instance, so what may run is stopped first. A launch is a write, so there is
    // one as long as there is a revision.
    match (row.phase, row.launch.next()) {
        (Phase::Stopped | Phase::Error, Some(launch)) => begin(row, next, Kind::Start, &request.owner, launch),
        (phase, _) => BeginOutcome::Refused { phase },
    }
}

fn begin_stop(row: &mut Standing, next: Revision, request: &BeginStop) -> BeginOutcome {
    match row.phase {
        // RECONCILE-9: a start may hang for ever, and whoever pays for it must be able to end it.
        Phase::Starting | Phase::Ready | Phase::Error => begin(row, next, Kind::Stop, &request.owner, row.launch),
        phase @ (Phase::Stopped | Phase::Stopping | Phase::Deleting | Phase::Gone) => BeginOutcome::Refused { phase },
    }
}

fn begin_delete(row: &mut Standing, next: Revision, request: &BeginDelete) -> BeginOutcome {
    match row.phase {
        // RECONCILE-10: what is gone stays gone, and is not removed twice.
        phase @ (Phase::Deleting | Phase::Gone) => BeginOutcome::Refused { phase },
        Phase::Stopped | Phase::Starting | Phase::Ready | Phase::Error | Phase::Stopping => {
            begin(row, next, Kind::Delete, &request.owner, row.launch)
        }
    }
}

/// Phase, launch and owner are one write: between two of these, nobody would own the operation.
fn begin(row: &mut Standing, revision: Revision, kind: Kind, owner: &OwnerName, launch: Launch) -> BeginOutcome {
    *row = Standing { revision, phase: kind.phase(), launch, owner: Some(owner.clone()), mark: row.mark };
    BeginOutcome::Begun { launch, revision }
}

fn recover(row: &mut Standing, next: Revision, request: &Recover) -> RecoverOutcome {
    // RECONCILE-7: who is slow is not dead, and two that take over from each other never end.
    let is_left = row.owner.as_ref() == request.dead.as_ref().map(OwnerDeath::owner);
    if row.phase.under_way().is_none() || !is_left {
        return RecoverOutcome::NotLeft { current: row.clone() };
    }
    // RECONCILE-8: the call of the dead owner may still arrive, and is the same call only if it is of the same launch.
    if row.phase != request.kind.phase() || row.launch != request.launch {
        return RecoverOutcome::Moved { current: row.clone() };
    }
    (row.owner, row.revision) = (Some(request.owner.clone()), next);
    RecoverOutcome::Recovered { revision: next }
}

fn settle(row: &mut Standing, next: Revision, request: &Settle) -> SettleOutcome {
    // RECONCILE-2: a stop may have taken the place of this start, or another owner that of this one.
    let is_its_own = row.phase == request.ending.kind().phase()
        && row.launch == request.launch
        && row.owner.as_ref() == Some(&request.owner);
    if !is_its_own {
        return SettleOutcome::Lost { current: row.clone() };
    }
    (row.phase, row.owner, row.revision) = (request.ending.phase(), None, next);
    row.mark = row.mark.or_later(request.mark);
    SettleOutcome::Settled { revision: next }
}

// ----------------------------------------------------------------------------------------- an observation arrives

fn conclude(row: &mut Standing, next: Revision, request: &Conclude) -> ConcludeOutcome {
    let Conclude { owner, expected, seen } = request;
    let Some(conclusion) = request.conclusion().filter(|it| it.is_news(row.phase)) else {
        if *expected == row.revision && seen.launch == row.launch {
            come_to(row, next, seen);
        }
        return ConcludeOutcome::Nothing;
    };
    // RECONCILE-4: the revision is not enough: the sweep may have read the row of the start, claimed or not.
    if row.phase.under_way().is_some() {
        return ConcludeOutcome::UnderWay { phase: row.phase };
    }
    // RECONCILE-3: an operation that began and ended in between has made another computer of it.
    if *expected != row.revision {
        return ConcludeOutcome::Moved { revision: row.revision };
    }
    // RECONCILE-5: the start may have failed, and what is there is the instance of the launch before it.
    if seen.launch != row.launch {
        return ConcludeOutcome::AnotherLaunch { current: row.launch };
    }
    row.owner = (conclusion == Conclusion::Prune).then(|| owner.clone());
    (row.phase, row.revision, row.mark) = (conclusion.phase(), next, row.mark.or_later(seen.mark));
    ConcludeOutcome::Written { conclusion, revision: next }
}

fn deliver(row: &mut Standing, next: Revision, Deliver { report, .. }: &Deliver) -> DeliverOutcome {
    // RECONCILE-12: a list may leave out what is there.
    let Some(seen) = &report.seen else { return DeliverOutcome::Absent };
    if row.phase.under_way().is_some() {
        return DeliverOutcome::UnderWay { phase: row.phase };
    }
    if report.launch != row.launch {
        return DeliverOutcome::AnotherLaunch { current: row.launch };
    }
    // RECONCILE-11: reports come late and twice, also to an owner that has just begun to live.
    if !report.mark.is_beyond(row.mark) {
        return DeliverOutcome::NotAhead { mark: row.mark };
    }
    let conclusion = Conclusion::of(Some(seen.condition));
    let Some(conclusion) = conclusion.filter(|it| it.is_news(row.phase)) else {
        come_to(row, next, report);
        return DeliverOutcome::Nothing;
    };
    (row.phase, row.revision, row.mark) = (conclusion.phase(), next, report.mark);
    DeliverOutcome::Written { conclusion, revision: next }
}

/// Nothing follows, and yet it counts. Of what is stopped or gone nothing is written until another launch is.
fn come_to(row: &mut Standing, next: Revision, seen: &Observation) {
    // RECONCILE-11: an exit that comes late would be written over the news that the instance is up again.
    if matches!(row.phase, Phase::Ready | Phase::Error) && seen.mark.is_beyond(row.mark) {
        (row.revision, row.mark) = (next, seen.mark);
    }
}

/// As an older release writes it.
#[cfg(test)]
pub(super) fn unclaimed_start() -> Standing {
    let (revision, launch) = (Revision::try_from(1).unwrap(), Launch::try_from(1).unwrap());
    Standing { revision, phase: Phase::Starting, launch, ..Standing::unwritten() }
}

/// Rows that cannot be written any more: in each, something else could be done.
#[cfg(test)]
pub(super) fn of_the_last_revision() -> [Standing; 3] {
    let revision = Revision::try_from(crate::id::NUMBER_LIMIT - 1).unwrap();
    let owner = Some(OwnerName::new("owner").unwrap());
    let starting = Standing { revision, owner, ..unclaimed_start() };
    let [stopped, ready] =
        [Phase::Stopped, Phase::Ready].map(|phase| Standing { phase, owner: None, ..starting.clone() });
    [starting, stopped, ready]
}
