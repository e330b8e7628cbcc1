//! Every rule that was shipped or proposed for operations and those who observe them. Each is [`RIGHT`] but for what it
//! names.

use super::check::{Check, Checks};
use super::rules::{Claims, Concludes, Defers, Marks, Recovers, Rules};

/// The rules that hold.
pub const RIGHT: Rules = Rules {
    without: Checks::NONE,
    claims: Claims::WithTheTransition,
    defers: Defers::ToOperations,
    recovers: Recovers::FromTheDead,
    concludes: Concludes::Everything,
    marks: Marks::Durable,
    silence_moves_the_mark: true,
    early_failures_settle: true,
    stops_interrupt_starts: true,
    row_goes_first: false,
    keeps_what_was_seen: false,
    sweep_holds_the_gate: false,
    forgets: true,
    reuses_revisions: true,
};

/// One gate for each computer in the memory of each gateway, and no claim that others could see.
const GATE: Rules = Rules { claims: Claims::Apart, defers: Defers::ToTheLocalGate, recovers: Recovers::Never, ..RIGHT };

const fn without(checks: &[Check]) -> Rules {
    Rules { without: Checks::of(checks), ..RIGHT }
}

variants! {
    "right" "E22 E27" "the rules that hold" RIGHT;
    "revision-check-only" "E01 E02 E04"
        "a sweep compares the revision and nothing else"
        without(&[Check::WriteIsAtRest, Check::WriteIsOfThisLaunch]);
    "transition-then-claim" "E10"
        "the claim is written in a second step, and only a claim counts as an operation under way"
        Rules {
            claims: Claims::Apart,
            defers: Defers::ToClaims,
            recovers: Recovers::FromTheDeadIfClaimed,
            ..RIGHT
        };
    "defer-while-pending-only" "E09"
        "a sweep writes if nothing is under way then; it does not compare the revision"
        without(&[Check::WriteIsOverRead]);
    "no-launch-check" "E21"
        "a sweep compares the revision and sees that nothing is under way, but not which launch it has seen"
        without(&[Check::WriteIsOfThisLaunch]);
    "report-of-any-launch" "E22"
        "a report counts whatever its launch"
        without(&[Check::ReportIsOfThisLaunch]);
    "list-absence-prunes" "E02 X1"
        "what is missing in a report is deleted"
        without(&[Check::AbsenceIsAnswered]);
    "stale-field-in-fresh-read" "E03"
        "a sweep reads the row again and keeps what the provider has said before"
        Rules { keeps_what_was_seen: true, ..RIGHT };
    "gate-held-over-io" "E08"
        "a sweep holds the gate while it reads the provider, and who finds it held leaves the cleanup to it"
        Rules { sweep_holds_the_gate: true, ..RIGHT };
    "gate-without-claim" "E07 E17"
        "an operation holds the gate of its gateway, and nothing in the row says so"
        GATE;
    "gate-of-one-process" "E07"
        "the same where there is but one gateway: until it dies"
        GATE;
    "unclaimed-not-adopted" "E12 E13"
        "an operation without a claim is taken over by nobody but who has begun it"
        Rules { recovers: Recovers::FromTheDeadIfClaimed, ..RIGHT };
    "error-absorbs" "E05"
        "nothing leaves an error but a user"
        Rules { concludes: Concludes::NothingAfterAnError, ..RIGHT };
    "ignore-error" "E06 E14"
        "an exit is not written"
        Rules { concludes: Concludes::NoError, ..RIGHT };
    "claim-without-owner-recovery" "E16"
        "nobody takes over what a dead gateway has begun"
        Rules { recovers: Recovers::Never, ..RIGHT };
    "predispatch-failure-keeps-claim" "E15"
        "a start that fails before anything was sent is dropped, and its claim stays"
        Rules { early_failures_settle: false, ..RIGHT };
    "settle-unchecked" "E16"
        "whoever hears an outcome writes it"
        without(&[Check::SettleIsOurs]);
    "recovery-rotates" "E11"
        "whoever takes over a start may mint another launch"
        without(&[Check::RecoverKeepsLaunch]);
    "lease-as-fence" "E17"
        "a claim can be taken over while its owner lives"
        without(&[Check::RecoverFromTheDead]);
    "provider-unfenced" "E17"
        "the provider brings up whatever launch arrives"
        without(&[Check::ArriveIsNotFenced]);
    "stop-skips-starting" "X14"
        "a stop is refused while a start is under way"
        Rules { stops_interrupt_starts: false, ..RIGHT };
    "start-whenever-asked" "X14"
        "a start is admitted in every phase"
        without(&[Check::StartIsFromRest]);
    "restart-policy-first" "X14"
        "the provider starts an instance again whether or not it was stopped"
        without(&[Check::ReviveIsArmed]);
    "prune-row-first" "E02"
        "a deletion says that the computer is gone, and only then asks the provider"
        Rules { row_goes_first: true, ..RIGHT };
    "ready-before-admission" "E19"
        "what runs counts as ready"
        without(&[Check::ReadyIsAdmitted]);
    "silence-leaves-the-mark" "E22 X1"
        "the row comes as far as an observation only if something is written of it"
        Rules { silence_moves_the_mark: false, ..RIGHT };
    "act-before-first-read" "X4"
        "how far the row has come is kept in memory, and a new gateway acts on reports at once"
        Rules { marks: Marks::InMemory, ..RIGHT };
    "mark-in-memory" "X1 X4"
        "how far the row has come is kept in memory, and a new gateway reads the provider before it acts on reports"
        Rules { marks: Marks::InMemoryAfterARead, ..RIGHT };
}
