//! The snapshot protocol, as a control plane and a computer use it.
//!
//! Each control-plane process has a [`Gateway`]. Each starting process of a computer has a [`ProcessStart`], until it
//! knows who it is. The calls between the two are yours; each carries the incarnation that it is meant for, and the
//! computer refuses those that are meant for another.

mod message;
mod process;
mod reset;

use std::sync::Arc;

use bytes::Bytes;
use tracing::{Span, field, instrument};

use crate::error::StoreError;
use crate::id::{ComputerId, GatewayName, Incarnation, OperationName, PageName};
use crate::store::*;
pub use message::{Act, Answer, Call, Page, Ticket, WipeOrder, Wiped};
pub use process::ProcessStart;
pub use reset::{Computer, NotResetting, ResetError, ResetOutcome, WipeReply};

/// A control-plane process: it begins snapshots, saves pages, resolves references, resets and rolls back. Cheap to
/// clone.
pub struct Gateway<S> {
    store: Arc<S>,
    name: GatewayName,
}

impl<S> Clone for Gateway<S> {
    fn clone(&self) -> Self {
        Gateway { store: self.store.clone(), name: self.name.clone() }
    }
}

/// How [`Gateway::begin`] ended.
#[must_use = "the ticket holds what the call must name"]
#[derive(Debug)]
#[non_exhaustive]
pub enum Begun {
    /// Call the computer with [`Ticket::call`], and save its answer with the ticket.
    Ticket(Ticket),
    /// No process of this computer has registered yet, so there is nobody to call.
    NeverRegistered,
}

/// How [`Gateway::save`] ended.
#[must_use = "a page that was refused is not stored"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Saved {
    /// The store has decided.
    Decided(SaveOutcome),
    /// The answer is of another incarnation than the call named. The store was not asked: a computer that answers a
    /// call which is not for it does not keep ASSUME-5.
    NotTheAnswer {
        /// What the call named.
        called: Incarnation,
        /// What the answer says.
        answered: Incarnation,
    },
}

/// What [`Gateway::load`] has seen.
#[must_use = "what was loaded is what references resolve against"]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// The stored page, which is of the current incarnation or of an older one.
    pub page: Option<Page>,
    /// What else the store knew at that moment.
    pub standing: Standing,
}

/// How [`Gateway::resolve`] ended.
#[must_use = "an act whose reference did not resolve must not be forwarded"]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Resolved {
    /// Forward the act to the computer.
    Forward {
        /// What the computer is to act on.
        act: Act,
        /// What is on the page, in which the caller finds the element. It is no [`Page`], since nobody has loaded it:
        /// it cannot be rolled back to.
        body: Bytes,
    },
    /// The page that was cited is not what the computer shows now. Refuse the act, and show the agent a new page.
    Stale {
        /// The current incarnation.
        current: Incarnation,
        /// The stored page.
        stored: Option<PageName>,
    },
}

impl<S: Store> Gateway<S> {
    /// A gateway of this name on this store. If a gateway of that name has crashed before, call
    /// [`crate::trace::Recorder::gateway_crashed`] first.
    pub fn new(store: Arc<S>, name: GatewayName) -> Gateway<S> {
        Gateway { store, name }
    }

    /// Its name.
    pub fn name(&self) -> &GatewayName {
        &self.name
    }

    /// The store that it works on.
    pub fn store(&self) -> &Arc<S> {
        &self.store
    }

    /// Creates a computer in the store, unless it is there already.
    ///
    /// # Guarantees
    /// An existing computer is left as it is.
    ///
    /// # Assumptions
    /// ASSUME-1: a committed transaction lasts.
    ///
    /// # Outcomes
    /// It is new, or was there before with this incarnation.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// The computer may or may not be created; asking again says which.
    #[instrument(name = "outlive.create", skip_all, fields(computer = %computer))]
    pub async fn create(&self, computer: &ComputerId) -> Result<CreateOutcome, StoreError> {
        self.store.create(Create { computer: computer.clone() }).await
    }

    /// Begins a snapshot.
    ///
    /// # Guarantees
    /// SAVE-1: the ticket names the incarnation that is current now, before the computer is called. So the page that
    /// comes back is of that life: a process of any other refuses the call.
    ///
    /// # Assumptions
    /// ASSUME-5: the computer refuses a call that names another incarnation than its own.
    ///
    /// # Outcomes
    /// A ticket, or nobody to call.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// Nothing has happened.
    #[instrument(name = "outlive.begin", skip_all, fields(computer = %computer, incarnation = field::Empty))]
    pub async fn begin(&self, computer: &ComputerId) -> Result<Begun, StoreError> {
        let operation = self.operation();
        let request = Begin { gateway: self.name.clone(), computer: computer.clone(), operation: operation.clone() };
        Ok(match self.store.begin(request).await? {
            // SAVE-11: whoever was refused gets the incarnation of now, under which the next answer can land.
            BeginOutcome::Begun { incarnation } => {
                Span::current().record("incarnation", incarnation.number());
                Begun::Ticket(Ticket::new(Call::new(computer.clone(), incarnation, operation)))
            }
            BeginOutcome::NeverRegistered => Begun::NeverRegistered,
        })
    }

