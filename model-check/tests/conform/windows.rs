//! When it is dangerous: a window is counted where something can be lost, and nowhere else.

use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check};
use outlive_spec::trace::{Verb, schema_hash};
use serde_json::{Value, json};

/// A reset whose wipe is under way, or obeyed, when this gateway crashes. Of two gateways only the first has a part in
/// it.
fn crash_during_a_reset(gateway: &str, is_wiped: bool) -> Report {
    let claims: Vec<&str> = Verb::of("snapshot").map(Verb::word).collect();
    let mut lines = vec![json!({
        "format": 1, "schema": schema_hash(), "protocol": "snapshot",
        "implementation": {"name": "test", "version": "1"}, "store": "none",
        "processes": ["one", "other", "host"], "claims": claims,
    })];
    let mut say = |process: &str, phase: &str, action: &str, fields: Value| {
        let sequence = lines.iter().filter(|line| line["process"] == process).count();
        let mut event = json!({
            "process": process, "sequence": sequence, "phase": phase, "action": action, "computer": "red",
        });
        for (field, value) in fields.as_object().expect("fields are an object") {
            event[field] = value.clone();
        }
        lines.push(event);
    };
    say("host", "observe", "ask", json!({"life": "first", "expected": 0}));
    say("host", "commit", "register", json!({"life": "first", "expected": 0, "minted": 1}));
    say("host", "commit", "learn", json!({"incarnation": 1}));
    say("one", "commit", "claim", json!({"expected": 1}));
    say("one", "observe", "send-wipe", json!({"incarnation": 1}));
    if is_wiped {
        say("host", "commit", "wipe", json!({"incarnation": 1, "by": "one", "life": "second", "generation": 0}));
    }
    say(gateway, "marker", "crash", json!({}));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    check(&[Input::text("trace", text)], &Options::default())
}

#[test]
fn a_crash_during_a_reset_is_dangerous_for_a_gateway_with_a_part_in_it() {
    for is_wiped in [false, true] {
        for (gateway, expected) in [("one", 1), ("other", 0)] {
            let report = crash_during_a_reset(gateway, is_wiped);
            assert_eq!(report.verdict, Verdict::Conforms);
            let opened = report.windows.iter().find(|opened| opened.window == "crash-while-resetting");
            assert_eq!(opened.map(|opened| opened.count), Some(expected), "{gateway}, wiped: {is_wiped}");
        }
    }
}
