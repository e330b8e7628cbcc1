//! An authority on which owners are dead: those of whom a test has said so.

use std::future::{Future, ready};
use std::io;

use crate::id::OwnerName;
use crate::store::operation::Liveness;
use crate::sync::Mutex;

/// Knows of each death that it was told of, and of no other.
#[derive(Debug, Default)]
pub struct FakeLiveness {
    dead: Mutex<Vec<OwnerName>>,
}

impl FakeLiveness {
    /// Everybody lives.
    pub fn new() -> FakeLiveness {
        FakeLiveness::default()
    }

    /// This owner is dead from now on.
    pub fn die(&self, owner: OwnerName) {
        self.dead.lock().push(owner);
    }
}

impl Liveness for FakeLiveness {
    fn is_dead(&self, owner: &OwnerName) -> impl Future<Output = io::Result<bool>> + Send {
        ready(Ok(self.dead.lock().contains(owner)))
    }
}
