//! Two futures, of which one counts.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

/// Which of two was first.
pub(crate) enum First<A, B> {
    One(A),
    Other(B),
}

/// Waits for either, and drops the other. If both are there, the one counts.
pub(crate) async fn first<A, B>(one: impl Future<Output = A>, other: impl Future<Output = B>) -> First<A, B> {
    let (mut one, mut other) = (pin!(one), pin!(other));
    poll_fn(|context| {
        if let Poll::Ready(done) = one.as_mut().poll(context) {
            return Poll::Ready(First::One(done));
        }
        other.as_mut().poll(context).map(First::Other)
    })
    .await
}

/// The same, if it does not matter which.
pub(crate) async fn either(one: impl Future<Output = ()>, other: impl Future<Output = ()>) {
    match first(one, other).await {
        First::One(()) | First::Other(()) => {}
    }
}

/// Waits until both are done; each goes on while the other does.
pub(crate) async fn both(one: impl Future<Output = ()>, other: impl Future<Output = ()>) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    match first(&mut one, &mut other).await {
        First::One(()) => other.await,
        First::Other(()) => one.await,
    }
}

/// What comes of it, if nobody has to be waited for.
pub(crate) async fn at_once<A>(work: impl Future<Output = A>) -> Option<A> {
    match first(work, std::future::ready(())).await {
        First::One(done) => Some(done),
        First::Other(()) => None,
    }
}
