//! What must hold: one function for each sentence. Some look at a state; the others are noted by the step that breaks
//! them, since no later state shows it.

use smallvec::SmallVec;

use super::action::{Count, Restored};
use super::state::*;
use crate::protocol::Broken;

properties! {
    LivesIsPointedAt Purge1 "lives-is-pointed-at" "no-outbox"
        "whatever lives of what was created for us is named by something durable"
    OnlyTheLicensedAreKilled Reconcile23 "only-the-licensed-are-killed" "recheck-no-claim"
        "nothing is killed but what was licensed to be"
    OnePointer Purge7 "one-pointer" "replaced-looks-at-records-only"
        "no two durable rows name one instance"
    PurgeIsAdmitted Purge2 "purge-is-admitted" "purge-waits"
        "no purge is refused because of an instance"
    RestoreIsLossless Purge8 "restore-is-lossless" "record-goes-with-the-trash"
        "a restore gives back all that there was, or says that the instance is lost"
    ServesItsOwner Purge6 "serves-its-owner" "intent-not-doomed"
        "an instance serves nobody but the owner that it was created for"
    ClaimsStay Reconcile26 "claims-stay" "restore-unclaims"
        "a claim is not taken back"
    OthersKeepTheirPointers Reconcile29 "others-keep-their-pointers" "release-by-name"
        "a proof of death releases no pointer to another instance"
    DeadLettersStay Purge9 "dead-letters-stay" "purge-drops-abandoned"
        "a purge leaves the dead letters"
    GivenIsNotOnItsWayOut Reconcile31 "given-is-not-on-its-way-out" "attach-ignores-killing"
        "nobody is given, or promised for longer, an instance whose kill is licensed"
    SeenIsKeptInSight Reconcile30 "seen-is-kept-in-sight" "release-on-replaced"
        "an instance that was found at our name is named by something durable as long as it lives"
    CountsAreTrue Reconcile36 "counts-are-true" "success-is-one-count"
        "nothing is counted as reclaimed that no kill of ours has ended"
    MeteredIffItExists Reconcile37 "metered-iff-it-exists" "meter-by-record"
        "an instance is metered if and only if it lives"
    SettledIsReachable Reconcile34 "settled-is-reachable" "killing-not-driven-again"
        "from every reachable state, steps that are not faults lead to one in which nothing waits for a worker"
}

/// What the state breaks, and what the step that led here has broken.
#[inline]
pub(super) fn broken(state: &State) -> Broken {
    let mut broken = state.ghost.harms;
    for made in state.provider.made.iter().filter(|made| made.lives) {
        let names = state.names(made.instance);
        if made.token.is_some() && names == 0 {
            broken.add(Holds::LivesIsPointedAt as usize);
        }
        if names > 1 {
            broken.add(Holds::OnePointer as usize);
        }
        let serves = state.record.is_some_and(|record| record.names(made.instance));
        if serves && made.owner != Some(state.tenure.owner) {
            broken.add(Holds::ServesItsOwner as usize);
        }
    }
    broken
}

/// Nothing waits for a worker.
pub(super) fn is_settled(state: &State) -> bool {
    let is_killing = state.record.is_some_and(|record| record.phase == Phase::Killing);
    let is_in_the_outbox = state.pointers.iter().any(|pointer| pointer.place == Place::Outbox);
    state.intents.is_empty() && !is_killing && !is_in_the_outbox && !is_to_be_torn_down(state)
}

/// A teardown was requested, and its instance is still in the record.
pub(super) fn is_to_be_torn_down(state: &State) -> bool {
    let is_there = state.record.is_some_and(|record| record.phase != Phase::TornDown);
    state.tenure.phase == OwnerPhase::Trashed && state.ghost.is_requested && is_there
}

// ---------------------------------------------------------------------------------------- noted by the steps

fn note(state: &mut State, holds: Holds, is_broken: bool) {
    if is_broken {
        state.ghost.harms.add(holds as usize);
    }
}

/// The kill of what the record holds is licensed now, whatever a guard says.
fn is_licensed_now(state: &State) -> bool {
    let is_torn_down = state.tenure.phase == OwnerPhase::Trashed && state.ghost.is_requested;
    is_torn_down || state.record.is_some_and(|record| record.is_overdue)
}

pub(super) fn a_claim(state: &mut State) {
    if let Some(record) = state.record.filter(|_| is_licensed_now(state)) {
        an_instance_is_licensed(state, record.instance);
    }
}

pub(super) fn a_claim_is_taken_back(state: &mut State) {
    note(state, Holds::ClaimsStay, true);
}

/// What has a pointer before a release, but for what is released.
pub(super) fn others(state: &State, released: Instance) -> SmallVec<[Instance; 4]> {
    state.pointed().filter(|instance| *instance != released).collect()
}

pub(super) fn a_release(state: &mut State, others: &[Instance]) {
    let is_lost = others.iter().any(|other| !state.pointed().any(|instance| instance == *other));
    note(state, Holds::OthersKeepTheirPointers, is_lost);
}

