//! Why a trace diverges: a second reading, for the one computer whose event was refused.
//!
//! The first reading keeps nothing but states. This one keeps the last lines of that computer and the lines that made
//! each fact; finds the one guard whose absence would change the answer; asks the model what it would have allowed;
//! looks for the nearest edit (`edits.rs`) and for a shorter trace (`minimise.rs`); and runs the trace under every rule
//! that people have shipped or proposed, for one of them may be what the implementation does.

use std::collections::VecDeque;

use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Header};

use super::edits;
use super::input::Input;
use super::judge::Judge;
use super::minimise::{self, Reason};
use super::past::{Past, blamed};
use super::paste;
use super::presents::Presents;
use super::reading::{Line, Reading, Stop, span};
use super::report::{Divergence, Earlier, Field, Shown};
use super::track::{Cause, Track};
use super::unreadable::{Place, Unreadable};
use super::variants;

/// How many lines of the computer are shown before the one that was refused.
const RECENT: usize = 8;
/// How many steps are listed that would have been allowed.
const ALLOWED: usize = 12;

/// Reads again, and explains. Beyond the stop it also finds out whether the rest can be read at all.
pub(super) fn explain<T: Track>(
    inputs: &[Input],
    rules: &T::Rules,
    stop: &Stop,
) -> Result<(Divergence, Option<Unreadable>), Unreadable> {
    let mut divergence = second_reading::<T>(inputs, rules, stop)?;
    let (explained_by, unreadable) = variants::that_explain::<T>(inputs, stop)?;
    divergence.explained_by = explained_by;
    Ok((divergence, unreadable))
}

fn second_reading<T: Track>(inputs: &[Input], rules: &T::Rules, stop: &Stop) -> Result<Divergence, Unreadable> {
    let (mut reading, headers) = Reading::open(inputs)?;
    let (mut history, mut past) = (History::<T>::new(rules, &headers), Past::new());
    let mut found = None;
    while let Some(line) = reading.next()? {
        let event = line.event()?;
        if *event.computer != *stop.computer {
            continue;
        }
        if (line.source, line.number) == (stop.source, stop.line) {
            found = Some(history.divergence(&line, &event)?);
            past.refuse(show(&line));
            break;
        }
        history.note(&line, &event)?;
        past.note(show(&line));
    }
    // The file may have grown shorter since.
    let (mut divergence, reason) = found.ok_or_else(|| Unreadable::changed(stop.place(inputs)))?;
    note_what_is_behind(&mut reading, stop, &mut past);
    if let Some(scene) = past.events()
        && let Some(header) = scene.header(&headers)
    {
        divergence.edits = edits::nearest::<T>(&scene, rules, &header);
        let minimised = minimise::minimise(&scene, rules, &header, reason);
        divergence.test = Some(paste::test(&divergence, &minimised));
        divergence.minimised = Some(minimised);
    }
    Ok(divergence)
}

/// Keeps the next lines of the same computer. One that cannot be read ends them, and is reported by whoever reads all.
fn note_what_is_behind(reading: &mut Reading, stop: &Stop, past: &mut Past) {
    while let Ok(Some(line)) = reading.next() {
        let Ok(event) = line.event() else { return };
        if *event.computer == *stop.computer && !past.note_behind(show(&line)) {
            return;
        }
    }
}

/// One computer's past.
struct History<T: Track> {
    rules: T::Rules,
    judge: Judge<T>,
    recent: VecDeque<Shown>,
    /// In the order of [`Track::FACTS`].
    makers: Vec<Option<Earlier>>,
    /// The same past without one guard each. A guard decides by what it lets be remembered, too.
    without: Vec<(T::Check, Judge<T>)>,
}

impl<T: Track> History<T> {
    fn new(rules: &T::Rules, headers: &[Header]) -> History<T> {
        let makers = T::FACTS.iter().map(|_| None).collect();
        let without = T::CHECKS.iter().map(|&check| (check, Judge::new(T::without(rules, check), headers))).collect();
        History { rules: *rules, judge: Judge::new(*rules, headers), recent: VecDeque::new(), makers, without }
    }

    /// Takes a line that the first reading has taken.
    fn note(&mut self, line: &Line<'_>, event: &Event<'_>) -> Result<(), Unreadable> {
        let before = self.judge.presents(&event.computer).track().state().clone();
        self.judge.retake(event).map_err(|_fault| Unreadable::changed(line.place(None)))?;
        self.without.retain_mut(|(_, judge)| judge.retake(event).is_ok());
        let after = self.judge.presents(&event.computer).track().state().clone();
        for (fact, maker) in self.makers.iter_mut().enumerate() {
            if T::has_made(&before, &after, fact) {
                let span = span(line.bytes, "action").unwrap_or(0..line.bytes.len());
                *maker = Some(Earlier { line: show(line), span, label: T::FACTS[fact].to_owned() });
            }
        }
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(show(line));
        Ok(())
    }

