// The operation would go on writing the rows of a computer whose gate it has given up.
// Refused: cannot move out of `gate` because it is borrowed

use outlive::ComputerId;
use outlive::locks::Locks;

async fn operation(locks: &Locks<u32>, id: ComputerId) {
    let mut ticket = locks.ticket();
    let mut gate = ticket.lock_for(id).await;
    let mut global = gate.global();
    drop(gate);
    *global += 1;
}

fn main() {}
