//! The gate comes first, the global lock second.

use super::{COMPUTER, Threads, actors};
use crate::explore::{explore, must_find, run};
use crate::locks::Locks;
use crate::sync::{Arc, block_on};

fn lockers(one_is_the_wrong_way_round: bool) {
    let others = actors(1, 4);
    let locks = Arc::new(Locks::new(0));
    let mut threads = Threads::default();
    for at in 0..others {
        let locks = locks.clone();
        if one_is_the_wrong_way_round && at == 0 {
            threads.spawn(move || global_then_gate(&locks));
        } else {
            threads.spawn(move || gate_then_global(&locks));
        }
    }
    gate_then_global(&locks);
    threads.join();
    let count = *locks.sweep().global().probe(&COMPUTER).expect("nobody holds the gate");
    assert_eq!(count, others + 1);
}

fn gate_then_global(locks: &Locks<usize>) {
    let mut ticket = locks.ticket();
    let mut gate = block_on(ticket.lock_for(COMPUTER));
    *gate.global() += 1;
}

/// What the types forbid to one who has only a ticket, and to a future that is spawned. Here is neither.
fn global_then_gate(locks: &Locks<usize>) {
    let mut sweep = locks.sweep();
    let mut global = sweep.global();
    let mut ticket = locks.ticket();
    // 1. The other holds the gate. 2. This one holds the global lock, and waits for the gate. 3. The other waits for
    // the global lock.
    let _gate = block_on(ticket.lock_for(COMPUTER));
    if let Some(count) = global.probe(&super::ANOTHER) {
        *count += 1;
    }
}

#[test]
fn gate_then_global_never_blocks_for_ever() {
    explore("lock order", || lockers(false));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_global_then_gate() {
    run(|| lockers(true));
}

#[test]
fn global_then_gate_is_found() {
    must_find("order::wrong_twin_global_then_gate", "deadlock");
}
