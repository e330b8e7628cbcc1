//! What is written of an observation, and over what.

use super::*;
use Condition::{Booting, Exited, Up};

behaviours! {
    what_follows_from_an_answer
    what_follows_from_a_report
    no_observation_is_written_over_an_operation
    a_conclusion_is_written_over_what_was_read
    an_observation_of_another_launch_is_not_written
    what_is_not_there_is_deleted_by_whoever_has_seen_it
    a_report_is_written_only_ahead_of_the_mark
    what_says_nothing_new_is_not_undone_by_what_is_older
    a_look_that_says_nothing_and_is_no_farther_writes_nothing
    a_look_that_is_no_longer_good_counts_for_nothing
    a_concluded_mark_never_goes_back
    nothing_follows_from_what_a_report_lacks
    the_first_cause_is_the_one_that_is_told
}

const AT_REST: [Phase; 4] = [Phase::Stopped, Phase::Ready, Phase::Error, Phase::Gone];
const CONDITIONS: [Option<Condition>; 4] = [None, Some(Booting), Some(Up), Some(Exited)];

/// What follows where nothing is in the way.
fn follows(phase: Phase, condition: Option<Condition>) -> Option<(Conclusion, Phase)> {
    match (phase, condition) {
        (Phase::Ready, Some(Exited)) => Some((Conclusion::Error, Phase::Error)),
        (Phase::Ready, None) => Some((Conclusion::Prune, Phase::Deleting)),
        (Phase::Error, Some(Up)) => Some((Conclusion::Ready, Phase::Ready)),
        _ => None,
    }
}

/// The row after an observation at mark 4 from which nothing follows.
fn counted(before: Standing) -> Standing {
    match before.phase {
        Phase::Ready | Phase::Error => Standing { revision: after(before.revision), mark: mark(4), ..before },
        Phase::Stopped | Phase::Starting | Phase::Stopping | Phase::Deleting | Phase::Gone => before,
    }
}

async fn what_follows_from_an_answer<S: Store + OperationStore>(store: &S) {
    for (phase, condition) in AT_REST.into_iter().flat_map(|phase| CONDITIONS.map(|condition| (phase, condition))) {
        let subject = Subject::in_phase(store, phase).await;
        let before = subject.standing().await;
        let outcome = subject.sweep(condition, 4).await;
        let Some((conclusion, phase)) = follows(phase, condition) else {
            assert_eq!(outcome, ConcludeOutcome::Nothing, "{condition:?} of what is {phase:?}");
            assert_eq!(subject.standing().await, counted(before));
            continue;
        };
        let revision = after(before.revision);
        assert_eq!(outcome, ConcludeOutcome::Written { conclusion, revision });
        let owner = (conclusion == Conclusion::Prune).then(two);
        assert_eq!(subject.standing().await, Standing { revision, phase, owner, mark: mark(4), ..before });
    }
}

async fn what_follows_from_a_report<S: Store + OperationStore>(store: &S) {
    for (phase, condition) in AT_REST.into_iter().flat_map(|phase| CONDITIONS.map(|condition| (phase, condition))) {
        if condition.is_none() {
            continue;
        }
        let subject = Subject::in_phase(store, phase).await;
        let before = subject.standing().await;
        let outcome = subject.deliver(subject.observation(before.launch, condition, 4)).await;
        let Some((conclusion, phase)) = follows(phase, condition) else {
            assert_eq!(outcome, DeliverOutcome::Nothing, "{condition:?} of what is {phase:?}");
            assert_eq!(subject.standing().await, counted(before));
            continue;
        };
        let revision = after(before.revision);
        assert_eq!(outcome, DeliverOutcome::Written { conclusion, revision });
        assert_eq!(subject.standing().await, Standing { revision, phase, mark: mark(4), ..before });
    }
}

