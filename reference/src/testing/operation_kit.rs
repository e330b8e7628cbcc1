//! One list of behaviours to which any [`OperationStore`] can be held.
//!
//! Whoever writes a store runs [`hold`] on it. Each behaviour makes computers of its own, so the store may be in use,
//! and the kit may be run on it again. A behaviour that does not hold panics, and says which value stands where another
//! should.

mod begin;
mod observe;
mod prepared;
mod settle;

use std::sync::Arc;

use super::FakeLiveness;
use crate::StoreError;
use crate::id::{ComputerId, InstanceId, Launch, LifeName, Mark, OwnerName, Revision};
use crate::provider::{Condition, Observation, Seen};
use crate::store::operation::*;
use crate::store::{Create, Store};

/// Holds a store to the list, and says how many behaviours are on it.
///
/// # Guarantees
/// A store that passes has shown each behaviour once, undisturbed. What it does when two write at once is not shown
/// here.
///
/// # Assumptions
/// Nobody else writes computers whose ids begin with `kit-`.
///
/// # Outcomes
/// The number of behaviours.
///
/// # Errors
/// None: an error of the store is a panic.
///
/// # Cancellation
/// Computers of the kit stay in the store, and operations may be under way on some.
///
/// # Panics
/// If the store does not behave.
pub async fn hold<S: Store + OperationStore>(store: Arc<S>) -> usize {
    begin::hold_to_all(&*store).await + settle::hold_to_all(&*store).await + observe::hold_to_all(&*store).await
}

/// Holds a store to what it does with a start that was begun without a claim.
///
/// # Guarantees
/// A store that passes lets nobody write over it or end it, and anybody take it over.
///
/// # Assumptions
/// No method of a store begins one, so its author has put it into the table by hand: a start of the first launch, at
/// the first revision, which no owner has.
///
/// # Outcomes, Errors
/// None: an error is a panic.
///
/// # Cancellation
/// The start may be under way, and somebody's.
///
/// # Panics
/// If the store does not behave.
pub async fn hold_an_unclaimed_start<S: Store + OperationStore>(store: &S, computer: &ComputerId) {
    let subject = Subject { store, computer: computer.clone() };
    prepared::a_start_that_nobody_owns_is_anybodys(&subject).await;
}

/// Holds a store to what it does with a row whose revision is the last, 2^53 - 1, in whatever phase.
///
/// # Guarantees
/// A store that passes writes nothing beyond what a trace can carry.
///
/// # Assumptions
/// Nobody can write so often, so the author of the store has put that number into its table by hand.
///
/// # Outcomes, Errors
/// None: an error that is not expected is a panic.
///
/// # Cancellation
/// The row is as it was.
///
/// # Panics
/// If the store does not behave.
pub async fn hold_the_last_revision<S: Store + OperationStore>(store: &S, computer: &ComputerId) {
    let subject = Subject { store, computer: computer.clone() };
    prepared::nothing_follows_the_last_revision(&subject).await;
}

macro_rules! behaviours {
    ($($name:ident)*) => {
        pub(super) async fn hold_to_all<S: Store + OperationStore>(store: &S) -> usize {
            let mut held = 0;
            $(
                $name(store).await;
                held += 1;
            )*
            held
        }
    };
}
use behaviours;

const PHASES: [Phase; 7] =
    [Phase::Stopped, Phase::Starting, Phase::Ready, Phase::Error, Phase::Stopping, Phase::Deleting, Phase::Gone];

/// One computer of a behaviour, and what may be asked about it.
struct Subject<'a, S> {
    store: &'a S,
    computer: ComputerId,
}

impl<'a, S: Store + OperationStore> Subject<'a, S> {
    /// A computer that was just created.
    async fn created(store: &'a S) -> Self {
        let computer = ComputerId::new(format!("kit-{}", LifeName::mint())).expect("a test names plainly");
        let _ = ok(store.create(Create { computer: computer.clone() }).await);
        Subject { store, computer }
    }

