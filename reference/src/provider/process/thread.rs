//! A thread for each call. It costs less than the process that it looks after, and a hung one delays nobody else.

use std::future::Future;
use std::io::{PipeReader, pipe};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use tokio::sync::oneshot;

use crate::error::ProviderError;

/// Does the work on a thread, from now on. To drop the future gives up the answer, not the work.
pub(super) fn ask<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ProviderError> + Send + 'static,
) -> impl Future<Output = Result<T, ProviderError>> + Send {
    let (caller, answer) = oneshot::channel();
    // A caller that is gone has given up the answer.
    let begun = std::thread::Builder::new().name("outlive-provider".to_owned()).spawn(|| drop(caller.send(work())));
    async move {
        // Without a thread nothing was done, and it may be tried again: that is what transport says.
        begun.map_err(ProviderError::transport)?;
        answer.await.unwrap_or_else(|_| Err(ProviderError::transport("the thread of the call has panicked")))
    }
}

/// The same, for work that has no end of its own: what it is lent closes when the future is dropped.
pub(super) fn ask_while_waited_for<T: Send + 'static>(
    work: impl FnOnce(&PipeReader) -> Result<T, ProviderError> + Send + 'static,
) -> impl Future<Output = Result<T, ProviderError>> + Send {
    let begun = pipe().map(|(reader, open_while_waited_for)| (ask(move || work(&reader)), open_while_waited_for));
    async move {
        let (answer, _open_while_waited_for) = begun.map_err(ProviderError::transport)?;
        answer.await
    }
}

/// Waits on this thread, which is the call's own.
pub(super) fn wait<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        std::thread::park();
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