async fn no_observation_is_written_over_an_operation<S: Store + OperationStore>(store: &S) {
    for phase in [Phase::Starting, Phase::Stopping, Phase::Deleting] {
        for condition in CONDITIONS {
            let subject = Subject::in_phase(store, phase).await;
            let before = subject.standing().await;
            // Of a stop and a deletion it is no news how the instance is; of a start, all but that it boots would be.
            let is_news = phase == Phase::Starting && condition != Some(Booting);
            let expected = if is_news { ConcludeOutcome::UnderWay { phase } } else { ConcludeOutcome::Nothing };
            assert_eq!(subject.sweep(condition, 4).await, expected, "{condition:?} of what is {phase:?}");
            if condition.is_some() {
                let report = subject.observation(launch(1), condition, 4);
                assert_eq!(subject.deliver(report).await, DeliverOutcome::UnderWay { phase });
            }
            assert_eq!(subject.standing().await, before);
        }
    }
}

async fn a_conclusion_is_written_over_what_was_read<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Ready).await;
    let read = subject.standing().await;
    let seen = subject.observation(read.launch, Some(Exited), 4);
    // 1. The sweep reads the row and the provider. 2. A report says that it has exited, another that it is up again.
    let _ = subject.deliver(subject.observation(read.launch, Some(Exited), 5)).await;
    let _ = subject.deliver(subject.observation(read.launch, Some(Up), 6)).await;
    let now = subject.standing().await;
    assert_eq!((now.phase, now.launch), (Phase::Ready, read.launch));
    // 3. The sweep writes.
    assert_eq!(subject.conclude(read.revision, seen.clone()).await, ConcludeOutcome::Moved { revision: now.revision });
    assert_eq!(subject.standing().await, now);
    // A revision that is yet to come was not read either.
    let yet_to_come = after(now.revision);
    assert_eq!(subject.conclude(yet_to_come, seen).await, ConcludeOutcome::Moved { revision: now.revision });
}

async fn an_observation_of_another_launch_is_not_written<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Error).await;
    // The second start fails, and what is up is what the first has left.
    let _ = subject.begin(Kind::Start, one()).await;
    subject.end(Ending::Failed).await;
    let before = subject.standing().await;
    for other in [launch(1), launch(3)] {
        let seen = || subject.observation(other, Some(Up), 4);
        let current = launch(2);
        assert_eq!(subject.conclude(before.revision, seen()).await, ConcludeOutcome::AnotherLaunch { current });
        assert_eq!(subject.deliver(seen()).await, DeliverOutcome::AnotherLaunch { current });
    }
    assert_eq!(subject.standing().await, before);
}

async fn what_is_not_there_is_deleted_by_whoever_has_seen_it<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Ready).await;
    let pruned = subject.sweep(None, 0).await;
    assert!(matches!(pruned, ConcludeOutcome::Written { conclusion: Conclusion::Prune, .. }), "{pruned:?}");
    assert_eq!(
        subject.settle(one(), launch(1), Ending::Removed, 0).await,
        SettleOutcome::Lost { current: subject.standing().await }
    );
    assert!(matches!(subject.settle(two(), launch(1), Ending::Removed, 0).await, SettleOutcome::Settled { .. }));
    assert_eq!(subject.standing().await.phase, Phase::Gone);
}

async fn a_report_is_written_only_ahead_of_the_mark<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Starting).await;
    let _ = subject.settle(one(), launch(1), Ending::Admitted, 7).await;
    let before = subject.standing().await;
    for late in [0, 6, 7] {
        let report = subject.observation(launch(1), Some(Exited), late);
        assert_eq!(subject.deliver(report).await, DeliverOutcome::NotAhead { mark: mark(7) });
    }
    assert_eq!(subject.standing().await, before);
    let report = subject.observation(launch(1), Some(Exited), 8);
    assert!(matches!(subject.deliver(report.clone()).await, DeliverOutcome::Written { .. }));
    // It comes again, after somebody has seen that it is up again.
    assert!(matches!(subject.sweep(Some(Up), 9).await, ConcludeOutcome::Written { .. }));
    assert_eq!(subject.deliver(report).await, DeliverOutcome::NotAhead { mark: mark(9) });
}

