//! Stops, deletions and restarts.

use std::time::Duration;

use outlive::operation::{Deleted, OperationError, Restarted, Started, Stopped};
use outlive::provider::Condition;
use outlive::store::operation::Phase;
use outlive::testing::{Fault, Point, Verb};

use crate::world::{World, launch};

#[tokio::test(start_paused = true)]
async fn reconcile_9_a_stop_wins_against_a_start_that_hangs_at_the_provider() {
    for point in [Point::BeforeEffect, Point::BeforeAnswer] {
        let world = World::new().await;
        // 1. A start begins, and its call hangs.
        world.provider.plan(Verb::Start, Fault::Park(point));
        let start = world.spawn_start();
        world.provider.until_parked(Verb::Start).await;
        // 2. A stop does not wait for it: less time passes than one call may take.
        let before = tokio::time::Instant::now();
        let stopped = world.plane.stop(&world.id).await.unwrap();
        assert_eq!(stopped, Stopped::Stopped { up_to: launch(1) });
        assert!(before.elapsed() < Duration::from_secs(1), "it has waited {:?}", before.elapsed());
        // 3. The start is told that it was overtaken, and not that it failed.
        let overtaken = start.await.unwrap().unwrap();
        assert!(matches!(overtaken, Started::Overtaken { .. }), "{overtaken:?}");
        // 4. Its call arrives at last, and brings up nothing.
        world.provider.release(Verb::Start);
        assert_ne!(world.condition().await, Some(Condition::Booting));
        assert_eq!(world.phase().await, Phase::Stopped);
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_10_a_deletion_wins_against_a_start_and_a_stop_that_hang() {
    for verb in [Verb::Start, Verb::End] {
        let world = World::new().await;
        if verb == Verb::End {
            world.up().await;
        }
        world.provider.plan(verb, Fault::Park(Point::BeforeEffect));
        let (plane, id) = (world.plane.clone(), world.id.clone());
        let hangs = tokio::spawn(async move {
            match verb {
                Verb::Start => matches!(plane.start(&id).await.unwrap(), Started::Overtaken { .. }),
                _ => matches!(plane.stop(&id).await.unwrap(), Stopped::Overtaken { .. }),
            }
        });
        world.provider.until_parked(verb).await;
        let before = tokio::time::Instant::now();
        assert_eq!(world.plane.delete(&world.id).await.unwrap(), Deleted::Gone { up_to: launch(1) });
        assert!(before.elapsed() < Duration::from_secs(1), "it has waited {:?}", before.elapsed());
        assert!(hangs.await.unwrap());
        world.provider.release(verb);
        assert_eq!((world.phase().await, world.condition().await), (Phase::Gone, None));
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_9_those_who_want_the_same_stop_share_it() {
    let world = World::new().await;
    world.up().await;
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeEffect));
    // A second call would be lost, and its caller would hear so.
    world.provider.plan(Verb::End, Fault::Lose);
    let stops: Vec<_> = (0..3)
        .map(|_| {
            let (plane, id) = (world.plane.clone(), world.id.clone());
            tokio::spawn(async move { plane.stop(&id).await.unwrap() })
        })
        .collect();
    world.provider.until_parked(Verb::End).await;
    world.provider.release(Verb::End);
    for stop in stops {
        assert_eq!(stop.await.unwrap(), Stopped::Stopped { up_to: launch(1) });
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_20_a_stop_without_a_proof_stays_under_way_and_the_next_pass_ends_it() {
    for fault in [Fault::Lose, Fault::LoseAnswer, Fault::Nonsense, Fault::Refuse, Fault::Park(Point::BeforeAnswer)] {
        let world = World::new().await;
        world.up().await;
        world.provider.plan(Verb::End, fault.clone());
        let error = world.plane.stop(&world.id).await.unwrap_err();
        let is_transient = !matches!(fault, Fault::Nonsense | Fault::Refuse);
        assert_eq!(error.is_transient(), is_transient, "{fault:?}: {error:?}");
        assert_eq!(matches!(error, OperationError::Silent { .. }), matches!(fault, Fault::Park(_)), "{error:?}");
        // It is ours, and nobody drives it.
        let row = world.row().await;
        assert_eq!((row.phase, row.owner.as_ref()), (Phase::Stopping, Some(world.plane.owner())));
        assert_eq!(world.passes().pass().await.under_way.settled, 1);
        assert_eq!((world.phase().await, world.condition().await), (Phase::Stopped, Some(Condition::Exited)));
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_20_whoever_asks_for_a_stop_again_drives_on_the_one_that_is_under_way() {
    let world = World::new().await;
    world.up().await;
    world.provider.plan(Verb::End, Fault::Lose);
    let _ = world.plane.stop(&world.id).await.unwrap_err();
    assert_eq!(world.plane.stop(&world.id).await.unwrap(), Stopped::Stopped { up_to: launch(1) });
}

#[tokio::test(start_paused = true)]
async fn reconcile_10_where_nothing_can_be_ended_nothing_is_begun() {
    let world = World::new().await;
    assert_eq!(world.plane.stop(&world.id).await.unwrap(), Stopped::Refused { phase: Phase::Stopped });
    world.up().await;
    assert_eq!(world.plane.delete(&world.id).await.unwrap(), Deleted::Gone { up_to: launch(1) });
    let revision = world.row().await.revision;
    assert_eq!(world.plane.stop(&world.id).await.unwrap(), Stopped::Refused { phase: Phase::Gone });
    assert_eq!(world.plane.delete(&world.id).await.unwrap(), Deleted::Refused { phase: Phase::Gone });
    let started = world.plane.start(&world.id).await.unwrap();
    assert!(matches!(started, Started::Refused { phase: Phase::Gone }), "{started:?}");
    assert_eq!(world.row().await.revision, revision);
}

#[tokio::test(start_paused = true)]
async fn reconcile_1_a_restart_keeps_the_computer_and_gets_a_new_launch() {
    let world = World::new().await;
    let _admits = world.admits();
    for number in 1..=3 {
        let restarted = world.plane.restart(&world.id).await.unwrap();
        assert!(matches!(restarted, Restarted::Ready { launch: of } if of == launch(number)), "{restarted:?}");
    }
    assert_eq!((world.phase().await, world.seen().await.launch), (Phase::Ready, launch(3)));
    let _ = world.plane.delete(&world.id).await.unwrap();
    let refused = world.plane.restart(&world.id).await.unwrap();
    assert!(matches!(refused, Restarted::Refused { phase: Phase::Gone }), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn reconcile_17_a_restart_says_that_somebody_has_come_in_between() {
    let world = World::new().await;
    world.up().await;
    // 1. The stop of the restart is under way. 2. A start waits at the gate behind it. 3. It gets the gate first.
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeAnswer));
    let (plane, id) = (world.plane.clone(), world.id.clone());
    let restart = tokio::spawn(async move { plane.restart(&id).await.unwrap() });
    world.provider.until_parked(Verb::End).await;
    let start = world.spawn_start();
    tokio::task::yield_now().await;
    let _admits = world.admits();
    world.provider.release(Verb::End);
    assert!(matches!(start.await.unwrap().unwrap(), Started::Ready { launch: of } if of == launch(2)));
    let overtaken = restart.await.unwrap();
    assert!(matches!(&overtaken, Restarted::Overtaken { current } if current.launch == launch(2)), "{overtaken:?}");
    assert_eq!(world.phase().await, Phase::Ready);
}
