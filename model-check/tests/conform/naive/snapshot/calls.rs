//! Every subset of the open calls may have happened, in every order.

use std::collections::{BTreeSet, HashSet};

use outlive_model_check::conform::mutate::Events;
use serde_json::{Map, Value, json};

use super::super::{action, number, text};
use super::{Guess, Names};

/// One possible present, with what has become of each call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Branch {
    pub(super) guess: Guess,
    pub(super) fates: Vec<Fate>,
}

/// What has become of a call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Fate {
    /// Nothing; and whether it could have been refused for the reason that its end gives.
    Waiting(bool),
    /// It has happened, and this was minted.
    Happened(Option<u32>),
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

impl Call {
    fn is_named_as(&self, event: &Map<String, Value>) -> bool {
        let has_name = event.get("operation").is_some() && event.get("operation") == self.begin.get("operation");
        has_name && action(event) == action(&self.begin)
    }

    fn is_the_same(&self, event: &Map<String, Value>) -> bool {
        let fields = ["process", "incarnation", "generation", "expected", "life"];
        let minted = (self.begin.get("minted"), event.get("minted"));
        let mints_the_same = minted.0.is_none() || minted.1.is_none() || minted.0 == minted.1;
        mints_the_same && fields.iter().all(|field| event.get(*field) == self.begin.get(*field))
    }

    /// The event of its effect, had it happened in this state.
    fn effect(&self, guess: &Guess) -> Map<String, Value> {
        let mut effect = self.begin.clone();
        effect.insert("phase".to_owned(), json!("commit"));
        effect.remove("outcome");
        let mints = matches!(action(&effect).as_str(), "register" | "finish" | "rollback");
        if mints && !effect.contains_key("minted") {
            effect.insert("minted".to_owned(), json!(guess.state.store.incarnation.0 + 1));
        }
        effect
    }

    fn would_be_refused(&self, guess: &Guess, names: &Names) -> bool {
        let Some(because) = &self.because else { return false };
        let mut refusal = self.begin.clone();
        refusal.insert("because".to_owned(), because.clone());
        refusal.insert("outcome".to_owned(), json!("refused"));
        !guess.successors(&refusal, names).is_empty()
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
            Some("end") => self.end(possible, event),
            _ if is_unknown => self.begin(possible, events, at, Known::Lost),
            _ => self.happen(possible, event, names),
        };
        next.into_iter().map(|branch| self.note_refusals(branch, names)).collect()
    }

    fn let_happen(&self, possible: HashSet<Branch>, names: &Names) -> HashSet<Branch> {
        let mut all = possible.clone();
        let mut new: Vec<Branch> = possible.into_iter().collect();
        while let Some(branch) = new.pop() {
            for (number, call) in self.0.iter().enumerate() {
                let may_happen = matches!(call.known, Known::Begun | Known::Lost);
                if !may_happen || matches!(branch.fates[number], Fate::Happened(_)) {
                    continue;
                }
                let effect = call.effect(&branch.guess);
                for guess in branch.guess.successors(&effect, names) {
                    let mut fates = branch.fates.clone();
                    fates[number] = Fate::Happened(super::super::number(&effect, "minted"));
                    let next = self.note_refusals(Branch { guess, fates }, names);
                    if all.insert(next.clone()) {
                        new.push(next);
                    }
                }
            }
        }
        all
    }

    fn note_refusals(&self, mut branch: Branch, names: &Names) -> Branch {
        for (call, fate) in self.0.iter().zip(&mut branch.fates) {
            if let Fate::Waiting(was_refusable) = fate {
                *was_refusable = *was_refusable || call.would_be_refused(&branch.guess, names);
            }
        }
        branch
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
        let wait = |mut branch: Branch| {
            branch.fates.push(Fate::Waiting(false));
            branch
        };
        possible.into_iter().map(wait).collect()
    }

    fn end(&mut self, possible: HashSet<Branch>, event: &Map<String, Value>) -> HashSet<Branch> {
        let is_its = |call: &Call| matches!(call.known, Known::Begun | Known::Committed(_)) && call.is_named_as(event);
        let Some(at) = self.0.iter().position(is_its) else { return HashSet::new() };
        if !self.0[at].is_the_same(event) {
            return HashSet::new();
        }
        let is_unknown = text(event, "outcome").as_deref() == Some("unknown");
        let known = std::mem::replace(&mut self.0[at].known, if is_unknown { Known::Lost } else { Known::Ended });
        if let Known::Committed(effect) = known {
            self.0[at].known = Known::Ended;
            let is_said = ["because", "minted"].iter().all(|field| effect.get(*field) == event.get(*field));
            return if is_said || is_unknown { possible } else { HashSet::new() };
        }
        if is_unknown {
            return possible;
        }
        let has_ended_so = |branch: &Branch| match (&branch.fates[at], event.get("because")) {
            (Fate::Happened(minted), None) => *minted == number(event, "minted"),
            (Fate::Waiting(was_refusable), Some(_)) => *was_refusable,
            _ => false,
        };
        possible.into_iter().filter(has_ended_so).collect()
    }

    fn happen(&mut self, possible: HashSet<Branch>, event: &Map<String, Value>, names: &Names) -> HashSet<Branch> {
        let is_its = |call: &Call| call.known == Known::Begun && call.is_named_as(event) && call.is_the_same(event);
        let effect_of = self.0.iter().position(is_its);
        let mut next = HashSet::new();
        for branch in possible {
            if effect_of.is_some_and(|at| matches!(branch.fates[at], Fate::Happened(_))) {
                continue;
            }
            for guess in branch.guess.successors(event, names) {
                let mut fates = branch.fates.clone();
                if let Some(at) = effect_of {
                    fates[at] = Fate::Happened(None);
                }
                next.insert(Branch { guess, fates });
            }
        }
        if let Some(at) = effect_of {
            self.0[at].known = Known::Committed(event.clone());
        }
        self.forget_the_ends_of_the_dead(event);
        next
    }

    fn forget_the_ends_of_the_dead(&mut self, event: &Map<String, Value>) {
        let new_lives = BTreeSet::from(["restart".to_owned(), "wipe".to_owned()]);
        let is_a_new_life = new_lives.contains(&action(event)) && event.get("because").is_none();
        let is_a_crash = action(event) == "crash";
        for call in &mut self.0 {
            let has_died = match action(&call.begin) == "register" {
                true => is_a_new_life,
                false => is_a_crash && call.begin.get("process") == event.get("process"),
            };
            if has_died && !matches!(call.known, Known::Ended) {
                call.known = if matches!(call.known, Known::Begun) { Known::Lost } else { call.known.clone() };
                call.known = if matches!(call.known, Known::Committed(_)) { Known::Ended } else { call.known.clone() };
            }
        }
    }
}
