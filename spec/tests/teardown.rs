//! What the teardown model says of itself, before any search: each requirement in the schedule that needs it.

use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement::{self, *};
use outlive_spec::teardown::action::{Action, Attempt, Count, Restored};
use outlive_spec::teardown::bounds::SMOKE;
use outlive_spec::teardown::properties::Holds;
use outlive_spec::teardown::rules::Rules;
use outlive_spec::teardown::state::*;
use outlive_spec::teardown::variants::{RIGHT, VARIANTS};
use outlive_spec::teardown::{Teardowns, owned};

const W: Worker = Worker(1);
const V: Worker = Worker(2);
const A: Instance = Instance(1);
const B: Instance = Instance(2);
const OUTBOX: Found = Found::Pointer(Place::Outbox);

/// Nothing is forgotten, so that what is refused can be seen.
const REMEMBERS: Rules = Rules { forgets: false, ..RIGHT };

fn play(rules: Rules, mut state: State, actions: &[Action]) -> State {
    for action in actions {
        rules.apply(&mut state, action).unwrap_or_else(|guard| panic!("{action}: {guard}"));
    }
    state
}

/// The requirement by which the action is refused, which leaves the state as it was.
fn refused(state: &State, action: Action) -> Requirement {
    let mut after = state.clone();
    let guard = REMEMBERS.apply(&mut after, &action).expect_err(&format!("{action} is admitted"));
    assert_eq!(&after, state, "{action} left a trace");
    guard.requirement
}

fn rules_of(variant: &str) -> Rules {
    let (_, rules) = VARIANTS.iter().find(|(info, _)| info.name == variant).expect("a variant of that name");
    Rules { forgets: false, ..*rules }
}

/// Whether the last of these steps breaks this.
fn breaks(variant: &str, start: State, actions: &[Action], holds: Holds) -> bool {
    let rules = rules_of(variant);
    let state = play(rules, start, actions);
    Teardowns { rules, bounds: SMOKE }.broken(&state).has(holds as usize)
}

fn created(token: u32, instance: Instance) -> Vec<Action> {
    let token = Token(token);
    vec![Action::Intend(token), Action::Call(token), Action::Create(token, instance)]
}

fn provisioned(token: u32, instance: Instance) -> Vec<Action> {
    [created(token, instance), vec![Action::Record(Token(token), instance)]].concat()
}

fn killed(worker: Worker, instance: Instance) -> [Action; 3] {
    [Action::Send(worker, instance), Action::Kill(instance), Action::Hear(worker, Answer::Killed)]
}

fn first() -> State {
    owned(World::Atomic)
}

/// An owner that has A.
fn live() -> State {
    play(REMEMBERS, first(), &provisioned(1, A))
}

/// The same, trashed, with a teardown requested.
fn requested() -> State {
    play(REMEMBERS, live(), &[Action::Trash, Action::Request])
}

fn licensed(trash: u32) -> Found {
    Found::Licensed(Licence::Teardown(TrashCount(trash)))
}

/// The same, claimed by W.
fn claimed() -> State {
    play(REMEMBERS, requested(), &[Action::List(W, A, licensed(1)), Action::Claim(W, A)])
}

fn place_of(state: &State, instance: Instance) -> Option<Place> {
    state.pointers.iter().find(|pointer| pointer.instance == instance).map(|pointer| pointer.place)
}

fn phase(state: &State) -> Option<Phase> {
    state.record.map(|record| record.phase)
}

// ------------------------------------------------------------------------------------------------------ pointers

#[test]
fn purge_1_whatever_takes_an_instance_from_its_record_puts_it_into_the_outbox() {
    assert_eq!(place_of(&play(RIGHT, live(), &[Action::Delete]), A), Some(Place::Outbox));
    assert_eq!(place_of(&play(RIGHT, live(), &[Action::Trash, Action::Purge]), A), Some(Place::Outbox));
    let again = [vec![Action::Die(A)], provisioned(2, B)].concat();
    let state = play(REMEMBERS, live(), &again);
    assert_eq!((state.record.map(|it| it.instance), place_of(&state, A)), (Some(B), Some(Place::Outbox)));
    assert!(breaks("no-outbox", live(), &[Action::Delete], Holds::LivesIsPointedAt));
}

