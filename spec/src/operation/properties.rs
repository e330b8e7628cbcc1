//! What must hold: one function for each sentence. Some look at a state; the others are noted by the step that breaks
//! them, since no later state shows it.

use super::state::*;
use crate::protocol::Broken;

properties! {
    NoObservationOverAnOperation Reconcile4 "no-observation-over-an-operation" "revision-check-only"
        "no observation is written over an operation that it did not see"
    WrittenIsOfThisLaunch Reconcile5 "written-is-of-this-launch" "no-launch-check"
        "what is written of an observation is about the launch that the row names"
    ObservationsGoForward Reconcile11 "observations-go-forward" "mark-in-memory"
        "nothing is written of an observation that is older than one that has counted"
    ReadyWasAdmitted Reconcile13 "ready-was-admitted" "ready-before-admission"
        "a computer is called ready only after its launch was admitted"
    OnlyTheOwnerSettles Reconcile2 "only-the-owner-settles" "settle-unchecked"
        "an operation is settled only by its owner"
    ClaimsAreLeftByTheDead Reconcile7 "claims-are-left-by-the-dead" "lease-as-fence"
        "no claim is taken from a gateway that lives"
    IdentityIsStable Reconcile8 "identity-is-stable" "recovery-rotates"
        "whoever takes over an operation keeps its launch"
    StopIsAdmitted Reconcile9 "stop-is-admitted" "stop-skips-starting"
        "no stop is refused of what may run"
    NothingIsTakenBack Reconcile1 "nothing-is-taken-back" "start-whenever-asked"
        "a stop gives way to nothing but a deletion, and a deletion to nothing"
    StoppedIsTrue Reconcile6 "stopped-is-true" "provider-unfenced"
        "nothing runs of a computer that is called stopped"
    GoneHasNoInstance Reconcile10 "gone-has-no-instance" "prune-row-first"
        "nothing is left at the provider of a computer that is called gone"
    NothingThatRunsIsPruned Reconcile12 "nothing-that-runs-is-pruned" "list-absence-prunes"
        "no observer deletes a computer that runs"
    SettledIsReachable Reconcile18 "settled-is-reachable" "claim-without-owner-recovery"
        "from every reachable state, steps that are not faults lead to one in which nothing is under way and the row is true"
}

/// What the state breaks, and what the step that led here has broken.
#[inline]
pub(super) fn broken(state: &State) -> Broken {
    let mut broken = state.ghost.harms;
    let State { row, provider, .. } = state;
    if row.phase == Phase::Stopped && provider.instance.is_some_and(|it| it.runs()) {
        broken.add(Holds::StoppedIsTrue as usize);
    }
    if row.phase == Phase::Gone && provider.instance.is_some() {
        broken.add(Holds::GoneHasNoInstance as usize);
    }
    broken
}

/// Whether an instance of the row's launch runs.
pub(super) fn runs(state: &State) -> bool {
    state.provider.instance.is_some_and(|it| it.launch == state.row.launch && it.runs())
}

/// Whether an instance of the row's launch runs, and was admitted.
pub(super) fn is_up(state: &State) -> bool {
    let is_so = |it: Instance| it.launch == state.row.launch && it.condition == Condition::Up;
    state.provider.instance.is_some_and(is_so)
}

/// Nothing is under way, and the row says what there is.
pub(super) fn is_settled(state: &State) -> bool {
    match state.row.phase {
        Phase::Stopped | Phase::Gone => true,
        Phase::Ready => is_up(state),
        Phase::Error => !runs(state),
        Phase::Starting | Phase::Stopping | Phase::Deleting => false,
    }
}

// ---------------------------------------------------------------------------------------- noted by the steps

fn note(state: &mut State, holds: Holds, is_broken: bool) {
    if is_broken {
        state.ghost.harms.add(holds as usize);
    }
}

pub(super) fn an_operation_in_place_of_another(state: &mut State, kind: Kind) {
    let takes_back = match state.row.phase {
        Phase::Stopping => kind == Kind::Start,
        Phase::Deleting => kind != Kind::Delete,
        Phase::Gone => true,
        Phase::Stopped | Phase::Starting | Phase::Ready | Phase::Error => false,
    };
    note(state, Holds::NothingIsTakenBack, takes_back);
}

/// Whatever sweeps have begun to look at is not what there will be.
pub(super) fn an_operation_begins(state: &mut State) {
    let looks = state.gateways.iter_mut().filter_map(|memory| memory.look.as_mut());
    looks.for_each(|look| look.overlaps = true);
}

pub(super) fn an_observation_over_an_operation(state: &mut State, overlaps: bool) {
    let is_under_way = state.row.phase.under_way().is_some();
    note(state, Holds::NoObservationOverAnOperation, overlaps || is_under_way);
}

pub(super) fn an_observation_of_another_launch(state: &mut State, seen: &Observation) {
    note(state, Holds::WrittenIsOfThisLaunch, seen.launch != state.row.launch);
}

pub(super) fn an_observation_that_goes_back(state: &mut State, goes_back: bool) {
    note(state, Holds::ObservationsGoForward, goes_back);
}

/// Whether or not the rules remember it.
pub(super) fn an_observation_that_counts(state: &mut State, mark: Mark) {
    state.ghost.come_to = state.ghost.come_to.max(mark);
}

pub(super) fn ready_without_admission(state: &mut State, phase: Phase) {
    note(state, Holds::ReadyWasAdmitted, phase == Phase::Ready && !state.ghost.was_admitted);
}

pub(super) fn an_operation_settled_by_another(state: &mut State, gateway: Gateway, call: Call) {
    // Not the guard's own words: what they have wrong would be wrong here as well.
    let Row { phase, launch, owner, .. } = state.row;
    let is_another = owner.is_some_and(|owner| owner != gateway);
    let has_lost = phase.under_way() != Some(call.kind) || launch != call.launch;
    note(state, Holds::OnlyTheOwnerSettles, is_another || has_lost);
}

pub(super) fn a_claim_taken_from_the_living(state: &mut State) {
    let lives = state.row.owner.is_some_and(|owner| state.gateways.get(owner).is_some());
    note(state, Holds::ClaimsAreLeftByTheDead, lives);
}

pub(super) fn an_identity_changed(state: &mut State, launch: Launch) {
    note(state, Holds::IdentityIsStable, launch != state.row.launch);
}

pub(super) fn a_stop_refused(state: &mut State) {
    let may_run = matches!(state.row.phase, Phase::Starting | Phase::Ready | Phase::Error);
    note(state, Holds::StopIsAdmitted, may_run);
}

pub(super) fn a_deletion_of_what_runs(state: &mut State) {
    note(state, Holds::NothingThatRunsIsPruned, runs(state));
}
