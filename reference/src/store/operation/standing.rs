//! The row of one computer, as whoever asks is told.

use crate::id::{Launch, Mark, OwnerName, Revision};

/// What a store knows about the operations of a computer, at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Counts the writes of the row.
    pub revision: Revision,
    /// What is said of the computer.
    pub phase: Phase,
    /// The newest start; [`Launch::NONE`] if there was none.
    pub launch: Launch,
    /// Whose the operation is that is under way. None if nothing is, or for a start that was begun without a claim.
    pub owner: Option<OwnerName>,
    /// How far the row has come in the order of the provider's reports.
    pub mark: Mark,
}

impl Standing {
    /// Of a computer on which nothing was ever begun. It has no row.
    pub(crate) fn unwritten() -> Standing {
        let (revision, launch) = (Revision::UNWRITTEN, Launch::NONE);
        Standing { revision, phase: Phase::Stopped, launch, owner: None, mark: Mark::START }
    }
}

/// What is said of a computer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Nothing runs, and nothing should.
    Stopped,
    /// A start is under way.
    Starting,
    /// It runs, and was admitted.
    Ready,
    /// It was to run, and does not.
    Error,
    /// A stop is under way.
    Stopping,
    /// A deletion is under way.
    Deleting,
    /// It was deleted. Nothing leaves this phase.
    Gone,
}

impl Phase {
    /// The operation that is under way in this phase.
    pub fn under_way(self) -> Option<Kind> {
        match self {
            Phase::Starting => Some(Kind::Start),
            Phase::Stopping => Some(Kind::Stop),
            Phase::Deleting => Some(Kind::Delete),
            Phase::Stopped | Phase::Ready | Phase::Error | Phase::Gone => None,
        }
    }
}

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Brings up an instance of a new launch.
    Start,
    /// Ends every instance up to the row's launch.
    Stop,
    /// The same, and takes it away.
    Delete,
}

impl Kind {
    /// The phase while it is under way.
    pub fn phase(self) -> Phase {
        match self {
            Kind::Start => Phase::Starting,
            Kind::Stop => Phase::Stopping,
            Kind::Delete => Phase::Deleting,
        }
    }
}
