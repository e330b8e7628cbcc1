// A permit from before the global lock was taken would still be shown under it.
// Refused: cannot borrow `sweep` as mutable because it is also borrowed as immutable

use outlive::locks::{IoPermit, Locks};

fn call_the_provider(_: IoPermit<'_>) {}

fn look(locks: &Locks<u32>) {
    let mut sweep = locks.sweep();
    let permit = sweep.io();
    let global = sweep.global();
    call_the_provider(permit);
    drop(global);
}

fn main() {}
