//! Induction: whatever state the invariant is true of, no step makes it false or breaks a property.
//!
//! # Theory of operation
//!
//! Every state of a small world of which the invariant is true is expanded once, whether or not anything leads to it.
//! Nothing is stored, so the world may be far larger than a search could be. A step that leads out of the invariant is
//! a *counterexample to induction*: if its first state can be reached, the protocol is wrong; if it cannot, the
//! invariant must say why.
//!
//! # What is not here
//!
//! A proof for worlds of any size. The head of an invariant says why its own world is large enough.

use outlive_spec::induction::{Clause, Inductive, Scope};
use outlive_spec::protocol::Protocol;

/// What was found in a small world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Induction<P: Protocol> {
    /// The states of which the invariant is true.
    pub states: u64,
    /// The steps that the rules admit in them.
    pub steps: u64,
    /// The first step that leads out of it; then nothing further was looked at.
    pub broken: Option<LeadsOut<P>>,
}

/// A counterexample to induction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeadsOut<P: Protocol> {
    /// The invariant is true of it.
    pub before: P::State,
    /// The step; none if it is a start of which the invariant is false.
    pub action: Option<P::Action>,
    /// Where it leads.
    pub after: P::State,
    /// What is not true any more: the name of a clause, or of a property.
    pub what: &'static str,
}

/// How far an induction is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The states that were expanded.
    pub states: u64,
    /// The steps that were taken.
    pub steps: u64,
}

/// After how many states somebody may look.
const WATCHED: u64 = 65_536;

/// Expands every state of the world. The clauses are those of the protocol, or some of them.
pub fn induct<P: Inductive>(
    protocol: &P,
    clauses: &[Clause<P::State>],
    scope: Scope,
    watch: &mut dyn FnMut(&Progress),
) -> Induction<P> {
    let unbounded = protocol.unbounded();
    let mut induction = Induction { states: 0, steps: 0, broken: start(&unbounded, clauses) };
    let (mut proposals, mut next) = (Vec::new(), None);
    protocol.states(scope, clauses, &mut |state| {
        if induction.broken.is_some() {
            return;
        }
        induction.states += 1;
        if induction.states.is_multiple_of(WATCHED) {
            watch(&Progress { states: induction.states, steps: induction.steps });
        }
        proposals.clear();
        unbounded.actions(state, &mut proposals);
        let next: &mut P::State = next.get_or_insert_with(|| state.clone());
        for action in &proposals {
            next.clone_from(state);
            if unbounded.apply(next, action).is_err() {
                continue;
            }
            induction.steps += 1;
            if let Some(what) = false_of(&unbounded, clauses, next) {
                let (before, after) = (state.clone(), next.clone());
                induction.broken = Some(LeadsOut { before, action: Some(*action), after, what });
                return;
            }
        }
    });
    induction
}

fn start<P: Inductive>(protocol: &P, clauses: &[Clause<P::State>]) -> Option<LeadsOut<P>> {
    protocol.initial().into_iter().find_map(|start| {
        let what = false_of(protocol, clauses, &start)?;
        Some(LeadsOut { before: start.clone(), action: None, after: start, what })
    })
}

/// What is not true of a state, or was broken by the step that led to it.
fn false_of<P: Inductive>(protocol: &P, clauses: &[Clause<P::State>], state: &P::State) -> Option<&'static str> {
    let broken = protocol.broken(state).0;
    if broken != 0 {
        return Some(protocol.properties()[broken.trailing_zeros() as usize].name);
    }
    clauses.iter().find(|clause| !(clause.holds)(state)).map(|clause| clause.name)
}
