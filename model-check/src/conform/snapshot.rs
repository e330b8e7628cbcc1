//! What the lines of a snapshot trace mean: an index from events to actions of the model. It decides nothing; that
//! does [`Rules::apply`], the function that the exhaustive search runs.
//!
//! | model | JSON | in `outlive` |
//! |---|---|---|
//! | `Stamp::Is(Incarnation)` | `incarnation`, a number | `Incarnation` |
//! | `Stamp::Unknown` | `incarnation`, not given | cannot be written down |
//! | `Stamp::Pending`, `Action::Stamp` | none: see below | cannot be written down |
//! | `Generation` | `generation` | `Generation` |
//! | `Life` | `life`, numbered here in the order in which names appear | `LifeName` |
//! | `Gateway` | `process`, or `by` of a wipe | `GatewayName` |
//! | `Question` | `life`, `expected` | the arguments of `register` |
//! | `Call` | `incarnation` of `begin` and `answer` | `Call`, `Ticket` |
//! | `WipeCall` | `incarnation`, `by` of `wipe` | `WipeOrder` |
//! | `Memory::Wiped` | `incarnation` of `finish` | `Wiped` |
//! | `Save::cited`, `Act::cited`, `Rollback::to` | `incarnation`, `generation` | `PageName` |
//! | which of several like messages | `operation`, see `operations.rs` | `OperationName` |
//! | `Save::page`, `Act::resolved` | none: what is true, not what is said | none |
//! | `Action::Refuse(_, because)` | `outcome: refused`, `because` | the outcomes that are not the wanted one |
//! | `Store` after the step | `row` | the row, read in the same transaction |
//! | `Ghost` | none: no rule reads it | none |
//!
//! # What no line says
//!
//! These steps are taken without a line, and this list is closed:
//!
//! - `Action::Discard`: agents forget the oldest page that they were shown, once there are more than [`SHOWN`]. Whoever
//!   goes back to it later is not judged (`Cause::Forgotten`).
//! - `Action::Stamp`: where rejected rules say that a gateway asks for the incarnation after the answer, every answer
//!   under way is stamped with each incarnation in turn.
//! - `Action::Forward`: behind each reference that does not resolve, its act is tried to be forwarded. That the right
//!   rules forbid it is remembered, since it is why a later act is refused.

use outlive_spec::guard::Guard;
use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::action::{Action, Attempt, Rollback};
use outlive_spec::snapshot::rules::{Rules, Stamps};
use outlive_spec::snapshot::state::*;
use outlive_spec::trace::{Event, Outcome, Row, Verb};

use super::fields::Numbers;
use super::limits::SHOWN;
use super::lives::Lives;
use super::operations::{Operations, Pairing};

/// One computer in the middle of its trace.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Track {
    pub(super) state: State,
    lives: Lives,
    /// The last reference that did not resolve, and why its act may not be forwarded all the same.
    unresolved: Option<(Cited, Guard)>,
    /// The newest page that was shown and is not remembered.
    forgotten: Option<Cited>,
    /// Calls of this life that have no answer yet.
    unanswered: u32,
    pub(super) operations: Operations,
    /// Events whose operation is older than those that are remembered.
    pub(super) unpaired: u64,
}

/// Why the model has no such step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// A requirement forbids it.
    Guard(Guard),
    /// The step is possible, but it leaves another row behind.
    Row {
        /// What was observed.
        found: Row,
        /// The model's.
        model: Row,
    },
    /// The step is possible, but it is not what was sent under the name of its operation.
    Operation,
    /// Nobody knows: too much was shown in between.
    Forgotten,
    /// Nobody knows: too many calls are open.
    TooManyOpen,
    /// Nobody knows: too much is possible.
    TooManyPresents,
}

impl From<Guard> for Cause {
    fn from(guard: Guard) -> Cause {
        Cause::Guard(guard)
    }
}

impl Track {
    /// Looks at the parts of the state that most steps look at, so that they are in the cache.
    #[inline]
    pub(super) fn touch(&self) -> u32 {
        let State { store, process, gateways, shown, calls, saves, questions, wipes, acts, ghost, .. } = &self.state;
        let messages = shown.len() + calls.len() + saves.len() + questions.len() + wipes.len() + acts.len();
        let numbers = store.incarnation.0 ^ process.generation.0 ^ ghost.first_kept.0 ^ self.unanswered;
        messages as u32 ^ numbers ^ gateways.iter().len() as u32
    }

    /// The same of what is remembered apart from the state, which only events with such names look at.
    #[inline]
    pub(super) fn touch_names(&self, event: &Event<'_>) -> u32 {
        let life = if event.life.is_some() { self.lives.touch() } else { 0 };
        let operation = if event.operation.is_some() { self.operations.touch() } else { 0 };
        life ^ operation
    }

    /// Takes the event's step, and says which action of the model it was.
    #[inline]
    pub(super) fn step(&mut self, rules: &Rules, said: &Said<'_, '_>) -> Result<Action, Cause> {
        let action = self.apply(rules, said)?;
        match self.operations.take(said.event, &said.numbers) {
            Pairing::Fits => {}
            Pairing::Unknown => self.unpaired += 1,
            Pairing::Differs => return Err(Cause::Operation),
        }
        // TRACE-8: the row was observed, so it may show what the step's own words do not.
        match said.event.row {
            Some(found) => self.compare(rules, found).map(|()| action),
            None => Ok(action),
        }
    }

