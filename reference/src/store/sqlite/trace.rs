//! The trace as a table: written in the transaction that it speaks of.

use std::sync::Arc;

use outlive_spec::trace::Event;
use rusqlite::{Connection, params};

use super::failure::Fault;
use super::row::{number, standing};
use super::{Shared, WallClock};
use crate::clock::Clock;
use crate::error::StoreError;
use crate::trace::{BoxFuture, Recorded, Sink, crash_marker, line};

/// Records a decision where it was made.
pub(super) fn record_decision<R: Recorded>(
    raw: &Connection,
    request: &R,
    outcome: &R::Outcome,
    clock: &dyn Clock,
) -> Result<(), Fault> {
    // Looked at after the write and inside its transaction: derived from the outcome it would prove nothing.
    let row = standing(raw, request.computer())?;
    match request.event(outcome, || row) {
        Some(event) => record(raw, event, clock),
        None => Ok(()),
    }
}

/// Gives the event the next position of the trace and the next number of its process, and writes it.
fn record(raw: &Connection, event: Event<'_>, clock: &dyn Clock) -> Result<(), Fault> {
    let (position, sequence): (i64, i64) = raw
        .prepare_cached(
            "SELECT (SELECT coalesce(max(position), 0) + 1 FROM trace),
                    (SELECT coalesce(max(sequence), -1) + 1 FROM trace WHERE process = ?1)",
        )?
        .query_row([&*event.process], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let (process, computer) = (event.process.clone(), event.computer.clone());
    let line = line(event, position.cast_unsigned(), sequence.cast_unsigned(), clock);
    raw.prepare_cached("INSERT INTO trace (position, process, sequence, computer, line) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![position, &*process, sequence, &*computer, line])?;
    Ok(())
}

impl Shared {
    fn clock(&self) -> Arc<dyn Clock> {
        self.clock.clone().unwrap_or_else(|| Arc::new(WallClock))
    }
}

impl Sink for Shared {
    fn record(&self, event: Event<'static>) -> BoxFuture<Result<(), StoreError>> {
        let clock = self.clock();
        Box::pin(self.writer.submit(move |raw| record(raw, event, &*clock)))
    }

    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>> {
        let clock = self.clock();
        Box::pin(self.writer.submit(move |raw| {
            let mut statement =
                raw.prepare("SELECT DISTINCT computer FROM trace WHERE process = ?1 ORDER BY computer")?;
            let computers = statement.query_map([&process], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
            computers.iter().try_for_each(|computer| record(raw, crash_marker(&process, computer), &*clock))
        }))
    }

    fn lines(&self, after: u64, limit: usize) -> BoxFuture<Result<Vec<String>, StoreError>> {
        Box::pin(self.writer.submit(move |raw| {
            let mut statement =
                raw.prepare_cached("SELECT line FROM trace WHERE position > ?1 ORDER BY position LIMIT ?2")?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let lines = statement.query_map(params![number(after), limit], |row| row.get(0))?;
            Ok(lines.collect::<Result<Vec<String>, _>>()?)
        }))
    }

    fn processes(&self) -> BoxFuture<Result<Vec<String>, StoreError>> {
        Box::pin(self.writer.submit(|raw| {
            let mut statement = raw.prepare("SELECT DISTINCT process FROM trace ORDER BY process")?;
            let processes = statement.query_map([], |row| row.get(0))?;
            Ok(processes.collect::<Result<Vec<String>, _>>()?)
        }))
    }

    fn store_kind(&self) -> &'static str {
        "sqlite"
    }
}
