//! A counterexample as one picture. Every mark carries its own attributes: viewers of Markdown throw styles away, and
//! what was styled turns black there.

use std::cmp::Ordering;

use maud::{Markup, html};

use super::counterexample::{Counterexample, Ending, ShownStep};
use super::subject::Subject;

const LANE: usize = 260;
const MARGIN: usize = 40;
const HEAD: usize = 56;
const LINE: usize = 18;
/// How many letters of the font fit between two lanes.
const LETTERS: usize = 34;

const TEXT: &str = "#1a1d21";
const QUIET: &str = "#59616c";
const LIFE: &str = "#b5bdc8";
const BAD: &str = "#a8201a";
const BAD_SOFT: &str = "#fdeceb";
const DOUBT: &str = "#734a00";
const FONT: &str = "system-ui, 'Noto Sans', Helvetica, Arial, sans-serif";

/// One step with its place in the picture.
struct Placed<'a> {
    number: usize,
    step: &'a ShownStep,
    lines: Vec<String>,
    refusal: Vec<String>,
    top: usize,
    is_wrong: bool,
}

impl Placed<'_> {
    /// Where its arrow is drawn: below what is said of it.
    fn level(&self) -> usize {
        self.top + 12 + LINE * self.lines.len()
    }

    fn bottom(&self) -> usize {
        self.level() + 12 + LINE * self.refusal.len()
    }

    fn colour(&self) -> &'static str {
        match &self.step.refused_by_the_right_rules {
            _ if self.is_wrong => BAD,
            Some(_) => DOUBT,
            None => TEXT,
        }
    }
}

/// The picture, as a file of its own.
pub fn picture(found: &Counterexample, subject: &Subject) -> String {
    let steps = place(found);
    let bottom = steps.last().map_or(HEAD, Placed::bottom);
    let width = MARGIN * 2 + LANE * subject.lanes.len();
    let sentence = wrap(&format!("Broken: {}, {}", found.requirement, found.sentence), width / 8);
    let sentence: Vec<String> = rest(found).map(str::to_owned).into_iter().chain(sentence).collect();
    let height = bottom + 16 + LINE * (sentence.len() + 1);
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
            font-family=(FONT) font-size="13" role="img" aria-labelledby="name" {
            title id="name" { (found.variant) " breaks " (found.property) }
            rect width=(width) height=(height) fill="#ffffff" {}
            @if let Some(last) = steps.iter().find(|step| step.is_wrong) {
                rect x="0" y=(last.top) width=(width) height=(last.bottom() - last.top) fill=(BAD_SOFT) {}
            }
            (lanes(subject, bottom))
            @for step in &steps { (draw(step, subject)) }
            (bracket(found, &steps))
            (words(&sentence, MARGIN, bottom + 24, "start", BAD))
        }
    };
    picture.into_string() + "\n"
}

fn place(found: &Counterexample) -> Vec<Placed<'_>> {
    let mut top = HEAD;
    let mut steps = Vec::with_capacity(found.steps.len());
    for (place, step) in found.steps.iter().enumerate() {
        let number = place + 1;
        let is_wrong = number == found.steps.len() && !matches!(found.ending, Ending::Loop { .. });
        let placed = Placed { number, step, lines: wrap(&step.action, LETTERS), refusal: refusal(step), top, is_wrong };
        top = placed.bottom();
        steps.push(placed);
    }
    steps
}

fn refusal(step: &ShownStep) -> Vec<String> {
    let refusal = step.refused_by_the_right_rules.as_ref();
    refusal.map_or_else(Vec::new, |refusal| {
        let values = format!("found {}, against {}", refusal.found, refusal.against);
        [vec![format!("the right rules refuse it: {}", refusal.requirement)], wrap(&values, LETTERS)].concat()
    })
}

fn lanes(subject: &Subject, bottom: usize) -> Markup {
    html! {
        @for (place, name) in subject.lanes.iter().enumerate() {
            text x=(middle(place)) y="28" text-anchor="middle" font-weight="600" font-size="14" fill=(TEXT) { (name) }
            line x1=(middle(place)) x2=(middle(place)) y1="40" y2=(bottom) stroke=(LIFE) stroke-width="1" {}
        }
    }
}

fn draw(placed: &Placed<'_>, subject: &Subject) -> Markup {
    let (from, to) = subject.ends(&placed.step.kind, &placed.step.lane);
    let (start, end, level, colour) = (middle(from), middle(to), placed.level(), placed.colour());
    // A step of one lane is told beside its dot, and a message above its arrow, beside its sender: farther on another
    // lane would run through the text.
    let (text, anchor) = match to.cmp(&from) {
        Ordering::Equal => (start + 12, "start"),
        Ordering::Greater => (start + LANE / 2, "middle"),
        Ordering::Less => (start - LANE / 2, "middle"),
    };
    let tip = if end > start {
        [(end - 9, level - 5), (end - 9, level + 5)]
    } else {
        [(end + 9, level - 5), (end + 9, level + 5)]
    };
    let tip = format!("{end},{level} {},{} {},{}", tip[0].0, tip[0].1, tip[1].0, tip[1].1);
    html! {
        text x="14" y=(level + 4) fill=(QUIET) { (placed.number) }
        (words(&placed.lines, text, placed.top + LINE, anchor, colour))
        @if from == to {
            circle cx=(start) cy=(level) r="5" fill=(colour) {}
        } @else {
            line x1=(start) x2=(end) y1=(level) y2=(level) stroke=(colour) stroke-width="1.6" {}
            circle cx=(start) cy=(level) r="2.5" fill=(colour) {}
            polygon points=(tip) fill=(colour) {}
        }
        (words(&placed.refusal, text, level + LINE, anchor, DOUBT))
    }
}

/// From the last of the steps that repeat for ever back to the first.
fn bracket(found: &Counterexample, steps: &[Placed<'_>]) -> Markup {
    html! {
        @if let (Some(first), Some(last)) = (steps.get(found.cycle().start), steps.last()) {
            @let (from, to) = (last.bottom() - 4, first.top + 8);
            path d=(format!("M14 {from}H5V{to}H10")) fill="none" stroke=(BAD) stroke-width="2" {}
            path d=(format!("M16 {to}l-8 -4v8z")) fill=(BAD) {}
            text x="20" y=(to + 4) font-size="11" fill=(BAD) { "for ever" }
        }
    }
}

/// What comes after the last step, if no step does.
fn rest(found: &Counterexample) -> Option<&'static str> {
    match found.ending {
        Ending::Loop { steps: 0, .. } => Some("Nothing more happens, for ever."),
        Ending::DeadEnd => Some("No progress leads on from here."),
        Ending::Harm | Ending::Loop { .. } => None,
    }
}

fn words(lines: &[String], x: usize, y: usize, anchor: &str, colour: &str) -> Markup {
    html! {
        @for (place, line) in lines.iter().enumerate() {
            text x=(x) y=(y + place * LINE) text-anchor=(anchor) fill=(colour) { (line) }
        }
    }
}

fn middle(lane: usize) -> usize {
    MARGIN + LANE * lane + LANE / 2
}

/// Breaks a text into lines of at most so many letters, about equally long.
fn wrap(text: &str, letters: usize) -> Vec<String> {
    let lines = fill(text, letters);
    let narrower = (1..letters).find(|narrower| fill(text, *narrower).len() == lines.len());
    narrower.map_or(lines, |narrower| fill(text, narrower))
}

/// Breaks a text into as few lines as can be. A word that is longer than a line is a line.
fn fill(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
