//! `schema`: the JSON Schemas of what goes in and what comes out.

use super::{Console, Failure, SchemaArgs, SchemaOf, check};
use crate::exit::Exit;

/// Runs `schema`.
///
/// # Errors
/// If it cannot be written.
pub fn run(args: &SchemaArgs, console: &mut Console) -> Result<Exit, Failure> {
    match args.of {
        SchemaOf::Trace => console.json(&outlive_spec::trace::schema())?,
        SchemaOf::Report => console.json(&schemars::schema_for!(check::CheckReport))?,
    }
    Ok(Exit::Holds)
}
