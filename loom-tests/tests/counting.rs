//! Two threads count together: with the lock nothing is lost, and without it loom finds the interleaving that loses
//! one.

use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering as Real};

use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use outlive_loom_tests::sync::Mutex;

/// Runs the scenario in every interleaving with at most two preemptions, and returns how many there were.
fn explore(scenario: impl Fn() + Send + Sync + 'static) -> usize {
    let mut model = Builder::new();
    model.preemption_bound = Some(2);
    // Of the standard library, so that it outlives each run and adds no interleaving.
    let runs = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = runs.clone();
    model.check(move || {
        counted.fetch_add(1, Real::Relaxed);
        scenario();
    });
    runs.load(Real::Relaxed)
}

#[test]
fn two_who_count_under_the_lock_lose_nothing_in_any_interleaving() {
    let runs = explore(|| {
        let counter = Arc::new(Mutex::new(0));
        let other = thread::spawn({
            let counter = counter.clone();
            move || *counter.lock() += 1
        });
        *counter.lock() += 1;
        other.join().expect("the other thread has counted");
        assert_eq!(*counter.lock(), 2, "an increment was lost");
    });
    assert!(runs > 1, "loom has tried only one interleaving");
}

#[test]
#[ignore = "the wrong twin: it must fail, and the test below runs it in a process of its own"]
fn wrong_twin_two_who_read_and_then_write_without_the_lock() {
    explore(|| {
        let counter = Arc::new(AtomicU32::new(0));
        let other = thread::spawn({
            let counter = counter.clone();
            move || counter.store(counter.load(Ordering::SeqCst) + 1, Ordering::SeqCst)
        });
        // 1. This thread reads 0. 2. The other reads 0 and writes 1. 3. This one writes 1 over it.
        counter.store(counter.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
        other.join().expect("the other thread has counted");
        assert_eq!(counter.load(Ordering::SeqCst), 2, "an increment was lost");
    });
}

/// In a process of its own, for loom cannot be used again after a run that has panicked.
#[test]
fn the_wrong_twin_is_found() {
    let twin = "wrong_twin_two_who_read_and_then_write_without_the_lock";
    let this_program = env::current_exe().expect("the path of this program");
    let output =
        Command::new(this_program).args(["--exact", twin, "--ignored", "--nocapture"]).output().expect("it starts");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(said.contains("running 1 test"), "there is no twin of that name:\n{said}");
    assert!(!output.status.success(), "loom has not found the race:\n{said}");
    assert!(said.contains("an increment was lost"), "it failed for another reason:\n{said}");
}
