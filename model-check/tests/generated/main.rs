//! Generated schedules, played on the reference with each of its stores: whatever it records is a behaviour of the
//! model.
//!
//! A schedule is a sequence of abstract steps (`step.rs`): somebody dies, a message arrives late or once more, a reset
//! is left half done and driven on by another. It is played against the public functions of `outlive` (`world.rs`), and
//! the trace that the store has recorded is judged. proptest shrinks what fails. Over the whole run every action must
//! have occurred, and every refusal that the protocol knows: a generator that never gets there tests nothing.
//!
//! `GENERATED_SEED=7 cargo test -p outlive-model-check --test generated` plays other schedules than the usual ones.

#![cfg(feature = "demo")]

mod step;
mod world;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use outlive_model_check::conform::causes::refusals;
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::Verb;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use step::{Step, schedules};
use world::{InFile, InMemory, Place, Played};

const SCHEDULES: u32 = 150;
const USUAL_SEED: u64 = 20_261_130;

/// How often each action ended how.
type Coverage = BTreeMap<(&'static str, Option<Requirement>), u64>;

#[test]
fn whatever_the_reference_does_in_memory_is_a_behaviour_of_the_model() {
    play_schedules("memory", InMemory::new);
}

#[test]
fn whatever_the_reference_does_in_a_file_is_a_behaviour_of_the_model() {
    play_schedules("sqlite", InFile::new);
}

fn play_schedules<P: Place>(store: &str, place: fn() -> P) {
    let seed = env::var("GENERATED_SEED").map_or(USUAL_SEED, |seed| seed.parse().expect("a seed is a number"));
    println!("{store}: {SCHEDULES} schedules of seed {seed}");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let coverage = RefCell::new(Coverage::new());
    let played = runner(seed).run(&schedules(), |steps| {
        let played = runtime.block_on(world::play(&place(), &steps));
        judge(&format!("generated-{store}-{seed}.jsonl"), &played, &mut coverage.borrow_mut())
    });
    match played {
        Ok(()) => {}
        Err(TestError::Fail(why, steps)) => panic!("{why}\nseed {seed}; the shortest such schedule:\n{}", list(&steps)),
        Err(TestError::Abort(why)) => panic!("seed {seed}: {why}"),
    }
    assert_covered(&coverage.into_inner());
}

fn runner(seed: u64) -> TestRunner {
    let config = Config { cases: SCHEDULES, failure_persistence: None, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn judge(name: &str, Played { trace, failure }: &Played, coverage: &mut Coverage) -> Result<(), TestCaseError> {
    let report = check(&[Input::text("generated", trace.clone())], &Options::default());
    let is_right = matches!(report.verdict, Verdict::Conforms | Verdict::NothingChecked);
    if !is_right || failure.is_some() {
        // The last that is kept is the shortest: proptest plays shorter ones as long as they fail.
        let kept = keep(name, trace);
        let text = render::text(&report, render::Colors::Never);
        let failure = failure.as_ref().map(|failure| format!("{failure:?}\n")).unwrap_or_default();
        return Err(TestCaseError::fail(format!("{failure}{text}\nthe trace is kept in {}", kept.display())));
    }
    for fired in report.coverage {
        *coverage.entry((fired.action.word(), fired.because)).or_default() += fired.count;
    }
    Ok(())
}

/// Keeps a trace where git does not look.
fn keep(name: &str, trace: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces-failed");
    fs::create_dir_all(&folder).expect("a folder for traces that failed");
    let path = folder.join(name);
    fs::write(&path, trace).expect("room for a trace that failed");
    path
}

fn assert_covered(coverage: &Coverage) {
    for ((action, because), count) in coverage {
        println!("  {action:<10} {:<10} {count:>6}", because.map_or("done", |because| because.id()));
    }
    let done = Verb::of("snapshot").map(|verb| (verb.word(), None));
    let refused = refusals("snapshot").map(|(verb, because)| (verb.word(), Some(because)));
    let expected: Vec<_> = done.chain(refused).collect();
    let missing: Vec<_> = expected.iter().filter(|end| !coverage.contains_key(end)).collect();
    assert!(missing.is_empty(), "never played: {missing:?}");
    let unknown: Vec<_> = coverage.keys().filter(|end| !expected.contains(end)).collect();
    assert!(unknown.is_empty(), "no requirement refuses these: {unknown:?}");
}

fn list(steps: &[Step]) -> String {
    steps.iter().map(|step| format!("  {step:?}\n")).collect()
}
