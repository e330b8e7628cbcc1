//! What a store is asked about operations. Whoever ends or takes over one names what it expects to be under way, and
//! whoever writes an observation names what the row has to be.

use super::{Conclusion, Kind, OwnerDeath, Phase};
use crate::id::{ComputerId, Launch, Mark, OwnerName, Revision};
use crate::provider::Observation;

/// Somebody begins to start a computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BeginStart {
    /// Who will drive it.
    pub owner: OwnerName,
    /// The computer that it is about.
    pub computer: ComputerId,
}

/// Somebody begins to stop a computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BeginStop {
    /// Who will drive it.
    pub owner: OwnerName,
    /// The computer that it is about.
    pub computer: ComputerId,
}

/// Somebody begins to delete a computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BeginDelete {
    /// Who will drive it.
    pub owner: OwnerName,
    /// The computer that it is about.
    pub computer: ComputerId,
}

/// Somebody takes an operation over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recover {
    /// Who will drive it from now on.
    pub owner: OwnerName,
    /// The computer that it is about.
    pub computer: ComputerId,
    /// The proof that its owner is dead. None only for one that names no owner, of which nobody has to die.
    pub dead: Option<OwnerDeath>,
    /// What is expected to be under way.
    pub kind: Kind,
    /// And of which launch.
    pub launch: Launch,
}

/// An owner says how its operation has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settle {
    /// Whose operation it is.
    pub owner: OwnerName,
    /// The computer that it is about.
    pub computer: ComputerId,
    /// The launch that it is about.
    pub launch: Launch,
    /// How it has ended, which also says what it was.
    pub ending: Ending,
    /// How far the provider had come in the order of its reports when it said so; [`Mark::START`] if it said nothing.
    pub mark: Mark,
}

/// How an operation has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A start: the provider says that the launch was admitted. That it runs is not enough, for it may yet be turned
    /// away.
    Admitted,
    /// A start: it is given up, or the provider says that nothing comes of it.
    Failed,
    /// A stop: no launch up to that one runs, nor ever will.
    Stopped,
    /// A deletion: the same, and the provider has taken the instance away.
    Removed,
}

impl Ending {
    /// What has ended.
    pub fn kind(self) -> Kind {
        match self {
            Ending::Admitted | Ending::Failed => Kind::Start,
            Ending::Stopped => Kind::Stop,
            Ending::Removed => Kind::Delete,
        }
    }

    /// The phase that it leads to.
    pub fn phase(self) -> Phase {
        match self {
            Ending::Admitted => Phase::Ready,
            Ending::Failed => Phase::Error,
            Ending::Stopped => Phase::Stopped,
            Ending::Removed => Phase::Gone,
        }
    }
}

/// A sweep reads the row, before it reads the provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// Whose sweep it is.
    pub owner: OwnerName,
    /// The computer that it is about.
    pub computer: ComputerId,
}

/// A sweep says what the provider has answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conclude {
    /// Whose sweep it is. If what was there is gone, it owns the deletion that follows.
    pub owner: OwnerName,
    /// The revision that was read before the provider. Read after it, it would date what is old as new.
    pub expected: Revision,
    /// The answer to a read of the launch that was read with the revision.
    pub seen: Observation,
}

impl Conclude {
    /// What would be written where nothing is in the way; none while the instance boots.
    pub(crate) fn conclusion(&self) -> Option<Conclusion> {
        Conclusion::of(self.seen.seen.as_ref().map(|it| it.condition))
    }
}

/// Somebody passes on what the provider has told unasked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deliver {
    /// Who passes it on. Nothing depends on who it is: a report is the same whoever brings it.
    pub owner: OwnerName,
    /// What it has told: a report, or a line of a list.
    pub report: Observation,
}
