//! The recorder: what was decided, written down in the transaction that decided it.
//!
//! # Theory of operation
//!
//! A trace is a list of events in the words of [`outlive_spec::trace`], which `model-check conform` holds against the
//! model. The store writes one event for each of its decisions, refusals and deciding reads included, in the decision's
//! own transaction; so the order of the trace is the order in which things became true, and an event of the store can
//! neither be missing nor speak of something that was rolled back. What a computer does by itself, no store sees: it
//! tells its [`ComputerRecorder`], which writes a small transaction. If that one fails, the step has happened and the
//! trace lacks it: the trace is *lossy* from then on, also after a restart, and no check passes it. One thing can hide
//! the loss: if the store dies before it could write down so much as that, its trace ends there as if nothing had been
//! lost, and only who has got the error knows.
//!
//! # Ground rules
//!
//! - A step of the computer is submitted before anybody can see its effect: under the computer's own lock, or at least
//!   before its answer goes out. [`ComputerRecorder`] submits when it is called; awaiting it can wait.
//! - Position and sequence are assigned inside the transaction (ASSUME-6), so both go on where they were after a crash.
//! - Off, a step costs no statement and no allocation.
//!
//! # What is not here
//!
//! Judgement: this crate shares words with the model and no rule.

mod computer;
mod events;

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use outlive_spec::trace::{Event, FORMAT, Header, Implementation, Phase, Verb, schema_hash};

use crate::clock::{Clock, rfc_3339};
use crate::error::StoreError;
use crate::id::{ComputerId, GatewayName};
pub use computer::{ComputerRecorder, Written};
pub(crate) use events::Recorded;

/// A future on the heap.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Where events are kept. A store that records implements it; everybody else uses a [`Recorder`].
pub trait Sink: Send + Sync + 'static {
    /// Submits an event, whose sequence and commit position are filled in where it is written. If it cannot be written,
    /// the trace is lossy from then on, whether or not somebody waits for the future.
    fn record(&self, event: Event<'static>) -> BoxFuture<Result<(), StoreError>>;

    /// Submits one marker for each computer that this process has spoken about: it has died.
    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>>;

    /// Up to `limit` lines behind this position, in the order of the trace.
    fn lines(&self, after: u64, limit: usize) -> BoxFuture<Result<Vec<Line>, StoreError>>;

    /// What there is to say of the trace as a whole, at one moment.
    fn summary(&self) -> BoxFuture<Result<Summary, StoreError>>;

    /// The kind of store, for instance `sqlite`.
    fn store_kind(&self) -> &'static str;
}

/// One line of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Where it stands. Positions grow, and may have gaps.
    pub position: u64,
    /// The event, as JSON.
    pub text: String,
}

/// A trace as a whole, at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The position of the last event; 0 if there is none.
    pub last: u64,
    /// Everybody who has spoken.
    pub processes: Vec<String>,
    /// Whether an event was lost, now or before a restart.
    pub is_lossy: bool,
}

/// Gives access to the trace of a store. Cheap to clone.
#[derive(Clone, Default)]
pub struct Recorder {
    to: Option<Arc<dyn Sink>>,
}

impl Recorder {
    /// Records nothing.
    pub fn off() -> Recorder {
        Recorder { to: None }
    }

    /// Records here.
    pub fn to(sink: Arc<dyn Sink>) -> Recorder {
        Recorder { to: Some(sink) }
    }

    /// Whether anything is recorded.
    pub fn is_on(&self) -> bool {
        self.to.is_some()
    }

    /// Records what the process of this computer does by itself.
    pub fn computer(&self, computer: &ComputerId) -> ComputerRecorder {
        ComputerRecorder::new(self.clone(), computer)
    }

    /// Records that a gateway has died, and is back under the same name without its memory. Whoever starts a gateway
    /// under a name that was in use calls this first.
    ///
    /// # Guarantees
    /// One marker for each computer that the gateway has spoken about, all or none.
    ///
    /// # Assumptions
    /// The former process of that name speaks no more: nobody else can be told from it.
    ///
    /// # Errors
    /// Those of the store. It may be called again: a second marker says nothing new.
    ///
    /// # Cancellation
    /// The markers may or may not be there; call it again.
    pub async fn gateway_crashed(&self, gateway: &GatewayName) -> Result<(), StoreError> {
        match &self.to {
            Some(sink) => sink.record_crash(gateway.to_string()).await,
            None => Ok(()),
        }
    }

    /// Writes the trace, header first, one JSON object a line, and says how many events it has. Nothing is written if
    /// nothing is recorded.
    ///
    /// # Guarantees
    /// The trace as it was at one moment after the call: what is recorded meanwhile is not in it. The header says so if
    /// an event was ever lost.
    ///
    /// # Assumptions
    /// ASSUME-6: the positions are in the order of the commits.
    ///
    /// # Errors
    /// Those of the store, as [`io::Error`]; and those of the writer.
    ///
    /// # Cancellation
    /// The writer has got the beginning of the trace, in whole lines unless it is itself interrupted. The trace is as
    /// it was.
    pub async fn export(&self, out: &mut (dyn io::Write + Send)) -> io::Result<u64> {
        let Some(sink) = &self.to else { return Ok(0) };
        let Summary { last, processes, is_lossy } = sink.summary().await.map_err(io::Error::other)?;
        let header = Header {
            format: FORMAT,
            schema: schema_hash(),
            protocol: "snapshot".to_owned(),
            implementation: Implementation {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            store: sink.store_kind().to_owned(),
            processes,
            claims: Verb::of("snapshot").collect(),
            lossy: is_lossy,
        };
        writeln!(out, "{}", serde_json::to_string(&header)?)?;
        let (mut position, mut written) = (0, 0);
        while position < last {
            let lines = sink.lines(position, EXPORT_PAGE).await.map_err(io::Error::other)?;
            // The last event is gone, which only somebody who edits the file can have done.
            let Some(read_up_to) = lines.last().map(|line| line.position) else { break };
            for line in lines.iter().filter(|line| line.position <= last) {
                writeln!(out, "{}", line.text)?;
                written += 1;
            }
            position = read_up_to;
        }
        Ok(written)
    }
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("is_on", &self.is_on()).finish()
    }
}

/// Lines that are read at once for an export.
const EXPORT_PAGE: usize = 10_000;

/// An event that says when it was recorded.
pub(crate) fn timed<'a>(event: Event<'a>, clock: &dyn Clock) -> Event<'a> {
    Event { time: Some(rfc_3339(clock.now()).into()), ..event }
}

/// The line of an event, once it is known where it stands.
pub(crate) fn line(event: Event<'_>, position: u64, sequence: u64) -> Line {
    Line { position, text: text(&Event { commit: Some(position), sequence, ..event }) }
}

/// An event as JSON.
pub(crate) fn text(event: &Event<'_>) -> String {
    // It has string keys only and no map, so there is nothing in it that JSON could refuse.
    serde_json::to_string(event).expect("an event is plain data")
}

pub(crate) fn crash_marker<'a>(process: &'a str, computer: &'a str) -> Event<'a> {
    Event::new(process, Phase::Marker, Verb::Crash, computer)
}
