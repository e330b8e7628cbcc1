//! What was found, as plain data and as people read it. Nothing here judges.

pub mod checked;
pub mod counterexample;
pub mod markdown;
pub mod mermaid;
pub mod paint;
pub mod reviewed;
pub mod table;
pub mod text;
