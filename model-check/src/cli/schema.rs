//! `schema`: the JSON Schemas of what goes in and what comes out.

use schemars::JsonSchema;

use super::{Console, Failure, SchemaArgs, SchemaOf, check};
use crate::conform;
use crate::exit::Exit;

/// What the commands print with `--format json`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum AnyReport {
    Check(check::CheckReport),
    Conform(Box<conform::report::Report>),
}

/// Runs `schema`.
///
/// # Errors
/// If it cannot be written.
pub fn run(args: &SchemaArgs, console: &mut Console) -> Result<Exit, Failure> {
    match args.of {
        SchemaOf::Trace => console.json(&outlive_spec::trace::schema())?,
        SchemaOf::Report => console.json(&schemars::schema_for!(AnyReport))?,
    }
    Ok(Exit::Holds)
}