    /// Takes the step, whatever the event says beyond it.
    #[inline]
    pub(super) fn apply(&mut self, rules: &Rules, said: &Said<'_, '_>) -> Result<Action, Cause> {
        let action = self.action(rules, said);
        if self.is_forgotten(&action) {
            return Err(Cause::Forgotten);
        }
        if let Err(guard) = rules.apply(&mut self.state, &action) {
            return Err(self.reason(&action, guard).into());
        }
        self.follow(rules, said, &action);
        Ok(action)
    }

    /// The action that the event says was taken. If it speaks of a message that was never sent, so does the action, and
    /// the model refuses it.
    #[inline]
    pub(super) fn action(&self, rules: &Rules, said: &Said<'_, '_>) -> Action {
        let Said { event, numbers, gateway, by } = *said;
        let incarnation = || Incarnation(numbers.incarnation.unwrap_or_default());
        let generation = Generation(numbers.generation);
        let expected = Incarnation(numbers.expected);
        let minted = Incarnation(numbers.minted);
        let cited = || Cited { stamp: stamp(rules, numbers.incarnation), generation };
        let name = event.life.as_deref().unwrap_or_default();
        let question = || Question { life: self.lives.asks(&self.state, name), expected };
        let call = || Call { stamp: stamp_of_a_call(rules, numbers.incarnation) };
        let attempt = match event.action {
            Verb::Restart => return Action::Restart(self.lives.begins(&self.state, name)),
            Verb::Ask => return Action::Ask(question()),
            Verb::Learn => return Action::Learn(incarnation()),
            Verb::Begin => return Action::Begin(call()),
            Verb::SendWipe => return Action::SendWipe(gateway, incarnation()),
            Verb::Load => return Action::Load(event.generation.map(|_| cited())),
            Verb::Crash => return Action::Crash(gateway),
            Verb::Register => Attempt::Register(question()),
            Verb::Answer => Attempt::Answer(call()),
            Verb::Save => Attempt::Save(self.save(cited())),
            Verb::Claim => Attempt::Claim(gateway, expected),
            Verb::Wipe => Attempt::Wipe(self.wipe(by, incarnation())),
            Verb::Finish => Attempt::Finish(gateway, incarnation()),
            Verb::Resolve => Attempt::Resolve(cited()),
            Verb::Perform => Attempt::Perform(self.act(cited())),
            Verb::Rollback => Attempt::Rollback(Rollback { to: cited(), expected, minted }),
        };
        if let (Outcome::Refused, Some(because)) = (event.outcome, event.because) {
            return Action::Refuse(attempt, because);
        }
        match attempt {
            Attempt::Register(question) => Action::Register(question, minted),
            Attempt::Answer(call) => Action::Answer(call, generation),
            Attempt::Save(save) => Action::Save(save),
            Attempt::Claim(gateway, expected) => Action::Claim(gateway, expected),
            Attempt::Wipe(wipe) => Action::Wipe(wipe, self.lives.begins(&self.state, name), generation),
            Attempt::Finish(gateway, wiped) => Action::Finish(gateway, wiped, minted),
            Attempt::Resolve(cited) => Action::Resolve(cited),
            Attempt::Perform(act) => Action::Perform(act),
            Attempt::Rollback(rollback) => Action::Rollback(rollback),
        }
    }

    // -- messages are found by what is visible of them; the newest, where rejected rules made several alike

    fn save(&self, cited: Cited) -> Save {
        let sent = self.state.saves.iter().rev().find(|save| save.cited == cited);
        sent.copied().unwrap_or(Save { cited, page: Page::default() })
    }

    fn act(&self, cited: Cited) -> Act {
        let sent = self.state.acts.iter().rev().find(|act| act.cited == cited);
        sent.copied().unwrap_or(Act { cited, resolved: None })
    }

    /// The gateway may have died since, and waits for no answer; but if it has sent another wipe since it is back, then
    /// that is the one which was obeyed, for hearing of it allows more.
    fn wipe(&self, by: Option<Gateway>, incarnation: Incarnation) -> WipeCall {
        let (awaited, orphaned) = (WipeCall { by, incarnation }, WipeCall { by: None, incarnation });
        let is_awaited = self.state.wipes.contains(&awaited) || !self.state.wipes.contains(&orphaned);
        if is_awaited { awaited } else { orphaned }
    }

    /// Whether the living process has been called and not answered.
    pub(super) fn is_called(&self) -> bool {
        self.unanswered > 0
    }

    /// The names of the last lives, with their numbers.
    pub(super) fn lives(&self) -> &Lives {
        &self.lives
    }

    // -- after the step

