//! The command without arguments: every model and variant, then the reference under load, then its trace, then the
//! stores that have lost the race.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::check::CheckReport;
use super::{Console, Failure, Style, check, defaults, demo, induct};
use crate::demo::{DemoReport, render};
use crate::exit::Exit;
use crate::registry::FAMILIES;
use crate::report::inducted::{Inducted, inducted};

/// What the command without arguments prints as JSON.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MainReport {
    /// The exit code.
    pub exit: u8,
    /// The searches.
    pub check: CheckReport,
    /// The invariants.
    pub inducted: Vec<Inducted>,
    /// The demonstration.
    pub demo: DemoReport,
}

/// Runs everything.
///
/// # Errors
/// If something cannot be read or written.
pub fn run(console: &mut Console) -> Result<Exit, Failure> {
    let args = defaults(&["--all-variants", "--deny-unreached"]);
    let check = check::search(&args, console)?;
    let inducted = FAMILIES.iter().filter_map(|family| induct::tried(*family, 0, args.profile, console));
    let inducted: Vec<Inducted> = inducted.collect();
    let demo = demo::show(&defaults(&[]))?;
    let exit = Exit::of_code(check.exit).or(Exit::of_code(demo.exit));
    let exit = inducted.iter().fold(exit, |exit, inducted| exit.or(inducted.exit()));
    let mut findings = check::findings(&check, &args);
    findings.cases.extend(inducted.iter().map(induct::case));
    findings.cases.extend(demo::cases(&demo));
    let report = MainReport { exit: exit.code(), check, inducted, demo };
    console.show(&report, Some(findings), |out, style| text(out, &report, style))?;
    Ok(exit)
}

fn text(out: &mut dyn Write, report: &MainReport, style: Style) -> io::Result<()> {
    let paint = style.paint;
    check::print_table(&report.check, out, style)?;
    for found in report.inducted.iter().filter(|found| !style.quiet || found.leads_out.is_some()) {
        inducted(out, found, paint, false)?;
    }
    if !style.quiet || !report.demo.is_right() {
        writeln!(out)?;
        render::text(out, &report.demo, paint)?;
    }
    let exit = Exit::of_code(report.exit);
    let verdict =
        if exit == Exit::Holds { paint.good("everything holds") } else { paint.bad(&format!("exit {}", exit.code())) };
    writeln!(out, "\n{verdict}")
}
