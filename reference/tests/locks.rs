//! The locks on a runtime of several threads, as a host uses them: futures are spawned, and woken by whoever releases.
//! What holds in every interleaving stands in `loom-tests`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outlive::ComputerId;
use outlive::locks::{LifecycleGuard, Locks, Shutdown, SingleFlight};
use tokio::task::{JoinSet, yield_now};

const TASKS: usize = 64;
const OPERATIONS: usize = 500;

#[derive(Default)]
struct Process {
    locks: Locks<usize>,
    stops: SingleFlight<usize>,
    shutdown: Shutdown,
    inside: AtomicUsize,
    drained: AtomicUsize,
}

impl Process {
    /// Returns how many stops there were before it.
    async fn stop(&self, id: ComputerId) -> usize {
        let work = async |gate: &mut LifecycleGuard<'_, usize>| {
            assert_eq!(self.inside.fetch_add(1, Ordering::SeqCst), 0, "two stops of one computer at once");
            // As a call of a provider would.
            yield_now().await;
            self.inside.fetch_sub(1, Ordering::SeqCst);
            let mut stops = gate.global();
            *stops += 1;
            *stops - 1
        };
        self.stops.run(&mut self.locks.ticket(), id, work).await
    }

    async fn shut_down(&self) {
        let drain = async || {
            yield_now().await;
            self.drained.fetch_add(1, Ordering::SeqCst);
        };
        self.shutdown.join(drain).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_that_stop_one_computer_are_all_answered() {
    let process = Arc::new(Process::default());
    let id = ComputerId::new("browser-7").unwrap();
    let mut tasks = JoinSet::new();
    for _ in 0..TASKS {
        let (process, id) = (process.clone(), id.clone());
        tasks.spawn(async move {
            let mut before = None;
            for _ in 0..OPERATIONS {
                let stop = Some(process.stop(id.clone()).await);
                assert!(before < stop, "a stop was answered by one that was over when it was asked for");
                before = stop;
            }
        });
    }
    tasks.join_all().await;
    let stops = *process.locks.sweep().global().probe(&id).unwrap();
    assert!((OPERATIONS..TASKS * OPERATIONS).contains(&stops), "{stops} stops, so none was shared, or one was lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_that_shut_down_all_return_when_it_is_drained() {
    let process = Arc::new(Process::default());
    let mut tasks = JoinSet::new();
    for _ in 0..TASKS {
        let process = process.clone();
        tasks.spawn(async move {
            process.shut_down().await;
            assert_eq!(process.drained.load(Ordering::SeqCst), 1);
        });
    }
    tasks.join_all().await;
}
