//! What a provider that hangs costs the others, and what a sweep costs.
//!
//! ```text
//! cargo bench -p outlive-benches --bench reconcile
//! ```
//!
//! # One computer hangs
//!
//! Tasks restart computers without a pause, at a provider whose calls take two milliseconds, while passes go on beside
//! them. In every other round one more computer is there whose calls are never answered: somebody starts it, and passes
//! look at it. Wanted is that the slowest hundredth of the others' restarts takes at most twice as long.
//!
//! # A sweep
//!
//! See [`sweep`].

mod provider;
mod sweep;

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use outlive::clock::Timer;
use outlive::operation::{Limits, Restarted};
use outlive::reconcile::Pace;
use outlive::store::{Create, Store};
use outlive::testing::FakeLiveness;
use outlive::{ComputerId, ControlPlane, MemoryStore, OwnerName, Reconciler};
use outlive_benches::median;
use provider::Quick;
use tokio::sync::oneshot;

type Outcome = Result<(), Box<dyn Error>>;
type Plane<S> = ControlPlane<S, Arc<Quick>, FakeLiveness>;

const ROUNDS: usize = 9;
const TASKS: usize = 32;
const RESTARTS: usize = 40;
const CALL: Duration = Duration::from_millis(2);
const GOAL: f64 = 2.0;

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build()?;
    println!("restarts of {TASKS} computers, {RESTARTS} each, beside passes; {ROUNDS} interleaved rounds");
    let mut ratios = Vec::new();
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let none = runtime.block_on(restarts(false))?;
        let one = runtime.block_on(restarts(true))?;
        // The first one warms up.
        if round > 0 {
            ratios.push(one / none);
            alone.push(none);
            beside.push(one);
        }
    }
    let (ratio, alone, beside) = (median(ratios), median(alone), median(beside));
    println!("  p99 with none blocked {:.1} ms, with one blocked {:.1} ms", alone * 1e3, beside * 1e3);
    let verdict = if ratio <= GOAL { "met" } else { "MISSED" };
    println!("  p99 with one blocked / with none = {ratio:.2}   (goal: at most {GOAL}: {verdict})");
    sweep::measure(&runtime)
}

fn plane<S: outlive::OperationStore>(store: Arc<S>, provider: Arc<Quick>) -> Result<Plane<S>, Box<dyn Error>> {
    let mut limits = Limits::default();
    limits.poll_interval = Duration::from_millis(1);
    let (own, timer) = (OwnerName::new("bench")?, Timer::new(tokio::time::sleep));
    Ok(ControlPlane::with_limits(own, store, provider, FakeLiveness::new(), timer, limits))
}

/// The time in seconds below which 99 of 100 restarts have ended.
async fn restarts(is_one_blocked: bool) -> Result<f64, Box<dyn Error>> {
    let store = Arc::new(MemoryStore::new());
    let blocked = ComputerId::new("blocked")?;
    let provider = Arc::new(Quick::new(CALL, is_one_blocked.then(|| blocked.clone())));
    let plane = plane(store.clone(), provider)?;
    let (stop, stopped) = oneshot::channel::<()>();
    let (force, forced) = oneshot::channel::<()>();
    let mut pace = Pace::default();
    (pace.under_way_interval, pace.sweep_interval) = (Duration::from_millis(5), Duration::from_millis(5));
    let passes = Reconciler::with_pace(plane.clone(), pace);
    let passes = tokio::spawn(async move {
        let heard = async |signal: oneshot::Receiver<()>| drop(signal.await);
        passes.run_until_forced(heard(stopped), heard(forced)).await
    });
    let _ = store.create(Create { computer: blocked.clone() }).await?;
    let hangs = {
        let plane = plane.clone();
        tokio::spawn(async move { drop(plane.start(&blocked).await) })
    };
    let mut tasks = Vec::new();
    for at in 0..TASKS {
        let (plane, id) = (plane.clone(), ComputerId::new(format!("computer-{at}"))?);
        let _ = store.create(Create { computer: id.clone() }).await?;
        tasks.push(tokio::spawn(async move {
            let mut times = Vec::with_capacity(RESTARTS);
            for _ in 0..RESTARTS {
                let begun = Instant::now();
                let restarted = plane.restart(&id).await.expect("a store in memory does not fail");
                assert!(matches!(restarted, Restarted::Ready { .. }), "{restarted:?}");
                times.push(begun.elapsed().as_secs_f64());
            }
            times
        }));
    }
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await?);
    }
    let _ = (stop.send(()), force.send(()));
    let _ = passes.await?;
    hangs.abort();
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() * 99 / 100])
}
