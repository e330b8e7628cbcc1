//! Searches the models exhaustively, and checks traces of implementations against them.

pub mod cli;
pub mod conform;
#[cfg(feature = "demo")]
pub mod demo;
pub mod engine;
pub mod exit;
pub mod registry;
pub mod report;
