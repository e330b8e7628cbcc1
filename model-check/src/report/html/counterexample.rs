//! The page of a counterexample.

use maud::{Markup, html};

use super::lanes::Stroke;
use super::sheet::{Cell, Column, Row, Sheet, Tone, sheet};
use super::{parts, shell};
use crate::report::counterexample::{Because, Change, Counterexample, Ending, Fair, RightStep, ShownField, ShownStep};
use crate::report::links::Links;
use crate::report::subject::Subject;
use crate::report::text::replay_command;

/// The whole page. `index` is the way to the table of all counterexamples, if there is one.
pub fn page(found: &Counterexample, subject: &Subject, links: &Links, index: Option<&str>) -> String {
    let title = format!("{} breaks {}", found.variant, found.property);
    let body = html! {
        header {
            (place(found, index))
            (badge(found, links))
            (facts(found, subject, links))
            (parts::command(&replay_command(found)))
        }
        main {
            section aria-labelledby="steps" {
                h2 id="steps" { "What happens" }
                p.hint {
                    "A dot is a step of one participant, an arrow a message. "
                    span.key.doubtful { "Yellow" } " is what " b { (found.variant) } " alone admits, "
                    span.key.wrong { "red" } " what breaks the sentence. Arrow keys go from step to step."
                }
                (sheet(&steps(found, subject, links)))
                (end(found, links))
                (unchanged(found))
            }
            section aria-labelledby="right" {
                h2 id="right" { "What the right rules make of the same steps" }
                p.hint {
                    "The same start, the same steps in the same order. What is refused changes nothing, and what needed "
                    "it is refused as well."
                }
                (sheet(&right_steps(found, subject, links)))
            }
            section aria-labelledby="reading" {
                h2 id="reading" { "Where to read on" }
                dl.reading {
                    (parts::reading(links, &found.requirement))
                    dt { "origin" }
                    dd { (parts::origins(links, &subject.origin)) " in " (parts::path(links, "docs/origins.md", "docs/origins.md")) }
                }
            }
        }
    };
    shell(&title, &body)
}

fn place(found: &Counterexample, index: Option<&str>) -> Markup {
    html! {
        nav {
            @match index {
                Some(index) => a href=(index) { "all variants" },
                None => "model-check",
            }
            " / " (found.protocol) " / " (found.variant)
        }
    }
}

fn badge(found: &Counterexample, links: &Links) -> Markup {
    html! {
        p.badge.bad { "broken: " (parts::requirement(links, &found.requirement)) " " (found.property) }
        h1 { (parts::capital(&found.sentence)) }
    }
}

fn facts(found: &Counterexample, subject: &Subject, links: &Links) -> Markup {
    let (states, bounds, names) = match found.ending {
        Ending::Harm | Ending::DeadEnd => (subject.states, &subject.bounds, ""),
        Ending::Loop { .. } => {
            (subject.states_endless, &subject.bounds_endless, "; names that are free are used again")
        }
    };
    html! {
        dl.facts {
            dt { "protocol" }
            dd { (found.protocol) }
            dt { "variant" }
            dd { b { (found.variant) } ": " (subject.change) " (" (parts::origins(links, &subject.origin)) ")" }
            dt { "length" }
            dd { "shortest, " (found.length().in_words()) }
            @if let Some(states) = states {
                dt { "searched" }
                dd { (parts::count(states)) " states" }
            }
            dt { "bounds" }
            dd { (found.profile) ": " (bounds) (names) }
        }
    }
}

fn steps<'a>(found: &Counterexample, subject: &'a Subject, links: &Links) -> Sheet<'a> {
    let states = found.states();
    let fields = changed_fields(found, changes(found));
    let last = found.steps.len().saturating_sub(1);
    let row = |(place, step): (usize, &ShownStep)| Row {
        number: place as u64 + 1,
        stroke: Some(stroke(subject, step, false)),
        tone: tone(found, place == last, step),
        action: step.action.clone(),
        note: why(found, step, links),
        cells: fields.iter().map(|field| cell(field, &step.changes, &states[place + 1])).collect(),
    };
    Sheet {
        lanes: &subject.lanes,
        columns: fields.iter().map(|field| Column::of(field)).collect(),
        rows: found.steps.iter().enumerate().map(row).collect(),
        cycle: found.cycle(),
        closing: for_ever(found),
        prefix: "step",
    }
}

/// What comes after the last step, if nothing ends with it.
fn for_ever(found: &Counterexample) -> Option<(Tone, Markup)> {
    let text = match &found.ending {
        Ending::Harm => return None,
        Ending::DeadEnd => html! { "No progress leads on from here." },
        Ending::Loop { steps: 0, .. } => html! { "Nothing more happens, for ever." },
        Ending::Loop { .. } => {
            let first = found.cycle().start + 1;
            html! { "Back to " (to_step(first)) ", and so on for ever." }
        }
    };
    Some((Tone::Wrong, text))
}

/// What the right rules do instead of waiting for ever.
fn go_on(found: &Counterexample) -> Option<(Tone, Markup)> {
    let next = &found.the_right_rules_go_on;
    let text = html! {
        "Here the right rules go on, with one of:"
        ul { @for action in next { li { (action) } } }
    };
    (!next.is_empty()).then_some((Tone::Plain, text))
}

fn to_step(number: usize) -> Markup {
    html! { a href=(format!("#step-{number}")) { "step " (number) } }
}

