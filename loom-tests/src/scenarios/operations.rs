//! Start, sweep and stop of one computer, each in a thread of its own.

use super::world::{Phase, RIGHT, Rules, World};
use super::{Threads, actors};
use crate::explore::{explore, must_find, run};
use crate::sync::{Arc, block_on};

const OLDER_FORMAT: Rules = Rules { claims: false, ..RIGHT };

fn start_against_sweeps(rules: Rules, sweeps: usize) {
    let world = Arc::new(World::stopped(rules));
    let mut threads = Threads::default();
    for _ in 0..sweeps {
        let world = world.clone();
        threads.spawn(move || block_on(world.sweep()));
    }
    let started = block_on(world.start()).expect("it was stopped");
    assert_eq!(started.phase, Phase::Starting, "a sweep has written into a start");
    threads.join();
    block_on(world.sweep());
    assert_eq!(world.row().phase, Phase::Ready, "a healthy computer is not ready");
    world.provider.fail();
    block_on(world.sweep());
    assert_eq!(world.row().phase, Phase::Error, "a genuine failure is not told");
}

#[test]
fn a_sweep_does_not_write_into_a_start() {
    explore("start against sweep", || start_against_sweeps(RIGHT, 1));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_sweep_that_asks_neither_gate_nor_claim() {
    run(|| start_against_sweeps(Rules { probes: false, heeds_claims: false, ..RIGHT }, 1));
}

#[test]
fn a_sweep_that_asks_neither_gate_nor_claim_is_found() {
    must_find("operations::wrong_twin_a_sweep_that_asks_neither_gate_nor_claim", "a sweep has written into a start");
}

#[test]
fn two_sweeps_do_not_write_into_a_start() {
    explore("start against two sweeps", || start_against_sweeps(RIGHT, actors(2, 4)));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_two_sweeps_that_compare_no_revision() {
    run(|| start_against_sweeps(Rules { compares_revisions: false, ..RIGHT }, actors(2, 4)));
}

#[test]
fn two_sweeps_that_compare_no_revision_are_found() {
    must_find("operations::wrong_twin_two_sweeps_that_compare_no_revision", "a healthy computer is not ready");
}

#[test]
fn a_sweep_does_not_write_into_a_start_that_has_no_claim() {
    explore("start without a claim against sweep", || start_against_sweeps(OLDER_FORMAT, actors(1, 4)));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_sweep_that_compares_revisions_and_does_not_probe() {
    run(|| start_against_sweeps(Rules { probes: false, ..OLDER_FORMAT }, actors(1, 4)));
}

#[test]
fn a_sweep_that_compares_revisions_and_does_not_probe_is_found() {
    must_find(
        "operations::wrong_twin_a_sweep_that_compares_revisions_and_does_not_probe",
        "a sweep has written into a start",
    );
}

fn start_against_sweep_against_stop(rules: Rules, stops_and_sweeps: usize) {
    let world = Arc::new(World::stopped(rules));
    let mut threads = Threads::default();
    for _ in 0..stops_and_sweeps {
        let (sweeping, stopping) = (world.clone(), world.clone());
        threads.spawn(move || block_on(sweeping.sweep()));
        threads.spawn(move || {
            block_on(stopping.stop());
        });
    }
    block_on(world.start()).expect("a stop before it leaves it stopped");
    threads.join();
    block_on(world.sweep());
    let row = world.row();
    match row.phase {
        Phase::Ready => assert_eq!(world.provider.running(), Some(row.launch), "it is said to run, and does not"),
        Phase::Stopped => assert_eq!(world.provider.running(), None, "it is said to be stopped, and is billed"),
        Phase::Starting | Phase::Error => panic!("nothing has failed, and yet it is {row:?}"),
    }
}

#[test]
fn start_sweep_and_stop_leave_a_row_that_is_true() {
    explore("start against sweep against stop", || start_against_sweep_against_stop(RIGHT, actors(1, 2)));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_stop_without_the_gate() {
    run(|| start_against_sweep_against_stop(Rules { stops_under_the_gate: false, ..RIGHT }, actors(1, 2)));
}

#[test]
fn a_stop_without_the_gate_is_found() {
    must_find("operations::wrong_twin_a_stop_without_the_gate", "it is said to be stopped, and is billed");
}
