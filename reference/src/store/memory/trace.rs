//! The trace as a list, under the same lock as the rows. It is never lossy, since a push cannot fail.

use std::collections::{BTreeMap, BTreeSet};
use std::future::ready;
use std::sync::Arc;

use outlive_spec::trace::Event;

use super::Tables;
use crate::clock::Clock;
use crate::error::StoreError;
use crate::sync::Mutex;
use crate::trace::{BoxFuture, Line, Sink, Summary, crash_marker, line, timed};

/// What was recorded.
#[derive(Default)]
pub(super) struct Trace {
    /// The first stands at position 1.
    entries: Vec<Entry>,
    /// How many events each process has.
    sequences: BTreeMap<String, u64>,
}

/// One event as a line, with who spoke and which computer it was about.
struct Entry {
    process: String,
    computer: String,
    line: Line,
}

impl Trace {
    pub(super) fn record(&mut self, event: Event<'_>, clock: &dyn Clock) {
        let (process, computer) = (event.process.to_string(), event.computer.to_string());
        let sequence = self.sequences.entry(process.clone()).or_default();
        let line = line(timed(event, clock), self.entries.len() as u64 + 1, *sequence);
        *sequence += 1;
        self.entries.push(Entry { process, computer, line });
    }

    fn record_crash(&mut self, process: &str, clock: &dyn Clock) {
        let spoken = self.entries.iter().filter(|entry| entry.process == process);
        let computers: BTreeSet<String> = spoken.map(|entry| entry.computer.clone()).collect();
        for computer in &computers {
            self.record(crash_marker(process, computer), clock);
        }
    }

    fn lines(&self, after: u64, limit: usize) -> Vec<Line> {
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        self.entries.iter().skip(start).take(limit).map(|entry| entry.line.clone()).collect()
    }

    fn summary(&self) -> Summary {
        let processes = self.sequences.keys().cloned().collect();
        Summary { last: self.entries.len() as u64, processes, is_lossy: false }
    }
}

/// The trace of a store that records.
pub(super) struct TraceList {
    tables: Arc<Mutex<Tables>>,
    clock: Arc<dyn Clock>,
}

impl TraceList {
    pub(super) fn new(tables: Arc<Mutex<Tables>>, clock: Arc<dyn Clock>) -> TraceList {
        TraceList { tables, clock }
    }

    fn on_trace<T: Send + 'static>(&self, act: impl FnOnce(&mut Trace) -> T) -> BoxFuture<Result<T, StoreError>> {
        Box::pin(ready(Ok(act(&mut self.tables.lock().trace))))
    }
}

impl Sink for TraceList {
    fn record(&self, event: Event<'static>) -> BoxFuture<Result<(), StoreError>> {
        self.on_trace(|trace| trace.record(event, &*self.clock))
    }

    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>> {
        self.on_trace(|trace| trace.record_crash(&process, &*self.clock))
    }

    fn lines(&self, after: u64, limit: usize) -> BoxFuture<Result<Vec<Line>, StoreError>> {
        self.on_trace(|trace| trace.lines(after, limit))
    }

    fn summary(&self) -> BoxFuture<Result<Summary, StoreError>> {
        self.on_trace(|trace| trace.summary())
    }

    fn store_kind(&self) -> &'static str {
        "memory"
    }
}
