//! The decisions on operations. Each is one UPDATE whose condition is the rule, and the number of rows is the verdict;
//! if no row was changed, a second read in the same transaction says why. The first operation on a computer makes its
//! row.
//!
//! Each UPDATE also asks for a revision that can be counted up, which is told apart before anything else.

use rusqlite::{Connection, params};

use super::row::{self, standing, word};
use crate::id::{ComputerId, Launch, OwnerName, Revision};
use crate::provider::Observation;
use crate::store::operation::*;
use crate::store::sqlite::failure::Fault;
use crate::store::sqlite::row::number;

// ----------------------------------------------------------------------------------------------- an operation begins

pub(super) fn begin_start(raw: &Connection, request: &BeginStart) -> Result<BeginOutcome, Fault> {
    // RECONCILE-1: the name stands for one instance, so what may run is stopped first: `phase IN ('stopped', 'error')`.
    // Phase, launch and owner are one write: between two of these, nobody would own the operation.
    let changed = raw
        .prepare_cached(
            "UPDATE operation SET phase = 'starting', launch = launch + 1, owner = ?2, revision = revision + 1
             WHERE id = ?1 AND phase IN ('stopped', 'error') AND revision < 9007199254740991",
        )?
        .execute([request.computer.as_str(), request.owner.as_str()])?;
    begun(raw, &request.computer, changed, || make_row(raw, &request.computer, Kind::Start, 1, &request.owner))
}

pub(super) fn begin_stop(raw: &Connection, request: &BeginStop) -> Result<BeginOutcome, Fault> {
    // RECONCILE-9: a start may hang for ever, and whoever pays for it must be able to end it: `'starting'`.
    let changed = raw
        .prepare_cached(
            "UPDATE operation SET phase = 'stopping', owner = ?2, revision = revision + 1
             WHERE id = ?1 AND phase IN ('starting', 'ready', 'error') AND revision < 9007199254740991",
        )?
        .execute([request.computer.as_str(), request.owner.as_str()])?;
    // What has no row was never started.
    begun(raw, &request.computer, changed, || Ok(BeginOutcome::Refused { phase: Phase::Stopped }))
}

pub(super) fn begin_delete(raw: &Connection, request: &BeginDelete) -> Result<BeginOutcome, Fault> {
    // RECONCILE-10: what is gone stays gone, and is not removed twice.
    let changed = raw
        .prepare_cached(
            "UPDATE operation SET phase = 'deleting', owner = ?2, revision = revision + 1
             WHERE id = ?1 AND phase NOT IN ('deleting', 'gone') AND revision < 9007199254740991",
        )?
        .execute([request.computer.as_str(), request.owner.as_str()])?;
    begun(raw, &request.computer, changed, || make_row(raw, &request.computer, Kind::Delete, 0, &request.owner))
}

/// What has become of a begin that has changed so many rows.
fn begun(
    raw: &Connection,
    computer: &ComputerId,
    changed: usize,
    without_row: impl FnOnce() -> Result<BeginOutcome, Fault>,
) -> Result<BeginOutcome, Fault> {
    match row::find(raw, computer)? {
        Some(Standing { launch, revision, .. }) if changed == 1 => Ok(BeginOutcome::Begun { launch, revision }),
        Some(now) => Ok(BeginOutcome::Refused { phase: writable(computer, now)?.phase }),
        None => {
            row::unwritten(raw, computer)?;
            without_row()
        }
    }
}

fn make_row(
    raw: &Connection,
    computer: &ComputerId,
    kind: Kind,
    launch: u32,
    owner: &OwnerName,
) -> Result<BeginOutcome, Fault> {
    raw.prepare_cached(
        "INSERT INTO operation (id, revision, phase, launch, owner, mark) VALUES (?1, 1, ?2, ?3, ?4, 0)",
    )?
    .execute(params![computer.as_str(), word(kind.phase()), launch, owner.as_str()])?;
    let Standing { launch, revision, .. } = standing(raw, computer)?;
    Ok(BeginOutcome::Begun { launch, revision })
}