fn tone(found: &Counterexample, is_last: bool, step: &ShownStep) -> Tone {
    let breaks_by_its_last_step = !matches!(found.ending, Ending::Loop { .. });
    match &step.refused_by_the_right_rules {
        _ if is_last && breaks_by_its_last_step => Tone::Wrong,
        Some(_) => Tone::Doubtful,
        None => Tone::Plain,
    }
}

/// One sentence on why the step was possible.
fn why(found: &Counterexample, step: &ShownStep, links: &Links) -> Markup {
    html! {
        @match &step.refused_by_the_right_rules {
            Some(refusal) => {
                "Only " b { (found.variant) } " admits it. The right rules refuse it here by "
                (parts::refusal(links, refusal))
            },
            None => "The right rules admit it, too.",
        }
    }
}

fn right_steps<'a>(found: &Counterexample, subject: &'a Subject, links: &Links) -> Sheet<'a> {
    let fields = changed_fields(found, found.under_the_right_rules.iter().map(|step| step.changes.as_slice()));
    let row = |(place, (step, right)): (usize, (&ShownStep, &RightStep))| Row {
        number: place as u64 + 1,
        stroke: Some(stroke(subject, step, right.refusal.is_some())),
        tone: if right.refusal.is_some() { Tone::Refused } else { Tone::Plain },
        action: step.action.clone(),
        note: match &right.refusal {
            Some(refusal) => html! { "Refused by " (parts::refusal(links, refusal)) },
            None => html! { "Admitted." },
        },
        cells: fields.iter().map(|field| only_change(field, &right.changes)).collect(),
    };
    Sheet {
        lanes: &subject.lanes,
        columns: fields.iter().map(|field| Column::of(field)).collect(),
        rows: found.steps.iter().zip(&found.under_the_right_rules).enumerate().map(row).collect(),
        cycle: 0..0,
        closing: go_on(found),
        prefix: "right",
    }
}

fn stroke(subject: &Subject, step: &ShownStep, is_crossed: bool) -> Stroke {
    let (from, to) = subject.ends(&step.kind, &step.lane);
    Stroke { from, to, is_crossed }
}

/// The fields that these changes name, in the order in which states show them.
fn changed_fields<'a>(found: &'a Counterexample, changes: impl Iterator<Item = &'a [Change]>) -> Vec<&'a str> {
    let mut changed: Vec<&str> = Vec::new();
    for change in changes.flatten() {
        if !changed.contains(&change.field.as_str()) {
            changed.push(&change.field);
        }
    }
    // A field that comes only later stands behind those that were there from the start.
    let place = |name: &str| found.initial.iter().position(|field| field.name == name).unwrap_or(usize::MAX);
    changed.sort_by_key(|name| place(name));
    changed
}

fn changes(found: &Counterexample) -> impl Iterator<Item = &[Change]> {
    found.steps.iter().map(|step| step.changes.as_slice())
}

fn cell(field: &str, changes: &[Change], after: &[ShownField]) -> Cell {
    match (only_change(field, changes), after.iter().find(|known| known.name == field)) {
        (Cell::Nothing, Some(known)) => Cell::Same(known.value.clone()),
        (cell, _) => cell,
    }
}

fn only_change(field: &str, changes: &[Change]) -> Cell {
    let change = changes.iter().find(|change| change.field == field);
    change.map_or(Cell::Nothing, |change| Cell::Changed(change.before.clone(), change.after.clone()))
}

/// How it ends.
fn end(found: &Counterexample, links: &Links) -> Markup {
    let (what, fair): (&str, &[Fair]) = match &found.ending {
        Ending::Harm => ("The last step breaks", &[]),
        Ending::DeadEnd => ("From here no progress leads to a settled state, which breaks", &[]),
        Ending::Loop { steps: 0, fair } => ("Nothing needs to happen any more, which breaks", fair),
        Ending::Loop { fair, .. } => {
            ("What is bracketed repeats for ever, perhaps with other numbers, which breaks", fair)
        }
    };
    html! {
        p.end { (what) " " (parts::requirement(links, &found.requirement)) ": " (found.sentence) "." }
        @if !fair.is_empty() {
            h3 { "Why that is fair" }
            p.hint { "Whatever a fair behaviour must do at last, this one does, or it cannot." }
            table.fair {
                thead { tr { th scope="col" { "step" } th scope="col" { "what it is" } th scope="col" { "here" } } }
                tbody { @for fair in fair { (fair_to(fair)) } }
            }
        }
    }
}

fn fair_to(fair: &Fair) -> Markup {
    html! {
        tr {
            th scope="row" { (fair.class) }
            td { (fair.sentence) }
            td {
                @match fair.because {
                    Because::TakenBy(step) => { (to_step(step)) " is one" },
                    Because::NotPossibleAfter(0) => "not possible at the start",
                    Because::NotPossibleAfter(step) => { "not possible after " (to_step(step)) },
                    Because::NeverPossible => "never possible in the loop",
                }
            }
        }
    }
}

fn unchanged(found: &Counterexample) -> Markup {
    let changed = changed_fields(found, changes(found));
    let fields: Vec<&ShownField> =
        found.initial.iter().filter(|field| !changed.contains(&field.name.as_str())).collect();
    html! {
        @if !fields.is_empty() {
            p.hint {
                "Never changed: "
                @for (place, field) in fields.iter().enumerate() {
                    @if place > 0 { "; " }
                    (field.name) " " (field.value)
                }
                "."
            }
        }
    }
}
