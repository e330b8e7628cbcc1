//! How a store answers about operations. Whoever has lost a race is told what won.

use outlive_spec::requirement::Requirement;

use super::{Kind, Phase, Standing};
use crate::id::{Launch, Mark, Revision};
use crate::provider::Condition;

/// How [`super::OperationStore::begin_start`], `begin_stop` and `begin_delete` ended.
#[must_use = "an operation that was not begun must not call the provider"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BeginOutcome {
    /// It is under way.
    Begun {
        /// The launch that it is about: for a start a new one, else every launch up to it.
        launch: Launch,
        /// The row as it was written.
        revision: Revision,
    },
    /// It cannot begin here.
    Refused {
        /// What is said of the computer.
        phase: Phase,
    },
}

/// How [`super::OperationStore::recover`] ended.
#[must_use = "an operation that was not taken over is another's"]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecoverOutcome {
    /// It is under way, and the new owner's.
    Recovered {
        /// The row as it was written.
        revision: Revision,
    },
    /// Nothing is under way, or it belongs to somebody of whom no death was proven.
    NotLeft {
        /// What is so instead.
        current: Standing,
    },
    /// The dead owner had begun something else after what was read.
    Moved {
        /// What is under way.
        current: Standing,
    },
}

/// How [`super::OperationStore::settle`] ended.
#[must_use = "an operation that was not settled is under way, or was replaced"]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SettleOutcome {
    /// Nothing is under way any more.
    Settled {
        /// The row as it was written.
        revision: Revision,
    },
    /// Another operation has taken its place, or another owner. Its ending is dropped.
    Lost {
        /// What is so instead.
        current: Standing,
    },
}

/// What is written of an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// It runs and was admitted, so the error is over.
    Ready,
    /// It has exited.
    Error,
    /// It is not there any more, so a deletion begins, which whoever has seen it owns and drives.
    Prune,
}

impl Conclusion {
    /// What would be written of an instance like this; nothing, while it boots: it may yet be turned away.
    pub(crate) fn of(seen: Option<Condition>) -> Option<Conclusion> {
        match seen {
            // RECONCILE-16: an error that nothing leaves makes each mistake last for ever; no errors at all hide each
            // failure.
            Some(Condition::Up) => Some(Conclusion::Ready),
            Some(Condition::Exited) => Some(Conclusion::Error),
            // RECONCILE-13: what runs may yet be turned away.
            Some(Condition::Booting) => None,
            None => Some(Conclusion::Prune),
        }
    }

    /// The one phase over which it is written. Of an error it is no news that nothing is there: it may never have been.
    pub(crate) fn over(self) -> Phase {
        match self {
            Conclusion::Ready => Phase::Error,
            Conclusion::Error | Conclusion::Prune => Phase::Ready,
        }
    }

    /// The phase that it leads to.
    pub(crate) fn phase(self) -> Phase {
        match self {
            Conclusion::Ready => Phase::Ready,
            Conclusion::Error => Phase::Error,
            Conclusion::Prune => Phase::Deleting,
        }
    }

    /// Whether it says something that the row does not. Of a start that is under way, everything does, and is refused.
    pub(crate) fn is_news(self, phase: Phase) -> bool {
        phase == self.over() || phase == Phase::Starting
    }
}

/// How [`super::OperationStore::conclude`] ended.
#[must_use = "a deletion that was begun wants to be driven"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ConcludeOutcome {
    /// The row says so now.
    Written {
        /// What it says.
        conclusion: Conclusion,
        /// The row as it was written.
        revision: Revision,
    },
    /// Nothing follows: the row says as much as can be said. A row that is ready or an error has come as far as what
    /// was seen, if that is of its launch, and it is the row that was read: nothing older is written any more.
    Nothing,
    /// An operation is under way. What was seen is what was there before it, or half of what will be.
    UnderWay {
        /// Which.
        phase: Phase,
    },
    /// The row was written since it was read.
    Moved {
        /// What it is now.
        revision: Revision,
    },
    /// What was seen is of another launch than the row.
    AnotherLaunch {
        /// The row's.
        current: Launch,
    },
}

/// How [`super::OperationStore::deliver`] ended.
#[must_use = "a report that was refused has changed nothing"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DeliverOutcome {
    /// The row says so now, and has come as far as the report.
    Written {
        /// What it says.
        conclusion: Conclusion,
        /// The row as it was written.
        revision: Revision,
    },
    /// Nothing follows: the row says as much as can be said. One that is ready or an error has come as far as the
    /// report: nothing older is written any more.
    Nothing,
    /// It says that nothing is there. A list may leave out what is: ask the provider, and conclude.
    Absent,
    /// An operation is under way. What was reported is what was there before it, or half of what will be.
    UnderWay {
        /// Which.
        phase: Phase,
    },
    /// It is of another launch than the row.
    AnotherLaunch {
        /// The row's.
        current: Launch,
    },
    /// The row has come as far already, or farther: it is late, or a repetition.
    NotAhead {
        /// How far.
        mark: Mark,
    },
}

// RECONCILE-17: the caller and the trace are told the same cause, so which refusal is by which requirement stands here
// alone.

impl BeginOutcome {
    /// The requirement by which an operation of this kind was refused; none if it has begun.
    pub fn because(&self, kind: Kind) -> Option<Requirement> {
        match (self, kind) {
            (BeginOutcome::Begun { .. }, _) => None,
            (BeginOutcome::Refused { .. }, Kind::Start) => Some(Requirement::Reconcile1),
            (BeginOutcome::Refused { .. }, Kind::Stop) => Some(Requirement::Reconcile9),
            (BeginOutcome::Refused { .. }, Kind::Delete) => Some(Requirement::Reconcile10),
        }
    }
}

macro_rules! because {
    ($($outcome:ident { $($done:ident),+; $($refusal:ident => $requirement:ident),+ })+) => {$(
        impl $outcome {
            /// The requirement by which it was refused; none if it was not.
            pub fn because(&self) -> Option<Requirement> {
                match self {
                    $(Self::$done { .. })|+ => None,
                    $(Self::$refusal { .. } => Some(Requirement::$requirement),)+
                }
            }
        }
    )+};
}

because! {
    RecoverOutcome { Recovered; NotLeft => Reconcile7, Moved => Reconcile8 }
    SettleOutcome { Settled; Lost => Reconcile2 }
    ConcludeOutcome { Written, Nothing; UnderWay => Reconcile4, Moved => Reconcile3, AnotherLaunch => Reconcile5 }
    DeliverOutcome {
        Written, Nothing;
        Absent => Reconcile12, UnderWay => Reconcile4, AnotherLaunch => Reconcile5, NotAhead => Reconcile11
    }
}
