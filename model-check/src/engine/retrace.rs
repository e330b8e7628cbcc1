//! From the states that a search went through back to steps that can be taken.
//!
//! A search keeps states, and under symmetry only those that stand for others. The steps of a path are found by taking,
//! in each state, the first step that leads to the next one or to one that it stands for. So a path shows the names
//! that things really have, and not those of the representatives.

use outlive_spec::protocol::{Classes, Protocol};

use super::walk::Step;

/// Where the next step leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<K> {
    /// The state, as it is packed.
    pub(super) packed: K,
    /// To which classes the step belongs, if that matters.
    pub(super) classes: Option<Classes>,
}

/// A path that is being walked.
pub(super) struct Path<'a, P: Protocol> {
    searched: &'a P,
    /// A name that was never closed up can be beyond any bound.
    far: P,
    symmetry: bool,
    state: P::State,
    pub(super) start: usize,
    pub(super) steps: Vec<Step<P>>,
}

impl<'a, P: Protocol> Path<'a, P> {
    /// A path from the start that is this state, or for which it stands.
    pub(super) fn new(searched: &'a P, symmetry: bool, start: P::Packed) -> Self {
        let state = searched.initial().swap_remove(0);
        let mut path = Path { searched, far: searched.far(), symmetry, state, start: 0, steps: Vec::new() };
        let starts = searched.initial().into_iter().map(|mut state| {
            searched.forgive(&mut state);
            state
        });
        let (place, state) =
            starts.enumerate().find(|(_, state)| path.packs(state) == start).expect("a search begins at a start");
        (path.start, path.state) = (place, state);
        path
    }

    pub(super) fn step_to(&mut self, target: Target<P::Packed>) {
        let leads_there = |step: &Step<P>| {
            let classes = || self.far.classes_of(&step.before, &step.action);
            // A search goes only by steps that change something, be it a name.
            step.after != step.before
                && self.packs(&step.after) == target.packed
                && target.classes.is_none_or(|wanted| classes() == wanted)
        };
        let step = possible(&self.far, &self.state).find(leads_there);
        self.take(step.expect("a state can do what the one that stands for it can"));
    }

    pub(super) fn step_that_breaks(&mut self, property: usize) {
        let step = possible(&self.far, &self.state).find(|step| step.broken.has(property));
        self.take(step.expect("a state breaks what the one that stands for it does"));
    }

    fn take(&mut self, step: Step<P>) {
        self.state = step.after.clone();
        self.steps.push(step);
    }

    fn packs(&self, state: &P::State) -> P::Packed {
        let mut state = state.clone();
        close_up(self.searched, self.symmetry, &mut state);
        self.searched.pack(&state)
    }
}

/// From the names that things really have to those that a search gives them.
pub fn close_up<P: Protocol>(protocol: &P, symmetry: bool, state: &mut P::State) {
    if symmetry {
        protocol.represent(state);
    } else {
        protocol.close_up(state);
    }
}

/// Every step that can be taken in this state, also if it changes nothing.
fn possible<'a, P: Protocol>(protocol: &'a P, state: &'a P::State) -> impl Iterator<Item = Step<P>> + 'a {
    let mut proposals = Vec::new();
    protocol.actions(state, &mut proposals);
    proposals.into_iter().filter_map(move |action| {
        let mut after = state.clone();
        protocol.apply(&mut after, &action).ok()?;
        let broken = protocol.broken(&after);
        protocol.forgive(&mut after);
        Some(Step { action, before: state.clone(), after, broken })
    })
}
