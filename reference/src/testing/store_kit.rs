//! One list of behaviours to which any [`Store`] can be held.
//!
//! Whoever writes a store runs [`hold`] on it. Each behaviour makes computers of its own, so the store may be in use,
//! and the kit may be run on it again. A behaviour that does not hold panics, and says which value stands where another
//! should.

mod behaviours;

use std::sync::Arc;

use bytes::Bytes;

use crate::id::{ComputerId, GatewayName, Generation, Incarnation, LifeName, PageName};
use crate::store::*;

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
/// Computers of the kit stay in the store, and some of their resets may be under way.
///
/// # Panics
/// If the store does not behave.
pub async fn hold<S: Store>(store: Arc<S>) -> usize {
    behaviours::hold_to_all(&store).await
}

/// Holds a store to what it does with a computer whose current incarnation is the last, 2^53 - 1.
///
/// # Guarantees
/// A store that passes mints nothing beyond what a trace can carry.
///
/// # Assumptions
/// Nobody can mint so many, so the author of the store has put that number into its table by hand. The computer has no
/// page, and no reset is under way.
///
/// # Outcomes, Errors
/// None: an error that is not expected is a panic.
///
/// # Cancellation
/// As when it has ended: a reset of that computer may be under way, which can never end.
///
/// # Panics
/// If the store does not behave.
pub async fn hold_the_last_incarnation<S: Store>(store: &S, computer: &ComputerId) {
    let subject = Subject { store, computer: computer.clone() };
    behaviours::restart_2_nothing_follows_the_last_incarnation(&subject).await;
}

/// One computer of a behaviour, and what may be asked about it.
pub(super) struct Subject<'a, S> {
    store: &'a S,
    computer: ComputerId,
}

impl<'a, S: Store> Subject<'a, S> {
    /// A computer that was just created.
    pub(super) async fn created(store: &'a S) -> Self {
        let subject = Subject { store, computer: id(LifeName::mint().as_str()) };
        assert_eq!(subject.create().await, CreateOutcome::Created);
        subject
    }

    /// A computer with one registered process.
    pub(super) async fn registered(store: &'a S) -> (Self, Incarnation) {
        let subject = Subject::created(store).await;
        let incarnation = subject.register_anew().await;
        (subject, incarnation)
    }

    pub(super) async fn create(&self) -> CreateOutcome {
        ok(self.store.create(Create { computer: self.computer.clone() }).await)
    }

    pub(super) async fn look(&self) -> Standing {
        ok(self.store.look(self.computer.clone()).await).expect("a computer that was created is there")
    }

    pub(super) async fn ask(&self) -> Question {
        ok(self.store.ask(Ask { computer: self.computer.clone(), life: LifeName::mint() }).await)
    }

    pub(super) async fn register(&self, question: Question) -> RegisterOutcome {
        ok(self.store.register(question).await)
    }

    pub(super) async fn register_anew(&self) -> Incarnation {
        match self.register(self.ask().await).await {
            RegisterOutcome::Registered { incarnation } => incarnation,
            RegisterOutcome::Overtaken { current } => panic!("overtaken by {current} without a race"),
        }
    }

    pub(super) async fn begin(&self) -> BeginOutcome {
        let request = Begin { gateway: gateway("kit"), computer: self.computer.clone(), operation: None };
        ok(self.store.begin(request).await)
    }

    pub(super) fn to_save(&self, page: PageName, body: &[u8]) -> Save {
        let (gateway, computer, body) = (gateway("kit"), self.computer.clone(), Bytes::copy_from_slice(body));
        Save { gateway, computer, page, body, operation: None }
    }

    pub(super) async fn save(&self, page: PageName) -> SaveOutcome {
        ok(self.store.save(self.to_save(page, page.to_string().as_bytes())).await)
    }

    pub(super) async fn claim(&self, expected: Incarnation) -> ClaimOutcome {
        let request = Claim { gateway: gateway("kit"), computer: self.computer.clone(), expected };
        ok(self.store.claim(request).await)
    }

    pub(super) async fn send_wipe(&self, by: &str) -> SendWipeOutcome {
        ok(self.store.send_wipe(SendWipe { gateway: gateway(by), computer: self.computer.clone() }).await)
    }

    pub(super) async fn finish(&self, wiped: Incarnation) -> FinishOutcome {
        let request = Finish { gateway: gateway("kit"), computer: self.computer.clone(), wiped };
        ok(self.store.finish(request).await)
    }

    /// A whole reset of the current incarnation.
    pub(super) async fn reset(&self) -> Incarnation {
        let current = self.look().await.incarnation;
        assert_eq!(self.claim(current).await, ClaimOutcome::Claimed);
        let FinishOutcome::Finished { minted } = self.finish(current).await else {
            panic!("a reset that was claimed and wiped does not end");
        };
        minted
    }

    pub(super) async fn load(&self) -> LoadOutcome {
        ok(self.store.load(Load { gateway: gateway("kit"), computer: self.computer.clone() }).await)
    }

    pub(super) async fn resolve(&self, cited: PageName) -> ResolveOutcome {
        let (gateway, computer) = (gateway("kit"), self.computer.clone());
        ok(self.store.resolve(Resolve { gateway, computer, cited, operation: None }).await)
    }

    pub(super) async fn rollback(&self, to: PageName, expected: Incarnation) -> RollbackOutcome {
        let (gateway, computer) = (gateway("kit"), self.computer.clone());
        let body = Bytes::from(to.to_string());
        ok(self.store.rollback(Rollback { gateway, computer, to, body, expected }).await)
    }
}

pub(super) fn page(incarnation: Incarnation, generation: u64) -> PageName {
    let generation = Generation::try_from(generation).expect("a test counts small");
    PageName::new(incarnation, generation)
}

pub(super) fn id(name: &str) -> ComputerId {
    ComputerId::new(format!("kit-{name}")).expect("a test names plainly")
}

fn gateway(name: &str) -> GatewayName {
    GatewayName::new(name).expect("a test names plainly")
}

pub(super) fn ok<T>(result: Result<T, crate::StoreError>) -> T {
    result.unwrap_or_else(|error| panic!("the store failed: {error}"))
}
