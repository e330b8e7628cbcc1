// Rows would be written while another operation holds the gate of their computer.
// Refused: field `global` of struct `Locks` is private

use outlive::locks::Locks;

fn write(locks: &Locks<u32>) {
    *locks.global.lock() += 1;
}

fn main() {}
