//! What one driver does to the row of one computer, and what the row is once it is done. One computer has one driver,
//! so after a crash its row is what was acknowledged last, or that and the one deed that was under way.

use std::future::Future;
use std::pin::Pin;

use outlive::store::{
    Claim, ClaimOutcome, Create, Finish, FinishOutcome, Load, LoadOutcome, Question, RegisterOutcome, Rollback,
    RollbackOutcome, Save, SaveOutcome, Standing, Store,
};
use outlive::{ComputerId, GatewayName, Generation, Incarnation, LifeName, PageName, StoreError};

use super::random::Random;

/// Larger than a page of the database, so that some bodies need several.
const LONGEST_BODY: usize = 6_000;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Deed {
    Register,
    Save {
        page: PageName,
        body: Vec<u8>,
    },
    /// Of a life that is over, not newer than the stored page, or during a reset.
    SaveThatIsRefused {
        page: PageName,
    },
    Claim,
    Finish,
    Rollback,
}

impl Deed {
    /// Something that can be done to this row.
    pub(crate) fn choose(row: &LoadOutcome, random: &mut Random) -> Deed {
        let Standing { incarnation, is_resetting, page, .. } = row.standing;
        if incarnation == Incarnation::NOBODY {
            return Deed::Register;
        }
        let newest = page.filter(|page| page.incarnation == incarnation).map(|page| page.generation);
        match (random.below(10), is_resetting, page) {
            (0, _, _) => Deed::Register,
            (1, true, _) => Deed::SaveThatIsRefused { page: PageName::new(incarnation, Generation::FIRST) },
            (_, true, _) => Deed::Finish,
            (1, false, _) => Deed::SaveThatIsRefused { page: PageName::new(last(incarnation), Generation::FIRST) },
            (2, false, Some(page)) if page.incarnation == incarnation => Deed::SaveThatIsRefused { page },
            (2 | 3, false, _) => Deed::Claim,
            (4 | 5, false, Some(_)) => Deed::Rollback,
            _ => {
                let generation = Generation::after(newest).expect("few pages");
                let body = vec![random.number() as u8; random.below(LONGEST_BODY)];
                Deed::Save { page: PageName::new(incarnation, generation), body }
            }
        }
    }

    /// The row once it is done.
    pub(crate) fn done_to(&self, row: &LoadOutcome) -> LoadOutcome {
        let mut after = row.clone();
        let next = next(row.standing.incarnation);
        match self {
            Deed::Register | Deed::Rollback => after.standing.incarnation = next,
            Deed::Save { page, body } => {
                after.standing.page = Some(*page);
                after.body = Some(body.clone().into());
            }
            Deed::SaveThatIsRefused { .. } => {}
            Deed::Claim => {
                after.standing.is_resetting = true;
                (after.standing.page, after.body) = (None, None);
            }
            Deed::Finish => {
                after.standing = Standing { incarnation: next, is_resetting: false, since: next, page: None };
            }
        }
        after
    }

    /// Submits it at once. The future panics if it is decided as it must not be.
    pub(crate) fn submit<'a, S: Store>(&self, store: &'a S, computer: &ComputerId, row: &LoadOutcome) -> Pending<'a> {
        let (gateway, computer, expected) = (gateway(), computer.clone(), row.standing.incarnation);
        match self {
            Deed::Register => {
                let outcome = store.register(Question { computer, life: LifeName::mint(), expected });
                Box::pin(async { must(matches!(outcome.await?, RegisterOutcome::Registered { .. })) })
            }
            Deed::Save { page, body } => {
                let body = body.clone().into();
                let outcome = store.save(Save { gateway, computer, page: *page, body, operation: None });
                Box::pin(async { must(outcome.await? == SaveOutcome::Stored) })
            }
            Deed::SaveThatIsRefused { page } => {
                let body = vec![0xff].into();
                let outcome = store.save(Save { gateway, computer, page: *page, body, operation: None });
                Box::pin(async { must(outcome.await? != SaveOutcome::Stored) })
            }
            Deed::Claim => {
                let outcome = store.claim(Claim { gateway, computer, expected });
                Box::pin(async { must(outcome.await? == ClaimOutcome::Claimed) })
            }
            Deed::Finish => {
                let outcome = store.finish(Finish { gateway, computer, wiped: expected });
                Box::pin(async { must(matches!(outcome.await?, FinishOutcome::Finished { .. })) })
            }
            Deed::Rollback => {
                let to = row.standing.page.expect("it was chosen for a page");
                let body = row.body.clone().expect("a page has a body");
                let outcome = store.rollback(Rollback { gateway, computer, to, body, expected });
                Box::pin(async { must(matches!(outcome.await?, RollbackOutcome::RolledBack { .. })) })
            }
        }
    }
}

/// A deed that was submitted.
pub(crate) type Pending<'a> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>;

fn must(is_right: bool) -> Result<(), StoreError> {
    assert!(is_right, "the store decided otherwise than its only writer expects");
    Ok(())
}

/// The row of a computer that was just created.
pub(crate) fn fresh() -> LoadOutcome {
    let (incarnation, since) = (Incarnation::NOBODY, Incarnation::NOBODY);
    LoadOutcome { standing: Standing { incarnation, is_resetting: false, since, page: None }, body: None }
}

/// Makes the computer.
pub(crate) async fn create<S: Store>(store: &S, computer: &ComputerId) -> Result<(), StoreError> {
    store.create(Create { computer: computer.clone() }).await.map(drop)
}

/// What the store says that the row is.
pub(crate) async fn load<S: Store>(store: &S, computer: &ComputerId) -> Result<LoadOutcome, StoreError> {
    store.load(Load { gateway: gateway(), computer: computer.clone() }).await
}

fn gateway() -> GatewayName {
    GatewayName::new("gateway").expect("a plain name")
}

fn next(incarnation: Incarnation) -> Incarnation {
    Incarnation::try_from(incarnation.number() + 1).expect("few incarnations")
}

fn last(incarnation: Incarnation) -> Incarnation {
    Incarnation::try_from(incarnation.number() - 1).expect("somebody has registered")
}
