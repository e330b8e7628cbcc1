//! The second judge of snapshot traces.

mod calls;

use std::collections::{BTreeSet, HashSet};

use outlive_model_check::conform::mutate::Events;
use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::action::{Action, Attempt, Rollback};
use outlive_spec::snapshot::state::*;
use outlive_spec::snapshot::variants::RIGHT;
use serde_json::{Map, Value};

use super::{action, number, text};
use calls::{Branch, Calls};

/// Whether the events are a behaviour of the right rules.
pub(crate) fn conforms(events: &Events) -> bool {
    super::of_each_computer(events, conforms_alone)
}

fn conforms_alone(events: &Events) -> bool {
    if !(0..events.len()).all(|at| fits_its_operation(events, at)) {
        return false;
    }
    let names = Names::of(events);
    let mut calls = Calls::default();
    // Which number the model gives to a life depends on when it began; so that is part of what is guessed.
    let start = Branch { guess: Guess { state: State::default(), lives: Vec::new() }, fates: Vec::new() };
    let mut possible = HashSet::from([start]);
    for at in 0..events.len() {
        possible = calls.take(possible, events, at, &names);
        if possible.is_empty() {
            return false;
        }
    }
    true
}

/// Whether an event that bears the name of an operation is what was sent under that name.
fn fits_its_operation(events: &Events, at: usize) -> bool {
    let event = &events[at];
    let Some(name) = text(event, "operation") else { return true };
    // It is its begin that must fit.
    if text(event, "phase").as_deref() == Some("end") {
        return true;
    }
    let namesakes = || events[..at].iter().filter(|before| text(before, "operation").as_ref() == Some(&name));
    let was = |verb: &str, fields: &[&str]| {
        namesakes().any(|it| action(it) == verb && fields.iter().all(|field| it.get(*field) == event.get(*field)))
    };
    match action(event).as_str() {
        "begin" | "resolve" => namesakes().all(|it| !matches!(action(it).as_str(), "begin" | "resolve")),
        "answer" => was("begin", &["incarnation"]),
        "save" => was("begin", &["incarnation"]) && namesakes().any(|it| answered(it, event)),
        "perform" => was("resolve", &["incarnation", "generation"]),
        // Their names are those of calls (`calls.rs`).
        "register" | "claim" | "finish" | "rollback" => true,
        other => panic!("`{other}` has no operation"),
    }
}

/// Whether the one has handed out the page that the other saves.
fn answered(answer: &Map<String, Value>, save: &Map<String, Value>) -> bool {
    let is_done = action(answer) == "answer" && answer.get("because").is_none();
    is_done && answer.get("generation") == save.get("generation")
}

/// One possible present, with the names of the lives so far.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Guess {
    state: State,
    lives: Vec<(String, Life)>,
}

/// What the trace speaks of.
struct Names {
    gateways: Vec<String>,
    highest: u32,
}

impl Names {
    fn of(events: &Events) -> Names {
        let gateways: BTreeSet<String> =
            events.iter().flat_map(|event| [text(event, "process"), text(event, "by")]).flatten().collect();
        let fields = ["incarnation", "generation", "expected", "minted"];
        let numbers = events.iter().flat_map(|event| fields.map(|field| number(event, field)));
        Names { gateways: gateways.into_iter().collect(), highest: numbers.flatten().max().unwrap_or(0) + 1 }
    }

    fn gateway(&self, event: &Map<String, Value>, field: &str) -> Option<Gateway> {
        let name = text(event, field)?;
        self.gateways.iter().position(|known| *known == name).map(|at| Gateway(at as u32))
    }
}

impl Guess {
    fn successors(&self, event: &Map<String, Value>, names: &Names) -> Vec<Guess> {
        let mut successors = Vec::new();
        for action in self.universe(event, names) {
            let mut state = self.state.clone();
            if self.may_mean(event, &action, names) && RIGHT.apply(&mut state, &action).is_ok() {
                let row = event.get("row").is_none_or(|row| *row == row_of(&state));
                if row {
                    state.ghost.harms = Default::default();
                    successors.push(Guess { lives: self.named(event, &state), state });
                }
            }
        }
        successors
    }

    fn named(&self, event: &Map<String, Value>, state: &State) -> Vec<(String, Life)> {
        let mut lives = self.lives.clone();
        let is_named = lives.iter().any(|(_, life)| *life == state.process.life);
        let names_a_life =
            matches!(action(event).as_str(), "restart" | "wipe" | "ask") && event.get("because").is_none();
        if let Some(name) = text(event, "life").filter(|_| names_a_life && !is_named) {
            lives.push((name, state.process.life));
        }
        lives
    }

