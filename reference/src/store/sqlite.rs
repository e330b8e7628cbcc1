//! The durable store for one machine: an SQLite file in WAL mode.
//!
//! # Theory of operation
//!
//! One thread owns the connection that writes; callers send it their steps and wait for the outcome, which goes out
//! after the commit. A second thread has a connection of its own and answers what only reads. Where recording is on, a
//! read that decides is a step of the writer as well, since its event must stand at its true place.
//!
//! # Ground rules
//!
//! - A decision on a computer is one conditional UPDATE, and its verdict is the number of rows. Why it was refused is read
//!   afterwards, in the same transaction ([`decide`]).
//! - No setting is taken on trust: each is read back, and the schema is compared with what the migrations make
//!   ([`open`]).
//! - A file that is not ours is left as it is.

mod connection;
mod decide;
mod failure;
mod inline;
mod open;
mod row;
mod trace;
mod worker;

#[cfg(test)]
mod tests;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection as Raw;

use super::*;
use crate::clock::{Clock, WallClock};
use crate::trace::Recorded;
use connection::Connection;
use failure::Fault;
pub use inline::InlineSqlite;
use trace::{Recording, TraceTable};
use worker::{Pending, Worker};

/// What a commit waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// Until the disk says that it has it: what was acknowledged outlives a power cut.
    #[default]
    Full,
    /// Until the operating system has it: what was acknowledged outlives a crash of this process, and a power cut may
    /// take the last commits back, in whole transactions.
    Normal,
}

/// How to open an [`SqliteStore`].
#[derive(Clone)]
pub struct SqliteOptions {
    durability: Durability,
    busy_timeout: Duration,
    clock: Option<Arc<dyn Clock>>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        SqliteOptions { durability: Durability::Full, busy_timeout: Duration::from_secs(5), clock: None }
    }
}

impl SqliteOptions {
    /// Fully durable, five seconds of patience, nothing recorded.
    pub fn new() -> SqliteOptions {
        SqliteOptions::default()
    }

    /// What a commit waits for.
    #[must_use]
    pub fn durability(self, durability: Durability) -> SqliteOptions {
        SqliteOptions { durability, ..self }
    }

    /// How long to wait for another process that holds the write lock.
    #[must_use]
    pub fn busy_timeout(self, busy_timeout: Duration) -> SqliteOptions {
        SqliteOptions { busy_timeout, ..self }
    }

    /// Records each decision in its own transaction.
    #[must_use]
    pub fn recording(self) -> SqliteOptions {
        self.recording_by(Arc::new(WallClock))
    }

    /// The same, with another clock.
    #[must_use]
    pub fn recording_by(self, clock: Arc<dyn Clock>) -> SqliteOptions {
        SqliteOptions { clock: Some(clock), ..self }
    }
}

/// A store in an SQLite file. Several processes may have one file open, on one machine.
///
/// Dropping the last handle waits until what was submitted is done.
pub struct SqliteStore {
    shared: Arc<Shared>,
    recorder: Recorder,
}

struct Shared {
    writer: Worker,
    reader: Worker,
    /// Present iff recording is on.
    recording: Option<Arc<Recording>>,
}

/// How a step decides.
type Decide<R> = fn(&Raw, &R) -> Result<<R as Recorded>::Outcome, Fault>;

impl SqliteStore {
    /// Opens a file, or makes a new one, and brings its schema up to date.
    ///
    /// # Errors
    /// A file that is not ours, is newer than this version, or whose schema was changed is refused and left as it is.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<SqliteStore, StoreError> {
        let path: PathBuf = path.as_ref().to_owned();
        let writer = Worker::start("outlive-writer", open::writer(&path, &options)?)?;
        let reader = Worker::start("outlive-reader", open::reader(&path, &options)?)?;
        let recording = Recording::of(&options);
        let shared = Arc::new(Shared { writer, reader, recording: recording.clone() });
        let to_table = |recording| Recorder::to(Arc::new(TraceTable::new(shared.clone(), recording)));
        let recorder = recording.map_or_else(Recorder::off, to_table);
        Ok(SqliteStore { shared, recorder })
    }

    /// A step that may write.
    fn write<R: Recorded>(&self, request: R, decide: Decide<R>) -> Pending<R::Outcome> {
        self.step(&self.shared.writer, request, decide)
    }

    /// A step that only reads, and decides something by it.
    fn read<R: Recorded>(&self, request: R, decide: Decide<R>) -> Pending<R::Outcome> {
        // TRACE-4: a read that decides is recorded where it is made, so a recorded one is a write.
        let is_recorded = self.shared.recording.is_some();
        let worker = if is_recorded { &self.shared.writer } else { &self.shared.reader };
        self.step(worker, request, decide)
    }

    fn step<R: Recorded>(&self, worker: &Worker, request: R, decide: Decide<R>) -> Pending<R::Outcome> {
        let recording = self.shared.recording.clone();
        worker.submit(move |raw| trace::decide_and_record(raw, &request, decide, recording.as_deref()))
    }
}

macro_rules! steps {
    ($($how:ident $method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            self.$how(request, decide::$method)
        }
    )*};
}

impl Store for SqliteStore {
    fn create(&self, request: Create) -> impl Future<Output = Result<CreateOutcome, StoreError>> + Send {
        self.shared.writer.submit(move |raw| decide::create(raw, &request))
    }

    fn look(&self, computer: ComputerId) -> impl Future<Output = Result<Option<Standing>, StoreError>> + Send {
        self.shared.reader.submit(move |raw| row::find(raw, &computer))
    }

    fn resets_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ComputerId>, StoreError>> + Send {
        self.shared.reader.submit(move |raw| row::resets_under_way(raw, after.as_ref(), limit))
    }

    steps! {
        read ask(Ask) -> Question;
        write register(Question) -> RegisterOutcome;
        read begin(Begin) -> BeginOutcome;
        write save(Save) -> SaveOutcome;
        write claim(Claim) -> ClaimOutcome;
        read send_wipe(SendWipe) -> SendWipeOutcome;
        write finish(Finish) -> FinishOutcome;
        read load(Load) -> LoadOutcome;
        read resolve(Resolve) -> ResolveOutcome;
        write rollback(Rollback) -> RollbackOutcome;
    }

    fn recorder(&self) -> Recorder {
        self.recorder.clone()
    }
}
