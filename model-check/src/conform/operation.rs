//! What the lines of an operation trace mean: an index from events to actions of the model. [`Rules::apply`], the
//! function that the exhaustive search runs, decides; but for one thing. The model's `Hear` and `Fail` name no
//! operation and a line does, so what is said of an operation that its gateway never drove is refused here
//! (`check_that_it_drives`), and of one that it drives no more is not judged (`was_dropped`). A call that it sends for
//! such a one is taken for sent before it was dropped.
//!
//! | model | JSON | in `outlive` |
//! |---|---|---|
//! | `Gateway` | `process` of a gateway or of its step of the store; `owner` of `standing` | `OwnerName` |
//! | `Launch` | `launch` | `Launch` |
//! | `Revision` | `revision` of `read` and of `standing` | `Revision` |
//! | `Mark` | `mark` | `Mark` |
//! | `Call` | `kind`, `launch` | `Start`, `End` |
//! | `Observation` | `launch`, `condition`, `mark` | `Observation` |
//! | `Condition`, or none | `condition`, with `absent` for none | `Condition` |
//! | `Outcome` | `ending` | `Ending`, with the kind of the operation |
//! | `Conclusion` | `conclusion` | `Conclusion` |
//! | `Row` after the step | `standing` | the row, read in the same transaction |
//! | `Provider` | none: its own steps are lines | whoever runs the instances |
//! | `Memory` | none: it is what its lines have made of it | `ControlPlane` |
//! | `Action::Refuse(_, because)` | `outcome: refused`, `because` | the outcomes that are not the wanted one |
//! | `Ghost` | none: no rule reads it | none |
//!
//! # What no line says
//!
//! This list is closed:
//!
//! - A gateway lives from the beginning, with nothing in mind; the model is told of it at its first line. Whoever has
//!   died never speaks again.
//! - `Action::Yield` is taken by a rejected variant alone, and by nobody's line.
//! - Where nothing is there, a report names the newest launch that its provider knows, and the model the row's. Nobody
//!   reads it, so it is taken for the same.
//! - What somebody hears of an operation that it has driven, and drives no more, changes nothing, and is not judged.
//! - Whoever begins something in place of its own operation may still send the call of that one: it does not know of
//!   it yet, or has not got so far. That is what would be so if it had been sent before, since a call may arrive at any
//!   time after that.
//!
//! # When a question is answered
//!
//! `get` and `hear` tell what there was at the provider, at a moment that no gateway can know: it lies between the
//! question and its answer. So a `get` has a begin and an end, and the begin of a `hear` is the `send` of its call; the
//! answer is held against every moment between the two. Whoever can name the moment itself writes one line for it, as
//! an observation.

mod calls;
mod pointers;
mod values;

pub mod walk;
mod windows;
pub(crate) mod write;

use std::fmt;

use outlive_spec::guard::Guard;
use outlive_spec::operation as model;
use outlive_spec::operation::action::{Action, Attempt, Conclusion};
use outlive_spec::operation::bounds::{Bounds, FAR};
use outlive_spec::operation::check::{Check, Checks};
use outlive_spec::operation::rules::Rules;
use outlive_spec::operation::state::*;
use outlive_spec::operation::variants::{RIGHT as SEARCHED, VARIANTS};
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{self, Event, Outcome as Ends, Side, Verb};
use smallvec::SmallVec;

use super::fault::Fault;
use super::fields::{has_no, small};
use super::limits::{CALLS, OPERATIONS, REPORTS};
use super::report::{Explanation, Field};
use super::speakers::Speakers;
use super::track::{Cause, Change, CheckInfo, Pairing, Said, Track, Window};
pub use windows::WINDOWS;

/// The rules that judge: revisions are the true ones, and nothing is forgotten that a line may still speak of.
const RIGHT: Rules = judging(SEARCHED);

const fn judging(rules: Rules) -> Rules {
    Rules { forgets: false, reuses_revisions: false, ..rules }
}

/// One computer in the middle of its trace.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Operations {
    state: State,
    /// Whoever has died.
    dead: SmallVec<[Gateway; 2]>,
    /// What each gateway has driven and drives no more, the latest last.
    dropped: SmallVec<[(Gateway, Call); 4]>,
    /// The newest launch whose calls are no longer remembered, and the newest mark of such a report.
    forgotten: (Option<Launch>, Option<Mark>),
}

