//! Operations that the library drives, recorded and held against the model: what chance makes of two control planes,
//! and incident E to the step.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "the world is that of the library's own tests, which need more of it")]

#[path = "common/fails_once.rs"]
mod fails_once;
#[path = "../../reference/tests/driving/pends.rs"]
mod pends;
#[path = "../../reference/tests/driving/play.rs"]
mod play;
#[path = "../../reference/tests/driving/world.rs"]
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;

use outlive::clock::Timer;
use outlive::operation::{Started, Stopped};
use outlive::reconcile::{Acted, Reason};
use outlive::store::operation::Phase;
use outlive::store::{Create, SqliteOptions, Store};
use outlive::testing::{FakeLiveness, FakeProvider, Fault, Point, Verb};
use outlive::trace::Protocol;
use outlive::{ControlPlane, MemoryStore, ProviderName, SqliteStore};
use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check, render};
use play::Play;
use world::World;

const SEEDS: u64 = 150;

/// What the model says of all that was recorded in this world.
async fn judged(world: &World) -> Report {
    judged_of(&*world.store).await
}

async fn judged_of(store: &impl Store) -> Report {
    let mut trace = Vec::new();
    let _events = store.recorder().export(Protocol::Operation, &mut trace).await.unwrap();
    check(&[Input::text("trace", String::from_utf8(trace).unwrap())], &Options::default())
}

fn assert_conforms(report: &Report, what: &str) {
    assert_eq!(report.verdict, Verdict::Conforms, "{what}:\n{}", render::text(report, render::Colors::Never));
}

/// How often each danger window was open.
fn windows(report: &Report) -> BTreeMap<String, u64> {
    report.windows.iter().map(|opened| (opened.window.clone(), opened.count)).collect()
}

#[tokio::test(start_paused = true)]
async fn whatever_chance_has_control_planes_do_is_a_behaviour_of_the_model() {
    let mut opened = BTreeMap::new();
    for seed in 1..=SEEDS {
        let play = Play::of(seed, World::on(MemoryStore::recording()).await).await;
        let report = judged(&play.world).await;
        assert_conforms(&report, &format!("seed {seed}"));
        for (window, count) in windows(&report) {
            *opened.entry(window).or_insert(0) += count;
        }
    }
    // What a sweep has seen too early is placed by hand, below and in `recorded`.
    for window in ["stop-while-starting", "lost-settle", "late-start", "crash-while-calling", "taken-over"] {
        assert!(opened[window] > 20, "{window}: {opened:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn incident_e_in_its_own_order_ends_in_a_refusal() {
    let world = World::on(MemoryStore::recording()).await;
    // 1. The computer has run, and its instance has exited.
    world.up().await;
    assert!(world.provider.exit(&world.id));
    // 2. Another control plane has stopped it, and starts it: the start is in the row, and its call is on its way.
    let other = world.another("another");
    let _ = other.stop(&world.id).await.unwrap();
    world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    let id = world.id.clone();
    let start = tokio::spawn(async move { other.start(&id).await.unwrap() });
    world.provider.until_parked(Verb::Start).await;
    // 3. A sweep reads the row of the start, and the provider: it sees the old exit.
    let row =
        outlive::reconcile::Row { computer: world.id.clone(), standing: world.row().await, reason: Reason::Sweep };
    assert_eq!(row.standing.phase, Phase::Starting);
    let acted = world.passes().act(row).await;
    // 4. It writes no error over the start.
    assert!(matches!(acted, Acted::Lost), "{acted:?}");
    assert_eq!(world.phase().await, Phase::Starting);
    // 5. The call arrives, the instance is admitted, and the start returns what it has started.
    let _admits = world.admits();
    world.provider.release(Verb::Start);
    assert!(matches!(start.await.unwrap(), Started::Ready { .. }));
    assert_eq!(world.phase().await, Phase::Ready);
    let report = judged(&world).await;
    assert_conforms(&report, "incident E");
    assert_eq!(windows(&report)["look-at-an-operation"], 1);
}

/// The stop is written before whoever drives the start hears that it has begun. Only a file makes both wait.
#[tokio::test]
async fn reconcile_15_a_start_that_is_sent_once_a_stop_has_replaced_it_is_a_behaviour_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("store.db"), SqliteOptions::new().recording()).unwrap();
    let recorder = store.recorder();
    let store = Arc::new(store);
    let provider = recorder.provider(&ProviderName::new("provider").unwrap());
    let (provider, liveness) = (Arc::new(FakeProvider::recording(provider)), Arc::new(FakeLiveness::new()));
    let (timer, limits) = (Timer::new(tokio::time::sleep), world::limits());
    let plane =
        ControlPlane::recording(world::owner("first"), store.clone(), provider, liveness, timer, limits, recorder);
    let id = world::computer("computer");
    let _ = store.create(Create { computer: id.clone() }).await.unwrap();
    let (started, stopped) = tokio::join!(plane.start(&id), plane.stop(&id));
    assert!(matches!(started.unwrap(), Started::Overtaken { .. }));
    assert_eq!(stopped.unwrap(), Stopped::Stopped { up_to: world::launch(1) });
    let report = judged_of(&*store).await;
    assert_conforms(&report, "a start and a stop at once");
    assert_eq!(windows(&report)["stop-while-starting"], 1);
}

