//! The table of flights: who does the work, and who waits for what comes of it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::outcome::Outcome;
use crate::sync::{Arc, Mutex};

/// Why those who joined got nothing: their leader was dropped at work. One of them leads next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LeaderGone;

type Shared<V> = Arc<Outcome<Result<V, LeaderGone>>>;

pub(crate) struct FlightTable<K, V> {
    flights: Mutex<BTreeMap<K, Shared<V>>>,
}

/// What becomes of a caller.
pub(crate) enum Entered<'f, K: Ord, V: Clone> {
    /// It does the work.
    Lead(Leader<'f, K, V>),
    /// Somebody is at work already.
    Join(Joiner<V>),
}

impl<K: Ord + Clone, V: Clone> FlightTable<K, V> {
    pub(crate) fn new() -> FlightTable<K, V> {
        FlightTable { flights: Mutex::new(BTreeMap::new()) }
    }

    /// Joins the flight of this key, or leads it if there is none.
    pub(crate) fn enter(&self, key: K) -> Entered<'_, K, V> {
        match self.flights.lock().entry(key.clone()) {
            Entry::Occupied(flight) => Entered::Join(Joiner { outcome: flight.get().clone() }),
            Entry::Vacant(free) => {
                let outcome = free.insert(Arc::new(Outcome::new())).clone();
                Entered::Lead(Leader { table: self, key, outcome, has_told: false })
            }
        }
    }
}

/// Whoever does the work.
pub(crate) struct Leader<'f, K: Ord, V: Clone> {
    table: &'f FlightTable<K, V>,
    key: K,
    outcome: Shared<V>,
    has_told: bool,
}

impl<K: Ord, V: Clone> Leader<'_, K, V> {
    /// Ends the flight: whoever has joined is told, and who comes later leads a new one.
    pub(crate) fn close(mut self, value: V) {
        self.end(Ok(value));
    }

    /// Tells whoever has joined, and leaves the flight open: who comes later joins it, and is told the same.
    pub(crate) fn keep(mut self, value: V) {
        // GUARD kept: or it would be taken back when this is dropped, in a moment.
        self.has_told = true;
        self.outcome.tell(Ok(value));
    }

    fn end(&mut self, told: Result<V, LeaderGone>) {
        // GUARD told-once: or it would be taken back when this is dropped, in a moment.
        self.has_told = true;
        // Before anybody is told: who tries again must not find what has failed.
        // GUARD close-the-flight: who asks from now on may not be answered by what was done before.
        self.table.flights.lock().remove(&self.key);
        self.outcome.tell(told);
    }
}

impl<K: Ord, V: Clone> Drop for Leader<'_, K, V> {
    fn drop(&mut self) {
        if !self.has_told {
            // GUARD leader-gone: a leader that is cancelled at work would leave its joiners waiting for ever.
            self.end(Err(LeaderGone));
        }
    }
}

pub(crate) struct Joiner<V> {
    outcome: Shared<V>,
}

impl<V: Clone> Joiner<V> {
    pub(crate) async fn wait(self) -> Result<V, LeaderGone> {
        self.outcome.wait().await
    }
}
