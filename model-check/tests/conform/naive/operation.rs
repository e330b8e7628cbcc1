//! The second judge of operation traces.

mod calls;

use std::collections::{BTreeSet, HashSet};

use outlive_model_check::conform::mutate::Events;
use outlive_spec::operation::action::{Action, Attempt, Conclusion};
use outlive_spec::operation::created;
use outlive_spec::operation::rules::Rules;
use outlive_spec::operation::state::*;
use outlive_spec::operation::variants::RIGHT as SEARCHED;
use outlive_spec::requirement::Requirement;
use serde_json::{Map, Value, json};

use super::{action, number, text};
use calls::{Branch, Calls};

/// A search forgets what is refused for ever, and a trace may still speak of it; and the revisions of a trace are the
/// true ones.
const RIGHT: Rules = Rules { forgets: false, reuses_revisions: false, ..SEARCHED };

/// Whether the events are a behaviour of the right rules.
pub(crate) fn conforms(events: &Events) -> bool {
    super::of_each_computer(events, conforms_alone)
}

fn conforms_alone(events: &Events) -> bool {
    let names = Names::of(events);
    let mut calls = Calls::default();
    // Whoever speaks at some time lives from the beginning.
    let start = Branch::of(created(names.gateways.len() as u32));
    let mut possible = HashSet::from([start]);
    for at in 0..events.len() {
        possible = calls.take(possible, events, at, &names);
        if possible.is_empty() {
            return false;
        }
    }
    true
}

/// What the trace speaks of.
struct Names {
    gateways: Vec<String>,
    highest: u32,
}

impl Names {
    fn of(events: &Events) -> Names {
        let owner = |event: &Map<String, Value>| text(event.get("standing")?.as_object()?, "owner");
        let names = events.iter().flat_map(|event| [text(event, "process"), owner(event)]);
        let gateways: BTreeSet<String> = names.flatten().collect();
        let fields = ["launch", "revision", "mark"];
        let numbers = events.iter().flat_map(|event| fields.map(|field| number(event, field)));
        // What a call mints, nobody may say.
        let is_open = |event: &&Map<String, Value>| !event.contains_key("launch") && !event.contains_key("because");
        let minted = events.iter().filter(is_open).filter(|event| action(event).starts_with("start")).count() as u32;
        let highest = numbers.flatten().max().unwrap_or(0) + 1 + minted;
        Names { gateways: gateways.into_iter().collect(), highest }
    }

    /// The model counts from 1.
    fn is(&self, gateway: Gateway, event: &Map<String, Value>) -> bool {
        let name = self.gateways.get((gateway.0 as usize).wrapping_sub(1));
        name.is_some() && name == text(event, "process").as_ref()
    }

    fn row(&self, row: &Row) -> Value {
        let owner = row.owner.map(|owner| self.gateways.get(owner.0 as usize - 1));
        json!({
            "revision": row.revision.0, "phase": row.phase.to_string(), "launch": row.launch.0, "owner": owner,
            "mark": row.mark.0,
        })
    }
}

/// The states that a line may lead to, each with the action that it then means; no action, if it means none.
fn successors(branch: &Branch, event: &Map<String, Value>, names: &Names) -> Vec<(State, Option<Action>)> {
    let state = &branch.state;
    let mut successors = Vec::new();
    for action in universe(state, event, names) {
        if !may_mean(state, event, &action) {
            continue;
        }
        let mut next = state.clone();
        if RIGHT.apply(&mut next, &action).is_ok() {
            next.ghost.harms = Default::default();
            successors.push((next, Some(action)));
        }
    }
    if is_no_news(branch, event, names) {
        let mut next = state.clone();
        if action(event) == "send" {
            // As if it had been sent before it was dropped.
            for action in universe(state, event, names).into_iter().filter(|it| may_mean(state, event, it)) {
                if let Action::Send(_, call) = action {
                    next.calls.insert(call);
                }
            }
        }
        successors.push((next, None));
    }
    successors.retain(|(next, _)| event.get("standing").is_none_or(|row| *row == names.row(&next.row)));
    successors
}

/// Somebody living hears of an operation that it has driven, and drives no more, or sends its call.
fn is_no_news(branch: &Branch, event: &Map<String, Value>, names: &Names) -> bool {
    let is_about_an_operation = matches!(action(event).as_str(), "send" | "hear" | "fail");
    let drives = |memory: &Memory| memory.operation.is_some_and(|it| is_of(event, &it));
    let has_driven = |memory: &Memory| {
        let its = branch.driven.iter().filter(|(gateway, ..)| *gateway == memory.gateway);
        its.map(|&(_, kind, launch)| Operation { kind, launch, ..Operation::default() }).any(|it| is_of(event, &it))
    };
    let is_drop = |memory: &Memory| names.is(memory.gateway, event) && !drives(memory) && has_driven(memory);
    is_about_an_operation && branch.state.gateways.iter().any(is_drop)
}

