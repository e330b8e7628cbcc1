//! What a line could have said instead, the nearest first.

use outlive_spec::operation::state::State;
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Conclusion, Condition, Ending, Event, Kind, Outcome, Text};

use crate::conform::track::Change;

/// Changes of one field, numbers first and the nearest number first; then of what was seen and how it ended; then of
/// who it was.
pub(super) fn changes<'a>(event: &Event<'a>, state: &State, gateways: &[Box<str>]) -> Vec<Change<'a>> {
    let mut changes = numbers(event, state);
    changes.extend(words(event));
    changes.extend(outcomes(event, state));
    changes.extend(names(event, gateways));
    changes
}

/// A field that holds a number.
type Field = (&'static str, for<'e, 'a> fn(&'e mut Event<'a>) -> &'e mut Option<u64>);

const FIELDS: [Field; 3] = [
    ("launch", |event| &mut event.launch),
    ("revision", |event| &mut event.revision),
    ("mark", |event| &mut event.mark),
];

fn numbers<'a>(event: &Event<'a>, state: &State) -> Vec<Change<'a>> {
    let (row, provider) = (&state.row, &state.provider);
    let instance = provider.instance.map(|it| it.launch.0);
    let known = [row.launch.0, row.revision.0, row.mark.0, provider.mark.0, provider.mark.0 + 1, provider.fence.0];
    let mut changes = Vec::new();
    for (name, field) in FIELDS {
        let Some(said) = *field(&mut event.clone()) else { continue };
        let known = known.into_iter().chain(instance).map(u64::from);
        let others = [said.saturating_sub(1), said + 1].into_iter().chain(known).filter(|number| *number != said);
        for number in others {
            let mut changed = event.clone();
            *field(&mut changed) = Some(number);
            changes
                .push((number.abs_diff(said), Change { words: format!("the `{name}` were {number}"), event: changed }));
        }
    }
    changes.sort_by_key(|(distance, _)| *distance);
    changes.into_iter().map(|(_, change)| change).collect()
}

fn words<'a>(event: &Event<'a>) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    let mut change = |words: String, event: Event<'a>| changes.push(Change { words, event });
    if event.condition.is_some() {
        for (word, condition) in [
            ("booting", Condition::Booting),
            ("up", Condition::Up),
            ("exited", Condition::Exited),
            ("absent", Condition::Absent),
        ] {
            let condition = Some(condition);
            change(format!("the `condition` were `{word}`"), Event { condition, ..event.clone() });
        }
    }
    if event.conclusion.is_some() {
        for (word, conclusion) in [
            ("nothing", Conclusion::Nothing),
            ("ready", Conclusion::Ready),
            ("error", Conclusion::Error),
            ("prune", Conclusion::Prune),
        ] {
            let conclusion = Some(conclusion);
            change(format!("the `conclusion` were `{word}`"), Event { conclusion, ..event.clone() });
        }
    }
    if event.ending.is_some() {
        for (word, ending) in [("done", Ending::Done), ("failed", Ending::Failed)] {
            change(format!("the `ending` were `{word}`"), Event { ending: Some(ending), ..event.clone() });
        }
    }
    if event.kind.is_some() {
        for (word, kind) in [("start", Kind::Start), ("stop", Kind::Stop), ("delete", Kind::Delete)] {
            change(format!("the `kind` were `{word}`"), Event { kind: Some(kind), ..event.clone() });
        }
    }
    changes
}

fn outcomes<'a>(event: &Event<'a>, state: &State) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    let blank = Event { standing: None, ..event.clone() };
    if event.outcome == Outcome::Refused {
        let next = Some(u64::from(state.row.launch.0) + 1);
        for launch in [event.launch, next] {
            let changed = Event { outcome: Outcome::Done, because: None, launch, ..blank.clone() };
            changes.push(Change { words: "it were done".to_owned(), event: changed });
        }
    }
    for because in Requirement::ALL.iter().filter(|because| event.because != Some(**because)) {
        let words = || format!("it were refused because of {because}");
        let changed = Event { outcome: Outcome::Refused, because: Some(*because), ..blank.clone() };
        // A refusal does not say what it would have made.
        let bare = Event { launch: None, ..changed.clone() };
        let unwritten = Event { conclusion: None, ..changed.clone() };
        changes.extend([changed, bare, unwritten].map(|event| Change { words: words(), event }));
    }
    changes
}

fn names<'a>(event: &Event<'a>, gateways: &[Box<str>]) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    for gateway in gateways {
        let process = Text::from(gateway.to_string());
        let words = format!("the `process` were `{gateway}`");
        changes.push(Change { words, event: Event { process, ..event.clone() } });
    }
    if event.operation.is_some() {
        let words = "it bore no `operation`".to_owned();
        changes.push(Change { words, event: Event { operation: None, ..event.clone() } });
    }
    if event.standing.is_some() {
        let words = "the `standing` were the model's".to_owned();
        changes.push(Change { words, event: Event { standing: None, ..event.clone() } });
    }
    changes
}
