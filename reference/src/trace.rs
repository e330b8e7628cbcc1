//! The recorder: what was decided, written down in the transaction that decided it.
//!
//! # Theory of operation
//!
//! A trace is a list of events in the words of [`outlive_spec::trace`], which `model-check conform` holds against the
//! model. The store writes one event for each of its decisions, refusals and deciding reads included, in the decision's
//! own transaction; so the order of the trace is the order in which things became true, and an event can neither be
//! missing nor speak of something that was rolled back. What a computer does by itself, no store sees: it tells its
//! [`ComputerRecorder`], which writes a small transaction.
//!
//! # Ground rules
//!
//! - A step of the computer is submitted before anybody can see its effect: under the computer's own lock, or at least
//!   before its answer goes out. [`ComputerRecorder`] submits when it is called; awaiting it can wait.
//! - Position and sequence are assigned inside the transaction, so both go on where they were after a crash.
//! - Off, it costs nothing: no statement, no allocation.
//!
//! # What is not here
//!
//! Judgement: this crate shares words with the model and no rule.

mod events;

use std::future::ready;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, FORMAT, Header, Implementation, Outcome, Phase, Verb, schema_hash};

use crate::clock::{Clock, rfc_3339};
use crate::error::StoreError;
use crate::id::{ComputerId, GatewayName, Generation, Incarnation, LifeName, OperationName, PageName, process_name};
pub(crate) use events::Recorded;
use events::event;

/// A future on the heap.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Where events are kept. A store that records implements it; everybody else uses a [`Recorder`].
pub trait Sink: Send + Sync + 'static {
    /// Submits an event, whose sequence and commit position are filled in where it is written.
    fn record(&self, event: Event<'static>) -> BoxFuture<Result<(), StoreError>>;

    /// Submits one marker for each computer that this process has spoken about: it has died.
    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>>;

    /// Up to `limit` lines behind this position, in the order of the trace.
    fn lines(&self, after: u64, limit: usize) -> BoxFuture<Result<Vec<String>, StoreError>>;

    /// Everybody who has spoken.
    fn processes(&self) -> BoxFuture<Result<Vec<String>, StoreError>>;

    /// The kind of store, for instance `sqlite`.
    fn store_kind(&self) -> &'static str;
}

/// Gives access to the trace of a store. Cheap to clone.
#[derive(Clone, Default)]
pub struct Recorder {
    to: Option<(Arc<dyn Sink>, Arc<AtomicBool>)>,
}

impl Recorder {
    /// Records nothing.
    pub fn off() -> Recorder {
        Recorder { to: None }
    }

    /// Records here.
    pub fn to(sink: Arc<dyn Sink>) -> Recorder {
        Recorder { to: Some((sink, Arc::default())) }
    }

    /// Whether anything is recorded.
    pub fn is_on(&self) -> bool {
        self.to.is_some()
    }

    /// Records what the process of this computer does by itself.
    pub fn computer(&self, computer: &ComputerId) -> ComputerRecorder {
        ComputerRecorder { recorder: self.clone(), process: process_name(computer), computer: computer.clone() }
    }

    /// Records that a gateway has died, and is back under the same name without its memory: one marker for each computer
    /// that it has spoken about. Whoever starts a gateway under a name that was in use calls this first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn gateway_crashed(&self, gateway: &GatewayName) -> Result<(), StoreError> {
        match &self.to {
            Some((sink, _)) => sink.record_crash(gateway.to_string()).await,
            None => Ok(()),
        }
    }

    /// Writes the trace, header first, one JSON object a line, and says how many events it has.
    ///
    /// # Errors
    /// Those of the store, as [`io::Error`]; and those of the writer.
    pub async fn export(&self, out: &mut (dyn io::Write + Send)) -> io::Result<u64> {
        let Some((sink, is_lossy)) = &self.to else { return Ok(0) };
        let header = Header {
            format: FORMAT,
            schema: schema_hash(),
            protocol: "snapshot".to_owned(),
            implementation: Implementation {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            store: sink.store_kind().to_owned(),
            processes: sink.processes().await.map_err(io::Error::other)?,
            claims: Verb::ALL.to_vec(),
            lossy: is_lossy.load(Ordering::Acquire),
        };
        writeln!(out, "{}", serde_json::to_string(&header)?)?;
        let mut written = 0;
        loop {
            let lines = sink.lines(written, EXPORT_PAGE).await.map_err(io::Error::other)?;
            if lines.is_empty() {
                return Ok(written);
            }
            for line in lines {
                writeln!(out, "{line}")?;
                written += 1;
            }
        }
    }

    fn submit(&self, event: Event<'_>) -> BoxFuture<Result<(), StoreError>> {
        let Some((sink, is_lossy)) = &self.to else { return Box::pin(ready(Ok(()))) };
        let (is_written, is_lossy) = (sink.record(owned(event)), is_lossy.clone());
        Box::pin(async move {
            let result = is_written.await;
            if result.is_err() {
                // The step was taken and is not in the trace, which must say so.
                is_lossy.store(true, Ordering::Release);
            }
            result
        })
    }
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("is_on", &self.is_on()).finish()
    }
}

/// Lines that are read at once for an export.
const EXPORT_PAGE: usize = 10_000;

