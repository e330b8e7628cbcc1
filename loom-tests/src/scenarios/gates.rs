//! The gate of one computer: it is held by one at a time, handed on to whoever waits, and gone when nobody does.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc as RealArc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use super::{COMPUTER, Threads, actors, poll_once, poll_unheard};
use crate::explore::{explore, explore_alone, must_find, run};
use crate::id::ComputerId;
use crate::locks::Locks;
use crate::sync::{Arc, Mutex, block_on};

fn is_held<T>(locks: &Locks<T>) -> bool {
    locks.sweep().global().probe(&COMPUTER).is_none()
}

// --------------------------------------------------------------------------------------------------- reclamation

trait Gates: Default + Send + Sync + 'static {
    /// Does the work under the gate of the computer.
    fn under(&self, work: impl FnOnce());
    fn is_left(&self) -> bool;
}

impl Gates for Locks<()> {
    fn under(&self, work: impl FnOnce()) {
        let mut ticket = self.ticket();
        let _gate = block_on(ticket.lock_for(COMPUTER));
        work();
    }

    fn is_left(&self) -> bool {
        is_held(self)
    }
}

/// Wrong: a lock for each computer in a map, from which whoever leaves last removes it.
#[derive(Default)]
struct RemovedAfterRelease(Mutex<BTreeMap<ComputerId, Arc<Locks<()>>>>);

impl Gates for RemovedAfterRelease {
    fn under(&self, work: impl FnOnce()) {
        // 1. This one takes the lock out of the map. 2. Whoever held it removes it from the map, since nobody waits
        // yet. 3. A third finds no lock, and makes another. 4. Both are inside.
        let gate = self.0.lock().entry(COMPUTER).or_default().clone();
        gate.under(work);
        if !is_held(&gate) {
            self.0.lock().remove(&COMPUTER);
        }
    }

    fn is_left(&self) -> bool {
        !self.0.lock().is_empty()
    }
}

fn come_and_go<G: Gates>() {
    let gates = Arc::new(G::default());
    let inside = RealArc::new(AtomicUsize::new(0));
    // A point within the work at which others may run.
    let point = Arc::new(Mutex::new(()));
    let come = move |gates: &G, inside: &AtomicUsize, point: &Mutex<()>| {
        gates.under(|| {
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two hold the gate of one computer");
            drop(point.lock());
            inside.fetch_sub(1, Ordering::SeqCst);
        });
    };
    let mut threads = Threads::default();
    for _ in 0..actors(2, 5) {
        let (gates, inside, point) = (gates.clone(), inside.clone(), point.clone());
        threads.spawn(move || come(&gates, &inside, &point));
    }
    come(&gates, &inside, &point);
    threads.join();
    assert!(!gates.is_left(), "a gate is left that nobody holds");
}

