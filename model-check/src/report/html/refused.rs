//! The page of a trace that was judged: where it ceases to be a behaviour of the model, or that it does not.

use maud::{Markup, html};
use outlive_spec::trace::{Event, Verb};

use super::lanes::Stroke;
use super::sheet::{Cell, Column, Row, Sheet, Tone, sheet};
use super::{parts, shell};
use crate::conform::render::verdict;
use crate::conform::report::{Divergence, Field, Report, Shown, Verdict};
use crate::report::links::Links;
use crate::report::subject::Subject;

/// The whole page.
pub fn page(report: &Report, subject: &Subject, links: &Links) -> String {
    let body = html! {
        header {
            nav { "model-check / " (report.protocol) " / trace" }
            @match &report.divergence {
                Some(divergence) => (refusal(divergence, links)),
                None => {
                    p class=(if report.verdict == Verdict::Conforms { "badge good" } else { "badge bad" }) {
                        (word(report.verdict))
                    }
                    h1 { (verdict(report)) }
                },
            }
            (facts(report))
        }
        main {
            @if let Some(divergence) = &report.divergence { (divergence_sections(divergence, subject, links)) }
            (doubts(report))
            (coverage(report))
        }
    };
    shell(&verdict(report), &body)
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Conforms => "conforms",
        Verdict::Diverges => "does not conform",
        Verdict::DangerMissing => "a danger never occurred",
        Verdict::Inconclusive => "inconclusive",
        Verdict::NothingChecked => "nothing was checked",
        Verdict::Unreadable => "unreadable",
    }
}

fn refusal(divergence: &Divergence, links: &Links) -> Markup {
    html! {
        p.badge.bad {
            "does not conform: "
            @match divergence.requirement {
                Some(requirement) => (parts::requirement(links, requirement.id())),
                None => "another row",
            }
            " at " (divergence.line.place)
        }
        h1 { (parts::capital(&divergence.sentence)) }
    }
}

fn facts(report: &Report) -> Markup {
    let lines = report.lines;
    html! {
        dl.facts {
            dt { "trace" }
            dd { (report.files.join(", ")) }
            @if !report.writers.is_empty() {
                dt { "written by" }
                dd { (report.writers.join(", ")) }
            }
            dt { "events" }
            dd {
                (lines.events) ": " (lines.matched) " matched, " (lines.observed) " observed, " (lines.markers) " markers"
            }
            dt { "computers" }
            dd {
                (report.computers)
            }
        }
        @for file in &report.files { (parts::command(&format!("model-check conform {file}"))) }
    }
}

fn divergence_sections(divergence: &Divergence, subject: &Subject, links: &Links) -> Markup {
    html! {
        section aria-labelledby="line" {
            h2 id="line" { "The line" }
            (marked(&divergence.line, &divergence.span, "wrong"))
            (compared(divergence))
            @if let Some(earlier) = &divergence.earlier {
                p.note { (earlier.label) ":" }
                (marked(&earlier.line, &earlier.span, "cause"))
            }
        }
        section aria-labelledby="steps" {
            h2 id="steps" { "The last lines of " (divergence.computer) }
            p.hint { "A dot is a step of one participant, an arrow a message. Arrow keys go from line to line." }
            (sheet(&last_lines(divergence, subject)))
        }
        section aria-labelledby="allowed" {
            h2 id="allowed" { "What the model would have taken here" }
            @if divergence.allowed.is_empty() { p { "Nothing." } }
            ul {
                @for action in &divergence.allowed { li { (action) } }
                @if divergence.allowed_more > 0 { li.quiet { "and " (divergence.allowed_more) " more" } }
            }
        }
        section aria-labelledby="explained" {
            h2 id="explained" { "Whose rules these are" }
            @if divergence.explained_by.is_empty() { p { "No known rule explains the whole trace." } }
            ul {
                @for known in &divergence.explained_by {
                    li {
                        "The whole trace is a behaviour of " b { (known.variant) } ": " (known.change)
                        @if !known.origin.is_empty() { " (" (parts::origins(links, &known.origin)) ")" }
                    }
                }
            }
        }
        section aria-labelledby="state" {
            h2 id="state" { (divergence.computer) " before it" }
            dl.facts { (fields(&divergence.state)) (fields(&divergence.names)) }
        }
        @if let Some(requirement) = divergence.requirement {
            section aria-labelledby="reading" {
                h2 id="reading" { "Where to read on" }
                dl.reading { (parts::reading(links, requirement.id())) }
            }
        }
    }
}

fn fields(fields: &[Field]) -> Markup {
    html! {
        @for field in fields.iter().filter(|field| field.value != "none") {
            dt { (field.name) }
            dd { (field.value) }
        }
    }
}

/// A line of the trace with the part of it that matters.
fn marked(line: &Shown, span: &std::ops::Range<usize>, class: &str) -> Markup {
    let (start, end) = (span.start.min(line.text.len()), span.end.min(line.text.len()));
    // A span is of bytes, and what is no text was replaced when the line was shown.
    let parts = (line.text.get(..start), line.text.get(start..end), line.text.get(end..));
    html! {
        figure.line {
            figcaption { (line.place) }
            pre {
                @match parts {
                    (Some(before), Some(inside), Some(after)) => { (before) mark class=(class) { (inside) } (after) },
                    _ => (line.text),
                }
            }
        }
    }
}

