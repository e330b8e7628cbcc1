//! Paths that take every edge that can be seen, each from the start.
//!
//! Greedy: a path goes to the first state that still has an edge to take and takes edges from there. Where there is
//! none, it goes on to the nearest state that has one. A shortest cover would need a matching over the whole graph;
//! this one is found in a moment.

use std::collections::{HashSet, VecDeque};

use super::graph::Graph;
use super::protocol::Scripted;

/// The longest path: a script that fails is read by people.
const LONGEST: usize = 100;
/// How many states are looked at for the nearest one that has an edge to take.
const NEAR: usize = 60;

/// The paths, each as edges.
pub(super) fn paths<P: Scripted>(graph: &Graph<P>) -> Vec<Vec<u32>> {
    let mut cover = Cover::of(graph);
    let mut paths = Vec::new();
    for state in 0..graph.states() as u32 {
        while cover.left[state as usize] > 0 {
            let mut path = graph.way_to(state);
            path.iter().for_each(|edge| cover.take(*edge));
            cover.go_on(state, &mut path);
            paths.push(path);
        }
    }
    paths
}

struct Cover<'a, P: Scripted> {
    graph: &'a Graph<P>,
    is_taken: Vec<bool>,
    /// From which state each edge leaves.
    from: Vec<u32>,
    /// How many edges of each state are still to be taken.
    left: Vec<u32>,
}

impl<'a, P: Scripted> Cover<'a, P> {
    fn of(graph: &'a Graph<P>) -> Cover<'a, P> {
        let (mut is_taken, mut from, mut left) = (Vec::new(), Vec::new(), Vec::new());
        for state in 0..graph.states() as u32 {
            let edges = graph.leaving(state);
            // An edge that nobody can see happen needs no path.
            is_taken.extend(edges.clone().map(|edge| !graph.is_visible(edge)));
            from.extend(edges.clone().map(|_| state));
            left.push(edges.filter(|edge| graph.is_visible(*edge)).count() as u32);
        }
        Cover { graph, is_taken, from, left }
    }

    fn take(&mut self, edge: u32) {
        if !std::mem::replace(&mut self.is_taken[edge as usize], true) {
            self.left[self.from[edge as usize] as usize] -= 1;
        }
    }

    /// Takes edges that were not taken before, as long as there are any near.
    fn go_on(&mut self, start: u32, path: &mut Vec<u32>) {
        let mut at = start;
        while path.len() < LONGEST {
            let way = match self.next(at) {
                Some(edge) => vec![edge],
                None => self.way_to_the_nearest(at),
            };
            let Some(last) = way.last() else { return };
            at = self.graph.edge(*last).to;
            way.iter().for_each(|edge| self.take(*edge));
            path.extend(way);
        }
    }

    /// An edge to take here: first one that stays in this state, then one that leads to where there is more to take.
    fn next(&self, at: u32) -> Option<u32> {
        let open = || self.graph.leaving(at).filter(|edge| !self.is_taken[*edge as usize]);
        let stays = |edge: &u32| self.graph.edge(*edge).to == at;
        let leads_on = |edge: &u32| self.left[self.graph.edge(*edge).to as usize] > 0;
        open().find(stays).or_else(|| open().find(leads_on)).or_else(|| open().next())
    }

    /// The way to the nearest state with an edge to take; empty, if there is none near.
    fn way_to_the_nearest(&self, start: u32) -> Vec<u32> {
        let (mut seen, mut queue) = (HashSet::from([start]), VecDeque::from([(start, Vec::new())]));
        while let Some((at, way)) = queue.pop_front() {
            for edge in self.graph.leaving(at) {
                let to = self.graph.edge(edge).to;
                if !seen.insert(to) {
                    continue;
                }
                let way: Vec<u32> = way.iter().copied().chain([edge]).collect();
                if self.left[to as usize] > 0 {
                    return way;
                }
                if seen.len() < NEAR {
                    queue.push_back((to, way));
                }
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use outlive_spec::operation::Operations;
    use outlive_spec::snapshot::Snapshot;

    use super::*;
    use crate::generate::Cover as Wanted;

    #[test]
    fn every_edge_that_can_be_seen_is_in_a_path_and_every_path_holds_together() {
        assert_covered(&Graph::explore(Snapshot::of(Wanted::States), Wanted::States));
        assert_covered(&Graph::explore(Operations::of(Wanted::States), Wanted::States));
    }

    fn assert_covered<P: Scripted>(graph: &Graph<P>) {
        let mut covered = HashSet::new();
        for path in paths(graph) {
            let mut at = 0;
            for &edge in &path {
                assert!(graph.leaving(at).contains(&edge), "the path leaves a state in which it is not");
                at = graph.edge(edge).to;
            }
            covered.extend(path.into_iter().filter(|edge| graph.is_visible(*edge)));
        }
        assert_eq!(covered.len() as u64, graph.edges());
    }
}
