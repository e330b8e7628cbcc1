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
//! | which of several like messages | `operation`, see `pairing.rs` | `OperationName` |
//! | `Save::page`, `Act::resolved` | none: what is true, not what is said | none |
//! | `Action::Refuse(_, because)` | `outcome: refused`, `because` | the outcomes that are not the wanted one |
//! | `Store` after the step | `row` | the row, read in the same transaction |
//! | `Ghost` | none: no rule reads it | none |
//!
//! # What no line says
//!
//! These steps are taken without a line, and this list is closed:
//!
//! - `Action::Discard`: agents forget the oldest page that they were shown, once there are more than `SHOWN`. Whoever
//!   goes back to it later is not judged (`Cause::Forgotten`).
//! - `Action::Stamp`: where rejected rules say that a gateway asks for the incarnation after the answer, every answer
//!   under way is stamped with each incarnation in turn.
//! - `Action::Forward`: behind each reference that does not resolve, its act is tried to be forwarded. That the right
//!   rules forbid it is remembered, since it is why a later act is refused.

pub(crate) mod late;
mod lives;
mod open;
mod pairing;
mod pointers;
mod values;
pub mod walk;
mod windows;
pub(crate) mod write;

use std::fmt;

use outlive_spec::guard::Guard;
use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::{Action, Attempt, Rollback};
use outlive_spec::snapshot::bounds::{Bounds, FAR};
use outlive_spec::snapshot::check::{Check, Checks};
use outlive_spec::snapshot::rules::{Rules, Stamps};
use outlive_spec::snapshot::state::*;
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};
use outlive_spec::trace::{self, Event, Outcome, Verb};

use super::fault::Fault;
use super::fields::{has_no, small};
use super::limits::SHOWN;
use super::report::{Explanation, Field};
use super::speakers::Speakers;
use super::track::{Cause, Change, CheckInfo, Pairing, Said, Track, Window};
use lives::Lives;
use pairing::Operations;
pub use windows::WINDOWS;

/// One computer in the middle of its trace.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Snapshots {
    state: State,
    lives: Lives,
    /// The last reference that did not resolve, and why its act may not be forwarded all the same.
    unresolved: Option<(Cited, Guard)>,
    /// The newest page that was shown and is not remembered.
    forgotten: Option<Cited>,
    /// Calls of this life that have no answer yet.
    unanswered: u32,
    operations: Operations,
    /// Events whose operation is older than those that are remembered.
    unpaired: u64,
}

/// The numbers of an event, small enough to count with.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Numbers {
    incarnation: Option<u32>,
    generation: u32,
    expected: u32,
    minted: u32,
}

/// What an event says.
#[derive(Clone, Copy)]
pub(super) struct Words {
    numbers: Numbers,
    /// Who speaks, if a gateway does.
    gateway: Gateway,
    /// Whom a wipe obeys.
    by: Option<Gateway>,
}

/// The row, as a trace shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row(trace::Row);

