// Between the two writes of an operation, a sweep would read a row that nobody seems to be at work on.
// Refused: cannot be dereferenced

use outlive::locks::Locks;

fn look(locks: &Locks<u32>) -> u32 {
    *locks.sweep().global()
}

fn main() {}