    fn blame(&mut self, event: &Event<'_>, cause: Cause<T::Row>) -> Option<T::Check> {
        let Cause::Guard(guard) = cause else { return None };
        let of_the_requirement =
            self.without.iter_mut().filter(|(check, _)| T::info(*check).requirement == guard.requirement);
        let answers = of_the_requirement.map(|(check, judge)| (*check, judge.answer(event)));
        blamed(cause, &answers.collect::<Vec<_>>())
    }

    /// Explains a line that the first reading has refused.
    fn divergence(&mut self, line: &Line<'_>, event: &Event<'_>) -> Result<(Divergence, Reason<T>), Unreadable> {
        let changed = || Unreadable::changed(line.place(None));
        let presents = self.judge.presents(&event.computer);
        let track = presents.track();
        let said = self.judge.say(event).map_err(|_fault| changed())?;
        let action = track.action(&self.rules, &said);
        let cause = self.judge.answer(event).ok_or_else(changed)?;
        let check = self.blame(event, cause);
        let Because { field, fact, requirement, sentence, compares, found, against } =
            because(cause, check, event, &presents, action).ok_or_else(changed)?;
        let pointed = span(line.bytes, field).or_else(|| span(line.bytes, "action")).unwrap_or(0..line.bytes.len());
        let maker = fact.and_then(|at| self.makers[at].take());
        let model = T::model(&self.rules, self.judge.speakers().gateways().len());
        let (allowed, allowed_more) = allowed::<T>(&model, track, &action);
        let divergence = Divergence {
            line: Shown { place: Place { column: pointed.start as u64 + 1, ..line.place(None) }, ..show(line) },
            span: pointed,
            process: event.process.to_string(),
            computer: event.computer.to_string(),
            action: event.action,
            step: action.to_string(),
            requirement,
            sentence: sentence.to_owned(),
            check: check.map(|check| T::info(check).name.to_owned()),
            compares: compares.to_owned(),
            found,
            against,
            earlier: maker,
            names: track.names(self.judge.speakers()),
            state: model
                .describe(track.state())
                .into_iter()
                .map(|(name, value)| Field { name: name.to_owned(), value })
                .collect(),
            allowed,
            allowed_more,
            recent: std::mem::take(&mut self.recent).into(),
            explained_by: Vec::new(),
            edits: Vec::new(),
            minimised: None,
            test: None,
        };
        Ok((divergence, Reason { cause, check }))
    }
}

/// What forbids a step, and what of its line is wrong.
struct Because {
    field: &'static str,
    fact: Option<usize>,
    requirement: Option<Requirement>,
    sentence: &'static str,
    compares: &'static str,
    found: String,
    against: String,
}

/// Nothing, if it is not known whether the step is forbidden.
fn because<T: Track>(
    cause: Cause<T::Row>,
    check: Option<T::Check>,
    event: &Event<'_>,
    presents: &Presents<T>,
    action: T::Action,
) -> Option<Because> {
    Some(match cause {
        Cause::Guard(guard) => {
            let (field, fact) = check.map_or(("action", None), T::pointer);
            Because {
                field,
                fact,
                requirement: Some(guard.requirement),
                sentence: guard.requirement.sentence(),
                compares: check.map_or("no single guard", |check| T::info(check).what),
                found: guard.found.to_string(),
                against: guard.against.to_string(),
            }
        }
        Cause::Row { found, model } => Because {
            field: T::ROW,
            fact: None,
            requirement: None,
            sentence: "the row after the step is what the step leaves behind",
            compares: "the row that was observed is compared with the model's",
            found: found.to_string(),
            against: model.to_string(),
        },
        Cause::Operation => Because {
            field: "operation",
            fact: None,
            requirement: None,
            sentence: "an event bears the name of the operation that it belongs to, and each operation its own name",
            compares: "the message is compared with what was sent under the name of its operation",
            found: action.to_string(),
            against: presents.describe_operation(event.operation.as_deref().unwrap_or_default()),
        },
        Cause::Forgotten | Cause::TooManyOpen | Cause::TooManyPresents => return None,
    })
}

/// What the model would have taken here, the like of what was refused first, and how much more there is.
fn allowed<T: Track>(model: &T::Model, track: &T, refused: &T::Action) -> (Vec<String>, usize) {
    let mut proposed = Vec::new();
    model.actions(track.state(), &mut proposed);
    proposed.retain(|action| T::could_have_a_line(action) && model.apply(&mut track.state().clone(), action).is_ok());
    proposed.sort_by_key(|action| (model.kind(action) != model.kind(refused), model.refuses_by(action).is_some()));
    let more = proposed.len().saturating_sub(ALLOWED);
    (proposed.iter().take(ALLOWED).map(T::Action::to_string).collect(), more)
}

fn show(line: &Line<'_>) -> Shown {
    Shown { place: line.place(None), text: String::from_utf8_lossy(line.bytes).into_owned() }
}

#[cfg(test)]
mod tests;
