// Two operations that hold a gate each, and wait for the other's, wait for ever.
// Refused: cannot borrow `ticket` as mutable more than once at a time

use outlive::ComputerId;
use outlive::locks::Locks;

async fn operation(locks: &Locks<u32>, from: ComputerId, to: ComputerId) {
    let mut ticket = locks.ticket();
    let one = ticket.lock_for(from).await;
    let other = ticket.lock_for(to).await;
    drop((one, other));
}

fn main() {}
