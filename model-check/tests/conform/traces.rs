//! The rejected traces are refused at their line by their requirement, and it is that guard which refuses them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_spec::snapshot::check::{Check, Checks};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::RIGHT;
use serde::Deserialize;
use serde_json::Value;

/// Guards that no trace can meet under the right rules, and why.
const WITHOUT_A_TRACE: [(Check, &str); 2] = [
    (Check::BeginAfterRefusal, "only the variant `retry-same-save` has agents that go on sending"),
    (Check::SendWipeIsAllowed, "only the variant `wipe-forgotten-on-crash` asks who may drive a reset on"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(rename = "about")]
    _about: String,
    rejected: Vec<Rejected>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rejected {
    trace: String,
    line: u64,
    requirement: Option<String>,
    without: Vec<String>,
    story: String,
    #[serde(default)]
    case: Option<u32>,
    #[serde(default)]
    explained_by: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("traces")
}

fn manifest() -> Vec<Rejected> {
    let text = fs::read_to_string(folder().join("manifest.json")).expect("the manifest is there");
    let manifest: Manifest = serde_json::from_str(&text).expect("the manifest is of its form");
    manifest.rejected
}

fn judge(kind: &str, trace: &str, without: &[Check]) -> Report {
    let input = Input::new(&folder().join(kind).join(format!("{trace}.jsonl"))).expect("a path is not read yet");
    let rules = Rules { without: Checks::of(without), ..RIGHT };
    check(&[input], &Options { rules, ..Options::default() })
}

fn guards(rejected: &Rejected) -> Vec<Check> {
    let named = |name: &String| Check::ALL.iter().copied().find(|check| check.name() == name);
    rejected.without.iter().map(|name| named(name).unwrap_or_else(|| panic!("no guard `{name}`"))).collect()
}

#[test]
fn every_rejected_trace_is_refused_at_its_line_by_its_requirement() {
    for rejected in manifest() {
        let report = judge("rejected", &rejected.trace, &[]);
        let text = render::text(&report, render::Colors::Never);
        assert_eq!(report.verdict, Verdict::Diverges, "{}: {}\n{text}", rejected.trace, rejected.story);
        let divergence = report.divergence.expect("a trace that diverges does so somewhere");
        let found = (divergence.line.place.line, divergence.requirement.map(|it| it.id().to_owned()));
        assert_eq!(found, (rejected.line, rejected.requirement.clone()), "{}\n{text}", rejected.trace);
        if let [only] = guards(&rejected)[..] {
            assert_eq!(divergence.check.as_deref(), Some(only.name()), "{}", rejected.trace);
        }
        for variant in &rejected.explained_by {
            let explains = divergence.explained_by.iter().any(|explanation| explanation.variant == *variant);
            assert!(explains, "{} is no behaviour of {variant}\n{text}", rejected.trace);
        }
    }
}

/// The page in a row has an incarnation, and some rules know none.
#[test]
fn a_row_is_held_against_what_the_rules_know_of_it() {
    let explained_with = |page: Value| {
        let mut lines = lines("rejected", "save-3-late-save-after-reset");
        let row = serde_json::json!({"incarnation": 3, "resetting": false, "since": 2, "page": page});
        lines.last_mut().expect("the late save").insert("row".to_owned(), row);
        let lines: Vec<String> = lines.iter().map(|line| serde_json::to_string(line).expect("JSON") + "\n").collect();
        let report = check(&[Input::text("trace", lines.concat())], &Options::default());
        let explained_by = report.divergence.expect("a late save").explained_by;
        explained_by.iter().any(|explanation| explanation.variant == "generation-only")
    };
    assert!(explained_with(serde_json::json!([1, 1])));
    assert!(!explained_with(serde_json::json!([1, 2])));
    assert!(!explained_with(Value::Null));
}

#[test]
fn every_rejected_trace_is_accepted_once_its_guards_are_switched_off() {
    for rejected in manifest().iter().filter(|rejected| !rejected.without.is_empty()) {
        let guards = guards(rejected);
        let report = judge("rejected", &rejected.trace, &guards);
        let text = render::text(&report, render::Colors::Never);
        assert_eq!(report.verdict, Verdict::Conforms, "{}\n{text}", rejected.trace);
        // Each of a pair must be needed.
        for left in guards.iter().filter(|_| guards.len() > 1) {
            let others: Vec<Check> = guards.iter().copied().filter(|guard| guard != left).collect();
            let report = judge("rejected", &rejected.trace, &others);
            assert_eq!(report.verdict, Verdict::Diverges, "{}: {} is enough", rejected.trace, left.name());
        }
    }
}

#[test]
fn save_5_every_guard_refuses_some_trace() {
    let met: BTreeSet<&str> = manifest().iter().flat_map(guards).map(Check::name).collect();
    for guard in Check::ALL {
        let excuse = WITHOUT_A_TRACE.iter().find(|(check, _)| check == guard);
        assert_ne!(met.contains(guard.name()), excuse.is_some(), "{}: {excuse:?}", guard.name());
    }
}

#[test]
fn every_hand_written_trace_has_an_accepted_twin_that_differs_in_one_field() {
    for rejected in manifest() {
        let report = judge("accepted", &rejected.trace, &[]);
        let text = render::text(&report, render::Colors::Never);
        assert_eq!(report.verdict, Verdict::Conforms, "{}\n{text}", rejected.trace);
        let [bad, good] = ["rejected", "accepted"].map(|kind| lines(kind, &rejected.trace));
        assert_eq!(bad.len(), good.len(), "{}", rejected.trace);
        let fields = bad.iter().zip(&good).flat_map(|(bad, good)| differing(bad, good));
        assert_eq!(fields.count(), 1, "{}", rejected.trace);
    }
}

#[test]
fn the_folders_hold_what_the_manifest_says() {
    let named: BTreeSet<String> = manifest().iter().map(|rejected| rejected.trace.clone()).collect();
    let found = |kind: &str| -> BTreeSet<String> {
        let files = fs::read_dir(folder().join(kind)).expect("the folder is there");
        let name = |file: fs::DirEntry| file.path().file_stem().expect("a name").to_string_lossy().into_owned();
        files.map(|file| name(file.expect("a file"))).collect()
    };
    assert_eq!(found("rejected"), named);
    for accepted in found("accepted") {
        assert_eq!(judge("accepted", &accepted, &[]).verdict, Verdict::Conforms, "{accepted}");
    }
}

#[test]
fn the_public_cases_of_family_a_are_among_them() {
    let cases: BTreeSet<u32> = manifest().iter().filter_map(|rejected| rejected.case).collect();
    assert_eq!(cases, BTreeSet::from([1, 20, 25, 27, 31, 55]));
}

fn lines(kind: &str, trace: &str) -> Vec<serde_json::Map<String, Value>> {
    let text = fs::read_to_string(folder().join(kind).join(format!("{trace}.jsonl"))).expect("the trace is there");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

fn differing(bad: &serde_json::Map<String, Value>, good: &serde_json::Map<String, Value>) -> Vec<String> {
    let fields: BTreeSet<&String> = bad.keys().chain(good.keys()).collect();
    fields.into_iter().filter(|field| bad.get(*field) != good.get(*field)).cloned().collect()
}
