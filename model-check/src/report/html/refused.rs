//! The page of a trace that was judged: where it ceases to be a behaviour of the model, or that it does not.

use maud::{Markup, html};

use super::sheet::sheet;
use super::{events, nearest, parts, shell};
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
                p.note { (parts::capital(&earlier.label)) ":" }
                (marked(&earlier.line, &earlier.span, "cause"))
            }
        }
        section aria-labelledby="edits" {
            h2 id="edits" { "What would have to be different" }
            (nearest::edits(&divergence.edits))
        }
        section aria-labelledby="steps" {
            h2 id="steps" { "The last lines of " (divergence.computer) }
            p.hint { "A dot is a step of one participant, an arrow a message. Arrow keys go from line to line." }
            (sheet(&events::last_lines(divergence, subject)))
        }
        section aria-labelledby="allowed" {
            h2 id="allowed" { "What the model would have taken here" }
            @if divergence.allowed.is_empty() { p { "Nothing." } }
            ul {
                @for action in &divergence.allowed { li { (action) } }
                @if divergence.allowed_more > 0 { li.quiet { "and " (divergence.allowed_more) " more" } }
            }
        }
        (nearest::shorter(divergence))
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
                                    td { (fired.end()) }
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
