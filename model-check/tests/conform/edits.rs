//! A refusal shows what would have to be different, a shorter trace that is refused alike, and a test of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use outlive_model_check::conform::report::{Divergence, Edit, EditKind, Verdict};
use outlive_model_check::conform::snapshot::walk::{Size, Walk};
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_model_check::random::Random;
use serde_json::{Map, Value, json};

use crate::traces::SHELVES;

fn rejected() -> Vec<(PathBuf, Divergence)> {
    let files = SHELVES.iter().flat_map(|shelf| fs::read_dir(shelf.folder().join("rejected")).expect("it is there"));
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let judge = |path: PathBuf| {
        let report = check(&[Input::new(&path).expect("a path is not read yet")], &Options::default());
        let divergence = report.divergence.unwrap_or_else(|| panic!("{} is refused", path.display()));
        (path, divergence)
    };
    paths.into_iter().map(judge).collect()
}

fn of(trace: &str) -> Divergence {
    let is_it = |(path, _): &(PathBuf, Divergence)| path.file_stem().is_some_and(|name| name == trace);
    rejected().into_iter().find(is_it).expect("the trace is there").1
}

#[test]
fn every_rejected_trace_has_an_edit_and_a_shorter_twin_that_is_refused_by_the_same_guard() {
    for (path, divergence) in rejected() {
        let name = path.display();
        // Where it is not known what is meant, it is not known what would have been right.
        assert!(!divergence.edits.is_empty() || divergence.requirement.is_none(), "{name}");
        let minimised = divergence.minimised.expect("the trace is short enough");
        assert!(minimised.is_minimal, "{name}");
        assert!(minimised.lines.len() <= 1 + minimised.of, "{name}");
        assert_eq!(declared(&minimised.lines[0]), heard_of(&minimised.lines[1..]), "{name}");
        let twin = check(&[Input::text("twin", minimised.lines.join("\n") + "\n")], &Options::default());
        let found =
            twin.divergence.unwrap_or_else(|| panic!("{name}: {:?}\n{}", twin.verdict, minimised.lines.join("\n")));
        assert_eq!((found.requirement, &found.check), (divergence.requirement, &divergence.check), "{name}");
        assert_eq!(found.line.place.line, minimised.lines.len() as u64, "{name}");
    }
}

fn declared(header: &str) -> BTreeSet<String> {
    let header: Value = serde_json::from_str(header).expect("a header is an object");
    serde_json::from_value(header["processes"].clone()).expect("processes are names")
}

/// The processes that speak, and those by whom something was sent.
fn heard_of(lines: &[String]) -> BTreeSet<String> {
    let events = lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("a line is an object"));
    let names = events.flat_map(|event| [event["process"].clone(), event["by"].clone()]);
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

#[test]
fn the_nearest_value_is_found() {
    let sentence = |trace: &str, kind: EditKind| {
        let edit = of(trace).edits.into_iter().find(|edit| edit.kind == kind);
        edit.map(|edit| edit.sentence).unwrap_or_default()
    };
    assert_eq!(sentence("save-2-generation-skipped", EditKind::ChangeAValue), "accepted if the `generation` were 2");
    assert_eq!(
        sentence("reset-2-save-during-a-reset", EditKind::ChangeAValue),
        "accepted if it were refused because of RESET-2"
    );
    for (trace, expected) in [
        ("reconcile-1-launch-passed-over", "accepted if the `launch` were 1"),
        ("reconcile-4-sweep-writes-over-a-start", "accepted if it were refused because of RECONCILE-4"),
        ("reconcile-15-failed-and-called-done", "accepted if the `ending` were `failed`"),
        ("reconcile-16-error-that-nothing-leaves", "accepted if the `conclusion` were `ready`"),
        ("reconcile-17-stop-while-starting", "accepted if it were done"),
    ] {
        assert_eq!(sentence(trace, EditKind::ChangeAValue), expected, "{trace}");
    }
}

#[test]
fn steps_that_are_missing_are_found() {
    let steps = |trace: &str| {
        let edit = of(trace).edits.into_iter().find(|edit| edit.kind == EditKind::TakeStepsBefore);
        edit.map(|edit| edit.sentence).unwrap_or_default()
    };
    let claim = "accepted if `gateway 0 begins a reset of incarnation 1` came first";
    assert_eq!(steps("reset-1-wipe-sent-before-the-claim"), claim);
    let wipe = "accepted if `gateway 1 sends a wipe of incarnation 1` came first";
    assert_eq!(steps("save-6-wipe-that-nobody-sent"), wipe);
    let stop =
        "accepted if `gateway 1 begins a stop` and `gateway 1 sends a call to stop all up to launch 1` came first";
    assert_eq!(steps("reconcile-15-call-that-was-not-sent"), stop);
}

#[test]
fn a_reset_that_is_missing_is_named_as_a_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/accepted");
    let text = fs::read_to_string(folder.join("save-3-late-save-after-reset.jsonl")).expect("the trace is there");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // Only a reset opens an incarnation with which another begins.
    let row = r#""row":{"incarnation":2,"resetting":true,"since":2}"#;
    let claim =
        r#"{"process":"gateway-1","sequence":0,"phase":"commit","action":"claim","computer":"red","expected":2,"#;
    let without_a_reset = [&lines[..4], &[format!("{claim}{row}}}")]].concat();
    let report = check(&[Input::text("trace", renumbered(&without_a_reset))], &Options::default());
    let edits = report.divergence.expect("the reset is missing").edits;
    let steps = edits.iter().find(|edit| edit.kind == EditKind::TakeStepsBefore).expect("a reset has four steps");
    assert_eq!(steps.sentence, "accepted if a reset came first");
}

