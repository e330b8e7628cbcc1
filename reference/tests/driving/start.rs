//! Starts, with a fault at each call.

use std::time::Duration;

use outlive::ControlPlane;
use outlive::clock::Timer;
use outlive::operation::{StartFailure, Started, Until, Waited};
use outlive::provider::{Condition, Provider};
use outlive::store::operation::Phase;
use outlive::testing::{Fault, Point, Verb};

use crate::world::{World, launch, limits, owner};

#[tokio::test(start_paused = true)]
async fn reconcile_13_a_start_is_ready_once_it_was_admitted_and_not_before() {
    let world = World::new().await;
    let start = world.spawn_start();
    // 1. It boots, and has all the time to be asked about that.
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    assert_eq!((world.phase().await, world.condition().await), (Phase::Starting, Some(Condition::Booting)));
    assert!(!start.is_finished());
    // 2. It is admitted.
    assert!(world.provider.admit(&world.id));
    assert!(matches!(start.await.unwrap().unwrap(), Started::Ready { launch: of } if of == launch(1)));
    assert_eq!(world.phase().await, Phase::Ready);
}

#[tokio::test(start_paused = true)]
async fn reconcile_1_a_start_of_what_may_run_is_refused() {
    let world = World::new().await;
    world.up().await;
    let again = world.plane.start(&world.id).await.unwrap();
    assert!(matches!(again, Started::Refused { phase: Phase::Ready }), "{again:?}");
    assert_eq!(world.row().await.launch, launch(1));
}

