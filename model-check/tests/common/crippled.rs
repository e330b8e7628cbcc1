//! A protocol with something missing.

use std::collections::HashSet;
use std::hash::Hash;

use outlive_spec::guard::Guard;
use outlive_spec::protocol::{Broken, Class, Classes, Cut, Lane, Outlook, Property, Protocol, Response};
use outlive_spec::requirement::Requirement;

/// Puts one variable of the second state back to where it was in the first.
pub(crate) type Freeze<S> = fn(&S, &mut S);

/// What is missing.
#[derive(Debug)]
pub(crate) enum Missing<S> {
    Nothing,
    /// Whatever changes this variable.
    Change(Freeze<S>),
    /// Whoever would take an action of this kind.
    Kind(usize),
}

// Derived, they would ask the same of a state.
impl<S> Clone for Missing<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Missing<S> {}

/// The protocol without it.
#[derive(Clone, Copy)]
pub(crate) struct Crippled<P: Protocol> {
    pub(crate) inner: P,
    pub(crate) missing: Missing<P::State>,
}

impl<P: Protocol> Protocol for Crippled<P> {
    type State = P::State;
    type Action = P::Action;
    type Packed = P::Packed;

    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn initial(&self) -> Vec<P::State> {
        self.inner.initial()
    }

    fn apply(&self, state: &mut P::State, action: &P::Action) -> Result<(), Guard> {
        let before = state.clone();
        self.inner.apply(state, action)?;
        if let Missing::Change(freeze) = self.missing {
            freeze(&before, state);
        }
        Ok(())
    }

    fn actions(&self, state: &P::State, out: &mut Vec<P::Action>) -> Cut {
        let cut = self.inner.actions(state, out);
        if let Missing::Kind(kind) = self.missing {
            out.retain(|action| self.inner.kind(action) != kind);
        }
        cut
    }

    fn properties(&self) -> &'static [Property] {
        self.inner.properties()
    }

    fn broken(&self, state: &P::State) -> Broken {
        self.inner.broken(state)
    }

    fn harms(&self, state: &P::State) -> Broken {
        self.inner.harms(state)
    }

    fn forgive(&self, state: &mut P::State) {
        self.inner.forgive(state);
    }

    fn close_up(&self, state: &mut P::State) {
        self.inner.close_up(state);
    }

    fn far(&self) -> Self {
        Crippled { inner: self.inner.far(), missing: self.missing }
    }

    fn is_settled(&self, state: &P::State) -> bool {
        self.inner.is_settled(state)
    }

    fn is_progress(&self, state: &P::State, action: &P::Action) -> bool {
        self.inner.is_progress(state, action)
    }

    fn represent(&self, state: &mut P::State) {
        self.inner.represent(state);
    }

    fn responses(&self) -> &'static [Response] {
        self.inner.responses()
    }

    fn outlook(&self, response: usize, state: &P::State) -> Outlook {
        self.inner.outlook(response, state)
    }

    fn classes(&self) -> &'static [Class] {
        self.inner.classes()
    }

    fn classes_of(&self, state: &P::State, action: &P::Action) -> Classes {
        self.inner.classes_of(state, action)
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.inner.kinds()
    }

    fn kind(&self, action: &P::Action) -> usize {
        self.inner.kind(action)
    }

    fn refuses_by(&self, action: &P::Action) -> Option<Requirement> {
        self.inner.refuses_by(action)
    }

    fn lane(&self, action: &P::Action) -> Lane {
        self.inner.lane(action)
    }

    fn lanes(&self) -> &'static [Lane] {
        self.inner.lanes()
    }

    fn phase(&self, state: &P::State) -> &'static str {
        self.inner.phase(state)
    }

    fn describe(&self, state: &P::State) -> Vec<(&'static str, String)> {
        self.inner.describe(state)
    }

    fn pack(&self, state: &P::State) -> Self::Packed {
        self.inner.pack(state)
    }

    fn unpack(&self, packed: &Self::Packed) -> P::State {
        self.inner.unpack(packed)
    }
}

/// Every reachable state.
pub(crate) fn reachable<P: Protocol>(protocol: &Crippled<P>) -> HashSet<P::State> {
    let mut queue = protocol.initial();
    let mut seen: HashSet<P::State> = queue.iter().cloned().collect();
    while let Some(state) = queue.pop() {
        let mut proposals = Vec::new();
        protocol.actions(&state, &mut proposals);
        for action in proposals {
            let mut next = state.clone();
            if protocol.apply(&mut next, &action).is_err() {
                continue;
            }
            protocol.forgive(&mut next);
            if seen.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    seen
}

/// The states but for the variable that is not looked at, which is in each as in the first argument.
pub(crate) fn hidden<S: Clone + Eq + Hash>(like: &S, states: &HashSet<S>, hide: Freeze<S>) -> HashSet<S> {
    let hidden = states.iter().map(|state| {
        let mut state = state.clone();
        hide(like, &mut state);
        state
    });
    hidden.collect()
}
