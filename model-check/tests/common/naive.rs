//! A search without any of our tricks.

use std::collections::{HashMap, VecDeque};

use outlive_model_check::report::counterexample::Length;
use outlive_model_check::report::reviewed::Row;
use outlive_spec::protocol::{Broken, Cut, Property, Protocol};

/// Breadth first over the states as they are, with the collections of the standard library, and backward over all
/// edges.
pub(crate) fn naive<P: Protocol>(name: &str, protocol: &P) -> Row {
    let mut row = Row { variant: name.to_owned(), states: 0, lengths: Default::default() };
    let mut depths = HashMap::new();
    let mut queue = VecDeque::new();
    let mut leads_to: Vec<Vec<usize>> = Vec::new();
    let mut recovers = Vec::new();
    for state in protocol.initial() {
        depths.insert(state.clone(), (0, 0));
        queue.push_back(state);
    }
    while let Some(state) = queue.pop_front() {
        let (_, depth) = depths[&state];
        let mut proposals = Vec::new();
        let cut = protocol.actions(&state, &mut proposals);
        recovers.push(cut == Cut::ByABound || protocol.is_settled(&state));
        let mut targets = Vec::new();
        for action in proposals {
            let mut next = state.clone();
            if protocol.apply(&mut next, &action).is_err() {
                continue;
            }
            note(&mut row, protocol.properties(), protocol.broken(&next), depth + 1);
            protocol.forgive(&mut next);
            let place = depths.len();
            let (place, _) = *depths.entry(next.clone()).or_insert_with(|| {
                queue.push_back(next);
                (place, depth + 1)
            });
            if protocol.is_progress(&state, &action) {
                targets.push(place);
            }
        }
        leads_to.push(targets);
    }
    let mut levels = vec![0; depths.len()];
    depths.values().for_each(|&(place, depth)| levels[place] = depth);
    while let Some(place) =
        (0..levels.len()).rev().find(|&it| !recovers[it] && leads_to[it].iter().any(|&to| recovers[to]))
    {
        spread(&leads_to, &mut recovers, place);
    }
    if let Some(dead_end) = (0..levels.len()).find(|place| !recovers[*place]) {
        row.lengths.insert("settled-is-reachable".to_owned(), Length::steps(levels[dead_end]));
    }
    row.states = levels.len();
    row
}

/// One round over everything, as long as the callers find something to begin with.
fn spread(leads_to: &[Vec<usize>], recovers: &mut [bool], from: usize) {
    recovers[from] = true;
    for place in (0..recovers.len()).rev() {
        recovers[place] |= leads_to[place].iter().any(|&to| recovers[to]);
    }
}

fn note(row: &mut Row, properties: &[Property], broken: Broken, depth: usize) {
    for (place, property) in properties.iter().enumerate() {
        if broken.has(place) {
            row.lengths.entry(property.name.to_owned()).or_insert(Length::steps(depth));
        }
    }
}
