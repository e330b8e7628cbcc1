//! Sweeps and reports, and who races with them.

use std::time::Duration;

use outlive::OperationStore;
use outlive::operation::Started;
use outlive::provider::{Condition, Provider};
use outlive::reconcile::{Acted, Pace, Reason, Row, Told};
use outlive::store::operation::{Conclusion, DeliverOutcome, Phase};
use outlive::testing::{Fault, Point, Verb};

use crate::world::{World, given_up_after, launch};

/// Incident E, step by step.
#[tokio::test(start_paused = true)]
async fn reconcile_3_a_sweep_that_saw_the_old_exit_does_not_write_it_over_the_start_that_has_ended_since() {
    let world = World::new().await;
    world.up().await;
    // 1. The instance exits, and the row says so.
    assert!(world.provider.exit(&world.id));
    let _ = world.passes().pass().await;
    assert_eq!(world.phase().await, Phase::Error);
    assert!(world.provider.revive(&world.id) && world.provider.admit(&world.id));
    let _ = world.passes().pass().await;
    assert!(world.provider.exit(&world.id));
    // 2. A sweep reads the row, and then the provider: it sees the exit, and sleeps before it writes.
    let [row] = &world.passes().list(Reason::Sweep, None).await.unwrap()[..] else { panic!("one is to be swept") };
    world.provider.plan(Verb::Get, Fault::Park(Point::BeforeAnswer));
    let (passes, row) = (world.passes(), row.clone());
    let sweep = tokio::spawn(async move { passes.act(row).await });
    world.provider.until_parked(Verb::Get).await;
    // 3. Meanwhile a restart begins, calls the provider, and ends.
    let admits = world.admits();
    let _ = world.plane.restart(&world.id).await.unwrap();
    drop(admits);
    let ready = world.row().await;
    assert_eq!((ready.phase, ready.launch), (Phase::Ready, launch(2)));
    // 4. The sweep wakes up, and is refused.
    world.provider.release(Verb::Get);
    let acted = sweep.await.unwrap();
    assert!(matches!(acted, Acted::Lost), "{acted:?}");
    assert_eq!(world.row().await, ready);
}

/// The same, while the start is still under way at another control plane, of which this process has no gate.
#[tokio::test(start_paused = true)]
async fn reconcile_4_a_sweep_that_saw_the_old_exit_does_not_write_it_over_a_start_that_is_under_way() {
    for is_of_this_process in [true, false] {
        let world = World::new().await;
        world.up().await;
        assert!(world.provider.exit(&world.id));
        let [row] = &world.passes().list(Reason::Sweep, None).await.unwrap()[..] else { panic!("one is to be swept") };
        world.provider.plan(Verb::Get, Fault::Park(Point::BeforeAnswer));
        let (passes, row) = (world.passes(), row.clone());
        let sweep = tokio::spawn(async move { passes.act(row).await });
        world.provider.until_parked(Verb::Get).await;
        let plane = if is_of_this_process { world.plane.clone() } else { world.another("another") };
        let _ = plane.stop(&world.id).await.unwrap();
        world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
        let id = world.id.clone();
        let start = tokio::spawn(async move { plane.start(&id).await.unwrap() });
        world.provider.until_parked(Verb::Start).await;
        let before = world.row().await;
        world.provider.release(Verb::Get);
        let acted = sweep.await.unwrap();
        match is_of_this_process {
            true => assert!(matches!(acted, Acted::PassedBy), "{acted:?}"),
            false => assert!(matches!(acted, Acted::Lost), "{acted:?}"),
        }
        assert_eq!(world.row().await, before);
        let _admits = world.admits();
        world.provider.release(Verb::Start);
        assert!(matches!(start.await.unwrap(), Started::Ready { .. }));
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_22_what_has_exited_is_an_error_and_reconcile_21_what_is_up_again_is_ready() {
    let world = World::new().await;
    world.up().await;
    let sweep = async || world.passes().pass().await.sweep;
    assert_eq!(sweep().await.nothing, 1);
    assert!(world.provider.exit(&world.id));
    assert_eq!(sweep().await.written, 1);
    assert_eq!(world.phase().await, Phase::Error);
    assert_eq!(sweep().await.nothing, 1);
    assert!(world.provider.revive(&world.id));
    assert_eq!(sweep().await.nothing, 1);
    assert!(world.provider.admit(&world.id));
    assert_eq!(sweep().await.written, 1);
    assert_eq!(world.phase().await, Phase::Ready);
}

#[tokio::test(start_paused = true)]
async fn reconcile_12_what_is_gone_is_deleted_and_the_deletion_is_driven_to_its_end() {
    let world = World::new().await;
    world.up().await;
    assert!(world.provider.vanish(&world.id));
    // 1. The proof is lost on its way: the deletion is ours, and under way.
    world.provider.plan(Verb::End, Fault::Lose);
    let counts = world.passes().pass().await.sweep;
    assert_eq!((counts.listed, counts.failed, counts.written), (1, 1, 0));
    assert_eq!((world.phase().await, world.row().await.owner.as_ref()), (Phase::Deleting, Some(world.plane.owner())));
    // 2. The next pass ends it.
    assert_eq!(world.passes().pass().await.under_way.settled, 1);
    assert_eq!(world.phase().await, Phase::Gone);
    // At once, where nothing is lost.
    let world = World::new().await;
    world.up().await;
    assert!(world.provider.vanish(&world.id));
    let counts = world.passes().pass().await.sweep;
    assert_eq!((counts.listed, counts.written), (1, 1));
    assert_eq!(world.phase().await, Phase::Gone);
}

#[tokio::test(start_paused = true)]
async fn reconcile_18_a_sweep_that_is_dropped_leaves_the_deletion_that_it_began_to_the_next_pass() {
    let world = World::new().await;
    world.up().await;
    assert!(world.provider.vanish(&world.id));
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeEffect));
    assert!(given_up_after(0, world.passes().pass()).await.is_none());
    assert_eq!(world.phase().await, Phase::Deleting);
    assert_eq!(world.passes().pass().await.under_way.settled, 1);
    assert_eq!(world.phase().await, Phase::Gone);
}

