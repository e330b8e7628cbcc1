//! The reviewed table, and two other ways to the same numbers: a search without any of our tricks, and stateright.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;
#[path = "common/naive.rs"]
mod naive;

use naive::naive;
use outlive_model_check::engine::limits::Limits;
use outlive_model_check::registry::{Ask, FAMILIES, Profile};
use outlive_model_check::report::reviewed::{self, Row};
use outlive_spec::protocol::Broken;
use outlive_spec::second_opinion::SecondOpinion;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{CI, SMOKE};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};
use stateright::{Checker, Model};

fn reviewed_smoke() -> Vec<Row> {
    reviewed::parse(include_str!("tables/snapshot.smoke.txt")).unwrap()
}

/// What the whole check of one variant finds.
fn row(variant: usize, profile: Profile) -> Row {
    let limits = Limits::default();
    let ask = Ask { variant, profile, properties: Broken(u64::MAX), limits, threads: 1, symmetry: false };
    Row::from(&FAMILIES[0].check(&ask, &mut |_| ()))
}

/// A row without what must come about, which a search for what must hold does not look at.
fn safety(row: &Row) -> Row {
    let lengths = row.lengths.iter().filter(|(_, length)| length.cycle.is_none());
    Row { lengths: lengths.map(|(name, length)| (name.clone(), *length)).collect(), ..row.clone() }
}

/// The whole table at the default bounds is the main job's business; it takes minutes where nothing is optimized.
#[test]
fn every_variant_breaks_what_was_reviewed_in_as_many_steps() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let variants: Vec<usize> = (0..VARIANTS.len()).collect();
    common::for_each(&variants, |variant| sender.send(row(*variant, Profile::Smoke)).unwrap());
    drop(sender);
    let found: Vec<Row> = receiver.iter().collect();
    let differences = reviewed::differences(&reviewed_smoke(), &found);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_right_rules_hold_at_the_default_bounds_with_as_many_states_as_reviewed() {
    let table = reviewed::parse(include_str!("tables/snapshot.ci.txt")).unwrap();
    assert_eq!(row(0, Profile::Ci), table[0]);
}

/// Nobody searches for a night on every push. So that a table which was reviewed again leaves no other one behind: what
/// is searched within the same bounds must have the same row, and what is searched further must break the same.
#[test]
fn the_table_of_the_night_says_what_that_of_the_push_says() {
    let table = |profile| reviewed::parse(FAMILIES[0].reviewed(profile)).unwrap();
    let (push, night) = (table(Profile::Ci), table(Profile::Nightly));
    assert_eq!(push.len(), night.len());
    for (place, (push, night)) in push.iter().zip(&night).enumerate() {
        assert_eq!((&push.variant, &push.lengths), (&night.variant, &night.lengths));
        let bounds = |profile| FAMILIES[0].bounds(place, profile);
        let is_the_same_search = bounds(Profile::Ci) == bounds(Profile::Nightly);
        assert_eq!(push.states == night.states, is_the_same_search, "{}", push.variant);
        assert!(push.states <= night.states, "{}", push.variant);
    }
}

#[test]
fn every_property_is_broken_by_the_variant_that_it_names() {
    let table = reviewed::parse(include_str!("tables/snapshot.ci.txt")).unwrap();
    for property in FAMILIES[0].properties() {
        let row = table.iter().find(|row| row.variant == property.broken_by).unwrap();
        assert!(row.lengths.contains_key(property.name), "{} does not break {}", row.variant, property.name);
    }
}

#[test]
fn every_variant_but_the_right_one_breaks_something() {
    let table = reviewed_smoke();
    assert_eq!(table.len(), VARIANTS.len());
    assert!(table[0].lengths.is_empty());
    for row in &table[1..] {
        assert!(!row.lengths.is_empty(), "{} is no variant, it holds", row.variant);
    }
}

#[test]
fn a_search_without_packing_finds_the_same_lengths() {
    let table = reviewed_smoke();
    common::for_each(VARIANTS, |(info, rules)| {
        let known = table.iter().find(|row| row.variant == info.name).unwrap();
        let found = naive(info.name, &Snapshot { rules: *rules, bounds: SMOKE });
        assert_eq!(found, safety(known));
    });
}

#[test]
fn stateright_counts_the_same_states() {
    for bounds in [SMOKE, CI] {
        let protocol = Snapshot { rules: RIGHT, bounds };
        let theirs = SecondOpinion(protocol).checker().spawn_bfs().join();
        assert_eq!(theirs.unique_state_count(), common::search_all(&protocol).statistics.states);
        assert!(theirs.discoveries().is_empty());
    }
}

#[test]
fn stateright_finds_every_variant_broken_whose_harm_a_step_shows() {
    let table = reviewed_smoke();
    common::for_each(&VARIANTS[1..], |(info, rules): &(_, Rules)| {
        let known = table.iter().find(|row| row.variant == info.name).unwrap();
        let is_shown = safety(known).lengths.keys().any(|property| property != "settled-is-reachable");
        let theirs = SecondOpinion(Snapshot { rules: *rules, bounds: SMOKE }).checker().spawn_bfs().join();
        assert_eq!(theirs.discoveries().contains_key("every property holds"), is_shown, "{}", info.name);
    });
}
