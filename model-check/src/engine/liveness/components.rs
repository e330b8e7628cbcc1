//! The components in which a behaviour can stay for ever and be fair.

use outlive_spec::protocol::{Classes, Fairness};

use crate::engine::graph::Graph;

/// For each state the fair component to which it belongs.
#[derive(Debug)]
pub(super) struct Components {
    labels: Vec<u32>,
}

/// The label of a state from which no fair behaviour goes on.
const NONE: u32 = 0;

impl Components {
    pub(super) fn is_fair(&self, state: u32) -> bool {
        self.labels[state as usize] != NONE
    }

    pub(super) fn are_one(&self, one: u32, other: u32) -> bool {
        self.labels[one as usize] == self.labels[other as usize]
    }

    pub(super) fn members(&self, of: u32) -> impl Iterator<Item = u32> {
        let label = self.labels[of as usize];
        (0..self.labels.len() as u32).filter(move |state| self.labels[*state as usize] == label)
    }
}

/// Divides the states until each part is a fair component, or is left out.
pub(super) fn fair(graph: &Graph, among: &[bool], fairness: Fairness) -> Components {
    let mut labels: Vec<u32> = among.iter().map(|&is_among| if is_among { 1 } else { NONE }).collect();
    let mut last_label = 1;
    let mut undivided: Vec<Vec<u32>> = vec![(0..labels.len() as u32).filter(|state| among[*state as usize]).collect()];
    let mut divider = Divider::new(graph, fairness);
    while let Some(states) = undivided.pop() {
        let components = divider.divide(&states, &labels);
        for component in components {
            last_label += 1;
            component.iter().for_each(|state| labels[*state as usize] = last_label);
            let excluded = judge(graph, &component, &labels, fairness);
            let Exclude::These(classes) = excluded else {
                if matches!(excluded, Exclude::Everything) {
                    component.iter().for_each(|state| labels[*state as usize] = NONE);
                }
                continue;
            };
            let (out, rest): (Vec<u32>, Vec<u32>) =
                component.iter().partition(|state| graph.possible(**state).meets(classes));
            out.iter().for_each(|state| labels[*state as usize] = NONE);
            undivided.push(rest);
        }
    }
    Components { labels }
}

/// What keeps a component from being fair.
enum Exclude {
    /// Nothing does.
    Nothing,
    /// A weakly fair class: it is possible in every state and taken nowhere, so no part is fair either.
    Everything,
    /// These strongly fair classes: the parts in which they are impossible may be.
    These(Classes),
}

fn judge(graph: &Graph, component: &[u32], labels: &[u32], fairness: Fairness) -> Exclude {
    let (mut taken, mut ever, mut always) = (Classes::default(), Classes::default(), Classes::ALL);
    for &state in component {
        let possible = graph.possible(state);
        ever = ever | possible;
        always = always & possible;
        for edge in graph.edges_of(state).map(|edge| graph.edge(edge)) {
            let stays = labels[edge.to as usize] == labels[state as usize];
            if stays && !edge.classes.meets(fairness.finitely) {
                taken = taken | edge.classes;
            }
        }
    }
    if !(fairness.weak & always).without(taken).is_empty() {
        return Exclude::Everything;
    }
    let missed = (fairness.strong & ever).without(taken);
    if missed.is_empty() { Exclude::Nothing } else { Exclude::These(missed) }
}

/// Tarjan's algorithm, with a stack of its own: a chain of millions of states would overflow the machine's.
struct Divider<'a> {
    graph: &'a Graph,
    finitely: Classes,
    /// When each state was first seen in this division; 0 if it was not.
    seen: Vec<u32>,
    /// The earliest state to which each leads back.
    lowest: Vec<u32>,
    is_on_path: Vec<bool>,
}

/// A state whose edges are being followed, and the next of them.
struct Frame {
    state: u32,
    next: u32,
}

impl<'a> Divider<'a> {
    fn new(graph: &'a Graph, fairness: Fairness) -> Self {
        let states = graph.len();
        Divider {
            graph,
            finitely: fairness.finitely,
            seen: vec![0; states],
            lowest: vec![0; states],
            is_on_path: vec![false; states],
        }
    }

    /// The strongly connected components of these states, which all have one label, along the edges that may be taken
    /// infinitely often.
    fn divide(&mut self, states: &[u32], labels: &[u32]) -> Vec<Vec<u32>> {
        states.iter().for_each(|state| self.seen[*state as usize] = 0);
        let (mut components, mut path, mut frames) = (Vec::new(), Vec::new(), Vec::new());
        let mut count = 0;
        for &root in states {
            if self.seen[root as usize] != 0 {
                continue;
            }
            self.enter(root, &mut count, &mut path, &mut frames);
            while let Some(Frame { state, next }) = frames.last_mut() {
                let from = *state;
                if *next == self.graph.edges_of(from).end {
                    frames.pop();
                    self.leave(from, frames.last(), &mut path, &mut components);
                    continue;
                }
                let edge = self.graph.edge(*next);
                *next += 1;
                if edge.classes.meets(self.finitely) || labels[edge.to as usize] != labels[from as usize] {
                    continue;
                }
                if self.seen[edge.to as usize] == 0 {
                    self.enter(edge.to, &mut count, &mut path, &mut frames);
                } else if self.is_on_path[edge.to as usize] {
                    self.lower(from, self.seen[edge.to as usize]);
                }
            }
        }
        components
    }

    fn enter(&mut self, state: u32, count: &mut u32, path: &mut Vec<u32>, frames: &mut Vec<Frame>) {
        *count += 1;
        self.seen[state as usize] = *count;
        self.lowest[state as usize] = *count;
        self.is_on_path[state as usize] = true;
        path.push(state);
        frames.push(Frame { state, next: self.graph.edges_of(state).start });
    }

    fn leave(&mut self, state: u32, parent: Option<&Frame>, path: &mut Vec<u32>, components: &mut Vec<Vec<u32>>) {
        let lowest = self.lowest[state as usize];
        if let Some(parent) = parent {
            self.lower(parent.state, lowest);
        }
        if lowest == self.seen[state as usize] {
            let begin =
                path.iter().rposition(|on_path| *on_path == state).expect("a state is on the path until it leaves");
            let component = path.split_off(begin);
            component.iter().for_each(|state| self.is_on_path[*state as usize] = false);
            components.push(component);
        }
    }

    fn lower(&mut self, state: u32, to: u32) {
        let lowest = &mut self.lowest[state as usize];
        *lowest = (*lowest).min(to);
    }
}