/// What an event says.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// Who speaks, if a gateway does.
    gateway: Gateway,
    launch: Launch,
    revision: Revision,
    mark: Mark,
    /// The row that is shown, if one is.
    row: Option<Shown>,
}

/// The row, as a trace shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shown(Row);

/// What a call tells whoever has made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Told {
    /// Which launch has begun.
    Launch(Launch),
    /// What was written.
    Conclusion(Conclusion),
    /// What is there.
    Seen(Observation),
    /// How an operation has ended.
    Heard(Outcome, Mark),
}

impl Track for Operations {
    const PROTOCOL: &'static str = "operation";
    const RIGHT: Rules = RIGHT;
    const CHECKS: &'static [Check] = Check::ALL;
    const FACTS: &'static [&'static str] = &pointers::FACTS;
    const WINDOWS: &'static [Window] = WINDOWS;
    const ROW: &'static str = "standing";
    const REFUSAL_IS_TRUE: Requirement = Requirement::Reconcile17;
    const NAMEABLE: &'static [Verb] = &[];

    type Model = model::Operations;
    type State = State;
    type Action = Action;
    type Rules = Rules;
    type Check = Check;
    type Words = Words;
    type Row = Shown;
    type Told = Told;

    fn say<'e, 'a>(event: &'e Event<'a>, speakers: &mut Speakers) -> Result<Said<'e, 'a, Self>, Fault> {
        has_no("row", event.row.is_some())?;
        let is_by_a_gateway = matches!(event.action.side(), Side::Gateway | Side::Store);
        let gateway = if is_by_a_gateway { numbered(speakers.gateway("process", &event.process)?) } else { Gateway(0) };
        let words = Words {
            gateway,
            launch: Launch(small("launch", event.launch)?.unwrap_or(0)),
            revision: Revision(small("revision", event.revision)?.unwrap_or(0)),
            mark: Mark(small("mark", event.mark)?.unwrap_or(0)),
            row: event.standing.as_ref().map(|standing| shown(standing, speakers)).transpose()?,
        };
        Ok(Said { event, words })
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "the actions of other protocols are refused before")]
    fn action(&self, rules: &Rules, said: &Said<'_, '_, Self>) -> Action {
        let Said { event, words: Words { gateway, launch, revision, mark, .. } } = *said;
        let call = call(said);
        let attempt = match event.action {
            Verb::Crash => return Action::Crash(gateway, self.next_gateway()),
            Verb::StartUnclaimed => return Action::StartUnclaimed(gateway, launch),
            Verb::Send => return Action::Send(gateway, call),
            Verb::Admit => return Action::Admit(launch),
            Verb::Hear => return Action::Hear(gateway, outcome(event), mark),
            Verb::Fail => return Action::Fail(gateway),
            Verb::Read => return Action::Read(gateway, revision, launch),
            Verb::Get => return Action::Get(gateway, observation(said)),
            Verb::Exit => return Action::Exit(launch),
            Verb::Vanish => return Action::Vanish(launch),
            Verb::Report => return Action::Report(self.report(said)),
            Verb::Start => Attempt::Start(gateway),
            Verb::Stop => Attempt::Stop(gateway),
            Verb::Delete => Attempt::Delete(gateway),
            Verb::Recover => Attempt::Recover(gateway, call),
            Verb::Arrive => Attempt::Arrive(call),
            Verb::Settle => Attempt::Settle(gateway, call),
            Verb::Conclude => Attempt::Conclude(gateway, self.conclusion(rules, said)),
            Verb::Deliver => Attempt::Deliver(gateway, self.delivered(said)),
            Verb::Revive => Attempt::Revive(launch),
            other => unreachable!("`{}` is refused before it is given a meaning", other.word()),
        };
        if let (Ends::Refused, Some(because)) = (event.outcome, event.because) {
            return Action::Refuse(attempt, because);
        }
        match attempt {
            Attempt::Start(gateway) => Action::Start(gateway, launch),
            Attempt::Stop(gateway) => Action::Stop(gateway),
            Attempt::Delete(gateway) => Action::Delete(gateway),
            Attempt::Recover(gateway, call) => Action::Recover(gateway, call),
            Attempt::Arrive(call) => Action::Arrive(call),
            Attempt::Settle(gateway, call) => Action::Settle(gateway, call, outcome(event)),
            Attempt::Conclude(gateway, conclusion) => Action::Conclude(gateway, conclusion),
            Attempt::Deliver(gateway, report) => Action::Deliver(gateway, report, self.conclusion(rules, said)),
            Attempt::Revive(launch) => Action::Revive(launch),
        }
    }

    fn step(&mut self, rules: &Rules, said: &Said<'_, '_, Self>) -> Result<(), Cause<Shown>> {
        self.apply(rules, said)?;
        // TRACE-8: the row was observed, so it may show what the step's own words do not.
        let model = Shown(self.state.row);
        match said.words.row {
            Some(found) if found != model => Err(Cause::Row { found, model }),
            Some(_) | None => Ok(()),
        }
    }

    fn apply(&mut self, rules: &Rules, said: &Said<'_, '_, Self>) -> Result<(), Cause<Shown>> {
        self.meet(said);
        if self.was_dropped(said) {
            // RECONCILE-15: it arrives as one that was sent before it was dropped, and its answer is no news.
            if said.event.action == Verb::Send {
                self.state.calls.insert(call(said));
                self.forget();
            }
            return Ok(());
        }
        self.check_that_it_drives(rules, said)?;
        let action = self.action(rules, said);
        if self.has_forgotten(&action) {
            return Err(Cause::Forgotten);
        }
        let driven = self.drives(said.words.gateway);
        rules.apply(&mut self.state, &action)?;
        self.note_what_was_dropped(said.words.gateway, driven);
        if let Action::Crash(dead, next) = action {
            self.dead.push(dead);
            // Whoever comes in its place is met when it speaks, under a name of its own.
            let others = self.state.gateways.iter().filter(|memory| memory.gateway != next);
            self.state.gateways = Gateways::with(others.copied());
        }
        self.forget();
        Ok(())
    }

    fn window(&self, said: &Said<'_, '_, Self>) -> Option<usize> {
        windows::window(&self.state, said)
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    fn touch(&self) -> u32 {
        self.state.row.revision.0 ^ self.state.gateways.len() as u32
    }

    fn touch_names(&self, _: &Event<'_>) -> u32 {
        0
    }

    /// No line is known by its name alone.
    fn unpaired(&self) -> u64 {
        0
    }

    fn set_unpaired(&mut self, _: u64) {}

    fn describe_operation(&self, _: &str) -> String {
        "no call of that name".to_owned()
    }

    fn pair(&mut self, said: &Said<'_, '_, Self>) -> Pairing {
        self.meet(said);
        Pairing::Fits
    }

    fn opens(&self, said: &Said<'_, '_, Self>) -> Option<(Event<'static>, Words)> {
        (said.event.action == Verb::Send).then(|| calls::answer_to(said))
    }

    fn happen(&mut self, rules: &Rules, call: &Said<'_, '_, Self>) -> Result<Option<Told>, Cause<Shown>> {
        calls::happen(self, rules, call)
    }

    fn hear_of_a_refusal(&mut self, end: &Said<'_, '_, Self>) {
        let driven = self.drives(end.words.gateway);
        calls::hear_of_a_refusal(&mut self.state, end);
        self.note_what_was_dropped(end.words.gateway, driven);
    }

    fn told(said: &Said<'_, '_, Self>) -> Option<Told> {
        calls::told(said)
    }

    fn is_named_alike(call: &Event<'_>, event: &Event<'_>) -> bool {
        calls::is_named_alike(call, event)
    }

    fn is_the_same(call: &Said<'_, '_, Self>, said: &Said<'_, '_, Self>) -> bool {
        calls::is_the_same(call, said)
    }

    fn is_over(&self, _: &Rules, call: &Said<'_, '_, Self>) -> bool {
        calls::is_over(&self.state, call)
    }

    fn is_moot(&self, call: &Said<'_, '_, Self>) -> bool {
        self.was_dropped(call)
    }

    fn is_forgotten(call: &Event<'_>, event: &Event<'_>) -> bool {
        calls::is_forgotten(call, event)
    }

    fn model(rules: &Rules, gateways: usize) -> model::Operations {
        // The gateways are those of the state.
        model::Operations { rules: *rules, bounds: Bounds { gateways: gateways.max(1) as u32, ..FAR } }
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
        values::changes(event, &self.state, gateways)
    }

    fn could_have_a_line(action: &Action) -> bool {
        !matches!(action, Action::Yield(_) | Action::Crash(..))
    }

    fn name_of(kinds: &[&str]) -> Option<&'static str> {
        match kinds {
            ["read", "get"] => Some("a look at the row and at the provider"),
            _ => None,
        }
    }

    fn names(&self, speakers: &Speakers) -> Vec<Field> {
        let gateways = speakers.gateways().iter().enumerate();
        let named = gateways.map(|(at, name)| (numbered(at as u32).to_string(), name.to_string()));
        named.map(|(name, value)| Field { name, value }).collect()
    }

    fn known_rules() -> Vec<(Explanation, Rules)> {
        let others = VARIANTS.iter().map(|(info, rules)| (info, judging(*rules))).filter(|(_, rules)| *rules != RIGHT);
        let explained = others.map(|(info, rules)| {
            let (variant, change) = (info.name.to_owned(), info.change.to_owned());
            (Explanation { variant, change, origin: info.origin.to_owned() }, rules)
        });
        explained.collect()
    }
}

