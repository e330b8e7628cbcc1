//! How the command ends. The numbers are TLC's where the meaning is the same; `docs/exit-codes.md` has the table.

/// The end of a run. When several apply, the first in this order wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// A bug of this program.
    Internal,
    /// An input that cannot be read as what it should be.
    Unreadable,
    /// A command line that makes no sense.
    Usage,
    /// A reachable state breaks a property.
    SafetyViolated,
    /// Something that must happen need not.
    LivenessViolated,
    /// A reachable state from which no settled state can be reached.
    DeadEnd,
    /// A trace is no behaviour of the model.
    DoesNotConform,
    /// A check that could not have failed.
    Vacuous,
    /// A bound was reached before the search was complete.
    Truncated,
    /// Too little is known for a verdict.
    Inconclusive,
    /// There was nothing to check.
    NothingChecked,
    /// Everything holds, and everything was searched.
    Holds,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Usage => 2,
            Exit::NothingChecked => 4,
            Exit::DeadEnd => 11,
            Exit::SafetyViolated => 12,
            Exit::LivenessViolated => 13,
            Exit::Vacuous => 14,
            Exit::DoesNotConform => 20,
            Exit::Inconclusive => 21,
            Exit::Internal => 70,
            Exit::Unreadable => 150,
            Exit::Truncated => 152,
        }
    }

    /// The more serious of two.
    #[must_use]
    pub fn or(self, other: Exit) -> Exit {
        self.min(other)
    }
}
