//! The graph of a small search, with its edges.

use std::collections::HashMap;

use outlive_spec::protocol::Protocol;
use rustc_hash::FxBuildHasher;

use super::Cover;
use super::protocol::Scripted;

/// States in the order in which they were found, each with its edges.
pub(super) struct Graph<P: Scripted> {
    protocol: P,
    states: Vec<P::Packed>,
    /// Where the edges of each state begin, and at last where they end.
    first: Vec<u32>,
    edges: Vec<Edge<P::Action>>,
    /// How each state was reached first: from which, by which edge.
    parents: Vec<Option<(u32, u32)>>,
    unscripted: u64,
}

/// One step.
#[derive(Clone, Copy)]
pub(super) struct Edge<A> {
    pub(super) to: u32,
    pub(super) action: A,
}

impl<P: Scripted> Graph<P> {
    pub(super) fn explore(protocol: P, cover: Cover) -> Graph<P> {
        let mut graph = Graph {
            protocol,
            states: Vec::new(),
            first: vec![0],
            edges: Vec::new(),
            parents: Vec::new(),
            unscripted: 0,
        };
        let mut places = Places::<P>::default();
        for state in graph.protocol.initial() {
            graph.place(&mut places, &state, None);
        }
        let (mut at, mut proposals) = (0, Vec::new());
        while at < graph.states.len() {
            let state = graph.state(at as u32);
            proposals.clear();
            graph.protocol.actions(&state, &mut proposals);
            if cover == Cover::States {
                let refusals: Vec<P::Action> =
                    proposals.iter().filter_map(|action| refusal(&graph.protocol, &state, action)).collect();
                proposals.extend(refusals);
            }
            for &action in &proposals {
                graph.expand(&mut places, at as u32, &state, action);
            }
            graph.first.push(graph.edges.len() as u32);
            at += 1;
        }
        graph
    }

    fn expand(&mut self, places: &mut Places<P>, at: u32, state: &P::State, action: P::Action) {
        let mut next = state.clone();
        if self.protocol.apply(&mut next, &action).is_err() {
            return;
        }
        let begin = self.first[at as usize] as usize;
        if self.edges[begin..].iter().any(|edge| edge.action == action) {
            return;
        }
        if !P::can_be_told(state, &action) {
            self.unscripted += 1;
            return;
        }
        self.protocol.forgive(&mut next);
        let to = self.place(places, &next, Some((at, self.edges.len() as u32)));
        self.edges.push(Edge { to, action });
    }

    fn place(&mut self, places: &mut Places<P>, state: &P::State, parent: Option<(u32, u32)>) -> u32 {
        let packed = self.protocol.pack(state);
        *places.entry(packed).or_insert_with(|| {
            self.states.push(packed);
            self.parents.push(parent);
            self.states.len() as u32 - 1
        })
    }

    // -- what there is

    pub(super) fn protocol(&self) -> &P {
        &self.protocol
    }

    pub(super) fn state(&self, at: u32) -> P::State {
        self.protocol.unpack(&self.states[at as usize])
    }

    pub(super) fn states(&self) -> u64 {
        self.states.len() as u64
    }

    /// How many edges can be seen.
    pub(super) fn edges(&self) -> u64 {
        self.edges.iter().filter(|edge| P::is_visible(&edge.action)).count() as u64
    }

    pub(super) fn unscripted(&self) -> u64 {
        self.unscripted
    }

    pub(super) fn edge(&self, at: u32) -> &Edge<P::Action> {
        &self.edges[at as usize]
    }

    /// Whether anybody can see it happen.
    pub(super) fn is_visible(&self, at: u32) -> bool {
        P::is_visible(&self.edge(at).action)
    }

    /// The edges that leave a state.
    pub(super) fn leaving(&self, state: u32) -> std::ops::Range<u32> {
        self.first[state as usize]..self.first[state as usize + 1]
    }

    /// A shortest way to a state, as edges.
    pub(super) fn way_to(&self, state: u32) -> Vec<u32> {
        let mut way = Vec::new();
        let mut at = state;
        while let Some((parent, edge)) = self.parents[at as usize] {
            way.push(edge);
            at = parent;
        }
        way.reverse();
        way
    }
}

type Places<P> = HashMap<<P as Protocol>::Packed, u32, FxBuildHasher>;

/// If the model does not take the action: the refusal by whoever was asked.
fn refusal<P: Scripted>(protocol: &P, state: &P::State, action: &P::Action) -> Option<P::Action> {
    let because = protocol.apply(&mut state.clone(), action).err()?.requirement;
    let refusal = P::refusal(action, because)?;
    protocol.apply(&mut state.clone(), &refusal).is_ok().then_some(refusal)
}
