//! The recorder: what was decided, written down in the transaction that decided it.
//!
//! # Theory of operation
//!
//! A trace is a list of events in the words of [`outlive_spec::trace`], which `model-check conform` holds against the
//! model. The store writes one event for each of its decisions, refusals and deciding reads included, in the decision's
//! own transaction; so the order of the trace is the order in which things became true, and an event of the store can
//! neither be missing nor speak of something that was rolled back.
//!
//! What is done elsewhere, no store sees. A computer tells its [`ComputerRecorder`], a provider its
//! [`ProviderRecorder`], and whoever drives operations its [`OwnerRecorder`]; each writes a small transaction. If that
//! one fails, the step has happened and the trace lacks it: the trace is *lossy* from then on, also after a restart,
//! and no check passes it. One thing can hide the loss: if the store dies before it could write down so much as that,
//! its trace ends there as if nothing had been lost, and only who has got the error knows.
//!
//! A store holds the traces of several [`Protocol`]s, in one order, and exports one at a time. Each event is of one of
//! them, and each process counts its events apart in each, so that every export is a trace without a gap.
//!
//! A gateway that has died is marked in the protocols and for the computers about which it has spoken. Of an owner of
//! operations the store is shown a proof of death when somebody takes over from it, and that is where it is marked: in
//! the transaction of the takeover, whether or not this one succeeds, for the death is true either way. Once is enough:
//! who has died under the name of an owner never comes back under it (ASSUME-11).
//!
//! # Ground rules
//!
//! - A step of a computer or a provider is submitted before anybody can see its effect: under its own lock, or at least
//!   before its answer goes out. The recorders submit when they are called; awaiting them can wait.
//! - Position and sequence are assigned inside the transaction (ASSUME-6), so both go on where they were after a crash.
//! - What is told of a row was read after the step in its transaction. It is never derived.
//! - Off, a step costs no statement and no allocation.
//!
//! # What is not here
//!
//! Judgement: this crate shares words with the model and no rule.

mod computer;
mod events;
mod owner;
mod protocol;
mod provider;
mod words;
mod written;

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use outlive_spec::trace::{Event, FORMAT, Header, Implementation, Phase, Verb, schema_hash};

use crate::clock::{Clock, rfc_3339};
use crate::error::StoreError;
use crate::id::{ComputerId, GatewayName, OwnerName, ProviderName};
use crate::store::operation::OwnerDeath;
pub use computer::ComputerRecorder;
pub(crate) use events::Recorded;
pub use owner::OwnerRecorder;
pub use protocol::Protocol;
pub use provider::ProviderRecorder;
pub use written::Written;

/// A future on the heap.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Where events are kept. A store that records implements it; everybody else uses a [`Recorder`].
pub trait Sink: Send + Sync + 'static {
    /// Submits an event of this protocol, whose sequence and commit position are filled in where it is written. If it
    /// cannot be written, the trace is lossy from then on, whether or not somebody waits for the future.
    fn record(&self, protocol: Protocol, event: Event<'static>) -> BoxFuture<Result<(), StoreError>>;

    /// Submits one marker for each protocol and computer in which this process has spoken: it has died. In the
    /// operation protocol once, since nobody comes back under the name of an owner.
    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>>;

    /// Up to `limit` lines of this protocol behind this position, in the order of the trace.
    fn lines(&self, protocol: Protocol, after: u64, limit: usize) -> BoxFuture<Result<Vec<Line>, StoreError>>;

    /// What there is to say of the trace of this protocol as a whole, at one moment.
    fn summary(&self, protocol: Protocol) -> BoxFuture<Result<Summary, StoreError>>;

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

/// The trace of one protocol as a whole, at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The position of the last event; 0 if there is none.
    pub last: u64,
    /// Everybody who has spoken in this protocol.
    pub processes: Vec<String>,
    /// Whether an event was lost, now or before a restart, of whatever protocol.
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

    /// Records what a provider does: calls that arrive, and what happens there by itself.
    pub fn provider(&self, provider: &ProviderName) -> ProviderRecorder {
        ProviderRecorder::new(self.clone(), provider)
    }

    /// Records what an owner of operations asks of a provider, and what it hears.
    pub fn owner(&self, owner: &OwnerName) -> OwnerRecorder {
        OwnerRecorder::new(self.clone(), owner)
    }

    /// Submits an event, if anything is recorded; otherwise it is never made.
    fn submit(&self, protocol: Protocol, event: impl FnOnce() -> Event<'static>) -> Written {
        Written::of(self.to.as_ref().map(|sink| sink.record(protocol, event())))
    }

    /// Records that a gateway has died, and is back under the same name without its memory. Whoever starts a gateway
    /// under a name that was in use calls this first.
    ///
    /// # Guarantees
    /// One marker for each computer that the gateway has spoken about, in each protocol, all or none. Who was an owner
    /// of operations as well is marked once for each of their computers.
    ///
    /// # Assumptions
    /// The former process of that name speaks no more: nobody else can be told from it. As an owner of operations
    /// nobody ever speaks again under that name (ASSUME-11).
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

    /// Records that an owner of operations is dead, for every computer about which it has spoken. Who takes over from
    /// it need not: a takeover marks the death for its own computer. This is for the others, where the owner has lost
    /// what it drove to somebody else before it died, so that nobody takes anything over.
    ///
    /// # Guarantees
    /// One marker for each computer that is not marked yet, all or none.
    ///
    /// # Assumptions
    /// ASSUME-11, that nobody ever speaks again under that name.
    ///
    /// # Errors
    /// Those of the store. It may be called again.
    ///
    /// # Cancellation
    /// The markers may or may not be there; call it again.
    pub async fn owner_died(&self, death: &OwnerDeath) -> Result<(), StoreError> {
        match &self.to {
            Some(sink) => sink.record_crash(death.owner().to_string()).await,
            None => Ok(()),
        }
    }

    /// Writes the trace of one protocol, header first, one JSON object a line, and says how many events it has.
    /// Nothing is written if nothing is recorded.
    ///
    /// # Guarantees
    /// The trace as it was at one moment after the call: what is recorded meanwhile is not in it. The header says so
    /// if an event was ever lost, of whatever protocol. The commit positions are those of the store, so that they have
    /// gaps where it has written of another protocol.
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
    pub async fn export(&self, protocol: Protocol, out: &mut (dyn io::Write + Send)) -> io::Result<u64> {
        let Some(sink) = &self.to else { return Ok(0) };
        let Summary { last, processes, is_lossy } = sink.summary(protocol).await.map_err(io::Error::other)?;
        let header = Header {
            format: FORMAT,
            schema: schema_hash(),
            protocol: protocol.name().to_owned(),
            implementation: Implementation {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            store: sink.store_kind().to_owned(),
            processes,
            claims: Verb::of(protocol.name()).collect(),
            lossy: is_lossy,
        };
        writeln!(out, "{}", serde_json::to_string(&header)?)?;
        let (mut position, mut written) = (0, 0);
        while position < last {
            let lines = sink.lines(protocol, position, EXPORT_PAGE).await.map_err(io::Error::other)?;
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
