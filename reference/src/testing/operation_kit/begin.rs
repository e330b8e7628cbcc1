//! How an operation begins, and what may be listed.

use super::*;

behaviours! {
    a_computer_that_was_created_is_stopped
    an_unknown_computer_is_an_error_of_its_own
    computers_share_nothing
    a_start_begins_at_rest_alone
    each_start_mints_the_next_launch
    a_stop_begins_wherever_something_may_run
    a_deletion_begins_unless_one_has_begun
    what_is_under_way_is_found_page_by_page
    what_a_sweep_looks_at_is_found_page_by_page
}

async fn a_computer_that_was_created_is_stopped<S: Store + OperationStore>(store: &S) {
    let subject = Subject::created(store).await;
    let (revision, launch) = (Revision::UNWRITTEN, Launch::NONE);
    let stopped = Standing { revision, phase: Phase::Stopped, launch, owner: None, mark: Mark::START };
    assert_eq!(subject.standing().await, stopped);
}

async fn an_unknown_computer_is_an_error_of_its_own<S: Store + OperationStore>(store: &S) {
    let unknown = Subject { store, computer: ComputerId::new("kit-unknown").expect("a test names plainly") };
    let is_unknown = |result: Result<(), StoreError>| {
        let is_typed = matches!(&result, Err(error @ StoreError::NoSuchComputer { computer: named })
            if *named == unknown.computer && !error.is_transient());
        assert!(is_typed, "an unknown computer gave {result:?}");
    };
    let (computer, owner) = (|| unknown.computer.clone(), one);
    is_unknown(store.begin_start(BeginStart { owner: owner(), computer: computer() }).await.map(drop));
    is_unknown(store.begin_stop(BeginStop { owner: owner(), computer: computer() }).await.map(drop));
    is_unknown(store.begin_delete(BeginDelete { owner: owner(), computer: computer() }).await.map(drop));
    let (launch, mark, ending) = (Launch::NONE, Mark::START, Ending::Failed);
    let recover = Recover { owner: owner(), computer: computer(), dead: None, kind: Kind::Start, launch };
    is_unknown(store.recover(recover).await.map(drop));
    is_unknown(store.settle(Settle { owner: owner(), computer: computer(), launch, ending, mark }).await.map(drop));
    is_unknown(store.standing(computer()).await.map(drop));
    is_unknown(store.read(Read { owner: owner(), computer: computer() }).await.map(drop));
    for condition in [None, Some(Condition::Booting), Some(Condition::Up)] {
        let seen = || unknown.observation(launch, condition, 1);
        let conclude = Conclude { owner: owner(), expected: Revision::UNWRITTEN, seen: seen() };
        is_unknown(store.conclude(conclude).await.map(drop));
        is_unknown(store.deliver(Deliver { owner: owner(), report: seen() }).await.map(drop));
    }
}

async fn computers_share_nothing<S: Store + OperationStore>(store: &S) {
    for phase in PHASES {
        let one = Subject::in_phase(store, phase).await;
        let before = one.standing().await;
        let _ = Subject::in_phase(store, Phase::Gone).await;
        let other = Subject::in_phase(store, Phase::Ready).await;
        let _ = other.sweep(Some(Condition::Exited), 7).await;
        let report = other.observation(launch(1), Some(Condition::Up), 8);
        let _ = other.deliver(report).await;
        let _ = other.begin(Kind::Stop, self::one()).await;
        let _ = other.recover(two(), death_of(self::one()).await, Kind::Stop, launch(1)).await;
        assert_eq!(one.standing().await, before);
    }
}

/// Tries it in each phase. Where it is refused, the row is as it was; where not, it is the one write that it should be.
async fn begins_only_in<S: Store + OperationStore>(store: &S, kind: Kind, phases: &[Phase]) {
    for phase in PHASES {
        let subject = Subject::in_phase(store, phase).await;
        let before = subject.standing().await;
        let outcome = subject.begin(kind, two()).await;
        if !phases.contains(&phase) {
            assert_eq!(outcome, BeginOutcome::Refused { phase }, "{kind:?} of what is {phase:?}");
            assert_eq!(subject.standing().await, before);
            continue;
        }
        let is_new = u64::from(kind == Kind::Start);
        let (launch, revision) = (launch(before.launch.number() + is_new), after(before.revision));
        assert_eq!(outcome, BeginOutcome::Begun { launch, revision }, "{kind:?} of what is {phase:?}");
        let begun = Standing { revision, phase: kind.phase(), launch, owner: Some(two()), mark: before.mark };
        assert_eq!(subject.standing().await, begun);
    }
}

async fn a_start_begins_at_rest_alone<S: Store + OperationStore>(store: &S) {
    begins_only_in(store, Kind::Start, &[Phase::Stopped, Phase::Error]).await;
}

async fn each_start_mints_the_next_launch<S: Store + OperationStore>(store: &S) {
    let subject = Subject::created(store).await;
    for number in 1..=3 {
        let BeginOutcome::Begun { launch: minted, .. } = subject.begin(Kind::Start, one()).await else {
            panic!("a start at rest is refused");
        };
        assert_eq!(minted, launch(number));
        let _ = subject.begin(Kind::Stop, one()).await;
        subject.end(Ending::Stopped).await;
    }
}

async fn a_stop_begins_wherever_something_may_run<S: Store + OperationStore>(store: &S) {
    begins_only_in(store, Kind::Stop, &[Phase::Starting, Phase::Ready, Phase::Error]).await;
}

async fn a_deletion_begins_unless_one_has_begun<S: Store + OperationStore>(store: &S) {
    let others = [Phase::Stopped, Phase::Starting, Phase::Ready, Phase::Error, Phase::Stopping];
    begins_only_in(store, Kind::Delete, &others).await;
}

async fn what_is_under_way_is_found_page_by_page<S: Store + OperationStore>(store: &S) {
    let phases = [Phase::Starting, Phase::Stopping, Phase::Deleting];
    are_found_page_by_page(store, &phases, |after| store.operations_under_way(after, 2)).await;
}

async fn what_a_sweep_looks_at_is_found_page_by_page<S: Store + OperationStore>(store: &S) {
    let phases = [Phase::Ready, Phase::Error];
    are_found_page_by_page(store, &phases, |after| store.computers_to_sweep(after, 2)).await;
}

async fn are_found_page_by_page<S: Store + OperationStore, F>(
    store: &S,
    phases: &[Phase],
    page: impl Fn(Option<ComputerId>) -> F,
) where
    F: Future<Output = Result<Vec<(ComputerId, Standing)>, StoreError>>,
{
    let (mut wanted, mut others) = (Vec::new(), Vec::new());
    for phase in PHASES {
        let subject = Subject::in_phase(store, phase).await;
        let row = (subject.computer.clone(), subject.standing().await);
        if phases.contains(&phase) { wanted.push(row) } else { others.push(row) }
    }
    let mut found: Vec<(ComputerId, Standing)> = Vec::new();
    loop {
        let more = ok(page(found.last().map(|(id, _)| id.clone())).await);
        assert!(more.len() <= 2);
        let is_behind = |(id, _): &(ComputerId, Standing)| found.last().is_none_or(|(last, _)| id > last);
        let is_in_order = more.iter().all(is_behind) && more.is_sorted_by_key(|(id, _)| id.clone());
        assert!(is_in_order, "a walk that goes back does not end");
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    assert!(wanted.iter().all(|row| found.contains(row)));
    assert!(found.iter().all(|(_, row)| phases.contains(&row.phase)));
    assert!(others.iter().all(|(id, _)| found.iter().all(|(listed, _)| listed != id)));
}
