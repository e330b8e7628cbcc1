//! Calls of operations whose moment is open: those of the store, and questions to the provider.

use outlive_model_check::conform::mutate::{Events, Mutation, mutate};
use outlive_model_check::conform::operation::walk::{Size, Walk};
use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_model_check::random::Random;
use outlive_spec::trace::{Verb, schema_hash};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::agreement::difference;
use crate::naive;

// ---------------------------------------------------------------------------------------------------- both judges
// agree

const OF_THE_STORE: [&str; 8] =
    ["start", "start-unclaimed", "stop", "delete", "recover", "settle", "conclude", "deliver"];

/// Makes calls of some steps of the store, and takes the moment from some answers of the provider.
fn open_some(events: &Events, random: &mut Random, most: usize) -> Events {
    let mut opened = events.clone();
    for number in 0..most {
        let may_be_open = |event: &Map<String, Value>| {
            let verb = event["action"].as_str().expect("every event has an action");
            let is_an_answer = event["phase"] == "observe" && matches!(verb, "get" | "hear");
            is_an_answer || (event["phase"] == "commit" && OF_THE_STORE.contains(&verb))
        };
        let places: Vec<usize> = (0..opened.len()).filter(|at| may_be_open(&opened[*at])).collect();
        if places.is_empty() {
            break;
        }
        let at = places[random.below(places.len())];
        open_one(&mut opened, at, number, random);
    }
    renumber(&mut opened);
    opened
}

fn open_one(events: &mut Events, at: usize, number: usize, random: &mut Random) {
    let effect = events.remove(at);
    let verb = effect["action"].as_str().expect("every event has an action").to_owned();
    let (before, behind) = (at - random.below(4).min(at), at + random.below((events.len() - at).min(6) + 1));
    let with = |phase: &str, without: &[&str]| {
        let mut event = effect.clone();
        without.iter().for_each(|field| drop(event.remove(*field)));
        event.insert("phase".to_owned(), json!(phase));
        event
    };
    // The call that was sent is the begin of what is heard.
    if verb == "hear" {
        return events.insert(behind, with("end", &[]));
    }
    if verb == "get" {
        events.insert(behind, with("end", &[]));
        return events.insert(before, with("begin", &["launch", "condition", "mark"]));
    }
    let told: &[&str] = match verb.as_str() {
        "start" | "start-unclaimed" => &["launch"],
        "conclude" | "deliver" => &["conclusion"],
        _ => &[],
    };
    let name = json!(format!("call-{number}"));
    let named = |mut event: Map<String, Value>| {
        event.insert("operation".to_owned(), name.clone());
        event
    };
    let begin = named(with("begin", &[&["standing", "because", "outcome"], told].concat()));
    let is_refused = effect.contains_key("because");
    let end = named(with("end", if is_refused { &["standing", "conclusion"] } else { &["standing"] }));
    let mut unknown = begin.clone();
    unknown.insert("outcome".to_owned(), json!("unknown"));
    let say = |event: &Map<String, Value>, phase: &str| {
        let mut event = event.clone();
        event.insert("phase".to_owned(), json!(phase));
        event
    };
    match random.below(5) {
        // Nobody knows.
        0 => events.insert(at, say(&unknown, "commit")),
        // It has begun, and that is all.
        1 => events.insert(before, begin),
        // Begin and end, and nothing between.
        2 => {
            events.insert(behind, end);
            events.insert(before, begin);
        }
        // Begin, effect and end.
        3 => {
            events.insert(behind, end);
            events.insert(at, named(effect.clone()));
            events.insert(before, begin);
        }
        // The end says that nobody knows.
        _ => {
            events.insert(behind, say(&unknown, "end"));
            events.insert(before, begin);
        }
    }
}

