//! Stops, deletions and restarts.

use std::time::Duration;

use outlive::Reconciler;
use outlive::operation::{Deleted, OperationError, Restarted, Started, Stopped};
use outlive::provider::Condition;
use outlive::store::operation::{Kind, Phase};
use outlive::testing::{Fault, Point, Verb};

use crate::world::{World, given_up_after, launch, owner};

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

/// Whoever has not begun yet, has begun, has sent, or asks: each is told in time.
#[tokio::test(start_paused = true)]
async fn reconcile_9_a_stop_waits_for_no_start_at_whichever_await_that_is() {
    for waits in 0.. {
        let world = World::new().await;
        world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
        let plane = world.with_awaits();
        let mut start = Box::pin(plane.start(&world.id));
        assert!(given_up_after(waits, &mut start).await.is_none());
        let is_parked = tokio::time::timeout(Duration::ZERO, world.provider.until_parked(Verb::Start)).await.is_ok();
        let before = tokio::time::Instant::now();
        // It is announced before the start goes on: whoever is not told by then must find it for itself.
        let mut stop = Box::pin(plane.stop(&world.id));
        assert!(given_up_after(1, &mut stop).await.is_none());
        let (started, stopped) = tokio::join!(start, stop);
        assert!(before.elapsed() < Duration::from_secs(1), "after {waits} waits it has waited {:?}", before.elapsed());
        assert!(matches!(started.unwrap(), Started::Overtaken { .. }), "after {waits} waits");
        assert_eq!(stopped.unwrap(), Stopped::Stopped { up_to: launch(1) }, "after {waits} waits");
        assert_eq!(world.phase().await, Phase::Stopped);
        if is_parked && waits > 2 {
            return;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_18_a_start_that_is_told_in_vain_goes_on() {
    let world = World::new().await;
    world.up().await;
    let plane = world.with_awaits();
    // 1. A stop begins, and its caller is not polled for a while. 2. A pass ends the stop meanwhile.
    let mut stop = Box::pin(plane.stop(&world.id));
    assert!(given_up_after(0, &mut stop).await.is_none());
    assert_eq!(Reconciler::new(plane.clone()).pass().await.under_way.settled, 1);
    // 3. A start begins. 4. The caller of the stop goes on, and tells whoever drives the computer to look.
    world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    let start = {
        let (plane, id) = (plane.clone(), world.id.clone());
        tokio::spawn(async move { plane.start(&id).await.unwrap() })
    };
    world.provider.until_parked(Verb::Start).await;
    assert!(tokio::time::timeout(Duration::from_secs(5), &mut stop).await.is_err());
    let _admits = world.admits();
    world.provider.release(Verb::Start);
    // 5. Nobody has replaced the start, so it ends. The stop comes after it.
    let (started, stopped) = tokio::join!(start, stop);
    assert!(matches!(started.unwrap(), Started::Ready { launch: of } if of == launch(2)));
    assert_eq!(stopped.unwrap(), Stopped::Stopped { up_to: launch(2) });
}

/// Nobody tells whoever drives in another process.
#[tokio::test(start_paused = true)]
async fn reconcile_2_a_start_that_another_control_plane_has_stopped_is_overtaken_when_it_settles() {
    let world = World::new().await;
    let start = world.spawn_start();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let another = world.another("another");
    assert_eq!(another.stop(&world.id).await.unwrap(), Stopped::Stopped { up_to: launch(1) });
    let overtaken = start.await.unwrap().unwrap();
    assert!(matches!(&overtaken, Started::Overtaken { current } if current.phase == Phase::Stopped), "{overtaken:?}");
    assert_eq!(world.phase().await, Phase::Stopped);
}

#[tokio::test(start_paused = true)]
async fn reconcile_7_a_stop_that_a_living_owner_drives_is_not_taken_from_it() {
    let world = World::new().await;
    world.up().await;
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeEffect));
    let (another, id) = (world.another("another"), world.id.clone());
    let stop = tokio::spawn(async move { another.stop(&id).await.unwrap() });
    world.provider.until_parked(Verb::End).await;
    let overtaken = world.plane.stop(&world.id).await.unwrap();
    assert!(matches!(&overtaken, Stopped::Overtaken { current } if current.owner == Some(owner("another"))));
    // A deletion takes its place all the same.
    assert_eq!(world.plane.delete(&world.id).await.unwrap(), Deleted::Gone { up_to: launch(1) });
    world.provider.release(Verb::End);
    assert!(matches!(stop.await.unwrap(), Stopped::Overtaken { .. }));
    assert_eq!(world.phase().await, Phase::Gone);
}

#[tokio::test(start_paused = true)]
async fn reconcile_11_what_is_settled_has_come_as_far_as_the_provider_had() {
    let world = World::new().await;
    world.up().await;
    assert_eq!(world.row().await.mark, world.seen().await.mark);
    let _ = world.plane.stop(&world.id).await.unwrap();
    assert_eq!(world.row().await.mark, world.seen().await.mark);
    let _ = world.plane.delete(&world.id).await.unwrap();
    assert_eq!(world.row().await.mark, world.seen().await.mark);
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

/// 1. A start hangs. 2. A stop is written, and its caller gives up before it has told whoever drives the start.
#[tokio::test(start_paused = true)]
async fn reconcile_20_a_stop_that_was_dropped_before_it_told_a_start_that_hangs_is_driven_on() {
    for kind in [Kind::Stop, Kind::Delete] {
        for is_asked_again in [false, true] {
            let world = World::new().await;
            let plane = world.with_awaits();
            world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
            let start = {
                let (plane, id) = (plane.clone(), world.id.clone());
                tokio::spawn(async move { plane.start(&id).await.unwrap() })
            };
            world.provider.until_parked(Verb::Start).await;
            let is_over = match kind {
                Kind::Delete => given_up_after(0, plane.delete(&world.id)).await.is_some(),
                Kind::Start | Kind::Stop => given_up_after(0, plane.stop(&world.id)).await.is_some(),
            };
            assert!(!is_over);
            assert_eq!(world.phase().await, kind.phase());
            // 3. Whoever asks for the same, or the passes, do not wait until the patience of the start is over.
            let before = tokio::time::Instant::now();
            let again = async {
                match kind {
                    Kind::Delete => matches!(plane.delete(&world.id).await, Ok(Deleted::Gone { .. })),
                    Kind::Start | Kind::Stop => matches!(plane.stop(&world.id).await, Ok(Stopped::Stopped { .. })),
                }
            };
            if is_asked_again {
                assert!(again.await);
            } else {
                let passes = Reconciler::new(plane.clone());
                // The first one finds a driver, and has it look; the second one finds none.
                assert_eq!(passes.pass().await.under_way.passed_by, 1);
                assert!(matches!(start.await.unwrap(), Started::Overtaken { .. }));
                assert_eq!(passes.pass().await.under_way.settled, 1);
            }
            assert!(before.elapsed() < Duration::from_secs(1), "{kind:?}: it has waited {:?}", before.elapsed());
            assert_eq!(world.phase().await, if kind == Kind::Delete { Phase::Gone } else { Phase::Stopped });
        }
    }
}

/// Nobody tells whoever drives in another process but its own pass.
#[tokio::test(start_paused = true)]
async fn reconcile_9_a_pass_has_whoever_drives_look_whether_another_control_plane_has_replaced_it() {
    let world = World::new().await;
    world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    let start = world.spawn_start();
    world.provider.until_parked(Verb::Start).await;
    assert_eq!(world.passes().pass().await.under_way.passed_by, 1);
    assert!(!start.is_finished(), "it is told in vain, and goes on");
    let stopped = world.another("another").stop(&world.id).await.unwrap();
    assert_eq!(stopped, Stopped::Stopped { up_to: launch(1) });
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeEffect));
    assert!(given_up_after(0, world.another("another").delete(&world.id)).await.is_none());
    let before = tokio::time::Instant::now();
    assert_eq!(world.passes().pass().await.under_way.passed_by, 1);
    assert!(matches!(start.await.unwrap().unwrap(), Started::Overtaken { .. }));
    assert!(before.elapsed() < Duration::from_secs(1), "it has waited {:?}", before.elapsed());
}