#[test]
fn an_edit_says_how_much_of_the_trace_goes_on_with_it() {
    let walk = Walk::new(11, Size { computers: 1, gateways: 1, events: 200 });
    let header = walk.header();
    let mut events: Vec<Map<String, Value>> =
        walk.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")).collect();
    let is_numbered = |event: &Map<String, Value>| event["action"] == "answer" && event.get("generation").is_some();
    let numbered: Vec<usize> = (0..events.len()).filter(|at| is_numbered(&events[*at])).collect();
    let at = numbered[0];
    let right = events[at]["generation"].as_u64().expect("a number");
    let sentence = format!("accepted if the `generation` were {right}");
    events[at].insert("generation".to_owned(), json!(right + 7));
    let (edit, text) = first_edit(&header, &events);
    assert_eq!((edit.sentence.as_str(), edit.goes_on, edit.of), (sentence.as_str(), 64, 64));
    assert!(text.contains(&format!("{sentence}, and so would be all 64 lines of the computer behind it")), "{text}");
    // Further down is another line that is wrong.
    let next = numbered[1];
    assert!(next - at < 64);
    events[next].insert("generation".to_owned(), json!(right + 70));
    let (edit, text) = first_edit(&header, &events);
    let goes_on = (next - at - 1) as u64;
    assert_eq!((edit.sentence.as_str(), edit.goes_on, edit.of), (sentence.as_str(), goes_on, 64));
    let so_far = format!("{sentence}, and so would be {goes_on} of 64 lines of the computer behind it");
    assert!(text.contains(&so_far), "{text}");
}

/// It could have been refused as well, but then nobody would have sent a wipe.
#[test]
fn of_several_values_the_one_with_which_most_goes_on_is_shown() {
    let walk = Walk::new(11, Size { computers: 1, gateways: 1, events: 2_000 });
    let header = walk.header();
    let mut events: Vec<Map<String, Value>> =
        walk.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")).collect();
    let is_claimed = |event: &Map<String, Value>| event["action"] == "claim" && event.get("because").is_none();
    let at = events.iter().position(is_claimed).expect("somebody resets the computer");
    let right = events[at]["expected"].as_u64().expect("a number");
    events[at].insert("expected".to_owned(), json!(right + 7));
    let (edit, _) = first_edit(&header, &events);
    assert_eq!((edit.sentence, edit.goes_on), (format!("accepted if the `expected` were {right}"), 64));
}

/// The edit with which most goes on, and the whole text.
fn first_edit(header: &str, events: &[Map<String, Value>]) -> (Edit, String) {
    let lines: Vec<String> = events.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
    let trace = Input::text("walk", format!("{header}\n{}\n", lines.join("\n")));
    let report = check(&[trace], &Options::default());
    let text = render::text(&report, render::Colors::Never);
    (report.divergence.expect("the value is wrong").edits.swap_remove(0), text)
}

#[test]
fn lines_that_have_no_part_in_it_are_left_out() {
    let mut random = Random::new(3);
    for seed in 0..8 {
        let walk = Walk::new(seed, Size { computers: 2, gateways: 2, events: 400 });
        let header = walk.header();
        let mut events: Vec<Map<String, Value>> =
            walk.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")).collect();
        let answers: Vec<usize> = (300..400).filter(|at| events[*at].get("minted").is_some()).collect();
        let Some(at) = answers.get(random.below(answers.len().max(1))).copied() else { continue };
        events[at].insert("minted".to_owned(), json!(0));
        let lines: Vec<String> = events.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
        let report = check(&[Input::text("walk", format!("{header}\n{}\n", lines.join("\n")))], &Options::default());
        assert_eq!(report.verdict, Verdict::Diverges, "seed {seed}");
        let divergence = report.divergence.expect("it diverges somewhere");
        let minimised = divergence.minimised.clone().expect("there are not too many lines");
        assert!(minimised.is_minimal && minimised.lines.len() <= minimised.of, "seed {seed}");
        for left_out in 1..minimised.lines.len() - 1 {
            let mut fewer = minimised.lines.clone();
            fewer.remove(left_out);
            let count = fewer.len() as u64;
            let fewer = check(&[Input::text("fewer", renumbered(&fewer))], &Options::default());
            let reason = |it: &Divergence| (it.line.place.line, it.requirement, it.check.clone());
            let wanted = Some((count, divergence.requirement, divergence.check.clone()));
            assert_ne!(fewer.divergence.as_ref().map(reason), wanted, "seed {seed}: line {left_out} is not needed");
        }
    }
}

/// The lines with each process counting from 0.
fn renumbered(lines: &[String]) -> String {
    let mut next = BTreeMap::<String, u64>::new();
    let mut text = format!("{}\n", lines[0]);
    for line in &lines[1..] {
        let mut event: Map<String, Value> = serde_json::from_str(line).expect("a line is an object");
        let sequence = next.entry(event["process"].to_string()).or_default();
        event.insert("sequence".to_owned(), (*sequence).into());
        *sequence += 1;
        text += &(serde_json::to_string(&event).expect("an event is JSON") + "\n");
    }
    text
}

/// What is shown as a test is one: this file holds the text of another trace's, and is compiled.
#[test]
fn the_test_that_is_shown_is_the_one_that_is_compiled_here() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conform/pasted.rs");
    let shown = of("save-3-late-save-after-reset").test.expect("the trace is short enough");
    let wanted = format!("//! As `conform` shows it. `UPDATE_TRACES=1` rewrites this file.\n\n{shown}");
    if std::env::var_os("UPDATE_TRACES").is_some() {
        fs::write(&path, &wanted).expect("the file can be written");
    }
    let committed = fs::read_to_string(&path).expect("the file is committed");
    assert!(committed == wanted, "the test has changed; UPDATE_TRACES=1 rewrites it:\n{wanted}");
}
