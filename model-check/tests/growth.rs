//! Each bound of the default profile raised by one: what it costs, and that no verdict changes.

mod common;

use std::sync::mpsc;

use outlive_model_check::engine::{Question, Verdict, search};
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, CI};
use outlive_spec::snapshot::variants::RIGHT;

/// The reviewed numbers, as the page of bounds shows them.
const REVIEWED: &str = include_str!("tables/snapshot.growth.txt");

#[test]
fn each_bound_raised_by_one_holds_as_well() {
    let (sender, receiver) = mpsc::channel();
    common::for_each(&raised(), |&(name, bounds)| {
        let outcome = search(&Snapshot { rules: RIGHT, bounds }, &Question::EVERYTHING, &mut |_| {});
        assert_eq!(outcome.verdict(), Verdict::Holds, "{name}");
        let line = format!("{name} = {} {}", outcome.statistics.states, outcome.statistics.depth());
        sender.send(line).expect("the receiver waits");
    });
    drop(sender);
    let mut found: Vec<String> = receiver.iter().collect();
    let mut reviewed: Vec<&str> = REVIEWED.lines().filter(|line| !line.starts_with('#')).collect();
    found.sort_unstable();
    reviewed.sort_unstable();
    assert_eq!(found, reviewed);
}

fn raised() -> Vec<(&'static str, Bounds)> {
    vec![
        ("as it is", CI),
        ("one life more", Bounds { lives: CI.lives + 1, ..CI }),
        ("one incarnation more", Bounds { incarnations: CI.incarnations + 1, ..CI }),
        // A process that counts higher, or another gateway, can have more in flight: no cap must hide it.
        ("one generation and one save more", Bounds { generations: CI.generations + 1, saves: CI.saves + 1, ..CI }),
        ("one gateway and one wipe more", Bounds { gateways: CI.gateways + 1, wipes: CI.wipes + 1, ..CI }),
        ("one question more at once", Bounds { questions: CI.questions + 1, ..CI }),
        ("one call more at once", Bounds { calls: CI.calls + 1, ..CI }),
        ("one save more at once", Bounds { saves: CI.saves + 1, ..CI }),
        ("one wipe more at once", Bounds { wipes: CI.wipes + 1, ..CI }),
        ("one act more at once", Bounds { acts: CI.acts + 1, ..CI }),
        ("one page more that agents come back to", Bounds { shown: CI.shown + 1, ..CI }),
    ]
}
