//! The trace as a table: written in the transaction that it speaks of.
//!
//! An event gets its place where it is inserted: the position is one above the last of all protocols, and the sequence
//! one above the last of its process in its own. Both are found at the end of an index, so that recording grows no
//! dearer with the trace. The event itself is kept without its place, and is given it when it is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use outlive_spec::trace::{Event, Phase, Verb};
use rusqlite::{Connection as Raw, OptionalExtension, Row, params};

use super::connection::Connection;
use super::failure::Fault;
use super::row::number;
use super::{Decide, Shared, SqliteOptions};
use crate::clock::Clock;
use crate::error::StoreError;
use crate::id::ComputerId;
use crate::trace::{BoxFuture, Line, Protocol, Recorded, Sink, Summary, crash_marker, line, text, timed};

/// How a store records, while its file is open.
pub(super) struct Recording {
    clock: Arc<dyn Clock>,
    /// Whether an event was lost since the file was opened. The table says so too, as soon as it can be written.
    is_lossy: AtomicBool,
}

/// A row that an event shows, as it stands in its table.
pub(super) trait Kept: Sized {
    /// Reads it, of a computer that must exist.
    fn find(raw: &Raw, computer: &ComputerId) -> Result<Self, Fault>;
}

impl Kept for crate::store::Standing {
    fn find(raw: &Raw, computer: &ComputerId) -> Result<Self, Fault> {
        super::row::standing(raw, computer)
    }
}

impl Kept for crate::store::operation::Standing {
    fn find(raw: &Raw, computer: &ComputerId) -> Result<Self, Fault> {
        super::operation::row::standing(raw, computer)
    }
}

/// Takes a decision, and records it where recording is on.
pub(super) fn decide_and_record<R: Recorded<Row: Kept>>(
    raw: &Raw,
    request: &R,
    decide: Decide<R>,
    recording: Option<&Recording>,
) -> Result<R::Outcome, Fault> {
    let outcome = decide(raw, request)?;
    // TRACE-3: in the same transaction, so that neither is there without the other.
    if let Some(recording) = recording {
        recording.record_decision(raw, request, &outcome)?;
    }
    Ok(outcome)
}

impl Recording {
    /// As the options say; none if they do not ask for it.
    pub(super) fn of(options: &SqliteOptions) -> Option<Arc<Recording>> {
        let recording = |clock: &Arc<dyn Clock>| Recording { clock: clock.clone(), is_lossy: AtomicBool::new(false) };
        options.clock.as_ref().map(recording).map(Arc::new)
    }

    fn record_decision<R: Recorded<Row: Kept>>(
        &self,
        raw: &Raw,
        request: &R,
        outcome: &R::Outcome,
    ) -> Result<(), Fault> {
        let computer = request.computer();
        if let Some(dead) = request.proven_dead() {
            self.record_death(raw, dead.as_str(), computer.as_str())?;
        }
        if let Some(owner) = request.lacks_death_of(outcome)
            && is_marked(raw, owner.as_str(), computer.as_str())?
        {
            return Ok(());
        }
        // Looked at after the write and inside its transaction: derived from the outcome it would prove nothing.
        let row = if R::PHASE == Phase::Commit { Some(R::Row::find(raw, computer)?) } else { None };
        match request.event(outcome, row) {
            Some(event) => self.record(raw, R::PROTOCOL, event),
            None => Ok(()),
        }
    }

    /// Gives the event the next position of the trace and the next number of its process, and writes it.
    fn record(&self, raw: &Raw, protocol: Protocol, event: Event<'_>) -> Result<(), Fault> {
        if self.is_lossy.load(Ordering::Acquire) {
            // The mark may not have found room when the event was lost. No later event may stand in the trace without
            // it.
            mark_lossy(raw)?;
        }
        let event = timed(event, &*self.clock);
        // ASSUME-6: inside the transaction, beside which nobody else writes, so the positions are in the order of the
        // commits.
        raw.prepare_cached(
            "INSERT INTO trace (protocol, process, sequence, computer, is_death, event)
             VALUES (?1, ?2,
                     (SELECT coalesce(max(sequence), -1) + 1 FROM trace WHERE protocol = ?1 AND process = ?2),
                     ?3, ?4, ?5)",
        )?
        .execute(params![
            protocol.name(),
            &*event.process,
            &*event.computer,
            protocol == Protocol::Operation && event.action == Verb::Crash,
            text(&event)
        ])?;
        Ok(())
    }

    /// Marks the death of an owner of operations, unless that was done.
    fn record_death(&self, raw: &Raw, owner: &str, computer: &str) -> Result<(), Fault> {
        if is_marked(raw, owner, computer)? {
            return Ok(());
        }
        self.record(raw, Protocol::Operation, crash_marker(owner, computer))
    }

    fn record_crash(&self, raw: &Raw, process: &str) -> Result<(), Fault> {
        for protocol in Protocol::ALL {
            for computer in &spoken_of(raw, protocol, process)? {
                match protocol {
                    Protocol::Snapshot => self.record(raw, protocol, crash_marker(process, computer))?,
                    Protocol::Operation => self.record_death(raw, process, computer)?,
                }
            }
        }
        Ok(())
    }

