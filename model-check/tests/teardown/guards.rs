//! Every guard is needed: where it alone is left out, something notices. Most are noticed by the search, and what it
//! then finds is reviewed; the others are listed with the reason.

use std::sync::mpsc;

use outlive_model_check::registry::teardown::endless;
use outlive_model_check::report::reviewed::{self, Row};
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::bounds::{Bounds, LEAST};
use outlive_spec::teardown::check::{Check, Checks};
use outlive_spec::teardown::rules::Rules;
use outlive_spec::teardown::state::World;
use outlive_spec::teardown::variants::RIGHT;

use crate::common;

/// What the right rules break without each guard. People edit this file, no command does.
const REVIEWED: &str = include_str!("../tables/teardown.guards.txt");

/// A search demands what can be asked for, sends what its author has, delivers only what was sent and shows only what
/// is so: a lie is proposed by nobody. These guards judge what an implementation says of itself.
const BY_TRACES: &[Check] = &[
    Check::OwnerIsNext,
    Check::OwnerIsActive,
    Check::OwnerIsTrashed,
    Check::PurgeIsOfTheTrashed,
    Check::TokenIsNew,
    Check::CreateWasSent,
    Check::NameIsHeldByOne,
    Check::InstanceIsNew,
    Check::IntentIsOpen,
    Check::AnswerIsTrue,
    Check::QuarantineIsConfirmed,
    Check::ListIsTrue,
    Check::WorkerIsIdle,
    Check::ErrandIsThis,
    Check::ClaimIsOfThisInstance,
    Check::ClaimIsOfTheLiving,
    Check::KillWasSent,
    Check::NodeIsReached,
    Check::DeleteIsUnderWay,
    Check::ConditionIsSo,
    Check::HearIsTrue,
];

/// Guards that refuse early what leads nowhere: an intent under an owner that is not active is one that was noted
/// before the owner was trashed. A caller is told sooner, and nothing else differs.
const EARLY: &[Check] = &[Check::IntendIsOfTheActive];

/// Guards whose absence harms nothing as long as something else stands, with the rules without that.
const IN_PAIRS: &[(Check, Rules)] = &[
    // A request that outlives its trash harms nobody as long as a restore voids it.
    (Check::RequestIsOfThisTrash, Rules { voids: false, ..RIGHT }),
];

fn bounds_without(check: Check) -> Bounds {
    let bounds = Bounds { worlds: &[World::Atomic], owners: 1, tokens: 2, ..LEAST };
    let among = |checks: &[Check]| checks.contains(&check);
    if among(&[Check::RecordIsForItsOwner]) {
        Bounds { owners: 2, ..bounds }
    } else if among(&[Check::DeadlineHasPassed, Check::RenewIsOfTheLiving]) {
        Bounds { deadlines: true, ..bounds }
    } else if among(&[Check::RequestIsOfThisTrash]) {
        Bounds { trashes: 2, ..bounds }
    } else if among(&[Check::NameIsFreeOfDeletes, Check::NothingIsBeingCreated]) {
        Bounds { worlds: &[World::CheckThenAct], ..bounds }
    } else if among(&[Check::QuarantineIsUnnamed, Check::NothingIsAdopted]) {
        Bounds { tokens: 1, instances: 1, ..bounds }
    } else {
        bounds
    }
}

fn row_without(name: &str, rules: Rules, bounds: Bounds) -> Row {
    let protocol = Teardowns { rules, bounds };
    let outcome = common::search_all(&protocol);
    let mut lengths = common::lengths(&protocol, &outcome);
    lengths.extend(common::endless_lengths(&endless(protocol)));
    Row { variant: name.to_owned(), states: outcome.statistics.states, lengths }
}

fn alone(check: Check) -> Row {
    row_without(check.name(), Rules { without: Checks::of(&[check]), ..RIGHT }, bounds_without(check))
}

#[test]
fn each_guard_left_out_alone_breaks_what_was_reviewed_in_as_many_steps() {
    let (sender, receiver) = mpsc::channel();
    common::for_each(Check::ALL, |&check| {
        sender.send(alone(check)).expect("the receiver waits");
    });
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
    let in_pairs = IN_PAIRS.iter().map(|(check, _)| check);
    let mut listed: Vec<&str> = BY_TRACES.iter().chain(EARLY).chain(in_pairs).map(|it| it.name()).collect();
    unnoticed.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, unnoticed);
}

#[test]
fn a_guard_that_something_else_stands_in_for_is_noticed_where_both_are_left_out() {
    for &(check, rules) in IN_PAIRS {
        let without = rules.without.and(Checks::of(&[check]));
        let row = row_without(check.name(), Rules { without, ..rules }, bounds_without(check));
        assert!(row.lengths.contains_key("only-the-licensed-are-killed"), "{row}");
    }
}

#[test]
fn a_guard_that_refuses_early_changes_no_state() {
    for &check in EARLY {
        let right = row_without(check.name(), RIGHT, bounds_without(check));
        assert_eq!(alone(check), right);
    }
}
