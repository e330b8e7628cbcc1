//! `schema`: the JSON Schemas of what goes in and what comes out.

use schemars::JsonSchema;

use super::{Console, Failure, SchemaArgs, SchemaOf, check, explain, list};
use crate::conform;
use crate::exit::Exit;
use crate::report::counterexample::Counterexample;

/// What a command prints with `--format json`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum AnyReport {
    /// Of the command without arguments.
    #[cfg(feature = "demo")]
    Everything(Box<super::main_job::MainReport>),
    /// Of `check`.
    Check(check::CheckReport),
    /// Of `induct`.
    Induct(crate::report::inducted::Inducted),
    /// Of `simulate`.
    Simulate(Box<crate::report::simulated::Simulated>),
    /// Of `conform`.
    Conform(Box<conform::report::Report>),
    /// Of `doctor`.
    Doctor(conform::doctor::Examination),
    /// Of `demo`.
    #[cfg(feature = "demo")]
    Demo(Box<crate::demo::DemoReport>),
    /// Of `replay`, and of a file that `check --out-dir` writes.
    Replay(Box<Counterexample>),
    /// Of `list`.
    List(Vec<list::Listed>),
    /// Of `generate`.
    Generate(crate::generate::Summary),
    /// Of `explain`.
    Explain(Vec<explain::Meaning>),
}

/// Runs `schema`.
///
/// # Errors
/// If it cannot be written.
pub fn run(args: &SchemaArgs, console: &mut Console) -> Result<Exit, Failure> {
    let schema = match args.of {
        SchemaOf::Trace => outlive_spec::trace::schema(),
        SchemaOf::Script => schemars::schema_for!(crate::generate::script::Line).to_value(),
        SchemaOf::Report => schemars::schema_for!(AnyReport).to_value(),
    };
    // It is JSON, also for people.
    console.show(&schema, None, |out, _| writeln!(out, "{schema:#}"))?;
    Ok(Exit::Holds)
}
