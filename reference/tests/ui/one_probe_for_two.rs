// What was probed for one computer says nothing of another.
// Refused: cannot borrow `global` as mutable more than once at a time

use outlive::ComputerId;
use outlive::locks::Locks;

fn look(locks: &Locks<u32>, one: &ComputerId, other: &ComputerId) {
    let mut sweep = locks.sweep();
    let mut global = sweep.global();
    let rows = (global.probe(one), global.probe(other));
    drop(rows);
}

fn main() {}
