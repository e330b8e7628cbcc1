//! What a test plans for the calls of a [`super::FakeProvider`].

use std::collections::{BTreeMap, VecDeque};

use crate::error::ProviderError;
use crate::id::ComputerId;

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verb {
    /// A start.
    Start,
    /// A stop or a removal.
    End,
    /// A read of one computer.
    Get,
    /// A list.
    List,
    /// A wait for a report.
    Watch,
}

/// What becomes of one call. To delay it is to park and release it; to hang it is to park it for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It never arrives, and its caller hears that it was lost.
    Lose,
    /// It takes effect, and its caller hears that it was lost.
    LoseAnswer,
    /// It is refused, and nothing is changed.
    Refuse,
    /// It takes effect, and its caller hears what cannot be.
    Nonsense,
    /// It never arrives, and its caller panics.
    Panic,
    /// It is held, until it is released. Its caller may be gone by then.
    Park(Point),
    /// A list or a report is as many changes old. One that was not as old, before it, makes it go back.
    Past(usize),
    /// A list lacks this computer.
    LeaveOut(ComputerId),
}

/// Where a call is held. Between the effect and the answer nothing else lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// Nothing was done, or read.
    BeforeEffect,
    /// Everything was done, and what was read is old by now.
    BeforeAnswer,
}

/// Faults in the order in which they befall the calls of a verb.
#[derive(Default)]
pub(super) struct FaultPlan(BTreeMap<Verb, VecDeque<Fault>>);

impl FaultPlan {
    pub(super) fn add(&mut self, verb: Verb, fault: Fault) {
        let is_possible = match fault {
            Fault::Lose | Fault::LoseAnswer | Fault::Refuse | Fault::Nonsense | Fault::Panic | Fault::Park(_) => true,
            Fault::Past(_) => matches!(verb, Verb::List | Verb::Watch),
            Fault::LeaveOut(_) => verb == Verb::List,
        };
        assert!(is_possible, "{fault:?} cannot become of a {verb:?}");
        self.0.entry(verb).or_default().push_back(fault);
    }

    pub(super) fn next(&mut self, verb: Verb) -> Option<Fault> {
        self.0.get_mut(&verb)?.pop_front()
    }
}

pub(super) fn lost(what: &'static str) -> ProviderError {
    ProviderError::transport(what)
}

pub(super) fn refused() -> ProviderError {
    ProviderError::refused("this call was planned to be refused")
}

pub(super) fn nonsense() -> ProviderError {
    ProviderError::Nonsense { what: "this answer was planned to be none".to_owned() }
}
