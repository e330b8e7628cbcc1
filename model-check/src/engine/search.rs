//! The search itself.

use std::time::{Duration, Instant};

use outlive_spec::protocol::{Broken, Cut, Protocol};

use super::limits::{Limit, Limits, Truncation};
use super::outcome::{Outcome, Violation};
use super::recovery::Recovery;
use super::statistics::Statistics;
use super::trail::Trail;
use super::visited::Visited;

/// What is asked of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The properties, by their places. The last one of a protocol is about its settled states.
    pub properties: Broken,
    /// How far to go.
    pub limits: Limits,
}

impl Question {
    /// Every property, without a limit.
    pub const EVERYTHING: Question =
        Question { properties: Broken(u64::MAX), limits: Limits { timeout: None, max_states: None, max_depth: None } };
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The depth that is being expanded.
    pub depth: usize,
    /// Steps taken.
    pub transitions: u64,
    /// Distinct states.
    pub states: usize,
    /// States that wait to be expanded.
    pub queue: usize,
    /// Since the start.
    pub elapsed: Duration,
}

/// Searches every state that is reachable within the protocol's bounds. `watch` is told from time to time how it goes.
pub fn search<P: Protocol>(protocol: &P, question: &Question, watch: &mut dyn FnMut(&Progress)) -> Outcome<P::Action> {
    let mut search = Search::new(protocol, question);
    search.begin();
    let truncation = search.expand_all(watch);
    search.conclude(truncation)
}

/// How many states are expanded between two looks at the clock.
const STATES_PER_LOOK: u32 = 1 << 9;

struct Search<'a, P: Protocol> {
    protocol: &'a P,
    question: &'a Question,
    started: Instant,
    visited: Visited<P::Packed>,
    trail: Trail,
    recovery: Option<Recovery>,
    /// The first step that broke each property: the state before, and the action. None: a start did.
    broken: Vec<(usize, u32, Option<P::Action>)>,
    /// The properties that are asked for and not broken yet.
    unbroken: u64,
    statistics: Statistics,
    proposals: Vec<P::Action>,
}

impl<'a, P: Protocol> Search<'a, P> {
    fn new(protocol: &'a P, question: &'a Question) -> Self {
        let settled = protocol.properties().len() - 1;
        Search {
            protocol,
            question,
            started: Instant::now(),
            visited: Visited::new(),
            trail: Trail::default(),
            recovery: question.properties.has(settled).then(Recovery::default),
            broken: Vec::new(),
            unbroken: question.properties.0,
            statistics: Statistics::of(protocol.kinds().len()),
            proposals: Vec::new(),
        }
    }

    fn begin(&mut self) {
        for (start, mut state) in self.protocol.initial().into_iter().enumerate() {
            let broken = self.protocol.broken(&state);
            self.protocol.forgive(&mut state);
            let (place, is_new) = self.visited.insert(self.protocol.pack(&state));
            if is_new {
                self.trail.start(start);
            }
            self.note(broken, place, None);
        }
    }

    fn expand_all(&mut self, watch: &mut dyn FnMut(&Progress)) -> Option<Truncation> {
        let mut at = 0;
        let mut truncation = None;
        while truncation.is_none() && (at as usize) < self.visited.len() {
            let level_end = self.visited.len() as u32;
            self.statistics.depths.push(level_end as usize - at as usize);
            while at < level_end {
                if at.is_multiple_of(STATES_PER_LOOK) {
                    watch(&self.progress(at));
                }
                if let Some(by) = self.limit_reached(at) {
                    let left = self.visited.len() - at as usize;
                    truncation = Some(Truncation { by, depth: self.statistics.depth() as u32, left });
                    break;
                }
                self.expand(at);
                at += 1;
            }
        }
        truncation
    }

