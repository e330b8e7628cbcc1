//! Whether what is waited for comes about in every fair behaviour.
//!
//! # Theory of operation
//!
//! A response is broken by a *lasso*: a stem that leads to a state in which somebody waits and is not answered, and a
//! loop that goes on for ever without an answer, while being fair. A behaviour may also stop for ever where it is
//! (stuttering), if fairness allows: that is a loop of no steps.
//!
//! A loop stays within one strongly connected component of the states without an answer. So a component is judged as a
//! whole, since a walk through all of it is a loop too:
//!
//! - *Finitely often*: steps of such a class are no part of a loop. They are left out before components are looked for.
//! - *Weakly fair*: a step of the class is taken in the component, or is impossible in one of its states. Otherwise it
//!   is possible for ever and never taken, in this component and in every part of it.
//! - *Strongly fair*: a step of the class is taken in the component, or is possible in none of its states. Otherwise
//!   the states in which it is possible are left out, and what remains is divided anew.
//!
//! # Ground rules
//!
//! - A step is possible if the whole graph has it, also where it leads to an answer or out of the component.
//! - What is reported is a loop that can be walked, with a witness for each class that the response relies on; never a
//!   component.
//! - A state beyond which a bound has cut something off counts as answered: what lies there was not searched.

mod behaviour;
mod components;
mod lasso;

use outlive_spec::protocol::Fairness;

use super::graph::Graph;

pub use behaviour::{steps, waits_in_vain};
pub use lasso::{Lasso, Witness};

/// The lasso with the shortest stem, if there is one.
pub fn first_lasso(graph: &Graph, response: usize, fairness: Fairness) -> Option<Lasso> {
    let waiting = waiting(graph, response);
    let fair = components::fair(graph, &waiting, fairness);
    lasso::shortest(graph, response, fairness, &fair)
}

/// The states in which an answer can still be outstanding.
fn waiting(graph: &Graph, response: usize) -> Vec<bool> {
    let mut waiting: Vec<bool> = (0..graph.len() as u32).map(|state| graph.is_open(state, response)).collect();
    let mut next: Vec<u32> = (0..graph.len() as u32).filter(|state| waiting[*state as usize]).collect();
    while let Some(state) = next.pop() {
        for edge in graph.edges_of(state) {
            let to = graph.edge(edge).to;
            if !waiting[to as usize] && !graph.is_answered(to, response) {
                waiting[to as usize] = true;
                next.push(to);
            }
        }
    }
    waiting
}
