//! Operations that nobody drives any more, and the passes that find them.

use outlive::operation::Until;
use outlive::provider::Condition;
use outlive::store::operation::{BeginStart, BeginStop, Kind, Phase};
use outlive::testing::{Fault, Point, Verb};
use outlive::{OperationStore, Reconciler};

use crate::world::{World, given_up_after, launch, owner};

/// The operation, what it leads to, and how many awaits it has at least.
#[tokio::test(start_paused = true)]
async fn reconcile_19_what_is_dropped_at_any_await_is_driven_on_by_the_next_pass() {
    let cases = [(Kind::Start, Phase::Ready, 5), (Kind::Stop, Phase::Stopped, 5), (Kind::Delete, Phase::Gone, 5)];
    for (kind, leads_to, awaits) in cases {
        let (mut given_up, mut driven_on) = (0, 0);
        for waits in 0.. {
            let world = World::new().await;
            if kind != Kind::Start {
                world.up().await;
            }
            let _admits = world.admits();
            // 1. It is given up, and its gate is free.
            let plane = world.with_awaits();
            let is_over = match kind {
                Kind::Start => given_up_after(waits, plane.start(&world.id)).await.is_some(),
                Kind::Stop => given_up_after(waits, plane.stop(&world.id)).await.is_some(),
                Kind::Delete => given_up_after(waits, plane.delete(&world.id)).await.is_some(),
            };
            // 2. It is under way, or it is over: what is submitted is done, though nobody hears of it.
            let phase = world.phase().await;
            assert!(phase == kind.phase() || phase == leads_to, "{kind:?} after {waits} waits: {phase:?}");
            let counts = Reconciler::new(plane).pass().await.under_way;
            let expected = usize::from(phase == kind.phase());
            assert_eq!((counts.listed, counts.settled), (expected, expected), "{kind:?} after {waits} waits");
            assert_eq!((world.phase().await, world.row().await.launch), (leads_to, launch(1)), "{kind:?}, {waits}");
            if is_over {
                break;
            }
            given_up += 1;
            driven_on += expected;
        }
        assert!(given_up >= awaits && driven_on + 2 >= awaits, "{kind:?}: {given_up} times, {driven_on} driven on");
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_20_a_call_whose_caller_is_gone_arrives_late_and_changes_nothing() {
    for is_deletion in [false, true] {
        for point in [Point::BeforeEffect, Point::BeforeAnswer] {
            let world = World::new().await;
            world.up().await;
            world.provider.plan(Verb::End, Fault::Park(point));
            let is_over = match is_deletion {
                true => given_up_after(0, world.plane.delete(&world.id)).await.is_some(),
                false => given_up_after(0, world.plane.stop(&world.id)).await.is_some(),
            };
            assert!(!is_over);
            assert_eq!(world.passes().pass().await.under_way.settled, 1);
            let expected = if is_deletion { (Phase::Gone, None) } else { (Phase::Stopped, Some(Condition::Exited)) };
            assert_eq!((world.phase().await, world.condition().await), expected);
            world.provider.release(Verb::End);
            assert_eq!((world.phase().await, world.condition().await), expected);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_20_a_stop_that_waits_for_the_gate_and_is_dropped_is_driven_on() {
    let world = World::new().await;
    world.up().await;
    // 1. A stop holds the gate. 2. A deletion is announced, and its caller gives up before it has the gate.
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeEffect));
    let (plane, id) = (world.plane.clone(), world.id.clone());
    let stop = tokio::spawn(async move { plane.stop(&id).await });
    world.provider.until_parked(Verb::End).await;
    assert!(given_up_after(0, world.plane.delete(&world.id)).await.is_none());
    assert_eq!(world.phase().await, Phase::Deleting);
    // 3. The stop is told that it was overtaken. 4. A pass ends the deletion.
    let _ = stop.await.unwrap().unwrap();
    assert_eq!(world.passes().pass().await.under_way.settled, 1);
    assert_eq!((world.phase().await, world.condition().await), (Phase::Gone, None));
}

#[tokio::test(start_paused = true)]
async fn reconcile_18_what_is_driven_in_this_process_is_left_to_its_driver() {
    let world = World::new().await;
    world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    let start = world.spawn_start();
    world.provider.until_parked(Verb::Start).await;
    let counts = world.passes().pass().await.under_way;
    assert_eq!((counts.listed, counts.passed_by), (1, 1));
    let _admits = world.admits();
    world.provider.release(Verb::Start);
    let _ = start.await.unwrap().unwrap();
    assert_eq!(world.phase().await, Phase::Ready);
}

#[tokio::test(start_paused = true)]
async fn reconcile_7_what_a_living_owner_drives_is_passed_by_and_of_a_dead_one_is_taken_over() {
    for is_start in [true, false] {
        let world = World::new().await;
        world.up().await;
        let stopped = BeginStop { owner: owner("another"), computer: world.id.clone() };
        let _ = world.store.begin_stop(stopped).await.unwrap();
        let mut expected = (Phase::Stopped, launch(1));
        if is_start {
            world.liveness.die(owner("another"));
            assert_eq!(world.passes().pass().await.under_way.settled, 1);
            let started = BeginStart { owner: owner("yet another"), computer: world.id.clone() };
            let _ = world.store.begin_start(started).await.unwrap();
            expected = (Phase::Ready, launch(2));
        }
        let who = world.row().await.owner.unwrap();
        // 1. It is slow, and nothing more is known of it.
        let before = world.row().await;
        tokio::time::sleep(std::time::Duration::from_secs(86_400)).await;
        let counts = world.passes().pass().await.under_way;
        assert_eq!((counts.listed, counts.passed_by), (1, 1));
        assert_eq!(world.row().await, before);
        // 2. Its death is proven. RECONCILE-8: the launch stays.
        world.liveness.die(who);
        let _admits = world.admits();
        assert_eq!(world.passes().pass().await.under_way.settled, 1);
        assert_eq!((world.phase().await, world.row().await.launch), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_8_whoever_takes_over_brings_up_the_launch_whose_call_is_still_on_its_way() {
    let world = World::new().await;
    // 1. A start is sent, and its control plane dies.
    let dead = world.another("dead");
    world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    assert!(given_up_after(0, dead.start(&world.id)).await.is_none());
    world.liveness.die(owner("dead"));
    // 2. Another takes over, and the call of the dead one arrives after that.
    let _admits = world.admits();
    assert_eq!(world.passes().pass().await.under_way.settled, 1);
    let before = world.seen().await;
    world.provider.release(Verb::Start);
    // 3. There is one instance, of the one launch.
    assert_eq!(world.seen().await, before);
    assert_eq!((world.row().await.launch, before.launch), (launch(1), launch(1)));
}

#[tokio::test(start_paused = true)]
async fn reconcile_19_whoever_waits_for_a_launch_is_told_what_has_become_of_it() {
    use outlive::operation::Waited;
    let world = World::new().await;
    // 1. Another control plane drives, so nobody here is told when it writes.
    let another = world.another("another");
    let id = world.id.clone();
    let start = tokio::spawn(async move { another.start(&id).await });
    let (plane, id) = (world.plane.clone(), world.id.clone());
    tokio::task::yield_now().await;
    let wait = tokio::spawn(async move { plane.wait(&id, Until::Ready, launch(1)).await.unwrap() });
    let _admits = world.admits();
    let _ = start.await.unwrap().unwrap();
    assert!(matches!(wait.await.unwrap(), Waited::Reached { current } if current.phase == Phase::Ready));
    // 2. It is settled, as this launch and as no other.
    let settled = world.plane.wait(&world.id, Until::Settled, launch(1)).await.unwrap();
    assert!(matches!(settled, Waited::Reached { .. }), "{settled:?}");
    let _ = world.plane.restart(&world.id).await.unwrap();
    for until in [Until::Ready, Until::Settled] {
        let overtaken = world.plane.wait(&world.id, until, launch(1)).await.unwrap();
        assert!(matches!(overtaken, Waited::Overtaken { .. }), "{overtaken:?}");
        let never_begun = world.plane.wait(&world.id, until, launch(3)).await.unwrap();
        assert!(matches!(never_begun, Waited::WillNotCome { .. }), "{never_begun:?}");
    }
    // 3. It is stopped, so it is settled and will not be ready.
    let _ = world.plane.stop(&world.id).await.unwrap();
    let will_not = world.plane.wait(&world.id, Until::Ready, launch(2)).await.unwrap();
    assert!(matches!(will_not, Waited::WillNotCome { .. }), "{will_not:?}");
}

/// Each public future can be spawned, whatever the store and the provider are.
#[test]
fn the_futures_can_be_sent_to_another_thread() {
    fn sent<T: Send>(_: T) {}
    fn all(plane: &crate::world::Plane, id: &outlive::ComputerId, passes: &crate::world::Passes) {
        sent(plane.start(id));
        sent(plane.stop(id));
        sent(plane.delete(id));
        sent(plane.restart(id));
        sent(plane.wait(id, Until::Ready, launch(1)));
        sent(plane.drain());
        sent(passes.pass());
        sent(passes.run_until(std::future::pending()));
        sent(passes.follow(id));
    }
    let _ = all;
}

/// Where nothing is optimized, whoever passes one on copies it, and a thread has a few hundred kilobytes to spare.
#[tokio::test(start_paused = true)]
async fn the_futures_are_small() {
    let world = World::new().await;
    let (plane, passes, id) = (&world.plane, world.passes(), &world.id);
    let sizes = [
        size_of_val(&plane.start(id)),
        size_of_val(&plane.stop(id)),
        size_of_val(&plane.delete(id)),
        size_of_val(&plane.restart(id)),
        size_of_val(&plane.wait(id, Until::Ready, launch(1))),
        size_of_val(&passes.pass()),
        size_of_val(&passes.run_until(std::future::pending())),
        size_of_val(&passes.follow(id)),
    ];
    assert!(sizes.iter().all(|size| *size <= 16 * 1024), "{sizes:?}");
}
