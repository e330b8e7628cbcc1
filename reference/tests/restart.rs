//! RESTART: how a process learns who it is, and what it refuses as somebody else.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod common;

use std::pin::pin;
use std::task::{Context, Waker};

use common::{World, on_each};
use outlive::snapshot::Resolved;
use outlive::store::RegisterOutcome;
use outlive::testing::{CounterKind, Learned, Refusal};

#[tokio::test]
async fn restart_1_a_question_of_a_dead_process_does_not_take_the_computer() {
    on_each!(|world| {
        // 1. A process asks, and dies. 2. The next one is registered. 3. The first question arrives.
        world.computer.restart().await.unwrap();
        let dead = world.computer.process_start();
        let question = dead.ask().await.unwrap();
        world.computer.restart().await.unwrap();
        let own = world.register().await;
        let outcome = dead.register(question).await.unwrap();
        assert_eq!(outcome, RegisterOutcome::Overtaken { current: own });
        world.works().await;
    });
}

#[tokio::test]
async fn restart_2_each_life_is_another_incarnation() {
    on_each!(|world| {
        let mut lives = vec![world.current().await];
        lives.push(world.restart().await);
        lives.push(world.reset().await);
        lives.push(world.register().await);
        let mut distinct = lives.clone();
        distinct.dedup();
        assert_eq!(distinct, lives);
        assert!(lives.windows(2).all(|pair| pair[0].number() < pair[1].number()));
    });
}

#[tokio::test]
async fn restart_3_a_call_for_the_process_before_is_refused() {
    on_each!(|world| {
        let ticket = world.begin().await;
        world.computer.restart().await.unwrap();
        // Neither by a process that does not know who it is, nor by one that is somebody else.
        assert_eq!(world.computer.answer(ticket.call(), b"").await.unwrap(), Err(Refusal { own: None }));
        let own = world.register().await;
        assert_eq!(world.computer.answer(ticket.call(), b"").await.unwrap(), Err(Refusal { own: Some(own) }));
        world.works().await;
    });
}

#[tokio::test]
async fn restart_4_a_reply_to_a_dead_process_is_heard_by_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::in_file(folder.path(), CounterKind::StartsAgain).await;
    world.computer.restart().await.unwrap();
    // 1. The store is busy. 2. A process asks who it is, and dies. 3. The reply comes.
    let holder = rusqlite::Connection::open(folder.path().join("store.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (mut asking, mut dying) = (pin!(world.computer.register()), pin!(world.computer.restart()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(asking.as_mut().poll(&mut context).is_pending());
    assert!(dying.as_mut().poll(&mut context).is_pending());
    holder.execute_batch("ROLLBACK").unwrap();
    dying.await.unwrap();
    assert_eq!(asking.await.unwrap(), Learned::NobodyListened);
    assert_eq!(world.computer.incarnation(), None);
    world.register().await;
    world.works().await;
    world.check_trace().await;
}

#[tokio::test]
async fn restart_4_a_reply_to_a_question_before_the_last_is_heard_by_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::in_file(folder.path(), CounterKind::StartsAgain).await;
    world.computer.restart().await.unwrap();
    let before = world.current().await;
    // 1. The store is busy. 2. A process asks who it is, gives up, and asks again. 3. The first reply comes: it took
    //    the computer, but the process waits for the second.
    let holder = rusqlite::Connection::open(folder.path().join("store.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (mut first, mut last) = (pin!(world.computer.register()), pin!(world.computer.register()));
    let mut context = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut context).is_pending());
    assert!(last.as_mut().poll(&mut context).is_pending());
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(first.await.unwrap(), Learned::NobodyListened);
    let current = world.current().await;
    assert_ne!(current, before);
    assert_eq!(last.await.unwrap(), Learned::Overtaken { current });
    assert_eq!(world.computer.incarnation(), None);
    world.register().await;
    world.works().await;
    world.check_trace().await;
}

#[tokio::test]
async fn restart_4_a_process_that_knows_itself_does_not_ask() {
    on_each!(|world| {
        let own = world.current().await;
        assert_eq!(world.computer.register().await.unwrap(), Learned::Known(own));
        assert_eq!(world.current().await, own);
    });
}

#[tokio::test]
async fn restart_4_lives_have_names_of_their_own() {
    on_each!(|world| {
        world.restart().await;
        world.reset().await;
        world.register().await;
        let lines = common::exported(&*world.store).await;
        let begun = lines.iter().filter(|event| event["action"] == "restart" || event["action"] == "wipe");
        let mut lives: Vec<_> = begun.map(|event| event["life"].as_str().unwrap().to_owned()).collect();
        assert_eq!(lives.len(), 3);
        lives.sort();
        lives.dedup();
        assert_eq!(lives.len(), 3);
    });
}

#[tokio::test]
async fn restart_5_only_the_newest_page_of_the_living_process_is_acted_on() {
    on_each!(|world| {
        let page = world.stored().await;
        let Resolved::Forward { act, body } = world.gateway.resolve(&world.id, page.name()).await.unwrap() else {
            panic!("the newest page does not resolve");
        };
        assert_eq!((act.page(), &body), (page.name(), page.body()));
        // A page that was handed out meanwhile is newer, saved or not.
        let own = world.current().await;
        let _ = world.snapshot().await;
        assert_eq!(world.computer.perform(&act).await.unwrap(), Err(Refusal { own: Some(own) }));
        world.works().await;
    });
}
