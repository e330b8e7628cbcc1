//! Two futures, of which one counts.
//!
//! Each is put on the heap: a future that is passed on by value takes its room once more at every level, and a few
//! levels of it overflow the stack of a thread where nothing is optimized.

use std::future::{Future, poll_fn, ready};
use std::task::Poll;

/// Which of two was first.
pub(crate) enum First<A, B> {
    One(A),
    Other(B),
}

/// Waits for either, and drops the other. If both are there, the one counts.
pub(crate) fn first<A, B>(
    one: impl Future<Output = A>,
    other: impl Future<Output = B>,
) -> impl Future<Output = First<A, B>> {
    let (mut one, mut other) = (Box::pin(one), Box::pin(other));
    poll_fn(move |context| {
        if let Poll::Ready(done) = one.as_mut().poll(context) {
            return Poll::Ready(First::One(done));
        }
        other.as_mut().poll(context).map(First::Other)
    })
}

/// The same, if it does not matter which.
pub(crate) fn either(one: impl Future<Output = ()>, other: impl Future<Output = ()>) -> impl Future<Output = ()> {
    let race = first(one, other);
    async move {
        match race.await {
            First::One(()) | First::Other(()) => {}
        }
    }
}

/// Waits until both are done; each goes on while the other does.
pub(crate) fn both(one: impl Future<Output = ()>, other: impl Future<Output = ()>) -> impl Future<Output = ()> {
    let (mut one, mut other) = (Box::pin(one), Box::pin(other));
    async move {
        match first(&mut one, &mut other).await {
            First::One(()) => other.await,
            First::Other(()) => one.await,
        }
    }
}

/// What comes of it, if nobody has to be waited for.
pub(crate) fn at_once<A>(work: impl Future<Output = A>) -> impl Future<Output = Option<A>> {
    let race = first(work, ready(()));
    async move {
        match race.await {
            First::One(done) => Some(done),
            First::Other(()) => None,
        }
    }
}
