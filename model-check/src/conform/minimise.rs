//! A shorter trace that is refused for the same reason.
//!
//! Delta debugging: lines are left out in ever smaller pieces. A piece stays out if the rest is still taken up to its
//! last line, and that line is still refused by the same guard. In the end no single line can be left out any more. The
//! sequences are renumbered, since nothing was lost.

use std::collections::BTreeMap;

use outlive_spec::trace::{Event, Header};

use super::past::{Scene, blamed, judge_after, processes, without_each};
use super::report::Minimised;
use super::track::{Cause, Track};
use super::write::line;

/// How many events are judged at most before what has been found so far is taken.
const BUDGET: usize = 2_000_000;

/// What a shorter trace must be refused for.
pub(super) struct Reason<T: Track> {
    pub(super) cause: Cause<T::Row>,
    pub(super) check: Option<T::Check>,
}

/// Looks for a shorter trace.
pub(super) fn minimise<T: Track>(scene: &Scene<'_>, rules: &T::Rules, header: &Header, reason: Reason<T>) -> Minimised {
    let mut search = Search { scene, rules, header, reason, budget: BUDGET };
    let mut kept: Vec<usize> = (0..scene.before.len()).collect();
    let mut piece = kept.len().div_ceil(2);
    while piece > 0 && search.budget > 0 {
        let before = kept.len();
        search.leave_out(&mut kept, piece);
        // One line may be needed only by another one that has just been left out.
        let is_done = piece == 1 && kept.len() == before;
        piece = if is_done { 0 } else { piece.div_ceil(2).min(kept.len()) };
    }
    let events = kept.iter().map(|at| &scene.before[*at]).chain([&scene.refused]);
    Minimised { lines: lines(header, events), of: scene.before.len() + 1, is_minimal: search.budget > 0 }
}

struct Search<'a, T: Track> {
    scene: &'a Scene<'a>,
    rules: &'a T::Rules,
    header: &'a Header,
    reason: Reason<T>,
    budget: usize,
}

impl<T: Track> Search<'_, T> {
    /// Leaves out every piece that is not needed, the last one first: what comes late has fewer that need it.
    fn leave_out(&mut self, kept: &mut Vec<usize>, piece: usize) {
        let mut end = kept.len();
        while end > 0 && self.budget > 0 {
            let start = end.saturating_sub(piece);
            let rest = [&kept[..start], &kept[end..]].concat();
            if self.is_refused_alike(&rest) {
                *kept = rest;
            }
            end = start;
        }
    }

    /// Whether these lines are taken, and the last one is refused for the same reason.
    fn is_refused_alike(&mut self, kept: &[usize]) -> bool {
        let rules = self.rules;
        let Some(cause) = self.answer(rules, kept).flatten() else { return false };
        match (cause, self.reason.cause) {
            (Cause::Guard(found), Cause::Guard(wanted)) if found.requirement == wanted.requirement => {
                let of_it = without_each::<T>(rules, found.requirement);
                let answers = of_it.filter_map(|(check, rules)| Some((check, self.answer(&rules, kept)?)));
                blamed(cause, &answers.collect::<Vec<_>>()) == self.reason.check
            }
            (Cause::Row { .. }, Cause::Row { .. }) | (Cause::Operation, Cause::Operation) => true,
            _ => false,
        }
    }

    /// What these rules say of the refused line after those that are kept; nothing, if they refuse one of those.
    fn answer(&mut self, rules: &T::Rules, kept: &[usize]) -> Option<Option<Cause<T::Row>>> {
        let budget = &mut self.budget;
        let judged = kept.iter().map(|at| &self.scene.before[*at]).inspect(|_| *budget = budget.saturating_sub(1));
        let mut judge = judge_after::<T>(rules, self.header, judged)?;
        Some(judge.answer(&self.scene.refused))
    }
}

/// The trace of these events: each process counts from 0 again, and only those are declared that are left.
fn lines<'e>(header: &Header, events: impl Iterator<Item = &'e Event<'e>>) -> Vec<String> {
    let mut next = BTreeMap::<String, u64>::new();
    let mut lines = Vec::new();
    for event in events {
        for name in processes(event) {
            next.entry(name.to_owned()).or_default();
        }
        let sequence = next.entry(event.process.to_string()).or_default();
        lines.push(line(&Event { sequence: *sequence, ..event.clone() }));
        *sequence += 1;
    }
    let header = Header { processes: next.into_keys().collect(), ..header.clone() };
    lines.insert(0, line(&header));
    lines
}