impl Track for Snapshots {
    const PROTOCOL: &'static str = "snapshot";
    const RIGHT: Rules = RIGHT;
    const CHECKS: &'static [Check] = Check::ALL;
    const FACTS: &'static [&'static str] = &pointers::FACTS;
    const WINDOWS: &'static [Window] = WINDOWS;
    const ROW: &'static str = "row";
    const REFUSAL_IS_TRUE: Requirement = Requirement::Save5;
    const NAMEABLE: &'static [Verb] = &[Verb::Begin, Verb::Answer, Verb::Save, Verb::Resolve, Verb::Perform];

    type Model = Snapshot;
    type State = State;
    type Action = Action;
    type Rules = Rules;
    type Check = Check;
    type Words = Words;
    type Row = Row;
    type Told = Incarnation;

    #[inline]
    fn say<'e, 'a>(event: &'e Event<'a>, speakers: &mut Speakers) -> Result<Said<'e, 'a, Self>, Fault> {
        let numbers = numbers(event)?;
        let drives_a_reset = matches!(event.action, Verb::Claim | Verb::SendWipe | Verb::Finish | Verb::Crash);
        let gateway = if drives_a_reset { speakers.gateway("process", &event.process)? } else { 0 };
        let by = event.by.as_ref().map(|by| speakers.gateway("by", by)).transpose()?;
        Ok(Said { event, words: Words { numbers, gateway: Gateway(gateway), by: by.map(Gateway) } })
    }

    #[inline]
    #[allow(clippy::wildcard_enum_match_arm, reason = "the actions of other protocols are refused before")]
    fn action(&self, rules: &Rules, said: &Said<'_, '_, Self>) -> Action {
        let Said { event, words: Words { numbers, gateway, by } } = *said;
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
            other => unreachable!("`{}` is refused before it is given a meaning", other.word()),
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

    #[inline]
    fn step(&mut self, rules: &Rules, said: &Said<'_, '_, Self>) -> Result<(), Cause<Row>> {
        self.apply(rules, said)?;
        match self.pair(said) {
            Pairing::Fits => {}
            Pairing::Unknown => self.unpaired += 1,
            Pairing::Differs => return Err(Cause::Operation),
        }
        // TRACE-8: the row was observed, so it may show what the step's own words do not.
        said.event.row.map_or(Ok(()), |found| self.compare(rules, Row(found)))
    }

    #[inline]
    fn apply(&mut self, rules: &Rules, said: &Said<'_, '_, Self>) -> Result<(), Cause<Row>> {
        let action = self.action(rules, said);
        if self.has_forgotten(&action) {
            return Err(Cause::Forgotten);
        }
        if let Err(guard) = rules.apply(&mut self.state, &action) {
            return Err(self.reason(&action, guard).into());
        }
        self.follow(rules, said, &action);
        Ok(())
    }

    #[inline]
    fn window(&self, said: &Said<'_, '_, Self>) -> Option<usize> {
        windows::window(self, said)
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    #[inline]
    fn touch(&self) -> u32 {
        let State { store, process, gateways, shown, calls, saves, questions, wipes, acts, ghost, .. } = &self.state;
        let messages = shown.len() + calls.len() + saves.len() + questions.len() + wipes.len() + acts.len();
        let numbers = store.incarnation.0 ^ process.generation.0 ^ ghost.first_kept.0 ^ self.unanswered;
        messages as u32 ^ numbers ^ gateways.iter().len() as u32
    }

    #[inline]
    fn touch_names(&self, event: &Event<'_>) -> u32 {
        let life = if event.life.is_some() { self.lives.touch() } else { 0 };
        let operation = if event.operation.is_some() { self.operations.touch() } else { 0 };
        life ^ operation
    }

    fn unpaired(&self) -> u64 {
        self.unpaired
    }

    fn set_unpaired(&mut self, unpaired: u64) {
        self.unpaired = unpaired;
    }

    fn describe_operation(&self, name: &str) -> String {
        self.operations.describe(name)
    }

    fn pair(&mut self, said: &Said<'_, '_, Self>) -> Pairing {
        self.operations.take(said.event, &said.words.numbers)
    }

    fn opens(&self, _: &Said<'_, '_, Self>) -> Option<(Event<'static>, Words)> {
        None
    }

    fn happen(&mut self, rules: &Rules, call: &Said<'_, '_, Self>) -> Result<Option<Incarnation>, Cause<Row>> {
        open::happen(self, rules, call)
    }

    /// No refusal of a call of the store changes what a gateway of this protocol knows.
    fn hear_of_a_refusal(&mut self, _: &Said<'_, '_, Self>) {}

    fn told(said: &Said<'_, '_, Self>) -> Option<Incarnation> {
        said.event.minted.map(|_| Incarnation(said.words.numbers.minted))
    }

    fn is_named_alike(call: &Event<'_>, event: &Event<'_>) -> bool {
        call.operation.is_some() && call.operation == event.operation
    }

    fn is_the_same(call: &Said<'_, '_, Self>, said: &Said<'_, '_, Self>) -> bool {
        open::is_the_same(call, said)
    }

    fn is_over(&self, rules: &Rules, call: &Said<'_, '_, Self>) -> bool {
        open::is_over(self, rules, call)
    }

    fn is_moot(&self, _: &Said<'_, '_, Self>) -> bool {
        false
    }

    fn is_forgotten(call: &Event<'_>, event: &Event<'_>) -> bool {
        open::is_forgotten(call, event)
    }

    fn model(rules: &Rules, gateways: usize) -> Snapshot {
        // More gateways than have spoken would only repeat what one of them may do.
        Snapshot { rules: *rules, bounds: Bounds { gateways: gateways.clamp(1, 4) as u32, ..FAR } }
    }

    fn without(rules: &Rules, check: Check) -> Rules {
        Rules { without: rules.without.and(Checks::of(&[check])), ..*rules }
    }

    fn info(check: Check) -> CheckInfo {
        CheckInfo { requirement: check.requirement(), name: check.name(), what: check.what() }
    }

    fn pointer(check: Check) -> (&'static str, Option<usize>) {
        let (field, fact) = pointers::of(check);
        (field, fact.map(|fact| fact as usize))
    }

    fn has_made(before: &State, after: &State, fact: usize) -> bool {
        pointers::has_made(before, after, pointers::Fact::ALL[fact])
    }

    fn decides_about(check: Check) -> &'static [Verb] {
        pointers::decides_about(check)
    }

    fn changes<'a>(&self, event: &Event<'a>, gateways: &[Box<str>]) -> Vec<Change<'a>> {
        values::changes(event, self, gateways)
    }

    fn could_have_a_line(action: &Action) -> bool {
        !matches!(action, Action::Stamp(..) | Action::Forward(_) | Action::Discard(_) | Action::Crash(_))
    }

    fn name_of(kinds: &[&str]) -> Option<&'static str> {
        match kinds {
            ["claim", "send-wipe", "wipe", "finish"] => Some("a reset"),
            _ => None,
        }
    }

    fn names(&self, speakers: &Speakers) -> Vec<Field> {
        let gateways = speakers.gateways().iter().enumerate();
        let gateways = gateways.map(|(number, name)| (Gateway(number as u32).to_string(), name.to_string()));
        let lives = self.lives.iter().map(|(life, name)| (life.to_string(), name.into_owned()));
        gateways.chain(lives).map(|(name, value)| Field { name, value }).collect()
    }

    fn known_rules() -> Vec<(Explanation, Rules)> {
        let variants = VARIANTS.iter().filter(|(_, rules)| *rules != RIGHT).flat_map(|(info, rules)| {
            let explanation = Explanation {
                variant: info.name.to_owned(),
                change: info.change.to_owned(),
                origin: info.origin.to_owned(),
            };
            // A variant of incident A changed the store and its callers; a store alone can be as wrong behind right
            // callers.
            let store_alone = Rules { stamps: RIGHT.stamps, resolves: RIGHT.resolves, ..*rules };
            let both = [*rules, store_alone].into_iter().filter(|rules| *rules != RIGHT);
            both.map(move |rules| (explanation.clone(), rules))
        });
        variants.collect()
    }
}

