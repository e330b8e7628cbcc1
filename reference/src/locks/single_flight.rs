//! Callers who want the same thing of the same computer at the same time share one operation.

use super::flight::{Entered, FlightTable};
use super::{LifecycleGuard, Ticket};
use crate::id::ComputerId;

/// Operations of one kind, say stops, of which at most one is under way for each computer.
pub struct SingleFlight<V: Clone> {
    flights: FlightTable<ComputerId, V>,
}

impl<V: Clone> SingleFlight<V> {
    /// Nothing is under way.
    pub fn new() -> SingleFlight<V> {
        SingleFlight { flights: FlightTable::new() }
    }

    /// Does the work under the gate of the computer, or, if somebody is at it, waits for what comes of that.
    ///
    /// # Guarantees
    /// What is returned was done at least in part after the call: no operation that took the gate later lies between the work
    /// and its outcome.
    ///
    /// # Cancellation
    /// Dropping the future of whoever is at work drops the work. One of those who wait then does its own.
    pub async fn run<T>(
        &self,
        ticket: &mut Ticket<'_, T>,
        id: ComputerId,
        work: impl AsyncFnOnce(&mut LifecycleGuard<'_, T>) -> V,
    ) -> V {
        let leader = loop {
            match self.flights.enter(id.clone()) {
                Entered::Lead(leader) => break leader,
                Entered::Join(joiner) => {
                    // GUARD share-the-outcome: whoever joined is answered, and does not do the work once more.
                    if let Ok(value) = joiner.wait().await {
                        return value;
                    }
                }
            }
        };
        let mut gate = ticket.lock_for(id).await;
        let value = work(&mut gate).await;
        // GUARD close-with-a-value: or those who joined would be told that their leader is gone.
        // GUARD close-under-the-gate: the gate is dropped behind this, at the end. Before this, 1. a stop frees the gate, 2. a
        // start takes it, and ends, 3. another stop joins the first, and is told that what runs, and is billed, has stopped.
        leader.close(value.clone());
        value
    }
}

impl<V: Clone> Default for SingleFlight<V> {
    fn default() -> SingleFlight<V> {
        SingleFlight::new()
    }
}
