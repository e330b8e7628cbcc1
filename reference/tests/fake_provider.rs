//! The provider in memory does what is planned for it: each fault, once, and where a call is held.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use outlive::locks::{IoPermit, Locks, Sweep};
use outlive::provider::{Condition, Get, Observation, Provider, Start, StartOutcome, Watch};
use outlive::testing::{FakeProvider, Fault, Point, Verb};
use outlive::{ComputerId, Launch, Mark, ProviderError};

fn computer() -> ComputerId {
    ComputerId::new("worker").unwrap()
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

fn to_start(number: u64) -> Start {
    Start { computer: computer(), launch: launch(number) }
}

/// A provider of one computer whose first launch boots.
async fn started(sweep: &Sweep<'_, ()>) -> FakeProvider {
    let provider = FakeProvider::new();
    let _ = provider.start(sweep.io(), to_start(1)).await.unwrap();
    provider
}

async fn get(provider: &FakeProvider, permit: IoPermit<'_>) -> Observation {
    provider.get(permit, Get { computer: computer(), launch: launch(1) }).await.unwrap()
}

async fn condition(provider: &FakeProvider, permit: IoPermit<'_>) -> Option<Condition> {
    get(provider, permit).await.seen.map(|seen| seen.condition)
}

fn is_pending<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> bool {
    matches!(future.poll(&mut Context::from_waker(Waker::noop())), Poll::Pending)
}

#[tokio::test]
async fn a_call_that_is_lost_does_nothing_and_an_answer_that_is_lost_hides_what_was_done() {
    let (locks, provider) = (Locks::new(()), FakeProvider::new());
    let sweep = locks.sweep();
    provider.plan(Verb::Start, Fault::Lose);
    provider.plan(Verb::Start, Fault::LoseAnswer);
    for expected in [None, Some(Condition::Booting)] {
        let lost = provider.start(sweep.io(), to_start(1)).await.unwrap_err();
        assert!(lost.is_transient(), "{lost:?}");
        assert_eq!(condition(&provider, sweep.io()).await, expected);
    }
}

#[tokio::test]
async fn nonsense_is_no_proof() {
    let locks = Locks::new(());
    let sweep = locks.sweep();
    let provider = started(&sweep).await;
    provider.plan(Verb::End, Fault::Nonsense);
    let nonsense = provider.stop(sweep.io(), computer(), launch(1)).await.unwrap_err();
    assert!(matches!(nonsense, ProviderError::Nonsense { .. }) && !nonsense.is_transient());
    // It has taken effect all the same, and is reported.
    assert_eq!(condition(&provider, sweep.io()).await, Some(Condition::Exited));
    let list = provider.list(sweep.io()).await.unwrap();
    assert_eq!(list[0].seen.as_ref().unwrap().condition, Condition::Exited);
}

#[tokio::test]
#[should_panic = "a panic was planned for this Get"]
async fn a_panic_is_the_callers() {
    let (locks, provider) = (Locks::new(()), FakeProvider::new());
    provider.plan(Verb::Get, Fault::Panic);
    get(&provider, locks.sweep().io()).await;
}

#[tokio::test]
#[should_panic = "LeaveOut(ComputerId(\"worker\")) cannot become of a Get"]
async fn what_cannot_become_of_a_call_is_not_planned() {
    FakeProvider::new().plan(Verb::Get, Fault::LeaveOut(computer()));
}

#[tokio::test]
async fn a_call_that_is_held_takes_effect_when_it_is_released_though_its_caller_is_dead() {
    let (locks, provider) = (Locks::new(()), FakeProvider::new());
    let sweep = locks.sweep();
    provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    // 1. A caller sends a start, and dies.
    drop(provider.start(sweep.io(), to_start(1)));
    assert_eq!(condition(&provider, sweep.io()).await, None);
    // 2. It arrives.
    provider.release(Verb::Start);
    assert_eq!(condition(&provider, sweep.io()).await, Some(Condition::Booting));
}

#[tokio::test]
async fn a_start_that_arrives_after_the_stop_is_fenced() {
    let (locks, provider) = (Locks::new(()), FakeProvider::new());
    let sweep = locks.sweep();
    provider.plan(Verb::Start, Fault::Park(Point::BeforeEffect));
    let late = provider.start(sweep.io(), to_start(1));
    let _ = provider.stop(sweep.io(), computer(), launch(1)).await.unwrap();
    provider.release(Verb::Start);
    assert_eq!(late.await.unwrap(), StartOutcome::Fenced { up_to: launch(1) });
}

#[tokio::test]
async fn an_answer_that_is_held_is_old_when_it_comes() {
    let locks = Locks::new(());
    let sweep = locks.sweep();
    let provider = started(&sweep).await;
    provider.plan(Verb::Get, Fault::Park(Point::BeforeAnswer));
    provider.plan(Verb::Get, Fault::Park(Point::BeforeEffect));
    let (mut old, mut new) = (pin!(get(&provider, sweep.io())), pin!(get(&provider, sweep.io())));
    // Both are sent, and neither is answered.
    assert!(is_pending(old.as_mut()) && is_pending(new.as_mut()));
    assert!(provider.admit(&computer()));
    provider.release(Verb::Get);
    provider.release(Verb::Get);
    let (old, new) = (old.await, new.await);
    assert_eq!(old.seen.unwrap().condition, Condition::Booting);
    assert_eq!(new.seen.unwrap().condition, Condition::Up);
    assert!(new.mark.is_beyond(old.mark));
}

#[tokio::test]
async fn who_waits_for_a_held_call_is_told() {
    let (locks, provider) = (Locks::new(()), FakeProvider::new());
    let sweep = locks.sweep();
    provider.plan(Verb::List, Fault::Park(Point::BeforeEffect));
    let mut waits = pin!(provider.until_parked(Verb::List));
    assert!(is_pending(waits.as_mut()));
    // A call of another verb is another's.
    let _ = get(&provider, sweep.io()).await;
    assert!(is_pending(waits.as_mut()));
    let list = provider.list(sweep.io());
    waits.await;
    provider.release(Verb::List);
    assert_eq!(list.await.unwrap(), []);
}

#[tokio::test]
async fn a_call_that_comes_again_is_decided_again() {
    let locks = Locks::new(());
    let sweep = locks.sweep();
    let provider = started(&sweep).await;
    let _ = provider.remove(sweep.io(), computer(), launch(1)).await.unwrap();
    // The start is fenced by now, and the removal is not about the next launch.
    provider.repeat(Verb::Start);
    assert_eq!(condition(&provider, sweep.io()).await, None);
    let _ = provider.start(sweep.io(), to_start(2)).await.unwrap();
    provider.repeat(Verb::End);
    assert_eq!(condition(&provider, sweep.io()).await, Some(Condition::Booting));
    // One about the same launch is obeyed again.
    let _ = provider.stop(sweep.io(), computer(), launch(2)).await.unwrap();
    assert!(!provider.revive(&computer()));
    provider.repeat(Verb::End);
    assert_eq!(condition(&provider, sweep.io()).await, Some(Condition::Exited));
}

#[tokio::test]
async fn a_list_lags_goes_back_and_lacks_what_is_there() {
    let locks = Locks::new(());
    let sweep = locks.sweep();
    let provider = started(&sweep).await;
    assert!(provider.admit(&computer()));
    provider.plan(Verb::List, Fault::Past(0));
    provider.plan(Verb::List, Fault::Past(1));
    provider.plan(Verb::List, Fault::LeaveOut(computer()));
    let mut seen = Vec::new();
    for _ in 0..4 {
        let list = provider.list(sweep.io()).await.unwrap();
        seen.push(list.first().map(|line| line.seen.as_ref().unwrap().condition));
    }
    assert_eq!(seen, [Some(Condition::Up), Some(Condition::Booting), None, Some(Condition::Up)]);
}

#[tokio::test]
async fn a_report_comes_once_it_is_beyond_the_mark_or_late_if_that_is_planned() {
    let locks = Locks::new(());
    let sweep = locks.sweep();
    let provider = started(&sweep).await;
    let watch = |after| provider.watch(sweep.io(), Watch { computer: computer(), after });
    let first = watch(Mark::START).await.unwrap();
    let mut second = pin!(watch(first.mark));
    assert!(is_pending(second.as_mut()));
    assert!(provider.vanish(&computer()));
    let second = second.await.unwrap();
    assert!(second.seen.is_none() && second.mark.is_beyond(first.mark));
    provider.plan(Verb::Watch, Fault::Past(1));
    assert_eq!(watch(second.mark).await.unwrap(), first);
}

#[tokio::test]
async fn what_happens_by_itself_happens_only_where_it_can() {
    let locks = Locks::new(());
    let sweep = locks.sweep();
    let provider = FakeProvider::new();
    let nothing_is_there = [FakeProvider::admit, FakeProvider::exit, FakeProvider::revive, FakeProvider::vanish];
    assert!(nothing_is_there.iter().all(|happens| !happens(&provider, &computer())));
    let _ = provider.start(sweep.io(), to_start(1)).await.unwrap();
    assert!(!provider.revive(&computer()), "it runs");
    assert!(provider.admit(&computer()) && !provider.admit(&computer()));
    assert!(provider.exit(&computer()) && !provider.exit(&computer()));
    assert!(provider.revive(&computer()) && provider.vanish(&computer()));
}
