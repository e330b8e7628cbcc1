// A sweep that waited for a gate under the global lock would wait for whoever waits for the global lock.
// Refused: no method named `lock_for` found

use outlive::ComputerId;
use outlive::locks::Locks;

async fn look(locks: &Locks<u32>, id: ComputerId) {
    let mut sweep = locks.sweep();
    let gate = sweep.global().lock_for(id).await;
    drop(gate);
}

fn main() {}
