//! Threads that own connections, take the steps that callers submit, and tell each caller its outcome after the commit.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use rusqlite::Connection as Raw;
use tokio::sync::oneshot;

use super::batch::{self, Gathering};
use super::connection::Connection;
use super::failure::Fault;
use crate::error::StoreError;
use crate::sync::Mutex;

/// One step of one caller. Taking it and telling its outcome are two functions, since several steps share a commit.
pub(super) trait Step: Send {
    /// Takes the step, inside a transaction. If that is rolled back it may be taken again in another.
    fn take(&mut self, raw: &Raw) -> Result<(), Fault>;

    /// Tells the caller, outside any transaction, once it is known whether the step was committed.
    fn tell(self: Box<Self>, connection: &Connection, committed: Result<(), StoreError>);
}

struct Submitted<T, F, G> {
    step: F,
    on_failure: G,
    outcome: Option<T>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F, G> Step for Submitted<T, F, G>
where
    T: Send,
    F: Fn(&Raw) -> Result<T, Fault> + Send,
    G: FnOnce(&Connection) + Send,
{
    fn take(&mut self, raw: &Raw) -> Result<(), Fault> {
        self.outcome = Some((self.step)(raw)?);
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

/// A handle to threads that share one queue. Dropping it lets them finish what was submitted, and waits for it.
pub(super) struct Worker {
    steps: Option<Sender<Box<dyn Step>>>,
    threads: Vec<JoinHandle<()>>,
    path: Arc<Path>,
}

impl Worker {
    /// One thread, which takes steps in the order in which they were submitted, several to a commit.
    pub(super) fn writer(connection: Connection, gathering: Gathering) -> Result<Worker, StoreError> {
        let (steps, submitted) = channel();
        let path: Arc<Path> = connection.path().into();
        let thread = start("outlive-writer", &path, move || batch::serve(&connection, &submitted, gathering))?;
        Ok(Worker { steps: Some(steps), threads: vec![thread], path })
    }

    /// One thread for each connection. Whichever is free takes the next step.
    pub(super) fn readers(path: &Path, connections: Vec<Connection>) -> Result<Worker, StoreError> {
        let (steps, submitted) = channel();
        let submitted = Arc::new(Mutex::new(submitted));
        let mut worker = Worker { steps: Some(steps), threads: Vec::new(), path: path.into() };
        for connection in connections {
            let submitted = submitted.clone();
            worker.threads.push(start("outlive-reader", path, move || read(&connection, &submitted))?);
        }
        Ok(worker)
    }

    /// Submits a step at once; the future is its outcome.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        step: impl Fn(&Raw) -> Result<T, Fault> + Send + 'static,
    ) -> Pending<T> {
        self.submit_or(step, |_| ())
    }

    /// The same. If the step fails, `on_failure` is called on the thread, before another step is taken and whether or
    /// not the caller still waits.
    pub(super) fn submit_or<T: Send + 'static>(
        &self,
        step: impl Fn(&Raw) -> Result<T, Fault> + Send + 'static,
        on_failure: impl FnOnce(&Connection) + Send + 'static,
    ) -> Pending<T> {
        let (caller, outcome) = oneshot::channel();
        let submitted = Submitted { step, on_failure, outcome: None, caller };
        if let Some(steps) = &self.steps {
            // If the threads are gone, the caller's sender is dropped here, which reads as closed.
            let _ = steps.send(Box::new(submitted));
        }
        Pending { outcome, path: self.path.clone() }
    }
}

fn start(name: &str, path: &Path, serve: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StoreError> {
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(serve);
    thread.map_err(|source| StoreError::Io { path: path.to_path_buf(), source: Box::new(source) })
}

fn read(connection: &Connection, submitted: &Mutex<Receiver<Box<dyn Step>>>) {
    loop {
        // Who waits holds the queue, and the others wait for the queue; nobody holds it over a step.
        let Ok(mut step) = submitted.lock().recv() else { return };
        let committed = connection.transact(|raw| step.take(raw));
        step.tell(connection, committed);
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
        for thread in self.threads.drain(..) {
            // If it has panicked, whoever waited for it was told that the store is closed.
            let _ = thread.join();
        }
    }
}
