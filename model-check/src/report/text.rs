//! Searches and counterexamples as text for a terminal.

use std::io::{self, Write};

use super::checked::{Checked, Endless};
use super::counterexample::{Counterexample, Ending, Fair, ShownStep};
use super::paint::Paint;

/// Everything about one search. With `verbose`, also what was counted.
///
/// # Errors
/// If it cannot be written.
pub fn checked(out: &mut dyn Write, checked: &Checked, paint: Paint, verbose: bool) -> io::Result<()> {
    let head = format!("{} / {}", checked.protocol, checked.variant);
    writeln!(out, "{}: {}", paint.strong(&head), checked.change)?;
    for (_, found) in checked.broken() {
        counterexample(out, found, paint)?;
    }
    if verbose {
        counts(out, checked)?;
    }
    for finding in &checked.vacuous {
        writeln!(out, "{}: {finding}", paint.bad("vacuous"))?;
    }
    let verdict = match (checked.verdict.as_str(), &checked.truncated) {
        ("holds", _) => paint.good("holds"),
        (word, None) => paint.bad(word),
        (word, Some(why)) => format!("{} ({why})", paint.bad(word)),
    };
    let Checked { states, transitions, depth, seconds, .. } = checked;
    writeln!(out, "{head}: {verdict}; {states} states, {transitions} steps, depth {depth}, {seconds:.1} s")?;
    let Some(Endless { states, seconds, .. }) = &checked.endless else { return Ok(()) };
    writeln!(out, "  and of endless behaviours: {states} states, {seconds:.1} s")
}

/// A counterexample, step by step, with only what each step changed.
///
/// # Errors
/// If it cannot be written.
pub fn counterexample(out: &mut dyn Write, found: &Counterexample, paint: Paint) -> io::Result<()> {
    let Counterexample { property, requirement, sentence, protocol, variant, steps, .. } = found;
    writeln!(out)?;
    writeln!(out, "{} {}: {sentence}", paint.bad("broken"), paint.strong(&format!("{requirement} {property}")))?;
    writeln!(out, "  {protocol} / {variant}, shortest: {}", found.length().in_words())?;
    let stem = found.length().stem;
    for (at, step) in steps.iter().enumerate() {
        if at == stem {
            writeln!(out, "  {}", paint.strong("and then, for ever:"))?;
        }
        self::step(out, at + 1, step, paint)?;
    }
    ending(out, found)?;
    writeln!(out, "  replay: {}", replay_command(found))?;
    writeln!(out)
}

fn ending(out: &mut dyn Write, found: &Counterexample) -> io::Result<()> {
    match &found.ending {
        Ending::Harm => Ok(()),
        Ending::DeadEnd => writeln!(out, "  From here no progress leads to a settled state."),
        Ending::Loop { steps, fair } => {
            match steps {
                0 => writeln!(out, "  From here nothing needs to happen any more, and somebody waits in vain.")?,
                1 => writeln!(out, "  The last step repeats, with other numbers, and somebody waits in vain.")?,
                _ => writeln!(out, "  The last {steps} steps repeat, with other numbers, and somebody waits in vain.")?,
            }
            writeln!(out, "  That is fair:")?;
            fair.iter().try_for_each(|it| fair_to(out, it))?;
            let next = found.the_right_rules_go_on.iter();
            next.take(1)
                .try_for_each(|_| writeln!(out, "  The right rules go on after the same steps, with one of:"))?;
            found.the_right_rules_go_on.iter().try_for_each(|action| writeln!(out, "    {action}"))
        }
    }
}

fn fair_to(out: &mut dyn Write, fair: &Fair) -> io::Result<()> {
    let Fair { class, sentence, because } = fair;
    writeln!(out, "    {class:<10} {because} ({sentence})")
}

/// One step of a path.
pub(super) fn step(out: &mut dyn Write, number: usize, step: &ShownStep, paint: Paint) -> io::Result<()> {
    let ShownStep { lane, action, .. } = step;
    writeln!(out, "  {number:>2}. {:<9} {}", lane, paint.strong(action))?;
    for change in &step.changes {
        let before = paint.faint(&change.before);
        writeln!(out, "                 {}: {before} -> {}", change.field, change.after)?;
    }
    match &step.refused_by_the_right_rules {
        Some(guard) => writeln!(out, "                 {} {guard}", paint.bad("the right rules refuse this:")),
        None => Ok(()),
    }
}

/// The command that shows the counterexample again.
pub fn replay_command(found: &Counterexample) -> String {
    let Counterexample { protocol, variant, profile, property, symmetry, ending, .. } = found;
    let is_a_choice = *symmetry && !matches!(ending, Ending::Loop { .. });
    let symmetry = if is_a_choice { " --symmetry" } else { "" };
    format!("model-check check {protocol} --variant {variant} --profile {profile} --property {property}{symmetry}")
}

fn counts(out: &mut dyn Write, checked: &Checked) -> io::Result<()> {
    writeln!(out, "  {:<18} {:>12} {:>12}", "action", "taken", "refused")?;
    for kind in &checked.kinds {
        writeln!(out, "  {:<18} {:>12} {:>12}", kind.name, kind.taken, kind.refused)?;
    }
    writeln!(out, "  {:<18} {:>25}", "requirement", "forbade")?;
    for guard in &checked.guards {
        let never = guard.never.as_ref().map_or_else(String::new, |never| format!("  ({never})"));
        writeln!(out, "  {:<18} {:>25}{never}", guard.requirement, guard.refused)?;
    }
    writeln!(out, "  {:<36} {:>7}", "phase", "states")?;
    for (phase, states) in &checked.phases {
        writeln!(out, "  {phase:<36} {states:>7}")?;
    }
    let depths: Vec<String> = checked.depths.iter().map(usize::to_string).collect();
    writeln!(out, "  new states at each depth: {}", depths.join(" "))
}
