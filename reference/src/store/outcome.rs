//! How a store answers. Whoever has lost a race is told what won; an error would invite the caller to try the same
//! again.

use bytes::Bytes;
use outlive_spec::requirement::Requirement;

use crate::id::{Incarnation, PageName};

/// What a store knows about a computer, at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The current incarnation.
    pub incarnation: Incarnation,
    /// Whether a reset is under way.
    pub is_resetting: bool,
    /// The incarnation that the last reset opened; [`Incarnation::NOBODY`] if there was none.
    pub since: Incarnation,
    /// The stored page.
    pub page: Option<PageName>,
}

/// How [`super::Store::create`] ended.
#[must_use = "an existing computer keeps its incarnation and its page"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreateOutcome {
    /// It is new. No process of it has registered yet.
    Created,
    /// It was there before, and was left as it is.
    Exists {
        /// Its current incarnation.
        current: Incarnation,
    },
}

/// How [`super::Store::register`] ended.
#[must_use = "a process that was not registered does not know who it is"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RegisterOutcome {
    /// The process is now this incarnation, unless it has asked again since.
    Registered {
        /// What was minted for it.
        incarnation: Incarnation,
    },
    /// Somebody else came first; a process that is still alive asks anew.
    Overtaken {
        /// The current incarnation.
        current: Incarnation,
    },
}

/// How [`super::Store::begin`] ended.
#[must_use = "the incarnation is what the call must name"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BeginOutcome {
    /// The call names this incarnation.
    Begun {
        /// The current one.
        incarnation: Incarnation,
    },
    /// No process of this computer has registered yet, so there is nobody to call.
    NeverRegistered,
}

/// How [`super::Store::save`] ended.
#[must_use = "a save that was refused has stored nothing"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SaveOutcome {
    /// The page is the stored one.
    Stored,
    /// The page is not of the current incarnation: mostly its life is over. Begin a new snapshot.
    Fenced {
        /// The current incarnation.
        current: Incarnation,
    },
    /// The stored page is of the same incarnation, and as new or newer. If it is the very page that was sent, an
    /// earlier try of this save has landed.
    Superseded {
        /// The stored page.
        stored: PageName,
    },
    /// A reset is under way, and what it ends must not be stored again.
    Resetting {
        /// The incarnation that it ends.
        current: Incarnation,
    },
}

/// How [`super::Store::claim`] ended.
#[must_use = "a reset that was not claimed must not wipe anything"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ClaimOutcome {
    /// The reset is under way, and the stored page is gone.
    Claimed,
    /// Another one is under way already; any gateway may drive it on.
    UnderWay {
        /// The incarnation that it ends.
        current: Incarnation,
    },
    /// The decision was made on a life that is over.
    Moved {
        /// The current incarnation.
        current: Incarnation,
    },
}

/// How [`super::Store::send_wipe`] ended.
#[must_use = "the incarnation is what the wipe must name"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SendWipeOutcome {
    /// Tell the computer to wipe this incarnation.
    Send {
        /// The current one.
        incarnation: Incarnation,
    },
    /// Nothing may be wiped: no reset is under way.
    NotResetting {
        /// The current incarnation.
        current: Incarnation,
    },
}

/// How [`super::Store::finish`] ended.
#[must_use = "a reset that was not finished is still under way"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FinishOutcome {
    /// The reset is over.
    Finished {
        /// What was minted.
        minted: Incarnation,
    },
    /// It was over already, or never begun.
    NotResetting {
        /// The current incarnation.
        current: Incarnation,
    },
    /// A process has registered since that was not wiped; wipe it too.
    NotWiped {
        /// The current incarnation.
        current: Incarnation,
    },
}

/// How [`super::Store::load`] ended.
#[must_use = "the stored page is what references resolve against"]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadOutcome {
    /// What the store knew at that moment.
    pub standing: Standing,
    /// The body of the stored page, which is there iff the page is.
    pub body: Option<Bytes>,
}

/// How [`super::Store::resolve`] ended.
#[must_use = "an act whose reference did not resolve must not be forwarded"]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResolveOutcome {
    /// The cited page is the stored one, and of the current incarnation.
    Resolved {
        /// The page itself.
        body: Bytes,
    },
    /// It is not. Show the agent a new page.
    Stale {
        /// The current incarnation.
        current: Incarnation,
        /// The stored page.
        stored: Option<PageName>,
    },
}

/// How [`super::Store::rollback`] ended.
#[must_use = "a rollback that was refused has put nothing back"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RollbackOutcome {
    /// The page is the stored one again. The running process has lost its place: start it anew, and let it load.
    RolledBack {
        /// What was minted, which no process is yet.
        minted: Incarnation,
    },
    /// A reset is under way.
    Resetting {
        /// The incarnation that it ends.
        current: Incarnation,
    },
    /// The decision was made on a life that is over.
    Moved {
        /// The current incarnation.
        current: Incarnation,
    },
    /// The page is from before the last reset, and what was wiped stays wiped.
    Wiped {
        /// The incarnation that the reset opened.
        since: Incarnation,
    },
    /// The page is of an incarnation that was not minted, so nobody can have loaded it.
    NeverMinted {
        /// The current incarnation, which is the last that was minted.
        current: Incarnation,
    },
}

/// For each type: the outcome that took effect, and for each other the requirement by which it is a refusal.
macro_rules! because {
    ($($outcome:ident { $done:ident, $($refusal:ident => $requirement:ident),+ })+) => {$(
        impl $outcome {
            /// The requirement by which it was refused; none if it took effect.
            pub fn because(&self) -> Option<Requirement> {
                match self {
                    Self::$done { .. } => None,
                    $(Self::$refusal { .. } => Some(Requirement::$requirement),)+
                }
            }
        }
    )+};
}

// SAVE-5: the caller and the trace are told the same cause, so which refusal is by which requirement stands here alone.
because! {
    RegisterOutcome { Registered, Overtaken => Restart1 }
    SaveOutcome { Stored, Resetting => Reset2, Fenced => Save3, Superseded => Save4 }
    ClaimOutcome { Claimed, UnderWay => Reset1, Moved => Reset1 }
    FinishOutcome { Finished, NotResetting => Reset4, NotWiped => Reset4 }
    ResolveOutcome { Resolved, Stale => Reset6 }
    RollbackOutcome { RolledBack, Resetting => Reset2, Moved => Save7, Wiped => Save8, NeverMinted => Save8 }
}
