//! What could have been written instead is refused, but for what is a behaviour of the model as well.
//!
//! Every survivor is given to a second judge (`naive.rs`), which knows no index and no bounds: it must find a behaviour
//! for it. So no survivor is a hole in the fast judge. What they are is counted below: a read that changes nothing,
//! said twice or not at all; a message that is sent twice; two steps that do not touch each other; a last page that
//! nobody asks for any more.

use std::collections::BTreeMap;

use outlive_model_check::conform::mutate::{Events, Mutation, mutate};
use outlive_model_check::conform::random::Random;
use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::walk::{Size, Walk};
use outlive_model_check::conform::{Input, Options, check, render};

use crate::naive;

const TRIES: usize = 150;
const SEED: u64 = 20_261_130;

/// In percent, the least of each mutation that must be refused, if the rows are in the trace.
const FLOORS: [(Mutation, usize); 8] = [
    (Mutation::Drop, 40),
    (Mutation::Duplicate, 40),
    (Mutation::Reorder, 40),
    (Mutation::StaleGeneration, 80),
    (Mutation::SwappedIncarnation, 80),
    (Mutation::FlippedOutcome, 90),
    (Mutation::ForgedExpectation, 80),
    (Mutation::OtherLife, 90),
];

fn judge(header: &str, events: &Events) -> Report {
    let mut text = header.to_owned() + "\n";
    for event in events {
        text += &serde_json::to_string(event).expect("an event is JSON");
        text.push('\n');
    }
    check(&[Input::text("mutated", text)], &Options::default())
}

fn events(walk: Walk, has_rows: bool) -> Events {
    let parse = |line: String| {
        let mut event: serde_json::Map<_, _> = serde_json::from_str(&line).expect("a walk writes JSON");
        if !has_rows {
            event.remove("row");
        }
        event
    };
    walk.map(parse).collect()
}

#[test]
fn mutated_walks_are_refused() {
    for has_rows in [true, false] {
        println!("seed {SEED}, rows {}", if has_rows { "observed" } else { "not given" });
        let mut guards = BTreeMap::<String, usize>::new();
        let mut random = Random::new(SEED);
        for (mutation, floor) in FLOORS {
            let (mut tried, mut refused, mut survivors) = (0, 0, BTreeMap::<String, usize>::new());
            while tried < TRIES {
                let walk = Walk::new(random.number(), Size { computers: 1, gateways: 2, events: 40 });
                let header = walk.header();
                let Some((mutated, at)) = mutate(mutation, &events(walk, has_rows), &mut random) else { continue };
                tried += 1;
                let report = judge(&header, &mutated);
                let text = render::text(&report, render::Colors::Never);
                match report.verdict {
                    Verdict::Diverges => {
                        refused += 1;
                        let divergence = report.divergence.expect("it diverges somewhere");
                        *guards.entry(divergence.check.unwrap_or("the row".to_owned())).or_default() += 1;
                    }
                    Verdict::Conforms => {
                        assert!(naive::conforms(&mutated), "{} at {at}: no behaviour\n{text}", mutation.name());
                        let what = mutated.get(at).map_or("the last".to_owned(), |event| event["action"].to_string());
                        *survivors.entry(what).or_default() += 1;
                    }
                    Verdict::DangerMissing | Verdict::Inconclusive | Verdict::NothingChecked | Verdict::Unreadable => {
                        panic!("{} at {at}\n{text}", mutation.name())
                    }
                }
            }
            println!(
                "  {:<19} {:>3} % of {tried} refused; survived at {survivors:?}",
                mutation.name(),
                100 * refused / tried
            );
            assert!(!has_rows || 100 * refused >= floor * tried, "{} is below {floor} %", mutation.name());
        }
        println!("  by guard: {guards:?}");
    }
}

#[test]
fn a_line_that_is_dropped_or_doubled_leaves_a_gap() {
    let mut random = Random::new(SEED);
    for _ in 0..200 {
        let text = Walk::new(random.number(), Size { computers: 3, gateways: 2, events: 40 }).text();
        let mut lines: Vec<&str> = text.lines().collect();
        // The last event of a process may be missing without a trace, for it may not have happened yet.
        let at = 1 + random.below(20);
        let speaker = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["process"].clone();
        let is_last = !lines[at + 1..].iter().any(|line| speaker(line) == speaker(lines[at]));
        match random.is_chosen(500) && !is_last {
            true => drop(lines.remove(at)),
            false => lines.insert(at, lines[at]),
        }
        let report = check(&[Input::text("gap", lines.join("\n"))], &Options::default());
        assert_eq!(report.verdict, Verdict::Unreadable, "line {at}");
    }
}