    /// Saves the computer's answer.
    ///
    /// # Guarantees
    /// The page becomes the stored one iff no reset is under way (RESET-2), its incarnation is the current one
    /// (SAVE-3), and it is newer than the stored page of its incarnation (SAVE-4). A stored page is durable.
    ///
    /// # Assumptions
    /// ASSUME-1: a committed transaction lasts. ASSUME-5: the computer has answered this very call.
    /// ASSUME-7: nobody else writes the row meanwhile.
    ///
    /// # Outcomes
    /// See [`Saved`].
    /// A refusal is final, since the page can never be stored. Begin a new snapshot, and do not send the refused page
    /// again under the new ticket (SAVE-11).
    ///
    /// # Errors
    /// Those of the store.
    /// Send the same ticket and answer again until it is decided (SAVE-10). The page lands at most once.
    ///
    /// # Cancellation
    /// The page may or may not be stored. Sent again, it is stored, refused, or reported as superseded by itself.
    #[instrument(
        name = "outlive.save",
        skip_all,
        fields(
            computer = %ticket.call().computer(),
            incarnation = ticket.call().incarnation().number(),
            outcome = field::Empty
        )
    )]
    pub async fn save(&self, ticket: &Ticket, answer: &Answer) -> Result<Saved, StoreError> {
        let (called, answered) = (ticket.call().incarnation(), answer.page.incarnation);
        // SAVE-6: no computer has answered this call as another incarnation, so nobody has sent this. An answer of the
        // same incarnation to another call passes here; that it comes with its own ticket is kept by the transport.
        if called != answered {
            return Ok(Saved::NotTheAnswer { called, answered });
        }
        // SAVE-10: ticket and answer are lent and stay with the caller: who hears nothing sends the very same save
        // again.
        let request = Save {
            gateway: self.name.clone(),
            computer: ticket.call().computer().clone(),
            page: answer.page,
            body: answer.body.clone(),
            operation: ticket.call().operation().cloned(),
        };
        let outcome = self.store.save(request).await?;
        Span::current().record("outcome", outcome.because().map_or("stored", |because| because.id()));
        Ok(Saved::Decided(outcome))
    }

    /// Shows the stored page.
    ///
    /// # Guarantees
    /// SAVE-9: what is shown is the stored page, and references resolve against nothing else. SAVE-8: only a page that
    /// was loaded can be rolled back to.
    ///
    /// # Assumptions
    /// None. What was loaded may be out of date when somebody looks at it; whatever is done with it names it.
    ///
    /// # Outcomes
    /// The page, if there is one, and what else the store knew.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// Nothing has happened.
    #[instrument(name = "outlive.load", skip_all, fields(computer = %computer))]
    pub async fn load(&self, computer: &ComputerId) -> Result<Loaded, StoreError> {
        let request = Load { gateway: self.name.clone(), computer: computer.clone() };
        let LoadOutcome { standing, body } = self.store.load(request).await?;
        let page = standing.page.zip(body).map(|(name, body)| Page::new(computer.clone(), name, body));
        Ok(Loaded { page, standing })
    }

    /// Decides whether a reference into a page may be acted on.
    ///
    /// # Guarantees
    /// RESET-6: it resolves only if the cited page is the stored one and of the current incarnation.
    /// RESET-7: there is no other way to get an [`Act`], so an act that was not resolved cannot be forwarded.
    ///
    /// # Assumptions
    /// ASSUME-5: the computer performs an act only if it cites its own incarnation and its newest generation, since it
    /// may have become another before the act arrives.
    ///
    /// # Outcomes
    /// An act to forward, or what is stored instead of the cited page.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Cancellation
    /// Nothing has happened.
    #[instrument(name = "outlive.resolve", skip_all, fields(computer = %computer, cited = %cited))]
    pub async fn resolve(&self, computer: &ComputerId, cited: PageName) -> Result<Resolved, StoreError> {
        let operation = self.operation();
        let request =
            Resolve { gateway: self.name.clone(), computer: computer.clone(), cited, operation: operation.clone() };
        Ok(match self.store.resolve(request).await? {
            ResolveOutcome::Resolved { body } => Resolved::Forward {
                // RESET-7: only here is an act made.
                act: Act::new(computer.clone(), cited, operation),
                body,
            },
            ResolveOutcome::Stale { current, stored } => Resolved::Stale { current, stored },
        })
    }

    /// Puts a page back that was loaded earlier, in place of the stored one.
    ///
    /// # Guarantees
    /// SAVE-7: it replaces the expected incarnation or nothing, and mints one; so no save that was under way can undo
    /// it, and sent twice it happens once. SAVE-8: a page from before the last reset stays wiped.
    ///
    /// # Assumptions
    /// ASSUME-1: a committed transaction lasts. ASSUME-4: the running process has lost its place. Start it anew; when
    /// it has learned its incarnation, it loads.
    ///
    /// # Outcomes
    /// See [`RollbackOutcome`]. The page keeps its own old name, so nothing resolves until the new process has saved a
    /// page.
    ///
    /// # Errors
    /// Those of the store. It may be sent again, and happens at most once.
    ///
    /// # Cancellation
    /// It may or may not happen; [`Gateway::load`] says which.
    #[instrument(
        name = "outlive.rollback",
        skip_all,
        fields(computer = %to.computer(), to = %to.name(), expected = expected.number())
    )]
    pub async fn rollback(&self, to: &Page, expected: Incarnation) -> Result<RollbackOutcome, StoreError> {
        let request = Rollback {
            gateway: self.name.clone(),
            computer: to.computer().clone(),
            to: to.name(),
            body: to.body().clone(),
            expected,
        };
        self.store.rollback(request).await
    }

    /// A name that pairs the steps of one operation in a trace; none if nothing is recorded.
    fn operation(&self) -> Option<OperationName> {
        self.store.recorder().is_on().then(OperationName::mint)
    }
}
