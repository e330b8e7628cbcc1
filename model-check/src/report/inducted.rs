//! An induction as plain data, and as text for a terminal.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::counterexample::{Change, ShownField};
use super::paint::Paint;
use crate::exit::Exit;

/// What came of an induction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Inducted {
    /// The exit code.
    pub exit: u8,
    /// For instance `snapshot`.
    pub protocol: String,
    /// For instance `right`.
    pub variant: String,
    /// How large the world was, in words.
    pub world: String,
    /// The states of which the invariant is true.
    pub states: u64,
    /// The steps that the rules admit in them.
    pub steps: u64,
    /// Seconds of wall time.
    pub seconds: f64,
    /// The invariant, a clause each: its name and its sentence.
    pub clauses: Vec<(String, String)>,
    /// The first step that leads out of it, if one does.
    pub leads_out: Option<LeadsOut>,
}

/// A counterexample to induction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeadsOut {
    /// The clause that is not true any more, or the property that the step breaks.
    pub what: String,
    /// The step; none if the invariant is false of a start.
    pub action: Option<String>,
    /// Every field before it.
    pub before: Vec<ShownField>,
    /// The fields that it changed.
    pub changes: Vec<Change>,
}

impl Inducted {
    /// How a run ends that has found it.
    pub fn exit(&self) -> Exit {
        if self.leads_out.is_none() { Exit::Holds } else { Exit::SafetyViolated }
    }
}

/// Everything about one induction. With `verbose`, also the clauses.
///
/// # Errors
/// If it cannot be written.
pub fn inducted(out: &mut dyn Write, found: &Inducted, paint: Paint, verbose: bool) -> io::Result<()> {
    let Inducted { protocol, variant, world, states, steps, seconds, clauses, leads_out, .. } = found;
    if let Some(leads_out) = leads_out {
        self::leads_out(out, leads_out, paint)?;
    }
    let verdict = match leads_out {
        None => paint.good("inductive"),
        Some(_) => paint.bad("not inductive"),
    };
    if verbose {
        clauses.iter().try_for_each(|(name, sentence)| writeln!(out, "  {name}: {sentence}"))?;
    }
    writeln!(
        out,
        "{}: the invariant of {} clauses is {verdict}; {states} states of a world of {world}, {steps} steps, {seconds:.1} s",
        paint.strong(&format!("{protocol} / {variant}")),
        clauses.len(),
    )
}

fn leads_out(out: &mut dyn Write, found: &LeadsOut, paint: Paint) -> io::Result<()> {
    let LeadsOut { what, action, before, changes } = found;
    writeln!(out, "{} {what}", paint.bad("not kept:"))?;
    for ShownField { name, value } in before.iter().filter(|field| field.value != "none") {
        writeln!(out, "  {name}: {value}")?;
    }
    let action = action.as_deref().unwrap_or("this is a start");
    writeln!(out, "  {}", paint.strong(action))?;
    for Change { field, before, after } in changes {
        writeln!(out, "    {field}: {} -> {after}", paint.faint(before))?;
    }
    Ok(())
}
