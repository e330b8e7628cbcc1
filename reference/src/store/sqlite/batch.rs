//! Group commit: steps that wait at the same time share one transaction. The cost of a commit is the wait for the disk,
//! and so they wait once for all of them.
//!
//! # Theory of operation
//!
//! The writer takes a step and whatever waits behind it. When it has committed, it counts the callers: those of the
//! batch, and those who wait by then. If fewer are there for the next batch, the others are probably on their way back
//! with their next steps. The writer waits for them, but not longer than it was told to. So a caller who is alone does
//! not wait, and many callers are soon gathered into few commits.
//!
//! # Ground rules
//!
//! - Steps are taken in the order in which they were submitted, and each sees what those before it have done.
//! - No outcome goes out before the commit. Told earlier, it could be lost in a crash, after others had acted on it.
//! - A caller's failure is its own. A step that asks for the impossible (no such computer, no incarnation left) has
//!   changed nothing, and the others go on. Any other failure may have changed something, or the engine may have ended
//!   the transaction. Then all is rolled back, and each step is taken again in a transaction of its own.
//! - If the commit fails, all fail, and each caller is told the same.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use rusqlite::Connection as Raw;

use super::connection::Connection;
use super::failure::Fault;
use super::worker::Step;
use crate::clock::Deadline;

/// How steps are gathered into a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gathering {
    /// How long the first step of a batch waits for others, at most.
    pub(super) patience: Duration,
    /// The most steps that share a commit.
    pub(super) limit: usize,
}

type Steps = Vec<Box<dyn Step>>;

/// ASSUME-7: one thread takes the steps of this process; what other processes write, the transaction keeps out.
pub(super) fn serve(connection: &Connection, submitted: &Receiver<Box<dyn Step>>, gathering: Gathering) {
    let mut queue = Queue { submitted, waiting: Steps::new(), gathering };
    let mut expected = 1;
    while let Some(batch) = queue.gather(expected) {
        let told = batch.len();
        take(connection, batch, &mut queue);
        expected = told + queue.waiting.len();
    }
}

/// What was submitted.
struct Queue<'a> {
    submitted: &'a Receiver<Box<dyn Step>>,
    /// What came before the callers of the last batch were told: no more than fits into a batch.
    waiting: Steps,
    gathering: Gathering,
}

impl Queue<'_> {
    /// The next batch; none once the store is closed and nothing waits.
    fn gather(&mut self, expected: usize) -> Option<Steps> {
        let mut batch = std::mem::take(&mut self.waiting);
        if batch.is_empty() {
            batch.push(self.submitted.recv().ok()?);
        }
        let deadline = Deadline::after(self.gathering.patience);
        while batch.len() < self.gathering.limit {
            let next = match self.submitted.try_recv() {
                Ok(step) => Some(step),
                Err(_) if batch.len() < expected => self.submitted.recv_timeout(deadline.time_left()).ok(),
                Err(_) => None,
            };
            match next {
                Some(step) => batch.push(step),
                None => break,
            }
        }
        Some(batch)
    }

    /// To be called once for a batch, before anybody is told: whoever waits by now is another, and together they are
    /// the callers of this time. Counted by batches they would stay two halves, each of which commits while the other
    /// comes back.
    fn count_who_waits(&mut self) {
        let room = self.gathering.limit.saturating_sub(self.waiting.len());
        self.waiting.extend(self.submitted.try_iter().take(room));
    }
}

fn take(connection: &Connection, mut batch: Steps, queue: &mut Queue<'_>) {
    if batch.len() > 1 {
        let path = connection.path();
        match share_a_transaction(connection, &mut batch) {
            Ok(Shared::Committed(results)) => {
                queue.count_who_waits();
                for (step, result) in batch.into_iter().zip(results) {
                    step.tell(connection, result.map_err(|fault| fault.at(path)));
                }
                return;
            }
            Ok(Shared::Undone) => {}
            Err(fault) => {
                for step in batch {
                    step.tell(connection, Err(fault.clone().at(path)));
                }
                return;
            }
        }
    }
    for (place, mut step) in batch.into_iter().enumerate() {
        let committed = connection.transact(|raw| step.take(raw));
        if place == 0 {
            queue.count_who_waits();
        }
        // TRACE-6: before the next step is taken, since telling a failure marks the trace in which the event is
        // missing.
        step.tell(connection, committed);
    }
}

/// How a transaction of many has ended, other than by a failure of its own.
enum Shared {
    /// Each step was done, or has changed nothing for the reason given.
    Committed(Vec<Result<(), Fault>>),
    /// One of them cannot be among the others.
    Undone,
}

fn share_a_transaction(connection: &Connection, batch: &mut Steps) -> Result<Shared, Fault> {
    let raw = connection.begin()?;
    let mut results = Vec::with_capacity(batch.len());
    for step in batch {
        let before = raw.total_changes();
        let result = step.take(raw);
        if result.as_ref().is_err_and(|fault| !fault.is_an_answer() || !is_as_before(raw, before)) {
            connection.roll_back();
            return Ok(Shared::Undone);
        }
        results.push(result);
    }
    match connection.commit() {
        Ok(()) => Ok(Shared::Committed(results)),
        Err(fault) => {
            connection.roll_back();
            Err(fault)
        }
    }
}

fn is_as_before(raw: &Raw, changes: u64) -> bool {
    raw.total_changes() == changes && !raw.is_autocommit()
}
