//! The trace as a table: written in the transaction that it speaks of.
//!
//! An event gets its place where it is inserted: the position is one above the last, and the sequence one above the
//! last of its process. Both are found at the end of an index, so that recording grows no dearer with the trace. The
//! event itself is kept without its place, and is given it when it is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use outlive_spec::trace::{Event, Phase};
use rusqlite::{Connection as Raw, Row, params};

use super::connection::Connection;
use super::failure::Fault;
use super::row::{number, standing};
use super::{Decide, Shared, SqliteOptions};
use crate::clock::Clock;
use crate::error::StoreError;
use crate::trace::{BoxFuture, Line, Recorded, Sink, Summary, crash_marker, line, text, timed};

/// How a store records, while its file is open.
pub(super) struct Recording {
    clock: Arc<dyn Clock>,
    /// Whether an event was lost since the file was opened. The table says so too, as soon as it can be written.
    is_lossy: AtomicBool,
}

/// Takes a decision, and records it where recording is on.
pub(super) fn decide_and_record<R: Recorded>(
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

    fn record_decision<R: Recorded>(&self, raw: &Raw, request: &R, outcome: &R::Outcome) -> Result<(), Fault> {
        // Looked at after the write and inside its transaction: derived from the outcome it would prove nothing.
        let row = if R::PHASE == Phase::Commit { Some(standing(raw, request.computer())?) } else { None };
        match request.event(outcome, row) {
            Some(event) => self.record(raw, event),
            None => Ok(()),
        }
    }

    /// Gives the event the next position of the trace and the next number of its process, and writes it.
    fn record(&self, raw: &Raw, event: Event<'_>) -> Result<(), Fault> {
        if self.is_lossy.load(Ordering::Acquire) {
            // The mark may not have found room when the event was lost. No later event may stand in the trace without
            // it.
            mark_lossy(raw)?;
        }
        let event = timed(event, &*self.clock);
        // ASSUME-6: inside the transaction, beside which nobody else writes, so the positions are in the order of the
        // commits.
        raw.prepare_cached(
            "INSERT INTO trace (process, sequence, computer, event)
             VALUES (?1, (SELECT coalesce(max(sequence), -1) + 1 FROM trace WHERE process = ?1), ?2, ?3)",
        )?
        .execute(params![&*event.process, &*event.computer, text(&event)])?;
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

/// An event with its place. The columns alone say what that is, since the event was written before it had one.
fn placed(row: &Row<'_>) -> Result<Line, Fault> {
    let (position, sequence): (i64, i64) = (row.get(0)?, row.get(1)?);
    let text: String = row.get(2)?;
    let corrupt = |what: String| Fault::Corrupt(format!("the event at position {position} of the trace{what}"));
    let event = serde_json::from_str(&text).map_err(|error| corrupt(format!(": {error}")))?;
    let sequence = u64::try_from(sequence).map_err(|_| corrupt(format!(" has the number {sequence}")))?;
    Ok(line(event, position.cast_unsigned(), sequence))
}

/// Where the last event stands; 0 if there is none. An export walks upward from 0, and would pass over what stands
/// below.
fn last_position(raw: &Raw) -> Result<u64, Fault> {
    let ends = "SELECT (SELECT coalesce(min(position), 1) FROM trace), (SELECT coalesce(max(position), 0) FROM trace)";
    match raw.query_row(ends, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))? {
        (first @ ..1, _) => Err(Fault::Corrupt(format!("an event of the trace has the position {first}"))),
        (_, last) => Ok(last.cast_unsigned()),
    }
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
    fn record(&self, event: Event<'static>) -> BoxFuture<Result<(), StoreError>> {
        let (recording, if_lost) = (self.recording.clone(), self.recording.clone());
        let step = move |raw: &Raw| recording.record(raw, event.clone());
        // What the event tells has happened, so the trace lacks it even if nobody waits to hear that.
        Box::pin(self.shared.writer.submit_or(step, move |connection| if_lost.lose(connection)))
    }

    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>> {
        let recording = self.recording.clone();
        Box::pin(self.shared.writer.submit(move |raw| {
            let mut statement =
                raw.prepare("SELECT DISTINCT computer FROM trace WHERE process = ?1 ORDER BY computer")?;
            let computers = statement.query_map([&process], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
            computers.iter().try_for_each(|computer| recording.record(raw, crash_marker(&process, computer)))
        }))
    }

    fn lines(&self, after: u64, limit: usize) -> BoxFuture<Result<Vec<Line>, StoreError>> {
        Box::pin(self.shared.readers.submit(move |raw| {
            let mut statement = raw.prepare_cached(
                "SELECT position, sequence, event FROM trace WHERE position > ?1 ORDER BY position LIMIT ?2",
            )?;
            let mut rows = statement.query(params![number(after), i64::try_from(limit).unwrap_or(i64::MAX)])?;
            let mut lines = Vec::new();
            while let Some(row) = rows.next()? {
                lines.push(placed(row)?);
            }
            Ok(lines)
        }))
    }

    fn summary(&self) -> BoxFuture<Result<Summary, StoreError>> {
        let recording = self.recording.clone();
        Box::pin(self.shared.writer.submit(move |raw| {
            let last = last_position(raw)?;
            let was_lossy: bool = raw.query_row("SELECT lossy FROM trace_loss", [], |row| row.get(0))?;
            let mut statement = raw.prepare("SELECT DISTINCT process FROM trace ORDER BY process")?;
            let processes = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
            let is_lossy = was_lossy || recording.is_lossy.load(Ordering::Acquire);
            Ok(Summary { last, processes, is_lossy })
        }))
    }

    fn store_kind(&self) -> &'static str {
        "sqlite"
    }
}
