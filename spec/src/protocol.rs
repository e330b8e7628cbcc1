//! What a model of this project is. [`crate::second_opinion`] makes each a [`stateright::Model`].
//!
//! A [`Protocol`] is a set of rules together with the bounds of a search. Three readers use it: the exhaustive search
//! (states and actions within the bounds), the trace check ([`Protocol::apply`] alone, which knows no bounds), and the
//! pages for reviewers (names, lanes, phases).

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::{BitAnd, BitOr};

use crate::guard::Guard;
use crate::requirement::Requirement;

/// One protocol under one set of rules, searched within one set of bounds.
pub trait Protocol: Send + Sync {
    /// Everything that a step may depend on. Plain data with a canonical form: equal meaning, equal value.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// One step of one participant, with the values that its author saw or used.
    type Action: Copy + Eq + Hash + Debug + Display + Send + Sync;
    /// A state as the search stores it: small, canonical, and `unpack(pack(s)) == s` but for the harms.
    type Packed: Copy + Eq + Hash + Debug + Send + Sync;

    /// For instance `snapshot`.
    fn name(&self) -> &'static str;

    /// Where every behaviour starts.
    fn initial(&self) -> Vec<Self::State>;

    /// Takes the step in place, or says which requirement forbids it. A refusal leaves the state as it was. What the
    /// step did that no later step can mend is noted in the state's harms (see [`Protocol::broken`]).
    ///
    /// # Errors
    /// The first guard that the action fails.
    fn apply(&self, state: &mut Self::State, action: &Self::Action) -> Result<(), Guard>;

    /// Proposes actions within the bounds; the rules refuse what they forbid. Says whether a bound cut one off that may
    /// be needed.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>) -> Cut;

    /// Whether the action, once it is taken, can change anything but the harms. A refusal mostly cannot, and a search
    /// need not look for where it leads.
    fn may_change(&self, _action: &Self::Action) -> bool {
        true
    }

    /// What must hold, in a fixed order (at most 64). The last is that a settled state can always be reached: no state
    /// shows it, so that the search judges it by [`Protocol::is_settled`] and [`Protocol::is_progress`].
    fn properties(&self) -> &'static [Property];

    /// The properties, as bits by their place in [`Protocol::properties`], that this state breaks or that the step
    /// which led here has broken.
    fn broken(&self, state: &Self::State) -> Broken;

    /// What the step that led here has broken and no state shows: a part of [`Protocol::broken`], and the whole of it
    /// where a step has changed nothing else.
    fn harms(&self, state: &Self::State) -> Broken;

    /// Forgets what the last step has broken, so that the search goes on behind it as if nothing had happened.
    fn forgive(&self, state: &mut Self::State);

    /// Turns the state into the one that stands for all those from which it differs in nothing but names, for instance
    /// in which of two gateways does what. A protocol whose names all matter leaves it as it is.
    fn represent(&self, _state: &mut Self::State) {}

    /// Uses numbers again that nothing in the state holds, where a search would otherwise never end. The steps of
    /// [`Protocol::far`] leave them as they are.
    fn close_up(&self, _state: &mut Self::State) {}

    /// The same rules, proposing also what a bound of names or of messages cuts off: by it a path is walked whose names
    /// were never closed up, and it is told what is possible in truth.
    #[must_use]
    fn far(&self) -> Self
    where
        Self: Sized;

    /// The same far rules, forgetting no message for being refused for ever: they follow a path that other rules have
    /// taken, and their refusals give the true reason.
    #[must_use]
    fn remembering(&self) -> Self
    where
        Self: Sized,
    {
        self.far()
    }

    /// Nothing is under way that needs anybody, and work can go on. From every reachable state such a state must be
    /// reachable by progress alone.
    fn is_settled(&self, state: &Self::State) -> bool;

    /// A step on which recovery may rely: neither a fault, for instance a crash, nor a new demand of a user.
    fn is_progress(&self, state: &Self::State, action: &Self::Action) -> bool;

