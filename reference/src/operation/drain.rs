//! Who is at work, and that nobody begins any more once it is to end.

use tokio::sync::Notify;

use crate::sync::Mutex;

#[derive(Default)]
pub(super) struct Drain {
    state: Mutex<State>,
    /// Told whenever one ends.
    ended: Notify,
}

#[derive(Default)]
struct State {
    is_closed: bool,
    at_work: usize,
}

impl Drain {
    /// Begins to work; nobody does once it is closed.
    pub(super) fn enter(&self) -> Option<AtWork<'_>> {
        let mut state = self.state.lock();
        if state.is_closed {
            return None;
        }
        state.at_work += 1;
        Some(AtWork(self))
    }

    /// Lets nobody in any more, and waits until everybody has ended.
    pub(super) async fn close(&self) {
        self.state.lock().is_closed = true;
        loop {
            // Before the look: who ends behind it wakes as well.
            let ended = self.ended.notified();
            if self.state.lock().at_work == 0 {
                return;
            }
            ended.await;
        }
    }
}

/// Somebody is at work until this is dropped.
pub(crate) struct AtWork<'a>(&'a Drain);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.state.lock().at_work -= 1;
        self.0.ended.notify_waiters();
    }
}
