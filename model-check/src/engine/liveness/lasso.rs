//! A behaviour that waits for ever: how it begins, and what it then repeats.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use outlive_spec::protocol::Fairness;

use super::components::Components;
use crate::engine::graph::{Edge, Graph};

/// A behaviour that is fair, and in which an answer never comes. Steps are edges of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The place of the state where it starts.
    pub start: u32,
    /// How it gets to its loop.
    pub stem: Vec<u32>,
    /// What it repeats for ever. Empty: nothing happens any more.
    pub cycle: Vec<u32>,
    /// Why the loop is fair, for each class on which the response relies.
    pub witnesses: Vec<Witness>,
}

/// Why a loop is fair to one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witness {
    /// The loop takes a step of this class: its `step`-th, counted from zero.
    Taken {
        /// The place of the class.
        class: usize,
        /// Which step.
        step: usize,
    },
    /// After so many steps of the loop no step of this class is possible.
    Impossible {
        /// The place of the class.
        class: usize,
        /// After how many.
        after: usize,
    },
    /// No state of the loop allows a step of this class.
    NeverPossible {
        /// The place of the class.
        class: usize,
    },
}

/// The lasso whose loop begins nearest to a start.
pub(super) fn shortest(graph: &Graph, response: usize, fairness: Fairness, fair: &Components) -> Option<Lasso> {
    let (start, stem) = stem(graph, response, fair)?;
    let entry = stem.last().map_or(start, |edge| graph.edge(*edge).to);
    let mut tour = Tour { graph, fair, fairness, entry, at: entry, cycle: Vec::new() };
    let mut witnesses = Vec::new();
    for class in fairness.weak.iter() {
        witnesses.push(tour.be_weakly_fair_to(class));
    }
    for class in fairness.strong.iter() {
        witnesses.push(tour.be_strongly_fair_to(class));
    }
    tour.go_on_until(|state| state == entry, |_| false);
    Some(Lasso { start, stem, cycle: tour.cycle, witnesses })
}

/// The shortest way from a start to a state that begins to wait, and from there without an answer to a fair component.
fn stem(graph: &Graph, response: usize, fair: &Components) -> Option<(u32, Vec<u32>)> {
    let mut reached = vec![None; graph.len() * 2];
    let mut next = VecDeque::new();
    for &start in &graph.starts {
        let start = Point { state: start, waits: graph.is_open(start, response) };
        reached[start.place()] = Some(Reached::AsAStart);
        next.push_back(start);
    }
    while let Some(point) = next.pop_front() {
        if point.waits && fair.is_fair(point.state) {
            return Some(walk_back(&reached, point));
        }
        for edge in graph.edges_of(point.state) {
            let state = graph.edge(edge).to;
            let still_waits = point.waits && !graph.is_answered(state, response);
            let to = Point { state, waits: still_waits || graph.is_open(state, response) };
            if reached[to.place()].is_none() {
                reached[to.place()] = Some(Reached::By { from: point, edge });
                next.push_back(to);
            }
        }
    }
    None
}

/// A state, and whether somebody waits since an earlier one.
#[derive(Clone, Copy)]
struct Point {
    state: u32,
    waits: bool,
}

impl Point {
    fn place(self) -> usize {
        self.state as usize * 2 + usize::from(self.waits)
    }
}

#[derive(Clone, Copy)]
enum Reached {
    AsAStart,
    By { from: Point, edge: u32 },
}

fn walk_back(reached: &[Option<Reached>], end: Point) -> (u32, Vec<u32>) {
    let (mut at, mut edges) = (end, Vec::new());
    while let Some(Reached::By { from, edge }) = reached[at.place()] {
        edges.push(edge);
        at = from;
    }
    edges.reverse();
    (at.state, edges)
}

/// A walk within one fair component, which becomes the loop.
struct Tour<'a> {
    graph: &'a Graph,
    fair: &'a Components,
    fairness: Fairness,
    entry: u32,
    at: u32,
    cycle: Vec<u32>,
}

impl Tour<'_> {
    fn be_weakly_fair_to(&mut self, class: usize) -> Witness {
        let is_taken = |edge: Edge| edge.classes.has(class);
        let graph = self.graph;
        match self.go_on_until(|state| !graph.possible(state).has(class), is_taken) {
            Arrived::At => Witness::Impossible { class, after: self.cycle.len() },
            Arrived::By => Witness::Taken { class, step: self.cycle.len() - 1 },
        }
    }

    fn be_strongly_fair_to(&mut self, class: usize) -> Witness {
        if self.fair.members(self.entry).all(|state| !self.graph.possible(state).has(class)) {
            return Witness::NeverPossible { class };
        }
        self.go_on_until(|_| false, |edge| edge.classes.has(class));
        Witness::Taken { class, step: self.cycle.len() - 1 }
    }

    /// Goes the shortest way to such a state, or over such an edge.
    fn go_on_until(&mut self, is_the_state: impl Fn(u32) -> bool, is_the_edge: impl Fn(Edge) -> bool) -> Arrived {
        let mut reached: HashMap<u32, Option<(u32, u32)>> = HashMap::from([(self.at, None)]);
        let mut next = VecDeque::from([self.at]);
        while let Some(state) = next.pop_front() {
            if is_the_state(state) {
                self.follow(&reached, state);
                return Arrived::At;
            }
            for place in self.graph.edges_of(state) {
                let edge = self.graph.edge(place);
                if !self.fair.are_one(edge.to, self.entry) || edge.classes.meets(self.fairness.finitely) {
                    continue;
                }
                if is_the_edge(edge) {
                    self.follow(&reached, state);
                    self.cycle.push(place);
                    self.at = edge.to;
                    return Arrived::By;
                }
                if let Entry::Vacant(entry) = reached.entry(edge.to) {
                    entry.insert(Some((state, place)));
                    next.push_back(edge.to);
                }
            }
        }
        unreachable!("a fair component is strongly connected, and has a witness for each class")
    }

    fn follow(&mut self, reached: &HashMap<u32, Option<(u32, u32)>>, end: u32) {
        let (mut at, mut edges) = (end, Vec::new());
        while let Some((from, edge)) = reached[&at] {
            edges.push(edge);
            at = from;
        }
        self.cycle.extend(edges.into_iter().rev());
        self.at = end;
    }
}

/// How a walk has ended.
enum Arrived {
    /// At a state.
    At,
    /// By a step.
    By,
}