    fn limit_reached(&self, at: u32) -> Option<Limit> {
        let Limits { timeout, max_states, max_depth } = self.question.limits;
        if max_states.is_some_and(|limit| self.visited.len() > limit) {
            return Some(Limit::States);
        }
        if max_depth.is_some_and(|limit| self.statistics.depth() as u32 >= limit) {
            return Some(Limit::Depth);
        }
        let looks = at.is_multiple_of(STATES_PER_LOOK);
        (looks && timeout.is_some_and(|limit| self.started.elapsed() >= limit)).then_some(Limit::Timeout)
    }

    fn expand(&mut self, at: u32) {
        let protocol = self.protocol;
        let state = protocol.unpack(&self.visited.get(at));
        *self.statistics.phases.entry(protocol.phase(&state)).or_default() += 1;
        let mut proposals = std::mem::take(&mut self.proposals);
        proposals.clear();
        let cut = protocol.actions(&state, &mut proposals);
        let needs_recovery = cut == Cut::Nothing && !protocol.is_settled(&state);
        if let Some(recovery) = &mut self.recovery {
            recovery.add_state(!needs_recovery);
        }
        let mut next = state.clone();
        for (proposal, action) in proposals.iter().enumerate() {
            let kind = &mut self.statistics.kinds[protocol.kind(action)];
            if let Err(guard) = protocol.apply(&mut next, action) {
                debug_assert!(next == state, "{action} was refused, and changed the state all the same");
                kind.refused += 1;
                self.statistics.guards[guard.requirement as usize] += 1;
                continue;
            }
            kind.taken += 1;
            if let Some(because) = protocol.refuses_by(action) {
                self.statistics.guards[because as usize] += 1;
            }
            self.note(protocol.broken(&next), at, Some(*action));
            protocol.forgive(&mut next);
            if next == state {
                continue;
            }
            let target = self.reach(&next, at, proposal);
            if needs_recovery && protocol.is_progress(&state, action) {
                self.recovery.iter_mut().for_each(|recovery| recovery.add_edge(target));
            }
            next.clone_from(&state);
        }
        self.proposals = proposals;
    }

    #[inline]
    fn reach(&mut self, state: &P::State, parent: u32, proposal: usize) -> u32 {
        let (place, is_new) = self.visited.insert(self.protocol.pack(state));
        if is_new {
            self.trail.reach(parent, proposal);
        }
        place
    }

    /// Remembers the first step that breaks each property.
    #[inline]
    fn note(&mut self, broken: Broken, at: u32, action: Option<P::Action>) {
        let mut new = broken.0 & self.unbroken;
        self.unbroken &= !new;
        while new != 0 {
            self.broken.push((new.trailing_zeros() as usize, at, action));
            new &= new - 1;
        }
    }

    fn progress(&self, at: u32) -> Progress {
        Progress {
            depth: self.statistics.depth(),
            transitions: self.statistics.kinds.iter().map(|kind| kind.taken).sum(),
            states: self.visited.len(),
            queue: self.visited.len() - at as usize,
            elapsed: self.started.elapsed(),
        }
    }

    fn conclude(mut self, truncation: Option<Truncation>) -> Outcome<P::Action> {
        let settled = self.protocol.properties().len() - 1;
        // What was not searched might have led to a settled state.
        let recovery = self.recovery.take().filter(|_| truncation.is_none());
        let dead_end = recovery.and_then(Recovery::first_dead_end);
        self.broken.extend(dead_end.map(|state| (settled, state, None)));
        self.broken.sort_unstable_by_key(|(property, ..)| *property);
        let violations = self.broken.iter().map(|(property, at, last)| {
            let (start, mut actions) = self.trail.path(self.protocol, *at);
            actions.extend(*last);
            Violation { property: *property, start, actions }
        });
        let violations = violations.collect();
        self.statistics.states = self.visited.len();
        self.statistics.transitions = self.statistics.kinds.iter().map(|kind| kind.taken).sum();
        self.statistics.elapsed = self.started.elapsed();
        Outcome { violations, truncation, statistics: self.statistics }
    }
}
