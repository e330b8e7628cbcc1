//! A thread that owns a connection, takes one step after another in the order in which they were submitted, and tells
//! each caller its outcome after the commit.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use rusqlite::Connection as Raw;
use tokio::sync::oneshot;

use super::connection::Connection;
use super::failure::Fault;
use crate::error::StoreError;

/// One step of one caller. Taking it and telling its outcome are two functions, since several steps may one day share a
/// commit.
trait Step: Send {
    /// Takes the step, inside a transaction.
    fn take(&mut self, raw: &Raw) -> Result<(), Fault>;

    /// Tells the caller, once it is known whether the transaction was committed.
    fn tell(self: Box<Self>, connection: &Connection, committed: Result<(), StoreError>);
}

struct Submitted<T, F, G> {
    step: Option<F>,
    on_failure: G,
    outcome: Option<T>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F, G> Step for Submitted<T, F, G>
where
    T: Send,
    F: FnOnce(&Raw) -> Result<T, Fault> + Send,
    G: FnOnce(&Connection) + Send,
{
    fn take(&mut self, raw: &Raw) -> Result<(), Fault> {
        if let Some(step) = self.step.take() {
            self.outcome = Some(step(raw)?);
        }
        Ok(())
    }

    fn tell(self: Box<Self>, connection: &Connection, committed: Result<(), StoreError>) {
        let outcome = match (committed, self.outcome) {
            (Err(error), _) => {
                (self.on_failure)(connection);
                Err(error)
            }
            (Ok(()), Some(outcome)) => Ok(outcome),
            // A committed step has an outcome; dropping the sender reads as closed.
            (Ok(()), None) => return,
        };
        // A caller that is gone has given up the outcome, not the step.
        let _ = self.caller.send(outcome);
    }
}

/// A handle to the thread. Dropping it lets the thread finish what was submitted, and waits for it.
pub(super) struct Worker {
    steps: Option<Sender<Box<dyn Step>>>,
    thread: Option<JoinHandle<()>>,
    path: Arc<Path>,
}

impl Worker {
    /// Starts a thread of this name.
    pub(super) fn start(name: &str, connection: Connection) -> Result<Worker, StoreError> {
        let (steps, submitted) = channel();
        let path: Arc<Path> = connection.path().into();
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || serve(&connection, &submitted))
            .map_err(|source| StoreError::Io { path: path.to_path_buf(), source: Box::new(source) })?;
        Ok(Worker { steps: Some(steps), thread: Some(thread), path })
    }

    /// Submits a step at once; the future is its outcome.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Raw) -> Result<T, Fault> + Send + 'static,
    ) -> Pending<T> {
        self.submit_or(step, |_| ())
    }

    /// The same. If the step fails, `on_failure` is called on the thread, before the caller is told and whether or not
    /// one still waits.
    pub(super) fn submit_or<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Raw) -> Result<T, Fault> + Send + 'static,
        on_failure: impl FnOnce(&Connection) + Send + 'static,
    ) -> Pending<T> {
        let (caller, outcome) = oneshot::channel();
        let submitted = Submitted { step: Some(step), on_failure, outcome: None, caller };
        if let Some(steps) = &self.steps {
            // If the thread is gone, the caller's sender is dropped here, which reads as closed.
            let _ = steps.send(Box::new(submitted));
        }
        Pending { outcome, path: self.path.clone() }
    }
}

/// The outcome of a step that was submitted.
pub(super) struct Pending<T> {
    outcome: oneshot::Receiver<Result<T, StoreError>>,
    path: Arc<Path>,
}

impl<T> Future for Pending<T> {
    type Output = Result<T, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let outcome = std::task::ready!(Pin::new(&mut self.outcome).poll(context));
        Poll::Ready(outcome.unwrap_or_else(|_| Err(StoreError::Closed { path: self.path.to_path_buf() })))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.steps.take());
        if let Some(thread) = self.thread.take() {
            // It has panicked, and whoever waited for it was told that the store is closed.
            let _ = thread.join();
        }
    }
}

/// ASSUME-7: one thread takes the steps of this process one by one; what other processes write, the transaction keeps out.
fn serve(connection: &Connection, submitted: &Receiver<Box<dyn Step>>) {
    for mut step in submitted {
        let committed = connection.transact(|raw| step.take(raw));
        step.tell(connection, committed);
    }
}