/// Each process counts from 0 again, and the store as well.
pub(crate) fn renumber(events: &mut Events) {
    let mut next = std::collections::BTreeMap::<String, u64>::new();
    for (commit, event) in events.iter_mut().enumerate() {
        let sequence = next.entry(event["process"].to_string()).or_default();
        event.insert("sequence".to_owned(), (*sequence).into());
        event.insert("commit".to_owned(), commit.into());
        *sequence += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_judges_agree_about_open_calls_of_operations(
        seed: u64, length in 4u64..30, calls in 1usize..4, spoiled in 0usize..2,
    ) {
        let walk = Walk::new(seed, Size { computers: 1, gateways: 2, deaths: 1, events: length });
        let header = walk.header();
        let events: Events = walk.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")).collect();
        let mut random = Random::new(seed);
        let mut events = open_some(&events, &mut random, calls);
        let mutations: Vec<Mutation> = Mutation::of("operation").collect();
        for _ in 0..spoiled {
            if let Some((mutated, _)) = mutate(mutations[random.below(mutations.len())], &events, &mut random) {
                events = mutated;
            }
        }
        if let Some(difference) = difference(&header, &events, naive::operation::conforms) {
            prop_assert!(false, "{difference}");
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ by hand

/// A trace that is written as it goes: each process counts for itself.
struct Written(Vec<Value>);

impl Written {
    fn new() -> Written {
        let claims: Vec<&str> = Verb::of("operation").map(Verb::word).collect();
        Written(vec![json!({
            "format": 1, "schema": schema_hash(), "protocol": "operation",
            "implementation": {"name": "test", "version": "1"}, "store": "none",
            "processes": ["one", "other", "provider"], "claims": claims,
        })])
    }

    fn say(&mut self, process: &str, phase: &str, action: &str, fields: Value) -> &mut Written {
        let sequence = self.0.iter().filter(|line| line["process"] == process).count();
        let mut event =
            json!({"process": process, "sequence": sequence, "phase": phase, "action": action, "computer": "red"});
        for (field, value) in fields.as_object().expect("fields are an object") {
            event[field] = value.clone();
        }
        self.0.push(event);
        self
    }

    /// One gateway has sent the call of its first start.
    fn sent() -> Written {
        let mut written = Written::new();
        written.say("one", "commit", "start", json!({"launch": 1}));
        written.say("one", "observe", "send", start());
        written
    }

    /// It is up.
    fn up() -> Written {
        let mut written = Written::sent();
        written.say("provider", "commit", "arrive", start()).say("provider", "commit", "admit", json!({"launch": 1}));
        written
    }

    /// It is ready, and another gateway has read its row.
    fn looked_at() -> Written {
        let mut written = Written::up();
        written.say("one", "end", "hear", heard("done"));
        written.say("one", "commit", "settle", ended("done"));
        written.say("other", "observe", "read", json!({"revision": 2, "launch": 1}));
        written
    }

    fn report(&self) -> Report {
        let text: String = self.0.iter().map(|line| format!("{line}\n")).collect();
        check(&[Input::text("trace", text)], &Options::default())
    }

    /// The verdict, and for which requirement.
    #[track_caller]
    fn expect(&self, verdict: Verdict, requirement: Option<&str>) {
        let report = self.report();
        let text = render::text(&report, render::Colors::Never);
        let because = report.divergence.as_ref().and_then(|it| it.requirement).map(|it| it.id());
        assert_eq!((report.verdict, because), (verdict, requirement), "{text}");
    }
}

fn start() -> Value {
    json!({"kind": "start", "launch": 1})
}

fn ended(ending: &str) -> Value {
    json!({"kind": "start", "launch": 1, "ending": ending})
}

fn heard(ending: &str) -> Value {
    json!({"kind": "start", "launch": 1, "ending": ending, "mark": 0})
}

fn seen(condition: &str) -> Value {
    json!({"launch": 1, "condition": condition, "mark": 0})
}

fn exit() -> Value {
    json!({"launch": 1})
}

#[test]
fn a_question_is_answered_at_some_moment_between_its_begin_and_its_end() {
    for (condition, verdict) in
        [("up", Verdict::Conforms), ("exited", Verdict::Conforms), ("booting", Verdict::Diverges)]
    {
        let mut written = Written::looked_at();
        written.say("other", "begin", "get", json!({})).say("provider", "commit", "exit", exit());
        written.say("other", "end", "get", seen(condition));
        written.expect(verdict, (verdict == Verdict::Diverges).then_some("RECONCILE-15"));
    }
    let mut written = Written::looked_at();
    written.say("provider", "commit", "exit", exit()).say("other", "begin", "get", json!({}));
    written.say("other", "end", "get", seen("up")).expect(Verdict::Diverges, Some("RECONCILE-15"));
}

#[test]
fn an_answer_without_a_question_and_one_to_the_dead_are_refused() {
    Written::looked_at().say("other", "end", "get", seen("up")).expect(Verdict::Diverges, None);
    let mut written = Written::looked_at();
    written.say("other", "begin", "get", json!({})).say("other", "marker", "crash", json!({}));
    written.say("other", "end", "get", seen("up")).expect(Verdict::Diverges, None);
    // Whoever reads the row anew does not wait for what it has asked before.
    let mut written = Written::looked_at();
    written.say("other", "begin", "get", json!({}));
    written.say("other", "observe", "read", json!({"revision": 2, "launch": 1}));
    written.say("other", "end", "get", seen("up")).expect(Verdict::Diverges, None);
}

#[test]
fn what_is_heard_was_so_since_the_call_was_sent() {
    for (ending, requirement) in [("done", None), ("failed", None)] {
        let mut written = Written::up();
        written.say("provider", "commit", "exit", exit()).say("one", "end", "hear", heard(ending));
        written.say("one", "commit", "settle", ended(ending)).expect(Verdict::Conforms, requirement);
    }
    Written::sent().say("one", "end", "hear", heard("done")).expect(Verdict::Diverges, Some("RECONCILE-15"));
    // What is heard twice was heard once too often, until the operation has ended.
    let mut written = Written::up();
    written.say("one", "end", "hear", heard("done")).say("one", "end", "hear", heard("done"));
    written.expect(Verdict::Diverges, None);
}

#[test]
fn what_is_heard_of_an_operation_that_was_dropped_is_no_news() {
    let mut written = Written::sent();
    written.say("one", "commit", "stop", json!({})).say("one", "end", "hear", heard("failed"));
    written.expect(Verdict::Conforms, None);
    // However often that happens.
    let mut written = Written::new();
    for launch in 1..40 {
        written.say("one", "commit", "start", json!({"launch": launch}));
        for kind in ["start", "stop"] {
            let call = json!({"kind": kind, "launch": launch});
            if kind == "stop" {
                written.say("one", "commit", "stop", json!({}));
            }
            written.say("one", "observe", "send", call.clone()).say("provider", "commit", "arrive", call);
        }
        let done = json!({"kind": "stop", "launch": launch, "ending": "done"});
        let mut heard = done.clone();
        heard["mark"] = json!(0);
        written.say("one", "end", "hear", heard).say("one", "commit", "settle", done);
    }
    written.expect(Verdict::Conforms, None);
    assert_eq!(written.report().lines.open, 0, "nobody waits for any of them");
    written.say("other", "end", "get", json!({"launch": 39, "condition": "exited", "mark": 0}));
    written.expect(Verdict::Diverges, None);
}

/// 1. A start and a stop are written. 2. Only then does whoever drives the start get so far as to call the provider.
#[test]
fn reconcile_15_a_call_of_an_operation_that_was_replaced_as_it_was_sent_arrives_like_any_other() {
    let call = |kind: &str, launch: u64| json!({"kind": kind, "launch": launch});
    let replaced = || {
        let mut written = Written::new();
        written.say("one", "commit", "start", json!({"launch": 1})).say("one", "commit", "stop", json!({}));
        written
    };
    let mut written = replaced();
    written.say("one", "observe", "send", call("start", 1)).say("provider", "commit", "arrive", call("start", 1));
    written.say("one", "end", "hear", heard("failed")).expect(Verdict::Conforms, None);
    // Nobody waits for its answer, and the stop goes on.
    assert_eq!(written.report().lines.open, 0);
    written.say("one", "observe", "send", call("stop", 1)).say("provider", "commit", "arrive", call("stop", 1));
    written.expect(Verdict::Conforms, None);
    // What it never began, or another has, it sends never; nor does whoever is dead.
    for (who, sent) in [("one", call("start", 2)), ("one", call("delete", 1)), ("other", call("start", 1))] {
        replaced().say(who, "observe", "send", sent).expect(Verdict::Diverges, Some("RECONCILE-15"));
    }
    let mut written = replaced();
    written.say("one", "marker", "crash", json!({})).say("one", "observe", "send", call("start", 1));
    written.expect(Verdict::Diverges, Some("RECONCILE-15"));
    // That it is sent makes nothing arrive that was not.
    replaced().say("provider", "commit", "arrive", call("start", 1)).expect(Verdict::Diverges, Some("RECONCILE-15"));
}

#[test]
fn a_refusal_with_begin_effect_and_end_is_one_refusal() {
    let refused = |conclusion: Option<&str>| {
        let mut fields = json!({"operation": "look", "outcome": "refused", "because": "RECONCILE-4"});
        conclusion.into_iter().for_each(|it| fields["conclusion"] = json!(it));
        fields
    };
    let mut written = Written::looked_at();
    written.say("provider", "commit", "exit", exit()).say("other", "observe", "get", seen("exited"));
    written.say("other", "begin", "conclude", json!({"operation": "look"}));
    written.say("one", "commit", "stop", json!({}));
    // Of a computer that is being stopped nothing follows from an exit.
    let mut beside = Written(written.0.clone());
    beside.say("other", "end", "conclude", json!({"operation": "look", "conclusion": "nothing"}));
    beside.expect(Verdict::Conforms, None);
    let mut written = Written::sent();
    written.say("other", "observe", "read", json!({"revision": 1, "launch": 1}));
    written.say("other", "observe", "get", seen("absent"));
    written.say("other", "begin", "conclude", json!({"operation": "look"}));
    let mut short = Written(written.0.clone());
    written.say("other", "commit", "conclude", refused(Some("prune"))).say("other", "end", "conclude", refused(None));
    written.expect(Verdict::Conforms, None);
    // Without the effect it is one as well, and the look is over.
    short.say("other", "end", "conclude", refused(None)).expect(Verdict::Conforms, None);
    let again = json!({"conclusion": "prune", "outcome": "refused", "because": "RECONCILE-4"});
    short.say("other", "commit", "conclude", again).expect(Verdict::Diverges, Some("RECONCILE-17"));
}

#[test]
fn a_call_of_unknown_outcome_may_have_happened_until_something_tells() {
    let unknown = json!({"kind": "start", "launch": 1, "ending": "failed", "outcome": "unknown"});
    let settled = |next: (&str, Value)| {
        let mut written = Written::sent();
        written.say("one", "observe", "fail", json!({"launch": 1}));
        written.say("one", "commit", "settle", unknown.clone()).say("one", "marker", "crash", json!({}));
        written.say("other", "commit", next.0, next.1);
        written
    };
    // It has settled, and the next start begins; or it has not, and another goes on. Not both.
    settled(("start", json!({"launch": 2}))).expect(Verdict::Conforms, None);
    let mut taken_over = settled(("recover", start()));
    taken_over.expect(Verdict::Conforms, None);
    taken_over.say("other", "commit", "start", json!({"launch": 2})).expect(Verdict::Diverges, Some("RECONCILE-1"));
}

#[test]
fn whoever_has_died_hears_of_no_end() {
    let named = json!({"operation": "stop"});
    let mut written = Written::sent();
    written.say("one", "begin", "stop", named.clone()).say("one", "marker", "crash", json!({}));
    // What it has sent may still arrive, and then nobody but another ends it.
    let mut other = Written(written.0.clone());
    other.say("other", "commit", "recover", json!({"kind": "stop", "launch": 1})).expect(Verdict::Conforms, None);
    written.say("one", "end", "stop", named).expect(Verdict::Diverges, None);
}

/// So many starts were sent and stopped, one after another.
fn stopped_starts(count: u64) -> Written {
    let mut written = Written::new();
    for launch in 1..=count {
        let stop = json!({"kind": "stop", "launch": launch});
        written.say("one", "commit", "start", json!({"launch": launch}));
        written.say("one", "observe", "send", json!({"kind": "start", "launch": launch}));
        written.say("one", "commit", "stop", json!({})).say("one", "observe", "send", stop.clone());
        written.say("provider", "commit", "arrive", stop);
        let done = json!({"kind": "stop", "launch": launch, "ending": "done"});
        let mut heard = done.clone();
        heard["mark"] = json!(0);
        written.say("one", "end", "hear", heard).say("one", "commit", "settle", done);
    }
    written
}

#[test]
fn a_call_that_is_older_than_those_that_are_remembered_is_inconclusive() {
    let arrives = |launch: u64| {
        let mut written = stopped_starts(40);
        written.say("provider", "commit", "arrive", json!({"kind": "stop", "launch": launch}));
        written
    };
    arrives(40).expect(Verdict::Conforms, None);
    arrives(1).expect(Verdict::Inconclusive, None);
    arrives(41).expect(Verdict::Diverges, Some("RECONCILE-15"));
    // Where nothing was forgotten, what was never sent was never sent.
    let mut written = Written::new();
    written.say("one", "commit", "delete", json!({}));
    written.say("provider", "commit", "arrive", json!({"kind": "delete", "launch": 0}));
    written.expect(Verdict::Diverges, Some("RECONCILE-15"));
}

#[test]
fn a_report_that_is_older_than_those_that_are_remembered_is_inconclusive() {
    let delivered = |mark: u64, reports: u64| {
        let mut written = Written::looked_at();
        for mark in 1..=reports {
            written.say("provider", "commit", "report", json!({"launch": 1, "condition": "up", "mark": mark}));
        }
        let report = json!({"launch": 1, "condition": "up", "mark": mark, "conclusion": "nothing"});
        written.say("one", "commit", "deliver", report);
        written
    };
    delivered(1, 64).expect(Verdict::Conforms, None);
    delivered(1, 65).expect(Verdict::Inconclusive, None);
    delivered(2, 65).expect(Verdict::Conforms, None);
    delivered(66, 65).expect(Verdict::Diverges, Some("RECONCILE-15"));
    delivered(0, 1).expect(Verdict::Diverges, Some("RECONCILE-15"));
}