    /// Notes that an event was lost, first where nothing can fail.
    pub(super) fn lose(&self, connection: &Connection) {
        self.is_lossy.store(true, Ordering::Release);
        // If there is no room for the mark either, it goes with the next event that is written.
        let _ = connection.transact(mark_lossy);
    }
}

fn mark_lossy(raw: &Raw) -> Result<(), Fault> {
    raw.prepare_cached("UPDATE trace_loss SET lossy = 1 WHERE lossy = 0")?.execute([])?;
    Ok(())
}

/// Whether the death of this owner of operations is marked for this computer.
fn is_marked(raw: &Raw, owner: &str, computer: &str) -> Result<bool, Fault> {
    let marked = "SELECT 1 FROM trace WHERE is_death = 1 AND process = ?1 AND computer = ?2";
    Ok(raw.prepare_cached(marked)?.exists([owner, computer])?)
}

/// The computers about which a process has spoken.
fn spoken_of(raw: &Raw, protocol: Protocol, process: &str) -> Result<Vec<String>, Fault> {
    let mut statement =
        raw.prepare("SELECT DISTINCT computer FROM trace WHERE protocol = ?1 AND process = ?2 ORDER BY computer")?;
    Ok(statement.query_map([protocol.name(), process], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// An event with its place. The columns alone say what that is, since the event was written before it had one.
fn placed(row: &Row<'_>) -> Result<Line, Fault> {
    let (position, sequence): (i64, i64) = (row.get(0)?, row.get(1)?);
    let text: String = row.get(2)?;
    let corrupt = |what: String| Fault::Corrupt(format!("the event at position {position} of the trace{what}"));
    let event = serde_json::from_str(&text).map_err(|error| corrupt(format!(": {error}")))?;
    let sequence = u64::try_from(sequence).map_err(|_| corrupt(format!(" has the number {sequence}")))?;
    Ok(line(event, position.cast_unsigned(), sequence))
}

/// Where the last event of a protocol stands; 0 if there is none. An export walks upward from 0, and would pass over
/// what stands below.
fn last_position(raw: &Raw, protocol: Protocol) -> Result<u64, Fault> {
    let first = raw.query_row("SELECT coalesce(min(position), 1) FROM trace", [], |row| row.get(0))?;
    if let ..1_i64 = first {
        return Err(Fault::Corrupt(format!("an event of the trace has the position {first}")));
    }
    let last = "SELECT position FROM trace WHERE protocol = ?1 ORDER BY position DESC LIMIT 1";
    let last: Option<i64> = raw.query_row(last, [protocol.name()], |row| row.get(0)).optional()?;
    Ok(last.unwrap_or(0).cast_unsigned())
}

/// The trace of an open store that records.
pub(super) struct TraceTable {
    shared: Arc<Shared>,
    recording: Arc<Recording>,
}

impl TraceTable {
    pub(super) fn new(shared: Arc<Shared>, recording: Arc<Recording>) -> TraceTable {
        TraceTable { shared, recording }
    }
}

impl Sink for TraceTable {
    fn record(&self, protocol: Protocol, event: Event<'static>) -> BoxFuture<Result<(), StoreError>> {
        let (recording, if_lost) = (self.recording.clone(), self.recording.clone());
        let step = move |raw: &Raw| recording.record(raw, protocol, event.clone());
        // What the event tells has happened, so the trace lacks it even if nobody waits to hear that.
        Box::pin(self.shared.writer.submit_or(step, move |connection| if_lost.lose(connection)))
    }

    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>> {
        let recording = self.recording.clone();
        Box::pin(self.shared.writer.submit(move |raw| recording.record_crash(raw, &process)))
    }

    fn lines(&self, protocol: Protocol, after: u64, limit: usize) -> BoxFuture<Result<Vec<Line>, StoreError>> {
        Box::pin(self.shared.readers.submit(move |raw| {
            let mut statement = raw.prepare_cached(
                "SELECT position, sequence, event FROM trace WHERE protocol = ?1 AND position > ?2
                 ORDER BY position LIMIT ?3",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut rows = statement.query(params![protocol.name(), number(after), limit])?;
            let mut lines = Vec::new();
            while let Some(row) = rows.next()? {
                lines.push(placed(row)?);
            }
            Ok(lines)
        }))
    }

    fn summary(&self, protocol: Protocol) -> BoxFuture<Result<Summary, StoreError>> {
        let recording = self.recording.clone();
        Box::pin(self.shared.writer.submit(move |raw| {
            let last = last_position(raw, protocol)?;
            let was_lossy: bool = raw.query_row("SELECT lossy FROM trace_loss", [], |row| row.get(0))?;
            let mut statement =
                raw.prepare("SELECT DISTINCT process FROM trace WHERE protocol = ?1 ORDER BY process")?;
            let processes =
                statement.query_map([protocol.name()], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
            let is_lossy = was_lossy || recording.is_lossy.load(Ordering::Acquire);
            Ok(Summary { last, processes, is_lossy })
        }))
    }

    fn store_kind(&self) -> &'static str {
        "sqlite"
    }
}
