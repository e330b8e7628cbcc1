//! What could have been written instead is refused, but for what is a behaviour of the model as well.
//!
//! Walks of the model and every accepted trace are spoiled, one event at a time. All of them are given to a second
//! judge (`naive.rs`), which knows no index and no bounds: for every survivor it must find a behaviour, and for none
//! that was refused. So no survivor is a hole in the fast judge; why such a trace can be legal is said of each mutation
//! in `mutate.rs`. The kill rate is that of the spoiled traces for which the second judge finds no behaviour.
//!
//! How much was refused, and by which guard, stands in `kill-rates`, which `docs/conformance.md` shows.
//! `UPDATE_DOCS=1 cargo test -p outlive-model-check --test conform` rewrites it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use outlive_model_check::conform::mutate::{Events, Mutation, mutate};
use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check, operation, render, snapshot};
use outlive_model_check::random::Random;

use crate::naive;
use crate::traces::{OPERATIONS, SNAPSHOTS, Shelf};

/// Spoiled walks of each mutation.
const WALKS: usize = 150;
/// Tries at each accepted trace, for each mutation.
const TRIES: usize = 5;
const SEED: u64 = 20_261_130;

/// A protocol whose traces are spoiled.
struct Spoiled {
    protocol: &'static str,
    shelf: &'static Shelf,
    walk: fn(u64, usize) -> Good,
    /// The second judge.
    conforms: fn(&Events) -> bool,
    floors: &'static [(Mutation, usize, usize)],
}

const OF_SNAPSHOTS: Spoiled = Spoiled {
    protocol: "snapshot",
    shelf: &SNAPSHOTS,
    walk: |seed, computers| {
        let walk = snapshot::walk::Walk::new(seed, snapshot::walk::Size { computers, gateways: 2, events: 40 });
        Good { header: walk.header(), events: walk.map(|line| event(&line)).collect() }
    },
    conforms: naive::snapshot::conforms,
    floors: &FLOORS_OF_SNAPSHOTS,
};

const OF_OPERATIONS: Spoiled = Spoiled {
    protocol: "operation",
    shelf: &OPERATIONS,
    walk: |seed, computers| {
        let size = operation::walk::Size { computers, gateways: 2, deaths: 1, events: 40 };
        let walk = operation::walk::Walk::new(seed, size);
        Good { header: walk.header(), events: walk.map(|line| event(&line)).collect() }
    },
    conforms: naive::operation::conforms,
    floors: &FLOORS_OF_OPERATIONS,
};

/// In percent, the least of each mutation that must be refused, of walks and of accepted traces.
const FLOORS_OF_SNAPSHOTS: [(Mutation, usize, usize); 13] = [
    (Mutation::Drop, 40, 40),
    (Mutation::Duplicate, 40, 40),
    (Mutation::Reorder, 40, 40),
    (Mutation::StaleGeneration, 80, 80),
    (Mutation::SwappedIncarnation, 80, 80),
    (Mutation::FlippedOutcome, 90, 90),
    (Mutation::ForgedExpectation, 80, 80),
    (Mutation::ForgedMinting, 80, 60),
    // Few of the accepted traces refuse what has several possible reasons, and none shows a row.
    (Mutation::ForgedCause, 100, 0),
    (Mutation::ForgedRow, 100, 0),
    // Only one of the accepted traces has two computers.
    (Mutation::SwappedComputer, 60, 0),
    (Mutation::OtherLife, 80, 80),
    // Of the accepted traces one names its operations.
    (Mutation::OtherOperation, 80, 25),
];

/// The same of operations.
const FLOORS_OF_OPERATIONS: [(Mutation, usize, usize); 15] = [
    (Mutation::Drop, 35, 40),
    (Mutation::Duplicate, 35, 60),
    (Mutation::Reorder, 20, 60),
    (Mutation::FlippedOutcome, 90, 80),
    (Mutation::ForgedCause, 100, 0),
    (Mutation::ForgedRow, 100, 0),
    (Mutation::SwappedComputer, 60, 0),
    (Mutation::SwappedLaunch, 60, 80),
    (Mutation::ForgedRevision, 90, 90),
    (Mutation::ForgedMark, 40, 60),
    (Mutation::OtherCondition, 60, 60),
    (Mutation::OtherEnding, 60, 60),
    (Mutation::OtherConclusion, 90, 90),
    (Mutation::OtherKind, 60, 60),
    (Mutation::OtherProcess, 25, 25),
];

