//! Who notices that a guard is missing, where the search under the right rules does not.

use outlive_spec::snapshot::check::Check;

/// A search delivers only what was sent and shows only what is so: a lie is proposed by nobody. Traces lie, and for
/// each of these guards a rejected trace is accepted once the guard is left out.
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

/// A guard to which the right rules never come, with a variant that does: what it breaks with the guard, and without
/// it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByVariant {
    pub(crate) check: Check,
    pub(crate) variant: &'static str,
    pub(crate) with: &'static [&'static str],
    pub(crate) without: &'static [&'static str],
}

/// The guards that the search misses under one variant only.
pub(crate) const BY_VARIANTS: &[ByVariant] = &[
    // Whoever begins anew while a refused save is sent again gets a page in the end.
    ByVariant {
        check: Check::BeginAfterRefusal,
        variant: "retry-same-save",
        with: &["agent-works-at-last=7+0"],
        without: &[],
    },
    ByVariant {
        check: Check::SendWipeIsAllowed,
        variant: "wipe-forgotten-on-crash",
        with: &["agent-works-at-last=5+0", "reset-ends-at-last=2+0", "settled-is-reachable=2"],
        without: &[],
    },
];