/// Whether the event is about this operation.
fn is_of(event: &Map<String, Value>, operation: &Operation) -> bool {
    means(event, operation.kind) && number(event, "launch") == Some(operation.launch.0)
}

/// Every action of the event's verb, with every value that could matter.
fn universe(state: &State, event: &Map<String, Value>, names: &Names) -> Vec<Action> {
    let numbers = 0..=names.highest;
    let launches = || numbers.clone().map(Launch);
    let marks = || numbers.clone().map(Mark);
    let gateways = || (1..=names.gateways.len() as u32).map(Gateway);
    let calls = || KINDS.into_iter().flat_map(move |kind| launches().map(move |launch| Call { kind, launch }));
    let observations = || {
        let told = CONDITIONS.into_iter().flat_map(move |seen| marks().map(move |mark| (seen, mark)));
        let told = told.flat_map(move |(seen, mark)| launches().map(move |launch| Observation { launch, seen, mark }));
        told.collect::<Vec<_>>()
    };
    let mut actions = Vec::new();
    for gateway in gateways().filter(|gateway| names.is(*gateway, event)) {
        let attempts: Vec<Attempt> = match action(event).as_str() {
            "start" => vec![Attempt::Start(gateway)],
            "stop" => vec![Attempt::Stop(gateway)],
            "delete" => vec![Attempt::Delete(gateway)],
            "recover" => calls().map(|call| Attempt::Recover(gateway, call)).collect(),
            "arrive" => calls().map(Attempt::Arrive).collect(),
            "settle" => calls().map(|call| Attempt::Settle(gateway, call)).collect(),
            "conclude" => CONCLUSIONS.map(|it| Attempt::Conclude(gateway, it)).to_vec(),
            "deliver" => observations().into_iter().map(|it| Attempt::Deliver(gateway, it)).collect(),
            "revive" => launches().map(Attempt::Revive).collect(),
            _ => Vec::new(),
        };
        if event.get("because").is_some() {
            actions.extend(attempts.into_iter().flat_map(refusals));
            continue;
        }
        actions.extend(attempts.into_iter().flat_map(|attempt| done(attempt, names)));
        match action(event).as_str() {
            "start-unclaimed" => actions.extend(launches().map(|launch| Action::StartUnclaimed(gateway, launch))),
            "send" => actions.extend(calls().map(|call| Action::Send(gateway, call))),
            "hear" => {
                let heard = ENDINGS.into_iter().flat_map(|ending| marks().map(move |mark| (ending, mark)));
                actions.extend(heard.map(|(ending, mark)| Action::Hear(gateway, ending, mark)));
            }
            "fail" => actions.push(Action::Fail(gateway)),
            "read" => {
                let read = numbers.clone().flat_map(|revision| launches().map(move |launch| (revision, launch)));
                actions.extend(read.map(|(revision, launch)| Action::Read(gateway, Revision(revision), launch)));
            }
            "get" => actions.extend(observations().into_iter().map(|it| Action::Get(gateway, it))),
            "crash" => actions.push(Action::Crash(gateway, newcomer(state))),
            "admit" => actions.extend(launches().map(Action::Admit)),
            "exit" => actions.extend(launches().map(Action::Exit)),
            "vanish" => actions.extend(launches().map(Action::Vanish)),
            "report" => actions.extend(observations().into_iter().map(Action::Report)),
            _ => {}
        }
    }
    actions
}

const KINDS: [Kind; 3] = [Kind::Start, Kind::Stop, Kind::Delete];
const CONDITIONS: [Option<Condition>; 4] =
    [Some(Condition::Booting), Some(Condition::Up), Some(Condition::Exited), None];
const ENDINGS: [Outcome; 2] = [Outcome::Done, Outcome::Failed];
const CONCLUSIONS: [Conclusion; 4] = [Conclusion::Nothing, Conclusion::Ready, Conclusion::Error, Conclusion::Prune];

/// Who comes in place of the dead bears no name of the trace.
fn newcomer(state: &State) -> Gateway {
    let newest = state.gateways.iter().map(|memory| memory.gateway).chain(state.row.owner).max();
    Gateway(newest.unwrap_or_default().0 + 1000)
}

fn done(attempt: Attempt, names: &Names) -> Vec<Action> {
    let launches = || (0..=names.highest).map(Launch);
    match attempt {
        Attempt::Start(gateway) => launches().map(|launch| Action::Start(gateway, launch)).collect(),
        Attempt::Stop(gateway) => vec![Action::Stop(gateway)],
        Attempt::Delete(gateway) => vec![Action::Delete(gateway)],
        Attempt::Recover(gateway, call) => vec![Action::Recover(gateway, call)],
        Attempt::Arrive(call) => vec![Action::Arrive(call)],
        Attempt::Settle(gateway, call) => ENDINGS.map(|ending| Action::Settle(gateway, call, ending)).to_vec(),
        Attempt::Conclude(gateway, conclusion) => vec![Action::Conclude(gateway, conclusion)],
        Attempt::Deliver(gateway, report) => CONCLUSIONS.map(|it| Action::Deliver(gateway, report, it)).to_vec(),
        Attempt::Revive(launch) => vec![Action::Revive(launch)],
    }
}

