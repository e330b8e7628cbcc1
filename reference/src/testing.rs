//! What tests need: a simulated computer of either kind, a store that dies on request, and a kit that holds any store
//! to one list of behaviours.

mod computer;
mod faults;
pub mod store_kit;

pub use crate::store::sqlite::InlineSqlite;
pub use computer::{CounterKind, Learned, Refusal, SimulatedComputer};
pub use faults::{Crash, CrashingStore};
