//! What is no trace is never a pass, and never a verdict about an implementation.

use std::io::{self, Read};

use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::unreadable::Kind;
use outlive_model_check::conform::{Input, Options, check, parse, render};
use outlive_spec::trace::{Verb, schema_hash};
use serde_json::{Value, json};

fn header() -> Value {
    let claims: Vec<&str> = Verb::of("snapshot").map(Verb::word).collect();
    json!({
        "format": 1, "schema": schema_hash(), "protocol": "snapshot",
        "implementation": {"name": "test", "version": "1"}, "store": "none",
        "processes": ["a", "b"], "claims": claims,
    })
}

fn header_with(field: &str, value: Value) -> Value {
    let mut header = header();
    header[field] = value;
    header
}

fn ask(sequence: u64) -> Value {
    json!({"process": "a", "sequence": sequence, "phase": "observe", "action": "ask", "computer": "red",
           "life": "one", "expected": 0})
}

fn register() -> Value {
    json!({"process": "a", "sequence": 1, "commit": 7, "phase": "commit", "action": "register", "computer": "red",
           "life": "one", "expected": 0, "minted": 1})
}

fn with(mut event: Value, field: &str, value: Value) -> Value {
    event[field] = value;
    event
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn judge(text: impl Into<Vec<u8>>) -> Report {
    check(&[Input::text("trace", text)], &Options::default())
}

/// What is wrong, in which line, at which column if that is easily said.
fn assert_unreadable(text: impl Into<Vec<u8>>, kind: Kind, line: u64, word: &str) {
    let report = judge(text);
    let unreadable = report.unreadable.unwrap_or_else(|| panic!("{kind:?} was read"));
    assert_eq!((report.verdict, report.exit), (Verdict::Unreadable, 150), "{unreadable}");
    assert_eq!((unreadable.kind, unreadable.place.line), (kind, line), "{unreadable}");
    assert!(unreadable.message.contains(word), "{unreadable}");
    assert!(!unreadable.message.contains("at line"), "the parser has seen one line only: {unreadable}");
}

#[test]
fn the_smallest_trace_conforms() {
    let report = judge(text(&[header(), ask(0), register()]));
    assert_eq!((report.verdict, report.exit), (Verdict::Conforms, 0));
    assert_eq!((report.lines.headers, report.lines.matched, report.lines.observed), (1, 1, 1));
    assert_eq!(report.writers, ["test 1 on none"]);
}

#[test]
fn who_only_reads_finds_as_many_events_and_judges_none() {
    let forged = with(register(), "expected", json!(4));
    let read = |last: &Value| parse(&[Input::text("trace", text(&[header(), ask(0), last.clone()]))]);
    assert_eq!(read(&forged).expect("both lines are events"), 2);
    assert_eq!(read(&header()).expect_err("a header is no event").kind, Kind::TwoHeaders);
}

#[test]
fn nothing_is_no_pass() {
    for nothing in [String::new(), text(&[header()]), text(&[header(), ask(0)])] {
        let report = judge(nothing.clone());
        assert_eq!((report.verdict, report.exit), (Verdict::NothingChecked, 4), "{nothing}");
    }
    let report = check(&[], &Options::default());
    assert_eq!(report.exit, 4);
}

#[test]
fn lines_that_cannot_be_read_are_named() {
    let good = || vec![header(), ask(0)];
    let and = |event: Value| text(&[header(), ask(0), event]);
    assert_unreadable("garbage\n", Kind::NotJson, 1, "no JSON object");
    assert_unreadable("[1]\n", Kind::NotJson, 1, "no JSON object");
    assert_unreadable(b"\xff\xfe\n".to_vec(), Kind::NotJson, 1, "no JSON object");
    assert_unreadable("\n", Kind::NotJson, 1, "no JSON object");
    assert_unreadable(text(&[ask(0)]), Kind::NoHeader, 1, "no header");
    assert_unreadable(text(&[header_with("format", json!(2))]), Kind::WrongVersion, 1, "format 2");
    assert_unreadable(text(&[header_with("format", json!("one"))]), Kind::WrongVersion, 1, "\"one\"");
    assert_unreadable(text(&[header_with("protocol", json!("teardown"))]), Kind::UnknownProtocol, 1, "teardown");
    assert_unreadable(text(&[header_with("claims", json!(["dance"]))]), Kind::NotOfTheSchema, 1, "dance");
    assert_unreadable(text(&[header_with("typo", json!(1))]), Kind::NotOfTheSchema, 1, "typo");
    assert_unreadable(and(header()), Kind::TwoHeaders, 3, "second header");
    assert_unreadable(and(with(register(), "action", json!("dance"))), Kind::UnknownAction, 3, "dance");
    assert_unreadable(and(with(register(), "mintd", json!(1))), Kind::NotOfTheSchema, 3, "mintd");
    assert_unreadable(and(with(register(), "minted", json!(-1))), Kind::NotOfTheSchema, 3, "-1");
    assert_unreadable(and(with(register(), "minted", json!(1.5))), Kind::NotOfTheSchema, 3, "1.5");
    assert_unreadable(and(with(register(), "process", json!("c"))), Kind::UndeclaredProcess, 3, "`c`");
    assert_unreadable(and(with(register(), "sequence", json!(2))), Kind::Gap, 3, "2 where 1");
    assert_unreadable(and(with(register(), "sequence", json!(0))), Kind::Gap, 3, "0 where 1");
    let mut lines = good();
    lines.extend([register(), with(with(ask(2), "life", json!("two")), "commit", json!(6))]);
    assert_unreadable(text(&lines), Kind::CommitWentBack, 4, "7 to 6");
}

#[test]
fn numbers_are_those_that_every_reader_counts_with() {
    let and = |field: &str, value: u64| text(&[header(), ask(0), with(register(), field, json!(value))]);
    assert_unreadable(and("minted", 1 << 53), Kind::NumberTooLarge, 3, "2^53");
    assert_unreadable(and("minted", u64::MAX), Kind::NumberTooLarge, 3, "2^53");
    assert_unreadable(and("commit", 1 << 53), Kind::NumberTooLarge, 3, "2^53");
    assert_unreadable(and("minted", u64::from(u32::MAX)), Kind::NumberTooLarge, 3, "counts to");
    let row = json!({"incarnation": 1u64 << 40, "resetting": false, "since": 0, "page": null});
    assert_unreadable(text(&[header(), ask(0), with(register(), "row", row)]), Kind::NumberTooLarge, 3, "counts to");
    assert_eq!(judge(and("minted", u64::from(u32::MAX) - 1)).verdict, Verdict::Conforms);
}

#[test]
fn the_value_that_is_wrong_is_pointed_at() {
    let event = with(register(), "minted", json!(1u64 << 53));
    let line = event.to_string();
    let unreadable = judge(text(&[header(), ask(0), event])).unreadable.expect("no reader counts that far");
    let pointed = &line[unreadable.place.column as usize - 1..];
    assert!(pointed.starts_with(&(1u64 << 53).to_string()), "{pointed}");
    let unreadable = judge(text(&[ask(0)])).unreadable.expect("there is no header");
    assert_eq!(unreadable.place.column, 1, "where no value is wrong, the line is");
}

#[test]
fn fields_that_would_be_ignored_are_refused() {
    let and = |event: Value| text(&[header(), ask(0), event]);
    let mut bare = register();
    bare.as_object_mut().expect("an event is an object").remove("minted");
    assert_unreadable(and(bare.clone()), Kind::WrongFields, 3, "a `register` needs `minted`");
    assert_unreadable(and(with(register(), "generation", json!(1))), Kind::WrongFields, 3, "no `generation`");
    assert_unreadable(and(with(register(), "because", json!("SAVE-3"))), Kind::WrongFields, 3, "no `because`");
    let uncaused = with(bare.clone(), "outcome", json!("refused"));
    assert_unreadable(and(uncaused), Kind::WrongFields, 3, "a refused `register` needs `because`");
    assert_unreadable(and(with(register(), "phase", json!("observe"))), Kind::WrongFields, 3, "`commit`");
    assert_unreadable(and(with(ask(1), "outcome", json!("refused"))), Kind::WrongFields, 3, "cannot be refused");
    let load = json!({"process": "b", "sequence": 0, "phase": "observe", "action": "load", "computer": "red",
                      "incarnation": 1});
    assert_unreadable(and(load.clone()), Kind::WrongFields, 3, "needs `generation`");
    let minting = with(with(load, "generation", json!(1)), "minted", json!(1));
    assert_unreadable(and(minting), Kind::WrongFields, 3, "no `minted`");
}

#[test]
fn every_truncation_is_noticed_or_is_a_whole_trace() {
    let whole = text(&[header(), ask(0), register()]);
    let ends: Vec<usize> = whole.match_indices('}').map(|(at, _)| at + 1).collect();
    for length in 1..whole.len() {
        let report = judge(&whole.as_bytes()[..length]);
        let lines = whole[..length].lines().count();
        let is_whole = ends.contains(&length)
            && serde_json::from_str::<Value>(whole[..length].lines().last().unwrap_or("")).is_ok();
        match report.unreadable {
            Some(unreadable) => {
                assert_eq!((unreadable.kind, unreadable.place.line), (Kind::Truncated, lines as u64), "{unreadable}");
            }
            None => assert!(is_whole || whole[..length].ends_with('\n'), "cut at {length}: {:?}", report.verdict),
        }
    }
}

#[test]
fn a_trace_that_knows_of_its_holes_is_inconclusive() {
    let lossy = header_with("lossy", json!(true));
    // A hole, and an event that the model refuses: either may be the loss.
    let refused = with(with(register(), "sequence", json!(5)), "minted", json!(0));
    for events in [vec![ask(0), register()], vec![ask(0), refused]] {
        let lines: Vec<Value> = std::iter::once(lossy.clone()).chain(events).collect();
        let report = judge(text(&lines));
        assert_eq!((report.verdict, report.exit), (Verdict::Inconclusive, 21));
    }
}

#[test]
fn what_is_not_claimed_or_not_known_is_inconclusive() {
    let claims: Vec<&str> = Verb::of("snapshot").map(Verb::word).filter(|word| *word != "wipe").collect();
    let report = judge(text(&[header_with("claims", json!(claims)), ask(0), register()]));
    assert_eq!((report.verdict, report.exit), (Verdict::Inconclusive, 21));
    assert!(report.doubts[0].contains("wipe"));
}

#[test]
fn only_a_call_of_the_store_can_get_lost() {
    let and = |event: Value| text(&[header(), ask(0), event]);
    assert_unreadable(and(with(ask(1), "outcome", json!("unknown"))), Kind::WrongFields, 3, "can get lost");
    assert_unreadable(and(with(ask(1), "phase", json!("begin"))), Kind::WrongFields, 3, "no begin and no end");
    for phase in ["begin", "end"] {
        let nameless = with(register(), "phase", json!(phase));
        assert_unreadable(and(nameless.clone()), Kind::WrongFields, 3, "needs `operation`");
        let row = json!({"incarnation": 1, "resetting": false, "since": 0, "page": null});
        let shown = with(with(nameless, "operation", json!("o")), "row", row);
        assert_unreadable(and(shown), Kind::WrongFields, 3, "not here");
    }
    let mut silent = with(with(register(), "phase", json!("end")), "operation", json!("o"));
    silent.as_object_mut().expect("an event is an object").remove("minted");
    assert_unreadable(and(silent), Kind::WrongFields, 3, "needs `minted`");
    let back = json!({"process": "b", "sequence": 0, "phase": "begin", "action": "rollback", "computer": "red",
                      "operation": "o"});
    assert_unreadable(and(with(back.clone(), "expected", json!(1))), Kind::WrongFields, 3, "needs `generation`");
    assert_unreadable(and(with(back, "generation", json!(1))), Kind::WrongFields, 3, "needs `expected`");
    let begun = with(with(register(), "phase", json!("begin")), "operation", json!("o"));
    assert_unreadable(and(with(begun, "outcome", json!("unknown"))), Kind::WrongFields, 3, "no outcome yet");
    let marked = with(with(register(), "phase", json!("marker")), "outcome", json!("unknown"));
    assert_unreadable(and(marked), Kind::WrongFields, 3, "`commit`");
}

#[test]
fn trace_6_an_empty_file_beside_others_is_no_pass_and_no_refusal() {
    let forged = with(register(), "expected", json!(4));
    for second in [register(), forged] {
        let (whole, lost) = (text(&[header(), ask(0), second]), String::new());
        for inputs in [[("whole", &whole), ("lost", &lost)], [("lost", &lost), ("whole", &whole)]] {
            let inputs = inputs.map(|(name, text)| Input::text(name, text.clone()));
            let report = check(&inputs, &Options::default());
            assert_eq!((report.verdict, report.exit), (Verdict::Inconclusive, 21));
            assert!(report.doubts[0].contains("lost is empty"), "{:?}", report.doubts);
        }
    }
}

#[test]
fn a_broken_end_is_found_behind_a_divergence_and_behind_a_doubt() {
    let broken = ["{\"process\":\"a\",\"sequ".to_owned(), text(&[with(ask(7), "life", json!("two"))])];
    let forged = vec![with(register(), "expected", json!(4))];
    for (further, exit) in [(forged, 20), (too_many_open_calls(), 21)] {
        let head = text(&[vec![header(), ask(0)], further].concat());
        assert_eq!(judge(head.clone()).exit, exit);
        for broken in &broken {
            let report = judge(format!("{head}{broken}"));
            assert_eq!((report.verdict, report.exit), (Verdict::Unreadable, 150), "{broken}");
            assert_eq!((report.divergence.is_some(), report.doubts.len()), (exit == 20, usize::from(exit == 21)));
        }
    }
}

/// One call more than are followed at once, none of which is ever heard of again.
fn too_many_open_calls() -> Vec<Value> {
    let begun = |number: u64| {
        json!({"process": "a", "sequence": number, "phase": "begin", "action": "register", "computer": "red",
               "life": "one", "expected": 0, "operation": format!("call {number}")})
    };
    (1..=13).map(begun).collect()
}

#[test]
fn trace_6_more_open_calls_than_are_followed_leave_a_doubt() {
    let calls = too_many_open_calls();
    let report = judge(text(&[vec![header(), ask(0)], calls[..12].to_vec()].concat()));
    assert_eq!((report.verdict, report.lines.open), (Verdict::NothingChecked, 12), "{:?}", report.doubts);
    assert!(render::text(&report, render::Colors::Never).contains("12 calls are open at the end"));
    let report = judge(text(&[vec![header(), ask(0)], calls].concat()));
    assert_eq!((report.verdict, report.exit), (Verdict::Inconclusive, 21));
    assert!(report.doubts[0].contains("more than 12 calls are open at once"), "{:?}", report.doubts);
}

#[test]
fn dangers_that_were_asked_for_must_occur() {
    let options = Options { requires_danger_windows: true, ..Options::default() };
    let report = check(&[Input::text("trace", text(&[header(), ask(0), register()]))], &options);
    assert_eq!((report.verdict, report.exit), (Verdict::DangerMissing, 14));
}

#[test]
fn files_are_merged_by_the_stores_order() {
    let commit = |event: Value, commit: u64| with(event, "commit", json!(commit));
    let b = |event: Value, sequence: u64| with(with(event, "process", json!("b")), "sequence", json!(sequence));
    let learn = json!({"process": "a", "sequence": 1, "phase": "commit", "action": "learn", "computer": "red",
                       "incarnation": 1});
    let one = text(&[header(), commit(ask(0), 1), commit(learn, 3)]);
    let two = text(&[header(), commit(b(register(), 0), 2)]);
    let judge = |texts: [&String; 2]| {
        let inputs = texts.map(|text| Input::text("part", text.clone()));
        check(&inputs, &Options::default())
    };
    assert_eq!(judge([&one, &two]).verdict, Verdict::Conforms);
    assert_eq!(judge([&two, &one]).verdict, Verdict::Conforms);
    let late = text(&[header(), commit(b(register(), 0), 4)]);
    let report = judge([&one, &late]);
    assert_eq!(report.verdict, Verdict::Diverges, "the reply is learned before it was given");
}

#[test]
fn of_two_events_in_one_place_the_one_of_the_file_that_was_named_first_comes_first() {
    let commit = |event: Value| with(event, "commit", json!(7));
    let asks = text(&[header(), commit(ask(0))]);
    let registers = text(&[header(), commit(with(with(register(), "process", json!("b")), "sequence", json!(0)))]);
    let judge = |texts: [&String; 2]| {
        let inputs = texts.map(|text| Input::text("part", text.clone()));
        check(&inputs, &Options::default()).verdict
    };
    assert_eq!(judge([&asks, &registers]), Verdict::Conforms);
    assert_eq!(judge([&registers, &asks]), Verdict::Diverges, "the question is answered before it is asked");
}

/// A file that does not exist, and one that is a folder.
#[test]
fn files_that_are_none_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for path in [folder.path().join("nothing.jsonl"), folder.path().to_owned()] {
        let report = check(&[Input::new(&path).expect("a path is not read yet")], &Options::default());
        let unreadable = report.unreadable.expect("there is nothing to read");
        assert_eq!((report.exit, unreadable.kind), (150, Kind::Io));
        assert_eq!(unreadable.place.file, path.display().to_string());
        assert_eq!((unreadable.place.line, unreadable.place.column), (0, 0), "no place in it is to blame");
    }
}

/// A hundred megabytes without an end of line, out of thin air.
#[test]
fn a_line_of_a_hundred_megabytes_is_refused_at_its_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("long.jsonl");
    let mut file = std::fs::File::create(&path).expect("a file");
    let line = format!("{}\n", header());
    let copied = io::copy(&mut line.as_bytes().chain(io::repeat(b'x').take(100 << 20)), &mut file);
    copied.expect("a file of 100 MB");
    let report = check(&[Input::new(&path).expect("a path is not read yet")], &Options::default());
    let unreadable = report.unreadable.expect("the line has no end");
    assert_eq!((report.exit, unreadable.kind, unreadable.place.line), (150, Kind::LineTooLong, 2));
}