#[test]
fn three_who_come_and_go_meet_one_gate() {
    explore("reclamation by three", come_and_go::<Locks<()>>);
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_lock_that_is_removed_after_its_release() {
    run(come_and_go::<RemovedAfterRelease>);
}

#[test]
fn a_lock_that_is_removed_after_its_release_is_found() {
    must_find("gates::wrong_twin_a_lock_that_is_removed_after_its_release", "two hold the gate of one computer");
}

// -------------------------------------------------------------------------------------------------- cancellation

fn a_waiter_gives_up(is_forgotten: bool) {
    let locks = Arc::new(Locks::new(()));
    let mut threads = Threads::default();
    for _ in 0..actors(1, 3) {
        let (giving_up, waiting) = (locks.clone(), locks.clone());
        threads.spawn(move || {
            let mut ticket = giving_up.ticket();
            let mut gate = Box::pin(ticket.lock_for(COMPUTER));
            // It may hold the gate after that, or wait; and if it waits, the gate may be handed to it before it is
            // dropped.
            let _ = poll_once(gate.as_mut());
            if is_forgotten {
                std::mem::forget(gate);
            }
        });
        threads.spawn(move || waiting.under(|| ()));
    }
    locks.under(|| ());
    threads.join();
    // Whoever comes when all are gone is served.
    locks.under(|| ());
}

#[test]
fn a_waiter_that_is_cancelled_keeps_nobody_waiting() {
    explore("cancelled waiter", || a_waiter_gives_up(false));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_waiter_that_is_cancelled_and_keeps_its_place() {
    run(|| a_waiter_gives_up(true));
}

#[test]
fn a_waiter_that_is_cancelled_and_keeps_its_place_is_found() {
    must_find("gates::wrong_twin_a_waiter_that_is_cancelled_and_keeps_its_place", "deadlock");
}

// ------------------------------------------------------------------------------------------------- lost wake-ups

/// The waiter is polled as one task, and waits as another: the waker that it left first wakes nobody.
fn one_releases_and_one_waits() {
    let locks = Arc::new(Locks::new(()));
    let mut ticket = locks.ticket();
    let held = block_on(ticket.lock_for(COMPUTER));
    let mut threads = Threads::default();
    for _ in 0..actors(1, 4) {
        let locks = locks.clone();
        threads.spawn(move || {
            let mut ticket = locks.ticket();
            let mut gate = pin!(ticket.lock_for(COMPUTER));
            if poll_unheard(gate.as_mut()).is_pending() {
                drop(block_on(gate));
            }
        });
    }
    drop(held);
    threads.join();
}

#[test]
fn a_waiter_hears_of_the_release() {
    explore("lost wake-up", one_releases_and_one_waits);
}

/// Wrong: asks under one lock, and leaves its waker under another.
#[derive(Default)]
struct AsksAndThenLeavesAWaker {
    is_free: Mutex<bool>,
    wakers: Mutex<Vec<Waker>>,
}

impl AsksAndThenLeavesAWaker {
    fn poll_free(&self, context: &Context<'_>) -> Poll<()> {
        if *self.is_free.lock() {
            return Poll::Ready(());
        }
        // 1. It is not free. 2. The other frees it, and finds no waker. 3. The waker is left for nobody.
        self.wakers.lock().push(context.waker().clone());
        Poll::Pending
    }

    fn release(&self) {
        *self.is_free.lock() = true;
        let wakers = std::mem::take(&mut *self.wakers.lock());
        wakers.into_iter().for_each(Waker::wake);
    }
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_waker_that_is_left_under_another_lock() {
    run(|| {
        let gate = Arc::new(AsksAndThenLeavesAWaker::default());
        let mut threads = Threads::default();
        threads.spawn({
            let gate = gate.clone();
            move || block_on(poll_fn(|context| gate.poll_free(context)))
        });
        gate.release();
        threads.join();
    });
}

#[test]
fn a_waker_that_is_left_under_another_lock_is_found() {
    must_find("gates::wrong_twin_a_waker_that_is_left_under_another_lock", "deadlock");
}

// ------------------------------------------------------------------- one thread: what holds in every interleaving

#[test]
fn waiters_are_served_in_the_order_in_which_they_came() {
    explore_alone("first come", || {
        let locks = Locks::new(());
        let [mut first, mut second, mut third] = [locks.ticket(), locks.ticket(), locks.ticket()];
        let held = block_on(first.lock_for(COMPUTER));
        let mut early = pin!(second.lock_for(COMPUTER));
        let mut late = pin!(third.lock_for(COMPUTER));
        assert!(poll_unheard(early.as_mut()).is_pending());
        assert!(poll_unheard(late.as_mut()).is_pending());
        drop(held);
        // Whoever polls first: the gate is already another's.
        assert!(poll_unheard(late.as_mut()).is_pending(), "who came late has overtaken");
        let Poll::Ready(held) = poll_unheard(early.as_mut()) else { panic!("who came first has been passed over") };
        assert!(poll_unheard(late.as_mut()).is_pending(), "two hold the gate of one computer");
        drop(held);
        assert!(poll_unheard(late.as_mut()).is_ready());
    });
}

/// Asks the table whenever it is woken, and when it is dropped: as a task may that is dropped with its last waker.
struct AskingWaker(Arc<Locks<()>>);

impl AskingWaker {
    fn waker(locks: &Arc<Locks<()>>) -> Waker {
        RealArc::new(AskingWaker(locks.clone())).into()
    }
}

impl Wake for AskingWaker {
    fn wake(self: RealArc<Self>) {
        assert!(is_held(&self.0), "the gate is handed over before the next one is woken");
    }
}

impl Drop for AskingWaker {
    fn drop(&mut self) {
        assert!(is_held(&self.0), "the scenario holds it");
    }
}

#[test]
fn a_waker_may_ask_the_table() {
    explore_alone("wakers outside", || {
        let locks = Arc::new(Locks::new(()));
        let [mut first, mut second, mut third] = [locks.ticket(), locks.ticket(), locks.ticket()];
        let held = block_on(first.lock_for(COMPUTER));
        let mut next = pin!(second.lock_for(COMPUTER));
        let mut given_up = Box::pin(third.lock_for(COMPUTER));
        let poll = |future: Pin<&mut dyn Future<Output = _>>| {
            let waker = AskingWaker::waker(&locks);
            assert!(future.poll(&mut Context::from_waker(&waker)).is_pending());
        };
        poll(next.as_mut());
        poll(given_up.as_mut());
        // A waker that is replaced, one that is given up, and one that is woken.
        poll(next.as_mut());
        drop(given_up);
        drop(held);
        assert!(poll_unheard(next.as_mut()).is_ready());
    });
}
