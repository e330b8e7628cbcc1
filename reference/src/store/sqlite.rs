//! The durable store for one machine: an SQLite file in WAL mode.
//!
//! # Theory of operation
//!
//! One thread owns the connection that writes. Callers send it their steps and wait for the outcome, which goes out
//! after the commit. Steps that wait at the same time share a commit ([`batch`]). A few more threads have connections
//! of their own and answer the steps that only read. Such a step begins after it was submitted, and so sees every write
//! whose outcome was told before. Where recording is on, a read that decides is a step of the writer as well, since its
//! event must stand at its true place.
//!
//! # Ground rules
//!
//! - A decision on a computer is one conditional UPDATE, and its verdict is the number of rows. Why it was refused is
//!   read afterwards, in the same transaction ([`decide`]).
//! - No setting is taken on trust: each is read back, and the schema is compared with what the migrations make
//!   ([`open`]).
//! - A file that is not ours is left as it is.

mod batch;
mod connection;
mod decide;
mod failure;
mod inline;
mod open;
mod operation;
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
use batch::Gathering;
use connection::Connection;
use failure::Fault;
pub use inline::InlineSqlite;
use trace::{Kept, Recording, TraceTable};
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
    gathering: Gathering,
    readers: usize,
    clock: Option<Arc<dyn Clock>>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        SqliteOptions {
            durability: Durability::Full,
            busy_timeout: Duration::from_secs(5),
            gathering: Gathering { patience: Duration::from_millis(1), limit: 512 },
            readers: 2,
            clock: None,
        }
    }
}

impl SqliteOptions {
    /// Fully durable; five seconds of patience with other processes; a step waits one millisecond for others to share
    /// its commit, which has at most 512 steps; two readers; nothing recorded.
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

    /// How long a step waits for others that could share its commit, at most: until as many are there as shared the
    /// last commit or waited for its end. A caller who is alone does not wait. Zero takes only what is there already.
    #[must_use]
    pub fn gather_for(self, patience: Duration) -> SqliteOptions {
        SqliteOptions { gathering: Gathering { patience, ..self.gathering }, ..self }
    }

    /// How many steps share a commit, at most. One gives each step a commit of its own, and so does zero.
    #[must_use]
    pub fn largest_batch(self, limit: usize) -> SqliteOptions {
        SqliteOptions { gathering: Gathering { limit, ..self.gathering }, ..self }
    }

    /// How many connections answer the steps that only read, each on a thread of its own; zero counts as one.
    #[must_use]
    pub fn readers(self, readers: usize) -> SqliteOptions {
        SqliteOptions { readers, ..self }
    }

    /// Records each decision in the transaction that takes it.
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
/// # Guarantees
/// Those of [`Store`]. Steps that wait at the same time share a commit, and no caller is told an outcome before it. A
/// step that fails takes no other with it.
///
/// # Errors
/// If the shared commit itself fails, each of its steps fails with the same error: [`StoreError::DiskFull`] and
/// [`StoreError::Busy`] say that none of them has happened, [`StoreError::Io`] that nobody knows.
///
/// # Cancellation
/// As for [`Store`]: a step that was submitted is taken with its batch, whether or not anybody waits for it.
///
/// Dropping the last handle waits until what was submitted is done.
///
/// # Speed
/// Give the runtime of the callers one thread less than the machine has cores: the writer needs the other. On two cores
/// and a quick disk, 16 callers on one thread come to 0.9 to 1.0 of the rate of transactions of 16 that nobody waits
/// for, and on two threads to 0.7 (bench `save`).
pub struct SqliteStore {
    shared: Arc<Shared>,
    recorder: Recorder,
}

struct Shared {
    readers: Worker,
    /// Closed after the readers: whoever is alone at the end writes the log back and takes it away. Of two that close
    /// at the same time, each can leave that to the other.
    writer: Worker,
    /// Present iff recording is on.
    recording: Option<Arc<Recording>>,
}

/// How a step decides.
type Decide<R> = fn(&Raw, &R) -> Result<<R as Recorded>::Outcome, Fault>;

impl SqliteStore {
    /// Opens a file, or makes a new one, and brings its schema up to date.
    ///
    /// # Errors
    /// What is no file, or a file that is not ours, is newer than this version, or whose schema was changed, is refused
    /// and left as it is.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<SqliteStore, StoreError> {
        let path: PathBuf = path.as_ref().to_owned();
        let writer = Worker::writer(open::writer(&path, &options)?, options.gathering)?;
        let connections = (0..options.readers.max(1)).map(|_| open::reader(&path, &options));
        let readers = Worker::readers(&path, connections.collect::<Result<_, _>>()?)?;
        let recording = Recording::of(&options);
        let shared = Arc::new(Shared { readers, writer, recording: recording.clone() });
        let to_table = |recording| Recorder::to(Arc::new(TraceTable::new(shared.clone(), recording)));
        let recorder = recording.map_or_else(Recorder::off, to_table);
        Ok(SqliteStore { shared, recorder })
    }

    /// A step that may write.
    fn write<R: Recorded<Row: Kept>>(&self, request: R, decide: Decide<R>) -> Pending<R::Outcome> {
        self.step(&self.shared.writer, request, decide)
    }

    /// A step that only reads, and decides something by it.
    fn read<R: Recorded<Row: Kept>>(&self, request: R, decide: Decide<R>) -> Pending<R::Outcome> {
        // TRACE-4: a read that decides is recorded where it is made, so a recorded one is a write.
        let is_recorded = self.shared.recording.is_some();
        let worker = if is_recorded { &self.shared.writer } else { &self.shared.readers };
        self.step(worker, request, decide)
    }

    fn step<R: Recorded<Row: Kept>>(&self, worker: &Worker, request: R, decide: Decide<R>) -> Pending<R::Outcome> {
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
        self.shared.readers.submit(move |raw| row::find(raw, &computer))
    }

    fn resets_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ComputerId>, StoreError>> + Send {
        self.shared.readers.submit(move |raw| row::resets_under_way(raw, after.as_ref(), limit))
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
