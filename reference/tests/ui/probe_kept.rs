// What was probed would be used after an operation could have taken the gate.
// Refused: temporary value dropped while borrowed

use outlive::ComputerId;
use outlive::locks::Locks;

fn look(locks: &Locks<u32>, id: &ComputerId) {
    let mut sweep = locks.sweep();
    let row = sweep.global().probe(id);
    drop(row);
}

fn main() {}