/// 1. A stop is settled, and whoever asked for it has not heard so yet. 2. Another control plane starts the computer.
/// 3. A second stop is written, and joins the first.
#[tokio::test(start_paused = true)]
async fn reconcile_9_a_stop_is_not_told_of_the_end_of_one_before_the_start_that_it_is_to_end() {
    let mut between = 0;
    for waits in 0.. {
        let world = World::new().await;
        world.up().await;
        let plane = world.with_awaits();
        let mut first = Box::pin(plane.stop(&world.id));
        if given_up_after(waits, &mut first).await.is_some() {
            break;
        }
        if world.phase().await != Phase::Stopped {
            continue;
        }
        between += 1;
        {
            let _admits = world.admits();
            let started = world.another("another").start(&world.id).await.unwrap();
            assert!(matches!(started, Started::Ready { launch: of } if of == launch(2)), "{started:?}");
        }
        let mut second = Box::pin(plane.stop(&world.id));
        assert!(given_up_after(1, &mut second).await.is_none());
        let (first, second) = tokio::join!(first, second);
        assert_eq!(first.unwrap(), Stopped::Stopped { up_to: launch(1) }, "after {waits} waits");
        assert_eq!(second.unwrap(), Stopped::Stopped { up_to: launch(2) }, "after {waits} waits");
        assert_eq!((world.phase().await, world.condition().await), (Phase::Stopped, Some(Condition::Exited)));
    }
    assert!(between > 0, "nothing came in between");
}
