//! One list of behaviours to which any [`Provider`] can be held.
//!
//! Whoever writes a provider runs [`hold`] on it, and lends it a hand: an [`Outside`] that lets instances get ready and
//! exit. Each behaviour uses a computer of its own, and removes it. A behaviour that does not hold panics, and says
//! which value stands where another should. Nothing sleeps: whatever takes its time is waited for by
//! [`Provider::watch`].

mod behaviours;

use std::future::Future;

use crate::id::{ComputerId, InstanceId, Launch, LifeName, Mark};
use crate::locks::Locks;
use crate::provider::{Condition, Get, Observation, ProofOfDeath, Provider, Start, StartOutcome, Watch};

/// What happens at a provider without a call, at the wish of the kit.
pub trait Outside: Sync {
    /// The instance, which boots, gets ready. It may do so a while later.
    fn admit(&self, computer: &ComputerId) -> impl Future<Output = ()> + Send;

    /// The instance, which runs, exits by itself or is killed. It may do so a while later.
    fn exit(&self, computer: &ComputerId) -> impl Future<Output = ()> + Send;

    /// The restart policy has its turn: what it starts again at all, it has started when this returns.
    fn revive(&self, computer: &ComputerId) -> impl Future<Output = ()> + Send;
}

/// Holds a provider to the list, and says how many behaviours are on it.
///
/// # Guarantees
/// A provider that passes has shown each behaviour once, undisturbed. What it does when two call at once is not shown
/// here.
///
/// # Assumptions
/// Nobody else calls about computers whose ids begin with `kit-`. Their restart policy starts again whatever exits;
/// they neither get ready nor exit but by the outside.
///
/// # Outcomes
/// The number of behaviours.
///
/// # Errors
/// None: an error of the provider is a panic.
///
/// # Cancellation
/// An instance of the kit may be left.
///
/// # Panics
/// If the provider does not behave. An instance may be left.
pub async fn hold(provider: &impl Provider, outside: &impl Outside) -> usize {
    behaviours::hold_to_all(provider, outside).await
}

/// So many changes are waited for. Whatever takes more will not come.
const MOST_CHANGES: usize = 100;

/// One computer of a behaviour, and what may be done with it.
pub(super) struct Subject<'a, P, O> {
    provider: &'a P,
    outside: &'a O,
    locks: Locks<()>,
    pub(super) computer: ComputerId,
}

impl<'a, P: Provider, O: Outside> Subject<'a, P, O> {
    /// A computer that was never started.
    pub(super) fn new(provider: &'a P, outside: &'a O) -> Self {
        let computer = ComputerId::new(format!("kit-{}", LifeName::mint())).expect("a test names plainly");
        Subject { provider, outside, locks: Locks::default(), computer }
    }

    pub(super) async fn start(&self, launch: u64) -> StartOutcome {
        let call = Start { computer: self.computer.clone(), launch: self::launch(launch) };
        ok(self.provider.start(self.locks.sweep().io(), call).await)
    }

    /// A start that is not fenced.
    pub(super) async fn started(&self, launch: u64) -> InstanceId {
        match self.start(launch).await {
            StartOutcome::Started { instance } => instance,
            StartOutcome::Fenced { up_to } => panic!("a start of launch {launch} is fenced up to {up_to}"),
        }
    }

    pub(super) async fn stop(&self, up_to: u64) -> ProofOfDeath {
        let up_to = launch(up_to);
        let proof = ok(self.provider.stop(self.locks.sweep().io(), self.computer.clone(), up_to).await);
        self.is_about_us(&proof, up_to);
        proof
    }

    pub(super) async fn remove(&self, up_to: u64) -> ProofOfDeath {
        let up_to = launch(up_to);
        let proof = ok(self.provider.remove(self.locks.sweep().io(), self.computer.clone(), up_to).await);
        self.is_about_us(&proof, up_to);
        proof
    }

    fn is_about_us(&self, proof: &ProofOfDeath, up_to: Launch) {
        assert_eq!((proof.computer(), proof.up_to()), (&self.computer, up_to));
    }

    pub(super) async fn get(&self, launch: u64) -> Observation {
        let call = Get { computer: self.computer.clone(), launch: self::launch(launch) };
        let seen = ok(self.provider.get(self.locks.sweep().io(), call).await);
        assert_eq!(seen.computer, self.computer);
        seen
    }

    /// The instance that is there, as launch, id and condition.
    pub(super) async fn there(&self) -> Option<(u64, InstanceId, Condition)> {
        let Observation { launch, seen, .. } = self.get(0).await;
        seen.map(|seen| (launch.number(), seen.instance, seen.condition))
    }

    pub(super) async fn list(&self) -> Option<Observation> {
        let mut all = ok(self.provider.list(self.locks.sweep().io()).await);
        all.retain(|line| line.computer == self.computer);
        assert!(all.len() < 2, "a list has a computer twice: {all:?}");
        all.pop()
    }

    /// The next report beyond the mark.
    pub(super) async fn watch(&self, after: Mark) -> Observation {
        let call = Watch { computer: self.computer.clone(), after };
        let report = ok(self.provider.watch(self.locks.sweep().io(), call).await);
        assert_eq!(report.computer, self.computer);
        report
    }

    /// Waits until it is reported that the instance is like this, and still is. Says where in the order that was told.
    pub(super) async fn until(&self, expected: Condition) -> Mark {
        let mut mark = Mark::START;
        for _ in 0..MOST_CHANGES {
            let report = self.watch(mark).await;
            assert!(report.mark.is_beyond(mark), "undisturbed, a report goes forward: {report:?}, after {mark}");
            mark = report.mark;
            let reported = report.seen.map(|seen| seen.condition);
            // A report is a hint: it may be of before.
            if reported == Some(expected) && self.condition().await == Some(expected) {
                return mark;
            }
        }
        panic!("after {MOST_CHANGES} changes it is not {expected:?}");
    }

    pub(super) async fn condition(&self) -> Option<Condition> {
        self.there().await.map(|(_, _, condition)| condition)
    }

    pub(super) async fn admit(&self) -> Mark {
        self.outside.admit(&self.computer).await;
        self.until(Condition::Up).await
    }

    pub(super) async fn exit(&self) -> Mark {
        self.outside.exit(&self.computer).await;
        self.until(Condition::Exited).await
    }

    pub(super) async fn revive(&self) {
        self.outside.revive(&self.computer).await;
    }
}

pub(super) fn launch(number: u64) -> Launch {
    Launch::try_from(number).expect("a test counts small")
}

fn ok<T>(result: Result<T, crate::ProviderError>) -> T {
    result.unwrap_or_else(|error| panic!("the provider failed: {error:?}"))
}