#[inline]
fn numbers(event: &Event<'_>) -> Result<Numbers, Fault> {
    has_no("standing", event.standing.is_some())?;
    if let Some(row) = &event.row {
        let page = row.page.unwrap_or_default();
        [row.incarnation, row.since, page.0, page.1].into_iter().try_for_each(|it| small("row", Some(it)).map(drop))?;
    }
    Ok(Numbers {
        incarnation: small("incarnation", event.incarnation)?,
        generation: small("generation", event.generation)?.unwrap_or(0),
        expected: small("expected", event.expected)?.unwrap_or(0),
        minted: small("minted", event.minted)?.unwrap_or(0),
    })
}

impl Snapshots {
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

    // -- after the step

    #[inline]
    fn follow(&mut self, rules: &Rules, said: &Said<'_, '_, Self>, action: &Action) {
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
    fn has_forgotten(&self, action: &Action) -> bool {
        let (Action::Rollback(it) | Action::Refuse(Attempt::Rollback(it), _)) = action else { return false };
        let may_be_forgotten = self.forgotten.is_some_and(|newest| it.to <= newest);
        may_be_forgotten && self.state.shown.iter().all(|page| page.cited != it.to)
    }

    fn compare(&self, rules: &Rules, found: Row) -> Result<(), Cause<Row>> {
        let store = &self.state.store;
        let page = store.page.map(|stored| stored.cited);
        let model = Row(trace::Row {
            incarnation: store.incarnation.0.into(),
            resetting: store.is_resetting,
            since: store.since.0.into(),
            page: page.map(|cited| (number(cited.stamp), cited.generation.0.into())),
        });
        let shown = |Row(row): Row| trace::Row { page: row.page.map(|page| project(rules, page)), ..row };
        if shown(found) == shown(model) { Ok(()) } else { Err(Cause::Row { found, model }) }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trace::Row { incarnation, resetting, since, page } = self.0;
        let phase = if resetting { "resetting" } else { "open" };
        write!(f, "incarnation {incarnation}, {phase}, since {since}, ")?;
        match page {
            None => write!(f, "no page"),
            Some((incarnation, generation)) => write!(f, "page: incarnation {incarnation}, generation {generation}"),
        }
    }
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
