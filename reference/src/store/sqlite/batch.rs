//! Group commit: steps that wait at the same time share one transaction. The cost of a commit is the wait for the disk, and
//! so they wait once for all of them.
//!
//! # Theory of operation
//!
//! The writer takes a step and whatever waits behind it. If these are fewer than in the last batch, the callers of that
//! batch are probably on their way back with their next steps. The writer waits for them, but not longer than it was told to.
//! So a caller who is alone does not wait, and many callers are soon gathered into few commits.
//!
//! # Ground rules
//!
//! - Steps are taken in the order in which they were submitted, and each sees what those before it have done.
//! - No outcome goes out before the commit. Told earlier, it could be lost in a crash, after others had acted on it.
//! - A caller's failure is its own. A step that asks for the impossible (no such computer, no incarnation left) has changed
//!   nothing, and the others go on. Any other failure may have changed something, or the engine may have ended the
//!   transaction. Then all is rolled back, and each step is taken again in a transaction of its own.
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
    let mut expected = 1;
    while let Some(batch) = gather(submitted, expected, gathering) {
        expected = batch.len();
        take(connection, batch);
    }
}

/// The next batch; none once the store is closed and nothing waits.
fn gather(submitted: &Receiver<Box<dyn Step>>, expected: usize, gathering: Gathering) -> Option<Steps> {
    let mut batch = vec![submitted.recv().ok()?];
    let deadline = Deadline::after(gathering.patience);
    while batch.len() < gathering.limit {
        let next = match submitted.try_recv() {
            Ok(step) => Some(step),
            Err(_) if batch.len() < expected => submitted.recv_timeout(deadline.time_left()).ok(),
            Err(_) => None,
        };
        match next {
            Some(step) => batch.push(step),
            None => break,
        }
    }
    Some(batch)
}

fn take(connection: &Connection, mut batch: Steps) {
    if batch.len() > 1 {
        let path = connection.path();
        match share_a_transaction(connection, &mut batch) {
            Ok(Shared::Committed(results)) => {
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
    for mut step in batch {
        let committed = connection.transact(|raw| step.take(raw));
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
