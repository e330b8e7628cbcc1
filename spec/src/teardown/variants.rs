//! Every rule that was shipped or proposed for teardown. Each is [`RIGHT`] but for what it names.

use super::check::{Check, Checks};
use super::rules::{Adopts, Claims, Due, Gate, GivesUp, Replaced, Rescues, Rules};

/// The rules that hold.
pub const RIGHT: Rules = Rules {
    without: Checks::NONE,
    most_attempts: 2,
    rescues: Rescues::EveryLoss,
    outbox_by_name: false,
    trash_keeps_the_record: true,
    voids: true,
    restore_unclaims: false,
    purge_waits: false,
    purge_keeps_intents: true,
    purge_keeps_dead_letters: true,
    reconnect_records: true,
    record_clears_the_stamp: true,
    revokes: true,
    claims: Claims::Killing,
    resumes: true,
    gate: Gate::UntilItLands,
    releases_by_name: false,
    gone_is_failure: false,
    replaced: Replaced::QuarantinesTheUnnamed,
    failure_unclaims: false,
    gives_up: GivesUp::ToDeadLetters,
    due: Due::ByTurn,
    adopts: Adopts::Nothing,
    meters_the_record: false,
    forgets: true,
    watches: false,
};

const fn without(checks: &[Check]) -> Rules {
    Rules { without: Checks::of(checks), ..RIGHT }
}

