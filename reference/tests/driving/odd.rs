//! Providers that no fault plan makes: one that answers about another computer, one whose watch says the same old thing
//! at once, for ever, and one whose watch is ahead of its reads. And an authority on deaths that does not answer.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use outlive::clock::Timer;
use outlive::locks::IoPermit;
use outlive::operation::{Limits, OperationError, StartFailure, Started};
use outlive::provider::*;
use outlive::reconcile::{Acted, Reason};
use outlive::store::operation::{Liveness, Phase, Standing};
use outlive::testing::{FakeLiveness, FakeProvider, Fault, Verb};
use outlive::{
    ComputerId, ControlPlane, InstanceId, Mark, OperationStore, OwnerName, Provider, ProviderError, Reconciler,
};

use crate::world::{World, computer, launch, limits, owner};

#[derive(Clone, Copy, PartialEq)]
enum Oddity {
    /// A read, or a wait for a report, is answered about another computer.
    AnotherComputer,
    /// A read says that nothing is there, whatever was brought up.
    Absent,
    /// A watch is answered at once, by what was before everything.
    NoNews,
    /// A watch is answered at once, by what no read ever comes to.
    Ahead,
}

struct Odd(Arc<FakeProvider>, Oddity);

impl Provider for Odd {
    fn start(&self, io: IoPermit<'_>, call: Start) -> impl Future<Output = Result<StartOutcome, ProviderError>> + Send {
        self.0.start(io, call)
    }

    fn end(&self, io: IoPermit<'_>, call: End) -> impl Future<Output = Result<Ended, ProviderError>> + Send {
        self.0.end(io, call)
    }

    async fn get(&self, io: IoPermit<'_>, call: Get) -> Result<Observation, ProviderError> {
        let call_launch = call.launch;
        let seen = self.0.get(io, call).await?;
        let another = computer("another");
        Ok(match self.1 {
            Oddity::AnotherComputer => Observation { computer: another, ..seen },
            Oddity::Absent => Observation { launch: call_launch, seen: None, ..seen },
            Oddity::NoNews | Oddity::Ahead => seen,
        })
    }

    fn list(&self, io: IoPermit<'_>) -> impl Future<Output = Result<Vec<Observation>, ProviderError>> + Send {
        self.0.list(io)
    }

    async fn watch(&self, _: IoPermit<'_>, call: Watch) -> Result<Observation, ProviderError> {
        let says = |computer, condition, mark| {
            let seen = Some(Seen { instance: InstanceId::new("instance").unwrap(), condition });
            Observation { computer, launch: launch(1), seen, mark }
        };
        Ok(match self.1 {
            Oddity::AnotherComputer => says(computer("another"), Condition::Exited, Mark::try_from(100).unwrap()),
            Oddity::Absent => std::future::pending().await,
            Oddity::NoNews => Observation { seen: None, ..says(call.computer, Condition::Up, Mark::START) },
            Oddity::Ahead => says(call.computer, Condition::Booting, call.after.next().unwrap()),
        })
    }
}

fn odd(world: &World, oddity: Oddity, limits: Limits) -> ControlPlane<outlive::MemoryStore, Odd, Arc<FakeLiveness>> {
    let provider = Odd(world.provider.clone(), oddity);
    let timer = Timer::new(tokio::time::sleep);
    ControlPlane::with_limits(owner("odd"), world.store.clone(), provider, world.liveness.clone(), timer, limits)
}