#[test]
fn purge_2_a_purge_waits_for_nothing_that_lives_or_is_being_killed() {
    let state = play(REMEMBERS, claimed(), &[Action::Purge]);
    assert_eq!((state.record, place_of(&state, A)), (None, Some(Place::Outbox)));
    assert_eq!(refused(&live(), Action::Purge), Purge2);
}

#[test]
fn purge_3_the_provider_is_called_only_for_an_intent_which_outlives_its_owner() {
    assert_eq!(refused(&first(), Action::Call(Token(1))), Purge3);
    let state = play(RIGHT, first(), &[Action::Intend(Token(1)), Action::Trash, Action::Purge]);
    assert_eq!(state.intents.len(), 1);
}

#[test]
fn purge_4_an_intent_is_not_closed_because_nothing_is_there_yet() {
    let called = play(REMEMBERS, first(), &[Action::Intend(Token(1)), Action::Call(Token(1))]);
    assert_eq!(refused(&called, Action::Close(Token(1))), Purge4);
    let closed = play(REMEMBERS, called, &[Action::Revoke(Token(1)), Action::Close(Token(1))]);
    assert!(closed.intents.is_empty());
    let spent = [created(1, A), vec![Action::Die(A), Action::Close(Token(1))]].concat();
    assert!(play(REMEMBERS, first(), &spent).intents.is_empty());
}

#[test]
fn purge_5_what_was_created_for_one_owner_is_not_recorded_for_the_next() {
    let made = [created(1, A), vec![Action::Trash]].concat();
    let state = play(REMEMBERS, first(), &made);
    assert_eq!(refused(&state, Action::Record(Token(1), A)), Purge5);
    let state = play(REMEMBERS, state, &[Action::Purge, Action::Own(Owner(2))]);
    assert_eq!(refused(&state, Action::Record(Token(1), A)), Purge5);
    let state = play(REMEMBERS, state, &[Action::Orphan(Token(1), A)]);
    assert_eq!(place_of(&state, A), Some(Place::Outbox));
}

#[test]
fn purge_6_an_instance_that_holds_the_name_is_not_adopted() {
    let state = play(REMEMBERS, first(), &[Action::Intrude(A), Action::Quarantine(A)]);
    assert_eq!(refused(&state, Action::Adopt(A)), Purge6);
}

#[test]
fn purge_7_what_is_named_already_is_not_quarantined() {
    assert_eq!(refused(&live(), Action::Quarantine(A)), Purge7);
    assert_eq!(refused(&play(REMEMBERS, first(), &created(1, A)), Action::Quarantine(A)), Purge7);
}

#[test]
fn purge_8_a_restore_gives_back_the_record_or_says_that_the_instance_is_lost() {
    let state = play(RIGHT, live(), &[Action::Trash, Action::Restore(Restored::Whole)]);
    assert_eq!(state.record, live().record);
    assert_eq!(refused(&claimed(), Action::Restore(Restored::Whole)), Purge8);
    let state = play(RIGHT, claimed(), &[Action::Restore(Restored::InstanceLost)]);
    assert_eq!(phase(&state), Some(Phase::Killing));
}

#[test]
fn purge_9_a_dead_letter_outlives_its_owner() {
    let fails = |last| [Action::List(W, A, OUTBOX), Action::Send(W, A), Action::Hear(W, Answer::Unreachable), last];
    let given_up = [vec![Action::Trash, Action::Purge], fails(Action::Note(W)).to_vec()].concat();
    let given_up = [given_up, fails(Action::GiveUp(W)).to_vec()].concat();
    let state = play(REMEMBERS, live(), &given_up);
    assert_eq!(place_of(&state, A), Some(Place::DeadLetters));
    let state = play(REMEMBERS, state, &[Action::Own(Owner(2)), Action::Trash, Action::Purge]);
    assert_eq!(place_of(&state, A), Some(Place::DeadLetters));
}

#[test]
fn purge_10_an_intent_that_nobody_has_sent_can_be_closed() {
    let state =
        play(REMEMBERS, first(), &[Action::Intend(Token(1)), Action::Revoke(Token(1)), Action::Close(Token(1))]);
    assert!(state.intents.is_empty());
}

