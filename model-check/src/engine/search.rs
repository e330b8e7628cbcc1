//! The search itself.

use std::ops::Range;
use std::time::{Duration, Instant};

use outlive_spec::protocol::{Broken, Fairness, Protocol, Response};
use rayon::prelude::*;

use super::expand::{Edge, Expanded, State, Target, expand};
use super::graph::{self, Graph};
use super::limits::{Limit, Limits, Truncation};
use super::outcome::{Outcome, Violation};
use super::recovery::Recovery;
use super::retrace::{self, Path};
use super::statistics::Statistics;
use super::trail::Trail;
use super::visited::{Found, Hashed, Visited};

/// What is asked of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The properties, by their places. The last one of a protocol is about its settled states.
    pub properties: Broken,
    /// How far to go.
    pub limits: Limits,
    /// Whether one state is searched for all that differ from it in names alone.
    pub symmetry: bool,
    /// Whether the graph is kept, for questions about endless behaviours.
    pub keeps_graph: bool,
    /// How many threads take steps at the same time. What is found does not depend on it.
    pub threads: usize,
}

impl Question {
    /// Every property, without a limit, by one thread.
    pub const EVERYTHING: Question = Question {
        properties: Broken(u64::MAX),
        limits: Limits { timeout: None, max_states: None, max_depth: None },
        symmetry: false,
        keeps_graph: false,
        threads: 1,
    };
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

/// A search with what it went through.
pub struct Explored<P: Protocol> {
    /// What it has found.
    pub outcome: Outcome<P::Action>,
    /// The graph, if it was asked for. It is whole only if the search was not cut.
    pub graph: Graph,
    visited: Visited<P::Packed>,
}

impl<P: Protocol> Explored<P> {
    /// The state at this place, as it is packed.
    pub fn packed(&self, place: u32) -> P::Packed {
        self.visited.get(place)
    }
}

/// Searches every state that is reachable within the protocol's bounds. `watch` is told from time to time how it goes.
pub fn search<P: Protocol>(protocol: &P, question: &Question, watch: &mut dyn FnMut(&Progress)) -> Outcome<P::Action> {
    explore(protocol, question, watch).outcome
}

/// The same, and keeps what it went through.
///
/// # Panics
/// If no thread can be started; or if the graph is asked for under symmetry, and a response relies on fairness to a
/// class that symmetry loses.
pub fn explore<P: Protocol>(protocol: &P, question: &Question, watch: &mut dyn FnMut(&Progress)) -> Explored<P> {
    if question.symmetry && question.keeps_graph {
        assert_symmetry_keeps_fairness(protocol);
    }
    let mut search = Search::new(protocol, question);
    search.begin();
    let truncation = if question.threads > 1 {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(question.threads).build();
        let threads = threads.expect("threads for the search");
        search.expand_all(watch, &mut |search, runs| {
            let run = |run| search.run(run);
            // One run after another to whoever is free: with several at a time, one thread waits for the last of them.
            threads.install(|| runs.into_par_iter().with_max_len(1).map(run).collect())
        })
    } else {
        search.expand_all(watch, &mut |search, runs| runs.into_iter().map(|run| search.run(run)).collect())
    };
    search.conclude(truncation)
}

/// In a loop through states that stand for others, the one who takes a step may be another each time round. So such a
/// loop seems fair to each, though one of them never has a turn.
fn assert_symmetry_keeps_fairness<P: Protocol>(protocol: &P) {
    for Response { property, fairness: Fairness { weak, strong, finitely } } in protocol.responses() {
        for class in (*weak | *strong | *finitely).iter().map(|place| protocol.classes()[place]) {
            let (of, name) = (property.name, class.name);
            assert!(
                !class.tells_apart,
                "`{of}` cannot be judged: fairness to `{name}` tells apart what symmetry does not"
            );
        }
    }
}

/// How many states are expanded in one go by one thread: enough to be worth it, few enough to stay in its cache.
const STATES_PER_RUN: u32 = 256;
/// How many runs there are for each thread, so that threads seldom wait for the last of a batch, or for its adding.
const RUNS_PER_THREAD: u32 = 64;

struct Search<'a, P: Protocol> {
    protocol: &'a P,
    question: &'a Question,
    started: Instant,
    visited: Visited<P::Packed>,
    trail: Trail,
    recovery: Option<Recovery>,
    graph: Graph,
    /// The first harm of each property that is broken: a step from a state, or a state in which the search starts.
    broken: Vec<Harm>,
    /// The properties that are asked for and not broken yet.
    unbroken: u64,
    statistics: Statistics,
}

