//! Outlive's locks under loom, which runs a scenario once for every way in which its threads can be interleaved.
//!
//! # Theory of operation
//!
//! Code of `outlive` that locks names no lock but those of its own `crate::sync`. Such a file can be included here by
//! `#[path]`, as it ships, and its `crate::sync` is then [`sync`]: the same names over loom's locks. No flag and no
//! copy: `cargo test --workspace` runs it. Each scenario has a wrong twin, which loom must find broken in a process of
//! its own; a model that cannot fail proves nothing.
//!
//! # What is proven, and what is not
//!
//! That loom runs here: two threads that count under [`sync::Mutex`] lose nothing in any interleaving, and two that
//! read, and then write without it, are caught. Nothing is proven of `outlive` yet. Its gates and its single flight do
//! not exist, and its files that lock today are stores, whose SQL and clocks no model of threads can drive. The file of
//! its locks itself is the one that [`sync`] stands in for.

pub mod sync;
