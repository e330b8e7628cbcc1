//! Pages for reviewers: one file each, which works from a disk, prints, and loads nothing.
//!
//! Everything that a model, a trace or a file name says goes through maud, which escapes it. What does not is ours: the
//! style and the script beside this file, and nothing else.

mod counterexample;
mod events;
mod lanes;
mod matrix;
mod nearest;
mod parts;
mod refused;
mod sheet;

pub use counterexample::page as counterexample;
pub use matrix::{Searched, page as matrix};
pub use refused::page as refused;

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/keys.js");

/// A browser that obeys it fetches nothing, whatever stands in the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'";

/// A whole page.
fn shell(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}