    #[inline]
    fn follow(&mut self, rules: &Rules, said: &Said<'_, '_>, action: &Action) {
        match *action {
            Action::Begin(_) => self.unanswered += 1,
            Action::Answer(..) | Action::Refuse(Attempt::Answer(_), _) => {
                self.unanswered = self.unanswered.saturating_sub(1);
            }
            Action::Restart(_) | Action::Wipe(..) => {
                self.unanswered = 0;
                self.lives.remember(self.state.process.life, said.event.life.as_deref().unwrap_or_default());
            }
            Action::Load(_) if self.state.shown.len() > SHOWN => self.forget_a_page(rules),
            Action::Finish(..) => self.forgotten = None,
            Action::Ask(_) => {
                self.lives.remember(self.state.process.life, said.event.life.as_deref().unwrap_or_default());
            }
            Action::Refuse(Attempt::Resolve(cited), _) => {
                let forwarded = rules.apply(&mut self.state, &Action::Forward(cited));
                self.unresolved = forwarded.err().map(|guard| (cited, guard));
            }
            Action::Learn(_)
            | Action::Stamp(..)
            | Action::Save(_)
            | Action::Claim(..)
            | Action::SendWipe(..)
            | Action::Register(..)
            | Action::Load(_)
            | Action::Discard(_)
            | Action::Resolve(_)
            | Action::Forward(_)
            | Action::Perform(_)
            | Action::Rollback(_)
            | Action::Crash(_)
            | Action::Refuse(..) => {}
        }
        if rules.stamps == Stamps::AfterTheAnswer {
            self.stamp_what_is_under_way(rules);
        }
    }

    fn stamp_what_is_under_way(&mut self, rules: &Rules) {
        let current = self.state.store.incarnation;
        let pending: Vec<Save> =
            self.state.saves.iter().copied().filter(|save| save.cited.stamp == Stamp::Pending).collect();
        for save in pending {
            // A gateway may stamp whenever it likes, so nothing forbids it.
            let _allowed = rules.apply(&mut self.state, &Action::Stamp(save, current));
        }
    }

    /// An act that nobody forwarded, because its reference did not resolve, is refused for that.
    fn reason(&self, action: &Action, guard: Guard) -> Guard {
        match (*action, self.unresolved) {
            (Action::Perform(act), Some((cited, forbidden)))
                if act.cited == cited && guard.requirement == Requirement::Save6 =>
            {
                forbidden
            }
            _ => guard,
        }
    }

    /// The memory of what agents were shown is bounded by forgetting the oldest.
    fn forget_a_page(&mut self, rules: &Rules) {
        let Some(oldest) = self.state.shown.iter().next().map(|page| page.cited) else { return };
        self.forgotten = self.forgotten.max(Some(oldest));
        // The model lets agents forget whenever they like.
        let _allowed = rules.apply(&mut self.state, &Action::Discard(oldest));
    }

    #[inline]
    fn is_forgotten(&self, action: &Action) -> bool {
        let (Action::Rollback(it) | Action::Refuse(Attempt::Rollback(it), _)) = action else { return false };
        let may_be_forgotten = self.forgotten.is_some_and(|newest| it.to <= newest);
        may_be_forgotten && self.state.shown.iter().all(|page| page.cited != it.to)
    }

    fn compare(&self, rules: &Rules, found: Row) -> Result<(), Cause> {
        let store = &self.state.store;
        let page = store.page.map(|stored| stored.cited);
        let model = Row {
            incarnation: store.incarnation.0.into(),
            resetting: store.is_resetting,
            since: store.since.0.into(),
            page: page.map(|cited| (number(cited.stamp), cited.generation.0.into())),
        };
        let shown = |row: Row| Row { page: row.page.map(|page| project(rules, page)), ..row };
        if shown(found) == shown(model) { Ok(()) } else { Err(Cause::Row { found, model }) }
    }
}

/// An event with its numbers checked and its gateways numbered.
#[derive(Clone, Copy)]
pub(super) struct Said<'e, 'a> {
    pub(super) event: &'e Event<'a>,
    pub(super) numbers: Numbers,
    /// Who speaks, if a gateway does.
    pub(super) gateway: Gateway,
    /// Whom a wipe obeys.
    pub(super) by: Option<Gateway>,
}

/// What is said about the incarnation of a page, as far as these rules look at it.
#[inline]
fn stamp(rules: &Rules, incarnation: Option<u32>) -> Stamp {
    match incarnation {
        Some(named) if rules.stamps != Stamps::Never => Stamp::Is(Incarnation(named)),
        Some(_) | None => Stamp::Unknown,
    }
}

#[inline]
fn stamp_of_a_call(rules: &Rules, incarnation: Option<u32>) -> Stamp {
    if rules.stamps == Stamps::AfterTheAnswer { Stamp::Pending } else { stamp(rules, incarnation) }
}

/// Incarnation 0 is nobody's.
fn number(stamp: Stamp) -> u64 {
    match stamp {
        Stamp::Is(incarnation) => incarnation.0.into(),
        Stamp::Unknown | Stamp::Pending => 0,
    }
}

fn project(rules: &Rules, (incarnation, generation): (u64, u64)) -> (u64, u64) {
    (if rules.stamps == Stamps::Never { 0 } else { incarnation }, generation)
}

#[cfg(test)]
mod tests;