pub(super) fn dead_letters_go(state: &mut State) {
    let is_there = state.pointers.iter().any(|pointer| pointer.place == Place::DeadLetters);
    note(state, Holds::DeadLettersStay, is_there);
}

/// Nobody uses it any more.
pub(super) fn an_instance_is_licensed(state: &mut State, instance: Instance) {
    state.provider.real(instance).into_iter().for_each(|real| state.ghost.licensed.insert(real));
}

/// Somebody uses it again.
pub(super) fn an_instance_is_wanted(state: &mut State, instance: Instance) {
    state.ghost.licensed.retain(|it| *it != instance);
}

pub(super) fn a_kill(state: &mut State, victim: Instance) {
    let Tenure { owner, phase, .. } = state.tenure;
    let made_for = state.provider.get(victim).and_then(|made| made.owner);
    let is_recorded = state.record.is_some_and(|record| record.names(victim));
    let owner_is_gone = made_for.is_some_and(|it| it != owner || phase == OwnerPhase::Purged);
    let is_licensed = state.ghost.licensed.contains(&victim)
        || (is_recorded && is_licensed_now(state))
        || (!is_recorded && owner_is_gone);
    note(state, Holds::OnlyTheLicensedAreKilled, !is_licensed);
}

pub(super) fn an_instance_is_given(state: &mut State, instance: Instance) {
    let is_licensed = state.ghost.licensed.contains(&instance);
    note(state, Holds::GivenIsNotOnItsWayOut, is_licensed);
}

/// Whoever renews counts on its instance as much as who is given it.
pub(super) fn an_instance_is_promised(state: &mut State) {
    if let Some(record) = state.record {
        an_instance_is_given(state, record.instance);
    }
}

pub(super) fn a_restore(state: &mut State, told: Restored) {
    let is_lost = state.record.is_none_or(|record| record.phase != Phase::Live);
    let is_untold = state.ghost.had_record && is_lost && told == Restored::Whole;
    let record_is_lost = state.ghost.had_record && state.record.is_none();
    note(state, Holds::RestoreIsLossless, is_untold || record_is_lost);
}

pub(super) fn a_purge_is_refused(state: &mut State) {
    note(state, Holds::PurgeIsAdmitted, state.tenure.phase == OwnerPhase::Trashed);
}

pub(super) fn an_instance_was_seen(state: &mut State, actual: Instance) {
    let is_forgotten = state.provider.lives(actual) && state.names(actual) == 0;
    note(state, Holds::SeenIsKeptInSight, is_forgotten);
}

pub(super) fn a_count(state: &mut State, errand: &Errand, answer: Answer, count: Count) {
    let is_ours = answer == Answer::Killed && state.pointed().any(|id| id == errand.instance);
    note(state, Holds::CountsAreTrue, count == Count::Reclaimed && !is_ours);
}

pub(super) fn a_meter_reading(state: &mut State, is_wrong: bool) {
    note(state, Holds::MeteredIffItExists, is_wrong);
}

// ------------------------------------------------------------------------------------------- single pointers, watched

/// What must come about of each pointer is asked of one at a time: the lowest, until it has come about. Whatever waits
/// for ever is the lowest at last, or a lower one waits for ever.
pub(super) fn watch(state: &mut State) {
    let watched = state.ghost.watched;
    let next = |watch: Watch| {
        let before = watched[watch as usize];
        if before == Instance(0) {
            lowest(state, watch)
        } else if waits(state, watch, before) {
            before
        } else {
            Instance(0)
        }
    };
    state.ghost.watched = [next(Watch::Settling), next(Watch::Attempt), next(Watch::Death)];
}

/// For what a pointer is watched, by its place in [`Ghost::watched`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Watch {
    /// That it is settled, or given up.
    Settling,
    /// That it is tried for the first time.
    Attempt,
    /// That it is released, since its instance is dead.
    Death,
}

fn lowest(state: &State, watch: Watch) -> Instance {
    state.pointed().filter(|instance| waits(state, watch, *instance)).min().unwrap_or_default()
}

fn waits(state: &State, watch: Watch, instance: Instance) -> bool {
    let killing = state.record.filter(|record| record.phase == Phase::Killing && record.instance == instance);
    let pointer = state.pointers.iter().find(|pointer| pointer.instance == instance);
    let in_the_outbox = pointer.filter(|pointer| pointer.place == Place::Outbox);
    match watch {
        Watch::Settling => killing.is_some() || in_the_outbox.is_some(),
        Watch::Attempt => {
            let is_tried = |errand: &Errand| errand.instance == instance && errand.stage != Stage::Listed;
            let attempts = killing.map(|it| it.attempts).or(in_the_outbox.map(|it| it.attempts));
            attempts == Some(0) && !state.workers.iter().flatten().any(is_tried)
        }
        Watch::Death => {
            let is_dead = state.provider.get(instance).is_none_or(|made| !made.lives);
            is_dead && (killing.is_some() || pointer.is_some())
        }
    }
}
