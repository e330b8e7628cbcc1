//! The command without arguments: every model and variant, then the reference under load, then its trace, then the
//! stores that have lost the race.

use clap::Parser;
use schemars::JsonSchema;
use serde::Serialize;

use super::check::CheckReport;
use super::{CheckArgs, Console, DemoArgs, Failure, Format, check, demo};
use crate::demo::{DemoReport, render};
use crate::exit::Exit;

/// What the command without arguments prints as JSON.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MainReport {
    /// The exit code.
    pub exit: u8,
    /// The searches.
    pub check: CheckReport,
    /// The demonstration.
    pub demo: DemoReport,
}

/// Runs everything.
///
/// # Errors
/// If something cannot be read or written.
pub fn run(console: &mut Console) -> Result<Exit, Failure> {
    let check = check::search(&every_variant(), console)?;
    if console.format == Format::Text {
        check::print_table(&check, console)?;
        console.flush()?;
    }
    let demo = demo::show(&default_demo())?;
    let exit = Exit::of_code(check.exit).or(Exit::of_code(demo.exit));
    let report = MainReport { exit: exit.code(), check, demo };
    let paint = console.paint;
    match console.format {
        Format::Json => console.json(&report)?,
        Format::Text => {
            if !console.quiet || !report.demo.is_right() {
                writeln!(console.out())?;
                render::text(console.out(), &report.demo, paint)?;
            }
            let verdict = if exit == Exit::Holds {
                paint.good("everything holds")
            } else {
                paint.bad(&format!("exit {}", exit.code()))
            };
            writeln!(console.out(), "\n{verdict}")?;
        }
    }
    Ok(exit)
}

/// The defaults of a command line are written once, with the command line.
#[derive(Parser)]
struct Defaults<A: clap::Args> {
    #[command(flatten)]
    args: A,
}

fn default_demo() -> DemoArgs {
    Defaults::parse_from([""]).args
}

fn every_variant() -> CheckArgs {
    Defaults::parse_from(["", "--all-variants", "--deny-unreached"]).args
}
