//! A shutdown that two signals ask for.

use std::future::poll_fn;
use std::mem;
use std::pin::pin;
use std::sync::Arc as RealArc;
use std::task::{Context, Poll, Wake, Waker};

use super::{Threads, actors, poll_once, poll_unheard};
use crate::explore::{explore, explore_alone, must_find, run};
use crate::locks::Shutdown;
use crate::sync::{Arc, Mutex, block_on, thread};

/// What there is to drain, and how often it was.
#[derive(Default)]
struct Process {
    shutdown: Shutdown,
    has_begun: Mutex<bool>,
    drained: Mutex<u32>,
}

impl Process {
    async fn shut_down(&self) {
        self.shutdown.join(async || *self.drained.lock() += 1).await;
    }

    /// Wrong: the second signal takes what has begun for what is done.
    async fn shut_down_unless_it_has_begun(&self) {
        let had_begun = mem::replace(&mut *self.has_begun.lock(), true);
        if !had_begun {
            *self.drained.lock() += 1;
        }
    }
}

fn signals(shut_down: impl AsyncFn(&Process) + Copy + Send + 'static) {
    let process = Arc::new(Process::default());
    let signal = move |process: &Process| {
        block_on(shut_down(process));
        assert_eq!(*process.drained.lock(), 1, "a shutdown has returned, and nothing is drained");
    };
    let mut threads = Threads::default();
    for _ in 0..actors(1, 4) {
        let process = process.clone();
        threads.spawn(move || signal(&process));
    }
    signal(&process);
    threads.join();
    // One that comes when all is over finds that it is.
    signal(&process);
}

#[test]
fn a_second_signal_waits_for_what_the_first_drains() {
    explore("shutdown joined twice", || signals(Process::shut_down));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_second_signal_returns_at_once() {
    run(|| signals(Process::shut_down_unless_it_has_begun));
}

#[test]
fn a_second_signal_that_returns_at_once_is_found() {
    must_find("shutdown::wrong_twin_a_second_signal_returns_at_once", "nothing is drained");
}

fn drained_by_one_who_gives_up(is_heard_of: bool) {
    let process = Arc::new(Process::default());
    let mut threads = Threads::default();
    for _ in 0..actors(1, 3) {
        let process = process.clone();
        threads.spawn(move || {
            let mut draining = Box::pin(process.shutdown.join(async || std::future::pending().await));
            let _ = poll_once(draining.as_mut());
            if !is_heard_of {
                // Until the other is done, who may have joined it.
                thread::park();
            }
        });
    }
    block_on(process.shut_down());
    assert_eq!(*process.drained.lock(), 1, "a shutdown has returned, and nothing is drained");
    if !is_heard_of {
        threads.unpark();
    }
    threads.join();
}

#[test]
fn a_waiter_takes_over_from_one_who_is_dropped_at_draining() {
    explore("shutdown dropped at draining", || drained_by_one_who_gives_up(true));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_one_who_drains_and_gives_up_unheard() {
    run(|| drained_by_one_who_gives_up(false));
}

#[test]
fn one_who_drains_and_gives_up_unheard_is_found() {
    must_find("shutdown::wrong_twin_one_who_drains_and_gives_up_unheard", "deadlock");
}

/// Joins the shutdown whenever it is woken, and when it is dropped: as a task may that is dropped with its last waker.
struct JoiningWaker(Arc<Shutdown>);

impl JoiningWaker {
    fn join(&self) {
        let _ = poll_unheard(pin!(self.0.join(async || panic!("somebody drains"))));
    }
}

impl Wake for JoiningWaker {
    fn wake(self: RealArc<Self>) {
        self.join();
    }
}

impl Drop for JoiningWaker {
    fn drop(&mut self) {
        self.join();
    }
}

/// One thread: it holds in every interleaving.
#[test]
fn a_waker_may_join_what_it_hears_of() {
    explore_alone("wakers outside, of a shutdown", || {
        let shutdown = Arc::new(Shutdown::new());
        // It drains when it is polled for the second time.
        let mut has_begun = false;
        let drain = async || {
            poll_fn(|_| if mem::replace(&mut has_begun, true) { Poll::Ready(()) } else { Poll::Pending }).await
        };
        let mut draining = pin!(shutdown.join(drain));
        assert!(poll_unheard(draining.as_mut()).is_pending());
        let mut joined = pin!(shutdown.join(async || panic!("somebody drains")));
        // A waker that is replaced, and one that is woken.
        for _ in 0..2 {
            let waker = Waker::from(RealArc::new(JoiningWaker(shutdown.clone())));
            assert!(joined.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        }
        assert!(poll_unheard(draining).is_ready());
        assert!(poll_unheard(joined).is_ready());
    });
}
