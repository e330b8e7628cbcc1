//! The order of the locks, as types. A wrong order is a borrow that the compiler refuses (`tests/ui` has each).

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::gate::{GateTable, Place};
use crate::id::ComputerId;
use crate::sync::{Mutex, MutexGuard};

/// The gates of all computers, and the global lock around what they share; a control plane shares nothing by it.
///
/// # Assumptions
/// Whoever holds the global lock asks first and writes last: a panic in between does not keep others out.
///
/// # Cancellation
/// Whatever is dropped gives back what it holds, and whoever waits is served.
#[derive(Default)]
pub struct Locks<T> {
    gates: GateTable,
    global: Mutex<T>,
}

impl<T> Locks<T> {
    /// Guards the value. No gate is held.
    pub fn new(value: T) -> Locks<T> {
        Locks { gates: GateTable::default(), global: Mutex::new(value) }
    }

    /// A ticket for one operation. What the operation calls is lent it by `&mut`: whoever takes a second one can hold
    /// two gates, and two such operations can wait for each other for ever.
    pub fn ticket(&self) -> Ticket<'_, T> {
        Ticket { locks: self }
    }

    /// What looks after all computers and holds no gate.
    pub fn sweep(&self) -> Sweep<'_, T> {
        Sweep { locks: self }
    }
}

/// What an operation shows at a gate. It is lent to the gate, so an operation holds one at a time, and waits for none
/// while it holds one.
pub struct Ticket<'l, T> {
    locks: &'l Locks<T>,
}

impl<T> Ticket<'_, T> {
    /// Waits for the gate of this computer, behind all who came before. There is no limit of time: whoever holds a gate
    /// bounds its own calls.
    ///
    /// # Cancellation
    /// Dropping the future gives up the place in the queue, or the gate if it had just been granted.
    // GUARD one-gate: an exclusive borrow, for as long as the gate is held.
    pub async fn lock_for(&mut self, id: ComputerId) -> LifecycleGuard<'_, T> {
        LifecycleGuard { place: self.locks.gates.lock_for(id).await, global: &self.locks.global }
    }
}

/// The gate of one computer, held. No other operation of this process touches the computer, and sweeps pass it by,
/// until this is dropped.
pub struct LifecycleGuard<'t, T> {
    place: Place<'t>,
    global: &'t Mutex<T>,
}

impl<T> LifecycleGuard<'_, T> {
    /// Whose gate it is.
    pub fn id(&self) -> &ComputerId {
        self.place.id()
    }

    /// Waits, without an await, for the global lock. While it is held there is no permit for a provider.
    // GUARD no-io-under-global: an exclusive borrow, so none is given meanwhile, and it is not taken twice.
    pub fn global(&mut self) -> GlobalGuard<'_, T> {
        GlobalGuard { value: self.global.lock() }
    }

    /// A permit to call a provider, for as long as the global lock is not taken.
    // GUARD permit-is-lent: so that taking the global lock ends it.
    pub fn io(&self) -> IoPermit<'_> {
        IoPermit(PhantomData)
    }
}

/// The global lock, held under a gate. It cannot be sent to another thread, so no future that is spawned keeps it
/// across an await.
pub struct GlobalGuard<'g, T> {
    value: MutexGuard<'g, T>,
}

impl<T> Deref for GlobalGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for GlobalGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// Shows that whoever calls a provider does not hold the global lock. Every method of a provider takes one.
///
/// It is lent by a [`LifecycleGuard`] or a [`Sweep`], and taking the global lock through the same one ends it.
#[derive(Clone, Copy)]
// GUARD permit-is-ours: nobody else can make one.
pub struct IoPermit<'h>(PhantomData<&'h ()>);

/// What looks after all computers. It holds no gate, so it delays no operation, however long its provider takes.
pub struct Sweep<'l, T> {
    locks: &'l Locks<T>,
}

impl<T> Sweep<'_, T> {
    /// Waits, without an await, for the global lock. While it is held there is no permit for a provider.
    // GUARD no-sweep-io-under-global: an exclusive borrow, so none is given meanwhile, and it is not taken twice.
    pub fn global(&mut self) -> SweepGuard<'_, T> {
        SweepGuard { gates: &self.locks.gates, value: self.locks.global.lock() }
    }

    /// A permit to ask a provider, for as long as the global lock is not taken. What it answers is old by then: whoever
    /// writes what was seen probes again, and compares the row with the one from before the question.
    // GUARD sweep-permit-is-lent: so that taking the global lock ends it.
    pub fn io(&self) -> IoPermit<'_> {
        IoPermit(PhantomData)
    }
}

/// The global lock as a sweep holds it: nothing can be reached but through a probe.
pub struct SweepGuard<'s, T> {
    gates: &'s GateTable,
    value: MutexGuard<'s, T>,
}

impl<T> SweepGuard<'_, T> {
    /// What the global lock guards, if nobody holds the gate of this computer. The answer lasts as long as the borrow:
    /// an operation that takes the gate now waits for the global lock before it touches anything.
    pub fn probe(&mut self, id: &ComputerId) -> Option<&mut T> {
        // GUARD probe: between the two writes of an operation its row looks like one that nobody is at work on.
        if self.gates.is_held(id) {
            return None;
        }
        Some(&mut self.value)
    }
}
