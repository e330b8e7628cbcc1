//! The scripts that `generate` writes, played on the reference with each of its stores: every step ends as the script
//! says, and what was recorded meanwhile is a behaviour of the model.

#![cfg(feature = "demo")]

mod computer;
mod driver;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use outlive::store::{Durability, MemoryStore, SqliteOptions, SqliteStore, Store};
use outlive::trace::Protocol;
use outlive_model_check::conform::causes::refusals;
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_model_check::generate::script::{Line, Script, Step};
use outlive_model_check::generate::{Cover, Summary, generate};
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Outcome, Verb};

use driver::{Driver, Ended};

/// How many scripts of each cover are played on each store. The rest differ in the order of what these do.
const PLAYED: usize = 2_500;

/// All scripts, through JSON, as a driver in another language would read them.
fn scripts(cover: Cover) -> (Vec<Script>, Summary) {
    let mut scripts = Vec::new();
    let summary = generate(cover, &mut |line| {
        let text = serde_json::to_string(line).expect("a line is JSON");
        match serde_json::from_str(&text).expect("what is written can be read") {
            Line::Header(header) => assert_eq!((header.format, header.cover), (1, cover)),
            Line::Script(script) => scripts.push(script),
        }
        Ok(())
    });
    (scripts, summary.expect("nothing is written"))
}

/// Some of the scripts, from all over the graph.
fn some(scripts: Vec<Script>) -> Vec<Script> {
    let every = scripts.len().div_ceil(PLAYED).max(1);
    scripts.into_iter().step_by(every).collect()
}

/// How often each action was played, with each of its ends.
type Coverage = BTreeMap<(&'static str, Option<Requirement>), u64>;

/// Plays the scripts, and has the trace checked.
fn play<S: Store>(store: Arc<S>, scripts: &[Script]) -> Coverage {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut coverage = Coverage::new();
    let mut impossible = BTreeSet::new();
    let trace = runtime.block_on(async {
        for script in scripts {
            let mut driver = Driver::start(store.clone(), script.script).await;
            for (at, step) in script.steps.iter().enumerate() {
                match driver.take(step).await {
                    Ended::As(end) => {
                        assert_eq!(end, step.expect, "script {}, step {at}: {:?}", script.script, step.what)
                    }
                    Ended::Impossible => drop(impossible.insert((step.what.action.word(), step.expect.because))),
                }
                *coverage.entry((step.what.action.word(), step.expect.because)).or_default() += 1;
            }
        }
        let mut trace = Vec::new();
        store.recorder().export(Protocol::Snapshot, &mut trace).await.expect("the trace is exported");
        trace
    });
    // A reset ends only with the confirmation of a wipe, and nothing else makes one.
    assert_eq!(impossible, BTreeSet::from([("finish", Some(Requirement::Reset4))]));
    let report = check(&[Input::text("scripts", trace)], &Options::default());
    assert_eq!(report.verdict, Verdict::Conforms, "{}", render::text(&report, render::Colors::Never));
    println!("{} scripts, {} events conform", scripts.len(), report.lines.events);
    coverage
}

fn in_a_file(folder: &tempfile::TempDir) -> Arc<SqliteStore> {
    // What a power cut would lose is not asked here.
    let options = SqliteOptions::new().durability(Durability::Normal).recording();
    Arc::new(SqliteStore::open(folder.path().join("store.db"), options).expect("the file opens"))
}

/// Every action, and everything that can be refused, by each requirement that can be the reason.
fn assert_everything_was_played(coverage: &Coverage) {
    let done = Verb::of("snapshot").map(|verb| (verb.word(), None));
    let refused = refusals("snapshot").map(|(verb, because)| (verb.word(), Some(because)));
    let missing: Vec<_> = done.chain(refused).filter(|end| !coverage.contains_key(end)).collect();
    assert!(missing.is_empty(), "never played: {missing:?}");
}

#[test]
fn as_many_scripts_are_written_as_are_counted() {
    for cover in [Cover::Edges, Cover::States] {
        let (scripts, summary) = scripts(cover);
        println!("{cover:?}: {summary:?}");
        assert_eq!(scripts.len() as u64, summary.scripts);
        assert!(summary.steps >= summary.edges, "a script has each edge that it covers");
        let numbers: Vec<u64> = scripts.iter().map(|script| script.script).collect();
        assert_eq!(numbers, (0..summary.scripts).collect::<Vec<u64>>());
    }
}

#[test]
fn the_reference_in_memory_does_what_the_scripts_of_all_edges_say() {
    let scripts = some(scripts(Cover::Edges).0);
    assert!(scripts.len() >= 2_000, "{}", scripts.len());
    assert_everything_was_played(&play(Arc::new(MemoryStore::recording()), &scripts));
}

#[test]
fn the_reference_in_a_file_does_what_the_scripts_of_all_edges_say() {
    let scripts = some(scripts(Cover::Edges).0);
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_everything_was_played(&play(in_a_file(&folder), &scripts));
}

#[test]
fn the_reference_does_in_every_state_what_the_model_does() {
    let scripts = some(scripts(Cover::States).0);
    let coverage = play(Arc::new(MemoryStore::recording()), &scripts);
    assert!(coverage.contains_key(&("rollback", Some(Requirement::Save7))), "a decision on a former incarnation");
    let folder = tempfile::tempdir().expect("a temporary folder");
    play(in_a_file(&folder), &scripts);
}

/// The driver compares: whatever a script expects otherwise is noticed.
#[test]
fn a_script_that_expects_something_else_is_noticed() {
    let spoil: [fn(&mut Step) -> bool; 4] = [
        |step| step.expect.minted.as_mut().map(|minted| *minted += 1).is_some(),
        |step| step.expect.generation.as_mut().map(|generation| *generation += 1).is_some(),
        |step| step.expect.row.as_mut().map(|row| row.resetting = !row.resetting).is_some(),
        |step| {
            let is_refused = step.expect.outcome == Outcome::Refused && step.what.action != Verb::Finish;
            step.expect.because = if is_refused { Some(Requirement::Save6) } else { step.expect.because };
            is_refused
        },
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let store = Arc::new(MemoryStore::recording());
    let mut noticed = 0;
    for mut script in some(scripts(Cover::States).0).into_iter().take(200) {
        let spoil = spoil[script.script as usize % spoil.len()];
        let Some(at) = script.steps.iter_mut().position(spoil) else { continue };
        let is_noticed = runtime.block_on(async {
            let mut driver = Driver::start(store.clone(), script.script).await;
            for step in &script.steps[..at] {
                let _ended = driver.take(step).await;
            }
            driver.take(&script.steps[at]).await != Ended::As(script.steps[at].expect.clone())
        });
        assert!(is_noticed, "script {}, step {at}: {:?}", script.script, script.steps[at]);
        noticed += 1;
    }
    assert!(noticed >= 100, "only {noticed} could be spoiled");
}
