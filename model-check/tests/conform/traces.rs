//! The rejected traces are refused at their line by their requirement, and it is that guard which refuses them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_spec::{operation, snapshot};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The traces of one protocol.
pub(crate) struct Shelf {
    folder: &'static str,
    guards: fn() -> Vec<&'static str>,
    /// The right rules without these guards.
    without: fn(&[&str]) -> Options,
    /// Guards that no trace can meet under the right rules, and why.
    without_a_trace: &'static [(&'static str, &'static str)],
    /// The numbers of the public cases among them.
    cases: &'static [u32],
}

pub(crate) const SNAPSHOTS: Shelf = Shelf {
    folder: "traces",
    guards: || snapshot::check::Check::ALL.iter().map(|check| check.name()).collect(),
    without: |names| {
        use snapshot::check::{Check, Checks};
        let without: Vec<Check> = Check::ALL.iter().copied().filter(|check| names.contains(&check.name())).collect();
        let right = Options::default().snapshot;
        Options { snapshot: snapshot::rules::Rules { without: Checks::of(&without), ..right }, ..Options::default() }
    },
    without_a_trace: &[
        ("BeginAfterRefusal", "only the variant `retry-same-save` has agents that go on sending"),
        ("SendWipeIsAllowed", "only the variant `wipe-forgotten-on-crash` asks who may drive a reset on"),
    ],
    cases: &[1, 20, 25, 27, 31, 55],
};

pub(crate) const OPERATIONS: Shelf = Shelf {
    folder: "traces/operation",
    guards: || operation::check::Check::ALL.iter().map(|check| check.name()).collect(),
    without: |names| {
        use operation::check::{Check, Checks};
        let without: Vec<Check> = Check::ALL.iter().copied().filter(|check| names.contains(&check.name())).collect();
        let right = Options::default().operation;
        Options { operation: operation::rules::Rules { without: Checks::of(&without), ..right }, ..Options::default() }
    },
    without_a_trace: &[
        ("GatewayIsNew", "no line names the gateway that comes in place of a dead one: whoever speaks next is it"),
        ("CleanupIsOurs", "no line says that somebody leaves its operation to another"),
    ],
    cases: &[1, 4, 9, 15, 22, 33, 38, 42, 43],
};

pub(crate) const SHELVES: [&Shelf; 2] = [&SNAPSHOTS, &OPERATIONS];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(rename = "about")]
    _about: String,
    rejected: Vec<Rejected>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rejected {
    pub(crate) trace: String,
    line: u64,
    requirement: Option<String>,
    without: Vec<String>,
    story: String,
    #[serde(default)]
    case: Option<u32>,
    #[serde(default)]
    pub(crate) explained_by: Vec<String>,
}

impl Shelf {
    pub(crate) fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(self.folder)
    }

    pub(crate) fn guards(&self) -> Vec<&'static str> {
        (self.guards)()
    }

    pub(crate) fn manifest(&self) -> Vec<Rejected> {
        let text = fs::read_to_string(self.folder().join("manifest.json")).expect("the manifest is there");
        let manifest: Manifest = serde_json::from_str(&text).expect("the manifest is of its form");
        manifest.rejected
    }

    fn path(&self, kind: &str, trace: &str) -> PathBuf {
        self.folder().join(kind).join(format!("{trace}.jsonl"))
    }

    pub(crate) fn judge(&self, kind: &str, trace: &str, without: &[&str]) -> Report {
        let input = Input::new(&self.path(kind, trace)).expect("a path is not read yet");
        check(&[input], &(self.without)(without))
    }

    fn lines(&self, kind: &str, trace: &str) -> Vec<Map<String, Value>> {
        let text = fs::read_to_string(self.path(kind, trace)).expect("the trace is there");
        text.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
    }

    fn guards_of<'a>(&self, rejected: &'a Rejected) -> Vec<&'a str> {
        let known = self.guards();
        rejected.without.iter().for_each(|name| assert!(known.contains(&name.as_str()), "no guard `{name}`"));
        rejected.without.iter().map(String::as_str).collect()
    }
}

fn each() -> impl Iterator<Item = (&'static Shelf, Rejected)> {
    SHELVES.into_iter().flat_map(|shelf| shelf.manifest().into_iter().map(move |rejected| (shelf, rejected)))
}

fn text(report: &Report) -> String {
    render::text(report, render::Colors::Never)
}

