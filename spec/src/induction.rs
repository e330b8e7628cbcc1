//! What a proof by induction needs of a protocol: an invariant, and every state of a small world.
//!
//! A search says what is true of the states that can be reached within its bounds. An inductive invariant says more: it
//! is true at the start, and whatever state it is true of, reachable or not, no step makes it false. So it is true for
//! behaviours of any length.

use crate::protocol::Protocol;

/// One part of an invariant. The invariant is true of a state if all its clauses are.
#[derive(Debug)]
pub struct Clause<S> {
    /// For instance `wiped-is-before`.
    pub name: &'static str,
    /// The clause in plain English.
    pub sentence: &'static str,
    /// Whether it is true of the state.
    pub holds: fn(&S) -> bool,
}

// Derived, they would ask the same of a state.
impl<S> Clone for Clause<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Clause<S> {}

/// How large the small world is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Ids of each kind are below or equal to this.
    pub ids: u32,
    /// Counters are below or equal to this.
    pub counts: u32,
    /// So many messages there are at most, of all kinds together.
    pub messages: usize,
}

/// A protocol with an invariant that is meant to be inductive.
pub trait Inductive: Protocol {
    /// The same rules where no bound limits what is proposed and nothing is forgotten.
    fn unbounded(&self) -> Self;

    /// The invariant.
    fn clauses(&self) -> &'static [Clause<Self::State>];

    /// Shows every state within the scope of which the clauses are true, reachable or not. May leave a state out only
    /// if one of these clauses is false of it.
    fn states(&self, scope: Scope, clauses: &[Clause<Self::State>], show: &mut dyn FnMut(&Self::State));
}