impl Operations {
    /// The model is told of a gateway when it first speaks. Whoever is proven dead stays so.
    fn meet(&mut self, said: &Said<'_, '_, Self>) {
        let gateway = said.words.gateway;
        let is_one = gateway != Gateway(0) && self.state.gateways.get(gateway).is_none();
        if is_one && !self.dead.contains(&gateway) {
            self.state.gateways.add(gateway);
        }
    }

    /// In place of one that has died: a number that nobody in this state bears.
    fn next_gateway(&self) -> Gateway {
        let known = self.state.gateways.iter().map(|memory| memory.gateway);
        let newest = known.chain(self.state.row.owner).chain(self.dead.iter().copied()).max();
        Gateway(newest.unwrap_or_default().0 + 1)
    }

    /// What this gateway would ask of the provider for its operation.
    fn drives(&self, gateway: Gateway) -> Option<Call> {
        self.state.gateways.get(gateway).and_then(|memory| memory.operation).map(Operation::call)
    }

    /// Whether it is about an operation that its gateway drives no more. It is no news to anybody.
    fn was_dropped(&self, said: &Said<'_, '_, Self>) -> bool {
        let (call, gateway) = (call(said), said.words.gateway);
        let is_about_an_operation = matches!(said.event.action, Verb::Send | Verb::Hear | Verb::Fail);
        let is_alive = self.state.gateways.get(gateway).is_some();
        is_about_an_operation
            && is_alive
            && self.drives(gateway) != Some(call)
            && self.dropped.contains(&(gateway, call))
    }

