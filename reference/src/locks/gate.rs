//! The table of gates: one for each computer, first come, first served.
//!
//! A gate exists exactly while somebody holds it. So there is nothing to reclaim, and nobody can wait at a gate that
//! has left the table while somebody else makes a second one for the same computer. Whoever comes takes a *place*. The
//! first one holds the gate, the others wait; dropping a place gives it up, be it the first or not. That covers the
//! operation that ends, the waiter that is cancelled, and the waiter that is cancelled after the gate was given to it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::task::{Poll, Waker};

use crate::id::ComputerId;
use crate::sync::Mutex;

#[derive(Default)]
pub(super) struct GateTable {
    table: Mutex<Table>,
}

/// What the lock of this file guards. It is a leaf: nothing else is locked while it is held. A waker is cloned under
/// it, but not called and not dropped.
#[derive(Default)]
struct Table {
    held: BTreeMap<ComputerId, Gate>,
    /// Tells places apart.
    next_number: u64,
}

struct Gate {
    holder: u64,
    waiting: VecDeque<Waiter>,
}

struct Waiter {
    number: u64,
    /// None until it has been polled.
    waker: Option<Waker>,
}

impl GateTable {
    /// Waits until the gate of this computer is the caller's. Dropping the future gives up the place in the queue.
    pub(super) async fn lock_for(&self, id: ComputerId) -> Place<'_> {
        let (place, must_wait) = self.take_place(id);
        // GUARD wait-for-the-turn: somebody else holds it.
        if must_wait {
            poll_fn(|context| self.poll_turn(&place, context.waker())).await;
        }
        place
    }

    /// Whether somebody holds the gate at this moment.
    pub(super) fn is_held(&self, id: &ComputerId) -> bool {
        self.table.lock().held.contains_key(id)
    }

    /// And whether somebody else is before it.
    fn take_place(&self, id: ComputerId) -> (Place<'_>, bool) {
        let mut table = self.table.lock();
        let number = table.next_number;
        // GUARD numbers-differ: never used twice, so that no place is taken for another.
        table.next_number += 1;
        let must_wait = match table.held.entry(id.clone()) {
            Entry::Vacant(free) => {
                free.insert(Gate { holder: number, waiting: VecDeque::new() });
                false
            }
            Entry::Occupied(held) => {
                // GUARD first-come: at the end of the queue, so that nobody is overtaken.
                held.into_mut().waiting.push_back(Waiter { number, waker: None });
                true
            }
        };
        (Place { gates: self, id, number }, must_wait)
    }

    fn poll_turn(&self, place: &Place<'_>, waker: &Waker) -> Poll<()> {
        // Bound here, and so dropped after the lock.
        let _former: Option<Waker>;
        let mut table = self.table.lock();
        let gate = table.held.get_mut(&place.id).expect("a gate exists while anybody has a place at it");
        // GUARD one-holder: who has no turn yet goes on waiting, whatever woke it.
        if gate.holder != place.number {
            let own = gate.waiting.iter_mut().find(|waiter| waiter.number == place.number);
            let own = own.expect("who does not hold the gate waits for it");
            // GUARD leave-a-waker: under the lock under which it was found that it is not our turn. A release in
            // between would wake nobody. And the newest one: the task may have moved since the last poll.
            // GUARD drop-outside: to drop a waker may run anything, also what asks this table.
            _former = own.waker.replace(waker.clone());
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    fn leave(&self, id: &ComputerId, number: u64) {
        // GUARD wake-outside: the lock is free again behind this line. A waker may run anything, also what asks this
        // table.
        let left = self.table.lock().leave(id, number);
        // GUARD wake-the-next: it does not ask again by itself.
        left.next.into_iter().for_each(Waker::wake);
    }
}

/// What a place leaves behind, to be woken or dropped once the table is unlocked.
#[derive(Default)]
struct Left {
    next: Option<Waker>,
    /// Held only to be dropped.
    _own: Option<Waiter>,
}

impl Table {
    fn leave(&mut self, id: &ComputerId, number: u64) -> Left {
        let gate = self.held.get_mut(id).expect("a gate exists while anybody has a place at it");
        if gate.holder != number {
            let at = gate.waiting.iter().position(|waiter| waiter.number == number);
            let own = gate.waiting.remove(at.expect("who does not hold the gate waits for it"));
            // GUARD give-up-outside: the waker of the place is dropped by the caller, once the table is unlocked.
            return Left { _own: own, ..Left::default() };
        }
        let Some(next) = gate.waiting.pop_front() else {
            // GUARD gone-when-free: in the step in which the last one leaves. Later, somebody else may have come.
            self.held.remove(id);
            return Left::default();
        };
        // GUARD hand-over: the gate is never free in between, so nobody who comes now gets ahead of the next.
        gate.holder = next.number;
        Left { next: next.waker, ..Left::default() }
    }
}

/// A place at a gate: that of its holder once [`GateTable::lock_for`] has returned it.
pub(super) struct Place<'g> {
    gates: &'g GateTable,
    id: ComputerId,
    number: u64,
}

impl Place<'_> {
    pub(super) fn id(&self) -> &ComputerId {
        &self.id
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        // GUARD give-up-the-place: also of a waiter that is cancelled. A gate that was handed to it would be held for
        // ever.
        self.gates.leave(&self.id, self.number);
    }
}