#[derive(Clone, Copy)]
struct Harm {
    property: usize,
    /// The state that is broken, or in which the step was taken that broke it.
    at: u32,
    by_a_step: bool,
}

/// The states that a run has not known, while they are added.
struct Fresh<K> {
    states: Vec<Hashed<K>>,
    /// Where each may be by now, looked up together: one after the other, each would wait for memory.
    found: Vec<Found>,
    /// Where those are that were added so far.
    places: Vec<u32>,
}

/// How the runs of one batch are expanded: all at once, or one after the other.
type Expand<'a, 's, P> = &'a mut dyn FnMut(&Search<'s, P>, Vec<Range<u32>>) -> Vec<Expanded<P>>;

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
            graph: Graph::default(),
            broken: Vec::new(),
            unbroken: question.properties.0,
            statistics: Statistics::of(protocol.kinds().len()),
        }
    }

    fn begin(&mut self) {
        for mut state in self.protocol.initial() {
            let broken = self.protocol.broken(&state);
            self.protocol.forgive(&mut state);
            if self.question.symmetry {
                self.protocol.represent(&mut state);
            }
            let (at, is_new) = self.visited.insert(Hashed::new(self.protocol.pack(&state)));
            if is_new {
                self.trail.start();
                self.graph.starts.push(at);
            }
            for property in 0..u64::BITS as usize {
                if broken.has(property) {
                    self.note(Harm { property, at, by_a_step: false });
                }
            }
        }
    }

    /// Expands level after level, and each in batches. What a batch leads to is added in the order of its states and of
    /// their proposals, so that nothing depends on who expanded what.
    fn expand_all(&mut self, watch: &mut dyn FnMut(&Progress), expand: Expand<'_, 'a, P>) -> Option<Truncation> {
        let mut at = 0;
        while (at as usize) < self.visited.len() {
            let level = at..self.visited.len() as u32;
            self.statistics.depths.push(level.len());
            while at < level.end {
                watch(&self.progress(at));
                if let Some(by) = self.limit_reached_before_batch() {
                    return Some(self.truncation(by, at));
                }
                let runs = self.batch(at, level.end);
                for expanded in expand(self, runs) {
                    if let Some(truncation) = self.add(expanded, &mut at) {
                        return Some(truncation);
                    }
                }
            }
        }
        None
    }

    fn batch(&self, begin: u32, level_end: u32) -> Vec<Range<u32>> {
        let runs = if self.question.threads > 1 { self.question.threads as u32 * RUNS_PER_THREAD } else { 1 };
        let end = level_end.min(begin.saturating_add(runs * STATES_PER_RUN));
        let begins = (begin..end).step_by(STATES_PER_RUN as usize);
        begins.map(|begin| begin..end.min(begin + STATES_PER_RUN)).collect()
    }

    fn run(&self, run: Range<u32>) -> Expanded<P> {
        expand(self.protocol, self.question, &self.visited, self.unbroken, run)
    }

    /// Adds what a run has led to. Ends where a limit is reached.
    fn add(&mut self, expanded: Expanded<P>, at: &mut u32) -> Option<Truncation> {
        let Expanded { states, edges, fresh, broken, statistics } = expanded;
        let mut fresh = Fresh { found: self.visited.find_each(fresh.iter()), states: fresh, places: Vec::new() };
        let (mut edges_begin, mut truncation) = (0, None);
        for state in &states {
            if self.question.limits.max_states.is_some_and(|limit| self.visited.len() > limit) {
                truncation = Some(self.truncation(Limit::States, *at));
                break;
            }
            self.add_state(state, *at, &edges[edges_begin..state.edges_end], &mut fresh);
            edges_begin = state.edges_end;
            *at += 1;
        }
        // What was expanded behind the limit was not searched; what was before it is not forgotten for that.
        for (property, at) in broken.into_iter().filter(|(_, from)| *from < *at) {
            self.note(Harm { property, at, by_a_step: true });
        }
        self.statistics.add(&statistics);
        truncation
    }

    fn add_state(&mut self, state: &State, at: u32, edges: &[Edge], fresh: &mut Fresh<P::Packed>) {
        self.statistics.transitions += state.transitions;
        if let Some(recovery) = &mut self.recovery {
            recovery.add_state(!state.needs_recovery);
        }
        if self.question.keeps_graph {
            self.graph.add_state(state.standing);
        }
        for edge in edges {
            let to = match edge.to {
                Target::Known(place) => place,
                Target::Fresh(place) => self.reach(place as usize, fresh, at),
            };
            if self.question.keeps_graph {
                self.graph.add_edge(graph::Edge { to, classes: edge.classes });
            }
            if edge.is_progress {
                self.recovery.iter_mut().for_each(|recovery| recovery.add_edge(to));
            }
        }
    }

    /// The place of a state that was fresh in a run. It is added when the run first comes to it.
    #[inline]
    fn reach(&mut self, at: usize, fresh: &mut Fresh<P::Packed>, parent: u32) -> u32 {
        if at == fresh.places.len() {
            let (place, is_new) = self.visited.insert_found(fresh.states[at], fresh.found[at]);
            if is_new {
                self.trail.reach(parent);
            }
            fresh.places.push(place);
        }
        fresh.places[at]
    }

    /// Remembers the first harm to each property.
    fn note(&mut self, harm: Harm) {
        if self.unbroken >> harm.property & 1 == 1 {
            self.unbroken &= !(1 << harm.property);
            self.broken.push(harm);
        }
    }

    fn limit_reached_before_batch(&self) -> Option<Limit> {
        let Limits { timeout, max_states, max_depth } = self.question.limits;
        if max_states.is_some_and(|limit| self.visited.len() > limit) {
            return Some(Limit::States);
        }
        if max_depth.is_some_and(|limit| self.statistics.depth() as u32 >= limit) {
            return Some(Limit::Depth);
        }
        timeout.is_some_and(|limit| self.started.elapsed() >= limit).then_some(Limit::Timeout)
    }

    fn truncation(&self, by: Limit, at: u32) -> Truncation {
        Truncation { by, depth: self.statistics.depth() as u32, left: self.visited.len() - at as usize }
    }

    fn progress(&self, at: u32) -> Progress {
        Progress {
            depth: self.statistics.depth(),
            transitions: self.statistics.transitions,
            states: self.visited.len(),
            queue: self.visited.len() - at as usize,
            elapsed: self.started.elapsed(),
        }
    }

    fn conclude(mut self, truncation: Option<Truncation>) -> Explored<P> {
        let settled = self.protocol.properties().len() - 1;
        // What was not searched might have led to a settled state.
        let recovery = self.recovery.take().filter(|_| truncation.is_none());
        let dead_end = recovery.and_then(Recovery::first_dead_end);
        self.broken.extend(dead_end.map(|at| Harm { property: settled, at, by_a_step: false }));
        self.broken.sort_unstable_by_key(|harm| harm.property);
        let violations = self.broken.iter().map(|harm| self.violation(harm)).collect();
        self.statistics.states = self.visited.len();
        self.statistics.elapsed = self.started.elapsed();
        let outcome = Outcome { violations, truncation, statistics: self.statistics };
        Explored { outcome, graph: self.graph, visited: self.visited }
    }

    fn violation(&self, harm: &Harm) -> Violation<P::Action> {
        let symmetry = self.question.symmetry;
        let states = self.trail.path(harm.at);
        let packed = |state: &u32| self.visited.get(*state);
        let mut path = Path::new(self.protocol, symmetry, packed(&states[0]));
        states[1..].iter().for_each(|state| path.step_to(retrace::Target { packed: packed(state), classes: None }));
        if harm.by_a_step {
            path.step_that_breaks(harm.property);
        }
        let actions = path.steps.iter().map(|step| step.action).collect();
        Violation { property: harm.property, start: path.start, actions }
    }
}
