//! The lines of one computer up to the one that was refused, and some behind it, to be played again with a difference.

use std::collections::BTreeSet;

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Header};

use super::judge::Judge;
use super::limits::PAST;
use super::report::Shown;
use super::track::{Cause, Track};

/// How many lines behind the refused one are looked at.
const BEHIND: usize = 64;

/// The lines of one computer.
pub(super) struct Past {
    before: Vec<Shown>,
    /// There were more, and so they cannot be played from the beginning.
    is_cut: bool,
    refused: Option<Shown>,
    behind: Vec<Shown>,
}

impl Past {
    pub(super) fn new() -> Past {
        Past { before: Vec::new(), is_cut: false, refused: None, behind: Vec::new() }
    }

    /// A line that was taken.
    pub(super) fn note(&mut self, line: Shown) {
        match self.before.len() < PAST {
            true => self.before.push(line),
            false => self.is_cut = true,
        }
    }

    /// The line that was refused.
    pub(super) fn refuse(&mut self, line: Shown) {
        self.refused = Some(line);
    }

    /// A line behind it. Says whether another one is wanted.
    pub(super) fn note_behind(&mut self, line: Shown) -> bool {
        self.behind.push(line);
        self.behind.len() < BEHIND
    }

    /// All of it as events, unless there is too much.
    pub(super) fn events(&self) -> Option<Scene<'_>> {
        let refused = self.refused.as_ref().filter(|_| !self.is_cut)?;
        // What cannot be read is behind the refused line, and reported elsewhere.
        let behind = self.behind.iter().map_while(event).collect();
        let before: Option<Vec<Event<'_>>> = self.before.iter().map(event).collect();
        Some(Scene { lines: &self.before, before: before?, refused: event(refused)?, behind })
    }
}

fn event(line: &Shown) -> Option<Event<'_>> {
    serde_json::from_str(&line.text).ok()
}

/// What one computer went through, as events.
pub(super) struct Scene<'a> {
    /// The text of what came before.
    pub(super) lines: &'a [Shown],
    pub(super) before: Vec<Event<'a>>,
    pub(super) refused: Event<'a>,
    pub(super) behind: Vec<Event<'a>>,
}

impl Scene<'_> {
    /// A header in whose name these events can be said: of all the processes, those that speak.
    pub(super) fn header(&self, headers: &[Header]) -> Option<Header> {
        let all = self.before.iter().chain([&self.refused]).chain(&self.behind);
        let names: BTreeSet<&str> = all.flat_map(processes).collect();
        let processes = names.into_iter().map(str::to_owned).collect();
        headers.first().map(|header| Header { processes, ..header.clone() })
    }
}

/// The processes that an event names: each must be declared.
pub(super) fn processes<'e>(event: &'e Event<'_>) -> impl Iterator<Item = &'e str> {
    let owner = event.standing.as_ref().and_then(|standing| standing.owner.as_deref());
    [Some(&*event.process), event.by.as_deref(), owner].into_iter().flatten()
}

/// A judge who has taken all of these events; none, if one was refused.
pub(super) fn judge_after<'e, T: Track>(
    rules: &T::Rules,
    header: &Header,
    events: impl IntoIterator<Item = &'e Event<'e>>,
) -> Option<Judge<T>> {
    let mut judge = Judge::new(*rules, std::slice::from_ref(header));
    events.into_iter().all(|event| judge.retake(event).is_ok()).then_some(judge)
}

/// The guards of this requirement, each with rules that do not have it.
pub(super) fn without_each<T: Track>(
    rules: &T::Rules,
    requirement: Requirement,
) -> impl Iterator<Item = (T::Check, T::Rules)> + use<'_, T> {
    let of_it = T::CHECKS.iter().copied().filter(move |check| T::info(*check).requirement == requirement);
    of_it.map(|check| (check, T::without(rules, check)))
}

/// The guard that refused: the one without which the event would have been taken, or else refused for something else.
pub(super) fn blamed<C: Copy, R: PartialEq>(cause: Cause<R>, answers: &[(C, Option<Cause<R>>)]) -> Option<C> {
    let takes = answers.iter().find(|(_, answer)| answer.is_none());
    let differs = answers.iter().find(|(_, answer)| answer.as_ref() != Some(&cause));
    takes.or(differs).map(|(check, _)| *check)
}
