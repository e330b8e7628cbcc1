//! Holds the documentation against the code: requirements and their links, the ledger of origins, generated blocks, and
//! the links between pages.
//!
//! `UPDATE_DOCS=1 cargo test -p outlive-model-check --test docs` rewrites the generated blocks; without it they are
//! compared byte for byte. Each scanner has a test that shows it a bad sample.

mod blocks;
mod dependencies;
mod families;
mod functions;
mod generated;
mod ledger;
mod links;
mod repository;
mod requirements;
mod tables;
mod trace_format;
mod traceability;
