//! What a guard compares, as places: a field of the line that was refused, and the fact that an earlier line made.

use outlive_spec::snapshot::check::Check;
use outlive_spec::snapshot::state::{Generation, Incarnation, Life, Save, State};

/// The fact that a guard holds an event against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// The current incarnation.
    Current,
    /// Whether a reset is under way.
    Resetting,
    /// The incarnation that the last reset opened.
    Since,
    /// The row.
    Row,
    /// What the computer knows itself as.
    Own,
    /// The newest generation.
    Newest,
    /// The life that the computer is in.
    Life,
    /// The pages that agents were shown.
    Shown,
    /// The answer to the computer's question.
    Reply,
    /// That something was never sent is no line's doing.
    NoLine,
}

impl Fact {
    /// All that some line can have made.
    pub(super) const ALL: [Fact; 9] = [
        Fact::Current,
        Fact::Resetting,
        Fact::Since,
        Fact::Row,
        Fact::Own,
        Fact::Newest,
        Fact::Life,
        Fact::Shown,
        Fact::Reply,
    ];

    /// What the line that made it did.
    pub(super) fn label(self) -> &'static str {
        match self {
            Fact::Current => "the current incarnation is from here",
            Fact::Resetting => "whether a reset is under way was settled here",
            Fact::Since => "the last reset ended here",
            Fact::Row => "the row is from here",
            Fact::Own => "what the computer knows itself as is from here",
            Fact::Newest => "the newest generation is from here",
            Fact::Life => "the living life began here",
            Fact::Shown => "the last page was shown here",
            Fact::Reply => "the reply is from here",
            Fact::NoLine => "",
        }
    }
}

/// The field that a guard looks at, and the fact that it is held against.
pub(super) fn of(check: Check) -> (&'static str, Fact) {
    match check {
        Check::BeginReadsCurrent
        | Check::SaveIsCurrent
        | Check::SendWipeNamesCurrent
        | Check::FinishWipedCurrent
        | Check::ResolveIsCurrent => ("incarnation", Fact::Current),
        Check::RollbackFollows | Check::ClaimFollows | Check::AskReadsCurrent | Check::RegisterFollows => {
            ("expected", Fact::Current)
        }
        Check::RollbackMints | Check::FinishMints | Check::RegisterMints => ("minted", Fact::Current),
        Check::ClaimWhileOpen
        | Check::SendWipeIsClaimed
        | Check::SaveWhileOpen
        | Check::RollbackWhileOpen
        | Check::FinishWhileResetting => ("action", Fact::Resetting),
        Check::RollbackIsSinceReset => ("incarnation", Fact::Since),
        Check::SaveIsNewer | Check::LoadSeesPage | Check::ResolveFindsPage => ("generation", Fact::Row),
        Check::AnswerIsForUs | Check::WipeIsForUs | Check::ActIsForUs => ("incarnation", Fact::Own),
        Check::QuestionIsNeeded => ("action", Fact::Own),
        Check::AnswerCountsUp | Check::ActIsNewest => ("generation", Fact::Newest),
        Check::LifeIsNew | Check::QuestionIsOurs => ("life", Fact::Life),
        Check::RollbackWasLoaded => ("generation", Fact::Shown),
        Check::ReplyIsOurs => ("incarnation", Fact::Reply),
        Check::RefusalHasThatCause => ("because", Fact::NoLine),
        Check::CallWasSent | Check::WipeWasSent | Check::FinishHeardOfWipe => ("incarnation", Fact::NoLine),
        Check::QuestionWasSent => ("life", Fact::NoLine),
        Check::SaveWasSent | Check::ActWasSent | Check::ForwardIsResolved => ("generation", Fact::NoLine),
        Check::SendWipeIsAllowed => ("process", Fact::NoLine),
        Check::BeginAfterRefusal => ("action", Fact::NoLine),
    }
}

/// The facts of a state, to see which of them a step has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    current: Incarnation,
    is_resetting: bool,
    since: Incarnation,
    row: Option<Save>,
    own: Option<Incarnation>,
    newest: Generation,
    life: Life,
    shown: usize,
    reply: Option<Incarnation>,
}

impl Facts {
    pub(super) fn of(state: &State) -> Facts {
        Facts {
            current: state.store.incarnation,
            is_resetting: state.store.is_resetting,
            since: state.store.since,
            row: state.store.page,
            own: state.process.incarnation,
            newest: state.process.generation,
            life: state.process.life,
            shown: state.shown.len(),
            reply: state.process.reply,
        }
    }

    pub(super) fn differs(&self, other: &Facts, fact: Fact) -> bool {
        match fact {
            Fact::Current => self.current != other.current,
            Fact::Resetting => self.is_resetting != other.is_resetting,
            Fact::Since => self.since != other.since,
            Fact::Row => self.row != other.row,
            Fact::Own => self.own != other.own,
            Fact::Newest => self.newest != other.newest,
            Fact::Life => self.life != other.life,
            Fact::Shown => self.shown > other.shown,
            Fact::Reply => self.reply != other.reply,
            Fact::NoLine => false,
        }
    }
}
