//! What a provider is asked for. Each call names its computer, and the launch that it is about.

use crate::id::{ComputerId, Launch, Mark};
use crate::store::operation::Kind;

/// A call that brings up an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Whose.
    pub computer: ComputerId,
    /// As which launch.
    pub launch: Launch,
}

/// A call that ends instances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// Whose.
    pub computer: ComputerId,
    /// Every launch up to this one.
    pub up_to: Launch,
    /// And what becomes of them.
    pub kind: EndKind,
}

/// What becomes of an instance that is ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndKind {
    /// It does not run any more, and can still be looked at.
    Stop,
    /// It is not there any more.
    Remove,
}

impl From<EndKind> for Kind {
    fn from(kind: EndKind) -> Kind {
        match kind {
            EndKind::Stop => Kind::Stop,
            EndKind::Remove => Kind::Delete,
        }
    }
}

/// A call that reads one computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Get {
    /// Which.
    pub computer: ComputerId,
    /// What the asker believes to be there; the answer names it if nothing is.
    pub launch: Launch,
}

/// A call that waits for a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watch {
    /// On which computer.
    pub computer: ComputerId,
    /// The place that it must be beyond.
    pub after: Mark,
}
