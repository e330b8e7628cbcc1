// A sweep would hold the global lock for as long as the provider takes, once for each computer.
// Refused: cannot borrow `sweep` as immutable because it is also borrowed as mutable

use outlive::ComputerId;
use outlive::locks::{IoPermit, Locks};

fn call_the_provider(_: IoPermit<'_>) {}

fn look(locks: &Locks<u32>, id: &ComputerId) {
    let mut sweep = locks.sweep();
    let mut global = sweep.global();
    let row = global.probe(id);
    call_the_provider(sweep.io());
    drop(row);
}

fn main() {}
