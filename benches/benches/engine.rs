//! Distinct states per CPU second: our search against stateright's breadth-first search with one thread, on the same
//! packed model, in the same run, taking turns. Then two threads against one.
//!
//! `cargo bench -p outlive-benches --bench engine`
//!
//! With `-- nightly` it searches the profile of that name, and prints what memory it took. With `-- alone` it searches
//! once, without stateright, and prints what `benches/spin/run` compares with Spin.

use std::thread;
use std::time::Instant;

use outlive_benches::{cpu_time, median, memory};
use outlive_model_check::engine::statistics::Statistics;
use outlive_model_check::engine::{Question, search};
use outlive_spec::second_opinion::SecondOpinion;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, CI, NIGHTLY};
use outlive_spec::snapshot::variants::RIGHT;
use stateright::{Checker, Model};

const ROUNDS: usize = 5;

/// One more incarnation than the default.
const BOUNDS: Bounds = Bounds { incarnations: 5, ..CI };
/// More than a million states: another gateway than the default, and another page that agents come back to.
const LARGE: Bounds = Bounds { gateways: 3, wipes: 4, shown: 2, ..CI };

fn main() {
    let asked = |name: &str| std::env::args().any(|argument| argument == name);
    if asked("alone") {
        alone();
    } else if asked("nightly") {
        nightly();
    } else {
        against_stateright();
        in_threads();
    }
}

/// Searches the right rules, which hold.
fn searched(bounds: Bounds, threads: usize) -> Statistics {
    let question = Question { threads, ..Question::EVERYTHING };
    let outcome = search(&Snapshot { rules: RIGHT, bounds }, &question, &mut |_| ());
    assert!(outcome.violations.is_empty() && outcome.truncation.is_none(), "the right rules hold");
    outcome.statistics
}

// ------------------------------------------------------------------------------------------ against stateright

fn against_stateright() {
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let one = measure(|| searched(BOUNDS, 1).states);
        let other = measure(|| {
            let model = SecondOpinion(Snapshot { rules: RIGHT, bounds: BOUNDS });
            model.checker().threads(1).spawn_bfs().join().unique_state_count()
        });
        assert_eq!(one.states, other.states, "the two must have searched the same");
        assert!(one.states >= 400_000, "too small to say anything");
        println!("round {round}: {} states; ours {:.0}/s, stateright {:.0}/s", one.states, one.rate, other.rate);
        ours.push(one.rate);
        theirs.push(other.rate);
        ratios.push(one.rate / other.rate);
    }
    println!("distinct states per CPU second, median of {ROUNDS} rounds:");
    println!("  ours       {:>9.0}", median(ours));
    println!("  stateright {:>9.0}", median(theirs));
    println!("  ratio      {:>9.2} (wanted: at least 2.5)", median(ratios));
}

struct Measured {
    states: usize,
    rate: f64,
}

fn measure(work: impl FnOnce() -> usize) -> Measured {
    let before = cpu_time();
    let states = work();
    let spent = cpu_time() - before;
    Measured { states, rate: states as f64 / spent.as_secs_f64() }
}

// -------------------------------------------------------------------------------------------------- in threads

/// Two threads against one, by the clock on the wall. How much faster a machine can be is another matter: two searches
/// that share nothing, side by side, say what two of its processors are worth.
fn in_threads() {
    let (mut speedups, mut limits) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let (states, one) = wall_seconds(|| searched(LARGE, 1).states);
        let (_, two) = wall_seconds(|| searched(LARGE, 2).states);
        let (_, apart) = wall_seconds(|| {
            let other = thread::spawn(|| searched(LARGE, 1).states);
            searched(LARGE, 1).states + other.join().expect("the other search")
        });
        assert!(states >= 1_000_000, "too small to say anything");
        println!(
            "round {round}: {states} states; one thread {one:.2} s, two {two:.2} s, two searches apart {apart:.2} s"
        );
        speedups.push(one / two);
        limits.push(2.0 * one / apart);
    }
    println!("two threads against one, median of {ROUNDS} rounds:");
    println!("  one search in two threads {:>5.2} times as fast (wanted: at least 1.6)", median(speedups));
    println!("  two searches apart        {:>5.2} times as fast: what this machine's processors allow", median(limits));
}

fn wall_seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

// ----------------------------------------------------------------------------------------------------- nightly

fn nightly() {
    let (found, seconds) = wall_seconds(|| searched(NIGHTLY, 2));
    let peak_mib = memory("VmHWM:") >> 10;
    let bytes_a_state = (peak_mib << 20) / found.states as u64;
    println!("{} states (wanted: at least 20 million), {} steps, {seconds:.0} s", found.states, found.transitions);
    println!("peak memory {peak_mib} MiB (wanted: at most 4096), {bytes_a_state} bytes a state");
}

// ----------------------------------------------------------------------------------------------- against Spin

/// Its bounds as Spin takes them, and what it found. The time is the whole process's, as it is Spin's.
fn alone() {
    let found = searched(BOUNDS, 1);
    let Bounds { lives, incarnations, generations, gateways, .. } = BOUNDS;
    let Bounds { questions, calls, saves, wipes, acts, shown, .. } = BOUNDS;
    println!(
        "bounds: -DLIVES={lives} -DINCARNATIONS={incarnations} -DGENERATIONS={generations} -DGATEWAYS={gateways} \
         -DQUESTIONS={questions} -DCALLS={calls} -DSAVES={saves} -DWIPES={wipes} -DACTS={acts} -DSHOWN={shown}"
    );
    let spent = cpu_time().as_secs_f64();
    println!("{} states, {} steps, {spent:.3} CPU seconds", found.states, found.transitions);
}