#[tokio::test(start_paused = true)]
async fn reconcile_12_nobody_who_answers_is_no_absence() {
    for fault in [Fault::Lose, Fault::LoseAnswer, Fault::Refuse, Fault::Nonsense, Fault::Park(Point::BeforeAnswer)] {
        let world = World::new().await;
        world.up().await;
        let before = world.row().await;
        world.provider.plan(Verb::Get, fault.clone());
        let counts = world.passes().pass().await.sweep;
        assert_eq!((counts.listed, counts.failed), (1, 1), "{fault:?}");
        assert_eq!(world.row().await, before, "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_18_a_sweep_passes_by_what_somebody_is_at_work_on_and_asks_nobody() {
    let world = World::new().await;
    world.up().await;
    let [row] = &world.passes().list(Reason::Sweep, None).await.unwrap()[..] else { panic!("one is to be swept") };
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeEffect));
    // A question would be heard to be lost.
    world.provider.plan(Verb::Get, Fault::Lose);
    let (plane, id) = (world.plane.clone(), world.id.clone());
    let stop = tokio::spawn(async move { plane.stop(&id).await });
    world.provider.until_parked(Verb::End).await;
    let acted = world.passes().act(row.clone()).await;
    assert!(matches!(acted, Acted::PassedBy), "{acted:?}");
    world.provider.release(Verb::End);
    let _ = stop.await.unwrap().unwrap();
}

// ------------------------------------------------------------------------------------------------ many computers

#[tokio::test(start_paused = true)]
async fn reconcile_19_a_call_that_panics_ends_nothing_but_its_own_turn() {
    let world = World::new().await;
    world.up().await;
    let others = others_up(&world, 3).await;
    assert!(others.iter().all(|id| world.provider.exit(id)));
    world.provider.plan(Verb::Get, Fault::Panic);
    let counts = world.passes().pass().await.sweep;
    assert_eq!((counts.listed, counts.failed, counts.written), (4, 1, 3), "{counts:?}");
    // What it held is free again.
    assert!(matches!(world.plane.stop(&world.id).await.unwrap(), outlive::operation::Stopped::Stopped { .. }));
}

