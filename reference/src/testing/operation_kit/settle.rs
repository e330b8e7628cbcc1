//! How an operation ends, or changes hands.

use super::*;

behaviours! {
    each_ending_leads_to_its_phase
    an_operation_is_settled_by_its_owner_alone
    an_operation_is_settled_once
    what_has_taken_its_place_is_not_settled
    a_settled_mark_never_goes_back
    what_the_dead_have_left_is_taken_over_with_its_launch
    what_the_living_own_is_not_taken_over
    where_nothing_is_under_way_nothing_is_taken_over
    what_the_dead_have_begun_later_is_not_taken_over_for_what_was_read
}

const ENDINGS: [Ending; 4] = [Ending::Admitted, Ending::Failed, Ending::Stopped, Ending::Removed];

async fn each_ending_leads_to_its_phase<S: Store + OperationStore>(store: &S) {
    let phases = [Phase::Ready, Phase::Error, Phase::Stopped, Phase::Gone];
    for (ending, phase) in ENDINGS.into_iter().zip(phases) {
        let subject = Subject::in_phase(store, ending.kind().phase()).await;
        let before = subject.standing().await;
        let revision = after(before.revision);
        assert_eq!(subject.settle(one(), launch(1), ending, 4).await, SettleOutcome::Settled { revision });
        let settled = Standing { revision, phase, launch: launch(1), owner: None, mark: mark(4) };
        assert_eq!(subject.standing().await, settled);
    }
}

async fn is_lost<S: Store + OperationStore>(subject: &Subject<'_, S>, owner: OwnerName, of: Launch, ending: Ending) {
    let current = subject.standing().await;
    let lost = SettleOutcome::Lost { current: current.clone() };
    assert_eq!(subject.settle(owner, of, ending, 4).await, lost);
    assert_eq!(subject.standing().await, current);
}

async fn an_operation_is_settled_by_its_owner_alone<S: Store + OperationStore>(store: &S) {
    for ending in ENDINGS {
        let subject = Subject::in_phase(store, ending.kind().phase()).await;
        is_lost(&subject, two(), launch(1), ending).await;
    }
}

async fn an_operation_is_settled_once<S: Store + OperationStore>(store: &S) {
    for ending in ENDINGS {
        let subject = Subject::in_phase(store, ending.kind().phase()).await;
        subject.end(ending).await;
        is_lost(&subject, one(), launch(1), ending).await;
    }
    let never_begun = Subject::created(store).await;
    is_lost(&never_begun, one(), Launch::NONE, Ending::Failed).await;
}

async fn what_has_taken_its_place_is_not_settled<S: Store + OperationStore>(store: &S) {
    // Of the same owner and the same launch: a stop, and it is heard how the start has ended.
    let stopping = Subject::in_phase(store, Phase::Stopping).await;
    is_lost(&stopping, one(), launch(1), Ending::Admitted).await;
    // And a deletion, while it is heard how the stop has ended.
    let deleting = Subject::in_phase(store, Phase::Deleting).await;
    is_lost(&deleting, one(), launch(1), Ending::Stopped).await;
    // Of the same owner and the same kind: the next start.
    let again = Subject::in_phase(store, Phase::Error).await;
    let _ = again.begin(Kind::Start, one()).await;
    is_lost(&again, one(), launch(1), Ending::Admitted).await;
    assert!(matches!(again.settle(one(), launch(2), Ending::Admitted, 0).await, SettleOutcome::Settled { .. }));
}

async fn a_settled_mark_never_goes_back<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Starting).await;
    let _ = subject.settle(one(), launch(1), Ending::Admitted, 7).await;
    let _ = subject.begin(Kind::Stop, one()).await;
    let _ = subject.settle(one(), launch(1), Ending::Stopped, 3).await;
    assert_eq!(subject.standing().await.mark, mark(7));
}

async fn what_the_dead_have_left_is_taken_over_with_its_launch<S: Store + OperationStore>(store: &S) {
    for ending in ENDINGS {
        let kind = ending.kind();
        let subject = Subject::in_phase(store, kind.phase()).await;
        let before = subject.standing().await;
        let revision = after(before.revision);
        let outcome = subject.recover(two(), death_of(one()).await, kind, launch(1)).await;
        assert_eq!(outcome, RecoverOutcome::Recovered { revision });
        assert_eq!(subject.standing().await, Standing { revision, owner: Some(two()), ..before });
        // The dead one's call for the end, if it still comes, is dropped.
        is_lost(&subject, one(), launch(1), ending).await;
        assert!(matches!(subject.settle(two(), launch(1), ending, 0).await, SettleOutcome::Settled { .. }));
    }
}

async fn is_not_left<S: Store + OperationStore>(subject: &Subject<'_, S>, dead: Option<OwnerDeath>, kind: Kind) {
    let current = subject.standing().await;
    let not_left = RecoverOutcome::NotLeft { current: current.clone() };
    assert_eq!(subject.recover(two(), dead, kind, current.launch).await, not_left);
    assert_eq!(subject.standing().await, current);
}

async fn what_the_living_own_is_not_taken_over<S: Store + OperationStore>(store: &S) {
    for kind in [Kind::Start, Kind::Stop, Kind::Delete] {
        let subject = Subject::in_phase(store, kind.phase()).await;
        is_not_left(&subject, None, kind).await;
        is_not_left(&subject, death_of(two()).await, kind).await;
        // Its former owner is dead, and whoever has taken it over lives.
        let _ = subject.recover(two(), death_of(one()).await, kind, launch(1)).await;
        is_not_left(&subject, death_of(one()).await, kind).await;
    }
}

async fn where_nothing_is_under_way_nothing_is_taken_over<S: Store + OperationStore>(store: &S) {
    for phase in PHASES.into_iter().filter(|phase| phase.under_way().is_none()) {
        let subject = Subject::in_phase(store, phase).await;
        for kind in [Kind::Start, Kind::Stop, Kind::Delete] {
            is_not_left(&subject, None, kind).await;
            is_not_left(&subject, death_of(one()).await, kind).await;
        }
    }
}

async fn what_the_dead_have_begun_later_is_not_taken_over_for_what_was_read<S: Store + OperationStore>(store: &S) {
    let subject = Subject::in_phase(store, Phase::Error).await;
    let _ = subject.begin(Kind::Start, one()).await;
    let current = subject.standing().await;
    let moved = RecoverOutcome::Moved { current: current.clone() };
    // What was read was the start before it, or a stop of the same launch.
    for (kind, number) in [(Kind::Start, 1), (Kind::Stop, 2)] {
        assert_eq!(subject.recover(two(), death_of(one()).await, kind, launch(number)).await, moved);
        assert_eq!(subject.standing().await, current);
    }
}
