//! A durable store of computers: which save may land, and which page may a reference resolve against?

pub mod clock;
mod error;
mod id;
pub mod snapshot;
pub mod store;
mod sync;
pub mod testing;
pub mod trace;

pub use error::{InvalidId, StoreError};
pub use id::{ComputerId, GatewayName, Generation, Incarnation, LifeName, OperationName, PageName, SnapshotId};
pub use snapshot::{Gateway, ProcessStart};
pub use store::{MemoryStore, SqliteOptions, SqliteStore, Store};