fn compared(divergence: &Divergence) -> Markup {
    html! {
        dl.facts {
            dt { "step" }
            dd { (divergence.step) }
            dt { "guard" }
            dd {
                @if let Some(check) = &divergence.check { b { (check) } " compares " }
                (divergence.compares)
            }
            dt { "found" }
            dd { b { (divergence.found) } }
            dt { "against" }
            dd { b { (divergence.against) } }
        }
    }
}

fn last_lines<'a>(divergence: &Divergence, subject: &'a Subject) -> Sheet<'a> {
    let lines = divergence.recent.iter().chain([&divergence.line]);
    let events: Vec<_> = lines.map(|shown| (shown, serde_json::from_str(&shown.text).ok())).collect();
    let fields: Vec<(&str, Read)> = FIELDS.iter().copied().filter(|field| is_used(&events, field.1)).collect();
    let mut rows: Vec<Row> = events.iter().map(|(shown, event)| row(shown, event.as_ref(), &fields, subject)).collect();
    if let Some(last) = rows.last_mut() {
        last.tone = Tone::Wrong;
        last.stroke = last.stroke.map(|stroke| Stroke { is_crossed: true, ..stroke });
        last.action.clone_from(&divergence.step);
        last.note = html! { "The model refuses it." };
    }
    let columns = fields.iter().map(|field| Column::of(field.0)).collect();
    Sheet { lanes: &subject.lanes, columns, rows, cycle: 0..0, prefix: "line" }
}

/// What an event says in one of its fields.
type Read = fn(&Event<'_>) -> Option<String>;

/// The fields of an event that say what was done. Those that say who did it stand elsewhere.
const FIELDS: [(&str, Read); 9] = [
    ("event: incarnation", |event| Some(event.incarnation?.to_string())),
    ("event: generation", |event| Some(event.generation?.to_string())),
    ("event: expected", |event| Some(event.expected?.to_string())),
    ("event: minted", |event| Some(event.minted?.to_string())),
    ("event: life", |event| Some(event.life.as_ref()?.to_string())),
    ("event: by", |event| Some(event.by.as_ref()?.to_string())),
    ("row: incarnation", |event| Some(event.row?.incarnation.to_string())),
    ("row: phase", |event| Some(if event.row?.resetting { "resetting" } else { "open" }.to_owned())),
    ("row: page", |event| {
        Some(match event.row?.page {
            None => "none".to_owned(),
            Some((incarnation, generation)) => format!("generation {generation} of incarnation {incarnation}"),
        })
    }),
];

fn is_used(events: &[(&Shown, Option<Event<'_>>)], read: Read) -> bool {
    events.iter().filter_map(|(_, event)| event.as_ref()).any(|event| read(event).is_some())
}

/// Every line that is shown was read before as an event; one that cannot be is shown as it is.
fn row(shown: &Shown, event: Option<&Event<'_>>, fields: &[(&str, Read)], subject: &Subject) -> Row {
    let number = shown.place.line;
    let Some(event) = event else {
        let cells = fields.iter().map(|_| Cell::Nothing).collect();
        return Row { number, stroke: None, tone: Tone::Plain, action: shown.text.clone(), note: html! {}, cells };
    };
    let word = event.action.word();
    let kind = if event.because.is_some() { format!("refuse-{word}") } else { word.to_owned() };
    let (from, to) = subject.ends(&kind, lane(event.action));
    let action = match event.because {
        Some(because) => format!("{word}, refused by {because}"),
        None => word.to_owned(),
    };
    Row {
        number,
        stroke: Some(Stroke { from, to, is_crossed: false }),
        tone: Tone::Plain,
        action,
        note: html! { "logged by " (event.process) },
        cells: fields.iter().map(|field| field.1(event).map_or(Cell::Nothing, Cell::Told)).collect(),
    }
}

/// Who does it, where it reaches nobody else.
fn lane(verb: Verb) -> &'static str {
    match verb {
        Verb::Restart | Verb::Ask | Verb::Learn | Verb::Answer | Verb::Wipe | Verb::Perform => "computer",
        Verb::Begin | Verb::SendWipe | Verb::Load | Verb::Resolve | Verb::Crash => "gateway",
        Verb::Register | Verb::Save | Verb::Claim | Verb::Finish | Verb::Rollback => "store",
    }
}

fn doubts(report: &Report) -> Markup {
    html! {
        @if report.unreadable.is_some() || !report.doubts.is_empty() {
            section {
                h2 { "What is in doubt" }
                ul {
                    @if let Some(unreadable) = &report.unreadable { li { (unreadable) } }
                    @for doubt in &report.doubts { li { (doubt) } }
                }
            }
        }
    }
}

fn coverage(report: &Report) -> Markup {
    html! {
        @if !report.coverage.is_empty() {
            section {
                h2 { "What the trace has shown" }
                div.side {
                    table.counts {
                        thead { tr { th scope="col" { "action" } th scope="col" { "outcome" } th scope="col" { "times" } } }
                        tbody {
                            @for fired in &report.coverage {
                                tr {
                                    td { (fired.action.word()) }
                                    td {
                                        @match fired.because {
                                            Some(because) => { "refused by " (because) },
                                            None => "done",
                                        }
                                    }
                                    td { (fired.count) }
                                }
                            }
                        }
                    }
                    table.counts {
                        thead { tr { th scope="col" { "danger" } th scope="col" { "times" } } }
                        tbody {
                            @for opened in &report.windows { tr { td { (opened.sentence) } td { (opened.count) } } }
                        }
                    }
                }
            }
        }
    }
}