/// A trace that conforms.
struct Good {
    header: String,
    events: Events,
}

/// What became of spoiled traces.
#[derive(Default)]
struct Killed {
    tried: usize,
    refused: usize,
    /// What is no behaviour, and was taken.
    missed: Vec<String>,
    /// By the action of the event that was spoiled.
    survivors: BTreeMap<String, usize>,
}

/// Every accepted trace of the repository.
fn accepted(shelf: &Shelf) -> Vec<Good> {
    let files = fs::read_dir(shelf.folder().join("accepted")).expect("the folder is there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a trace can be read");
        let (header, events) = text.split_once('\n').expect("a trace has a header");
        Good { header: header.to_owned(), events: events.lines().map(event).collect() }
    };
    files.iter().map(read).collect()
}

impl Killed {
    fn rate(&self) -> usize {
        100 * self.refused / self.tried.max(1)
    }

    /// Of those that are no behaviour, how many of a thousand are refused.
    fn kill_rate(&self) -> String {
        let no_behaviours = self.refused + self.missed.len();
        format!("{:.1} % of {no_behaviours}", 100.0 * self.refused as f64 / no_behaviours.max(1) as f64)
    }

    fn and(mut self, other: Killed) -> Killed {
        self.tried += other.tried;
        self.refused += other.refused;
        self.missed.extend(other.missed);
        for (action, count) in other.survivors {
            *self.survivors.entry(action).or_default() += count;
        }
        self
    }

    fn survivors(&self) -> String {
        let survivors: Vec<String> = self.survivors.iter().map(|(action, count)| format!("{action} {count}")).collect();
        if survivors.is_empty() { "-".to_owned() } else { survivors.join(", ") }
    }
}

/// Spoils a trace, if the random choice can be spoiled so, and judges it twice.
fn spoil(of: &Spoiled, mutation: Mutation, good: &Good, random: &mut Random, killed: &mut Killed, guards: &mut Guards) {
    let Some((mutated, at)) = mutate(mutation, &good.events, random) else { return };
    killed.tried += 1;
    let report = judge(&good.header, &mutated);
    let text = || render::text(&report, render::Colors::Never);
    match report.verdict {
        Verdict::Diverges => {
            killed.refused += 1;
            assert!(!(of.conforms)(&mutated), "{} at {at}: a behaviour\n{}", mutation.name(), text());
            let divergence = report.divergence.expect("it diverges somewhere");
            *guards.entry(divergence.check.unwrap_or_else(|| divergence.compares.clone())).or_default() += 1;
        }
        Verdict::Conforms | Verdict::NothingChecked => {
            if !(of.conforms)(&mutated) {
                killed.missed.push(format!("{} at {at}: no behaviour\n{}", mutation.name(), text()));
                return;
            }
            let action = mutated.get(at).and_then(|event| event["action"].as_str()).unwrap_or("the last");
            *killed.survivors.entry(action.to_owned()).or_default() += 1;
        }
        Verdict::DangerMissing | Verdict::Inconclusive | Verdict::Unreadable => {
            panic!("{} at {at}\n{}", mutation.name(), text())
        }
    }
}

/// How often each guard has refused.
type Guards = BTreeMap<String, usize>;

#[test]
fn spoiled_traces_of_snapshots_are_refused_or_are_behaviours() {
    are_refused_or_are_behaviours(&OF_SNAPSHOTS);
}

#[test]
fn spoiled_traces_of_operations_are_refused_or_are_behaviours() {
    are_refused_or_are_behaviours(&OF_OPERATIONS);
}

