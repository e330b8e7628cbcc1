// A call of the provider would hold up every other operation, and could hold the global lock for ever.
// Refused: cannot borrow `gate` as immutable because it is also borrowed as mutable

use outlive::ComputerId;
use outlive::locks::{IoPermit, Locks};

fn call_the_provider(_: IoPermit<'_>) {}

async fn operation(locks: &Locks<u32>, id: ComputerId) {
    let mut ticket = locks.ticket();
    let mut gate = ticket.lock_for(id).await;
    let global = gate.global();
    call_the_provider(gate.io());
    drop(global);
}

fn main() {}