#[test]
fn purge_11_a_token_creates_once_and_never_once_it_is_revoked() {
    let made = play(REMEMBERS, first(), &created(1, A));
    assert_eq!(refused(&made, Action::Create(Token(1), B)), Purge11);
    assert_eq!(refused(&made, Action::Revoke(Token(1))), Purge11);
    let revoked = [Action::Intend(Token(1)), Action::Call(Token(1)), Action::Revoke(Token(1))];
    assert_eq!(refused(&play(REMEMBERS, first(), &revoked), Action::Create(Token(1), A)), Purge11);
}

// --------------------------------------------------------------------------------------------------------- kills

#[test]
fn reconcile_23_what_a_record_holds_is_killed_only_under_a_claim() {
    let listed = play(REMEMBERS, requested(), &[Action::List(W, A, licensed(1))]);
    assert_eq!(refused(&listed, Action::Send(W, A)), Reconcile23);
    let both = play(REMEMBERS, listed, &[Action::List(V, A, licensed(1)), Action::Claim(W, A)]);
    assert_eq!(refused(&both, Action::Claim(V, A)), Reconcile23);
    let lost = play(REMEMBERS, both, &[Action::Refuse(Attempt::Claim(V, A), Reconcile23)]);
    assert_eq!(lost.errand(V), None);
}

#[test]
fn reconcile_24_a_request_is_over_with_the_restore() {
    let listed = play(REMEMBERS, requested(), &[Action::List(W, A, licensed(1))]);
    let restored = play(REMEMBERS, listed, &[Action::Restore(Restored::Whole), Action::Trash]);
    assert_eq!(refused(&restored, Action::Claim(W, A)), Reconcile24);
    assert_eq!(refused(&live(), Action::Request), Reconcile24);
}

#[test]
fn reconcile_25_a_renewal_that_was_accepted_is_kept() {
    let deadline = Found::Licensed(Licence::Deadline);
    let listed = play(REMEMBERS, live(), &[Action::Expire, Action::List(W, A, deadline)]);
    let claimed = play(REMEMBERS, listed.clone(), &[Action::Claim(W, A)]);
    assert_eq!(refused(&claimed, Action::Renew), Reconcile25);
    let renewed = play(REMEMBERS, listed, &[Action::Renew]);
    assert_eq!(refused(&renewed, Action::Claim(W, A)), Reconcile25);
}

#[test]
fn reconcile_26_a_claim_outlives_the_restore_and_a_kill_that_proves_nothing() {
    let state = play(REMEMBERS, claimed(), &[Action::Restore(Restored::InstanceLost), Action::Send(W, A)]);
    let state = play(REMEMBERS, state, &[Action::Hear(W, Answer::Unreachable), Action::Note(W)]);
    assert_eq!(phase(&state), Some(Phase::Killing));
    let taken_back = [Action::Restore(Restored::Whole), Action::Send(W, A), Action::Kill(A)];
    assert!(breaks("restore-unclaims", claimed(), &taken_back, Holds::OnlyTheLicensedAreKilled));
}

#[test]
fn reconcile_27_a_kill_that_comes_late_does_not_end_the_newcomer() {
    let again = [vec![Action::Send(W, A), Action::Die(A)], created(2, B)].concat();
    let state = play(REMEMBERS, play(REMEMBERS, claimed(), &[Action::Restore(Restored::InstanceLost)]), &again);
    assert_eq!(refused(&state, Action::Kill(A)), Reconcile27);
    assert!(state.provider.lives(B));
}

#[test]
fn reconcile_28_neither_an_error_nor_a_list_nor_a_life_releases_a_pointer() {
    let sent = play(REMEMBERS, claimed(), &[Action::Send(W, A)]);
    for answer in [Answer::Unreachable, Answer::Unlisted] {
        let heard = play(REMEMBERS, sent.clone(), &[Action::Hear(W, answer)]);
        assert_eq!(refused(&heard, Action::Release(W, Count::Gone)), Reconcile28);
    }
    assert_eq!(refused(&sent, Action::Hear(W, Answer::Gone)), Reconcile15);
}

