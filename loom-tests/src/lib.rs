//! Outlive's locks under loom, which runs a scenario once for every way in which its threads can be interleaved.
//!
//! # Theory of operation
//!
//! The files of [`locks`] are those of `outlive`, included by their path: no flag, no copy, and
//! `cargo test --workspace` runs it. They name no lock but those of their `crate::sync`, which is [`sync`] here: the
//! same names over loom's locks. What is of the standard library or of tokio is invisible to loom, and a lost update
//! passes as green; so the sources may name none of it, and a test reads them.
//!
//! A scenario is a few threads and what must be true at the end. It is run at up to two preemptions, or as many as
//! `LOOM_MAX_PREEMPTIONS` says, and in how many ways it was run is held against `executions.txt`, so that a scenario
//! that no longer meets its race is noticed. Each scenario of several threads has a wrong twin, which must be found
//! broken in a process of its own: a model that cannot fail proves nothing.
//!
//! With the feature `shuttle` the same scenarios are drawn at random by PCT instead, with more threads than can be
//! tried in all ways.
//!
//! `docs/locks.md` says what that proves, and what it cannot see.

pub mod id;
#[path = "../../reference/src/locks/mod.rs"]
pub mod locks;
pub mod sync;

#[cfg(test)]
mod explore;
#[cfg(test)]
mod scenarios;
#[cfg(test)]
mod sources;