    /// Whoever hears how an operation has ended drives it: the model's action says nothing else of it.
    fn check_that_it_drives(&self, rules: &Rules, said: &Said<'_, '_, Self>) -> Result<(), Cause<Shown>> {
        let is_about_an_operation = matches!(said.event.action, Verb::Hear | Verb::Fail);
        let (call, drives) = (call(said), self.drives(said.words.gateway));
        let is_alive = self.state.gateways.get(said.words.gateway).is_some();
        if !is_about_an_operation || !is_alive || drives == Some(call) || rules.without.has(Check::HearIsTrue) {
            return Ok(());
        }
        let requirement = Check::HearIsTrue.requirement();
        Err(Cause::Guard(Guard { requirement, found: call.into(), against: drives.into() }))
    }

    fn note_what_was_dropped(&mut self, gateway: Gateway, driven: Option<Call>) {
        let Some(call) = driven.filter(|_| self.drives(gateway) != driven) else { return };
        self.dropped.retain(|it| *it != (gateway, call));
        if self.dropped.len() == OPERATIONS {
            self.dropped.remove(0);
        }
        self.dropped.push((gateway, call));
    }

    /// What is written of what was seen: as the event says, or else what follows.
    fn conclusion(&self, rules: &Rules, said: &Said<'_, '_, Self>) -> Conclusion {
        if let Some(told) = said.event.conclusion {
            return concluded(told);
        }
        let look = self.state.gateways.get(said.words.gateway).and_then(|memory| memory.look);
        let looked = || look.and_then(|look| look.seen);
        let seen = if said.event.action == Verb::Deliver { Some(self.delivered(said)) } else { looked() };
        seen.map_or(Conclusion::Nothing, |seen| rules.conclusion(self.state.row.phase, seen))
    }

    /// A report as the model has it: where nothing is there, it names the row's launch.
    fn report(&self, said: &Said<'_, '_, Self>) -> Observation {
        let report = observation(said);
        let launch = if report.seen.is_none() { self.state.row.launch } else { report.launch };
        Observation { launch, ..report }
    }

