//! Counterexamples and phases as Mermaid diagrams.

use std::fmt::Write;

use super::counterexample::{Counterexample, Ending};
use crate::engine::phases::Phases;

/// A sequence diagram. A message is an arrow where its kind stands in `arrows` (kind, from, to), and everything else a
/// step of its own lane.
pub fn sequence(found: &Counterexample, lanes: &[&str], arrows: &[(&str, &str, &str)]) -> String {
    let mut text = String::from("sequenceDiagram\n");
    for lane in lanes {
        push(&mut text, format_args!("    participant {lane}"));
    }
    let (first, last) = (lanes.first().copied().unwrap_or_default(), lanes.last().copied().unwrap_or_default());
    for (at, step) in found.steps.iter().enumerate() {
        if at == found.cycle().start {
            text.push_str("    loop for ever, perhaps with other numbers\n");
        }
        let own = (step.lane.as_str(), step.lane.as_str());
        let (from, to) = arrows.iter().find(|arrow| arrow.0 == step.kind).map_or(own, |arrow| (arrow.1, arrow.2));
        push(&mut text, format_args!("    {from}->>{to}: {}. {}", at + 1, plain(&step.action)));
        if let Some(guard) = &step.refused_by_the_right_rules {
            push(
                &mut text,
                format_args!("    Note over {to}: the right rules refuse this: {}", plain(&guard.to_string())),
            );
        }
    }
    match found.ending {
        Ending::Harm => {}
        Ending::DeadEnd => {
            push(&mut text, format_args!("    Note over {first},{last}: no progress leads on from here"));
        }
        Ending::Loop { steps: 0, .. } => {
            push(&mut text, format_args!("    Note over {first},{last}: nothing more happens, for ever"));
        }
        Ending::Loop { .. } => text.push_str("    end\n"),
    }
    push(&mut text, format_args!("    Note over {first},{last}: broken: {}", plain(&found.sentence)));
    text
}

/// A state diagram: the phases, and the kinds of actions that lead from one to another.
pub fn states(phases: &Phases, kinds: &[&str]) -> String {
    let mut names: Vec<&str> = phases.starts.iter().copied().collect();
    for (from, to) in phases.edges.keys() {
        names.extend([from, to]);
    }
    names.sort_unstable();
    names.dedup();
    let id = |name: &str| names.iter().position(|known| *known == name).unwrap_or_default();
    let mut text = String::from("stateDiagram-v2\n");
    for (at, name) in names.iter().enumerate() {
        push(&mut text, format_args!("    s{at}: {}", plain(name)));
    }
    for start in &phases.starts {
        push(&mut text, format_args!("    [*] --> s{}", id(start)));
    }
    for ((from, to), by) in &phases.edges {
        let by: Vec<&str> = by.iter().map(|kind| kinds[*kind]).collect();
        push(&mut text, format_args!("    s{} --> s{}: {}", id(from), id(to), by.join(", ")));
    }
    text
}

/// Mermaid ends a statement at a semicolon, and starts a comment or an entity with some others.
fn plain(text: &str) -> String {
    text.replace([';', '#', '%'], ",")
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes every text");
}
