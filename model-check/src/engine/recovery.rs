//! Whether every reachable state can get back to a settled one by progress alone.
//!
//! That is a question about the whole graph, so it is answered once the search is complete. Only the edges of states
//! that are not settled themselves are kept. A state beyond which a bound has cut something off counts as settled: what
//! lies there was not searched, and a false alarm helps nobody.

use outlive_spec::protocol::{Cut, Protocol};

use super::graph::to_u32;
use super::visited::{Hashed, Visited};

/// The part of the graph that the question needs. States must be added in the order of their places.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Whether a state is settled, or is known to reach one that is.
    recovers: Vec<bool>,
    /// The states that are not settled, with the place of their first edge.
    open: Vec<(u32, u32)>,
    /// Where the edges lead.
    targets: Vec<u32>,
}

impl Recovery {
    /// The next state, and whether it is settled. If it is not, its edges follow.
    pub fn add_state(&mut self, is_settled: bool) {
        if !is_settled {
            self.open.push((to_u32(self.recovers.len()), to_u32(self.targets.len())));
        }
        self.recovers.push(is_settled);
    }

    /// Progress leads from the last state to this one.
    #[inline]
    pub fn add_edge(&mut self, target: u32) {
        self.targets.push(target);
    }

    /// The first state that cannot recover. Since states stand in breadth-first order, none is nearer to the start.
    pub fn first_dead_end(mut self) -> Option<u32> {
        // A state is mostly found before the states to which it leads, so that going backward settles most of them in
        // the first round; the rounds end when one settles none.
        let mut open: Vec<(u32, u32, u32)> = Vec::with_capacity(self.open.len());
        let mut end = to_u32(self.targets.len());
        for &(state, start) in self.open.iter().rev() {
            open.push((state, start, end));
            end = start;
        }
        loop {
            let before = open.len();
            open.retain(|&(state, start, end)| {
                let recovers = self.targets[start as usize..end as usize].iter().any(|&to| self.recovers[to as usize]);
                self.recovers[state as usize] |= recovers;
                !recovers
            });
            if open.len() == before {
                return open.last().map(|&(state, ..)| state);
            }
        }
    }
}

/// Whether progress alone leads from this state to a settled one. Searches what is reachable by progress, and no more.
pub fn can_recover<P: Protocol>(protocol: &P, state: &P::State) -> bool {
    let mut visited = Visited::new();
    visited.insert(Hashed::new(protocol.pack(state)));
    let (mut at, mut proposals) = (0, Vec::new());
    while (at as usize) < visited.len() {
        let state = protocol.unpack(&visited.get(at));
        proposals.clear();
        if protocol.actions(&state, &mut proposals) == Cut::ByABound || protocol.is_settled(&state) {
            return true;
        }
        for action in proposals.iter().filter(|action| protocol.is_progress(&state, action)) {
            let mut next = state.clone();
            if protocol.apply(&mut next, action).is_ok() {
                protocol.forgive(&mut next);
                visited.insert(Hashed::new(protocol.pack(&next)));
            }
        }
        at += 1;
    }
    false
}
