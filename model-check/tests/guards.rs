//! Every guard is needed: where it alone is left out, something notices. Most are noticed by the search, and what it
//! then finds is reviewed; the others are listed with who notices.

mod common;
#[path = "common/noticed.rs"]
mod noticed;

use std::sync::mpsc;

use noticed::{BY_TRACES, BY_VARIANTS, ByVariant};
use outlive_model_check::registry::snapshot::bounds_of_loops;
use outlive_model_check::report::reviewed::{self, Row};
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::SMOKE;
use outlive_spec::snapshot::check::{Check, Checks};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::RIGHT;

/// What the right rules break without each guard. People edit this file, no command does.
const REVIEWED: &str = include_str!("tables/snapshot.guards.txt");

fn row_without(rules: Rules, check: Check) -> Row {
    let protocol =
        Snapshot { rules: Rules { without: rules.without.and(Checks::of(&[check])), ..rules }, bounds: SMOKE };
    let outcome = common::search_all(&protocol);
    let lengths = common::lengths(&protocol, &outcome);
    Row { variant: check.name().to_owned(), states: outcome.statistics.states, lengths }
}

#[test]
fn each_guard_left_out_alone_breaks_what_was_reviewed_in_as_many_steps() {
    let (sender, receiver) = mpsc::channel();
    common::for_each(Check::ALL, |&check| sender.send(row_without(RIGHT, check)).expect("the receiver waits"));
    drop(sender);
    let found: Vec<Row> = receiver.iter().collect();
    let table = reviewed::parse(REVIEWED).expect("the reviewed table");
    let differences = reviewed::differences(&table, &found);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_guard_that_no_search_misses_is_listed_with_who_notices_and_no_other_is() {
    let table = reviewed::parse(REVIEWED).expect("the reviewed table");
    let unnoticed = table.iter().filter(|row| row.lengths.is_empty()).map(|row| row.variant.as_str());
    let listed = BY_TRACES.iter().chain(BY_VARIANTS.iter().map(|noticed| &noticed.check)).map(|check| check.name());
    let (mut unnoticed, mut listed): (Vec<&str>, Vec<&str>) = (unnoticed.collect(), listed.collect());
    unnoticed.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, unnoticed);
}

#[test]
fn a_guard_that_only_a_variant_comes_to_changes_when_it_breaks() {
    for &ByVariant { check, variant, with, without } in BY_VARIANTS {
        let rules = common::rules(variant);
        let crippled = Rules { without: rules.without.and(Checks::of(&[check])), ..rules };
        for (rules, reviewed) in [(rules, with), (crippled, without)] {
            let mut found = common::lengths(&Snapshot { rules, bounds: SMOKE }, &common::search_snapshot(rules, SMOKE));
            found.append(&mut common::endless_lengths(&Snapshot { rules, bounds: bounds_of_loops(variant) }));
            let found: Vec<String> = found.iter().map(|(name, length)| format!("{name}={length}")).collect();
            assert_eq!(found, reviewed, "{variant}, {}", check.name());
        }
    }
}
