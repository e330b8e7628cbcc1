//! What a search has found.

use std::fmt;

use super::limits::Truncation;
use super::statistics::Statistics;

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Outcome<A> {
    /// For each property that was broken the shortest way to break it, in the order of the properties.
    pub violations: Vec<Violation<A>>,
    /// Where it was stopped, if it was.
    pub truncation: Option<Truncation>,
    /// What it did.
    pub statistics: Statistics,
}

/// A shortest path to a broken property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation<A> {
    /// The place of the property.
    pub property: usize,
    /// The place of the state where the path starts.
    pub start: usize,
    /// Its steps; the last one breaks the property, or leads to the state that does.
    pub actions: Vec<A>,
}

/// What may be concluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every reachable state was looked at, and nothing was broken.
    Holds,
    /// Something was broken.
    Violated,
    /// Nothing was broken as far as the search went, and it did not go all the way.
    Truncated,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Truncated => "truncated",
        })
    }
}

impl<A> Outcome<A> {
    /// What may be concluded.
    pub fn verdict(&self) -> Verdict {
        match (self.violations.is_empty(), self.truncation) {
            (false, _) => Verdict::Violated,
            (true, Some(_)) => Verdict::Truncated,
            (true, None) => Verdict::Holds,
        }
    }

    /// How long the shortest counterexample of the property at this place is.
    pub fn length(&self, property: usize) -> Option<usize> {
        self.violations.iter().find(|found| found.property == property).map(|found| found.actions.len())
    }
}