// -------------------------------------------------------------------------------- an operation changes hands, or ends

pub(super) fn recover(raw: &Connection, request: &Recover) -> Result<RecoverOutcome, Fault> {
    let Recover { owner, computer, dead, kind, launch } = request;
    // RECONCILE-7: who is slow is not dead, and two that take over from each other never end: `owner IS ?3`.
    // RECONCILE-8: the call of the dead owner may still arrive, and is the same call only if it is of the same launch:
    // `phase = ?4 AND launch = ?5`.
    let changed = raw
        .prepare_cached(
            "UPDATE operation SET owner = ?2, revision = revision + 1
             WHERE id = ?1 AND owner IS ?3 AND phase = ?4 AND launch = ?5 AND revision < 9007199254740991",
        )?
        .execute(params![
            computer.as_str(),
            owner.as_str(),
            dead.as_ref().map(|it| it.owner().as_str()),
            word(kind.phase()),
            number(*launch)
        ])?;
    let current = standing(raw, computer)?;
    if changed == 1 {
        return Ok(RecoverOutcome::Recovered { revision: current.revision });
    }
    let current = writable(computer, current)?;
    let is_left = current.owner.as_ref() == dead.as_ref().map(OwnerDeath::owner);
    Ok(match current.phase.under_way().is_some() && is_left {
        true => RecoverOutcome::Moved { current },
        false => RecoverOutcome::NotLeft { current },
    })
}

pub(super) fn settle(raw: &Connection, request: &Settle) -> Result<SettleOutcome, Fault> {
    let Settle { owner, computer, launch, ending, mark } = request;
    // RECONCILE-2: a stop may have taken the place of this start, or another owner that of this one.
    let changed = raw
        .prepare_cached(
            "UPDATE operation SET phase = ?5, owner = NULL, revision = revision + 1, mark = max(mark, ?6)
             WHERE id = ?1 AND owner = ?2 AND phase = ?3 AND launch = ?4 AND revision < 9007199254740991",
        )?
        .execute(params![
            computer.as_str(),
            owner.as_str(),
            word(ending.kind().phase()),
            number(*launch),
            word(ending.phase()),
            number(*mark)
        ])?;
    let current = standing(raw, computer)?;
    if changed == 1 {
        return Ok(SettleOutcome::Settled { revision: current.revision });
    }
    Ok(SettleOutcome::Lost { current: writable(computer, current)? })
}

// --------------------------------------------------------------------------------------------- an observation arrives

pub(super) fn read(raw: &Connection, request: &Read) -> Result<Standing, Fault> {
    standing(raw, &request.computer)
}

pub(super) fn conclude(raw: &Connection, request: &Conclude) -> Result<ConcludeOutcome, Fault> {
    let Conclude { owner, expected, seen } = request;
    let conclusion = request.conclusion();
    if let Some(conclusion) = conclusion {
        // RECONCILE-4: the revision is not enough, since the sweep may have read the row of the start, claimed or not:
        // `phase = ?3` is a phase at rest, and the one over which this is news.
        // RECONCILE-3: an operation that began and ended in between has made another computer of it: `revision = ?6`.
        // RECONCILE-5: the start may have failed, and what is there is the instance of the launch before it:
        // `launch = ?7`.
        let changed = raw
            .prepare_cached(
                "UPDATE operation SET phase = ?4, owner = ?2, revision = revision + 1, mark = max(mark, ?5)
                 WHERE id = ?1 AND phase = ?3 AND revision = ?6 AND launch = ?7 AND revision < 9007199254740991",
            )?
            .execute(params![
                seen.computer.as_str(),
                (conclusion == Conclusion::Prune).then_some(owner.as_str()),
                word(conclusion.over()),
                word(conclusion.phase()),
                number(seen.mark),
                number(*expected),
                number(seen.launch)
            ])?;
        if changed == 1 {
            return Ok(ConcludeOutcome::Written { conclusion, revision: standing(raw, &seen.computer)?.revision });
        }
    }
    let now = writable(&seen.computer, standing(raw, &seen.computer)?)?;
    Ok(match conclusion {
        Some(conclusion) if conclusion.is_news(now.phase) => why_not_concluded(&now, *expected, seen.launch)
            .ok_or_else(|| Fault::impossible(&seen.computer, "a conclusion was refused without a cause"))?,
        _ => {
            come_to(raw, *expected, seen)?;
            ConcludeOutcome::Nothing
        }
    })
}

