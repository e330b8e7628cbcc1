//! Searches the models exhaustively, and checks traces of implementations against them.

pub mod cli;
pub mod conform;
pub mod engine;
pub mod exit;
pub mod registry;
pub mod report;
