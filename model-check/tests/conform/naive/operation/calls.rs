//! Every subset of the open calls may have happened, in every order; and so may every question to the provider.

use std::collections::{BTreeSet, HashSet};

use outlive_model_check::conform::mutate::Events;
use outlive_spec::operation::action::Action;
use outlive_spec::operation::state::{Gateway, Kind, Launch, Memory, State};
use serde_json::{Map, Value, json};

use super::super::{action, text};
use super::{Names, is_condition, is_no_news, successors, word};

/// One possible present, with what has become of each call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Branch {
    pub(super) state: State,
    /// What each gateway has driven at some time.
    pub(super) driven: BTreeSet<(Gateway, Kind, Launch)>,
    pub(super) fates: Vec<Fate>,
}

impl Branch {
    pub(super) fn of(state: State) -> Branch {
        Branch { state, driven: BTreeSet::new(), fates: Vec::new() }
    }

    fn then(&self, state: State, fates: Vec<Fate>) -> Branch {
        let drives = |memory: &Memory| Some((memory.gateway, memory.operation?.kind, memory.operation?.launch));
        let driven = self.driven.iter().copied().chain(state.gateways.iter().filter_map(drives)).collect();
        Branch { state, driven, fates }
    }
}

/// What has become of a call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Fate {
    /// Nothing; and whether it could have been refused for the reason that its end gives.
    Waiting(bool),
    /// It has happened, by this action.
    Happened(Option<Action>),
}

/// The calls that have begun so far.
#[derive(Default)]
pub(super) struct Calls(Vec<Call>);

struct Call {
    begin: Map<String, Value>,
    known: Known,
    /// The reason that its end will give.
    because: Option<Value>,
}

#[derive(Clone, PartialEq)]
enum Known {
    Begun,
    /// The event of its effect was there.
    Committed(Map<String, Value>),
    Lost,
    Ended,
}

fn has_same(one: &Map<String, Value>, other: &Map<String, Value>, fields: &[&str]) -> bool {
    fields.iter().all(|field| one.get(*field) == other.get(*field))
}

fn is_a_question(event: &Map<String, Value>) -> bool {
    matches!(action(event).as_str(), "get" | "hear")
}

impl Call {
    /// Whether the event speaks of it. Questions bear no name: who asks about what tells them apart.
    fn is_named_as(&self, event: &Map<String, Value>) -> bool {
        let is_it = match action(&self.begin).as_str() {
            "get" => has_same(&self.begin, event, &["process"]),
            "hear" => has_same(&self.begin, event, &["process", "kind", "launch"]),
            _ => event.contains_key("operation") && has_same(&self.begin, event, &["operation"]),
        };
        is_it && action(event) == action(&self.begin)
    }

    fn is_the_same(&self, event: &Map<String, Value>) -> bool {
        let fields: &[&str] = match action(event).as_str() {
            "recover" => &["process", "kind", "launch"],
            "settle" => &["process", "kind", "launch", "ending"],
            "deliver" => &["process", "launch", "condition", "mark"],
            _ => &["process"],
        };
        has_same(&self.begin, event, fields)
    }

    /// The event of its effect, had it happened in this state.
    fn effect(&self) -> Map<String, Value> {
        let mut effect = self.begin.clone();
        effect.insert("phase".to_owned(), json!("commit"));
        effect.remove("outcome");
        effect
    }

    fn would_be_refused(&self, branch: &Branch, names: &Names) -> bool {
        let Some(because) = &self.because else { return false };
        let mut refusal = self.effect();
        refusal.insert("because".to_owned(), because.clone());
        !successors(branch, &refusal, names).is_empty()
    }

    fn may_happen(&self) -> bool {
        matches!(self.known, Known::Begun | Known::Lost)
    }
}

