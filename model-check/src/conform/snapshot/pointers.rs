//! What a guard compares, as places: a field of the line that was refused, and the fact that an earlier line made.

use outlive_spec::snapshot::check::Check;
use outlive_spec::snapshot::state::State;
use outlive_spec::trace::Verb;

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
}

impl Fact {
    /// All of them, in the order of [`FACTS`].
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
}

/// What the line that made the fact did.
pub(super) const FACTS: [&str; 9] = [
    "the current incarnation is from here",
    "whether a reset is under way was settled here",
    "the last reset ended here",
    "the row is from here",
    "what the computer knows itself as is from here",
    "the newest generation is from here",
    "the living life began here",
    "the last page was shown here",
    "the reply is from here",
];

/// The field that a guard looks at, and the fact that it is held against. That something was never sent is no line's
/// doing.
pub(super) fn of(check: Check) -> (&'static str, Option<Fact>) {
    match check {
        Check::BeginReadsCurrent
        | Check::SaveIsCurrent
        | Check::SendWipeNamesCurrent
        | Check::FinishWipedCurrent
        | Check::ResolveIsCurrent => ("incarnation", Some(Fact::Current)),
        Check::RollbackFollows | Check::ClaimFollows | Check::AskReadsCurrent | Check::RegisterFollows => {
            ("expected", Some(Fact::Current))
        }
        Check::RollbackMints | Check::FinishMints | Check::RegisterMints => ("minted", Some(Fact::Current)),
        Check::ClaimWhileOpen
        | Check::SendWipeIsClaimed
        | Check::SaveWhileOpen
        | Check::RollbackWhileOpen
        | Check::FinishWhileResetting => ("action", Some(Fact::Resetting)),
        Check::RollbackIsSinceReset => ("incarnation", Some(Fact::Since)),
        Check::SaveIsNewer | Check::LoadSeesPage | Check::ResolveFindsPage => ("generation", Some(Fact::Row)),
        Check::AnswerIsForUs | Check::WipeIsForUs | Check::ActIsForUs => ("incarnation", Some(Fact::Own)),
        Check::QuestionIsNeeded => ("action", Some(Fact::Own)),
        Check::AnswerCountsUp | Check::ActIsNewest => ("generation", Some(Fact::Newest)),
        Check::LifeIsNew | Check::QuestionIsOurs => ("life", Some(Fact::Life)),
        Check::RollbackWasLoaded => ("generation", Some(Fact::Shown)),
        Check::ReplyIsOurs => ("incarnation", Some(Fact::Reply)),
        Check::RefusalHasThatCause => ("because", None),
        Check::CallWasSent | Check::WipeWasSent | Check::FinishHeardOfWipe => ("incarnation", None),
        Check::QuestionWasSent => ("life", None),
        Check::SaveWasSent | Check::ActWasSent | Check::ForwardIsResolved => ("generation", None),
        Check::SendWipeIsAllowed => ("process", None),
        Check::BeginAfterRefusal => ("action", None),
    }
}

/// Whether a step that led from one state to the other has made the fact.
pub(super) fn has_made(before: &State, after: &State, fact: Fact) -> bool {
    match fact {
        Fact::Current => before.store.incarnation != after.store.incarnation,
        Fact::Resetting => before.store.is_resetting != after.store.is_resetting,
        Fact::Since => before.store.since != after.store.since,
        Fact::Row => before.store.page != after.store.page,
        Fact::Own => before.process.incarnation != after.process.incarnation,
        Fact::Newest => before.process.generation != after.process.generation,
        Fact::Life => before.process.life != after.process.life,
        Fact::Shown => after.shown.len() > before.shown.len(),
        Fact::Reply => before.process.reply != after.process.reply,
    }
}

/// The actions about which a guard decides.
pub(super) fn decides_about(check: Check) -> &'static [Verb] {
    match check {
        Check::BeginReadsCurrent | Check::BeginAfterRefusal => &[Verb::Begin],
        Check::AnswerCountsUp => &[Verb::Answer, Verb::Wipe],
        Check::AnswerIsForUs | Check::CallWasSent => &[Verb::Answer],
        Check::SaveIsCurrent | Check::SaveIsNewer | Check::SaveWasSent | Check::SaveWhileOpen => &[Verb::Save],
        Check::RefusalHasThatCause => &[
            Verb::Register,
            Verb::Answer,
            Verb::Save,
            Verb::Claim,
            Verb::Wipe,
            Verb::Finish,
            Verb::Resolve,
            Verb::Perform,
            Verb::Rollback,
        ],
        Check::QuestionWasSent | Check::RegisterFollows | Check::RegisterMints => &[Verb::Register],
        Check::WipeWasSent | Check::WipeIsForUs => &[Verb::Wipe],
        Check::ActWasSent | Check::ActIsForUs | Check::ActIsNewest | Check::ForwardIsResolved => &[Verb::Perform],
        Check::RollbackFollows
        | Check::RollbackMints
        | Check::RollbackWasLoaded
        | Check::RollbackIsSinceReset
        | Check::RollbackWhileOpen => &[Verb::Rollback],
        Check::LoadSeesPage => &[Verb::Load],
        Check::ClaimFollows | Check::ClaimWhileOpen => &[Verb::Claim],
        Check::SendWipeIsClaimed | Check::SendWipeNamesCurrent | Check::SendWipeIsAllowed => &[Verb::SendWipe],
        Check::FinishWhileResetting | Check::FinishHeardOfWipe | Check::FinishWipedCurrent | Check::FinishMints => {
            &[Verb::Finish]
        }
        Check::ResolveFindsPage | Check::ResolveIsCurrent => &[Verb::Resolve],
        Check::AskReadsCurrent | Check::QuestionIsOurs | Check::QuestionIsNeeded => &[Verb::Ask],
        Check::LifeIsNew => &[Verb::Restart, Verb::Wipe],
        Check::ReplyIsOurs => &[Verb::Learn],
    }
}
