//! What the check must know of a protocol in order to judge its traces.
//!
//! A protocol says what its lines mean: an index from events to actions of its model, and back. The model decides, but
//! for names (TRACE-9), rows (TRACE-8), and which operation a gateway has heard of. Everything else, from the order of
//! the lines to the search for a shorter trace, is written once for all protocols.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use outlive_spec::guard::Guard;
use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Verb};

use super::fault::Fault;
use super::report::{Explanation, Field};
use super::speakers::Speakers;

/// One computer in the middle of its trace, as one protocol knows it.
pub(super) trait Track: Clone + PartialEq + Default + 'static {
    /// As headers name it.
    const PROTOCOL: &'static str;
    /// The rules by which traces are judged.
    const RIGHT: Self::Rules;
    /// The guards of the model.
    const CHECKS: &'static [Self::Check];
    /// What a guard can hold an event against that some earlier line has made: what that line did.
    const FACTS: &'static [&'static str];
    /// The moments in which a wrong implementation goes wrong.
    const WINDOWS: &'static [Window];
    /// The field that shows the row after a step.
    const ROW: &'static str;
    /// The requirement that a refusal gives the reason that there is.
    const REFUSAL_IS_TRUE: Requirement;
    /// Actions whose events may name an operation without being calls of the store.
    const NAMEABLE: &'static [Verb];

    type Model: Protocol<State = Self::State, Action = Self::Action>;
    type State: Clone + Eq + Hash;
    type Action: Copy + Display;
    type Rules: Copy + PartialEq;
    type Check: Copy + PartialEq;
    /// What an event says, as the model counts it.
    type Words: Copy;
    /// The row of the store.
    type Row: Copy + PartialEq + Debug + Display;
    /// What a call tells whoever has made it.
    type Told: Copy + Eq + Hash + Debug;

    // -- an event

    /// Checks the event's fields, and counts what it names.
    fn say<'e, 'a>(event: &'e Event<'a>, speakers: &mut Speakers) -> Result<Said<'e, 'a, Self>, Fault>;

    /// The action that the event says was taken. If it speaks of a message that was never sent, so does the action, and
    /// the model refuses it.
    fn action(&self, rules: &Self::Rules, said: &Said<'_, '_, Self>) -> Self::Action;

    /// Takes the event's step, and holds what else it shows against what is so.
    fn step(&mut self, rules: &Self::Rules, said: &Said<'_, '_, Self>) -> Result<(), Cause<Self::Row>>;

    /// Takes the step, whatever the event says beyond it.
    fn apply(&mut self, rules: &Self::Rules, said: &Said<'_, '_, Self>) -> Result<(), Cause<Self::Row>>;

    /// The moment that the event makes of it, if it is taken: a place in [`Track::WINDOWS`].
    fn window(&self, said: &Said<'_, '_, Self>) -> Option<usize>;

    // -- what is known of the computer

    fn state(&self) -> &Self::State;

    /// The same, to try what the model would take.
    fn state_mut(&mut self) -> &mut Self::State;

    /// Looks at what most steps look at, so that it is in the cache.
    fn touch(&self) -> u32;

    /// The same of what only this event looks at.
    fn touch_names(&self, event: &Event<'_>) -> u32;

    /// Events whose operation is older than those that are remembered.
    fn unpaired(&self) -> u64;

    /// Takes it that so many events were.
    fn set_unpaired(&mut self, unpaired: u64);

    /// What was sent under the name of an operation.
    fn describe_operation(&self, name: &str) -> String;

    // -- calls whose outcome is open

    /// Holds the begin of a call against the operation that it names.
    fn pair(&mut self, said: &Said<'_, '_, Self>) -> Pairing;

    /// The call that is under way from this event on, besides the one that the event itself may be.
    fn opens(&self, said: &Said<'_, '_, Self>) -> Option<(Event<'static>, Self::Words)>;

    /// Lets a call happen, if the model takes it, and says what it tells.
    fn happen(
        &mut self,
        rules: &Self::Rules,
        call: &Said<'_, '_, Self>,
    ) -> Result<Option<Self::Told>, Cause<Self::Row>>;

    /// Whoever hears that its call was refused drops what it had in mind.
    fn hear_of_a_refusal(&mut self, end: &Said<'_, '_, Self>);

    /// What the end of a call says that it has told.
    fn told(said: &Said<'_, '_, Self>) -> Option<Self::Told>;

    /// Whether an event bears the name of this call.
    fn is_named_alike(call: &Event<'_>, event: &Event<'_>) -> bool;

    /// Whether an event shows the same values as this call.
    fn is_the_same(call: &Said<'_, '_, Self>, said: &Said<'_, '_, Self>) -> bool;

    /// Whether the call can never happen again, or nothing follows if it does.
    fn is_over(&self, rules: &Self::Rules, call: &Said<'_, '_, Self>) -> bool;

    /// Whether it makes no difference any more what the call tells.
    fn is_moot(&self, call: &Said<'_, '_, Self>) -> bool;

    /// Whether nobody hears of the end of this call any more, once the event was taken.
    fn is_forgotten(call: &Event<'_>, event: &Event<'_>) -> bool;

    // -- explanations

    /// The model under these rules, with nothing bound but the number of gateways.
    fn model(rules: &Self::Rules, gateways: usize) -> Self::Model;

    /// These rules without this guard.
    fn without(rules: &Self::Rules, check: Self::Check) -> Self::Rules;

    /// What there is to say of a guard.
    fn info(check: Self::Check) -> CheckInfo;

    /// The field that a guard looks at, and the place in [`Track::FACTS`] of what it is held against.
    fn pointer(check: Self::Check) -> (&'static str, Option<usize>);

    /// Whether a step that led from one state to the other has made this fact.
    fn has_made(before: &Self::State, after: &Self::State, fact: usize) -> bool;

    /// The actions about which a guard decides.
    fn decides_about(check: Self::Check) -> &'static [Verb];

    /// What the event could have said instead, the nearest first.
    fn changes<'a>(&self, event: &Event<'a>, gateways: &[Box<str>]) -> Vec<Change<'a>>;

    /// Whether somebody would have recorded the step, had it happened.
    fn could_have_a_line(action: &Self::Action) -> bool;

    /// Steps that have a name together.
    fn name_of(kinds: &[&str]) -> Option<&'static str>;

    /// The trace's names behind the model's numbers.
    fn names(&self, speakers: &Speakers) -> Vec<Field>;

    /// The rules that somebody has shipped or proposed.
    fn known_rules() -> Vec<(Explanation, Self::Rules)>;
}

/// An event, with what it says counted as the model counts.
pub(super) struct Said<'e, 'a, T: Track> {
    pub(super) event: &'e Event<'a>,
    pub(super) words: T::Words,
}

impl<T: Track> Clone for Said<'_, '_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Track> Copy for Said<'_, '_, T> {}

/// Why the model has no such step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause<R> {
    /// A requirement forbids it.
    Guard(Guard),
    /// The step is possible, but it leaves another row behind.
    Row {
        /// What was observed.
        found: R,
        /// The model's.
        model: R,
    },
    /// The step is possible, but it is not what was sent under the name of its operation.
    Operation,
    /// Nobody knows: what it speaks of is older than what is remembered.
    Forgotten,
    /// Nobody knows: too many calls are open.
    TooManyOpen,
    /// Nobody knows: too much is possible.
    TooManyPresents,
}

impl<R> From<Guard> for Cause<R> {
    fn from(guard: Guard) -> Cause<R> {
        Cause::Guard(guard)
    }
}

/// How an event stands to the operation that it names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pairing {
    /// It names none, or fits.
    Fits,
    /// The operation is one of those that may have been forgotten.
    Unknown,
    /// It is not what was sent under that name, or begins what was begun before.
    Differs,
}

/// A moment in which a wrong implementation goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// For tables and command lines.
    pub name: &'static str,
    /// What happens in it.
    pub sentence: &'static str,
}

/// What there is to say of a guard.
#[derive(Clone, Copy)]
pub(super) struct CheckInfo {
    pub(super) requirement: Requirement,
    pub(super) name: &'static str,
    /// What it compares.
    pub(super) what: &'static str,
}

/// An event with something else in it.
pub(super) struct Change<'a> {
    /// For instance "the `generation` were 9".
    pub(super) words: String,
    pub(super) event: Event<'a>,
}
