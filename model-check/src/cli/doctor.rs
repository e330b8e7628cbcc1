//! `doctor`: what a trace could be checked for, and what it lacks.

use std::io;

use super::{Console, DoctorArgs, Failure};
use crate::conform::doctor::{Decided, Examination, Finding, examine};
use crate::exit::Exit;

/// Runs `doctor`. It ends with 0 if a check of such a trace can pass: only what the trace says can then be wrong.
///
/// # Errors
/// If a file is not there, standard input or a pipe cannot be read, or a result not be written.
pub fn run(args: &DoctorArgs, console: &mut Console) -> Result<Exit, Failure> {
    let examination = examine(&super::conform::inputs(&args.traces)?);
    console.show(&examination, None, |out, _| print(out, &examination))?;
    Ok(examination.exit())
}

fn print(out: &mut dyn io::Write, examination: &Examination) -> io::Result<()> {
    let Examination { files, findings, guards, unreadable, .. } = examination;
    if let Some(unreadable) = unreadable {
        writeln!(out, "error: {unreadable}")?;
    }
    if unreadable.is_none() || guards.iter().any(|guard| guard.events > 0) {
        print_guards(out, files, guards)?;
    }
    writeln!(out, "\nwhat it lacks")?;
    for Finding { weight, what, hides } in findings {
        writeln!(out, "  {:<9} {what}\n            this hides {hides}", weight.words())?;
    }
    if findings.is_empty() {
        writeln!(out, "  nothing")?;
    }
    Ok(())
}

fn print_guards(out: &mut dyn io::Write, files: &[String], guards: &[Decided]) -> io::Result<()> {
    let (judged, idle): (Vec<&Decided>, Vec<&Decided>) = guards.iter().partition(|guard| guard.events > 0);
    writeln!(out, "{}: {} of {} guards had something to decide", files.join(", "), judged.len(), guards.len())?;
    for Decided { guard, requirement, events } in judged {
        writeln!(out, "  {requirement:<12} {guard:<22} {events:>8} events")?;
    }
    if !idle.is_empty() {
        writeln!(out, "\nwithout an event")?;
        for Decided { guard, requirement, .. } in idle {
            writeln!(out, "  {requirement:<12} {guard}")?;
        }
    }
    Ok(())
}