fn why_not_concluded(now: &Standing, expected: Revision, seen: Launch) -> Option<ConcludeOutcome> {
    // RECONCILE-17: one cause, and the first one, or a sweep that has met a stop would be told of its launch.
    if now.phase.under_way().is_some() {
        return Some(ConcludeOutcome::UnderWay { phase: now.phase });
    }
    if now.revision != expected {
        return Some(ConcludeOutcome::Moved { revision: now.revision });
    }
    (now.launch != seen).then_some(ConcludeOutcome::AnotherLaunch { current: now.launch })
}

pub(super) fn deliver(raw: &Connection, Deliver { report, .. }: &Deliver) -> Result<DeliverOutcome, Fault> {
    // RECONCILE-12: a list may leave out what is there, so nothing follows from what is missing.
    let conclusion = report.seen.as_ref().and_then(|seen| Conclusion::of(Some(seen.condition)));
    if let Some(conclusion) = conclusion {
        // RECONCILE-11: reports come late and twice, also to an owner that has just begun to live: `mark < ?5`. The
        // rest is as for a conclusion.
        let changed = raw
            .prepare_cached(
                "UPDATE operation SET phase = ?3, revision = revision + 1, mark = ?5
                 WHERE id = ?1 AND phase = ?2 AND launch = ?4 AND mark < ?5 AND revision < 9007199254740991",
            )?
            .execute(params![
                report.computer.as_str(),
                word(conclusion.over()),
                word(conclusion.phase()),
                number(report.launch),
                number(report.mark)
            ])?;
        if changed == 1 {
            return Ok(DeliverOutcome::Written { conclusion, revision: standing(raw, &report.computer)?.revision });
        }
    }
    let now = writable(&report.computer, standing(raw, &report.computer)?)?;
    Ok(match now {
        _ if report.seen.is_none() => DeliverOutcome::Absent,
        Standing { phase, .. } if phase.under_way().is_some() => DeliverOutcome::UnderWay { phase },
        Standing { launch: current, .. } if current != report.launch => DeliverOutcome::AnotherLaunch { current },
        Standing { mark, .. } if !report.mark.is_beyond(mark) => DeliverOutcome::NotAhead { mark },
        Standing { revision, .. } => {
            come_to(raw, revision, report)?;
            DeliverOutcome::Nothing
        }
    })
}

/// Nothing follows, and yet it counts, on the terms of what is written. Of what is stopped or gone nothing is written
/// until another launch is.
fn come_to(raw: &Connection, expected: Revision, seen: &Observation) -> Result<(), Fault> {
    // RECONCILE-11: an exit that comes late would be written over the news that the instance is up again.
    raw.prepare_cached(
        "UPDATE operation SET mark = ?4, revision = revision + 1
         WHERE id = ?1 AND phase IN ('ready', 'error') AND revision = ?2 AND launch = ?3 AND mark < ?4
           AND revision < 9007199254740991",
    )?
    .execute(params![seen.computer.as_str(), number(expected), number(seen.launch), number(seen.mark)])?;
    Ok(())
}

/// What was read, if another write of it could be counted.
fn writable(computer: &ComputerId, standing: Standing) -> Result<Standing, Fault> {
    match standing.revision.next() {
        Some(_) => Ok(standing),
        None => Err(Fault::LastRevision(computer.clone())),
    }
}
