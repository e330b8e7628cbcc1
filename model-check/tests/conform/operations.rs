//! TRACE-9: a message is known by the name of its operation as well, where it has one.

use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_spec::trace::{Verb, schema_hash};
use serde_json::{Value, json};

/// Two snapshots and a click: each event with the operation that it belongs to.
fn good() -> Vec<Value> {
    two_lives().into_iter().take(13).collect()
}

/// The same, and then another life with a snapshot and a click of its own.
fn two_lives() -> Vec<Value> {
    let claims: Vec<&str> = Verb::of("snapshot").map(Verb::word).collect();
    let header = json!({
        "format": 1, "schema": schema_hash(), "protocol": "snapshot",
        "implementation": {"name": "test", "version": "1"}, "store": "none", "processes": ["a"], "claims": claims,
    });
    let event = |(sequence, (phase, action, fields)): (usize, (&str, &str, Value))| {
        let mut event = json!({
            "process": "a", "sequence": sequence, "phase": phase, "action": action, "computer": "red",
        });
        for (field, value) in fields.as_object().expect("fields are an object") {
            event[field] = value.clone();
        }
        event
    };
    let events = [
        ("observe", "ask", json!({"life": "one", "expected": 0})),
        ("commit", "register", json!({"life": "one", "expected": 0, "minted": 1})),
        ("commit", "learn", json!({"incarnation": 1})),
        ("observe", "begin", json!({"incarnation": 1, "operation": "first"})),
        ("observe", "begin", json!({"incarnation": 1, "operation": "second"})),
        ("commit", "answer", json!({"incarnation": 1, "generation": 1, "operation": "first"})),
        ("commit", "answer", json!({"incarnation": 1, "generation": 2, "operation": "second"})),
        ("commit", "save", json!({"incarnation": 1, "generation": 1, "operation": "first"})),
        ("commit", "save", json!({"incarnation": 1, "generation": 2, "operation": "second"})),
        ("observe", "load", json!({"incarnation": 1, "generation": 2})),
        ("observe", "resolve", json!({"incarnation": 1, "generation": 2, "operation": "click"})),
        ("commit", "perform", json!({"incarnation": 1, "generation": 2, "operation": "click"})),
        ("commit", "restart", json!({"life": "two"})),
        ("observe", "ask", json!({"life": "two", "expected": 1})),
        ("commit", "register", json!({"life": "two", "expected": 1, "minted": 2})),
        ("commit", "learn", json!({"incarnation": 2})),
        ("observe", "begin", json!({"incarnation": 2, "operation": "third"})),
        ("commit", "answer", json!({"incarnation": 2, "generation": 1, "operation": "third"})),
        ("commit", "save", json!({"incarnation": 2, "generation": 1, "operation": "third"})),
        ("observe", "load", json!({"incarnation": 2, "generation": 1})),
        ("observe", "resolve", json!({"incarnation": 2, "generation": 1, "operation": "next-click"})),
        ("commit", "perform", json!({"incarnation": 2, "generation": 1, "operation": "next-click"})),
    ];
    std::iter::once(header).chain(events.into_iter().enumerate().map(event)).collect()
}

fn judge(lines: &[Value]) -> Report {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    check(&[Input::text("trace", text)], &Options::default())
}

#[test]
fn trace_9_each_message_fits_what_was_sent_under_its_name() {
    assert_eq!(judge(&two_lives()).verdict, Verdict::Conforms);
    // The line, and the operation that it must not bear; the last three are of a life that is over.
    for (line, operation) in [
        (5, "first"),
        (6, "never-begun"),
        (6, "click"),
        (8, "second"),
        (9, "first"),
        (11, "first"),
        (12, "second"),
        (18, "first"),
        (19, "first"),
        (22, "click"),
    ] {
        let mut lines = two_lives();
        lines[line]["operation"] = json!(operation);
        let report = judge(&lines);
        assert_eq!(report.verdict, Verdict::Diverges, "`{operation}` in line {}", line + 1);
        let divergence = report.divergence.expect("it diverges somewhere");
        assert_eq!(divergence.line.place.line, line as u64 + 1, "`{operation}`");
        assert!(divergence.line.text[divergence.span].contains(operation), "what is pointed at is the name");
    }
}

#[test]
fn trace_9_a_message_without_a_name_is_known_by_what_it_shows() {
    let mut lines = good();
    for line in &mut lines {
        line.as_object_mut().expect("a line is an object").remove("operation");
    }
    assert_eq!(judge(&lines).verdict, Verdict::Conforms);
}

#[test]
fn what_is_older_than_the_operations_that_are_remembered_is_counted() {
    let mut lines = good();
    let late = json!({"process": "a", "sequence": 52, "phase": "commit", "action": "save", "computer": "red",
                      "incarnation": 1, "generation": 1, "outcome": "refused", "because": "SAVE-4",
                      "operation": "second"});
    for number in 12..52 {
        lines.push(json!({"process": "a", "sequence": number, "phase": "observe", "action": "begin",
                          "computer": "red", "incarnation": 1, "operation": format!("more-{number}")}));
    }
    lines.push(late);
    let report = judge(&lines);
    assert_eq!((report.verdict, report.lines.unpaired), (Verdict::Conforms, 1));
    let text = render::text(&report, render::Colors::Never);
    assert!(text.contains("1 events were judged without the name of their operation"), "{text}");
}

#[test]
fn an_operation_that_nothing_pairs_is_refused() {
    let mut lines = good();
    lines[3]["operation"] = json!("first");
    assert_eq!(judge(&lines).verdict, Verdict::Unreadable);
}

#[test]
fn trace_10_a_trace_of_another_edition_of_the_schema_is_no_trace() {
    let mut lines = good();
    lines[0]["schema"] = json!("0123456789abcdef");
    let unreadable = judge(&lines).unreadable.expect("it is not read");
    assert!(unreadable.message.contains("0123456789abcdef"), "{unreadable}");
    assert_eq!(unreadable.place.line, 1);
}
