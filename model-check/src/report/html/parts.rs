//! What several pages have in common.

use maud::{Markup, html};

use crate::report::counterexample::Refusal;
use crate::report::links::{self, Evidence, Links};

/// A path of the repository: a link where it is known how to get there.
pub(super) fn path(links: &Links, path: &str, text: &str) -> Markup {
    html! {
        @match links.to(path) {
            Some(href) => a href=(href) { (text) },
            None => span.path title=(path) { (text) },
        }
    }
}

/// A requirement by its id.
pub(super) fn requirement(links: &Links, id: &str) -> Markup {
    path(links, &links::requirement(id), id)
}

/// Why a step is refused, with both values.
pub(super) fn refusal(links: &Links, refusal: &Refusal) -> Markup {
    let Refusal { requirement, sentence, found, against } = refusal;
    html! {
        (self::requirement(links, requirement)) ", " (sentence) ": found " b { (found) } ", against " b { (against) } "."
    }
}

/// What to read about a requirement: its sentence, the model, the code and the tests.
pub(super) fn reading(links: &Links, id: &str) -> Markup {
    let Some(Evidence { sentence, model, code, tests }) = links::evidence(id) else { return html! {} };
    html! {
        dt { (requirement(links, id)) }
        dd { (sentence) }
        dt { "model" }
        dd { (model.replace('`', "")) }
        @if !code.is_empty() {
            dt { "code" }
            dd { ul { @for file in code { li { (path(links, file, file)) } } } }
        }
        @if !tests.is_empty() {
            dt { "tests" }
            dd { ul { @for name in tests { li { (path(links, "docs/traceability.md", name)) } } } }
        }
    }
}

/// The rows of `docs/origins.md`, each with the page that tells it.
pub(super) fn origins(links: &Links, rows: &str) -> Markup {
    html! {
        @for (place, row) in rows.split_whitespace().enumerate() {
            @if place > 0 { " " }
            (path(links, links::origin(row), row))
        }
    }
}

/// A command to copy.
pub(super) fn command(text: &str) -> Markup {
    html! {
        div.command {
            code { (text) }
            (copy())
        }
    }
}

/// A button that copies what stands before it.
pub(super) fn copy() -> Markup {
    html! { button type="button" data-copy hidden { "copy" } }
}

/// A number with its thousands apart.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A sentence as a title.
pub(super) fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
