//! Who notices that a guard is missing, where the search under the right rules does not.

use outlive_spec::snapshot::check::Check;

/// A search delivers only what was sent and shows only what is so: a lie is proposed by nobody. Traces lie, and for each
/// of these guards a rejected trace is accepted once the guard is left out.
pub(crate) const BY_TRACES: &[Check] = &[
    Check::BeginReadsCurrent,
    Check::AnswerCountsUp,
    Check::CallWasSent,
    Check::SaveWasSent,
    Check::QuestionWasSent,
    Check::WipeWasSent,
    Check::ActWasSent,
    Check::RollbackWasLoaded,
    Check::LoadSeesPage,
    Check::SendWipeNamesCurrent,
    Check::FinishWhileResetting,
    Check::FinishHeardOfWipe,
    Check::ResolveFindsPage,
    Check::AskReadsCurrent,
    Check::LifeIsNew,
    Check::QuestionIsOurs,
    Check::QuestionIsNeeded,
    Check::ReplyIsOurs,
    Check::ActIsNewest,
];

/// The right rules never come to these; the variant does, and without the guard it breaks nothing any more.
pub(crate) const BY_VARIANTS: &[(Check, &str)] =
    &[(Check::BeginAfterRefusal, "retry-same-save"), (Check::SendWipeIsAllowed, "wipe-forgotten-on-crash")];
