//! Locks of one process, in an order that the compiler knows: the gate of one computer, then the global lock, and no
//! call of a provider under the global lock.
//!
//! # Theory of operation
//!
//! An operation on a computer (a start, a stop) takes the computer's *gate* and keeps it to its end, calls of the
//! provider included. It begins each read and write of the rows under the *global lock*, which it takes for a few lines
//! at a time and never across an await. A *sweep*, which looks after all computers, waits for no gate and holds
//! none: it *probes* a gate under the global lock, and passes the computer by if an operation has it. Callers who want
//! the same thing at the same time, say a stop, share a *single flight*.
//!
//! All of that is in the types:
//!
//! ```
//! use outlive::ComputerId;
//! use outlive::locks::{IoPermit, Locks};
//!
//! #[derive(PartialEq, Debug)]
//! enum Phase {
//!     Stopped,
//!     Starting,
//!     Ready,
//! }
//!
//! // Whoever calls the provider shows that it may.
//! async fn start_at_the_provider(_: IoPermit<'_>) {}
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let locks = Locks::new(Phase::Stopped);
//! let id = ComputerId::new("browser-7")?;
//!
//! // One ticket for each operation, and with it one gate at a time.
//! let mut ticket = locks.ticket();
//! let mut gate = ticket.lock_for(id.clone()).await;
//! *gate.global() = Phase::Starting;
//! start_at_the_provider(gate.io()).await;
//!
//! // A sweep passes it by meanwhile.
//! assert_eq!(locks.sweep().global().probe(&id), None);
//!
//! *gate.global() = Phase::Ready;
//! drop(gate);
//! assert_eq!(locks.sweep().global().probe(&id), Some(&mut Phase::Ready));
//! # Ok(())
//! # }
//! ```
//!
//! # Ground rules
//!
//! - Gate, then the global lock, then a lock of this module, which is held for a few lines of this module alone. A
//!   waker is called, and dropped, under none of the last kind: it may run anything.
//! - These files name no lock but those of `crate::sync`, and wait by wakers alone. So a model of threads runs them as
//!   they ship, in every interleaving (`loom-tests`). They have no `HashMap`, no clock and no chance, since it could
//!   not run them twice alike.
//! - Each line that keeps a promise is marked `GUARD`, with its name. A script removes one after another, and something
//!   must notice (`loom-tests/guards`).
//!
//! # What it does not do
//!
//! It is no fence. Another process, and a call of the provider that outlives its caller, know nothing of a gate; for
//! them rows carry claims, and a provider is fenced by launches. `docs/locks.md` has the whole picture.

mod flight;
mod gate;
mod order;
mod outcome;
mod shutdown;
mod single_flight;

pub use order::{GlobalGuard, IoPermit, LifecycleGuard, Locks, Sweep, SweepGuard, Ticket};
pub use shutdown::Shutdown;
pub use single_flight::SingleFlight;
