//! Distinct states per CPU second: our search against stateright's breadth-first search with one thread, on the same
//! packed model, in the same run, taking turns. `cargo bench -p outlive-benches --bench engine`.
//!
//! With `-- alone` it searches once, without stateright, and prints what `benches/spin/run` compares with Spin.

use outlive_benches::{cpu_time, median};
use outlive_model_check::engine::{Question, search};
use outlive_spec::second_opinion::SecondOpinion;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, CI};
use outlive_spec::snapshot::variants::RIGHT;
use stateright::{Checker, Model};

const ROUNDS: usize = 5;

/// One more incarnation than the default.
const BOUNDS: Bounds = Bounds { incarnations: 5, ..CI };

fn main() {
    let protocol = Snapshot { rules: RIGHT, bounds: BOUNDS };
    if std::env::args().any(|argument| argument == "alone") {
        return alone(&protocol);
    }
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let one = measure(|| search(&protocol, &Question::EVERYTHING, &mut |_| ()).statistics.states);
        let other = measure(|| SecondOpinion(protocol).checker().threads(1).spawn_bfs().join().unique_state_count());
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

/// Its bounds as Spin takes them, and what it found. The time is the whole process's, as it is Spin's.
fn alone(protocol: &Snapshot) {
    let outcome = search(protocol, &Question::EVERYTHING, &mut |_| ());
    assert!(outcome.violations.is_empty() && outcome.truncation.is_none(), "the right rules hold");
    let found = outcome.statistics;
    let Bounds { lives, incarnations, generations, gateways, .. } = BOUNDS;
    let Bounds { questions, calls, saves, wipes, acts, shown, .. } = BOUNDS;
    println!(
        "bounds: -DLIVES={lives} -DINCARNATIONS={incarnations} -DGENERATIONS={generations} -DGATEWAYS={gateways} \
         -DQUESTIONS={questions} -DCALLS={calls} -DSAVES={saves} -DWIPES={wipes} -DACTS={acts} -DSHOWN={shown}"
    );
    let spent = cpu_time().as_secs_f64();
    println!("{} states, {} steps, {spent:.3} CPU seconds", found.states, found.transitions);
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
