//! What tests need: a simulated computer of either kind, a store that dies on request, a provider that does what is
//! planned for it, an authority on deaths, and kits that hold any store and any provider to one list of behaviours.

mod computer;
mod faults;
mod liveness;
pub mod operation_kit;
mod provider;
pub mod provider_kit;
pub mod store_kit;

pub use crate::store::sqlite::InlineSqlite;
pub use computer::{CounterKind, Learned, Refusal, SimulatedComputer};
pub use faults::{Crash, CrashingStore};
pub use liveness::FakeLiveness;
pub use provider::{FakeProvider, Fault, Point, Verb};
