//! The graph of a small search, with its edges.

use std::collections::HashMap;

use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::{Action, Attempt};
use outlive_spec::snapshot::state::State;
use rustc_hash::FxBuildHasher;

use super::Cover;

/// States in the order in which they were found, each with its edges.
pub(super) struct Graph {
    protocol: Snapshot,
    states: Vec<Packed>,
    /// Where the edges of each state begin, and at last where they end.
    first: Vec<u32>,
    edges: Vec<Edge>,
    /// How each state was reached first: from which, by which edge.
    parents: Vec<Option<(u32, u32)>>,
    unscripted: u64,
}

type Packed = <Snapshot as Protocol>::Packed;

/// One step.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) action: Action,
}

impl Edge {
    /// Whether anybody can see it happen.
    pub(super) fn is_visible(&self) -> bool {
        !matches!(self.action, Action::Discard(_))
    }
}

impl Graph {
    pub(super) fn explore(protocol: Snapshot, cover: Cover) -> Graph {
        let mut graph = Graph {
            protocol,
            states: Vec::new(),
            first: vec![0],
            edges: Vec::new(),
            parents: Vec::new(),
            unscripted: 0,
        };
        let mut places = Places::default();
        for state in protocol.initial() {
            graph.place(&mut places, &state, None);
        }
        let (mut at, mut proposals) = (0, Vec::new());
        while at < graph.states.len() {
            let state = graph.state(at as u32);
            proposals.clear();
            protocol.actions(&state, &mut proposals);
            if cover == Cover::States {
                let refusals: Vec<Action> =
                    proposals.iter().filter_map(|action| refusal(&protocol, &state, action)).collect();
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

    fn expand(&mut self, places: &mut Places, at: u32, state: &State, action: Action) {
        let mut next = state.clone();
        if self.protocol.apply(&mut next, &action).is_err() {
            return;
        }
        let begin = self.first[at as usize] as usize;
        if self.edges[begin..].iter().any(|edge| edge.action == action) {
            return;
        }
        if !can_be_told(state, &action) {
            self.unscripted += 1;
            return;
        }
        self.protocol.forgive(&mut next);
        let to = self.place(places, &next, Some((at, self.edges.len() as u32)));
        self.edges.push(Edge { to, action });
    }

    fn place(&mut self, places: &mut Places, state: &State, parent: Option<(u32, u32)>) -> u32 {
        let packed = self.protocol.pack(state);
        *places.entry(packed).or_insert_with(|| {
            self.states.push(packed);
            self.parents.push(parent);
            self.states.len() as u32 - 1
        })
    }

    // -- what there is

    pub(super) fn state(&self, at: u32) -> State {
        self.protocol.unpack(&self.states[at as usize])
    }

    pub(super) fn states(&self) -> u64 {
        self.states.len() as u64
    }

    /// How many edges can be seen.
    pub(super) fn edges(&self) -> u64 {
        self.edges.iter().filter(|edge| edge.is_visible()).count() as u64
    }

    pub(super) fn unscripted(&self) -> u64 {
        self.unscripted
    }

    pub(super) fn edge(&self, at: u32) -> &Edge {
        &self.edges[at as usize]
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

type Places = HashMap<Packed, u32, FxBuildHasher>;

/// A script names the sender of a wipe, also if that gateway has died since. If a gateway waits for the answer to the
/// same wipe at that time, nobody can tell the two apart.
fn can_be_told(state: &State, action: &Action) -> bool {
    let Action::Wipe(wipe, ..) = action else { return true };
    let is_awaited = state.wipes.iter().any(|it| it.by.is_some() && it.incarnation == wipe.incarnation);
    wipe.by.is_some() || !is_awaited
}

/// If the model does not take the action: the refusal by whoever was asked.
fn refusal(protocol: &Snapshot, state: &State, action: &Action) -> Option<Action> {
    let attempt = match *action {
        Action::Register(question, _) => Attempt::Register(question),
        Action::Answer(call, _) => Attempt::Answer(call),
        Action::Save(save) => Attempt::Save(save),
        Action::Claim(gateway, expected) => Attempt::Claim(gateway, expected),
        Action::Wipe(wipe, ..) => Attempt::Wipe(wipe),
        Action::Finish(gateway, wiped, _) => Attempt::Finish(gateway, wiped),
        Action::Resolve(cited) => Attempt::Resolve(cited),
        Action::Perform(act) => Attempt::Perform(act),
        Action::Rollback(rollback) => Attempt::Rollback(rollback),
        Action::Restart(_)
        | Action::Ask(_)
        | Action::Learn(_)
        | Action::Begin(_)
        | Action::Stamp(..)
        | Action::SendWipe(..)
        | Action::Load(_)
        | Action::Discard(_)
        | Action::Forward(_)
        | Action::Crash(_)
        | Action::Refuse(..) => return None,
    };
    let because: Requirement = protocol.apply(&mut state.clone(), action).err()?.requirement;
    let refusal = Action::Refuse(attempt, because);
    protocol.apply(&mut state.clone(), &refusal).is_ok().then_some(refusal)
}
