//! Calls whose outcome is open: what may have become of them is taken, and nothing else. Short traces are judged by
//! both judges.

use outlive_model_check::conform::mutate::{Events, Mutation, mutate};
use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::snapshot::walk::{Size, Walk};
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_model_check::random::Random;
use outlive_spec::trace::{Outcome, Verb, schema_hash};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::naive::snapshot as naive;

// ---------------------------------------------------------------------------------------------------- both judges
// agree

/// Makes calls of some steps of the store: their effect is not recorded, or only beside a begin and an end, or not
/// known.
fn open_some(events: &Events, random: &mut Random, most: usize) -> Events {
    let mut opened = events.clone();
    for number in 0..most {
        let is_of_the_store = |event: &Map<String, Value>| {
            let verb = event["action"].as_str().expect("every event has an action");
            event["phase"] == "commit" && matches!(verb, "register" | "save" | "claim" | "finish" | "rollback")
        };
        let places: Vec<usize> = (0..opened.len()).filter(|at| is_of_the_store(&opened[*at])).collect();
        if places.is_empty() {
            break;
        }
        let at = places[random.below(places.len())];
        open_one(&mut opened, at, number, random);
    }
    opened
}

fn open_one(events: &mut Events, at: usize, number: usize, random: &mut Random) {
    let effect = events[at].clone();
    let mut begin = effect.clone();
    for field in ["row", "because", "outcome", "minted"] {
        begin.remove(field);
    }
    begin.insert("phase".to_owned(), json!("begin"));
    let name = begin.get("operation").cloned().unwrap_or(json!(format!("call-{number}")));
    begin.insert("operation".to_owned(), name.clone());
    let mut end = effect.clone();
    end.remove("row");
    end.insert("phase".to_owned(), json!("end"));
    end.insert("operation".to_owned(), name.clone());
    let mut unknown = begin.clone();
    unknown.insert("outcome".to_owned(), json!("unknown"));
    // Further before, it would often save what was not answered yet.
    let before = at - random.below(4).min(at);
    let behind = at + 1 + random.below(events.len() - at);
    match random.below(5) {
        // Nobody knows.
        0 => {
            unknown.insert("phase".to_owned(), json!("commit"));
            events[at] = unknown;
        }
        // It has begun, and that is all.
        1 => {
            events.remove(at);
            events.insert(before, begin);
        }
        // Begin and end, and nothing between.
        2 => {
            events.insert(behind, end);
            events.remove(at);
            events.insert(before, begin);
        }
        // Begin, effect and end.
        3 => {
            events[at].insert("operation".to_owned(), name);
            events.insert(behind, end);
            events.insert(before, begin);
        }
        // The end says that nobody knows.
        _ => {
            unknown.insert("phase".to_owned(), json!("end"));
            events.insert(behind, unknown);
            events.remove(at);
            events.insert(before, begin);
        }
    }
    renumber(events);
}

fn renumber(events: &mut Events) {
    let mut next = std::collections::BTreeMap::<String, u64>::new();
    for (commit, event) in events.iter_mut().enumerate() {
        let sequence = next.entry(event["process"].to_string()).or_default();
        event.insert("sequence".to_owned(), (*sequence).into());
        event.insert("commit".to_owned(), commit.into());
        *sequence += 1;
    }
}

