//! Random walks as plain data, and as text for a terminal.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::counterexample::ShownStep;
use super::paint::Paint;
use super::text;
use crate::exit::Exit;

/// What random walks have come by.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Simulated {
    /// The exit code.
    pub exit: u8,
    /// For instance `snapshot`.
    pub protocol: String,
    /// For instance `right`.
    pub variant: String,
    /// Of the first walk; each further one has the next.
    pub seed: u64,
    /// How many were begun.
    pub walks: u64,
    /// How many steps each may take.
    pub steps: u64,
    /// The steps that were taken, of all walks together.
    pub taken: u64,
    /// The steps that were refused.
    pub refused: u64,
    /// How often each kind of action was taken.
    pub kinds: Vec<(String, u64)>,
    /// Seconds of wall time.
    pub seconds: f64,
    /// The first harm, if there was one.
    pub harm: Option<Harm>,
}

/// A walk that breaks a property.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Harm {
    /// The seed of this walk.
    pub seed: u64,
    /// The name of the property.
    pub property: String,
    /// The requirement that the property belongs to.
    pub requirement: String,
    /// The property in plain English.
    pub sentence: String,
    /// How many steps the walk had taken.
    pub walked: usize,
    /// Those that are needed. A search may find fewer.
    pub steps: Vec<ShownStep>,
}

impl Simulated {
    /// How a run ends that has found it.
    pub fn exit(&self) -> Exit {
        if self.harm.is_none() { Exit::Holds } else { Exit::SafetyViolated }
    }
}

/// Everything about the walks. With `verbose`, also how often each kind of action was taken.
///
/// # Errors
/// If it cannot be written.
pub fn simulated(out: &mut dyn Write, found: &Simulated, paint: Paint, verbose: bool) -> io::Result<()> {
    let Simulated { protocol, variant, seed, walks, taken, refused, kinds, seconds, harm, .. } = found;
    if let Some(harm) = harm {
        self::harm(out, found, harm, paint)?;
    }
    if verbose {
        kinds.iter().try_for_each(|(kind, taken)| writeln!(out, "  {kind:<18} {taken:>12}"))?;
    }
    let verdict = if harm.is_some() { paint.bad("broken") } else { paint.good("nothing broken") };
    writeln!(
        out,
        "{}: {verdict} in {walks} walks from seed {seed}; {taken} steps taken, {refused} refused, {seconds:.1} s",
        paint.strong(&format!("{protocol} / {variant}"))
    )
}

fn harm(out: &mut dyn Write, found: &Simulated, harm: &Harm, paint: Paint) -> io::Result<()> {
    let Harm { seed, property, requirement, sentence, walked, steps } = harm;
    let Simulated { protocol, variant, steps: most, .. } = found;
    let name = paint.strong(&format!("{requirement} {property}"));
    writeln!(out, "{} {name}: {sentence}", paint.bad("broken"))?;
    writeln!(out, "  {protocol} / {variant}, {} of the {walked} steps of a walk:", steps.len())?;
    for (at, step) in steps.iter().enumerate() {
        text::step(out, at + 1, step, paint)?;
    }
    let command = format!("model-check simulate {protocol} --variant {variant} --seed {seed} --walks 1 --steps {most}");
    writeln!(out, "  again: {command}\n")
}
