//! Whether the owner of an operation is dead. Time proves nothing: who is slow is not dead.

use std::future::Future;
use std::io;
use std::sync::Arc;

use crate::id::OwnerName;

/// An authority on which owners are dead: whoever gives them their names.
pub trait Liveness: Send + Sync + 'static {
    /// Whether this owner is dead.
    ///
    /// # Guarantees
    /// What is dead writes nothing any more and never comes back under its name. Whom the authority does not know, it
    /// does not call dead.
    ///
    /// # Errors
    /// If it cannot be found out. That is never taken for a death.
    ///
    /// # Cancellation
    /// Nothing is changed.
    fn is_dead(&self, owner: &OwnerName) -> impl Future<Output = io::Result<bool>> + Send;

    /// The proof that this owner is dead; none if it lives.
    ///
    /// # Guarantees, Errors, Cancellation
    /// Those of [`Liveness::is_dead`].
    fn prove_death(&self, owner: OwnerName) -> impl Future<Output = io::Result<Option<OwnerDeath>>> + Send {
        async move { Ok(self.is_dead(&owner).await?.then_some(OwnerDeath(owner))) }
    }
}

impl<L: Liveness> Liveness for Arc<L> {
    fn is_dead(&self, owner: &OwnerName) -> impl Future<Output = io::Result<bool>> + Send {
        (**self).is_dead(owner)
    }
}

/// The authority has said that this owner is dead.
///
/// There is no other way to make one than to ask a [`Liveness`].
#[must_use = "whoever has asked for a proof takes something over"]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnerDeath(OwnerName);

impl OwnerDeath {
    /// Who is dead.
    pub fn owner(&self) -> &OwnerName {
        &self.0
    }
}
