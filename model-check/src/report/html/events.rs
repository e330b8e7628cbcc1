//! Lines of a trace as a table: what each says, and who says it to whom.

use maud::html;
use outlive_spec::trace::{Event, Outcome, Phase, Side};
use serde::Serialize;

use super::lanes::Stroke;
use super::sheet::{Cell, Column, Row, Sheet, Tone};
use crate::conform::report::{Divergence, Shown};
use crate::report::subject::Subject;

/// The last lines of the computer as a table, with the one that was refused at the end.
pub(super) fn last_lines<'a>(divergence: &Divergence, subject: &'a Subject) -> Sheet<'a> {
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
    Sheet { lanes: &subject.lanes, columns, rows, cycle: 0..0, closing: None, prefix: "line" }
}

/// What an event says in one of its fields.
type Read = fn(&Event<'_>) -> Option<String>;

/// The fields of an event that say what was done. Those that say who did it stand elsewhere.
const FIELDS: [(&str, Read); 21] = [
    ("event: incarnation", |event| Some(event.incarnation?.to_string())),
    ("event: generation", |event| Some(event.generation?.to_string())),
    ("event: expected", |event| Some(event.expected?.to_string())),
    ("event: minted", |event| Some(event.minted?.to_string())),
    ("event: life", |event| Some(event.life.as_ref()?.to_string())),
    ("event: by", |event| Some(event.by.as_ref()?.to_string())),
    ("event: kind", |event| word(event.kind.as_ref()?)),
    ("event: launch", |event| Some(event.launch?.to_string())),
    ("event: revision", |event| Some(event.revision?.to_string())),
    ("event: condition", |event| word(event.condition.as_ref()?)),
    ("event: mark", |event| Some(event.mark?.to_string())),
    ("event: ending", |event| word(event.ending.as_ref()?)),
    ("event: conclusion", |event| word(event.conclusion.as_ref()?)),
    ("row: incarnation", |event| Some(event.row?.incarnation.to_string())),
    ("row: phase", |event| Some(if event.row?.resetting { "resetting" } else { "open" }.to_owned())),
    ("row: page", |event| {
        Some(match event.row?.page {
            None => "none".to_owned(),
            Some((incarnation, generation)) => format!("generation {generation} of incarnation {incarnation}"),
        })
    }),
    ("row: revision", |event| Some(event.standing.as_ref()?.revision.to_string())),
    ("row: says", |event| word(&event.standing.as_ref()?.phase)),
    ("row: launch", |event| Some(event.standing.as_ref()?.launch.to_string())),
    ("row: owner", |event| {
        Some(event.standing.as_ref()?.owner.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string))
    }),
    ("row: mark", |event| Some(event.standing.as_ref()?.mark.to_string())),
];

/// As it is written in a trace.
fn word(value: &impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

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
    let (from, to) = subject.ends(&kind, lane(event.action.side()));
    Row {
        number,
        stroke: Some(Stroke { from, to, is_crossed: false }),
        tone: Tone::Plain,
        action: action(event),
        note: html! { "logged by " (event.process) },
        cells: fields.iter().map(|field| field.1(event).map_or(Cell::Nothing, Cell::Told)).collect(),
    }
}

/// What was done. A word about a call of the store says that it is one.
fn action(event: &Event<'_>) -> String {
    let word = event.action.word();
    match (event.phase, event.outcome, event.because) {
        (Phase::Begin, ..) => format!("{word} is called"),
        (_, Outcome::Unknown, _) => format!("{word}, outcome unknown"),
        (_, _, Some(because)) => format!("{word}, refused by {because}"),
        (Phase::End, ..) => format!("{word} has ended, done"),
        (Phase::Commit | Phase::Observe | Phase::Marker, ..) => word.to_owned(),
    }
}

/// Who does it, where it reaches nobody else.
fn lane(side: Side) -> &'static str {
    match side {
        Side::Computer => "computer",
        Side::Gateway => "gateway",
        Side::Store => "store",
        Side::Provider => "provider",
    }
}