async fn standing(world: &World, id: &ComputerId) -> Standing {
    world.store.standing(id.clone()).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn reconcile_12_an_answer_about_another_computer_says_nothing_of_either() {
    let world = World::new().await;
    world.up().await;
    let another = world.create("another").await;
    {
        let _admits = world.admits();
        let _ = world.plane.start(&another).await.unwrap();
    }
    // The one has exited, and the provider tells that of the other, which is up and of the same launch and revision.
    assert!(world.provider.exit(&world.id));
    let before = standing(&world, &another).await;
    let passes = Reconciler::new(odd(&world, Oddity::AnotherComputer, limits()));
    let rows = passes.list(Reason::Sweep, None).await.unwrap();
    let row = rows.into_iter().find(|row| row.computer == world.id).unwrap();
    assert_eq!(row.standing.revision, before.revision);
    let acted = passes.act(row).await;
    let is_nonsense = |error: &OperationError| {
        let OperationError::Provider { source, .. } = error else { return false };
        matches!(**source, ProviderError::Nonsense { .. })
    };
    assert!(matches!(&acted, Acted::Failed(error) if is_nonsense(error)), "{acted:?}");
    assert_eq!(standing(&world, &another).await, before);
    assert_eq!(world.phase().await, Phase::Ready);
}

/// Were it asked again at once, this would never end.
#[tokio::test(start_paused = true)]
async fn reconcile_19_a_provider_that_has_no_news_or_keeps_no_word_is_not_asked_again_at_once() {
    let world = World::new().await;
    let mut limits = limits();
    limits.patience = Duration::from_secs(10);
    for oddity in [Oddity::NoNews, Oddity::Absent] {
        let failed = odd(&world, oddity, limits).start(&world.id).await.unwrap();
        assert!(matches!(failed, Started::Failed { cause: StartFailure::OutOfPatience, .. }), "{failed:?}");
    }
    let follow = Reconciler::new(odd(&world, Oddity::NoNews, limits));
    let follow = tokio::time::timeout(Duration::from_secs(10), follow.follow(&world.id));
    assert!(follow.await.is_err(), "it is not gone");
}

/// The answers to a start that boots, and to one that has exited.
#[tokio::test(start_paused = true)]
async fn reconcile_19_a_provider_whose_reads_are_behind_its_reports_is_not_asked_again_at_once() {
    let mut limits = limits();
    limits.patience = Duration::from_secs(10);
    let world = World::new().await;
    let failed = odd(&world, Oddity::Ahead, limits).start(&world.id).await.unwrap();
    assert!(matches!(failed, Started::Failed { cause: StartFailure::OutOfPatience, .. }), "{failed:?}");
    limits.patience = Duration::from_secs(60);
    let world = World::new().await;
    let start = odd(&world, Oddity::Ahead, limits);
    let exits = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(world.provider.exit(&world.id));
    };
    let (failed, ()) = tokio::join!(start.start(&world.id), exits);
    assert!(matches!(failed, Ok(Started::Failed { cause: StartFailure::Exited, .. })), "{failed:?}");
}

#[tokio::test(start_paused = true)]
async fn reconcile_12_a_report_on_another_computer_says_nothing_of_either() {
    let world = World::new().await;
    world.up().await;
    let another = world.create("another").await;
    {
        let _admits = world.admits();
        let _ = world.plane.start(&another).await.unwrap();
    }
    let before = standing(&world, &another).await;
    let follow = Reconciler::new(odd(&world, Oddity::AnotherComputer, limits()));
    let follow = tokio::time::timeout(Duration::from_secs(10), follow.follow(&world.id));
    assert!(follow.await.is_err(), "it is not gone");
    assert_eq!(standing(&world, &another).await, before);
    assert_eq!(world.phase().await, Phase::Ready);
}

/// It cannot be reached, and says so to nobody.
struct Unreachable;

impl Liveness for Unreachable {
    async fn is_dead(&self, _: &OwnerName) -> std::io::Result<bool> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn reconcile_7_an_authority_on_deaths_that_does_not_answer_holds_no_gate_for_ever() {
    let world = World::new().await;
    world.up().await;
    world.provider.plan(Verb::End, Fault::Lose);
    let _ = world.another("another").stop(&world.id).await.unwrap_err();
    let timer = Timer::new(tokio::time::sleep);
    let (store, provider) = (world.store.clone(), world.provider.clone());
    let plane = ControlPlane::with_limits(owner("first"), store, provider, Unreachable, timer, limits());
    let before = standing(&world, &world.id).await;
    let under_way = tokio::time::timeout(Duration::from_secs(100), Reconciler::new(plane.clone()).pass()).await;
    assert_eq!(under_way.expect("a pass ends").under_way.failed, 1);
    let stopped = tokio::time::timeout(Duration::from_secs(100), plane.stop(&world.id)).await;
    let error = stopped.expect("a stop ends").unwrap_err();
    assert!(matches!(error, OperationError::Liveness(_)) && error.is_transient(), "{error:?}");
    // That nobody answers is no proof.
    assert_eq!(standing(&world, &world.id).await, before);
}