/// Whether an end says what this action has told.
fn tells(taken: &Action, end: &Map<String, Value>) -> bool {
    let says = |field: &str, value: u32| super::number(end, field) == Some(value);
    match *taken {
        Action::Start(_, launch) | Action::StartUnclaimed(_, launch) => says("launch", launch.0),
        Action::Conclude(_, it) | Action::Deliver(_, _, it) => text(end, "conclusion").as_deref() == Some(word(it)),
        Action::Get(_, seen) => {
            says("launch", seen.launch.0) && is_condition(end, seen.seen) && says("mark", seen.mark.0)
        }
        Action::Hear(_, ending, mark) => {
            text(end, "ending").as_deref() == Some(ending.to_string().as_str()) && says("mark", mark.0)
        }
        _ => true,
    }
}

impl Calls {
    pub(super) fn take(
        &mut self,
        possible: HashSet<Branch>,
        events: &Events,
        at: usize,
        names: &Names,
    ) -> HashSet<Branch> {
        let event = &events[at];
        let possible = self.let_happen(possible, names);
        let is_unknown = text(event, "outcome").as_deref() == Some("unknown");
        let next = match text(event, "phase").as_deref() {
            Some("begin") => self.begin(possible, events, at, Known::Begun),
            Some("end") => self.end(possible, event, names),
            _ if is_unknown => self.begin(possible, events, at, Known::Lost),
            _ => self.happen(possible, event, names),
        };
        let next = self.await_an_answer(next, event);
        next.into_iter().map(|branch| self.note_refusals(branch, names)).collect()
    }

    fn let_happen(&self, possible: HashSet<Branch>, names: &Names) -> HashSet<Branch> {
        let mut all = possible.clone();
        let mut new: Vec<Branch> = possible.into_iter().collect();
        while let Some(branch) = new.pop() {
            for (number, call) in self.0.iter().enumerate() {
                if !call.may_happen() || matches!(branch.fates[number], Fate::Happened(_)) {
                    continue;
                }
                for (state, taken) in successors(&branch, &call.effect(), names) {
                    let Some(taken) = taken else { continue };
                    let mut fates = branch.fates.clone();
                    fates[number] = Fate::Happened(Some(taken));
                    let next = self.note_refusals(branch.then(state, fates), names);
                    if all.insert(next.clone()) {
                        new.push(next);
                    }
                }
            }
        }
        all
    }

    fn note_refusals(&self, branch: Branch, names: &Names) -> Branch {
        let note = |(call, fate): (&Call, &Fate)| match fate {
            Fate::Waiting(was_refusable) => Fate::Waiting(*was_refusable || call.would_be_refused(&branch, names)),
            Fate::Happened(_) => fate.clone(),
        };
        let fates = self.0.iter().zip(&branch.fates).map(note).collect();
        Branch { fates, ..branch }
    }

    /// Whoever sends a call waits for what comes of it, and for one answer if it sends it twice.
    fn await_an_answer(&mut self, possible: HashSet<Branch>, event: &Map<String, Value>) -> HashSet<Branch> {
        if action(event) != "send" {
            return possible;
        }
        let mut question = event.clone();
        question.insert("action".to_owned(), json!("hear"));
        if self.0.iter().any(|call| call.known == Known::Begun && call.is_named_as(&question)) {
            return possible;
        }
        self.0.push(Call { begin: question, known: Known::Begun, because: None });
        possible.into_iter().map(wait).collect()
    }

    fn begin(&mut self, possible: HashSet<Branch>, events: &Events, at: usize, known: Known) -> HashSet<Branch> {
        let event = &events[at];
        let is_under_way = |call: &Call| call.known == Known::Begun && call.is_named_as(event);
        if known == Known::Begun && self.0.iter().any(is_under_way) {
            return HashSet::new();
        }
        let call = Call { begin: event.clone(), known, because: None };
        let is_its_end = |it: &&Map<String, Value>| text(it, "phase").as_deref() == Some("end") && call.is_named_as(it);
        let because = events[at + 1..].iter().find(is_its_end).and_then(|end| end.get("because").cloned());
        self.0.push(Call { because, ..call });
        possible.into_iter().map(wait).collect()
    }