    /// The report that was sent under this mark, if it is one of an absence; a launch is not what it says.
    fn delivered(&self, said: &Said<'_, '_, Self>) -> Observation {
        let report = observation(said);
        let sent = self.state.reports.iter().find(|it| it.mark == report.mark && it.seen.is_none());
        if report.seen.is_none() { sent.copied().unwrap_or(report) } else { report }
    }

    // -- messages are remembered up to a bound

    #[allow(clippy::wildcard_enum_match_arm, reason = "all others speak of no message that was sent before")]
    fn has_forgotten(&self, action: &Action) -> bool {
        let (launch, mark) = self.forgotten;
        match *action {
            Action::Arrive(call) => Some(call.launch) <= launch && !self.state.calls.contains(&call),
            Action::Deliver(_, report, _) => Some(report.mark) <= mark && !self.state.reports.contains(&report),
            _ => false,
        }
    }

    fn forget(&mut self) {
        if self.state.calls.len() > CALLS {
            let oldest = self.state.calls.iter().map(|call| call.launch).min();
            self.state.calls.retain(|call| Some(call.launch) > oldest);
            self.forgotten.0 = self.forgotten.0.max(oldest);
        }
        if self.state.reports.len() > REPORTS {
            let oldest = self.state.reports.iter().map(|report| report.mark).min();
            self.state.reports.retain(|report| Some(report.mark) > oldest);
            self.forgotten.1 = self.forgotten.1.max(oldest);
        }
    }
}

// ------------------------------------------------------------------------------------------- the words of an event

/// The model counts gateways from 1.
fn numbered(place: u32) -> Gateway {
    Gateway(place + 1)
}

fn call(said: &Said<'_, '_, Operations>) -> Call {
    let kind = match said.event.kind {
        // Only of a start is it said that it has failed before it was sent.
        None | Some(trace::Kind::Start) => Kind::Start,
        Some(trace::Kind::Stop) => Kind::Stop,
        Some(trace::Kind::Delete) => Kind::Delete,
    };
    Call { kind, launch: said.words.launch }
}

fn outcome(event: &Event<'_>) -> Outcome {
    match event.ending {
        Some(trace::Ending::Failed) => Outcome::Failed,
        Some(trace::Ending::Done) | None => Outcome::Done,
    }
}

fn concluded(told: trace::Conclusion) -> Conclusion {
    match told {
        trace::Conclusion::Nothing => Conclusion::Nothing,
        trace::Conclusion::Ready => Conclusion::Ready,
        trace::Conclusion::Error => Conclusion::Error,
        trace::Conclusion::Prune => Conclusion::Prune,
    }
}

fn observation(said: &Said<'_, '_, Operations>) -> Observation {
    let seen = match said.event.condition {
        Some(trace::Condition::Booting) => Some(Condition::Booting),
        Some(trace::Condition::Up) => Some(Condition::Up),
        Some(trace::Condition::Exited) => Some(Condition::Exited),
        Some(trace::Condition::Absent) | None => None,
    };
    Observation { launch: said.words.launch, seen, mark: said.words.mark }
}

fn shown(standing: &trace::Standing<'_>, speakers: &mut Speakers) -> Result<Shown, Fault> {
    let number = |number: u64| Ok::<u32, Fault>(small("standing", Some(number))?.unwrap_or(0));
    let owner = standing.owner.as_ref().map(|owner| speakers.gateway("standing", owner)).transpose()?;
    let phase = match standing.phase {
        trace::ComputerPhase::Stopped => Phase::Stopped,
        trace::ComputerPhase::Starting => Phase::Starting,
        trace::ComputerPhase::Ready => Phase::Ready,
        trace::ComputerPhase::Error => Phase::Error,
        trace::ComputerPhase::Stopping => Phase::Stopping,
        trace::ComputerPhase::Deleting => Phase::Deleting,
        trace::ComputerPhase::Gone => Phase::Gone,
    };
    Ok(Shown(Row {
        revision: Revision(number(standing.revision)?),
        phase,
        launch: Launch(number(standing.launch)?),
        owner: owner.map(numbered),
        mark: Mark(number(standing.mark)?),
    }))
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { revision, phase, launch, owner, mark } = self.0;
        write!(f, "{revision}, {phase}, {launch}, ")?;
        match owner {
            None => write!(f, "no owner")?,
            Some(owner) => write!(f, "owned by {owner}")?,
        }
        write!(f, ", {mark}")
    }
}

#[cfg(test)]
mod tests;
