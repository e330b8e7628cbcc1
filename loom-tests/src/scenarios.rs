//! The scenarios. A wrong twin is an ignored test, and the test behind it runs it and wants it to fail.

mod counting;
mod flights;
mod gates;
mod operations;
mod order;
mod shutdown;
mod world;

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::id::ComputerId;
use crate::sync::{block_on, thread};

/// The computer that a scenario is about.
const COMPUTER: ComputerId = ComputerId(7);
/// A computer that nobody touches.
const ANOTHER: ComputerId = ComputerId(8);

/// How many of a kind take part. Loom tries everything, so it gets a few; schedules that are drawn bear more.
const fn actors(under_loom: usize, drawn: usize) -> usize {
    if cfg!(feature = "shuttle") { drawn } else { under_loom }
}

/// Threads that end with the scenario.
#[derive(Default)]
struct Threads(Vec<thread::JoinHandle<()>>);

impl Threads {
    fn spawn(&mut self, work: impl FnOnce() + Send + 'static) {
        self.0.push(thread::spawn(work));
    }

    /// Lets go on whoever has parked, or will.
    fn unpark(&self) {
        self.0.iter().for_each(|thread| thread.thread().unpark());
    }

    fn join(self) {
        self.0.into_iter().for_each(|thread| thread.join().expect("a thread of the scenario has ended well"));
    }
}

/// Polls once, as a task that is then dropped, or goes on elsewhere.
fn poll_once<F: Future + ?Sized>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    block_on(poll_fn(|context| Poll::Ready(future.as_mut().poll(context))))
}

/// Polls once with a waker that wakes nobody.
fn poll_unheard<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}