    /// Whether this may be the name of that life: its own, or one that nobody has borne.
    fn is_name(&self, name: &str, life: Life) -> bool {
        match self.lives.iter().find(|(known, _)| known == name) {
            Some((_, known)) => *known == life,
            None => self.lives.iter().all(|(_, known)| *known != life),
        }
    }

    /// Every action of the event's verb, with every value that could matter.
    fn universe(&self, event: &Map<String, Value>, names: &Names) -> Vec<Action> {
        let numbers = 0..=names.highest;
        let incarnations = || numbers.clone().map(Incarnation);
        let generations = || numbers.clone().map(Generation);
        let lives = || (1..=self.state.process.life.0 + 2).map(Life);
        let gateways = || (0..names.gateways.len() as u32).map(Gateway);
        let stamps = || incarnations().map(Stamp::Is).chain([Stamp::Unknown]);
        let cited = || stamps().flat_map(move |stamp| generations().map(move |generation| Cited { stamp, generation }));
        let questions =
            || lives().flat_map(move |life| incarnations().map(move |expected| Question { life, expected }));
        let waiting = || gateways().map(Some).chain([None]);
        let wipes =
            || waiting().flat_map(move |by| incarnations().map(move |incarnation| WipeCall { by, incarnation }));
        let saves = || {
            let unsent = cited().map(|cited| Save { cited, page: Page::default() });
            self.state.saves.iter().copied().chain(unsent)
        };
        let acts = || {
            let unsent = cited().map(|cited| Act { cited, resolved: None });
            self.state.acts.iter().copied().chain(unsent)
        };
        let rollbacks = || {
            cited().flat_map(move |to| {
                incarnations()
                    .flat_map(move |expected| incarnations().map(move |minted| Rollback { to, expected, minted }))
            })
        };
        let with_minted = |make: &dyn Fn(Incarnation) -> Action| incarnations().map(make).collect::<Vec<Action>>();
        let attempts: Vec<Attempt> = match action(event).as_str() {
            "restart" => return lives().map(Action::Restart).collect(),
            "ask" => return questions().map(Action::Ask).collect(),
            "learn" => return incarnations().map(Action::Learn).collect(),
            "begin" => return stamps().map(|stamp| Action::Begin(Call { stamp })).collect(),
            "send-wipe" => {
                let pairs = gateways().flat_map(|gateway| incarnations().map(move |it| (gateway, it)));
                return pairs.map(|(gateway, it)| Action::SendWipe(gateway, it)).collect();
            }
            "load" => return cited().map(Some).chain([None]).map(Action::Load).collect(),
            "crash" => return gateways().map(Action::Crash).collect(),
            "register" => questions().map(Attempt::Register).collect(),
            "answer" => stamps().map(|stamp| Attempt::Answer(Call { stamp })).collect(),
            "save" => saves().map(Attempt::Save).collect(),
            "claim" => gateways().flat_map(|by| incarnations().map(move |it| Attempt::Claim(by, it))).collect(),
            "wipe" => wipes().map(Attempt::Wipe).collect(),
            "finish" => gateways().flat_map(|by| incarnations().map(move |it| Attempt::Finish(by, it))).collect(),
            "resolve" => cited().map(Attempt::Resolve).collect(),
            "perform" => acts().map(Attempt::Perform).collect(),
            "rollback" => rollbacks().map(Attempt::Rollback).collect(),
            other => panic!("no action {other}"),
        };
        let may_mean = |attempt: &Attempt| self.may_attempt(event, attempt, names);
        let attempts = attempts.into_iter().filter(may_mean);
        if event.get("because").is_some() {
            return attempts.flat_map(refusals).collect();
        }
        attempts
            .flat_map(|attempt| match attempt {
                Attempt::Register(question) => with_minted(&|minted| Action::Register(question, minted)),
                Attempt::Answer(call) => generations().map(|generation| Action::Answer(call, generation)).collect(),
                Attempt::Save(save) => vec![Action::Save(save)],
                Attempt::Claim(gateway, expected) => vec![Action::Claim(gateway, expected)],
                Attempt::Wipe(wipe) => {
                    let pairs = lives().flat_map(|life| generations().map(move |generation| (life, generation)));
                    pairs.map(|(life, generation)| Action::Wipe(wipe, life, generation)).collect()
                }
                Attempt::Finish(gateway, wiped) => with_minted(&|minted| Action::Finish(gateway, wiped, minted)),
                Attempt::Resolve(cited) => vec![Action::Resolve(cited)],
                Attempt::Perform(act) => vec![Action::Perform(act)],
                Attempt::Rollback(rollback) => vec![Action::Rollback(rollback)],
            })
            .collect()
    }

