//! Every guard is needed: where it alone is left out, something notices. Most are noticed by the search, and what it
//! then finds is reviewed; the others are listed with the reason.

use std::sync::mpsc;

use outlive_model_check::report::reviewed::{self, Row};
use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::{Bounds, SMOKE};
use outlive_spec::operation::check::{Check, Checks};
use outlive_spec::operation::rules::Rules;
use outlive_spec::operation::variants::RIGHT;

use crate::common;

/// What the right rules break without each guard. People edit this file, no command does.
const REVIEWED: &str = include_str!("../tables/operation.guards.txt");

/// A search sends what its author has, delivers only what was sent and shows only what is so: a lie is proposed by
/// nobody. These guards judge what an implementation says of itself.
const BY_TRACES: &[Check] = &[
    Check::StartMintsNext,
    Check::ReadIsTrue,
    Check::CallIsOurs,
    Check::CallWasSent,
    Check::GetIsTrue,
    Check::ReportIsTrue,
    Check::ReportWasSent,
    Check::GatewayLives,
    Check::GatewayIsNew,
];

/// Guards that keep two gateways apart. The others break in as many steps where there is but one, until it dies.
const BETWEEN_GATEWAYS: &[Check] = &[Check::SettleIsOurs, Check::RecoverFromTheDead];

fn row_without(check: Check) -> Row {
    let bounds = match check {
        check if BETWEEN_GATEWAYS.contains(&check) => Bounds { marks: 0, reports: 0, ..SMOKE },
        _ => Bounds { gateways: 1, lives: 2, ..SMOKE },
    };
    let protocol = Operations { rules: Rules { without: Checks::of(&[check]), ..RIGHT }, bounds };
    let outcome = common::search_all(&protocol);
    let lengths = common::lengths(&protocol, &outcome);
    Row { variant: check.name().to_owned(), states: outcome.statistics.states, lengths }
}

#[test]
fn each_guard_left_out_alone_breaks_what_was_reviewed_in_as_many_steps() {
    let (sender, receiver) = mpsc::channel();
    common::for_each(Check::ALL, |&check| sender.send(row_without(check)).expect("the receiver waits"));
    drop(sender);
    let found: Vec<Row> = receiver.iter().collect();
    let table = reviewed::parse(REVIEWED).expect("the reviewed table");
    let differences = reviewed::differences(&table, &found);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_guard_that_no_search_misses_is_listed_and_no_other_is() {
    let table = reviewed::parse(REVIEWED).expect("the reviewed table");
    let mut unnoticed: Vec<&str> =
        table.iter().filter(|row| row.lengths.is_empty()).map(|row| row.variant.as_str()).collect();
    let mut listed: Vec<&str> = BY_TRACES.iter().map(|check| check.name()).collect();
    unnoticed.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, unnoticed);
}
