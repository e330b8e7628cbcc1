//! The reviewed table, and two other ways to the same numbers: a search without any of our tricks, and stateright.

use outlive_model_check::engine::limits::Limits;
use outlive_model_check::registry::teardown::bounds_of;
use outlive_model_check::registry::{Ask, Profile};
use outlive_model_check::report::reviewed::{self, Row};
use outlive_spec::protocol::Broken;
use outlive_spec::second_opinion::SecondOpinion;
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::bounds::{Bounds, LEAST};
use outlive_spec::teardown::check::{Check, Checks};
use outlive_spec::teardown::properties::Holds;
use outlive_spec::teardown::rules::Rules;
use outlive_spec::teardown::state::World;
use outlive_spec::teardown::variants::{RIGHT, VARIANTS};
use stateright::{Checker, Model};

use crate::naive::naive;
use crate::{common, family, small};

fn reviewed(profile: Profile) -> Vec<Row> {
    reviewed::parse(family().reviewed(profile)).expect("the reviewed table")
}

/// What the whole check of one variant finds.
fn row(variant: usize, profile: Profile) -> Row {
    let limits = Limits::default();
    let ask = Ask { variant, profile, properties: Broken(u64::MAX), limits, threads: 1, symmetry: false };
    Row::from(&family().check(&ask, &mut |_| ()))
}

/// A row without what must come about, which a search for what must hold does not look at.
fn safety(row: &Row) -> Row {
    let lengths = row.lengths.iter().filter(|(_, length)| length.cycle.is_none());
    Row { lengths: lengths.map(|(name, length)| (name.clone(), *length)).collect(), ..row.clone() }
}

fn variants() -> Vec<usize> {
    (0..VARIANTS.len()).collect()
}

#[test]
fn every_variant_breaks_what_was_reviewed_in_as_many_steps() {
    let (sender, receiver) = std::sync::mpsc::channel();
    common::for_each(&variants(), |variant| {
        sender.send(row(*variant, Profile::Smoke)).expect("the receiver waits");
    });
    drop(sender);
    let found: Vec<Row> = receiver.iter().collect();
    let differences = reviewed::differences(&reviewed(Profile::Smoke), &found);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_property_is_broken_by_the_variant_that_it_names() {
    for profile in [Profile::Smoke, Profile::Ci] {
        let table = reviewed(profile);
        for property in family().properties() {
            let row = table.iter().find(|row| row.variant == property.broken_by).expect("a variant of that name");
            assert!(row.lengths.contains_key(property.name), "{} does not break {}", row.variant, property.name);
        }
    }
}

#[test]
fn every_variant_but_the_right_one_breaks_something_at_either_bounds() {
    let (small, large) = (reviewed(Profile::Smoke), reviewed(Profile::Ci));
    assert_eq!((small.len(), large.len()), (VARIANTS.len(), VARIANTS.len()));
    assert!(small[0].lengths.is_empty());
    for (row, large) in small.iter().zip(&large).skip(1) {
        assert!(!row.lengths.is_empty(), "{} is no variant, it holds", row.variant);
        let is_kept = |(name, length)| large.lengths.get(name) == Some(length);
        assert!(row.lengths.iter().all(is_kept), "the small bounds show another harm: {row}, {large}");
    }
}

#[test]
fn a_search_without_packing_finds_the_same_lengths() {
    let table = reviewed(Profile::Smoke);
    common::for_each(&variants(), |&variant| {
        assert_eq!(naive(VARIANTS[variant].0.name, &small(variant)), safety(&table[variant]));
    });
}

#[test]
fn stateright_counts_the_same_states() {
    // Two of everything that the default bounds have more than one of, where one owner has one kind of provider.
    let wide = Bounds { worlds: &[World::Atomic], owners: 1, tokens: 1, workers: 2, page: 2, ..LEAST };
    let wide = Bounds { instances: 2, outsiders: 1, deadlines: true, nodes: true, ..wide };
    for protocol in [small(0), Teardowns { rules: RIGHT, bounds: wide }] {
        let theirs = SecondOpinion(protocol).checker().spawn_bfs().join();
        assert_eq!(theirs.unique_state_count(), common::search_all(&protocol).statistics.states);
        assert!(theirs.discoveries().is_empty());
    }
}

#[test]
fn stateright_finds_every_variant_broken_whose_harm_a_step_shows() {
    let table = reviewed(Profile::Smoke);
    common::for_each(&variants()[1..], |&variant| {
        let known = safety(&table[variant]);
        let is_shown = known.lengths.keys().any(|property| property != "settled-is-reachable");
        let theirs = SecondOpinion(small(variant)).checker().spawn_bfs().join();
        assert_eq!(theirs.discoveries().contains_key("every property holds"), is_shown, "{}", known.variant);
    });
}

/// The two rules that were shipped one after the other for whoever is found in the place of the dead.
#[test]
fn reconcile_30_neither_to_forget_nor_to_chase_whoever_is_found_is_right() {
    let broken = |name: &str| {
        let place = variants().into_iter().find(|place| VARIANTS[*place].0.name == name).expect("a variant");
        let protocol = small(place);
        common::lengths(&protocol, &common::search_all(&protocol)).into_keys().collect::<Vec<_>>()
    };
    assert_eq!(broken("release-on-replaced"), ["seen-is-kept-in-sight"]);
    assert_eq!(broken("chase-on-replaced"), ["one-pointer", "only-the-licensed-are-killed"]);
    assert_eq!(broken("chase-the-unnamed"), ["only-the-licensed-are-killed"]);
}

/// Each alone is enough; both together are needed where neither is.
#[test]
fn reconcile_24_a_request_is_dated_by_its_trash_and_voided_by_a_restore() {
    let bounds = bounds_of("request-outlives-the-restore", Profile::Smoke);
    let holds = |rules: Rules| {
        let outcome = common::search_all(&Teardowns { rules, bounds });
        !outcome.violations.iter().any(|found| found.property == Holds::OnlyTheLicensedAreKilled as usize)
    };
    let unvoided = Rules { voids: false, ..RIGHT };
    let undated = Rules { without: Checks::of(&[Check::RequestIsOfThisTrash]), ..RIGHT };
    assert!(holds(unvoided), "the trash count alone");
    assert!(holds(undated), "the voiding alone");
    assert!(!holds(Rules { voids: false, ..undated }), "neither");
}
