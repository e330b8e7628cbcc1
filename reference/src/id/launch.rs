//! What a provider is called with and answers in: launches, instances, and the places of its reports.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{InvalidId, NUMBER_LIMIT, random, valid_name};

name! {
    /// Names an instance: one billable thing at a provider. The provider mints it, and never uses it again. The name of
    /// a computer is no instance: one after another may stand behind it.
    InstanceId
}

name! {
    /// Names a provider in a trace, where nobody else has its name. Whoever uses the same provider names it alike.
    ProviderName
}

impl InstanceId {
    /// A name that no instance had before.
    pub(crate) fn mint() -> InstanceId {
        InstanceId(random())
    }
}

/// The number of one start of a computer at its provider, in the order in which the store has minted them. What a
/// provider was told to end is everything up to a launch.
///
/// Launches of different computers are not comparable, and the type does not know whose it is. So there is no order,
/// only a question that a reader can see being asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Launch(u64);

impl Launch {
    /// What a computer has until it is started for the first time. Nothing is ever brought up as it.
    pub const NONE: Launch = Launch(0);

    /// The number, for logs and for the wire.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Whether it was minted after the other, which must be of the same computer.
    pub fn is_newer_than(self, other: Launch) -> bool {
        self.0 > other.0
    }

    /// The one that is minted next; none after the last that a trace can carry.
    pub(crate) fn next(self) -> Option<Launch> {
        Launch::try_from(self.0 + 1).ok()
    }

    /// The newer one of two launches of one computer.
    pub(crate) fn or_newer(self, other: Launch) -> Launch {
        if other.is_newer_than(self) { other } else { self }
    }
}

/// A place in the order in which a provider reports on one computer.
///
/// As with [`Launch`]: those of different computers are not comparable, so there is no order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Mark(u64);

impl Mark {
    /// The place before the first report.
    pub const START: Mark = Mark(0);

    /// The number, for logs and for the wire.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Whether it is the place of a later report than the other, which must be on the same computer.
    pub fn is_beyond(self, other: Mark) -> bool {
        self.0 > other.0
    }

    /// The later one of two places in the reports on one computer.
    pub(crate) fn or_later(self, other: Mark) -> Mark {
        if other.is_beyond(self) { other } else { self }
    }

    /// The place of the report after this one.
    ///
    /// # Errors
    /// [`InvalidId::TooLarge`] after 2^53 - 1 reports.
    pub fn next(self) -> Result<Mark, InvalidId> {
        Mark::try_from(self.0 + 1)
    }
}

impl TryFrom<u64> for Launch {
    type Error = InvalidId;

    fn try_from(number: u64) -> Result<Self, InvalidId> {
        if number < NUMBER_LIMIT { Ok(Launch(number)) } else { Err(InvalidId::TooLarge { found: number }) }
    }
}

impl TryFrom<u64> for Mark {
    type Error = InvalidId;

    fn try_from(number: u64) -> Result<Self, InvalidId> {
        if number < NUMBER_LIMIT { Ok(Mark(number)) } else { Err(InvalidId::TooLarge { found: number }) }
    }
}

number!(Launch "launch");
number!(Mark "mark");
