//! A call of the store that has begun.

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Outcome, Phase, Side, Text};

use crate::conform::causes::causes;
use crate::conform::track::{Cause, Said, Track};

/// A call, with what its begin has said.
#[derive(Clone)]
pub(super) struct StoreCall<T: Track> {
    /// The event that would be recorded if it happened.
    event: Event<'static>,
    words: T::Words,
    pub(super) known: Known<T::Told>,
}

/// What is known of its outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known<D> {
    /// Nothing yet. Its end is still to come.
    Begun,
    /// What its effect has said: by what it was refused, or what it tells. Its end is still to come.
    Committed(Option<Requirement>, Option<D>),
    /// Nothing, and nobody will ever say.
    Lost,
}

/// The reasons for which a call was refused at some moment: bits in the order of what may refuse it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Causes(u8);

/// What may refuse a call.
pub(super) struct PossibleCauses(&'static [Requirement]);

impl PossibleCauses {
    /// Whether this reason is among those that were noted.
    pub(super) fn contains(&self, causes: Causes, because: Requirement) -> bool {
        self.0.iter().position(|it| *it == because).is_some_and(|at| causes.0 >> at & 1 == 1)
    }
}

impl<T: Track> StoreCall<T> {
    pub(super) fn new(said: &Said<'_, '_, T>, known: Known<T::Told>) -> StoreCall<T> {
        let event = said.event;
        let own = |text: &Option<Text<'_>>| text.as_deref().map(|text| Text::from(text.to_owned()));
        let (process, computer) = (event.process.to_string(), event.computer.to_string());
        let event = Event {
            operation: own(&event.operation),
            incarnation: event.incarnation,
            generation: event.generation,
            expected: event.expected,
            minted: event.minted,
            life: own(&event.life),
            launch: event.launch,
            revision: event.revision,
            mark: event.mark,
            kind: event.kind,
            condition: event.condition,
            ending: event.ending,
            conclusion: event.conclusion,
            ..Event::new(process, Phase::Commit, event.action, computer)
        };
        StoreCall { event, words: said.words, known }
    }

    /// A call whose begin is no line of its own.
    pub(super) fn unlogged(event: Event<'static>, words: T::Words) -> StoreCall<T> {
        StoreCall { event, words, known: Known::Begun }
    }

    // -- whose it is

    /// Whether the event bears its name.
    pub(super) fn has_name_of(&self, event: &Event<'_>) -> bool {
        self.event.action == event.action && T::is_named_alike(&self.event, event)
    }

    /// Whether the event shows the same values.
    pub(super) fn is_the_same(&self, said: &Said<'_, '_, T>) -> bool {
        self.event.process == said.event.process && T::is_the_same(&self.said(), said)
    }

    /// Whether both are one question whose answer is still to come.
    pub(super) fn is_asked_again_by(&self, other: &StoreCall<T>) -> bool {
        let is_alike = self.event.action == other.event.action && T::is_named_alike(&self.event, &other.event);
        self.known == Known::Begun && other.known == Known::Begun && is_alike
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.event.operation.as_deref() == Some(name)
    }

    /// Whether nobody hears of its end any more, after this event.
    pub(super) fn is_forgotten_by(&self, event: &Event<'_>) -> bool {
        T::is_forgotten(&self.event, event)
    }

    /// Whether it only asks, and so changes nothing but what its caller knows.
    pub(super) fn is_a_question(&self) -> bool {
        self.event.action.side() != Side::Store
    }

    /// Whether nobody has said what became of it.
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.known, Known::Committed(..))
    }

    // -- what may become of it

    /// Happens now, if the model takes it, and says what its caller is told.
    pub(super) fn happen(&self, rules: &T::Rules, track: &mut T) -> Result<Option<T::Told>, Cause<T::Row>> {
        track.happen(rules, &self.said())
    }

    /// Whether it is a question, and this its answer at this very moment.
    pub(super) fn is_answered(&self, rules: &T::Rules, track: &mut T, said: &Said<'_, '_, T>) -> bool {
        self.is_a_question() && track.apply(rules, said).is_ok()
    }

    /// Why it cannot end so now.
    pub(super) fn why_not(&self, rules: &T::Rules, track: &T, said: &Said<'_, '_, T>) -> Cause<T::Row> {
        let mut track = track.clone();
        let ended =
            if self.is_a_question() { track.apply(rules, said) } else { self.happen(rules, &mut track).map(drop) };
        ended.err().unwrap_or(Cause::Operation)
    }

    /// Why it would not be refused for this reason now.
    pub(super) fn why_not_refused(&self, rules: &T::Rules, track: &T, because: Requirement) -> Cause<T::Row> {
        let refused = self.refuse(rules, track, because);
        refused.err().unwrap_or(Cause::Operation)
    }

    /// Notes for which reasons it would be refused now.
    pub(super) fn note_refusals(&self, rules: &T::Rules, track: &T, causes: &mut Causes) {
        for (at, because) in self.causes().0.iter().enumerate() {
            if causes.0 >> at & 1 == 0 && self.refuse(rules, track, *because).is_ok() {
                causes.0 |= 1 << at;
            }
        }
    }

    /// The reasons for which it may be refused.
    pub(super) fn causes(&self) -> PossibleCauses {
        PossibleCauses(causes(self.event.action))
    }

    fn refuse(&self, rules: &T::Rules, track: &T, because: Requirement) -> Result<(), Cause<T::Row>> {
        let refused = Event { outcome: Outcome::Refused, because: Some(because), ..self.event.clone() };
        track.clone().apply(rules, &Said { event: &refused, words: self.words })
    }

    /// Whether it can never happen again, or nothing follows if it does.
    pub(super) fn is_over(&self, rules: &T::Rules, track: &T) -> bool {
        track.is_over(rules, &self.said())
    }

    /// Whether it makes no difference any more what it tells.
    pub(super) fn is_moot(&self, track: &T) -> bool {
        track.is_moot(&self.said())
    }

    fn said(&self) -> Said<'_, 'static, T> {
        Said { event: &self.event, words: self.words }
    }

    /// What it is and what is known of it.
    pub(super) fn describe(&self) -> String {
        let action = T::default().action(&T::RIGHT, &self.said());
        let known = match self.known {
            Known::Begun => "has begun",
            Known::Committed(..) => "has ended in the store",
            Known::Lost => "has begun, and nobody hears of its end",
        };
        format!("a call that {known}: {action}")
    }
}
