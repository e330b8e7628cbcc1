//! What the operation model says of itself, before any search: each requirement in the schedule that needs it.

use outlive_spec::operation::action::{Action, Attempt, Conclusion};
use outlive_spec::operation::check::{Check, Checks};
use outlive_spec::operation::created;
use outlive_spec::operation::rules::Rules;
use outlive_spec::operation::state::*;
use outlive_spec::operation::variants::{RIGHT, VARIANTS};
use outlive_spec::requirement::Requirement::{self, *};

const A: Gateway = Gateway(1);
const B: Gateway = Gateway(2);
const NONE: Mark = Mark(0);

/// Nothing is forgotten, so that what is refused can be seen.
const REMEMBERS: Rules = Rules { forgets: false, reuses_revisions: false, ..RIGHT };

fn call(kind: Kind, launch: u32) -> Call {
    Call { kind, launch: Launch(launch) }
}

fn seen(launch: u32, seen: Option<Condition>, mark: u32) -> Observation {
    Observation { launch: Launch(launch), seen, mark: Mark(mark) }
}

/// An operation from the call to the row.
fn driven(by: Gateway, call: Call) -> Vec<Action> {
    let admits = (call.kind == Kind::Start).then_some(Action::Admit(call.launch));
    let begins = [Action::Send(by, call), Action::Arrive(call)];
    let ends = [Action::Hear(by, Outcome::Done, NONE), Action::Settle(by, call, Outcome::Done)];
    begins.into_iter().chain(admits).chain(ends).collect()
}

/// A computer that A has started.
fn ready() -> State {
    let start = [vec![Action::Start(A, Launch(1))], driven(A, call(Kind::Start, 1))].concat();
    let state = play(REMEMBERS, created(2), &start);
    assert_eq!((state.row.phase, state.row.owner), (Phase::Ready, None));
    state
}

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

#[test]
fn reconcile_1_a_start_mints_the_next_launch_and_begins_at_rest() {
    assert_eq!(refused(&created(2), Action::Start(A, Launch(2))), Reconcile1);
    assert_eq!(refused(&ready(), Action::Start(B, Launch(2))), Reconcile1);
    let state = play(RIGHT, created(2), &[Action::Start(A, Launch(1))]);
    assert_eq!((state.row.phase, state.row.launch, state.row.owner), (Phase::Starting, Launch(1), Some(A)));
}

#[test]
fn reconcile_2_a_start_that_a_stop_has_replaced_is_not_settled() {
    let start = call(Kind::Start, 1);
    let mut actions = vec![Action::Start(A, Launch(1)), Action::Send(A, start), Action::Arrive(start)];
    actions.extend([Action::Admit(Launch(1)), Action::Hear(A, Outcome::Done, NONE), Action::Stop(B)]);
    let state = play(REMEMBERS, created(2), &actions);
    assert_eq!(refused(&state, Action::Settle(A, start, Outcome::Done)), Reconcile2);
    let told = play(REMEMBERS, state, &[Action::Refuse(Attempt::Settle(A, start), Reconcile2)]);
    assert_eq!(told.gateways.get(A).and_then(|memory| memory.operation), None);
}

#[test]
fn reconcile_3_what_was_seen_over_another_revision_is_not_written() {
    let looks = |by| [Action::Read(by, Revision(2), Launch(1)), Action::Get(by, seen(1, Some(Condition::Exited), 0))];
    let exits = [Action::Exit(Launch(1))].into_iter().chain(looks(A)).chain(looks(B)).collect::<Vec<_>>();
    let state = play(REMEMBERS, ready(), &exits);
    // B's sweep sleeps while A's writes the error, and a later look of A finds that it is over.
    let up = seen(1, Some(Condition::Up), 0);
    let over = [
        Action::Conclude(A, Conclusion::Error),
        Action::Revive(Launch(1)),
        Action::Admit(Launch(1)),
        Action::Read(A, Revision(3), Launch(1)),
        Action::Get(A, up),
        Action::Conclude(A, Conclusion::Ready),
    ];
    let state = play(REMEMBERS, state, &over);
    assert_eq!(refused(&state, Action::Conclude(B, Conclusion::Error)), Reconcile3);
}