    /// Whether the line could mean this action.
    fn may_mean(&self, event: &Map<String, Value>, action: &Action, names: &Names) -> bool {
        let says = |field: &str, value: u32| number(event, field) == Some(value);
        let is_life = |life: Life| text(event, "life").is_some_and(|name| self.is_name(&name, life));
        match *action {
            Action::Restart(life) => is_life(life),
            Action::Ask(question) => self.may_attempt(event, &Attempt::Register(question), names),
            Action::Register(_, minted) | Action::Finish(_, _, minted) => says("minted", minted.0),
            Action::Rollback(Rollback { minted, .. }) => says("minted", minted.0),
            Action::Learn(incarnation) => says("incarnation", incarnation.0),
            Action::Begin(call) => self.may_attempt(event, &Attempt::Answer(call), names),
            Action::Answer(_, generation) => says("generation", generation.0),
            Action::SendWipe(gateway, incarnation) => {
                says("incarnation", incarnation.0) && names.gateway(event, "process") == Some(gateway)
            }
            Action::Wipe(_, life, generation) => says("generation", generation.0) && is_life(life),
            Action::Load(Some(cited)) => cites(event, cited),
            Action::Load(None) => number(event, "generation").is_none(),
            Action::Crash(gateway) => names.gateway(event, "process") == Some(gateway),
            Action::Refuse(_, because) => text(event, "because").as_deref() == Some(because.id()),
            Action::Save(_) | Action::Claim(..) | Action::Resolve(_) | Action::Perform(_) => true,
            Action::Stamp(..) | Action::Forward(_) | Action::Discard(_) => false,
        }
    }

    fn may_attempt(&self, event: &Map<String, Value>, attempt: &Attempt, names: &Names) -> bool {
        let says = |field: &str, value: u32| number(event, field) == Some(value);
        let speaks = |gateway: Gateway| names.gateway(event, "process") == Some(gateway);
        match *attempt {
            Attempt::Register(question) => {
                let is_life = text(event, "life").is_some_and(|name| self.is_name(&name, question.life));
                is_life && says("expected", question.expected.0)
            }
            Attempt::Answer(call) => stamp(event) == call.stamp,
            Attempt::Save(save) => cites(event, save.cited),
            Attempt::Claim(gateway, expected) => speaks(gateway) && says("expected", expected.0),
            // A gateway that has died since its wipe is the sender of one that nobody waits for.
            Attempt::Wipe(wipe) => {
                let is_sender = wipe.by.is_none() || wipe.by == names.gateway(event, "by");
                is_sender && says("incarnation", wipe.incarnation.0)
            }
            Attempt::Finish(gateway, wiped) => speaks(gateway) && says("incarnation", wiped.0),
            Attempt::Resolve(cited) => cites(event, cited),
            Attempt::Perform(act) => cites(event, act.cited),
            Attempt::Rollback(rollback) => cites(event, rollback.to) && says("expected", rollback.expected.0),
        }
    }
}

fn refusals(attempt: Attempt) -> impl Iterator<Item = Action> {
    Requirement::ALL.iter().map(move |because| Action::Refuse(attempt, *because))
}

fn stamp(event: &Map<String, Value>) -> Stamp {
    number(event, "incarnation").map_or(Stamp::Unknown, |it| Stamp::Is(Incarnation(it)))
}

fn cites(event: &Map<String, Value>, cited: Cited) -> bool {
    stamp(event) == cited.stamp && number(event, "generation") == Some(cited.generation.0)
}

fn row_of(state: &State) -> Value {
    let named = |stamp: Stamp| match stamp {
        Stamp::Is(incarnation) => incarnation.0,
        Stamp::Unknown | Stamp::Pending => 0,
    };
    let page = state.store.page.map(|stored| (named(stored.cited.stamp), stored.cited.generation.0));
    serde_json::json!({
        "incarnation": state.store.incarnation.0, "resetting": state.store.is_resetting,
        "since": state.store.since.0, "page": page,
    })
}
