//! A durable store of computers: which save may land, which page may a reference resolve against, and which observation
//! may be written over which operation?
//!
//! A *computer* is a stateful thing that a user owns: a browser, a virtual machine, a worker process. It restarts, is
//! evicted and is reset, while snapshots of it are on their way. Three things then go wrong in the field:
//!
//! - a save that was under way during a reset brings the wiped page back;
//! - a restarted computer counts from one again, and its saves are dropped for being old;
//! - a click resolves against a page of a life that is over.
//!
//! # Theory of operation
//!
//! The store keeps one *incarnation* for each computer, and whatever ends a life mints the next: a process that
//! registers, a reset, a rollback. Each save, call, wipe and act names the incarnation that it is meant for, and
//! whoever is another one refuses it. Within an incarnation pages are ordered by their *generation*; across
//! incarnations they are not ordered at all.
//!
//! ```
//! use std::sync::Arc;
//! use outlive::snapshot::{Begun, ResetOutcome, Saved};
//! use outlive::store::SaveOutcome;
//! use outlive::testing::{CounterKind, SimulatedComputer};
//! use outlive::{ComputerId, Gateway, GatewayName, MemoryStore};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Arc::new(MemoryStore::new());
//! let gateway = Gateway::new(store.clone(), GatewayName::new("gateway-1")?);
//! let id = ComputerId::new("browser-7")?;
//! let _ = gateway.create(&id).await?;
//!
//! // The process of the computer starts, and learns who it is.
//! let computer = SimulatedComputer::start(store, id.clone(), CounterKind::StartsAgain).await?;
//! let _ = computer.register().await?;
//!
//! // A snapshot begins, and the computer hands out a page.
//! let Begun::Ticket(ticket) = gateway.begin(&id).await? else { panic!("nobody to call") };
//! let answer = computer.answer(ticket.call(), b"a page").await?.expect("it is who was called");
//!
//! // A reset comes between the page and its save.
//! let seen = gateway.standing(&id).await?.incarnation;
//! let ResetOutcome::Done { minted } = gateway.reset(&id, seen, &computer).await? else { panic!("not reset") };
//!
//! // The save is refused, is told what won, and the wiped page stays away.
//! let late = gateway.save(&ticket, &answer).await?;
//! assert_eq!(late, Saved::Decided(SaveOutcome::Fenced { current: minted }));
//! assert_eq!(gateway.load(&id).await?.page, None);
//! # Ok(())
//! # }
//! ```
//!
//! # How to depend on it
//!
//! It is not published. Name a clone of its repository, by path or by address, and with an address the commit that you
//! have reviewed:
//!
//! ```toml
//! [dependencies]
//! outlive = { path = "../outlive/reference" }
//! # or
//! outlive = { git = "https://git.example.com/outlive", rev = "<commit>" }
//! ```
//!
//! It is compiled by Rust 1.89 or newer, brings an SQLite of its own, which takes a C compiler, and asks for no
//! runtime. A project that itself depends on `rusqlite` must take the same version of it: two do not link into one
//! program.
//!
//! # How to use it
//!
//! To start, stop and delete computers at a provider, begin with [`operation`] and `examples/operations.rs`: one file
//! with a [`ControlPlane`] of real processes, its [`Reconciler`], and the trace of both. For snapshots:
//!
//! - Open an [`SqliteStore`], or take a [`MemoryStore`] for a test, and give each control-plane process a [`Gateway`].
//! - Let each starting process of a computer learn who it is through [`ProcessStart`], keep that in memory only, and
//!   refuse what names another incarnation. [`testing::SimulatedComputer`] shows the whole far side in one file.
//! - The calls between gateway and computer are yours. For a reset the driver is given a [`snapshot::Computer`].
//! - A gateway that starts looks through [`Store::resets_under_way`], and drives each on with
//!   [`Gateway::drive_reset`].
//! - Write a store of your own against [`Store`], and hold it to [`testing::store_kit`].
//! - Call what runs your computers through a [`Provider`]. [`provider::process`] is one for processes of this host;
//!   hold one of your own to [`testing::provider_kit`].
//! - Keep the operations of one process apart by its [`locks`].
//! - Begin, settle and take over starts, stops and deletions through an [`OperationStore`], which also says which
//!   observation may be written. Hold one of your own to [`testing::operation_kit`].
//! - Start, stop and delete through a [`ControlPlane`], and let a [`Reconciler`] drive on what has lost its driver and
//!   find what no report has told of. [`provider::process::ProcessLiveness`] says which control planes of a host are
//!   dead.
//! - Record a trace with [`SqliteOptions::recording`], and let `model-check conform` hold it against the model.
//!
//! # Ground rules
//!
//! - Every write names what it expects. A lost race is an outcome that says what won. A [`StoreError`] is no lost race,
//!   and says whether the same call may be tried again.
//! - Nothing here is global: no runtime, no subscriber, no environment. Futures run anywhere.
//! - What the guarantees rest on is numbered (`ASSUME-1` ...) in `docs/assumptions.md`, and cited where it is used;
//!   what is guaranteed is numbered (`SAVE-3` ...) in `docs/requirements/`.

pub mod clock;
mod error;
mod id;
pub mod locks;
pub mod operation;
pub mod provider;
mod race;
pub mod reconcile;
pub mod snapshot;
pub mod store;
mod sync;
pub mod testing;
pub mod trace;

pub use error::{InvalidId, ProviderError, StoreError};
pub use id::{
    ComputerId, GatewayName, Generation, Incarnation, InstanceId, Launch, LifeName, Mark, OperationName, OwnerName,
    PageName, ProviderName, Revision, SnapshotId,
};
pub use operation::ControlPlane;
pub use provider::Provider;
pub use reconcile::Reconciler;
pub use snapshot::{Gateway, ProcessStart};
pub use store::{MemoryStore, OperationStore, SqliteOptions, SqliteStore, Store};