    /// A computer that was brought into a phase by [`one`], as its first launch unless it is stopped.
    async fn in_phase(store: &'a S, phase: Phase) -> Self {
        let subject = Subject::created(store).await;
        if phase != Phase::Stopped {
            let _ = subject.begin(Kind::Start, one()).await;
        }
        match phase {
            Phase::Stopped | Phase::Starting => {}
            Phase::Ready => subject.end(Ending::Admitted).await,
            Phase::Error => subject.end(Ending::Failed).await,
            Phase::Stopping => drop(subject.begin(Kind::Stop, one()).await),
            Phase::Deleting => drop(subject.begin(Kind::Delete, one()).await),
            Phase::Gone => {
                let _ = subject.begin(Kind::Delete, one()).await;
                subject.end(Ending::Removed).await;
            }
        }
        assert_eq!(subject.standing().await.phase, phase);
        subject
    }

    async fn begin(&self, kind: Kind, owner: OwnerName) -> BeginOutcome {
        let computer = self.computer.clone();
        ok(match kind {
            Kind::Start => self.store.begin_start(BeginStart { owner, computer }).await,
            Kind::Stop => self.store.begin_stop(BeginStop { owner, computer }).await,
            Kind::Delete => self.store.begin_delete(BeginDelete { owner, computer }).await,
        })
    }

    async fn settle(&self, owner: OwnerName, launch: Launch, ending: Ending, mark: u64) -> SettleOutcome {
        let computer = self.computer.clone();
        ok(self.store.settle(Settle { owner, computer, launch, ending, mark: self::mark(mark) }).await)
    }

    /// Settles what [`one`] has under way.
    async fn end(&self, ending: Ending) {
        let launch = self.standing().await.launch;
        let outcome = self.settle(one(), launch, ending, 0).await;
        assert!(matches!(outcome, SettleOutcome::Settled { .. }), "{ending:?} is not settled: {outcome:?}");
    }

    async fn recover(&self, by: OwnerName, dead: Option<OwnerDeath>, kind: Kind, launch: Launch) -> RecoverOutcome {
        let request = Recover { owner: by, computer: self.computer.clone(), dead, kind, launch };
        ok(self.store.recover(request).await)
    }

    async fn standing(&self) -> Standing {
        ok(self.store.standing(self.computer.clone()).await)
    }

    fn observation(&self, launch: Launch, condition: Option<Condition>, mark: u64) -> Observation {
        let seen = condition.map(|condition| Seen { instance: InstanceId::mint(), condition });
        Observation { computer: self.computer.clone(), launch, seen, mark: self::mark(mark) }
    }

    async fn conclude(&self, expected: Revision, seen: Observation) -> ConcludeOutcome {
        ok(self.store.conclude(Conclude { owner: two(), expected, seen }).await)
    }

    /// What a sweep makes of it that nobody disturbs.
    async fn sweep(&self, condition: Option<Condition>, mark: u64) -> ConcludeOutcome {
        let read = ok(self.store.read(Read { owner: two(), computer: self.computer.clone() }).await);
        assert_eq!(read, self.standing().await, "a sweep reads something else than is there");
        let Standing { revision, launch, .. } = read;
        self.conclude(revision, self.observation(launch, condition, mark)).await
    }

    async fn deliver(&self, report: Observation) -> DeliverOutcome {
        ok(self.store.deliver(Deliver { owner: two(), report }).await)
    }
}

/// Who begins things, unless somebody else is said.
fn one() -> OwnerName {
    OwnerName::new("kit-one").expect("a test names plainly")
}

/// Somebody else.
fn two() -> OwnerName {
    OwnerName::new("kit-two").expect("a test names plainly")
}

async fn death_of(owner: OwnerName) -> Option<OwnerDeath> {
    let liveness = FakeLiveness::new();
    liveness.die(owner.clone());
    liveness.prove_death(owner).await.expect("what is by hand does not fail")
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).expect("a test counts small")
}

fn mark(number: u64) -> Mark {
    Mark::try_from(number).expect("a test counts small")
}

fn revision(number: u64) -> Revision {
    Revision::try_from(number).expect("a test counts small")
}

fn after(revision: Revision) -> Revision {
    revision.next().expect("a test writes seldom")
}

fn ok<T>(result: Result<T, StoreError>) -> T {
    result.unwrap_or_else(|error| panic!("the store failed: {error}"))
}
