//! A shutdown that may be asked for any number of times, and happens once.

use super::flight::{Entered, FlightTable};

/// The shutdown of one process. The second signal must not end what the first has begun to drain: it waits for it.
pub struct Shutdown {
    flights: FlightTable<(), ()>,
}

impl Shutdown {
    /// Nobody has asked for it.
    pub fn new() -> Shutdown {
        Shutdown { flights: FlightTable::new() }
    }

    /// Drains, unless somebody does or has. Returns once everything is drained, in any case.
    ///
    /// # Cancellation
    /// Dropping the future of whoever drains drops the work, and one of those who wait takes over, or whoever calls
    /// next.
    pub async fn join(&self, drain: impl AsyncFnOnce()) {
        loop {
            match self.flights.enter(()) {
                Entered::Lead(leader) => {
                    drain().await;
                    // GUARD drained-once: a call that comes after the end finds that it has ended.
                    leader.keep(());
                    return;
                }
                Entered::Join(joiner) => {
                    // GUARD wait-for-the-first: what has begun is not done.
                    // GUARD take-over: if whoever drained was dropped, nothing is drained yet.
                    if joiner.wait().await.is_ok() {
                        return;
                    }
                }
            }
        }
    }
}

impl Default for Shutdown {
    fn default() -> Shutdown {
        Shutdown::new()
    }
}
