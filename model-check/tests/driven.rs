//! Operations that the library drives, recorded and held against the model: what chance makes of two control planes,
//! and incident E to the step.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "the world is that of the library's own tests, which need more of it")]

#[path = "../../reference/tests/driving/pends.rs"]
mod pends;
#[path = "../../reference/tests/driving/play.rs"]
mod play;
#[path = "../../reference/tests/driving/world.rs"]
mod world;

use std::collections::BTreeMap;

use outlive::MemoryStore;
use outlive::operation::Started;
use outlive::reconcile::{Acted, Reason};
use outlive::store::Store;
use outlive::store::operation::Phase;
use outlive::testing::{Fault, Point, Verb};
use outlive::trace::Protocol;
use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check, render};
use play::Play;
use world::World;

const SEEDS: u64 = 150;

/// What the model says of all that was recorded in this world.
async fn judged(world: &World) -> Report {
    let mut trace = Vec::new();
    let _events = world.store.recorder().export(Protocol::Operation, &mut trace).await.unwrap();
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