variants! {
    "right" "B03 B04 B18 B19 B44 B45 B46 B53 B54 B55 B60 B63" "the rules that hold" RIGHT;
    "record-before-kill" "B02 B03"
        "a claim says that the instance is torn down, and then it is killed"
        Rules { claims: Claims::TornDown, ..RIGHT };
    "no-outbox" "B02 B06 B39"
        "what deletes or overwrites a record moves no pointer"
        Rules { rescues: Rescues::Nothing, ..RIGHT };
    "update-loses-pointer" "B42"
        "only what deletes a record moves its pointer, and what overwrites its instance does not"
        Rules { rescues: Rescues::Deletes, ..RIGHT };
    "provision-without-intent" "B26 B27"
        "the provider is called before anything durable says so"
        without(&[Check::CallIsIntended]);
    "intent-closed-on-absence" "B27 X1"
        "an intent is closed when the provider has nothing for its token"
        without(&[Check::CloseIsConclusive]);
    "unanswered-intent-waits" "B27 X2"
        "no token can be revoked, so that an intent waits until something was created for it"
        Rules { revokes: false, ..RIGHT };
    "purge-drops-intent" "B27 X2"
        "an open intent goes with its owner"
        Rules { purge_keeps_intents: false, ..RIGHT };
    "intent-not-doomed" "B27"
        "what was created for one owner is recorded for the next"
        without(&[Check::RecordIsForItsOwner]);
    "release-by-name" "B13 B14 B16 B25 B29"
        "a proof of death releases whatever has the name"
        Rules { releases_by_name: true, ..RIGHT };
    "touch-keeps-instance" "B31"
        "a reconnect that has got another instance does not write it down"
        Rules { reconnect_records: false, ..RIGHT };
    "stamp-survives-reprovision" "B09"
        "an instance that is recorded leaves the stamp that says it is torn down"
        Rules { record_clears_the_stamp: false, ..RIGHT };
    "transport-error-is-gone" "B22"
        "an error is taken for a proof of death"
        without(&[Check::ProofIsNoError]);
    "absent-from-list-is-gone" "X1"
        "absence from a list is taken for a proof of death"
        without(&[Check::ProofIsNoList]);
    "unknown-equals-unknown" "B30 B38"
        "a record may name an unknown instance, which is equal to any other that is unknown"
        without(&[Check::RecordKnowsItsInstance]);
    "outbox-keyed-by-name" "B43"
        "the outbox holds one pointer for each name"
        Rules { outbox_by_name: true, ..RIGHT };
    "purge-drops-abandoned" "X6"
        "dead letters go with their owner"
        Rules { purge_keeps_dead_letters: false, ..RIGHT };
    "abandoned-forgotten" "X6"
        "at the bound a pointer is dropped"
        Rules { gives_up: GivesUp::Forgets, ..RIGHT };
    "kill-by-name" "B15 B28"
        "a kill names the name alone"
        without(&[Check::KillIsExpected]);
    "check-then-act-ungated" "B64"
        "nothing keeps a creation from between the two steps of a kill"
        Rules { gate: Gate::Open, ..RIGHT };
    "gate-dies-with-its-worker" "B64"
        "the name is free for a creation as soon as the worker that kills is dead"
        Rules { gate: Gate::WithItsWorker, ..RIGHT };
    "trash-licenses" "B17"
        "to be trashed licenses a kill"
        without(&[Check::TeardownWasRequested]);
    "request-outlives-the-restore" "B20 B21"
        "the request survives a restore and names no trash"
        Rules { voids: false, ..without(&[Check::RequestIsOfThisTrash]) };
    "recheck-no-claim" "B11 B12"
        "what licenses a kill is read once more before it, and nothing is claimed"
        Rules { claims: Claims::Nothing, ..RIGHT };
    "restore-unclaims" "B12"
        "a restore takes a claim back"
        Rules { restore_unclaims: true, ..RIGHT };
    "failed-attempt-unclaims" "B12 X7"
        "a kill that proves nothing takes its claim back"
        Rules { failure_unclaims: true, ..RIGHT };
    "attach-ignores-killing" "B12 B56"
        "an owner is given what is being killed"
        without(&[Check::AttachIsOfTheLiving]);
    "kill-by-age" "X8"
        "a deadline that had passed when the list was read licenses a kill"
        without(&[Check::DeadlineHasPassed]);
    "adopt-ignores-outbox" "X2"
        "a record takes over whoever holds the name, if no record names it"
        Rules { adopts: Adopts::TheHolder, ..RIGHT };
    "adopt-by-name" "X2 B57"
        "a record takes over what is in quarantine at its name"
        Rules { adopts: Adopts::TheQuarantined, ..RIGHT };
    "chase-on-replaced" "B36 X3"
        "whoever is found in the place of the dead is killed next"
        Rules { replaced: Replaced::Chases, ..RIGHT };
    "chase-the-unnamed" "B37 X3"
        "whoever is found in the place of the dead is killed next, if nothing names it"
        Rules { replaced: Replaced::ChasesTheUnnamed, ..RIGHT };
    "release-on-replaced" "B33 B35 X3"
        "whoever is found in the place of the dead is forgotten"
        Rules { replaced: Replaced::Releases, ..RIGHT };
    "replaced-looks-at-records-only" "B37"
        "whoever is found in the place of the dead is quarantined, if no record names it"
        Rules { replaced: Replaced::QuarantinesTheUnrecorded, ..RIGHT };
    "replaced-is-failure" "B33"
        "that another holds the name is a kill that has failed"
        Rules { replaced: Replaced::Fails, ..RIGHT };
    "gone-is-failure" "B24"
        "that an instance is gone is a kill that has failed"
        Rules { gone_is_failure: true, ..RIGHT };
    "oldest-first-unbounded" "B48 B49"
        "what is oldest is due first, tried or not, and is never given up"
        Rules { due: Due::ByAge, gives_up: GivesUp::Never, ..RIGHT };
    "fewest-attempts-first" "B49"
        "what was tried least is due first"
        Rules { due: Due::ByAttempts, ..RIGHT };
    "retry-without-bound" "B46 X6"
        "no pointer is ever given up"
        Rules { gives_up: GivesUp::Never, ..RIGHT };
    "killing-not-driven-again" "B01 B19"
        "a claim whose worker has died stays"
        Rules { resumes: false, ..RIGHT };
    "provision-under-trashed" "B58"
        "what was created is recorded under an owner that is hidden"
        without(&[Check::RecordIsUnderAnActiveOwner]);
    "purge-waits" "B05 B08 B61"
        "a purge is refused while the record has an instance"
        Rules { purge_waits: true, ..RIGHT };
    "record-goes-with-the-trash" "B07"
        "a trash deletes the record"
        Rules { trash_keeps_the_record: false, ..RIGHT };
    "meter-by-record" "X12 B10"
        "the meter goes by the record"
        Rules { meters_the_record: true, ..RIGHT };
    "success-is-one-count" "B47 B51"
        "whatever was released is counted as reclaimed"
        without(&[Check::CountIsTrue]);
}
