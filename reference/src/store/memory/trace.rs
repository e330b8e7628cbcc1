//! The trace as a list, under the same lock as the rows. It is never lossy, since a push cannot fail.

use std::collections::{BTreeMap, BTreeSet};
use std::future::ready;
use std::sync::Arc;

use outlive_spec::trace::Event;

use super::Tables;
use crate::clock::Clock;
use crate::error::StoreError;
use crate::id::OwnerName;
use crate::sync::Mutex;
use crate::trace::{BoxFuture, Line, Protocol, Recorded, Sink, Summary, crash_marker, line, timed};

/// What was recorded.
#[derive(Default)]
pub(super) struct Trace {
    /// The first stands at position 1.
    entries: Vec<Entry>,
    /// How many events each process has in each protocol.
    sequences: BTreeMap<(Protocol, String), u64>,
    /// Owners of operations that have died, each with the computers for which it is marked.
    deaths: BTreeSet<(String, String)>,
}

/// One event as a line, with who spoke and which computer it was about.
struct Entry {
    protocol: Protocol,
    process: String,
    computer: String,
    line: Line,
}

impl Trace {
    /// Records a decision that was taken under the same lock, with the row as it was found after it.
    pub(super) fn record_decision<R: Recorded>(
        &mut self,
        request: &R,
        outcome: &R::Outcome,
        row: Option<R::Row>,
        clock: &dyn Clock,
    ) {
        let computer = request.computer().as_str();
        if let Some(dead) = request.proven_dead() {
            self.record_death(dead.as_str(), computer, clock);
        }
        let is_known = |owner: &OwnerName| self.is_marked(owner.as_str(), computer);
        if request.lacks_death_of(outcome).is_some_and(is_known) {
            return;
        }
        if let Some(event) = request.event(outcome, row) {
            self.record(R::PROTOCOL, event, clock);
        }
    }

    fn record(&mut self, protocol: Protocol, event: Event<'_>, clock: &dyn Clock) {
        let (process, computer) = (event.process.to_string(), event.computer.to_string());
        let sequence = self.sequences.entry((protocol, process.clone())).or_default();
        let line = line(timed(event, clock), self.entries.len() as u64 + 1, *sequence);
        *sequence += 1;
        self.entries.push(Entry { protocol, process, computer, line });
    }

    fn record_crash(&mut self, process: &str, clock: &dyn Clock) {
        let spoken = self.entries.iter().filter(|entry| entry.process == process);
        let spoken: BTreeSet<_> = spoken.map(|entry| (entry.protocol, entry.computer.clone())).collect();
        for (protocol, computer) in &spoken {
            match protocol {
                Protocol::Snapshot => self.record(Protocol::Snapshot, crash_marker(process, computer), clock),
                Protocol::Operation => self.record_death(process, computer, clock),
            }
        }
    }

    /// Marks the death of an owner of operations, unless that was done.
    fn record_death(&mut self, owner: &str, computer: &str, clock: &dyn Clock) {
        if self.deaths.insert((owner.to_owned(), computer.to_owned())) {
            self.record(Protocol::Operation, crash_marker(owner, computer), clock);
        }
    }

    fn is_marked(&self, owner: &str, computer: &str) -> bool {
        self.deaths.contains(&(owner.to_owned(), computer.to_owned()))
    }

    fn lines(&self, protocol: Protocol, after: u64, limit: usize) -> Vec<Line> {
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        let behind = self.entries.iter().skip(start).filter(|entry| entry.protocol == protocol);
        behind.take(limit).map(|entry| entry.line.clone()).collect()
    }

    fn summary(&self, protocol: Protocol) -> Summary {
        let processes = self.sequences.keys().filter(|(of, _)| *of == protocol).map(|(_, process)| process.clone());
        let last = self.entries.iter().rev().find(|entry| entry.protocol == protocol);
        Summary { last: last.map_or(0, |entry| entry.line.position), processes: processes.collect(), is_lossy: false }
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
    fn record(&self, protocol: Protocol, event: Event<'static>) -> BoxFuture<Result<(), StoreError>> {
        self.on_trace(|trace| trace.record(protocol, event, &*self.clock))
    }

    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>> {
        self.on_trace(|trace| trace.record_crash(&process, &*self.clock))
    }

    fn lines(&self, protocol: Protocol, after: u64, limit: usize) -> BoxFuture<Result<Vec<Line>, StoreError>> {
        self.on_trace(|trace| trace.lines(protocol, after, limit))
    }

    fn summary(&self, protocol: Protocol) -> BoxFuture<Result<Summary, StoreError>> {
        self.on_trace(|trace| trace.summary(protocol))
    }

    fn store_kind(&self) -> &'static str {
        "memory"
    }
}
