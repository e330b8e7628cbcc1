//! A store and a provider in memory, and a control plane that works on them. Time is paused: it goes on by itself when
//! nobody has anything to do, so no test waits.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use outlive::clock::Timer;
use outlive::operation::{Limits, OperationError, Started};
use outlive::provider::{Condition, Get, Observation, Provider};
use outlive::store::operation::{Phase, Standing};
use outlive::store::{Create, Store};
use outlive::testing::{FakeLiveness, FakeProvider};
use outlive::{ComputerId, ControlPlane, Launch, MemoryStore, OperationStore, OwnerName, Reconciler};
use tokio::task::JoinHandle;

use crate::pends::Pends;

pub(crate) type Plane = ControlPlane<MemoryStore, Arc<FakeProvider>, Arc<FakeLiveness>>;
pub(crate) type Passes = Reconciler<MemoryStore, Arc<FakeProvider>, Arc<FakeLiveness>>;

pub(crate) fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

pub(crate) fn owner(name: &str) -> OwnerName {
    OwnerName::new(name).unwrap()
}

pub(crate) fn computer(name: &str) -> ComputerId {
    ComputerId::new(name).unwrap()
}

pub(crate) fn limits() -> Limits {
    Limits::default()
}

pub(crate) struct World {
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) provider: Arc<FakeProvider>,
    pub(crate) liveness: Arc<FakeLiveness>,
    pub(crate) plane: Plane,
    pub(crate) id: ComputerId,
}

impl World {
    pub(crate) async fn new() -> World {
        let (store, provider) = (Arc::new(MemoryStore::new()), Arc::new(FakeProvider::new()));
        let liveness = Arc::new(FakeLiveness::new());
        let plane = plane(&store, &provider, &liveness, "first");
        let world = World { store, provider, liveness, plane, id: computer("computer") };
        world.create("computer").await;
        world
    }

    /// Another control plane on the same store and provider.
    pub(crate) fn another(&self, name: &str) -> Plane {
        plane(&self.store, &self.provider, &self.liveness, name)
    }

    /// One of the same owner, in the same process life, in which there is something to wait for at every step.
    pub(crate) fn with_awaits(&self) -> ControlPlane<Pends<MemoryStore>, Pends<FakeProvider>, Arc<FakeLiveness>> {
        let (store, provider) = (Arc::new(Pends(self.store.clone())), Pends(self.provider.clone()));
        let timer = Timer::new(tokio::time::sleep);
        ControlPlane::with_limits(owner("first"), store, provider, self.liveness.clone(), timer, limits())
    }

    pub(crate) fn passes(&self) -> Passes {
        Reconciler::new(self.plane.clone())
    }

    pub(crate) async fn create(&self, name: &str) -> ComputerId {
        let _ = self.store.create(Create { computer: computer(name) }).await.unwrap();
        computer(name)
    }

    pub(crate) async fn row(&self) -> Standing {
        self.store.standing(self.id.clone()).await.unwrap()
    }

    pub(crate) async fn phase(&self) -> Phase {
        self.row().await.phase
    }

    pub(crate) async fn phase_of(&self, id: &ComputerId) -> Phase {
        self.store.standing(id.clone()).await.unwrap().phase
    }

    /// What is there at the provider. It is asked beside every plan of faults.
    pub(crate) async fn seen(&self) -> Observation {
        let locks = outlive::locks::Locks::new(());
        let call = Get { computer: self.id.clone(), launch: launch(1) };
        self.provider.get(locks.sweep().io(), call).await.unwrap()
    }

    pub(crate) async fn condition(&self) -> Option<Condition> {
        self.seen().await.seen.map(|seen| seen.condition)
    }

    pub(crate) fn spawn_start(&self) -> JoinHandle<Result<Started, OperationError>> {
        let (plane, id) = (self.plane.clone(), self.id.clone());
        tokio::spawn(async move { plane.start(&id).await })
    }

    /// Whatever boots is admitted, until this is dropped.
    pub(crate) fn admits(&self) -> Admits {
        let (provider, store) = (self.provider.clone(), self.store.clone());
        Admits(tokio::spawn(async move {
            loop {
                for (id, _) in store.operations_under_way(None, usize::MAX).await.unwrap() {
                    let _ = provider.admit(&id);
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }))
    }

    /// The computer runs, as a first launch.
    pub(crate) async fn up(&self) {
        let _admits = self.admits();
        let started = self.plane.start(&self.id).await.unwrap();
        assert!(matches!(started, Started::Ready { .. }), "{started:?}");
    }
}

pub(crate) struct Admits(JoinHandle<()>);

impl Drop for Admits {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn plane(store: &Arc<MemoryStore>, provider: &Arc<FakeProvider>, liveness: &Arc<FakeLiveness>, name: &str) -> Plane {
    let timer = Timer::new(tokio::time::sleep);
    ControlPlane::with_limits(owner(name), store.clone(), provider.clone(), liveness.clone(), timer, limits())
}

/// A future that is given up at the first await after so many that had to wait.
pub(crate) struct GivenUp<F> {
    pub(crate) work: Pin<Box<F>>,
    pub(crate) waits_left: usize,
}

impl<F: Future> Future for GivenUp<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.work.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if self.waits_left == 0 => Poll::Ready(None),
            Poll::Pending => {
                self.waits_left -= 1;
                Poll::Pending
            }
        }
    }
}

/// None, if it was given up.
pub(crate) async fn given_up_after<F: Future>(waits_left: usize, work: F) -> Option<F::Output> {
    GivenUp { work: Box::pin(work), waits_left }.await
}
