//! An event on its way into the trace.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::BoxFuture;
use crate::error::StoreError;

/// An event on its way. It was submitted already; this future is done when it is durable. Where nothing is recorded, it
/// is done at once and was never allocated.
///
/// # Cancellation
/// Dropped, it gives up the answer, not the event. An event that could not be written makes the trace lossy all the
/// same.
#[must_use = "whoever shows what was done before this is done may outlive its event in a crash"]
pub struct Written(Option<BoxFuture<Result<(), StoreError>>>);

impl Written {
    pub(super) fn of(event: Option<BoxFuture<Result<(), StoreError>>>) -> Written {
        Written(event)
    }
}

impl Future for Written {
    type Output = Result<(), StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().map_or(Poll::Ready(Ok(())), |event| event.as_mut().poll(context))
    }
}
