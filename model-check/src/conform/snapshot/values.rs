//! What a line could have said instead, the nearest first.

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::state::{Cited, Stamp, State};
use outlive_spec::trace::{Event, Outcome, Text};

use super::Snapshots;
use crate::conform::track::Change;

/// Changes of one field, numbers first and the nearest number first; then of how it ended; then of names and whole
/// pages.
pub(super) fn changes<'a>(event: &Event<'a>, track: &Snapshots, gateways: &[Box<str>]) -> Vec<Change<'a>> {
    let mut changes = numbers(event, &track.state);
    changes.extend(outcomes(event, &track.state));
    changes.extend(names(event, track, gateways));
    changes.extend(pages(event, &track.state));
    changes
}

/// A field that holds a number.
type Field = (&'static str, for<'e, 'a> fn(&'e mut Event<'a>) -> &'e mut Option<u64>);

const FIELDS: [Field; 4] = [
    ("generation", |event| &mut event.generation),
    ("incarnation", |event| &mut event.incarnation),
    ("expected", |event| &mut event.expected),
    ("minted", |event| &mut event.minted),
];

fn numbers<'a>(event: &Event<'a>, state: &State) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    for (name, field) in FIELDS {
        let Some(said) = *field(&mut event.clone()) else { continue };
        let near = [said.saturating_sub(1), said + 1].into_iter();
        let others: Vec<u64> = near.chain(known(state)).filter(|number| *number != said).collect();
        for number in others {
            let mut changed = event.clone();
            *field(&mut changed) = Some(number);
            let words = format!("the `{name}` were {number}");
            changes.push((number.abs_diff(said), Change { words, event: changed }));
        }
    }
    changes.sort_by_key(|(distance, _)| *distance);
    changes.into_iter().map(|(_, change)| change).collect()
}

/// Numbers that mean something here.
fn known(state: &State) -> impl Iterator<Item = u64> {
    let (store, process) = (&state.store, &state.process);
    let incarnations = [store.incarnation.0, store.incarnation.0 + 1, store.since.0];
    let own = process.incarnation.into_iter().chain(process.reply).map(|it| it.0);
    let generations = [process.generation.0, process.generation.0 + 1, 0];
    let cited = cited(state).into_iter().map(|cited| cited.generation.0);
    let all: Vec<u32> = incarnations.into_iter().chain(own).chain(generations).chain(cited).collect();
    all.into_iter().map(u64::from)
}

/// The pages that somebody may speak of.
fn cited(state: &State) -> Vec<Cited> {
    let pages = state.store.page.iter().chain(state.shown.iter()).chain(state.saves.iter());
    pages.map(|save| save.cited).collect()
}

fn outcomes<'a>(event: &Event<'a>, state: &State) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    let blank = Event { row: None, minted: None, ..event.clone() };
    if event.outcome == Outcome::Refused {
        let next = u64::from(state.store.incarnation.0) + 1;
        for minted in [None, Some(next)] {
            let changed = Event { outcome: Outcome::Done, because: None, minted, ..blank.clone() };
            changes.push(Change { words: "it were done".to_owned(), event: changed });
        }
    }
    for because in Requirement::ALL.iter().filter(|because| event.because != Some(**because)) {
        let changed = Event { outcome: Outcome::Refused, because: Some(*because), ..blank.clone() };
        let words = format!("it were refused because of {because}");
        changes.push(Change { words: words.clone(), event: changed.clone() });
        // A refusal does not say what it would have made.
        changes.push(Change { words, event: Event { generation: None, life: None, ..changed } });
    }
    changes
}

fn names<'a>(event: &Event<'a>, track: &Snapshots, gateways: &[Box<str>]) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    let text = |name: &str| Text::from(name.to_owned());
    if event.life.is_some() {
        for (_, name) in track.lives.iter() {
            let words = format!("the `life` were `{name}`");
            changes.push(Change { words, event: Event { life: Some(text(&name)), ..event.clone() } });
        }
        let words = "the `life` had a name of its own".to_owned();
        let own = Event { life: Some(text("a name that nobody has borne")), ..event.clone() };
        changes.push(Change { words, event: own });
    }
    for gateway in gateways {
        let words = format!("the `process` were `{gateway}`");
        changes.push(Change { words, event: Event { process: text(gateway), ..event.clone() } });
        if event.by.is_some() {
            let words = format!("it were sent `by` `{gateway}`");
            changes.push(Change { words, event: Event { by: Some(text(gateway)), ..event.clone() } });
        }
    }
    if event.operation.is_some() {
        let words = "it bore no `operation`".to_owned();
        changes.push(Change { words, event: Event { operation: None, ..event.clone() } });
    }
    if event.row.is_some() {
        let words = "the `row` were the model's".to_owned();
        changes.push(Change { words, event: Event { row: None, ..event.clone() } });
    }
    changes
}

fn pages<'a>(event: &Event<'a>, state: &State) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    for Cited { stamp, generation } in cited(state) {
        let Stamp::Is(incarnation) = stamp else { continue };
        let words = format!("it were of the page of {incarnation}, {generation}");
        let (incarnation, generation) = (Some(incarnation.0.into()), Some(generation.0.into()));
        changes.push(Change { words, event: Event { incarnation, generation, ..event.clone() } });
    }
    let words = "it showed no page".to_owned();
    changes.push(Change { words, event: Event { incarnation: None, generation: None, ..event.clone() } });
    changes
}

#[cfg(test)]
mod tests {
    use outlive_spec::snapshot::variants::RIGHT;
    use outlive_spec::trace::Header;

    use super::*;
    use crate::conform::judge::Judge;

    const TRACE: &str = include_str!("../../../traces/accepted/save-3-late-save-after-reset.jsonl");

    /// Behind a whole trace: a page is stored, in the second incarnation since a reset. Of all refusals one is told.
    fn told(line: &str) -> String {
        let (header, events) = TRACE.split_once('\n').expect("a header");
        let header: Header = serde_json::from_str(header).expect("a header");
        let mut judge = Judge::<Snapshots>::new(RIGHT, &[header]);
        for line in events.lines() {
            judge.retake(&serde_json::from_str(line).expect("an event")).expect("the trace is accepted");
        }
        let event: Event<'_> = serde_json::from_str(line).expect("an event");
        let gateways = [Box::from("gateway-1"), Box::from("gateway-2")];
        let changes = changes(&event, judge.presents(&event.computer).track(), &gateways);
        let told = changes.iter().filter(|it| !it.words.contains("refused") || it.words.contains("RESET-2"));
        let told = told.map(|it| format!("{}\n  {}", it.words, serde_json::to_string(&it.event).expect("JSON")));
        told.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn each_change_is_the_one_that_its_words_say() {
        let page = r#""phase":"observe","action":"load","computer":"red","incarnation":5,"generation":7"#;
        let refused = r#""phase":"commit","action":"rollback","computer":"red","incarnation":3,"generation":1,"#;
        let why = r#""expected":3,"outcome":"refused","because":"SAVE-7","operation":"back""#;
        let row = r#""row":{"incarnation":3,"resetting":false,"since":2,"page":[3,1]}"#;
        let wipe = r#""phase":"commit","action":"wipe","computer":"red","incarnation":3,"generation":0"#;
        let lives = r#""life":"life-2","by":"gateway-2""#;
        insta::assert_snapshot!(
            [page, &format!("{refused}{why},{row}"), &format!("{wipe},{lives}")]
                .map(|fields| told(&format!(r#"{{"process":"gateway-1","sequence":9,{fields}}}"#)))
                .join("\n\n")
        );
    }
}
