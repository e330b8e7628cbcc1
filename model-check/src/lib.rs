//! Searches the models exhaustively, checks traces of implementations against them, and writes scripts for tests of
//! them.

pub mod cli;
pub mod conform;
#[cfg(feature = "demo")]
pub mod demo;
pub mod engine;
pub mod exit;
pub mod generate;
pub mod random;
pub mod registry;
pub mod report;
