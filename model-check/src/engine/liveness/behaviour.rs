//! A lasso as steps that can be walked, and the judgement of such steps without any graph.

use outlive_spec::protocol::{Classes, Fairness, Outlook, Protocol};

use super::Lasso;
use crate::engine::graph::possible_classes;
use crate::engine::retrace::{Path, Target};
use crate::engine::search::Explored;
use crate::engine::walk::Step;

/// The start of a lasso and its steps, the loop included, with the names that they really have.
pub fn steps<P: Protocol>(protocol: &P, explored: &Explored<P>, lasso: &Lasso) -> (usize, Vec<Step<P>>) {
    let mut path = Path::new(protocol, true, explored.packed(lasso.start));
    for edge in lasso.stem.iter().chain(&lasso.cycle).map(|edge| explored.graph.edge(*edge)) {
        path.step_to(Target { packed: explored.packed(edge.to), classes: Some(edge.classes) });
    }
    (path.start, path.steps)
}

/// Whether the last `cycle` of these steps, which begin at `start`, can be repeated for ever, as a behaviour that is
/// fair and in which somebody waits in vain.
pub fn waits_in_vain<P: Protocol>(
    far: &P,
    response: usize,
    fairness: Fairness,
    start: &P::State,
    steps: &[Step<P>],
    cycle: usize,
) -> bool {
    let Some(stem) = steps.len().checked_sub(cycle) else { return false };
    let states: Vec<&P::State> = std::iter::once(start).chain(steps.iter().map(|step| &step.after)).collect();
    closes(far, states[stem], states[steps.len()])
        && is_unanswered(far, response, &states, stem)
        && is_fair(far, fairness, &states[stem..], &steps[stem..])
}

fn closes<P: Protocol>(far: &P, begin: &P::State, end: &P::State) -> bool {
    let representative = |state: &P::State| {
        let mut state = state.clone();
        far.represent(&mut state);
        state
    };
    representative(begin) == representative(end)
}

/// Somebody waits when the loop begins or comes to wait in it, and the loop has no answer.
fn is_unanswered<P: Protocol>(far: &P, response: usize, states: &[&P::State], stem: usize) -> bool {
    let mut waits = false;
    for (at, state) in states.iter().enumerate() {
        match far.outlook(response, state) {
            Outlook::Waits => waits = true,
            Outlook::Answered if at >= stem => return false,
            Outlook::Answered => waits = false,
            Outlook::Nothing => {}
        }
    }
    waits
}

fn is_fair<P: Protocol>(far: &P, fairness: Fairness, states: &[&P::State], cycle: &[Step<P>]) -> bool {
    let none = Classes::NONE;
    let changes = cycle.iter().filter(|step| step.after != step.before);
    let taken = changes.fold(none, |all, step| all | far.classes_of(&step.before, &step.action));
    let possible: Vec<Classes> = states.iter().map(|state| possible_classes(far, state)).collect();
    let always = possible.iter().fold(Classes::ALL, |all, here| all & *here);
    let ever = possible.iter().fold(none, |all, here| all | *here);
    !taken.meets(fairness.finitely)
        && (fairness.weak & always).without(taken).is_empty()
        && (fairness.strong & ever).without(taken).is_empty()
}