#[test]
fn reconcile_4_the_exit_of_the_old_instance_is_not_written_over_a_start() {
    // The interleaving of the incident: 1. The old instance has exited. 2. A start is recorded. 3. The sweep reads the
    // row of the start, and then the old instance. 4. It writes an error.
    let exited = seen(1, Some(Condition::Exited), 0);
    let before = [
        Action::Exit(Launch(1)),
        Action::Read(B, Revision(2), Launch(1)),
        Action::Get(B, exited),
        Action::Conclude(B, Conclusion::Error),
        Action::Start(A, Launch(2)),
        Action::Read(B, Revision(4), Launch(2)),
        Action::Get(B, exited),
    ];
    let state = play(REMEMBERS, ready(), &before);
    assert_eq!(refused(&state, Action::Conclude(B, Conclusion::Error)), Reconcile4);
    let (_, shipped) = VARIANTS.iter().find(|(info, _)| info.name == "revision-check-only").expect("that variant");
    let poisoned =
        play(Rules { reuses_revisions: false, ..*shipped }, state, &[Action::Conclude(B, Conclusion::Error)]);
    assert_eq!(poisoned.row.phase, Phase::Error);
}

#[test]
fn reconcile_5_a_late_instance_of_an_older_launch_is_not_this_one() {
    let (start, second) = (call(Kind::Start, 1), call(Kind::Start, 2));
    let mut actions = vec![Action::Start(A, Launch(1)), Action::Send(A, start), Action::Arrive(start)];
    actions.extend([Action::Fail(A), Action::Settle(A, start, Outcome::Failed), Action::Start(A, Launch(2))]);
    actions.extend([Action::Fail(A), Action::Settle(A, second, Outcome::Failed), Action::Admit(Launch(1))]);
    actions.extend([Action::Read(B, Revision(4), Launch(2)), Action::Get(B, seen(1, Some(Condition::Up), 0))]);
    let state = play(REMEMBERS, created(2), &actions);
    assert_eq!(refused(&state, Action::Conclude(B, Conclusion::Ready)), Reconcile5);
}

#[test]
fn reconcile_6_a_start_that_arrives_after_the_stop_brings_nothing_up() {
    let late = call(Kind::Start, 1);
    let mut actions = vec![Action::Start(A, Launch(1)), Action::Send(A, late), Action::Stop(B)];
    actions.extend(driven(B, call(Kind::Stop, 1)));
    let state = play(REMEMBERS, created(2), &actions);
    assert_eq!(state.row.phase, Phase::Stopped);
    assert_eq!(refused(&state, Action::Arrive(late)), Reconcile6);
}

#[test]
fn reconcile_7_an_operation_is_taken_from_the_dead_only() {
    let state = play(REMEMBERS, created(2), &[Action::Start(A, Launch(1))]);
    assert_eq!(refused(&state, Action::Recover(B, call(Kind::Start, 1))), Reconcile7);
    let state = play(REMEMBERS, state, &[Action::Crash(A, Gateway(3)), Action::Recover(B, call(Kind::Start, 1))]);
    assert_eq!(state.row.owner, Some(B));
    // A start that an older release has begun names nobody, and so it is anybody's.
    let adopted = [Action::StartUnclaimed(A, Launch(1)), Action::Recover(B, call(Kind::Start, 1))];
    assert_eq!(play(REMEMBERS, created(2), &adopted).row.owner, Some(B));
}

#[test]
fn reconcile_8_whoever_takes_over_a_start_keeps_its_launch() {
    let state = play(REMEMBERS, created(2), &[Action::Start(A, Launch(1)), Action::Crash(A, Gateway(3))]);
    assert_eq!(refused(&state, Action::Recover(B, call(Kind::Start, 2))), Reconcile8);
}

#[test]
fn reconcile_9_a_stop_is_admitted_whatever_may_run() {
    let starting = play(REMEMBERS, created(2), &[Action::Start(A, Launch(1))]);
    let failed =
        play(REMEMBERS, starting.clone(), &[Action::Fail(A), Action::Settle(A, call(Kind::Start, 1), Outcome::Failed)]);
    for state in [starting, failed, ready()] {
        assert_eq!(play(REMEMBERS, state, &[Action::Stop(B)]).row.phase, Phase::Stopping);
    }
    assert_eq!(refused(&created(2), Action::Stop(A)), Reconcile9);
}

#[test]
fn reconcile_10_a_computer_is_gone_after_its_instance() {
    let remove = call(Kind::Delete, 1);
    let state = play(REMEMBERS, ready(), &[Action::Delete(B), Action::Send(B, remove)]);
    assert_eq!(state.row.phase, Phase::Deleting);
    assert_eq!(refused(&state, Action::Hear(B, Outcome::Done, NONE)), Reconcile15);
    assert_eq!(refused(&state, Action::Delete(A)), Reconcile10);
    let ends = [Action::Arrive(remove), Action::Hear(B, Outcome::Done, NONE), Action::Settle(B, remove, Outcome::Done)];
    let gone = play(REMEMBERS, state, &ends);
    assert_eq!((gone.row.phase, gone.provider.instance), (Phase::Gone, None));
}