    /// What must come about, in a fixed order (at most 32).
    fn responses(&self) -> &'static [Response] {
        &[]
    }

    /// What the state says of the response at this place.
    fn outlook(&self, _response: usize, _state: &Self::State) -> Outlook {
        Outlook::Nothing
    }

    /// The classes of actions that fairness speaks of, in a fixed order (at most 32).
    fn classes(&self) -> &'static [Class] {
        &[]
    }

    /// The classes to which this action belongs in this state, before it is taken.
    fn classes_of(&self, _state: &Self::State, _action: &Self::Action) -> Classes {
        Classes::default()
    }

    /// The names of the kinds of actions: what coverage is counted by.
    fn kinds(&self) -> &'static [&'static str];

    /// The place of an action's kind in [`Protocol::kinds`].
    fn kind(&self, action: &Self::Action) -> usize;

    /// If the action is a refusal: by which requirement.
    fn refuses_by(&self, action: &Self::Action) -> Option<Requirement>;

    /// Who takes this step: a column of a sequence diagram.
    fn lane(&self, action: &Self::Action) -> Lane;

    /// The lanes in the order in which a diagram shows them.
    fn lanes(&self) -> &'static [Lane];

    /// The coarse phase of a state: a node of the state diagram.
    fn phase(&self, state: &Self::State) -> &'static str;

    /// The fields of a state with their values, for people: a table of a counterexample shows those that change.
    fn describe(&self, state: &Self::State) -> Vec<(&'static str, String)>;

    /// The small form.
    fn pack(&self, state: &Self::State) -> Self::Packed;

    /// Back from the small form.
    fn unpack(&self, packed: &Self::Packed) -> Self::State;
}

/// Whether a bound of the search kept an action from being proposed without which nothing may be settled again. Such a
/// state is never called a dead end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Every such action was proposed.
    Nothing,
    /// Beyond the bounds there was more to do.
    ByABound,
}

/// A sentence that must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property {
    /// The requirement that it belongs to, for instance `RESET-6`.
    pub requirement: Requirement,
    /// A name for tables and command lines, for instance `no-wiped-page-resolves`.
    pub name: &'static str,
    /// In one sentence of plain English.
    pub sentence: &'static str,
    /// A variant that breaks it: the proof that the check can fail.
    pub broken_by: &'static str,
}

/// A sentence about what must come about: whatever waits is answered, in every behaviour that is fair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Response {
    /// The sentence.
    pub property: Property,
    /// What it assumes of a behaviour.
    pub fairness: Fairness,
}

/// What a behaviour is assumed to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fairness {
    /// If a step of such a class is possible for ever, one is taken at last.
    pub weak: Classes,
    /// If a step of such a class is possible again and again, one is taken at last.
    pub strong: Classes,
    /// Steps of such a class are taken only finitely often.
    pub finitely: Classes,
}

/// What a state says of a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// Nobody begins to wait here; who waits already goes on waiting.
    Nothing,
    /// Somebody waits.
    Waits,
    /// What is waited for is here.
    Answered,
}

/// Actions of which fairness speaks as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// For instance `learn`.
    pub name: &'static str,
    /// What a step of it is, to be read after "that", for instance `a computer hears the answer to its question`.
    pub sentence: &'static str,
    /// Whether it tells apart participants that a symmetry takes for one another. Then no response that relies on it is
    /// judged under symmetry.
    pub tells_apart: bool,
}

/// Classes as bits, by their place in [`Protocol::classes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Classes(u32);

impl Classes {
    /// No class.
    pub const NONE: Classes = Classes(0);
    /// Every class.
    pub const ALL: Classes = Classes(u32::MAX);

    /// The class at this place alone.
    #[inline]
    pub const fn only(place: usize) -> Classes {
        Classes(1 << place)
    }

    /// These, and the class at this place.
    #[must_use]
    pub const fn and(self, place: usize) -> Classes {
        Classes(self.0 | 1 << place)
    }

    /// Whether the class at this place is among them.
    #[inline]
    pub fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }

    /// Whether some class is among both.
    #[inline]
    pub fn meets(self, other: Classes) -> bool {
        self.0 & other.0 != 0
    }

    /// Those that are not among the others.
    #[inline]
    pub fn without(self, others: Classes) -> Classes {
        Classes(self.0 & !others.0)
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Their places, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..32).filter(move |place| self.has(*place))
    }
}

impl BitOr for Classes {
    type Output = Classes;

    #[inline]
    fn bitor(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }
}

impl BitAnd for Classes {
    type Output = Classes;

    #[inline]
    fn bitand(self, other: Classes) -> Classes {
        Classes(self.0 & other.0)
    }
}

/// Properties as bits, by their place in [`Protocol::properties`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Broken(pub u64);

impl Broken {
    /// Adds the property at this place.
    #[inline]
    pub fn add(&mut self, place: usize) {
        self.0 |= 1 << place;
    }

    /// Whether the property at this place is among them.
    #[inline]
    pub fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A participant, as the column of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lane(pub &'static str);

/// A variant of a protocol's rules, as a table shows it.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo {
    /// For instance `generation-only`.
    pub name: &'static str,
    /// What it changes, in one sentence.
    pub change: &'static str,
    /// Rows of `docs/origins.md`, for instance `A01 A02`.
    pub origin: &'static str,
}
