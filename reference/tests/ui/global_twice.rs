// Whoever waits for a lock that it holds waits for ever.
// Refused: cannot borrow `gate` as mutable more than once at a time

use outlive::ComputerId;
use outlive::locks::Locks;

async fn operation(locks: &Locks<u32>, id: ComputerId) {
    let mut ticket = locks.ticket();
    let mut gate = ticket.lock_for(id).await;
    let one = gate.global();
    let other = gate.global();
    drop((one, other));
}

fn main() {}
