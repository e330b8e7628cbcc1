//! How near a refused trace is to one that is taken, and how little of it is refused for the same.

use maud::{Markup, html};

use super::parts;
use crate::conform::render;
use crate::conform::report::{Divergence, Edit, Minimised};

/// What would have to be different for the line to be taken, the best guess first.
pub(super) fn edits(edits: &[Edit]) -> Markup {
    html! {
        @if edits.is_empty() { p { "No single change was found with which the model takes the line." } }
        ul {
            @for edit in edits { li { (with_code(&parts::capital(&render::edit(edit)))) "." } }
        }
    }
}

/// The shorter trace, and the test that holds on to it. A trace that is too long has neither.
pub(super) fn shorter(divergence: &Divergence) -> Markup {
    let Some(minimised) = &divergence.minimised else { return html! {} };
    html! {
        section aria-labelledby="shorter" {
            h2 id="shorter" { "A shorter trace that is refused for the same" }
            p { (parts::capital(&render::shorter(minimised))) "." }
            (lines(minimised))
            @if let Some(test) = &divergence.test {
                details {
                    summary { "The same as a test in Rust, to be pasted beside a fix" }
                    div.command { pre { (test) } (parts::copy()) }
                }
            }
        }
    }
}

/// The lines by their numbers. The first is the header, and the last is the one that is refused.
fn lines(minimised: &Minimised) -> Markup {
    let last = minimised.lines.len().saturating_sub(1);
    html! {
        figure.line {
            ol {
                @for (at, line) in minimised.lines.iter().enumerate() {
                    li class=[(at == 0).then_some("quiet").or((at == last).then_some("wrong"))] { (line) }
                }
            }
        }
    }
}

/// What stands between backticks is as it is written in a trace.
fn with_code(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
