//! What a guard compares, as places: a field of the line that was refused, and the fact that an earlier line made.

use outlive_spec::operation::check::Check;
use outlive_spec::operation::state::State;
use outlive_spec::trace::Verb;

/// The fact that a guard holds an event against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// What is said of the computer.
    Phase,
    /// The row, whatever of it was written.
    Revision,
    /// The newest launch.
    Launch,
    /// Who has claimed what is under way.
    Owner,
    /// How far the row has come.
    Mark,
    /// What there is at the provider.
    Instance,
    /// What may not come up any more.
    Fence,
    /// The last report.
    Report,
}

impl Fact {
    /// All of them, in the order of [`FACTS`].
    pub(super) const ALL: [Fact; 8] =
        [Fact::Phase, Fact::Revision, Fact::Launch, Fact::Owner, Fact::Mark, Fact::Instance, Fact::Fence, Fact::Report];
}

/// What the line that made the fact did.
pub(super) const FACTS: [&str; 8] = [
    "the phase is from here",
    "the row was last written here",
    "the newest launch is from here",
    "the claim was settled here",
    "the row came so far here",
    "what is at the provider is from here",
    "the fence is from here",
    "the last report was sent here",
];

/// The field that a guard looks at, and the fact that it is held against. That something was never sent is no line's
/// doing.
pub(super) fn of(check: Check) -> (&'static str, Option<Fact>) {
    match check {
        Check::StartIsFromRest | Check::StopIsPossible | Check::DeleteIsPossible => ("action", Some(Fact::Phase)),
        Check::StartMintsNext => ("launch", Some(Fact::Launch)),
        Check::SettleIsOurs | Check::RecoverFromTheDead => ("process", Some(Fact::Owner)),
        Check::ReadIsTrue => ("revision", Some(Fact::Revision)),
        Check::WriteIsOverRead => ("action", Some(Fact::Revision)),
        Check::WriteIsAtRest | Check::ReportIsAtRest => ("action", Some(Fact::Phase)),
        Check::WriteIsOfThisLaunch => ("action", Some(Fact::Launch)),
        Check::ReportIsOfThisLaunch | Check::RecoverKeepsLaunch => ("launch", Some(Fact::Launch)),
        Check::ArriveIsNotFenced => ("launch", Some(Fact::Fence)),
        Check::ReportIsAhead => ("mark", Some(Fact::Mark)),
        Check::AbsenceIsAnswered => ("condition", None),
        Check::ReadyIsAdmitted | Check::ConclusionFollows => ("conclusion", Some(Fact::Phase)),
        Check::ReviveIsArmed => ("action", Some(Fact::Fence)),
        Check::HearIsTrue => ("ending", Some(Fact::Instance)),
        Check::GetIsTrue => ("condition", Some(Fact::Instance)),
        Check::ReportIsTrue => ("condition", Some(Fact::Report)),
        Check::ConditionIsSo => ("launch", Some(Fact::Instance)),
        Check::CallIsOurs => ("kind", Some(Fact::Phase)),
        Check::CallWasSent | Check::ReportWasSent => ("launch", None),
        Check::GatewayLives | Check::GatewayIsNew | Check::CleanupIsOurs => ("process", None),
        Check::RefusalHasThatCause => ("because", None),
    }
}

/// Whether a step that led from one state to the other has made the fact.
pub(super) fn has_made(before: &State, after: &State, fact: Fact) -> bool {
    match fact {
        Fact::Phase => before.row.phase != after.row.phase,
        Fact::Revision => before.row.revision != after.row.revision,
        Fact::Launch => before.row.launch != after.row.launch,
        Fact::Owner => before.row.owner != after.row.owner,
        Fact::Mark => before.row.mark != after.row.mark,
        Fact::Instance => before.provider.instance != after.provider.instance,
        Fact::Fence => before.provider.fence != after.provider.fence,
        Fact::Report => before.provider.mark != after.provider.mark,
    }
}

/// The actions about which a guard decides.
pub(super) fn decides_about(check: Check) -> &'static [Verb] {
    match check {
        Check::StartIsFromRest => &[Verb::Start, Verb::StartUnclaimed],
        Check::StartMintsNext => &[Verb::Start, Verb::StartUnclaimed],
        Check::SettleIsOurs => &[Verb::Settle],
        Check::ReadIsTrue => &[Verb::Read],
        Check::WriteIsOverRead | Check::WriteIsAtRest | Check::WriteIsOfThisLaunch => &[Verb::Conclude],
        Check::ReportIsAtRest | Check::ReportIsOfThisLaunch | Check::ReportIsAhead => &[Verb::Deliver],
        Check::ArriveIsNotFenced | Check::CallWasSent => &[Verb::Arrive],
        Check::RecoverFromTheDead | Check::RecoverKeepsLaunch => &[Verb::Recover],
        Check::StopIsPossible => &[Verb::Stop],
        Check::DeleteIsPossible => &[Verb::Delete],
        Check::AbsenceIsAnswered | Check::ReportWasSent => &[Verb::Deliver],
        Check::ReadyIsAdmitted | Check::ConclusionFollows => &[Verb::Conclude, Verb::Deliver],
        Check::ReviveIsArmed => &[Verb::Revive],
        Check::CallIsOurs => &[Verb::Send],
        Check::HearIsTrue => &[Verb::Hear, Verb::Fail, Verb::Settle],
        Check::GetIsTrue => &[Verb::Get],
        Check::ReportIsTrue => &[Verb::Report],
        Check::ConditionIsSo => &[Verb::Admit, Verb::Exit, Verb::Revive, Verb::Vanish],
        Check::GatewayLives | Check::GatewayIsNew => &[Verb::Crash, Verb::Send, Verb::Read, Verb::Settle],
        Check::RefusalHasThatCause => &[
            Verb::Start,
            Verb::Stop,
            Verb::Delete,
            Verb::Recover,
            Verb::Arrive,
            Verb::Settle,
            Verb::Conclude,
            Verb::Deliver,
            Verb::Revive,
        ],
        // No line says that somebody leaves its operation to another.
        Check::CleanupIsOurs => &[],
    }
}