#[test]
fn reconcile_29_a_proof_of_death_releases_its_own_pointers_alone() {
    let restored = play(REMEMBERS, claimed(), &[Action::Restore(Restored::InstanceLost)]);
    let killed = play(REMEMBERS, restored, &killed(W, A));
    let again = play(REMEMBERS, killed, &provisioned(2, B));
    assert_eq!(place_of(&again, A), Some(Place::Outbox));
    let released = play(REMEMBERS, again, &[Action::Release(W, Count::Reclaimed)]);
    assert_eq!((place_of(&released, A), released.record.map(|it| it.instance)), (None, Some(B)));
}

#[test]
fn reconcile_30_whoever_is_found_in_the_place_of_the_dead_is_quarantined_unless_it_is_named() {
    let sent = play(REMEMBERS, claimed(), &[Action::Send(W, A), Action::Die(A), Action::Intrude(B)]);
    let found = [Action::Hear(W, Answer::Replaced(B)), Action::Release(W, Count::Replaced)];
    assert_eq!(place_of(&play(REMEMBERS, sent, &found), B), Some(Place::Quarantine));
    let sent = play(REMEMBERS, claimed(), &[Action::Restore(Restored::InstanceLost), Action::Send(W, A)]);
    let ours = [vec![Action::Die(A)], created(2, B), found.to_vec()].concat();
    let state = play(REMEMBERS, sent, &ours);
    assert_eq!((place_of(&state, B), state.names(B)), (None, 1));
}

#[test]
fn reconcile_31_nobody_is_given_what_is_being_killed() {
    assert_eq!(play(REMEMBERS, live(), &[Action::Attach(A)]), live());
    let restored = play(REMEMBERS, claimed(), &[Action::Restore(Restored::InstanceLost)]);
    assert_eq!(refused(&restored, Action::Attach(A)), Reconcile31);
}

#[test]
fn reconcile_32_nothing_is_intended_while_a_delete_by_name_can_land() {
    let two_steps = play(REMEMBERS, owned(World::CheckThenAct), &provisioned(1, A));
    let deletes = [Action::Delete, Action::List(W, A, OUTBOX), Action::Send(W, A)];
    let sent = play(REMEMBERS, two_steps, &deletes);
    let intended = play(REMEMBERS, sent.clone(), &[Action::Intend(Token(2))]);
    assert_eq!(refused(&intended, Action::Kill(A)), Reconcile32);
    let found = play(REMEMBERS, sent, &[Action::Kill(A), Action::Crash(W)]);
    assert_eq!(refused(&found, Action::Intend(Token(2))), Reconcile32);
    assert!(play(REMEMBERS, found, &[Action::Land(A), Action::Intend(Token(2))]).pointers.len() == 1);
}

#[test]
fn reconcile_33_what_proves_nothing_is_tried_again_until_the_bound() {
    let sent = play(REMEMBERS, claimed(), &[Action::Send(W, A), Action::Hear(W, Answer::Unreachable)]);
    assert_eq!(refused(&sent, Action::GiveUp(W)), Reconcile33);
    let again = [Action::Note(W), Action::List(W, A, Found::Claimed), Action::Send(W, A)];
    let sent = play(REMEMBERS, play(REMEMBERS, sent, &again), &[Action::Hear(W, Answer::Unreachable)]);
    assert_eq!(refused(&sent, Action::Note(W)), Reconcile33);
    let state = play(REMEMBERS, sent, &[Action::GiveUp(W)]);
    assert_eq!((phase(&state), place_of(&state, A)), (Some(Phase::TornDown), Some(Place::DeadLetters)));
}

#[test]
fn reconcile_34_any_worker_goes_on_with_the_claim_of_a_dead_one() {
    let crashed = play(REMEMBERS, claimed(), &[Action::Crash(W), Action::List(V, A, Found::Claimed)]);
    let released = [killed(V, A).to_vec(), vec![Action::Release(V, Count::Reclaimed)]].concat();
    assert_eq!(phase(&play(REMEMBERS, crashed, &released)), Some(Phase::TornDown));
}

