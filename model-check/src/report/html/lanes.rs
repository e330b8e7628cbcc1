//! The sequence diagram, cut into one strip for each row of a table, so that a step and its values stand side by side
//! however high the row is.
//!
//! Places are percentages and the marks stand in frames of their own, so that a strip fits whatever width it is given.

use maud::{Markup, html};

/// How far below the top of its row an arrow is drawn: at the first line of the text beside it.
const LEVEL: u32 = 20;

/// What a strip shows on the lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stroke {
    /// The place of the lane from which it comes.
    pub(super) from: usize,
    /// The place of the lane where it goes; the same for a step that reaches nobody else.
    pub(super) to: usize,
    /// Whether it is crossed out.
    pub(super) is_crossed: bool,
}

/// The names above the lanes. They are no picture: a browser that repeats the head of a table on each printed page
/// drops parts of one.
pub(super) fn head(lanes: &[&str]) -> Markup {
    html! {
        div.names { @for name in lanes { span { (name) } } }
    }
}

/// One row of the diagram.
pub(super) fn strip(lanes: &[&str], stroke: Option<Stroke>) -> Markup {
    html! {
        svg class="strip" role="img" aria-label=(spoken(lanes, stroke)) {
            @for place in 0..lanes.len() {
                @let x = percent(place, lanes.len());
                line class="life" x1=(x) x2=(x) y1="0" y2="100%" {}
            }
            @if let Some(stroke) = stroke { (mark(stroke, lanes.len())) }
        }
    }
}

fn mark(stroke: Stroke, lanes: usize) -> Markup {
    let Stroke { from, to, is_crossed } = stroke;
    let (start, end) = (percent(from, lanes), percent(to, lanes));
    // The tip touches the lane from the side that the arrow comes from.
    let tip = if to > from { "M0 0l-9 -5v10z" } else { "M0 0l9 -5v10z" };
    html! {
        g class=(if is_crossed { "stroke crossed" } else { "stroke" }) {
            @if from == to {
                circle cx=(start) cy=(LEVEL) r="5" {}
            } @else {
                line x1=(start) x2=(end) y1=(LEVEL) y2=(LEVEL) {}
                circle cx=(start) cy=(LEVEL) r="2.5" {}
                svg x=(end) y=(LEVEL) overflow="visible" { path d=(tip) {} }
            }
            @if is_crossed {
                svg x=(percent_of(from + to, 2 * lanes)) y=(LEVEL) overflow="visible" {
                    path class="cross" d="M-7 -7L7 7M-7 7L7 -7" {}
                }
            }
        }
    }
}

fn spoken(lanes: &[&str], stroke: Option<Stroke>) -> String {
    let name = |place: usize| lanes.get(place).copied().unwrap_or_default();
    match stroke {
        None => "nobody".to_owned(),
        Some(Stroke { from, to, .. }) if from == to => name(from).to_owned(),
        Some(Stroke { from, to, .. }) => format!("{} to {}", name(from), name(to)),
    }
}

/// The middle of the lane at this place.
fn percent(place: usize, lanes: usize) -> String {
    percent_of(2 * place, 2 * lanes)
}

/// The middle of the half lane at this place.
fn percent_of(half: usize, halves: usize) -> String {
    format!("{:.2}%", (half as f64 + 1.0) * 100.0 / halves as f64)
}
