//! What lies one step ahead of a run of states: the part of a search that threads do at the same time.

use std::ops::Range;

use outlive_spec::protocol::{Broken, Classes, Cut, Protocol};

use super::graph::Standing;
use super::search::Question;
use super::statistics::Statistics;
use super::visited::{Hashed, Visited};

/// What a run of states leads to. Nothing of it is a matter of the other runs, so their order is restored afterwards.
pub(super) struct Expanded<P: Protocol> {
    /// The states, in order.
    pub(super) states: Vec<State>,
    /// Their steps that matter to somebody, in order.
    pub(super) edges: Vec<Edge>,
    /// The states that were not known when the run began, each once, in the order in which they were reached.
    pub(super) fresh: Vec<Hashed<P::Packed>>,
    /// The first step that broke each property: the property, and the state before.
    pub(super) broken: Vec<(usize, u32)>,
    /// What was counted.
    pub(super) statistics: Statistics,
}

pub(super) struct State {
    pub(super) standing: Standing,
    /// Whether it must get back to a settled state by itself.
    pub(super) needs_recovery: bool,
    /// Where its edges end.
    pub(super) edges_end: usize,
    pub(super) transitions: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) to: Target,
    pub(super) classes: Classes,
    pub(super) is_progress: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Target {
    /// The place of a state that was known.
    Known(u32),
    /// The place among those that were not.
    Fresh(u32),
}

/// How many steps of a state are expected to matter. With more, the lists grow.
const EDGES_PER_STATE: usize = 8;

/// Takes every step that is possible in these states. `unbroken` are the properties that still matter.
pub(super) fn expand<P: Protocol>(
    protocol: &P,
    question: &Question,
    visited: &Visited<P::Packed>,
    unbroken: u64,
    run: Range<u32>,
) -> Expanded<P> {
    let expanded = Expanded {
        states: Vec::with_capacity(run.len()),
        edges: Vec::with_capacity(run.len() * EDGES_PER_STATE),
        fresh: Vec::with_capacity(run.len() * EDGES_PER_STATE),
        broken: Vec::new(),
        statistics: Statistics::of(protocol.kinds().len()),
    };
    let far = question.keeps_graph.then(|| protocol.far());
    let reached = Vec::with_capacity(run.len() * EDGES_PER_STATE);
    let mut expander = Expander { protocol, question, visited, unbroken, far, reached, expanded };
    let mut proposals = Vec::new();
    run.for_each(|at| expander.expand(at, &mut proposals));
    expander.find_reached();
    expander.expanded
}

struct Expander<'a, P: Protocol> {
    protocol: &'a P,
    question: &'a Question,
    visited: &'a Visited<P::Packed>,
    unbroken: u64,
    /// What is possible in truth, if the graph is kept.
    far: Option<P>,
    /// Where the steps of the run lead, in order.
    reached: Vec<Reached<P::Packed>>,
    expanded: Expanded<P>,
}

struct Reached<K> {
    state: Hashed<K>,
    classes: Classes,
    is_progress: bool,
}

impl<P: Protocol> Expander<'_, P> {
    fn expand(&mut self, at: u32, proposals: &mut Vec<P::Action>) {
        let protocol = self.protocol;
        let packed = self.visited.get(at);
        let state = protocol.unpack(&packed);
        *self.expanded.statistics.phases.entry(protocol.phase(&state)).or_default() += 1;
        proposals.clear();
        let cut = protocol.actions(&state, proposals);
        let needs_recovery = cut == Cut::Nothing && !protocol.is_settled(&state);
        let mut transitions = 0;
        let mut next = state.clone();
        for action in proposals.iter() {
            let kind = &mut self.expanded.statistics.kinds[protocol.kind(action)];
            if let Err(guard) = protocol.apply(&mut next, action) {
                debug_assert!(next == state, "{action} was refused, and changed the state all the same");
                kind.refused += 1;
                self.expanded.statistics.guards[guard.requirement as usize] += 1;
                continue;
            }
            kind.taken += 1;
            transitions += 1;
            if let Some(because) = protocol.refuses_by(action) {
                self.expanded.statistics.guards[because as usize] += 1;
            }
            if !protocol.may_change(action) {
                // The state was judged when it was reached.
                self.note(protocol.harms(&next), at);
                protocol.forgive(&mut next);
                debug_assert!(next == state, "{action} may not change the state, and did");
                continue;
            }
            self.note(protocol.broken(&next), at);
            protocol.forgive(&mut next);
            if let Some(to) = self.target(&packed, &mut next) {
                let is_progress = needs_recovery && protocol.is_progress(&state, action);
                let classes =
                    if self.question.keeps_graph { protocol.classes_of(&state, action) } else { Classes::NONE };
                self.reached.push(Reached { state: Hashed::new(to), classes, is_progress });
            }
            next.clone_from(&state);
        }
        let standing = self.standing(&state, cut);
        self.expanded.states.push(State { standing, needs_recovery, edges_end: self.reached.len(), transitions });
    }

    /// What is stored of the next state, if it is not the same again. The packed form decides, as it does for the set
    /// of those that were found.
    #[inline]
    fn target(&self, packed: &P::Packed, next: &mut P::State) -> Option<P::Packed> {
        let to = self.protocol.pack(next);
        if to == *packed || !self.question.symmetry {
            return (to != *packed).then_some(to);
        }
        self.protocol.represent(next);
        let stands = self.protocol.pack(next);
        // Whoever goes round among states that differ in names alone does take steps, and fairness sees that.
        (stands != *packed || self.question.keeps_graph).then_some(stands)
    }

    /// Looks for all that the run leads to, and keeps what matters to somebody.
    fn find_reached(&mut self) {
        let found = self.visited.find_each(self.reached.iter().map(|reached| &reached.state));
        let mut fresh = Visited::new();
        let mut places = self.reached.drain(..).zip(found);
        let mut begin = 0;
        for from in &mut self.expanded.states {
            for (Reached { state, classes, is_progress }, found) in places.by_ref().take(from.edges_end - begin) {
                let (to, is_new) = match self.visited.find(&state, found) {
                    Some(place) => (Target::Known(place), false),
                    None => {
                        let (place, is_new) = fresh.insert(state);
                        (Target::Fresh(place), is_new)
                    }
                };
                if is_new {
                    self.expanded.fresh.push(state);
                }
                if is_new || is_progress || self.question.keeps_graph {
                    self.expanded.edges.push(Edge { to, classes, is_progress });
                }
            }
            begin = std::mem::replace(&mut from.edges_end, self.expanded.edges.len());
        }
    }

    fn standing(&self, state: &P::State, cut: Cut) -> Standing {
        self.far.as_ref().map_or_else(Standing::default, |far| Standing::of(far, state, cut))
    }

    /// Remembers the first step that breaks each property.
    #[inline]
    fn note(&mut self, broken: Broken, at: u32) {
        let mut new = broken.0 & self.unbroken;
        self.unbroken &= !new;
        while new != 0 {
            self.expanded.broken.push((new.trailing_zeros() as usize, at));
            new &= new - 1;
        }
    }
}