#[tokio::test(start_paused = true)]
async fn reconcile_19_a_start_goes_on_over_every_fault_of_every_call_as_the_same_launch() {
    for verb in [Verb::Start, Verb::Get, Verb::Watch] {
        for fault in [Fault::Lose, Fault::LoseAnswer, Fault::Nonsense, Fault::Park(Point::BeforeEffect)] {
            for times in 1..=3 {
                let world = World::new().await;
                (0..times).for_each(|_| world.provider.plan(verb, fault.clone()));
                let _admits = world.admits();
                let started = world.plane.start(&world.id).await.unwrap();
                let what = format!("{verb:?}, {times} times {fault:?}");
                assert!(matches!(started, Started::Ready { launch: of } if of == launch(1)), "{what}: {started:?}");
                assert_eq!((world.phase().await, world.seen().await.launch), (Phase::Ready, launch(1)), "{what}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_18_a_start_that_the_provider_refuses_is_an_error_and_leaves_no_claim() {
    let world = World::new().await;
    world.provider.plan(Verb::Start, Fault::Refuse);
    let failed = world.plane.start(&world.id).await.unwrap();
    assert!(matches!(&failed, Started::Failed { cause: StartFailure::Refused(_), .. }), "{failed:?}");
    let row = world.row().await;
    assert_eq!((row.phase, row.owner), (Phase::Error, None));
    // The next start is another launch.
    world.up().await;
    assert_eq!(world.row().await.launch, launch(2));
}

#[tokio::test(start_paused = true)]
async fn reconcile_6_a_start_that_was_fenced_is_an_error() {
    let world = World::new().await;
    world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    let start = world.spawn_start();
    world.provider.until_parked(Verb::Start).await;
    // Somebody outside ends the launch before it has come up.
    let locks = outlive::locks::Locks::new(());
    let _ = world.provider.stop(locks.sweep().io(), world.id.clone(), launch(1)).await.unwrap();
    world.provider.release(Verb::Start);
    let failed = start.await.unwrap().unwrap();
    assert!(
        matches!(failed, Started::Failed { cause: StartFailure::Fenced { up_to }, .. } if up_to == launch(1)),
        "{failed:?}"
    );
    assert_eq!(world.phase().await, Phase::Error);
}

#[tokio::test(start_paused = true)]
async fn reconcile_22_a_start_whose_instance_exits_is_an_error_unless_it_is_revived_in_time() {
    for is_revived in [false, true] {
        let world = World::new().await;
        let start = world.spawn_start();
        while !world.provider.exit(&world.id) {
            tokio::task::yield_now().await;
        }
        if is_revived {
            tokio::time::sleep(crate::world::limits().revival / 2).await;
            assert!(world.provider.revive(&world.id) && world.provider.admit(&world.id));
        }
        let ended = start.await.unwrap().unwrap();
        match is_revived {
            true => assert!(matches!(ended, Started::Ready { .. }), "{ended:?}"),
            false => assert!(matches!(ended, Started::Failed { cause: StartFailure::Exited, .. }), "{ended:?}"),
        }
        assert_eq!(world.phase().await, if is_revived { Phase::Ready } else { Phase::Error });
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_21_a_start_that_was_given_up_too_early_is_called_ready_by_a_sweep() {
    let world = World::new().await;
    // 1. It boots for longer than anybody waits.
    let failed = world.plane.start(&world.id).await.unwrap();
    assert!(matches!(failed, Started::Failed { cause: StartFailure::OutOfPatience, .. }), "{failed:?}");
    // 2. A sweep does not call it ready before it was admitted.
    assert_eq!(world.passes().pass().await.sweep.nothing, 1);
    assert_eq!(world.phase().await, Phase::Error);
    // 3. It comes up after all.
    assert!(world.provider.admit(&world.id));
    assert_eq!(world.passes().pass().await.sweep.written, 1);
    assert_eq!((world.phase().await, world.row().await.launch), (Phase::Ready, launch(1)));
}

#[tokio::test(start_paused = true)]
async fn reconcile_5_the_instance_of_an_older_launch_does_not_make_a_start_ready() {
    let world = World::new().await;
    // 1. The first launch is given up, and comes up late.
    let _ = world.plane.start(&world.id).await.unwrap();
    assert!(world.provider.admit(&world.id));
    // 2. The call of the second one is lost, and what is there is the first.
    world.provider.plan(Verb::Start, Fault::Lose);
    let start = world.spawn_start();
    while world.seen().await.launch != launch(2) {
        assert_ne!(world.phase().await, Phase::Ready);
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(!start.is_finished());
    assert!(world.provider.admit(&world.id));
    assert!(matches!(start.await.unwrap().unwrap(), Started::Ready { launch: of } if of == launch(2)));
}

/// So seldom is the row read again that only a word can wake whoever waits.
#[tokio::test(start_paused = true)]
async fn reconcile_19_whoever_waits_is_told_of_what_this_process_writes() {
    let world = World::new().await;
    let mut limits = limits();
    (limits.patience, limits.poll_interval) = (Duration::from_secs(7_200), Duration::from_secs(3_600));
    let (store, provider, liveness) = (world.store.clone(), world.provider.clone(), world.liveness.clone());
    let timer = Timer::new(tokio::time::sleep);
    let plane = ControlPlane::with_limits(owner("first"), store, provider, liveness, timer, limits);
    let before = tokio::time::Instant::now();
    let spawn_wait = |until, number| {
        let (plane, id) = (plane.clone(), world.id.clone());
        tokio::spawn(async move { plane.wait(&id, until, launch(number)).await.unwrap() })
    };
    let spawn_start = || {
        let (plane, id) = (plane.clone(), world.id.clone());
        tokio::spawn(async move { plane.start(&id).await.unwrap() })
    };
    // 1. A start ends.
    let start = spawn_start();
    tokio::time::sleep(Duration::from_millis(1)).await;
    let ready = spawn_wait(Until::Ready, 1);
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert!(world.provider.admit(&world.id));
    assert!(matches!(start.await.unwrap(), Started::Ready { .. }));
    assert!(matches!(ready.await.unwrap(), Waited::Reached { .. }));
    // 2. A start is replaced, by a stop that hangs.
    let _ = plane.stop(&world.id).await.unwrap();
    let start = spawn_start();
    tokio::time::sleep(Duration::from_millis(1)).await;
    let ready = spawn_wait(Until::Ready, 2);
    tokio::time::sleep(Duration::from_millis(1)).await;
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeEffect));
    let stop = tokio::spawn({
        let (plane, id) = (plane.clone(), world.id.clone());
        async move { plane.stop(&id).await.unwrap() }
    });
    assert!(matches!(ready.await.unwrap(), Waited::WillNotCome { .. }));
    assert!(before.elapsed() < Duration::from_secs(1), "it has waited {:?}", before.elapsed());
    assert!(matches!(start.await.unwrap(), Started::Overtaken { .. }));
    stop.abort();
}

/// Each exit has the time that a restart policy may take, whatever an earlier one has taken of its own.
#[tokio::test(start_paused = true)]
async fn reconcile_22_an_instance_that_exits_again_after_it_was_revived_has_its_time_again() {
    let world = World::new().await;
    let start = world.spawn_start();
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(world.provider.exit(&world.id));
        tokio::time::sleep(limits().revival - Duration::from_secs(2)).await;
        assert!(world.provider.revive(&world.id));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(world.provider.admit(&world.id));
    assert!(matches!(start.await.unwrap().unwrap(), Started::Ready { launch: of } if of == launch(1)));
}
