//! The invariant of the snapshot protocol is inductive, says no more than it must, and would not be inductive of other
//! rules.

mod common;

use std::collections::HashSet;
use std::sync::mpsc;

use outlive_model_check::engine::induction::induct;
use outlive_model_check::registry::{FAMILIES, Profile};
use outlive_model_check::report::reviewed;
use outlive_spec::induction::{Clause, Inductive, Scope};
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::SMOKE;
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::state::{Gateway, Generation, Incarnation, Life, State};
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};

const WORLD: Scope = Scope { ids: 2, counts: 1, messages: 2 };

/// What only rejected variants write is not in the world, and this clause says so.
const OF_THE_WORLD: &str = "only_what_the_rules_write";

fn snapshot(rules: Rules) -> Snapshot {
    Snapshot { rules, bounds: SMOKE }
}

/// Whether a step leads out of the clauses: in a world with one message if it can be seen there, which is small.
fn leads_out(rules: Rules, clauses: &[Clause<State>]) -> bool {
    let in_world = |messages| induct(&snapshot(rules), clauses, Scope { messages, ..WORLD }, &mut |_| ());
    (1..=WORLD.messages).any(|messages| in_world(messages).broken.is_some())
}

#[test]
fn the_invariant_is_kept_by_every_step_of_every_state() {
    let found = induct(&snapshot(RIGHT), snapshot(RIGHT).clauses(), WORLD, &mut |_| ());
    assert!(found.broken.is_none(), "{:#?}", found.broken);
    assert_eq!((found.states, found.steps), (1_106_938, 14_716_024), "reviewed");
}

#[test]
fn the_invariant_is_true_of_every_state_that_can_be_reached() {
    let protocol = snapshot(RIGHT);
    let mut seen = 0;
    common::for_each_state(&protocol, usize::MAX, |state| {
        seen += 1;
        for clause in protocol.clauses() {
            assert!((clause.holds)(state), "{} is not true of {state:?}", clause.name);
        }
    });
    assert!(seen > 20_000);
}

#[test]
fn a_clause_left_out_is_missed() {
    let clauses = snapshot(RIGHT).clauses();
    let without: Vec<&str> = clauses.iter().map(|clause| clause.name).filter(|name| *name != OF_THE_WORLD).collect();
    let (sender, unneeded) = mpsc::channel();
    common::for_each(&without, |name| {
        let others: Vec<Clause<State>> = clauses.iter().filter(|clause| clause.name != *name).copied().collect();
        if !leads_out(RIGHT, &others) {
            sender.send(*name).expect("the receiver waits");
        }
    });
    drop(sender);
    assert_eq!(unneeded.iter().collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn a_variant_that_harms_leads_out_of_it() {
    let rows = reviewed::parse(FAMILIES[0].reviewed(Profile::Smoke)).expect("the reviewed table");
    let harms = |name: &str| {
        let row = rows.iter().find(|row| row.variant == name).expect("a row for each variant");
        row.lengths.iter().any(|(property, length)| length.cycle.is_none() && property != "settled-is-reachable")
    };
    let harmful: Vec<_> = VARIANTS.iter().filter(|(info, _)| harms(info.name)).collect();
    assert!(harmful.len() > 20);
    common::for_each(&harmful, |(info, rules)| {
        assert!(leads_out(*rules, snapshot(*rules).clauses()), "{} keeps the invariant", info.name);
    });
}

#[test]
fn the_world_leaves_out_no_state_that_can_be_reached() {
    let protocol = snapshot(RIGHT);
    let world = Scope { ids: 3, counts: 1, messages: 1 };
    let mut missing: HashSet<State> = HashSet::new();
    common::for_each_state(&protocol, usize::MAX, |state| {
        if fits(state, world) {
            missing.insert(state.clone());
        }
    });
    let reached = missing.len();
    assert!(reached > 500, "{reached} states fit into the world");
    protocol.states(world, protocol.clauses(), &mut |state| {
        missing.remove(state);
    });
    assert!(missing.is_empty(), "{} of {reached} are left out, such as {:?}", missing.len(), missing.iter().next());
}

/// Whether it is within the scope, with the one gateway that the world has.
fn fits(state: &State, world: Scope) -> bool {
    let State { store, process, gateways, shown, calls, saves, questions, wipes, acts, .. } = state;
    let messages = shown.len() + calls.len() + saves.len() + questions.len() + wipes.len() + acts.len();
    let is_first = |gateway: Gateway| gateway == Gateway(0);
    messages <= world.messages
        && store.incarnation <= Incarnation(world.ids)
        && process.life <= Life(world.ids)
        && process.generation <= Generation(world.counts)
        && saves.iter().chain(&store.page).chain(shown.iter()).all(|it| it.cited.generation.0 <= world.counts)
        && acts.iter().all(|act| act.cited.generation.0 <= world.counts)
        && gateways.iter().all(|entry| is_first(entry.0))
        && wipes.iter().all(|wipe| wipe.by.is_none_or(is_first))
}