fn are_refused_or_are_behaviours(of: &Spoiled) {
    let accepted = accepted(of.shelf);
    let (mut random, mut guards) = (Random::new(SEED), Guards::new());
    let mut table = String::new();
    let mut all = Killed::default();
    let mut too_low = Vec::new();
    let is_tried = |all: Mutation| of.floors.iter().any(|(it, ..)| *it == all);
    assert!(Mutation::of(of.protocol).all(is_tried), "a mutation is left out");
    for &(mutation, of_walks, of_accepted) in of.floors {
        let (mut walks, mut traces) = (Killed::default(), Killed::default());
        let computers = if mutation == Mutation::SwappedComputer { 2 } else { 1 };
        while walks.tried < WALKS {
            let good = (of.walk)(random.number(), computers);
            spoil(of, mutation, &good, &mut random, &mut walks, &mut guards);
        }
        for good in accepted.iter().flat_map(|good| std::iter::repeat_n(good, TRIES)) {
            spoil(of, mutation, good, &mut random, &mut traces, &mut guards);
        }
        for (killed, floor) in [(&walks, of_walks), (&traces, of_accepted)] {
            if killed.rate() < floor {
                too_low.push(format!("{}: {} % of {}, not {floor} %", mutation.name(), killed.rate(), killed.tried));
            }
        }
        let (of_walks, of_traces) = (walks.rate(), traces.rate());
        let spoiled = format!("{of_walks} % of {} | {of_traces} % of {}", walks.tried, traces.tried);
        let both = walks.and(traces);
        let (rate, survivors) = (both.kill_rate(), both.survivors());
        table += &format!("| {} | {spoiled} | {rate} | {survivors} | {} |\n", mutation.name(), mutation.survives());
        all = all.and(both);
    }
    let head = format!(
        "Kill rate: **{}** spoiled traces that are no behaviour; the other {} of {} are behaviours of the model.\n\n\
         | mutation | walks refused | accepted traces refused | kill rate | these survive | why they may |\n\
         |---|---|---|---|---|---|\n",
        all.kill_rate(),
        all.survivors.values().sum::<usize>(),
        all.tried,
    );
    println!("{head}{table}");
    assert!(all.missed.is_empty(), "{}", all.missed.join("\n"));
    assert!(too_low.is_empty(), "{}", too_low.join("\n"));
    compare(of, &(head + &table + "\n" + &by_guard(of, &guards)));
}

/// Each guard with the number of spoiled traces that it has refused.
fn by_guard(of: &Spoiled, guards: &Guards) -> String {
    let mut table = "| refused by | times |\n|---|---|\n".to_owned();
    let known = of.shelf.guards();
    // Which of the others no line can meet, or one field cannot, `traces.rs` says.
    for name in known.iter().filter(|name| guards.contains_key(**name)) {
        table += &format!("| `{name}` | {} |\n", guards[*name]);
    }
    let others = guards.iter().filter(|(name, _)| !known.contains(&name.as_str()));
    table + &others.map(|(name, count)| format!("| {name} | {count} |\n")).collect::<String>()
}

fn compare(of: &Spoiled, table: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conform/kill-rates");
    let path = folder.join(format!("{}.md", of.protocol));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, table).expect("the table can be written");
    }
    let committed = fs::read_to_string(&path).expect("the table is committed");
    assert!(committed == table, "the rates have changed; UPDATE_DOCS=1 rewrites them:\n{table}");
}

fn judge(header: &str, events: &Events) -> Report {
    let lines = events.iter().map(|event| serde_json::to_string(event).expect("an event is JSON") + "\n");
    check(&[Input::text("spoiled", format!("{header}\n{}", lines.collect::<String>()))], &Options::default())
}

fn event(line: &str) -> serde_json::Map<String, serde_json::Value> {
    serde_json::from_str(line).expect("a line is an object")
}

#[test]
fn a_line_that_is_dropped_or_doubled_leaves_a_gap() {
    let mut random = Random::new(SEED);
    for _ in 0..200 {
        let size = snapshot::walk::Size { computers: 3, gateways: 2, events: 40 };
        let text = snapshot::walk::Walk::new(random.number(), size).text();
        let mut lines: Vec<&str> = text.lines().collect();
        // The last event of a process may be missing without a trace, for it may not have happened yet.
        let at = 1 + random.below(20);
        let speaker = |line: &str| event(line)["process"].clone();
        let is_last = !lines[at + 1..].iter().any(|line| speaker(line) == speaker(lines[at]));
        match random.is_chosen(500) && !is_last {
            true => drop(lines.remove(at)),
            false => lines.insert(at, lines[at]),
        }
        let report = check(&[Input::text("gap", lines.join("\n"))], &Options::default());
        assert_eq!(report.verdict, Verdict::Unreadable, "line {at}");
    }
}
