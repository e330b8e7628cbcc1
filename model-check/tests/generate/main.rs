//! The scripts that `generate` writes, played on the reference with each of its stores: every step ends as the script
//! says, and what was recorded meanwhile is a behaviour of the model.
//!
//! There are more scripts than a push has time for, and most differ in the order of what others do. So every so
//! many-th is played, from all over the graph; with `SCRIPTS=all` in the environment, each.

#![cfg(feature = "demo")]

mod computer;
mod operation;
mod play;
mod snapshot;

use std::collections::BTreeSet;
use std::sync::Arc;

use outlive::store::{Durability, MemoryStore, SqliteOptions, SqliteStore, Store};
use outlive_model_check::conform::causes::refusals;
use outlive_model_check::generate::Cover;
use outlive_model_check::generate::script::{Script, Step};
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Outcome, Verb};

use play::{Coverage, Played, is_noticed, play, scripts};

/// Of each cover every so many-th script is played on each store.
const SNAPSHOT_EDGES: u64 = 12;
const SNAPSHOT_STATES: u64 = 2;
const OPERATION_EDGES: u64 = 50;
const OPERATION_STATES: u64 = 3;

fn in_a_file(folder: &tempfile::TempDir) -> Arc<SqliteStore> {
    // What a power cut would lose is not asked here.
    let options = SqliteOptions::new().durability(Durability::Normal).recording();
    Arc::new(SqliteStore::open(folder.path().join("store.db"), options).expect("the file opens"))
}

/// Every action, and everything that can be refused, by each requirement that can be the reason.
fn assert_everything_was_played(protocol: &str, coverage: &Coverage, never: &[(&str, Option<Requirement>)]) {
    let done = Verb::of(protocol).map(|verb| (verb.word(), None));
    let refused = refusals(protocol).map(|(verb, because)| (verb.word(), Some(because)));
    let missing: Vec<_> = done.chain(refused).filter(|end| !coverage.contains_key(end)).collect();
    assert_eq!(missing, never, "what is never played: {coverage:?}");
}

// ----------------------------------------------------------------------------------------------------------- snapshot

fn play_snapshot<S: Store>(store: Arc<S>, scripts: &[Script]) -> Coverage {
    let Played { coverage, impossible } = play::<snapshot::Driver<S>, S>(store, scripts);
    // A reset ends only with the confirmation of a wipe, and nothing else makes one.
    assert!(impossible.keys().eq([&("finish", Some(Requirement::Reset4))]), "{impossible:?}");
    coverage
}

