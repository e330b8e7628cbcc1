//! Who is at work, and that nobody begins any more once it is to end.

use tokio::sync::Notify;

use crate::sync::Mutex;

#[derive(Default)]
pub(super) struct Admission {
    state: Mutex<State>,
    /// Told whenever one ends.
    ended: Notify,
}

#[derive(Default)]
struct State {
    is_closed: bool,
    at_work: usize,
}

impl Admission {
    /// None once it is closed.
    pub(super) fn admit(&self) -> Option<Admitted<'_>> {
        let mut state = self.state.lock();
        if state.is_closed {
            return None;
        }
        state.at_work += 1;
        Some(Admitted(self))
    }

    /// Admits nobody any more, and waits until everybody has ended.
    pub(super) async fn drain(&self) {
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
pub(crate) struct Admitted<'a>(&'a Admission);

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        self.0.state.lock().at_work -= 1;
        self.0.ended.notify_waiters();
    }
}