#[test]
fn every_rejected_trace_is_refused_at_its_line_by_its_requirement() {
    let mut wrong = Vec::new();
    for (shelf, rejected) in each() {
        let report = shelf.judge("rejected", &rejected.trace, &[]);
        let text = format!("{}: {}\n{}", rejected.trace, rejected.story, text(&report));
        let Some(divergence) = report.divergence else {
            wrong.push(format!("not refused: {text}"));
            continue;
        };
        let found = (divergence.line.place.line, divergence.requirement.map(|it| it.id().to_owned()));
        if found != (rejected.line, rejected.requirement.clone()) {
            wrong.push(format!("refused by something else: {text}"));
        }
        if let [only] = shelf.guards_of(&rejected)[..]
            && divergence.check.as_deref() != Some(only)
        {
            wrong.push(format!("refused by {:?}, not by {only}: {text}", divergence.check));
        }
        for variant in &rejected.explained_by {
            if !divergence.explained_by.iter().any(|explanation| explanation.variant == *variant) {
                wrong.push(format!("no behaviour of {variant}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The page in a row has an incarnation, and some rules know none.
#[test]
fn a_row_is_held_against_what_the_rules_know_of_it() {
    let explained_with = |page: Value| {
        let mut lines = SNAPSHOTS.lines("rejected", "save-3-late-save-after-reset");
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
    for (shelf, rejected) in each().filter(|(_, rejected)| !rejected.without.is_empty()) {
        let guards = shelf.guards_of(&rejected);
        let report = shelf.judge("rejected", &rejected.trace, &guards);
        assert_eq!(report.verdict, Verdict::Conforms, "{}\n{}", rejected.trace, text(&report));
        // Each of a pair must be needed.
        for left in guards.iter().filter(|_| guards.len() > 1) {
            let others: Vec<&str> = guards.iter().copied().filter(|guard| guard != left).collect();
            let report = shelf.judge("rejected", &rejected.trace, &others);
            assert_eq!(report.verdict, Verdict::Diverges, "{}: {left} is not needed", rejected.trace);
        }
    }
}

#[test]
fn save_5_every_guard_refuses_some_trace() {
    for shelf in SHELVES {
        let manifest = shelf.manifest();
        let met: BTreeSet<&str> = manifest.iter().flat_map(|rejected| shelf.guards_of(rejected)).collect();
        for guard in shelf.guards() {
            let excuse = shelf.without_a_trace.iter().find(|(name, _)| *name == guard);
            assert_ne!(met.contains(guard), excuse.is_some(), "{guard}: {excuse:?}");
        }
    }
}

/// What a refusal says, and what only a done step says: where the outcome differs, so do these.
const WITH_THE_OUTCOME: [&str; 4] = ["outcome", "because", "launch", "conclusion"];

#[test]
fn every_hand_written_trace_has_an_accepted_twin_that_differs_in_one_field_or_in_one_outcome() {
    for (shelf, rejected) in each() {
        let report = shelf.judge("accepted", &rejected.trace, &[]);
        assert_eq!(report.verdict, Verdict::Conforms, "{}\n{}", rejected.trace, text(&report));
        let [bad, good] = ["rejected", "accepted"].map(|kind| shelf.lines(kind, &rejected.trace));
        assert_eq!(bad.len(), good.len(), "{}", rejected.trace);
        let lines = bad.iter().zip(&good).map(|(bad, good)| differing(bad, good)).filter(|fields| !fields.is_empty());
        let lines: Vec<Vec<String>> = lines.collect();
        let [fields] = &lines[..] else { panic!("{}: {} lines differ", rejected.trace, lines.len()) };
        let is_an_outcome = fields.iter().any(|field| field == "outcome")
            && fields.iter().all(|field| WITH_THE_OUTCOME.contains(&field.as_str()));
        assert!(fields.len() == 1 || is_an_outcome, "{}: {fields:?}", rejected.trace);
    }
}

#[test]
fn the_folders_hold_what_the_manifests_say() {
    for shelf in SHELVES {
        let named: BTreeSet<String> = shelf.manifest().iter().map(|rejected| rejected.trace.clone()).collect();
        let found = |kind: &str| -> BTreeSet<String> {
            let files = fs::read_dir(shelf.folder().join(kind)).expect("the folder is there");
            let name = |file: fs::DirEntry| file.path().file_stem().expect("a name").to_string_lossy().into_owned();
            files.map(|file| name(file.expect("a file"))).collect()
        };
        assert_eq!(found("rejected"), named);
        for accepted in found("accepted") {
            assert_eq!(shelf.judge("accepted", &accepted, &[]).verdict, Verdict::Conforms, "{accepted}");
        }
    }
}

#[test]
fn the_public_cases_are_among_them() {
    for shelf in SHELVES {
        let cases: BTreeSet<u32> = shelf.manifest().iter().filter_map(|rejected| rejected.case).collect();
        assert_eq!(cases, shelf.cases.iter().copied().collect(), "{}", shelf.folder);
    }
}

/// Variants of operations of which no trace can tell, and why.
const UNSEEN: [(&str, &str); 2] = [
    ("gate-held-over-io", "who leaves its work to another says nothing"),
    ("predispatch-failure-keeps-claim", "what it does is less, and nobody says what was not done"),
];

#[test]
fn every_variant_of_operations_that_a_trace_can_show_explains_some_rejected_trace() {
    let manifest = OPERATIONS.manifest();
    let shown: BTreeSet<&str> = manifest.iter().flat_map(|it| it.explained_by.iter().map(String::as_str)).collect();
    for (variant, _) in operation::variants::VARIANTS {
        let excuse = UNSEEN.iter().find(|(name, _)| *name == variant.name);
        let is_right = variant.name == "right";
        assert_ne!(shown.contains(variant.name) || is_right, excuse.is_some(), "{}: {excuse:?}", variant.name);
    }
}

fn differing(bad: &Map<String, Value>, good: &Map<String, Value>) -> Vec<String> {
    let fields: BTreeSet<&String> = bad.keys().chain(good.keys()).collect();
    fields.into_iter().filter(|field| bad.get(*field) != good.get(*field)).cloned().collect()
}
