//! The demonstration for people.

use std::io::{self, Write};

use super::DemoReport;
use crate::conform::render::{self, Colors};
use crate::conform::report::Verdict;
use crate::report::paint::Paint;

/// Prints what was shown.
///
/// # Errors
/// If it cannot be written.
pub fn text(out: &mut dyn Write, report: &DemoReport, paint: Paint) -> io::Result<()> {
    writeln!(out, "{}, seed {}", paint.strong("the reference under load, killed and resumed"), report.seed)?;
    writeln!(
        out,
        "  killed as save {} was sent: {} acknowledged, {} not",
        report.killed_at, report.acknowledged, report.unacknowledged
    )?;
    match report.lost.as_slice() {
        [] => writeln!(out, "  {} nothing that was acknowledged is lost", paint.good("ok"))?,
        lost => writeln!(out, "  {} {}", paint.bad("lost:"), lost.join(", "))?,
    }
    conformance(out, report, paint)?;
    historic(out, report, paint)
}

fn conformance(out: &mut dyn Write, report: &DemoReport, paint: Paint) -> io::Result<()> {
    let conformance = &report.conformance;
    let lines = conformance.lines;
    writeln!(
        out,
        "  trace of {} events ({} matched, {} observed, {} markers) on {} computers",
        lines.events, lines.matched, lines.observed, lines.markers, conformance.computers
    )?;
    for opened in &conformance.windows {
        let count = format!("{:>7}", opened.count);
        let count = if opened.count == 0 { paint.bad(&count) } else { count };
        writeln!(out, "  {count}  {}", opened.sentence)?;
    }
    if conformance.verdict == Verdict::Conforms {
        return writeln!(out, "  {} the trace is a behaviour of the model", paint.good("ok"));
    }
    let colors = if paint.0 { Colors::Always } else { Colors::Never };
    writeln!(out, "{}", render::text(conformance, colors))?;
    writeln!(out, "  the trace is kept: {}", report.trace)
}

fn historic(out: &mut dyn Write, report: &DemoReport, paint: Paint) -> io::Result<()> {
    writeln!(out, "{}", paint.strong("historic stores: each must be refused, and for its own reason"))?;
    let width = report.historic.iter().map(|verdict| verdict.variant.len()).max().unwrap_or_default();
    for verdict in &report.historic {
        let mark = if verdict.is_right { paint.good("ok") } else { paint.bad("WRONG") };
        let refused_by = verdict.refused_by.as_deref().unwrap_or("nothing");
        let line = verdict.line.map_or_else(String::new, |line| format!(" at line {line}"));
        write!(out, "  {mark} {:<width$} refused by {refused_by}{line}", verdict.variant)?;
        if !verdict.is_right {
            write!(out, ", expected {}", verdict.expected)?;
        }
        writeln!(out, ": {}", verdict.tells)?;
    }
    Ok(())
}