/// Records what the process of one computer does by itself. Each method submits when it is called, and returns a future
/// that is done when the event is durable; so call it before anybody can see what was done.
#[derive(Clone, Debug)]
pub struct ComputerRecorder {
    recorder: Recorder,
    process: String,
    computer: ComputerId,
}

/// What a computer says of its own steps.
impl ComputerRecorder {
    /// Its process has died, and another starts under this name of a life.
    pub fn restart(&self, life: &LifeName) -> BoxFuture<Result<(), StoreError>> {
        self.step(Verb::Restart, |event| event.life = Some(life.as_str().into()))
    }

    /// The process has learned that it is this incarnation.
    pub fn learn(&self, incarnation: Incarnation) -> BoxFuture<Result<(), StoreError>> {
        self.step(Verb::Learn, |event| event.incarnation = Some(incarnation.number()))
    }

    /// It answers a call with this page.
    pub fn answer(&self, page: PageName, operation: Option<&OperationName>) -> BoxFuture<Result<(), StoreError>> {
        self.step(Verb::Answer, |event| {
            event.incarnation = Some(page.incarnation.number());
            event.generation = Some(page.generation.number());
            event.operation = operation.map(|operation| operation.as_str().into());
        })
    }

    /// It refuses a call that names this incarnation.
    pub fn refuse_answer(
        &self,
        called: Incarnation,
        operation: Option<&OperationName>,
    ) -> BoxFuture<Result<(), StoreError>> {
        self.step(Verb::Answer, |event| {
            refused(event, Requirement::Restart3);
            event.incarnation = Some(called.number());
            event.operation = operation.map(|operation| operation.as_str().into());
        })
    }

    /// It obeys the wipe of this incarnation, sent by this gateway: a life begins, and counts on from this generation.
    pub fn wipe(
        &self,
        incarnation: Incarnation,
        by: &GatewayName,
        life: &LifeName,
        counts_on_from: Generation,
    ) -> BoxFuture<Result<(), StoreError>> {
        self.step(Verb::Wipe, |event| {
            event.incarnation = Some(incarnation.number());
            event.by = Some(by.as_str().into());
            event.life = Some(life.as_str().into());
            event.generation = Some(counts_on_from.number());
        })
    }

    /// It refuses a wipe that names this incarnation.
    pub fn refuse_wipe(&self, incarnation: Incarnation, by: &GatewayName) -> BoxFuture<Result<(), StoreError>> {
        self.step(Verb::Wipe, |event| {
            refused(event, Requirement::Reset3);
            event.incarnation = Some(incarnation.number());
            event.by = Some(by.as_str().into());
        })
    }

    /// It acts on this page.
    pub fn perform(&self, page: PageName, operation: Option<&OperationName>) -> BoxFuture<Result<(), StoreError>> {
        self.step(Verb::Perform, |event| {
            event.incarnation = Some(page.incarnation.number());
            event.generation = Some(page.generation.number());
            event.operation = operation.map(|operation| operation.as_str().into());
        })
    }

    /// It refuses to act on this page.
    pub fn refuse_perform(
        &self,
        page: PageName,
        operation: Option<&OperationName>,
    ) -> BoxFuture<Result<(), StoreError>> {
        self.step(Verb::Perform, |event| {
            refused(event, Requirement::Restart5);
            event.incarnation = Some(page.incarnation.number());
            event.generation = Some(page.generation.number());
            event.operation = operation.map(|operation| operation.as_str().into());
        })
    }

    fn step<'a>(&'a self, action: Verb, fill: impl FnOnce(&mut Event<'a>)) -> BoxFuture<Result<(), StoreError>> {
        if !self.recorder.is_on() {
            return Box::pin(ready(Ok(())));
        }
        let mut event = event(&self.process, self.computer.as_str(), Phase::Commit, action);
        fill(&mut event);
        self.recorder.submit(event)
    }
}

fn refused(event: &mut Event<'_>, because: Requirement) {
    event.outcome = Outcome::Refused;
    event.because = Some(because);
}

/// The line of an event, once it is known where it stands.
pub(crate) fn line(mut event: Event<'_>, position: u64, sequence: u64, clock: &dyn Clock) -> String {
    event.commit = Some(position);
    event.sequence = sequence;
    event.time = Some(rfc_3339(clock.now()).into());
    // An event has string keys only and no map, so there is nothing in it that JSON could refuse.
    serde_json::to_string(&event).expect("an event is plain data")
}

pub(crate) fn crash_marker<'a>(process: &'a str, computer: &'a str) -> Event<'a> {
    event(process, computer, Phase::Marker, Verb::Crash)
}

/// An event that borrows from nobody, so that it may wait in a queue.
fn owned(event: Event<'_>) -> Event<'static> {
    let text = |text: outlive_spec::trace::Text<'_>| text.to_string().into();
    Event {
        process: text(event.process),
        sequence: event.sequence,
        commit: event.commit,
        phase: event.phase,
        operation: event.operation.map(text),
        action: event.action,
        computer: text(event.computer),
        outcome: event.outcome,
        because: event.because,
        incarnation: event.incarnation,
        generation: event.generation,
        expected: event.expected,
        minted: event.minted,
        life: event.life.map(text),
        by: event.by.map(text),
        row: event.row,
        time: event.time.map(text),
        x: None,
    }
}