#[test]
fn reconcile_11_a_report_that_another_has_overtaken_is_not_written() {
    let (up, exited) = (seen(1, Some(Condition::Up), 1), seen(1, Some(Condition::Exited), 2));
    let actions = [Action::Report(up), Action::Exit(Launch(1)), Action::Report(exited)];
    let state = play(REMEMBERS, ready(), &actions);
    let state = play(REMEMBERS, state, &[Action::Deliver(A, exited, Conclusion::Error)]);
    assert_eq!(refused(&state, Action::Deliver(B, up, Conclusion::Ready)), Reconcile11);
}

#[test]
fn reconcile_12_what_a_list_leaves_out_is_not_deleted() {
    let left_out = seen(1, None, 1);
    let state = play(REMEMBERS, ready(), &[Action::Report(left_out)]);
    assert_eq!(refused(&state, Action::Deliver(A, left_out, Conclusion::Prune)), Reconcile12);
    // The provider itself says so, and about this launch.
    let asked = [
        Action::Vanish(Launch(1)),
        Action::Read(A, Revision(2), Launch(1)),
        Action::Get(A, left_out),
        Action::Conclude(A, Conclusion::Prune),
    ];
    assert_eq!(play(REMEMBERS, state, &asked).row.phase, Phase::Deleting);
}

#[test]
fn reconcile_13_what_runs_is_not_ready_before_it_is_admitted() {
    let start = call(Kind::Start, 1);
    let mut actions = vec![Action::Start(A, Launch(1)), Action::Send(A, start), Action::Arrive(start)];
    actions.extend([Action::Fail(A), Action::Settle(A, call(Kind::Start, 1), Outcome::Failed)]);
    let booting = seen(1, Some(Condition::Booting), 0);
    actions.extend([Action::Read(B, Revision(2), Launch(1)), Action::Get(B, booting)]);
    let state = play(REMEMBERS, created(2), &actions);
    assert_eq!(refused(&state, Action::Conclude(B, Conclusion::Ready)), Reconcile13);
}

#[test]
fn reconcile_14_a_policy_does_not_undo_a_stop() {
    let stops = [vec![Action::Stop(B)], driven(B, call(Kind::Stop, 1))].concat();
    let state = play(REMEMBERS, ready(), &stops);
    assert_eq!(refused(&state, Action::Revive(Launch(1))), Reconcile14);
}

#[test]
fn reconcile_15_nothing_arrives_that_was_not_sent_and_nobody_sees_what_is_not() {
    assert_eq!(refused(&created(2), Action::Arrive(call(Kind::Start, 1))), Reconcile15);
    assert_eq!(refused(&created(2), Action::Stop(Gateway(3))), Reconcile15);
    let state = play(REMEMBERS, ready(), &[Action::Read(A, Revision(2), Launch(1))]);
    assert_eq!(refused(&state, Action::Get(A, seen(1, Some(Condition::Exited), 0))), Reconcile15);
}

#[test]
fn reconcile_16_an_exit_is_an_error() {
    let exited = seen(1, Some(Condition::Exited), 0);
    let looks = [Action::Exit(Launch(1)), Action::Read(A, Revision(2), Launch(1)), Action::Get(A, exited)];
    let state = play(REMEMBERS, ready(), &looks);
    assert_eq!(refused(&state, Action::Conclude(A, Conclusion::Nothing)), Reconcile16);
    assert_eq!(play(REMEMBERS, state, &[Action::Conclude(A, Conclusion::Error)]).row.phase, Phase::Error);
}

#[test]
fn reconcile_17_a_refusal_names_its_cause() {
    let lie = Action::Refuse(Attempt::Stop(A), Reconcile2);
    assert_eq!(refused(&created(2), lie), Reconcile17);
    play(REMEMBERS, created(2), &[Action::Refuse(Attempt::Stop(A), Reconcile9)]);
}

#[test]
fn reconcile_18_a_failure_before_anything_was_sent_is_settled_by_its_owner() {
    let state = play(REMEMBERS, created(2), &[Action::Start(A, Launch(1))]);
    assert_eq!(refused(&state, Action::Yield(A)), Reconcile18);
    let settled = play(REMEMBERS, state, &[Action::Fail(A), Action::Settle(A, call(Kind::Start, 1), Outcome::Failed)]);
    assert_eq!((settled.row.phase, settled.row.owner), (Phase::Error, None));
}

#[test]
fn reconcile_19_a_start_without_a_claim_is_settled_by_whoever_has_begun_it_or_taken_it_over() {
    let own = [vec![Action::StartUnclaimed(A, Launch(1))], driven(A, call(Kind::Start, 1))].concat();
    assert_eq!(play(REMEMBERS, created(2), &own).row.phase, Phase::Ready);
    let mut adopted = vec![Action::StartUnclaimed(A, Launch(1)), Action::Crash(A, Gateway(3))];
    adopted.push(Action::Recover(B, call(Kind::Start, 1)));
    adopted.extend(driven(B, call(Kind::Start, 1)));
    assert_eq!(play(REMEMBERS, created(2), &adopted).row.phase, Phase::Ready);
}