fn refusals(attempt: Attempt) -> impl Iterator<Item = Action> {
    Requirement::ALL.iter().map(move |because| Action::Refuse(attempt, *because))
}

/// Whether the line could mean this action. A field that it does not have, it leaves open.
fn may_mean(state: &State, event: &Map<String, Value>, action: &Action) -> bool {
    let is_launch = |launch: Launch| number(event, "launch").is_none_or(|said| said == launch.0);
    let is_mark = |mark: Mark| number(event, "mark").is_none_or(|said| said == mark.0);
    let is_call = |call: Call| means(event, call.kind) && is_launch(call.launch);
    let is_ending = |ending: Outcome| text(event, "ending").is_none_or(|said| said == ending.to_string());
    let is_conclusion = |conclusion: Conclusion| text(event, "conclusion").is_none_or(|said| said == word(conclusion));
    // Where nothing is there, the launch of a report says nothing.
    let is_report = |report: Observation| match report.seen {
        None => is_condition(event, None) && is_mark(report.mark) && is_an_absence(state, event, report),
        seen => is_condition(event, seen) && is_mark(report.mark) && is_launch(report.launch),
    };
    match *action {
        Action::Start(_, launch) | Action::StartUnclaimed(_, launch) => is_launch(launch),
        Action::Admit(launch) | Action::Exit(launch) | Action::Revive(launch) | Action::Vanish(launch) => {
            is_launch(launch)
        }
        Action::Recover(_, call) | Action::Send(_, call) | Action::Arrive(call) => is_call(call),
        Action::Settle(_, call, ending) => is_call(call) && is_ending(ending),
        Action::Hear(gateway, ending, mark) => {
            let driven = state.gateways.get(gateway).and_then(|memory| memory.operation);
            driven.is_some_and(|it| is_call(it.call())) && is_ending(ending) && is_mark(mark)
        }
        Action::Fail(gateway) => {
            let driven = state.gateways.get(gateway).and_then(|memory| memory.operation);
            driven.is_some_and(|it| it.kind == Kind::Start && is_launch(it.launch))
        }
        Action::Read(_, revision, launch) => {
            number(event, "revision").is_none_or(|said| said == revision.0) && is_launch(launch)
        }
        Action::Get(_, seen) => is_condition(event, seen.seen) && is_mark(seen.mark) && is_launch(seen.launch),
        Action::Conclude(_, conclusion) => is_conclusion(conclusion),
        Action::Report(report) => is_report(report),
        Action::Deliver(_, report, conclusion) => is_report(report) && is_conclusion(conclusion),
        Action::Stop(_) | Action::Delete(_) | Action::Crash(..) => true,
        Action::Yield(_) => false,
        Action::Refuse(attempt, because) => {
            let is_attempt = match attempt {
                Attempt::Start(_) | Attempt::Stop(_) | Attempt::Delete(_) => true,
                Attempt::Recover(_, call) | Attempt::Arrive(call) | Attempt::Settle(_, call) => is_call(call),
                Attempt::Conclude(_, conclusion) => is_conclusion(conclusion),
                Attempt::Deliver(_, report) => is_report(report),
                Attempt::Revive(launch) => is_launch(launch),
            };
            is_attempt && text(event, "because").as_deref() == Some(because.id())
        }
    }
}

/// Whether this is the absence that the line speaks of: when it is reported, that of the row's launch, and when it is
/// acted on, that which was reported; if none was, what the line says.
fn is_an_absence(state: &State, event: &Map<String, Value>, report: Observation) -> bool {
    if action(event) == "report" {
        return report.launch == state.row.launch;
    }
    let is_of_it = |it: &&Observation| it.mark == report.mark && it.seen.is_none();
    let sent = state.reports.iter().find(is_of_it);
    sent.map_or(number(event, "launch") == Some(report.launch.0), |sent| *sent == report)
}

fn is_condition(event: &Map<String, Value>, seen: Option<Condition>) -> bool {
    let word = seen.map_or_else(|| "absent".to_owned(), |condition| condition.to_string());
    text(event, "condition").is_none_or(|said| said == word)
}

fn means(event: &Map<String, Value>, kind: Kind) -> bool {
    let word = match kind {
        Kind::Start => "start",
        Kind::Stop => "stop",
        Kind::Delete => "delete",
    };
    // Only a start can be given up.
    text(event, "kind").map_or(action(event) != "fail" || kind == Kind::Start, |said| said == word)
}

fn word(conclusion: Conclusion) -> &'static str {
    match conclusion {
        Conclusion::Nothing => "nothing",
        Conclusion::Ready => "ready",
        Conclusion::Error => "error",
        Conclusion::Prune => "prune",
    }
}
