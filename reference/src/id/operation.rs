//! Who does something to a computer, and how often its row was written.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{InvalidId, NUMBER_LIMIT, valid_name};

name! {
    /// Names the owner of operations: one life of a control-plane process. One that dies comes back under another name,
    /// and no name is used twice, so that what is true of a dead owner stays true.
    OwnerName
}

/// Counts the writes of the row in which a store keeps the operations of a computer.
///
/// Whoever writes over what it has read names the revision that it has read. That is compared for equality alone: a row
/// that was written in between is another row, however often.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Revision(u64);

impl Revision {
    /// What is read where nothing was ever written.
    pub const UNWRITTEN: Revision = Revision(0);

    /// The number, for logs and for the wire.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The one after the next write; none after the last that a trace can carry.
    pub(crate) fn next(self) -> Option<Revision> {
        Revision::try_from(self.0 + 1).ok()
    }
}

impl TryFrom<u64> for Revision {
    type Error = InvalidId;

    fn try_from(number: u64) -> Result<Self, InvalidId> {
        if number < NUMBER_LIMIT { Ok(Revision(number)) } else { Err(InvalidId::TooLarge { found: number }) }
    }
}

number!(Revision "revision");
