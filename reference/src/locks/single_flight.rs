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
    /// The work that the value tells of begins after the call, or has not given up the gate by the time of the call. No
    /// other operation on the computer has come in between. One that waits at the gate behind that work comes after
    /// it, also if it came before the call.
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
        // GUARD close-under-the-gate: which is dropped at the end. If it were free by now: 1. A start takes it, and
        // ends. 2. Another stop finds this flight open, and joins it. 3. It is told that the computer has stopped,
        // which runs and is billed.
        leader.close(value.clone());
        value
    }
}

impl<V: Clone> Default for SingleFlight<V> {
    fn default() -> SingleFlight<V> {
        SingleFlight::new()
    }
}
