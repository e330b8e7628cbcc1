//! What was found, as plain data and as people read it. Nothing here judges.

pub mod checked;
pub mod counterexample;
pub mod findings;
pub mod github;
pub mod html;
pub mod inducted;
pub mod itf;
pub mod junit;
pub mod links;
pub mod markdown;
pub mod mermaid;
pub mod paint;
pub mod reviewed;
pub mod sarif;
pub mod simulated;
pub mod site;
pub mod subject;
pub mod svg;
pub mod table;
pub mod text;