#[tokio::test(start_paused = true)]
async fn reconcile_19_a_provider_that_hangs_on_one_computer_delays_no_other() {
    let world = World::new().await;
    world.up().await;
    let others = others_up(&world, 50).await;
    for id in &others {
        assert!(world.provider.exit(id));
    }
    // 1. The first question is about one of them, and hangs.
    world.provider.plan(Verb::Get, Fault::Park(Point::BeforeEffect));
    let passes = world.passes();
    let before = tokio::time::Instant::now();
    let pass = tokio::spawn(async move { passes.pass().await });
    world.provider.until_parked(Verb::Get).await;
    // 2. All others are written before it is given up.
    for _ in 0..10_000 {
        tokio::task::yield_now().await;
    }
    let mut errors = 0;
    for id in &others {
        errors += usize::from(world.phase_of(id).await == Phase::Error);
    }
    assert!(errors >= 49, "{errors} of 50");
    assert!(before.elapsed() < Duration::from_secs(1));
    // 3. It is given up at its limit, and is looked at again in the next pass.
    let counts = pass.await.unwrap().sweep;
    assert_eq!((counts.listed, counts.failed), (51, 1), "{counts:?}");
    assert!(before.elapsed() < crate::world::limits().call * 2);
    assert_eq!(world.passes().pass().await.sweep.failed, 0);
}

/// Others, that are up.
async fn others_up(world: &World, count: usize) -> Vec<outlive::ComputerId> {
    let _admits = world.admits();
    let mut others = Vec::new();
    for at in 0..count {
        let id = world.create(&format!("other-{at}")).await;
        let started = world.plane.start(&id).await.unwrap();
        assert!(matches!(started, Started::Ready { .. }), "{started:?}");
        others.push(id);
    }
    others
}

#[tokio::test(start_paused = true)]
async fn what_is_counted_adds_up_and_a_pass_that_leaves_rows_says_so() {
    let world = World::new().await;
    world.up().await;
    let others = others_up(&world, 6).await;
    assert!(world.provider.exit(&others[0]) && world.provider.vanish(&others[1]));
    world.provider.plan(Verb::Get, Fault::Lose);
    let mut pace = Pace::default();
    (pace.page, pace.rows) = (2, 5);
    let counts = outlive::Reconciler::with_pace(world.plane.clone(), pace).pass().await.sweep;
    assert!(counts.add_up());
    assert_eq!((counts.listed, counts.failed, counts.written, counts.nothing), (5, 1, 2, 2), "{counts:?}");
    assert_eq!((counts.capped, counts.lists_broken), (1, 0));
    // With room for all, nothing is left: one is gone by now.
    let counts = world.passes().pass().await.sweep;
    assert_eq!((counts.listed, counts.nothing, counts.capped), (6, 6, 0), "{counts:?}");
}