/// A trace cannot show two looks of one owner at one computer: the answer to the first would be taken for the second's.
#[tokio::test(start_paused = true)]
async fn trace_4_a_second_look_at_a_computer_is_passed_by_while_it_is_recorded() {
    for point in [Point::BeforeEffect, Point::BeforeAnswer] {
        let world = World::on(MemoryStore::recording()).await;
        world.up().await;
        // 1. A pass asks the provider, and waits. 2. The instance exits. 3. Another pass comes to the same row.
        world.provider.plan(Verb::Get, Fault::Park(point));
        let passes = world.passes();
        let first = tokio::spawn(async move { passes.pass().await.sweep });
        world.provider.until_parked(Verb::Get).await;
        assert!(world.provider.exit(&world.id));
        assert_eq!(world.passes().pass().await.sweep.passed_by, 1, "{point:?}");
        // 4. The first one goes on, with what was so before the exit or after it. The next pass sees the exit.
        world.provider.release(Verb::Get);
        let has_seen_it = usize::from(point == Point::BeforeEffect);
        assert_eq!(first.await.unwrap().written, has_seen_it, "{point:?}");
        assert_eq!(world.passes().pass().await.sweep.written, 1 - has_seen_it, "{point:?}");
        assert_eq!(world.phase().await, Phase::Error, "{point:?}");
        assert_conforms(&judged(&world).await, "two looks");
    }
}

/// What is done, and what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    Start,
    Stop,
    Delete,
    /// A pass over what has exited, or is gone.
    Exit,
    Vanish,
    /// A pass over a stop of an owner that is dead.
    TakeOver,
}

#[tokio::test(start_paused = true)]
async fn reconcile_19_whichever_step_of_the_store_fails_the_next_pass_goes_on_and_the_trace_conforms() {
    for (work, leads_to) in [
        (Work::Start, Phase::Ready),
        (Work::Stop, Phase::Stopped),
        (Work::Delete, Phase::Gone),
        (Work::Exit, Phase::Error),
        (Work::Vanish, Phase::Gone),
        (Work::TakeOver, Phase::Stopped),
    ] {
        for is_done in [false, true] {
            for steps in 0.. {
                let world = World::on(MemoryStore::recording()).await;
                world.up().await;
                if work == Work::Start {
                    let _ = world.plane.stop(&world.id).await.unwrap();
                }
                let before = world.phase().await;
                let has_failed = fails_at(&world, work, steps, is_done).await;
                let phase = world.phase().await;
                let passes = world.passes();
                let _admits = world.admits();
                let _ = passes.pass().await;
                let _ = passes.pass().await;
                let is_let_be = phase == before && matches!(work, Work::Start | Work::Stop | Work::Delete);
                let expected = if is_let_be { before } else { leads_to };
                let what = format!("{work:?}, {steps} steps, is done: {is_done}");
                assert_eq!(world.phase().await, expected, "{what}");
                assert_conforms(&judged(&world).await, &what);
                if !has_failed {
                    assert!(steps > 1, "{work:?} asks the store more often");
                    break;
                }
            }
        }
    }
}

/// Whether a step has failed.
async fn fails_at(world: &World, work: Work, steps: usize, is_done: bool) -> bool {
    let store = Arc::new(fails_once::FailsOnce { store: world.store.clone(), steps_left: steps.into(), is_done });
    let (provider, liveness, recorder) = (world.provider.clone(), world.liveness.clone(), world.store.recorder());
    let timer = Timer::new(tokio::time::sleep);
    let (own, limits) = (world::owner("first"), world::limits());
    let plane = ControlPlane::recording(own, store.clone(), provider, liveness, timer, limits, recorder);
    let _admits = world.admits();
    match work {
        Work::Start => drop(plane.start(&world.id).await),
        Work::Stop => drop(plane.stop(&world.id).await),
        Work::Delete => drop(plane.delete(&world.id).await),
        Work::Exit => assert!(world.provider.exit(&world.id)),
        Work::Vanish => assert!(world.provider.vanish(&world.id)),
        Work::TakeOver => {
            world.provider.plan(Verb::End, Fault::Lose);
            let _ = world.another("another").stop(&world.id).await.unwrap_err();
            world.liveness.die(world::owner("another"));
        }
    }
    if matches!(work, Work::Exit | Work::Vanish | Work::TakeOver) {
        let _ = outlive::Reconciler::new(plane).pass().await;
    }
    // It counts on below nothing once it has failed.
    store.steps_left.load(std::sync::atomic::Ordering::Relaxed) > steps
}

/// 1. A start hangs. 2. A stop tells its driver to look, and the row cannot be read.
#[tokio::test(start_paused = true)]
async fn reconcile_9_a_driver_that_cannot_read_its_row_reads_it_again() {
    let world = World::on(MemoryStore::recording()).await;
    // The start begins, and the stop. The third step is the look.
    let store = fails_once::FailsOnce { store: world.store.clone(), steps_left: 2.into(), is_done: false };
    let (provider, liveness, recorder) = (world.provider.clone(), world.liveness.clone(), world.store.recorder());
    let (own, timer) = (world::owner("first"), Timer::new(tokio::time::sleep));
    let plane = ControlPlane::recording(own, Arc::new(store), provider, liveness, timer, world::limits(), recorder);
    world.provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    let before = tokio::time::Instant::now();
    let stop = async {
        world.provider.until_parked(Verb::Start).await;
        plane.stop(&world.id).await
    };
    let (started, stopped) = tokio::join!(plane.start(&world.id), stop);
    assert!(matches!(started.unwrap(), Started::Overtaken { .. }));
    assert_eq!(stopped.unwrap(), Stopped::Stopped { up_to: world::launch(1) });
    let (waited, at_most) = (before.elapsed(), 2 * world::limits().poll_interval);
    assert!(waited >= world::limits().poll_interval && waited < at_most, "it has waited {waited:?}");
    assert_conforms(&judged(&world).await, "a look that failed");
}
