//! Identities: what names a computer, a life of its state, a page of that life, and whoever speaks.
//!
//! The types allow no comparison without a meaning. Two incarnations are equal or they are not: whoever compared them
//! by size would soon believe that the larger one is alive. Generations are compared only inside one incarnation, so
//! only a [`PageName`], which has both, can be compared. Of the names only a [`ComputerId`] is ordered, since it may be
//! a key. Random names are minted in this file and nowhere else.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::InvalidId;

/// No counter reaches this number: readers of JSON may round whatever is as large.
pub(crate) const NUMBER_LIMIT: u64 = 1 << 53;

/// The longest name, in bytes.
const NAME_LIMIT: usize = 200;

// --------------------------------------------------------------------------------------------------------- names

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Takes a name of 1 to 200 bytes without control characters.
            ///
            /// # Errors
            /// [`InvalidId`] says what is wrong with it.
            pub fn new(name: impl Into<String>) -> Result<Self, InvalidId> {
                valid_name(name.into()).map(Self)
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(name: String) -> Result<Self, InvalidId> {
                Self::new(name)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// Names a computer: the durable thing that a user owns, and that survives stop, restart and reset. It may be a
    /// key, so it is ordered; the order means nothing.
    #[derive(PartialOrd, Ord)]
    ComputerId
}
name! {
    /// Names a control-plane process that calls computers and the store. Two that run at once must not share one.
    GatewayName
}
name! {
    /// The name that a process gives to its own life when it starts, and again when it is wiped. It is random: nobody
    /// can confuse two lives, and nobody can order them.
    LifeName
}
name! {
    /// Pairs the steps of one operation, from the gateway through the computer to the store, in a trace.
    OperationName
}

impl LifeName {
    /// A name that no life had before.
    pub fn mint() -> LifeName {
        LifeName(random())
    }
}

impl OperationName {
    pub(crate) fn mint() -> OperationName {
        OperationName(random())
    }
}

/// The name under which the process of a computer speaks in a trace. It is one name for all its lives, one after
/// another, so that its events can be counted without a gap.
pub(crate) fn process_name(computer: &ComputerId) -> String {
    format!("{computer}/process")
}

#[expect(clippy::disallowed_methods, reason = "this is the one place where identities are minted")]
fn random() -> String {
    Uuid::new_v4().to_string()
}

fn valid_name(name: String) -> Result<String, InvalidId> {
    match name.len() {
        0 => return Err(InvalidId::Empty),
        1..=NAME_LIMIT => {}
        found => return Err(InvalidId::TooLong { found, limit: NAME_LIMIT }),
    }
    match name.chars().find(|character| character.is_control()) {
        Some(character) => Err(InvalidId::ControlCharacter { character }),
        None => Ok(name),
    }
}

// ------------------------------------------------------------------------------------------------------- numbers

/// The number of one life of a computer's state. The store mints one at each registration of a process, at the end of
/// each reset, and at each rollback. Whatever names another than the current one is refused.
///
/// Only equality has a meaning, so there is no order: only the store knows which of two is the current one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Incarnation(u64);

impl Incarnation {
    /// What a computer has in its row until its first process has registered. It belongs to nobody.
    pub const NOBODY: Incarnation = Incarnation(0);

    /// The number, for logs and for the wire.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The one that is minted next; none after the last that a trace can carry.
    pub(crate) fn next(self) -> Option<Incarnation> {
        Incarnation::try_from(self.0 + 1).ok()
    }

    /// Whether it was minted before the other. Only a store may ask: it minted both.
    pub(crate) fn was_minted_before(self, other: Incarnation) -> bool {
        self.0 < other.0
    }
}

/// The number of a page among those that a computer has handed out in one incarnation, from 1. It says nothing across
/// incarnations, so two of them can only be equal or not; compare [`PageName`]s to find the newer page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Generation(u64);

impl Generation {
    /// The generation of the first page.
    pub const FIRST: Generation = Generation(1);

    /// The number, for logs and for the wire.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The generation of the page after the newest one; the first if there was none.
    ///
    /// # Errors
    /// [`InvalidId::TooLarge`] after 2^53 - 1 pages.
    pub fn after(newest: Option<Generation>) -> Result<Generation, InvalidId> {
        newest.map_or(Ok(Generation::FIRST), |newest| Generation::try_from(newest.0 + 1))
    }
}

impl TryFrom<u64> for Incarnation {
    type Error = InvalidId;

    fn try_from(number: u64) -> Result<Self, InvalidId> {
        if number < NUMBER_LIMIT { Ok(Incarnation(number)) } else { Err(InvalidId::TooLarge { found: number }) }
    }
}

impl TryFrom<u64> for Generation {
    type Error = InvalidId;

    fn try_from(number: u64) -> Result<Self, InvalidId> {
        match number {
            0 => Err(InvalidId::Zero),
            1..NUMBER_LIMIT => Ok(Generation(number)),
            found => Err(InvalidId::TooLarge { found }),
        }
    }
}

macro_rules! number {
    ($name:ident $word:literal) => {
        impl From<$name> for u64 {
            fn from(number: $name) -> u64 {
                number.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, " {}"), self.0)
            }
        }
    };
}

number!(Incarnation "incarnation");
number!(Generation "generation");

// What is said to a provider, and what is said of an operation, in files of their own. They use the two macros above.
mod launch;
mod operation;

pub use launch::{InstanceId, Launch, Mark, ProviderName};
pub use operation::{OwnerName, Revision};

/// Names one page: the incarnation that it shows, and its generation within that.
///
/// Of two pages of one incarnation the higher generation is newer. Pages of different incarnations are not comparable:
///
/// ```
/// # use outlive::PageName;
/// # fn main() -> Result<(), outlive::InvalidId> {
/// let old = PageName::new(2.try_into()?, 7.try_into()?);
/// let young = PageName::new(3.try_into()?, 1.try_into()?);
/// assert_eq!(old.partial_cmp(&young), None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct PageName {
    /// The life that it shows.
    pub incarnation: Incarnation,
    /// Its number within that life.
    pub generation: Generation,
}

impl PageName {
    /// The page of this generation of this incarnation.
    pub fn new(incarnation: Incarnation, generation: Generation) -> PageName {
        PageName { incarnation, generation }
    }
}

impl PartialOrd for PageName {
    fn partial_cmp(&self, other: &PageName) -> Option<Ordering> {
        let are_of_one_life = self.incarnation == other.incarnation;
        are_of_one_life.then(|| self.generation.0.cmp(&other.generation.0))
    }
}

impl fmt::Display for PageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.generation, self.incarnation)
    }
}

// ------------------------------------------------------------------------------------------------------- content

/// Names immutable bytes by their SHA-256 digest: equal ids, equal bytes. It says nothing of order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SnapshotId([u8; 32]);

impl SnapshotId {
    /// The id of these bytes.
    pub fn of(bytes: &[u8]) -> SnapshotId {
        SnapshotId(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SnapshotId({self})")
    }
}

#[cfg(test)]
mod tests;
