// A permit from before the global lock was taken would still be shown under it.
// Refused: cannot borrow `gate` as mutable because it is also borrowed as immutable

use outlive::ComputerId;
use outlive::locks::{IoPermit, Locks};

fn call_the_provider(_: IoPermit<'_>) {}

async fn operation(locks: &Locks<u32>, id: ComputerId) {
    let mut ticket = locks.ticket();
    let mut gate = ticket.lock_for(id).await;
    let permit = gate.io();
    let global = gate.global();
    call_the_provider(permit);
    drop(global);
}

fn main() {}
