//! What a search has done, counted: the evidence that it could have failed.

use std::collections::BTreeMap;
use std::time::Duration;

use outlive_spec::requirement::Requirement;

/// What became of the proposals of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KindCount {
    /// How many steps were taken.
    pub taken: u64,
    /// How many proposals a guard refused.
    pub refused: u64,
}

/// The counts of one search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Distinct states.
    pub states: usize,
    /// Steps that were taken, also those that led nowhere new.
    pub transitions: u64,
    /// New states at each depth.
    pub depths: Vec<usize>,
    /// By the place of the kind in [`Protocol::kinds`](outlive_spec::protocol::Protocol::kinds).
    pub kinds: Vec<KindCount>,
    /// How often each requirement forbade something, by its place in [`Requirement::ALL`]: a guard refused a proposal,
    /// or the refusal was itself a step.
    pub guards: Vec<u64>,
    /// How many states were in each phase.
    pub phases: BTreeMap<&'static str, usize>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Statistics {
    pub(super) fn of(kinds: usize) -> Self {
        Statistics {
            kinds: vec![KindCount::default(); kinds],
            guards: vec![0; Requirement::ALL.len()],
            ..Statistics::default()
        }
    }

    /// Adds what a run of states was counted at. Levels, states and steps are counted by the search as a whole.
    pub(super) fn add(&mut self, run: &Statistics) {
        for (kind, counted) in self.kinds.iter_mut().zip(&run.kinds) {
            kind.taken += counted.taken;
            kind.refused += counted.refused;
        }
        self.guards.iter_mut().zip(&run.guards).for_each(|(guard, counted)| *guard += counted);
        run.phases.iter().for_each(|(phase, states)| *self.phases.entry(phase).or_default() += states);
    }

    /// The longest of the shortest paths.
    pub fn depth(&self) -> usize {
        self.depths.len().saturating_sub(1)
    }

    /// How often this requirement forbade something.
    pub fn refused_by(&self, requirement: Requirement) -> u64 {
        self.guards[requirement as usize]
    }
}