async fn what_says_nothing_new_is_not_undone_by_what_is_older<S: Store + OperationStore>(store: &S) {
    for by_a_look in [true, false] {
        // 1. It is ready. It exits, and comes up again. 2. That it is up is heard first, and is no news.
        let subject = Subject::in_phase(store, Phase::Ready).await;
        let read = subject.standing().await;
        if by_a_look {
            assert_eq!(subject.sweep(Some(Up), 2).await, ConcludeOutcome::Nothing);
        } else {
            let up = subject.observation(read.launch, Some(Up), 2);
            assert_eq!(subject.deliver(up).await, DeliverOutcome::Nothing);
        }
        // 3. The exit is heard late; and so is a look from before.
        let exited = |number| subject.observation(read.launch, Some(Exited), number);
        let now = subject.standing().await;
        assert_eq!(subject.deliver(exited(1)).await, DeliverOutcome::NotAhead { mark: mark(2) });
        let moved = ConcludeOutcome::Moved { revision: now.revision };
        assert_eq!(subject.conclude(read.revision, exited(1)).await, moved);
        assert_eq!(subject.standing().await, now);
        assert_eq!((now.phase, now.mark), (Phase::Ready, mark(2)));
    }
}

async fn a_look_that_says_nothing_and_is_no_farther_writes_nothing<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Ready).await;
    assert_eq!(subject.sweep(Some(Up), 4).await, ConcludeOutcome::Nothing);
    let before = subject.standing().await;
    for number in [4, 3, 0] {
        assert_eq!(subject.sweep(Some(Up), number).await, ConcludeOutcome::Nothing);
        assert_eq!(subject.standing().await, before);
    }
}

async fn a_look_that_is_no_longer_good_counts_for_nothing<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Ready).await;
    let before = subject.standing().await;
    let up = |launch| subject.observation(launch, Some(Up), 4);
    // Over another revision than the row's, and of another launch.
    for (read, launch) in [(after(before.revision), before.launch), (before.revision, launch(9))] {
        assert_eq!(subject.conclude(read, up(launch)).await, ConcludeOutcome::Nothing);
        assert_eq!(subject.standing().await, before);
    }
}

async fn a_concluded_mark_never_goes_back<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Starting).await;
    let _ = subject.settle(one(), launch(1), Ending::Admitted, 7).await;
    assert!(matches!(subject.sweep(Some(Exited), 3).await, ConcludeOutcome::Written { .. }));
    assert_eq!(subject.standing().await.mark, mark(7));
}

async fn nothing_follows_from_what_a_report_lacks<S: Store + OperationStore>(store: &S) {
    for phase in PHASES {
        let subject = Subject::in_phase(store, phase).await;
        let before = subject.standing().await;
        assert_eq!(subject.deliver(subject.observation(before.launch, None, 9)).await, DeliverOutcome::Absent);
        assert_eq!(subject.standing().await, before);
    }
}

async fn the_first_cause_is_the_one_that_is_told<S: Store + OperationStore>(store: &S) {
    // Under way, written since, of another launch, not ahead, and not even there.
    let starting = Subject::in_phase(store, Phase::Starting).await;
    let seen = |condition| starting.observation(launch(9), condition, 0);
    let under_way = ConcludeOutcome::UnderWay { phase: Phase::Starting };
    assert_eq!(starting.conclude(revision(9), seen(Some(Up))).await, under_way);
    assert_eq!(starting.deliver(seen(Some(Up))).await, DeliverOutcome::UnderWay { phase: Phase::Starting });
    assert_eq!(starting.deliver(seen(None)).await, DeliverOutcome::Absent);
    // All but the first.
    let ready = Subject::in_phase(store, Phase::Ready).await;
    let current = ready.standing().await;
    let seen = |condition| ready.observation(launch(9), condition, 0);
    let moved = ConcludeOutcome::Moved { revision: current.revision };
    assert_eq!(ready.conclude(revision(9), seen(Some(Exited))).await, moved);
    assert_eq!(ready.deliver(seen(Some(Exited))).await, DeliverOutcome::AnotherLaunch { current: launch(1) });
    // Of a sweep, nothing is told where nothing follows; of a report, that it could not have been written.
    assert_eq!(ready.conclude(revision(9), seen(Some(Up))).await, ConcludeOutcome::Nothing);
    assert_eq!(ready.deliver(seen(Some(Up))).await, DeliverOutcome::AnotherLaunch { current: launch(1) });
}
