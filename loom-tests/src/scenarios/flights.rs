//! Stops that share one flight.

use std::pin::pin;
use std::task::Poll;

use super::world::{Gate, Phase, RIGHT, World};
use super::{ANOTHER, COMPUTER, Threads, actors, poll_once, poll_unheard};
use crate::explore::{explore, explore_alone, must_find, run};
use crate::locks::{Locks, SingleFlight};
use crate::sync::{Arc, block_on, thread};

/// Wrong: the gate is free before the flight is closed. It takes a second ticket to write it.
async fn stop_and_close_without_the_gate(world: &World) -> u32 {
    let work = async |_: &mut Gate<'_>| {
        let mut ticket = world.locks.ticket();
        let mut gate = ticket.lock_for(COMPUTER).await;
        world.stop_under(&mut gate).await
    };
    world.stops.run(&mut world.locks.ticket(), ANOTHER, work).await
}

fn stop_start_stop(stop: impl AsyncFn(&World) -> u32 + Copy + Send + 'static) {
    let world = Arc::new(World::ready(RIGHT));
    let mut threads = Threads::default();
    for _ in 0..actors(1, 4) {
        let world = world.clone();
        threads.spawn(move || {
            block_on(stop(&world));
        });
    }
    block_on(async {
        stop(&world).await;
        world.start().await.expect("it was stopped");
        stop(&world).await;
    });
    assert_eq!(world.provider.running(), None, "a stop was answered by one from before the start");
    threads.join();
    assert_eq!(world.row().phase, Phase::Stopped);
}

#[test]
fn a_stop_after_a_start_is_not_answered_by_a_stop_before_it() {
    explore("single flight", || stop_start_stop(World::stop));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_flight_that_is_closed_without_the_gate() {
    run(|| stop_start_stop(stop_and_close_without_the_gate));
}

#[test]
fn a_flight_that_is_closed_without_the_gate_is_found() {
    must_find(
        "flights::wrong_twin_a_flight_that_is_closed_without_the_gate",
        "a stop was answered by one from before the start",
    );
}

fn a_leader_gives_up(is_heard_of: bool) {
    let world = Arc::new(World::ready(RIGHT));
    let mut threads = Threads::default();
    for _ in 0..actors(1, 3) {
        let world = world.clone();
        threads.spawn(move || {
            let mut ticket = world.locks.ticket();
            let work = async |_: &mut Gate<'_>| std::future::pending().await;
            let mut stop = Box::pin(world.stops.run(&mut ticket, COMPUTER, work));
            let _ = poll_once(stop.as_mut());
            if !is_heard_of {
                // Until the other is done, who may have joined it.
                thread::park();
            }
        });
    }
    // It is polled as one task and waits as another.
    let mut stop = pin!(world.stop());
    if poll_unheard(stop.as_mut()).is_pending() {
        block_on(stop);
    }
    if !is_heard_of {
        threads.unpark();
    }
    threads.join();
    assert_eq!(world.row().phase, Phase::Stopped, "a stop has returned, and nobody has stopped anything");
}

#[test]
fn one_who_joined_a_leader_that_is_dropped_leads() {
    explore("leader dropped", || a_leader_gives_up(true));
}

#[test]
#[ignore = "a wrong twin: the test below runs it"]
fn wrong_twin_a_leader_that_gives_up_unheard() {
    run(|| a_leader_gives_up(false));
}

#[test]
fn a_leader_that_gives_up_unheard_is_found() {
    must_find("flights::wrong_twin_a_leader_that_gives_up_unheard", "deadlock");
}

/// One thread, so that it is known who leads.
#[test]
fn who_joins_gets_what_the_leader_got() {
    explore_alone("joined", || {
        let locks = Locks::new(());
        let flights = SingleFlight::new();
        let (mut leading, mut joining, mut blocking) = (locks.ticket(), locks.ticket(), locks.ticket());
        // Holds the leader up.
        let gate = block_on(blocking.lock_for(COMPUTER));
        let mut leader = pin!(flights.run(&mut leading, COMPUTER, async |_: &mut _| 1));
        let mut joiner = pin!(flights.run(&mut joining, COMPUTER, async |_: &mut _| panic!("it has joined")));
        assert!(poll_unheard(leader.as_mut()).is_pending());
        assert!(poll_unheard(joiner.as_mut()).is_pending());
        drop(gate);
        assert_eq!(poll_unheard(leader.as_mut()), Poll::Ready(1));
        assert_eq!(poll_unheard(joiner.as_mut()), Poll::Ready(1));
    });
}
