//! What tests need: a simulated computer, and the writer of the durable store without its thread.

mod computer;
mod measure;

pub use computer::{CounterKind, Learned, Refusal, SimulatedComputer};
pub use measure::InlineSqlite;