#[tokio::test(start_paused = true)]
async fn reconcile_22_at_the_slowest_pace_every_row_has_its_turn_at_last() {
    let world = World::new().await;
    world.up().await;
    let others = others_up(&world, 2).await;
    assert!(others.iter().all(|id| world.provider.exit(id)));
    let mut pace = Pace::default();
    (pace.concurrency, pace.page, pace.rows) = (0, 0, 0);
    let passes = outlive::Reconciler::with_pace(world.plane.clone(), pace);
    let mut written = 0;
    for _ in 0..4 {
        written += passes.pass().await.sweep.written;
    }
    assert_eq!(written, 2);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_breaks_off_says_that_it_is_incomplete() {
    let world = World::new().await;
    world.up().await;
    let store = std::sync::Arc::new(crate::pends::NoLists(world.store.clone()));
    let timer = outlive::clock::Timer::new(tokio::time::sleep);
    let (provider, liveness) = (world.provider.clone(), world.liveness.clone());
    let plane = outlive::ControlPlane::new(crate::world::owner("first"), store, provider, liveness, timer);
    let totals = outlive::Reconciler::new(plane).pass().await;
    assert_eq!((totals.under_way.lists_broken, totals.sweep.lists_broken), (1, 1));
    assert_eq!((totals.sweep.listed, totals.sweep.failed), (0, 0));
}

// --------------------------------------------------------------------------------------------------- it is stopped

#[tokio::test(start_paused = true)]
async fn a_graceful_stop_begins_nothing_and_waits_for_what_has_begun() {
    for is_forced in [false, true] {
        let world = World::new().await;
        world.up().await;
        assert!(world.provider.exit(&world.id));
        world.provider.plan(Verb::Get, Fault::Park(Point::BeforeAnswer));
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let (force, forced) = tokio::sync::oneshot::channel::<()>();
        let passes = world.passes();
        let run = tokio::spawn(async move {
            let heard = async |signal: tokio::sync::oneshot::Receiver<()>| drop(signal.await);
            passes.run_until_forced(heard(stopped), heard(forced)).await
        });
        world.provider.until_parked(Verb::Get).await;
        stop.send(()).unwrap();
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert!(!run.is_finished(), "what has begun is not waited for");
        let counts = match is_forced {
            true => {
                force.send(()).unwrap();
                run.await.unwrap().sweep
            }
            false => {
                world.provider.release(Verb::Get);
                run.await.unwrap().sweep
            }
        };
        let expected = if is_forced { (1, 0, 1) } else { (1, 1, 0) };
        assert_eq!((counts.listed, counts.written, counts.dropped), expected, "{counts:?}");
        assert_eq!(world.phase().await, if is_forced { Phase::Ready } else { Phase::Error });
    }
}

#[tokio::test(start_paused = true)]
async fn passes_go_on_until_they_are_stopped_and_a_hung_turn_keeps_no_other_list_waiting() {
    let world = World::new().await;
    world.up().await;
    let [other] = &others_up(&world, 1).await[..] else { panic!("one other") };
    // 1. The first look of the sweep hangs, for as long as a call may take.
    world.provider.plan(Verb::Get, Fault::Park(Point::BeforeAnswer));
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let mut pace = Pace::default();
    pace.sweep_interval = Duration::from_secs(1);
    let passes = outlive::Reconciler::with_pace(world.plane.clone(), pace);
    let run = tokio::spawn(async move { passes.run_until(async move { drop(stopped.await) }).await });
    world.provider.until_parked(Verb::Get).await;
    // 2. Meanwhile a stop is left under way, and is driven on.
    world.provider.plan(Verb::End, Fault::Lose);
    let _ = world.plane.stop(other).await.unwrap_err();
    let before = tokio::time::Instant::now();
    let _ = world.plane.wait(other, outlive::operation::Until::Settled, launch(1)).await.unwrap();
    assert!(before.elapsed() <= Pace::default().under_way_interval * 2, "{:?}", before.elapsed());
    assert_eq!(world.phase_of(other).await, Phase::Stopped);
    stop.send(()).unwrap();
    let totals = run.await.unwrap();
    assert_eq!((totals.under_way.settled, totals.sweep.failed), (1, 1), "{totals:?}");
    // The sweep has gone on as well, and the computer with the hung look had no second one meanwhile.
    assert!(totals.sweep.passed_by >= 4, "{totals:?}");
}

#[tokio::test(start_paused = true)]
async fn a_drain_begins_nothing_and_is_joined_by_everybody() {
    use outlive::operation::OperationError;
    let world = World::new().await;
    world.up().await;
    world.provider.plan(Verb::End, Fault::Park(Point::BeforeAnswer));
    let (plane, id) = (world.plane.clone(), world.id.clone());
    let stop = tokio::spawn(async move { plane.stop(&id).await });
    world.provider.until_parked(Verb::End).await;
    let drains: Vec<_> = (0..2)
        .map(|_| {
            let plane = world.plane.clone();
            tokio::spawn(async move { plane.drain().await })
        })
        .collect();
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(drains.iter().all(|drain| !drain.is_finished()));
    let refused = world.plane.start(&world.id).await.unwrap_err();
    assert!(matches!(refused, OperationError::Draining), "{refused:?}");
    world.provider.release(Verb::End);
    for drain in drains {
        drain.await.unwrap();
    }
    assert!(stop.is_finished());
    world.plane.drain().await;
    // A report is written by somebody else.
    let seen = world.seen().await;
    let late = world.passes().deliver(seen).await.unwrap_err();
    assert!(matches!(late, OperationError::Draining), "{late:?}");
    let followed = world.passes().follow(&world.id).await.unwrap_err();
    assert!(matches!(followed, OperationError::Draining), "{followed:?}");
}

#[tokio::test(start_paused = true)]
async fn what_stands_behind_the_cap_has_its_turn_in_the_next_pass() {
    let world = World::new().await;
    world.up().await;
    let others = others_up(&world, 4).await;
    let mut pace = Pace::default();
    (pace.page, pace.rows) = (2, 2);
    let passes = outlive::Reconciler::with_pace(world.plane.clone(), pace);
    // Two, two, and the last one; then from the beginning again.
    for (listed, capped) in [(2, 1), (2, 1), (1, 0), (2, 1)] {
        let counts = passes.pass().await.sweep;
        assert_eq!((counts.listed, counts.capped), (listed, capped), "{counts:?}");
    }
    // The last of the list has exited, and three passes find it.
    assert!(world.provider.exit(&others[3]));
    let mut written = 0;
    for _ in 0..3 {
        written += passes.pass().await.sweep.written;
    }
    assert_eq!(written, 1);
}

// -------------------------------------------------------------------------------------------------------- reports

#[tokio::test(start_paused = true)]
async fn reconcile_11_a_report_counts_once_and_what_was_missed_is_heard_of_after_a_restart() {
    let world = World::new().await;
    world.up().await;
    let locks = outlive::locks::Locks::new(());
    let list = async || world.provider.list(locks.sweep().io()).await.unwrap().pop().unwrap();
    let up = list().await;
    assert!(world.provider.exit(&world.id));
    let exited = list().await;
    let told = world.passes().deliver(exited.clone()).await.unwrap();
    assert!(matches!(told, Told::Decided(DeliverOutcome::Written { conclusion: Conclusion::Error, .. })), "{told:?}");
    // Again, and late, to a control plane that has just started: the mark is in the row.
    let next_life = outlive::Reconciler::new(world.another("next life"));
    for late in [exited, up] {
        let told = next_life.deliver(late).await.unwrap();
        assert!(matches!(told, Told::Decided(DeliverOutcome::NotAhead { .. })), "{told:?}");
    }
    assert_eq!(world.phase().await, Phase::Error);
}

#[tokio::test(start_paused = true)]
async fn reconcile_12_a_report_that_nothing_is_there_is_only_a_reason_to_ask() {
    let world = World::new().await;
    world.up().await;
    let mut absent = world.seen().await;
    absent.seen = None;
    absent.mark = absent.mark.next().unwrap();
    // 1. It was left out, and is there.
    let told = world.passes().deliver(absent.clone()).await.unwrap();
    assert!(matches!(told, Told::Asked(Acted::Nothing)), "{told:?}");
    assert_eq!(world.phase().await, Phase::Ready);
    // 2. It is gone.
    assert!(world.provider.vanish(&world.id));
    let told = world.passes().deliver(absent).await.unwrap();
    assert!(matches!(told, Told::Asked(Acted::Written { conclusion: Conclusion::Prune })), "{told:?}");
    assert_eq!(world.phase().await, Phase::Gone);
}

#[tokio::test(start_paused = true)]
async fn reconcile_21_whoever_follows_a_computer_hears_of_each_change_until_it_is_gone() {
    let world = World::new().await;
    world.up().await;
    for fault in [Fault::Lose, Fault::Past(1), Fault::Nonsense] {
        world.provider.plan(Verb::Watch, fault);
    }
    let (passes, id) = (world.passes(), world.id.clone());
    let follow = tokio::spawn(async move { passes.follow(&id).await });
    let until = async |phase: Phase| {
        while world.phase().await != phase {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    assert!(world.provider.exit(&world.id));
    until(Phase::Error).await;
    assert!(world.provider.revive(&world.id) && world.provider.admit(&world.id));
    until(Phase::Ready).await;
    assert!(world.provider.vanish(&world.id));
    until(Phase::Gone).await;
    follow.await.unwrap().unwrap();
    assert_eq!(world.condition().await, None::<Condition>);
    let unknown = world.passes().follow(&crate::world::computer("unknown")).await;
    assert!(unknown.is_err());
}

/// What was listed is a value: whoever makes one up is refused as anybody whose look is old.
#[tokio::test(start_paused = true)]
async fn reconcile_3_a_row_that_was_written_since_it_was_listed_is_lost() {
    let world = World::new().await;
    world.up().await;
    let old = Row { computer: world.id.clone(), standing: world.row().await, reason: Reason::Sweep };
    assert!(world.provider.exit(&world.id));
    let acted = world.passes().act(old.clone()).await;
    assert!(matches!(acted, Acted::Written { conclusion: Conclusion::Error }), "{acted:?}");
    // It is up again, and the row of before says that it was ready: there is nothing to write.
    let acted = world.passes().act(old).await;
    assert!(matches!(acted, Acted::Nothing), "{acted:?}");
    assert_eq!(world.store.standing(world.id.clone()).await.unwrap().phase, Phase::Error);
}
