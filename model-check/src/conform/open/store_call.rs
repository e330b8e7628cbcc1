//! A call of the store that has begun.

use std::fmt;

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::action::Action;
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::state::{Gateway, Incarnation};
use outlive_spec::trace::{Event, Outcome, Phase, Text, Verb};

use crate::conform::causes::causes;
use crate::conform::fields::Numbers;
use crate::conform::snapshot::{Cause, Said, Track};

/// A call, with what its begin has said.
#[derive(Clone)]
pub(super) struct StoreCall {
    /// The event that would be recorded if it happened.
    event: Event<'static>,
    numbers: Numbers,
    gateway: Gateway,
    pub(super) known: Known,
}

/// What is known of its outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Nothing yet. Its end is still to come.
    Begun,
    /// What its effect has said: by what it was refused, or what it has minted. Its end is still to come.
    Committed(Option<Requirement>, Option<u64>),
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

/// Whether it refuses what names a former incarnation.
fn is_fence(requirement: Requirement) -> bool {
    use Requirement::{Reset1, Reset4, Restart1, Save3, Save7};
    matches!(requirement, Save3 | Restart1 | Reset1 | Reset4 | Save7)
}

impl StoreCall {
    pub(super) fn new(said: &Said<'_, '_>, known: Known) -> StoreCall {
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
            ..Event::new(process, Phase::Commit, event.action, computer)
        };
        StoreCall { event, numbers: said.numbers, gateway: said.gateway, known }
    }

    // -- whose it is

    /// Whether the event bears its name. One operation may save, and reset, each under the same name.
    pub(super) fn has_name_of(&self, event: &Event<'_>) -> bool {
        self.event.action == event.action && self.event.operation.is_some() && self.event.operation == event.operation
    }

    /// Whether the event shows the same values.
    pub(super) fn is_the_same(&self, said: &Said<'_, '_>) -> bool {
        let Said { event, numbers, .. } = *said;
        let mints_the_same = self.event.minted.is_none() || event.minted.is_none() || self.event.minted == event.minted;
        let values = |numbers: Numbers| (numbers.incarnation, numbers.generation, numbers.expected);
        let is_like_it = values(self.numbers) == values(numbers) && self.event.life == event.life;
        is_like_it && mints_the_same && self.event.process == event.process
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.event.operation.as_deref() == Some(name)
    }

    pub(super) fn is_by(&self, process: &str) -> bool {
        *self.event.process == *process
    }

    pub(super) fn is_of(&self, verb: Verb) -> bool {
        self.event.action == verb
    }

    /// Whether nobody has said what became of it.
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.known, Known::Committed(..))
    }

    // -- what may become of it

    /// Happens now, if the model takes it, and says what it has minted.
    pub(super) fn happen(&self, rules: &Rules, track: &mut Track) -> Result<Option<Incarnation>, Cause> {
        let numbers = self.numbers_in(track);
        track.apply(rules, &self.said(numbers))?;
        let mints = matches!(self.event.action, Verb::Register | Verb::Finish | Verb::Rollback);
        Ok(mints.then_some(Incarnation(numbers.minted)))
    }

    /// Why it cannot happen now.
    pub(super) fn why_not(&self, rules: &Rules, track: &Track) -> Cause {
        self.happen(rules, &mut track.clone()).err().unwrap_or(Cause::Operation)
    }

    /// Why it would not be refused for this reason now.
    pub(super) fn why_not_refused(&self, rules: &Rules, track: &Track, because: Requirement) -> Cause {
        let refused = self.refuse(rules, track, because);
        refused.err().unwrap_or(Cause::Operation)
    }

    /// Notes for which reasons it would be refused now.
    pub(super) fn note_refusals(&self, rules: &Rules, track: &Track, causes: &mut Causes) {
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

    fn refuse(&self, rules: &Rules, track: &Track, because: Requirement) -> Result<(), Cause> {
        let refused = Event { outcome: Outcome::Refused, because: Some(because), ..self.event.clone() };
        let said = Said { event: &refused, ..self.said(self.numbers) };
        track.clone().apply(rules, &said).map(drop)
    }

    /// Whether it is refused for ever: the incarnation that it names is over, and the model refuses it for that; or the
    /// model has forgotten the page that it saves, which it does only with what is refused for ever.
    pub(super) fn is_over(&self, rules: &Rules, track: &Track) -> bool {
        let Numbers { incarnation, generation, expected, .. } = self.numbers;
        let (is_a_save, current) = (self.is_of(Verb::Save), track.state.store.incarnation);
        let named = if is_a_save || self.is_of(Verb::Finish) { incarnation } else { Some(expected) };
        let is_former = named.is_some_and(|named| Incarnation(named) < current);
        if is_former {
            let refused = self.happen(rules, &mut track.clone());
            return matches!(refused, Err(Cause::Guard(guard)) if is_fence(guard.requirement));
        }
        let process = &track.state.process;
        let was_answered = process.incarnation.is_some()
            && process.incarnation == named.map(Incarnation)
            && generation <= process.generation.0;
        let is_remembered = || track.state.saves.iter().any(|save| save.cited.generation.0 == generation);
        is_a_save && was_answered && !is_remembered()
    }

    /// What nobody has told is the next one.
    fn numbers_in(&self, track: &Track) -> Numbers {
        let minted = match self.event.minted {
            Some(_) => self.numbers.minted,
            None => track.state.store.incarnation.0 + 1,
        };
        Numbers { minted, ..self.numbers }
    }

    fn said(&self, numbers: Numbers) -> Said<'_, 'static> {
        Said { event: &self.event, numbers, gateway: self.gateway, by: None }
    }
}

impl fmt::Display for StoreCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let track = Track::default();
        let action: Action = track.action(&outlive_spec::snapshot::variants::RIGHT, &self.said(self.numbers));
        let known = match self.known {
            Known::Begun => "has begun",
            Known::Committed(..) => "has ended in the store",
            Known::Lost => "has begun, and nobody hears of its end",
        };
        write!(f, "a call that {known}: {action}")
    }
}
