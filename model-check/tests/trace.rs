//! The requirements of the trace check: a good trace, with one thing wrong at a time.

use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::snapshot::walk::{Size, Walk};
use outlive_model_check::conform::unreadable::Kind;
use outlive_model_check::conform::{Input, Options, check};
use serde_json::{Value, json};

#[test]
fn trace_1_a_field_that_the_format_lacks_is_refused_and_an_extension_is_not() {
    let mut lines = good();
    lines[5]["x"] = json!({"colour": "red"});
    assert_eq!(judge(&lines).verdict, Verdict::Conforms);
    lines[5]["colour"] = json!("red");
    assert_eq!(kind(&lines), Some(Kind::NotOfTheSchema));
}

#[test]
fn trace_2_a_hole_in_a_sequence_is_no_trace() {
    let mut lines = good();
    lines.remove(5);
    assert_eq!(kind(&lines), Some(Kind::Gap));
}

#[test]
fn trace_5_a_trace_without_a_step_is_no_pass() {
    let header = good().remove(0);
    assert_eq!(judge(std::slice::from_ref(&header)).verdict, Verdict::NothingChecked);
    let process = header["processes"][0].clone();
    let load = json!({"process": process, "sequence": 0, "phase": "observe", "action": "load", "computer": "one"});
    assert_eq!(judge(&[header, load]).verdict, Verdict::NothingChecked, "a read alone is no step");
}

#[test]
fn trace_6_a_lossy_trace_is_no_pass() {
    let mut lines = good();
    lines[0]["lossy"] = json!(true);
    assert_eq!(judge(&lines).verdict, Verdict::Inconclusive);
}

#[test]
fn trace_6_a_trace_that_leaves_out_an_action_is_no_pass() {
    let mut lines = good();
    lines[0]["claims"].as_array_mut().unwrap().pop();
    assert_eq!(judge(&lines).verdict, Verdict::Inconclusive);
}

#[test]
fn trace_7_a_commit_number_that_goes_back_is_no_trace() {
    let mut lines = good();
    let (at, commit) = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, line.get("commit")?.as_u64()?)))
        .expect("a walk commits");
    assert!(commit > 0);
    lines[at]["commit"] = json!(0);
    assert_eq!(kind(&lines), Some(Kind::CommitWentBack));
}

#[test]
fn trace_8_a_row_that_is_not_the_models_diverges() {
    let mut lines = good();
    let at = lines.iter().position(|line| line["action"] == "register" && line["outcome"].is_null()).unwrap();
    let minted = lines[at]["minted"].clone();
    lines[at]["row"] = json!({"incarnation": minted, "resetting": false, "since": 0, "page": null});
    assert_eq!(judge(&lines).verdict, Verdict::Conforms);
    for (field, wrong) in
        [("incarnation", json!(77)), ("resetting", json!(true)), ("since", json!(1)), ("page", json!([1, 1]))]
    {
        let mut lines = lines.clone();
        lines[at]["row"][field] = wrong;
        assert_eq!(judge(&lines).verdict, Verdict::Diverges, "{field}");
    }
}

/// A trace that conforms: its header, and its events.
fn good() -> Vec<Value> {
    let text = Walk::new(11, Size { computers: 2, gateways: 2, events: 300 }).text();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a walk writes JSON")).collect();
    assert_eq!(judge(&lines).verdict, Verdict::Conforms);
    lines
}

fn judge(lines: &[Value]) -> Report {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    check(&[Input::text("trace", text)], &Options::default())
}

fn kind(lines: &[Value]) -> Option<Kind> {
    judge(lines).unreadable.map(|unreadable| unreadable.kind)
}
