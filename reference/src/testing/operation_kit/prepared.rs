//! What is done with rows that only the author of a store can make.

use super::*;

pub(super) async fn a_start_that_nobody_owns_is_anybodys<S: Store + OperationStore>(subject: &Subject<'_, S>) {
    let before = subject.standing().await;
    let is_as_assumed = (before.revision, before.phase, before.launch) == (revision(1), Phase::Starting, launch(1));
    assert!(is_as_assumed && before.owner.is_none(), "no such start was prepared: {before:?}");
    let listed = ok(subject.store.operations_under_way(None, 1_000).await);
    assert!(listed.contains(&(subject.computer.clone(), before.clone())));
    // 1. A sweep and a report meet it. Nobody owns it, and still it is under way.
    let under_way = ConcludeOutcome::UnderWay { phase: Phase::Starting };
    assert_eq!(subject.sweep(None, 4).await, under_way);
    let report = subject.observation(launch(1), Some(Condition::Up), 4);
    assert_eq!(subject.deliver(report).await, DeliverOutcome::UnderWay { phase: Phase::Starting });
    // 2. Nobody ends it, for nobody owns it.
    let lost = SettleOutcome::Lost { current: before.clone() };
    assert_eq!(subject.settle(one(), launch(1), Ending::Admitted, 0).await, lost);
    // 3. Whoever takes it over as that of a dead owner, or as another, has not read it.
    let not_left = RecoverOutcome::NotLeft { current: before.clone() };
    assert_eq!(subject.recover(two(), death_of(one()).await, Kind::Start, launch(1)).await, not_left);
    let moved = RecoverOutcome::Moved { current: before.clone() };
    assert_eq!(subject.recover(two(), None, Kind::Start, launch(2)).await, moved);
    assert_eq!(subject.standing().await, before);
    // 4. Anybody takes it over as what it is, and one alone.
    let taken = subject.recover(two(), None, Kind::Start, launch(1)).await;
    assert_eq!(taken, RecoverOutcome::Recovered { revision: revision(2) });
    let again = subject.recover(one(), None, Kind::Start, launch(1)).await;
    assert_eq!(again, RecoverOutcome::NotLeft { current: subject.standing().await });
    let settled = subject.settle(two(), launch(1), Ending::Admitted, 0).await;
    assert_eq!(settled, SettleOutcome::Settled { revision: revision(3) });
}

pub(super) async fn nothing_follows_the_last_revision<S: Store + OperationStore>(subject: &Subject<'_, S>) {
    let (store, computer, before) = (subject.store, || subject.computer.clone(), subject.standing().await);
    assert_eq!(before.revision.next(), None, "no such row was prepared");
    let is_last = |result: Result<(), StoreError>| {
        let is_typed = matches!(&result, Err(error @ StoreError::LastRevision { computer })
            if *computer == subject.computer && !error.is_transient());
        assert!(is_typed, "writing after the last revision gave {result:?}");
    };
    // Whatever is right in this phase is among these, and would be written.
    let owner = before.owner.clone().unwrap_or_else(one);
    is_last(store.begin_start(BeginStart { owner: owner.clone(), computer: computer() }).await.map(drop));
    is_last(store.begin_stop(BeginStop { owner: owner.clone(), computer: computer() }).await.map(drop));
    is_last(store.begin_delete(BeginDelete { owner: owner.clone(), computer: computer() }).await.map(drop));
    let (dead, kind, launch) = (death_of(owner.clone()).await, Kind::Start, before.launch);
    let recover = Recover { owner: two(), computer: computer(), dead, kind, launch };
    is_last(store.recover(recover).await.map(drop));
    let (ending, mark) = (Ending::Failed, before.mark);
    let settle = Settle { owner: owner.clone(), computer: computer(), launch, ending, mark };
    is_last(store.settle(settle).await.map(drop));
    let next = before.mark.number() + 1;
    let seen = || subject.observation(launch, Some(Condition::Exited), next);
    let conclude = Conclude { owner: owner.clone(), expected: before.revision, seen: seen() };
    is_last(store.conclude(conclude).await.map(drop));
    is_last(store.deliver(Deliver { owner, report: seen() }).await.map(drop));
    assert_eq!(subject.standing().await, before);
}