    fn end(&mut self, possible: HashSet<Branch>, event: &Map<String, Value>, names: &Names) -> HashSet<Branch> {
        let is_no_news = |branch: &Branch| is_no_news(branch, event, names);
        let is_its = |call: &Call| matches!(call.known, Known::Begun | Known::Committed(_)) && call.is_named_as(event);
        let Some(at) = self.0.iter().position(is_its) else {
            return possible.into_iter().filter(is_no_news).collect();
        };
        if !self.0[at].is_the_same(event) {
            return HashSet::new();
        }
        let is_unknown = text(event, "outcome").as_deref() == Some("unknown");
        let known = std::mem::replace(&mut self.0[at].known, if is_unknown { Known::Lost } else { Known::Ended });
        if let Known::Committed(effect) = known {
            self.0[at].known = Known::Ended;
            let is_refused = event.contains_key("because");
            let told: &[&str] = match action(event).as_str() {
                _ if is_refused => &[],
                "start" | "start-unclaimed" => &["launch"],
                "conclude" | "deliver" => &["conclusion"],
                _ => &[],
            };
            let is_said = has_same(&effect, event, &["because"]) && has_same(&effect, event, told);
            return if is_said || is_unknown { possible } else { HashSet::new() };
        }
        if is_unknown {
            return possible;
        }
        let has_ended_so = |branch: &Branch| match (&branch.fates[at], event.get("because")) {
            (Fate::Happened(taken), None) => taken.is_none_or(|taken| tells(&taken, event)) || is_no_news(branch),
            (Fate::Waiting(was_refusable), Some(_)) => *was_refusable,
            (Fate::Waiting(_), None) => is_no_news(branch),
            (Fate::Happened(_), Some(_)) => false,
        };
        let left = possible.into_iter().filter(has_ended_so);
        left.map(|branch| hear_of_a_refusal(branch, event, names)).collect()
    }

    fn happen(&mut self, possible: HashSet<Branch>, event: &Map<String, Value>, names: &Names) -> HashSet<Branch> {
        let is_its = |call: &Call| {
            let is_begun = call.known == Known::Begun && !is_a_question(&call.begin);
            is_begun && call.is_named_as(event) && call.is_the_same(event)
        };
        let effect_of = self.0.iter().position(is_its);
        let mut next = HashSet::new();
        for branch in possible {
            if effect_of.is_some_and(|at| matches!(branch.fates[at], Fate::Happened(_))) {
                continue;
            }
            for (state, _) in successors(&branch, event, names) {
                let mut fates = branch.fates.clone();
                if let Some(at) = effect_of {
                    fates[at] = Fate::Happened(None);
                }
                next.insert(branch.then(state, fates));
            }
        }
        if let Some(at) = effect_of {
            self.0[at].known = Known::Committed(event.clone());
        }
        self.forget_who_waits_no_more(event);
        next
    }

    /// Whoever has died hears of nothing, and whoever looks anew does not wait for what it has asked before.
    fn forget_who_waits_no_more(&mut self, event: &Map<String, Value>) {
        for call in self.0.iter_mut().filter(|call| has_same(&call.begin, event, &["process"])) {
            let looks_anew = action(&call.begin) == "get" && action(event) == "read";
            if action(event) != "crash" && !looks_anew {
                continue;
            }
            call.known = match &call.known {
                Known::Begun if is_a_question(&call.begin) => Known::Ended,
                Known::Begun | Known::Lost => Known::Lost,
                Known::Committed(_) | Known::Ended => Known::Ended,
            };
        }
    }
}

fn wait(mut branch: Branch) -> Branch {
    branch.fates.push(Fate::Waiting(false));
    branch
}

/// Whoever hears that it has lost drops what it had in mind.
fn hear_of_a_refusal(mut branch: Branch, event: &Map<String, Value>, names: &Names) -> Branch {
    if !event.contains_key("because") {
        return branch;
    }
    let verb = action(event);
    for memory in branch.state.gateways.iter_mut().filter(|memory| names.is(memory.gateway, event)) {
        match verb.as_str() {
            "conclude" => memory.look = None,
            "settle" => memory.operation = memory.operation.filter(|it| !super::is_of(event, it)),
            _ => {}
        }
    }
    branch
}