fn judge(header: &str, events: &Events) -> Report {
    let lines: Vec<String> = events.iter().map(|it| serde_json::to_string(it).expect("an event is JSON")).collect();
    check(&[Input::text("opened", format!("{header}\n{}\n", lines.join("\n")))], &Options::default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_judges_agree_about_open_calls(seed: u64, length in 4u64..26, calls in 1usize..4, spoiled in 0usize..2) {
        let walk = Walk::new(seed, Size { computers: 1, gateways: 2, events: length });
        let header = walk.header();
        let events: Events = walk.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")).collect();
        let mut random = Random::new(seed);
        let mut events = open_some(&events, &mut random, calls);
        for _ in 0..spoiled {
            let mutations: Vec<Mutation> = Mutation::of("snapshot").collect();
            let mutation = mutations[random.below(mutations.len())];
            if let Some((mutated, _)) = mutate(mutation, &events, &mut random) {
                events = mutated;
            }
        }
        let report = judge(&header, &events);
        // Spoiled, an event may have fields that it cannot have.
        if report.verdict != Verdict::Unreadable {
            let is_taken = report.verdict != Verdict::Diverges;
            let lines: Vec<String> = events.iter().map(|it| serde_json::to_string(it).expect("an event is JSON")).collect();
            let text = render::text(&report, render::Colors::Never);
            prop_assert!(is_taken == naive::conforms(&events), "{}\n{text}", lines.join("\n"));
        }
    }
}

#[test]
fn what_is_opened_in_a_walk_is_still_a_behaviour_or_says_less_than_it_should() {
    let (mut random, mut taken, mut refused) = (Random::new(7), 0, 0);
    for seed in 0..300 {
        let walk = Walk::new(seed, Size { computers: 1, gateways: 2, events: 40 });
        let header = walk.header();
        let events: Events = walk.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")).collect();
        match judge(&header, &open_some(&events, &mut random, 2)).verdict {
            Verdict::Conforms => taken += 1,
            Verdict::Diverges => refused += 1,
            other
            @ (Verdict::DangerMissing | Verdict::Inconclusive | Verdict::NothingChecked | Verdict::Unreadable) => {
                panic!("seed {seed}: {other:?}")
            }
        }
    }
    // A begin that is put before what it answers cannot be told from a wrong one.
    println!("{taken} of 300 walks with open calls are taken, {refused} are refused");
    assert!(taken >= 150 && refused > 0, "{taken} taken, {refused} refused");
}

// ------------------------------------------------------------------------------------------------------------ by hand

/// A trace that is written as it goes: each process counts for itself.
struct Written(Vec<Value>);

impl Written {
    /// A computer that is incarnation 1.
    fn registered() -> Written {
        let claims: Vec<&str> = Verb::of("snapshot").map(Verb::word).collect();
        let mut written = Written(vec![json!({
            "format": 1, "schema": schema_hash(), "protocol": "snapshot",
            "implementation": {"name": "test", "version": "1"}, "store": "none",
            "processes": ["one", "other", "host"], "claims": claims,
        })]);
        written.say("host", "observe", "ask", json!({"life": "first", "expected": 0}));
        written.say("host", "commit", "register", json!({"life": "first", "expected": 0, "minted": 1}));
        written.say("host", "commit", "learn", json!({"incarnation": 1}));
        written
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

    /// So many pages of incarnation 1 are answered, and what becomes of their saves is not known.
    fn saves_of_unknown_outcome(&mut self, count: u32) -> &mut Written {
        self.say("one", "observe", "begin", json!({"incarnation": 1}));
        for generation in 1..=count {
            self.say("host", "commit", "answer", json!({"incarnation": 1, "generation": generation}));
            let page = json!({"incarnation": 1, "generation": generation, "outcome": "unknown"});
            self.say("one", "commit", "save", page);
        }
        self
    }

    fn report(&self) -> Report {
        let text: String = self.0.iter().map(|line| format!("{line}\n")).collect();
        check(&[Input::text("trace", text)], &Options::default())
    }
}

#[test]
fn as_many_open_calls_as_the_limit_says_are_followed_and_one_more_is_inconclusive() {
    let report = Written::registered().saves_of_unknown_outcome(12).report();
    assert_eq!((report.verdict, report.lines.open), (Verdict::Conforms, 12));
    let report = Written::registered().saves_of_unknown_outcome(13).report();
    assert_eq!((report.verdict, report.exit), (Verdict::Inconclusive, 21));
    assert!(report.doubts[0].contains("more than 12 calls"), "{:?}", report.doubts);
}

#[test]
fn more_presents_than_the_limit_says_are_inconclusive() {
    // Whether the first page was stored is never told, and the fence closes its save: two presents, and nothing is
    // open.
    let mut written = Written::registered();
    written.saves_of_unknown_outcome(1);
    written.say("host", "commit", "restart", json!({"life": "second"}));
    written.say("host", "observe", "ask", json!({"life": "second", "expected": 1}));
    written.say("host", "commit", "register", json!({"life": "second", "expected": 1, "minted": 2}));
    written.say("host", "commit", "learn", json!({"incarnation": 2}));
    for generation in 1..=12 {
        let name = format!("page-{generation}");
        let page = json!({"incarnation": 2, "generation": generation, "operation": name});
        written.say("one", "observe", "begin", json!({"incarnation": 2, "operation": name}));
        written.say("host", "commit", "answer", page.clone()).say("one", "begin", "save", page);
    }
    // Every subset of the twelve may have landed; and if none has, it is the first page that was stored, or nothing.
    assert_eq!(written.report().verdict, Verdict::Conforms);
    written.say("one", "observe", "begin", json!({"incarnation": 2, "operation": "one more"}));
    let report = written.report();
    assert_eq!((report.verdict, report.exit), (Verdict::Inconclusive, 21));
    assert!(report.doubts[0].contains("more than 4096 states"), "{:?}", report.doubts);
}

#[test]
fn a_page_that_is_loaded_closes_every_call_that_it_tells_about() {
    let mut written = Written::registered();
    written.saves_of_unknown_outcome(12).say("one", "observe", "load", json!({"incarnation": 1, "generation": 12}));
    // None of the others can land any more, so that there is room again.
    written.say("host", "commit", "answer", json!({"incarnation": 1, "generation": 13}));
    written.say("one", "commit", "save", json!({"incarnation": 1, "generation": 13, "outcome": "unknown"}));
    let report = written.report();
    assert_eq!(report.verdict, Verdict::Conforms, "{}", render::text(&report, render::Colors::Never));
}

#[test]
fn a_fence_closes_what_it_shuts_out() {
    let mut written = Written::registered();
    written.saves_of_unknown_outcome(12);
    written.say("host", "commit", "restart", json!({"life": "second"}));
    written.say("host", "observe", "ask", json!({"life": "second", "expected": 1}));
    written.say("host", "commit", "register", json!({"life": "second", "expected": 1, "minted": 2}));
    assert_eq!(written.report().lines.open, 0);
    written.say("one", "observe", "load", json!({"incarnation": 1, "generation": 7}));
    assert_eq!(written.report().verdict, Verdict::Conforms, "one of them had landed before");
    written.say("one", "observe", "load", json!({"incarnation": 1, "generation": 8}));
    assert_eq!(written.report().verdict, Verdict::Diverges, "and none lands after");
}

#[test]
fn whoever_has_died_hears_of_no_end() {
    let call = json!({"expected": 1, "operation": "reset"});
    for (crasher, verdict) in [("one", Verdict::Diverges), ("other", Verdict::Conforms)] {
        let mut written = Written::registered();
        written.say("one", "begin", "claim", call.clone()).say("one", "commit", "claim", call.clone());
        written.say(crasher, "marker", "crash", json!({})).say("one", "end", "claim", call.clone());
        assert_eq!(written.report().verdict, verdict, "{crasher}");
    }
}

#[test]
fn an_end_is_that_of_its_begin_and_says_what_the_effect_has_said() {
    let call = |expected: u32| json!({"expected": expected, "operation": "reset"});
    let refused = json!({"expected": 1, "operation": "reset", "outcome": "refused", "because": "RESET-1"});
    let verdict = |steps: &[(&str, Value)]| {
        let mut written = Written::registered();
        for (phase, fields) in steps {
            written.say("one", phase, "claim", fields.clone());
        }
        written.report().verdict
    };
    assert_eq!(verdict(&[("begin", call(1)), ("end", call(1))]), Verdict::Conforms);
    assert_eq!(verdict(&[("end", call(1))]), Verdict::Diverges, "it never began");
    assert_eq!(verdict(&[("begin", call(1)), ("end", call(2))]), Verdict::Diverges, "it was another call");
    assert_eq!(verdict(&[("begin", call(1)), ("begin", call(1))]), Verdict::Diverges, "it has begun already");
    assert_eq!(verdict(&[("begin", call(2)), ("end", call(2))]), Verdict::Diverges, "the model refuses it");
    assert_eq!(verdict(&[("begin", call(1)), ("end", refused.clone())]), Verdict::Diverges, "the model takes it");
    let effect = [("begin", call(1)), ("commit", call(1))];
    assert_eq!(verdict(&[&effect[..], &[("end", call(1))]].concat()), Verdict::Conforms);
    assert_eq!(verdict(&[&effect[..], &[("end", refused)]].concat()), Verdict::Diverges, "it was done");
    assert_eq!(verdict(&[&effect[..], &[("commit", call(1))]].concat()), Verdict::Diverges, "it happens once");
}

#[test]
fn a_call_is_counted_where_it_happens_and_an_unknown_one_as_unknown() {
    let mut written = Written::registered();
    written.say("one", "observe", "begin", json!({"incarnation": 1}));
    written.say("host", "commit", "answer", json!({"incarnation": 1, "generation": 1}));
    let call = json!({"expected": 1, "operation": "reset"});
    written.say("one", "begin", "claim", call.clone());
    written.say("one", "commit", "claim", call.clone()).say("one", "end", "claim", call);
    written.say("other", "commit", "claim", json!({"expected": 1, "outcome": "unknown"}));
    let report = written.report();
    let claims: Vec<(Outcome, u64)> =
        report.coverage.iter().filter(|it| it.action == Verb::Claim).map(|it| (it.outcome, it.count)).collect();
    assert_eq!(claims, [(Outcome::Done, 1), (Outcome::Unknown, 1)]);
    let reset = report.windows.iter().find(|opened| opened.window == "reset-while-saving");
    assert_eq!(reset.map(|opened| opened.count), Some(1));
    assert_eq!((report.lines.matched, report.lines.observed, report.lines.markers), (4, 2, 3));
}
