// A task that sleeps would hold the global lock.
// Refused: future cannot be sent between threads safely

use outlive::ComputerId;
use outlive::locks::Locks;

fn spawn<F: Future + Send>(_: F) {}

fn operation(locks: &Locks<u32>, id: ComputerId) {
    spawn(async {
        let mut ticket = locks.ticket();
        let mut gate = ticket.lock_for(id).await;
        let global = gate.global();
        std::future::ready(()).await;
        drop(global);
    });
}

fn main() {}