#[test]
fn reconcile_35_what_was_tried_is_due_behind_what_was_not() {
    let shared = play(REMEMBERS, owned(World::SharedNames), &[provisioned(1, A), provisioned(2, B)].concat());
    let both = play(REMEMBERS, shared, &[Action::Delete]);
    let turn = |state: &State, instance| state.pointers.iter().find(|it| it.instance == instance).map(|it| it.turn);
    assert_eq!((turn(&both, A), turn(&both, B)), (Some(Turn(1)), Some(Turn(2))));
    let tried = [Action::List(W, A, OUTBOX), Action::Send(W, A), Action::Hear(W, Answer::Unreachable), Action::Note(W)];
    let state = play(REMEMBERS, both, &tried);
    assert_eq!((turn(&state, B), turn(&state, A)), (Some(Turn(1)), Some(Turn(2))));
}

#[test]
fn reconcile_36_a_pointer_is_counted_as_what_became_of_it() {
    let killed = play(REMEMBERS, claimed(), &killed(W, A));
    assert_eq!(refused(&killed, Action::Release(W, Count::Gone)), Reconcile36);
    let gone = play(REMEMBERS, claimed(), &[Action::Send(W, A), Action::Die(A), Action::Hear(W, Answer::Gone)]);
    assert_eq!(refused(&gone, Action::Release(W, Count::Reclaimed)), Reconcile36);
}

#[test]
fn reconcile_37_what_lives_is_metered_whatever_the_record_says() {
    let made = play(REMEMBERS, first(), &created(1, A));
    assert_eq!(refused(&made, Action::Meter(A, false)), Reconcile37);
    assert_eq!(refused(&play(REMEMBERS, live(), &[Action::Die(A)]), Action::Meter(A, true)), Reconcile37);
}

#[test]
fn reconcile_38_a_dead_letter_goes_once_its_instance_is_dead() {
    let fails =
        |found, last| [Action::List(W, A, found), Action::Send(W, A), Action::Hear(W, Answer::Unreachable), last];
    let begun =
        play(REMEMBERS, claimed(), &[Action::Send(W, A), Action::Hear(W, Answer::Unreachable), Action::Note(W)]);
    let state = play(REMEMBERS, begun, &fails(Found::Claimed, Action::GiveUp(W)));
    let looks =
        [Action::List(W, A, Found::Pointer(Place::DeadLetters)), Action::Hear(W, Answer::Lives), Action::Note(W)];
    let state = play(REMEMBERS, state, &looks);
    assert_eq!(place_of(&state, A), Some(Place::DeadLetters));
    let gone = [Action::Die(A), looks[0], Action::Hear(W, Answer::Gone), Action::Release(W, Count::Gone)];
    assert_eq!(place_of(&play(REMEMBERS, state, &gone), A), None);
}

#[test]
fn reconcile_39_a_requested_teardown_ends_in_a_record_without_an_instance() {
    let ended = [killed(W, A).to_vec(), vec![Action::Release(W, Count::Reclaimed)]].concat();
    assert_eq!(phase(&play(REMEMBERS, claimed(), &ended)), Some(Phase::TornDown));
}

#[test]
fn reconcile_40_a_pointer_in_the_outbox_is_killed_and_released() {
    let orphan = play(REMEMBERS, live(), &[Action::Delete, Action::List(W, A, OUTBOX)]);
    let ended = [killed(W, A).to_vec(), vec![Action::Release(W, Count::Reclaimed)]].concat();
    assert!(play(REMEMBERS, orphan, &ended).pointers.is_empty());
}

#[test]
fn reconcile_41_an_instance_that_nobody_knows_is_not_recorded() {
    assert_eq!(refused(&play(REMEMBERS, first(), &created(1, A)), Action::Record(Token(1), UNKNOWN)), Reconcile41);
}

#[test]
fn reconcile_15_a_fence_turns_what_nobody_knows_into_a_proof() {
    let cut_off = play(REMEMBERS, claimed(), &[Action::CutOff(A), Action::Send(W, A)]);
    assert_eq!(refused(&cut_off, Action::Kill(A)), Reconcile15);
    assert_eq!(refused(&cut_off, Action::Hear(W, Answer::Gone)), Reconcile15);
    let fenced = play(REMEMBERS, cut_off, &[Action::Fence(A), Action::Hear(W, Answer::Gone)]);
    assert_eq!(phase(&play(REMEMBERS, fenced, &[Action::Release(W, Count::Gone)])), Some(Phase::TornDown));
}