#[test]
fn the_reference_does_what_the_scripts_of_all_edges_of_snapshots_say() {
    let scripts = scripts("snapshot", Cover::Edges, SNAPSHOT_EDGES).0;
    assert!(scripts.len() >= 2_000, "{}", scripts.len());
    assert_everything_was_played("snapshot", &play_snapshot(Arc::new(MemoryStore::recording()), &scripts), &[]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_everything_was_played("snapshot", &play_snapshot(in_a_file(&folder), &scripts), &[]);
}

#[test]
fn the_reference_does_in_every_state_of_snapshots_what_the_model_does() {
    let scripts = scripts("snapshot", Cover::States, SNAPSHOT_STATES).0;
    let coverage = play_snapshot(Arc::new(MemoryStore::recording()), &scripts);
    assert!(coverage.contains_key(&("rollback", Some(Requirement::Save7))), "a decision on a former incarnation");
    let folder = tempfile::tempdir().expect("a temporary folder");
    play_snapshot(in_a_file(&folder), &scripts);
}

// ---------------------------------------------------------------------------------------------------------- operation

fn play_operation<S: Store + outlive::OperationStore>(store: Arc<S>, scripts: &[Script]) -> Coverage {
    let Played { coverage, impossible } = play::<operation::Driver<S>, S>(store, scripts);
    assert!(impossible.is_empty(), "{impossible:?}");
    coverage
}

#[test]
fn the_reference_does_what_the_scripts_of_all_edges_of_operations_say() {
    let scripts = scripts("operation", Cover::Edges, OPERATION_EDGES).0;
    // In every state, below, somebody takes over what is not under way any more. A search proposes no such refusal.
    let never = [("start-unclaimed", None), ("recover", Some(Requirement::Reconcile8))];
    assert!(scripts.len() >= 2_000, "{}", scripts.len());
    assert_everything_was_played("operation", &play_operation(Arc::new(MemoryStore::recording()), &scripts), &never);
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_everything_was_played("operation", &play_operation(in_a_file(&folder), &scripts), &never);
}

#[test]
fn the_reference_does_in_every_state_of_operations_what_the_model_does() {
    let scripts = scripts("operation", Cover::States, OPERATION_STATES).0;
    assert!(scripts.len() >= 2_000, "{}", scripts.len());
    let coverage = play_operation(Arc::new(MemoryStore::recording()), &scripts);
    assert!(coverage.contains_key(&("recover", Some(Requirement::Reconcile8))), "a takeover of another launch");
    let folder = tempfile::tempdir().expect("a temporary folder");
    play_operation(in_a_file(&folder), &scripts);
}

// ------------------------------------------------------------------------------------------------ a script has teeth

type Spoil = fn(&mut Step) -> bool;

/// Spoils a step of each of some scripts, and plays it up to there.
fn assert_noticed(scripts: Vec<Script>, spoil: &[Spoil], is_noticed: impl Fn(&Script, usize) -> bool) {
    let mut noticed = BTreeSet::new();
    for mut script in scripts.into_iter().take(200) {
        let which = noticed.len() % spoil.len();
        let Some(at) = script.steps.iter_mut().position(spoil[which]) else { continue };
        assert!(is_noticed(&script, at), "script {}, step {at}: {:?}", script.script, script.steps[at]);
        noticed.insert(script.script);
    }
    assert!(noticed.len() >= 100, "only {} could be spoiled", noticed.len());
}

fn another_cause(step: &mut Step) -> bool {
    let is_refused = step.expect.outcome == Outcome::Refused && step.what.action != Verb::Finish;
    step.expect.because = if is_refused { Some(Requirement::Save6) } else { step.expect.because };
    is_refused
}

/// The driver compares: whatever a script expects otherwise is noticed.
#[test]
fn a_script_of_snapshots_that_expects_something_else_is_noticed() {
    let spoil: [Spoil; 4] = [
        |step| step.expect.minted.as_mut().map(|minted| *minted += 1).is_some(),
        |step| step.expect.generation.as_mut().map(|generation| *generation += 1).is_some(),
        |step| step.expect.row.as_mut().map(|row| row.resetting = !row.resetting).is_some(),
        another_cause,
    ];
    let store = Arc::new(MemoryStore::recording());
    let scripts = scripts("snapshot", Cover::States, SNAPSHOT_STATES).0;
    assert_noticed(scripts, &spoil, |script, at| is_noticed::<snapshot::Driver<_>, _>(&store, script, at));
}

#[test]
fn a_script_of_operations_that_expects_something_else_is_noticed() {
    let spoil: [Spoil; 5] = [
        |step| step.expect.launch.as_mut().map(|launch| *launch += 1).is_some(),
        |step| step.expect.standing.as_mut().map(|row| row.revision += 1).is_some(),
        |step| step.expect.standing.as_mut().is_some_and(|row| row.owner.take().is_some()),
        |step| step.expect.mark.as_mut().map(|mark| *mark += 1).is_some(),
        another_cause,
    ];
    let store = Arc::new(MemoryStore::recording());
    let scripts = scripts("operation", Cover::States, OPERATION_STATES).0;
    assert_noticed(scripts, &spoil, |script, at| is_noticed::<operation::Driver<_>, _>(&store, script, at));
}