#[test]
fn reconcile_20_a_stop_outlives_the_gateway_that_began_it() {
    let mut actions = vec![Action::Stop(A), Action::Crash(A, Gateway(3)), Action::Recover(B, call(Kind::Stop, 1))];
    actions.extend(driven(B, call(Kind::Stop, 1)));
    let stopped = play(REMEMBERS, ready(), &actions);
    assert_eq!(stopped.row.phase, Phase::Stopped);
    assert!(stopped.provider.instance.is_some_and(|it| !it.runs() && !it.is_armed));
}

#[test]
fn reconcile_21_an_error_is_over_where_the_instance_is_up() {
    let start = call(Kind::Start, 1);
    let mut actions = vec![Action::Start(A, Launch(1)), Action::Send(A, start), Action::Fail(A)];
    // The gateway has given up, and the call arrives all the same.
    actions.extend([
        Action::Settle(A, call(Kind::Start, 1), Outcome::Failed),
        Action::Arrive(start),
        Action::Admit(Launch(1)),
    ]);
    actions.extend([Action::Read(B, Revision(2), Launch(1)), Action::Get(B, seen(1, Some(Condition::Up), 0))]);
    actions.push(Action::Conclude(B, Conclusion::Ready));
    assert_eq!(play(REMEMBERS, created(2), &actions).row.phase, Phase::Ready);
}

#[test]
fn reconcile_22_a_report_of_an_exit_is_an_error() {
    let exited = seen(1, Some(Condition::Exited), 1);
    let actions = [Action::Exit(Launch(1)), Action::Report(exited), Action::Deliver(B, exited, Conclusion::Error)];
    let state = play(REMEMBERS, ready(), &actions);
    assert_eq!((state.row.phase, state.row.mark), (Phase::Error, Mark(1)));
}

#[test]
fn a_revision_is_used_again_only_where_nobody_holds_it() {
    let start = [vec![Action::Start(A, Launch(1))], driven(A, call(Kind::Start, 1))].concat();
    let state = play(RIGHT, created(2), &start);
    assert_eq!(state.row.revision, Revision(0), "two writes, and no look");
    let state = play(RIGHT, state, &[Action::Read(A, Revision(0), Launch(1))]);
    let remembers = Rules { forgets: false, ..RIGHT };
    let state = play(remembers, state, &[Action::Stop(B)]);
    assert_eq!(state.row.revision, Revision(1), "the look of A holds the one before");
}

#[test]
fn variants_have_names_of_their_own_and_differ_from_the_right_rules() {
    let mut names: Vec<_> = VARIANTS.iter().map(|(info, _)| info.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), VARIANTS.len());
    for (info, rules) in &VARIANTS[1..] {
        assert_ne!(*rules, RIGHT, "{} changes nothing", info.name);
    }
}

#[test]
fn every_guard_fits_the_set() {
    assert!(Check::ALL.len() <= 64);
    for &check in Check::ALL {
        assert!(Checks::of(&[check]).has(check));
        assert!(!Checks::NONE.has(check));
    }
}

#[test]
fn reconcile_15_a_gateway_that_is_back_is_none_that_was_there() {
    assert_eq!(refused(&created(2), Action::Crash(A, B)), Reconcile15);
    play(RIGHT, created(2), &[Action::Crash(A, Gateway(3))]);
}

#[test]
fn an_operation_is_settled_by_the_outcome_that_was_heard() {
    let start = call(Kind::Start, 1);
    let mut actions = vec![Action::Start(A, Launch(1))];
    actions.extend(driven(A, start));
    actions.pop();
    let heard = play(REMEMBERS, created(2), &actions);
    refused(&heard, Action::Settle(A, start, Outcome::Failed));
    refused(&heard, Action::Settle(A, call(Kind::Stop, 1), Outcome::Done));
    play(REMEMBERS, heard, &[Action::Settle(A, start, Outcome::Done)]);
}

#[test]
fn what_was_seen_says_how_it_was() {
    let seen = seen(1, Some(Condition::Exited), 2);
    assert_eq!(seen.to_string(), "launch 1 exited, at mark 2");
    let look = Look { revision: Revision(3), launch: Launch(1), seen: Some(seen), overlaps: false };
    assert_eq!(look.to_string(), "revision 3, launch 1, seen launch 1 exited, at mark 2");
    let instance = |is_armed| Instance { launch: Launch(1), condition: Condition::Up, is_armed }.to_string();
    assert_eq!((instance(true).as_str(), instance(false).as_str()), ("launch 1 up", "launch 1 up, disarmed"));
}
