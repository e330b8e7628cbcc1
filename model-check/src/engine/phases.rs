//! The state diagram: the graph of a search, with all states of one phase drawn as one.

use std::collections::{BTreeMap, BTreeSet};

use outlive_spec::protocol::Protocol;

use super::visited::{Hashed, Visited};

/// The phases that are reachable, and the kinds of actions that lead from one to another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Phases {
    /// Where behaviours start.
    pub starts: BTreeSet<&'static str>,
    /// From, to, and the places of the kinds that lead there. What stays within a phase is left out.
    pub edges: BTreeMap<(&'static str, &'static str), BTreeSet<usize>>,
}

/// Searches the protocol and draws its phases.
pub fn phases<P: Protocol>(protocol: &P) -> Phases {
    let mut phases = Phases::default();
    let mut visited = Visited::new();
    for state in protocol.initial() {
        phases.starts.insert(protocol.phase(&state));
        visited.insert(Hashed::new(protocol.pack(&state)));
    }
    let (mut at, mut proposals) = (0, Vec::new());
    while (at as usize) < visited.len() {
        let state = protocol.unpack(&visited.get(at));
        proposals.clear();
        protocol.actions(&state, &mut proposals);
        for action in &proposals {
            let mut next = state.clone();
            if protocol.apply(&mut next, action).is_err() {
                continue;
            }
            protocol.forgive(&mut next);
            let (from, to) = (protocol.phase(&state), protocol.phase(&next));
            if from != to {
                phases.edges.entry((from, to)).or_default().insert(protocol.kind(action));
            }
            visited.insert(Hashed::new(protocol.pack(&next)));
        }
        at += 1;
    }
    phases
}
