//! A value that is told once, and that many wait for.

use std::future::poll_fn;
use std::mem;
use std::task::{Poll, Waker};

use crate::sync::Mutex;

pub(super) struct Outcome<V> {
    state: Mutex<State<V>>,
}

enum State<V> {
    /// The wakers of those who wait. Who gave up stays, and is woken for nothing.
    Open(Vec<Waker>),
    Told(V),
}

impl<V: Clone> Outcome<V> {
    pub(super) fn new() -> Outcome<V> {
        Outcome { state: Mutex::new(State::Open(Vec::new())) }
    }

    /// Tells everybody who waits, and everybody who will ask.
    pub(super) fn tell(&self, value: V) {
        // GUARD tell-outside: the lock is free again behind this line. A waker may run anything, also what asks for
        // this.
        let before = mem::replace(&mut *self.state.lock(), State::Told(value));
        match before {
            // GUARD wake-the-joiners: they do not ask again by themselves.
            State::Open(wakers) => wakers.into_iter().for_each(Waker::wake),
            State::Told(_) => unreachable!("an outcome is told by one leader, once"),
        }
    }

    /// Waits until it is told. Dropping the future has no effect.
    pub(super) async fn wait(&self) -> V {
        let mut seat = None;
        poll_fn(|context| self.poll_told(&mut seat, context.waker())).await
    }

    /// The seat is the place of the caller's waker, once it has one.
    fn poll_told(&self, seat: &mut Option<usize>, waker: &Waker) -> Poll<V> {
        // Bound here, and so dropped after the lock.
        let _former: Waker;
        let mut state = self.state.lock();
        match (&mut *state, *seat) {
            (State::Told(value), _) => return Poll::Ready(value.clone()),
            (State::Open(wakers), Some(at)) => {
                // GUARD renew-the-waker: the task may have moved since the last poll.
                // GUARD renew-outside: to drop a waker may run anything, also what asks for this.
                _former = mem::replace(&mut wakers[at], waker.clone());
            }
            (State::Open(wakers), None) => {
                *seat = Some(wakers.len());
                // GUARD join-with-a-waker: under the lock under which it was found that nothing is told yet.
                wakers.push(waker.clone());
            }
        }
        Poll::Pending
    }
}
