//! SAVE: which page may become the stored one.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod common;

use std::sync::Arc;

use common::on_each;
use outlive::snapshot::{Begun, Saved};
use outlive::store::{RollbackOutcome, SaveOutcome};
use outlive::testing::{Crash, CrashingStore, Refusal};
use outlive::{ComputerId, Gateway, GatewayName, SnapshotId, StoreError};

#[tokio::test]
async fn save_1_a_page_of_a_process_that_began_after_the_call_has_no_place() {
    on_each!(|world| {
        // 1. The call names the current process. 2. Another replaces it. 3. The call arrives.
        let ticket = world.begin().await;
        let young = world.restart().await;
        let answer = world.computer.answer(ticket.call(), b"of the young life").await.unwrap();
        assert_eq!(answer, Err(Refusal { own: Some(young) }));
        world.works().await;
    });
}

#[tokio::test]
async fn save_1_nobody_is_called_before_the_first_registration() {
    on_each!(|world| {
        let id = ComputerId::new("another").unwrap();
        let _ = world.gateway.create(&id).await.unwrap();
        assert!(matches!(world.gateway.begin(&id).await.unwrap(), Begun::NeverRegistered));
    });
}

#[tokio::test]
async fn save_2_each_page_has_the_next_generation_saved_or_not() {
    on_each!(|world| {
        let (_, first) = world.snapshot().await;
        let (_, second) = world.snapshot().await;
        assert_eq!((first.page.generation.number(), second.page.generation.number()), (1, 2));
    });
}

#[tokio::test]
async fn save_3_late_save_after_reset_is_fenced() {
    on_each!(|world| {
        // 1. A page is handed out. 2. A reset wipes it and deletes the stored page. 3. Its save finds no page in its
        //    way.
        let late = world.snapshot().await;
        let current = world.reset().await;
        assert_eq!(world.save(&late).await, SaveOutcome::Fenced { current });
        assert_eq!(world.load().await, None);
        // 4. The young life counts from wherever it counts, and its save lands.
        world.register().await;
        world.works().await;
    });
}

#[tokio::test]
async fn save_3_late_save_after_restart_does_not_replace_the_young_page() {
    on_each!(|world| {
        let late = world.snapshot().await;
        let current = world.restart().await;
        let young = world.stored().await;
        assert_eq!(world.save(&late).await, SaveOutcome::Fenced { current });
        assert_eq!(world.load().await, Some(young));
    });
}

#[tokio::test]
async fn save_4_pages_that_overtake_each_other_end_at_the_newest() {
    on_each!(|world| {
        let (older, newer) = (world.snapshot().await, world.snapshot().await);
        assert_eq!(world.save(&newer).await, SaveOutcome::Stored);
        assert_eq!(world.save(&older).await, SaveOutcome::Superseded { stored: newer.1.page });
        assert_eq!(world.load().await.unwrap().name(), newer.1.page);
    });
}

#[tokio::test]
async fn restart_6_a_restarted_counter_is_not_held_against_its_pages() {
    on_each!(|world| {
        for _ in 0..7 {
            world.stored().await;
        }
        world.restart().await;
        assert_eq!(world.stored().await.name().generation.number(), 1);
    });
}

#[tokio::test]
async fn save_5_a_refusal_names_its_cause_and_what_won() {
    on_each!(|world| {
        let late = world.snapshot().await;
        let own = world.current().await;
        let _ = world.gateway.claim(&world.id, own).await.unwrap();
        let refused = world.save(&late).await;
        assert_eq!(refused, SaveOutcome::Resetting { current: own });
        assert_eq!(refused.because().map(|because| because.id()), Some("RESET-2"));
        assert_eq!(SaveOutcome::Stored.because(), None);
    });
}

#[tokio::test]
async fn save_6_an_answer_of_another_incarnation_than_was_called_is_not_stored() {
    on_each!(|world| {
        let (_, old_answer) = world.snapshot().await;
        let own = world.restart().await;
        let ticket = world.begin().await;
        let saved = world.gateway.save(&ticket, &old_answer).await.unwrap();
        assert_eq!(saved, Saved::NotTheAnswer { called: own, answered: old_answer.page.incarnation });
        assert_eq!(world.load().await, None);
    });
}

#[tokio::test]
async fn save_4_a_save_that_is_sent_twice_lands_once() {
    on_each!(|world| {
        let snapshot = world.snapshot().await;
        assert_eq!(world.save(&snapshot).await, SaveOutcome::Stored);
        assert_eq!(world.save(&snapshot).await, SaveOutcome::Superseded { stored: snapshot.1.page });
    });
}

#[tokio::test]
async fn save_7_a_rollback_is_not_undone_by_a_save_under_way() {
    on_each!(|world| {
        let older = world.stored().await;
        world.stored().await;
        let late = world.snapshot().await;
        let own = world.current().await;
        let RollbackOutcome::RolledBack { minted } = world.gateway.rollback(&older, own).await.unwrap() else {
            panic!("refused");
        };
        assert_eq!(world.save(&late).await, SaveOutcome::Fenced { current: minted });
        assert_eq!(world.load().await, Some(older.clone()));
        // Sent again, it would undo what comes next.
        let again = world.other.rollback(&older, own).await.unwrap();
        assert_eq!(again, RollbackOutcome::Moved { current: minted });
        // The running process has lost its place, and says so.
        let lost = world.begin().await;
        assert_eq!(world.computer.answer(lost.call(), b"").await.unwrap(), Err(Refusal { own: Some(own) }));
        world.restart().await;
        assert_eq!(world.load().await, Some(older));
        world.works().await;
    });
}

#[tokio::test]
async fn save_8_a_wiped_page_is_not_rolled_back_to_by_those_who_remember_it() {
    on_each!(|world| {
        let remembered = world.stored().await;
        let since = world.reset().await;
        let refused = world.gateway.rollback(&remembered, since).await.unwrap();
        assert_eq!(refused, RollbackOutcome::Wiped { since });
        assert_eq!(world.load().await, None);
    });
}

#[tokio::test]
async fn save_9_a_load_shows_the_stored_page_whoever_made_it() {
    on_each!(|world| {
        assert_eq!(world.load().await, None);
        let page = world.stored().await;
        assert_eq!((&page.body()[..], page.snapshot_id()), (&b"a page"[..], SnapshotId::of(b"a page")));
        assert_ne!(page.snapshot_id(), SnapshotId::of(b"another page"));
        // Of a life that is over, and still the stored page.
        world.restart().await;
        assert_eq!(world.other.load(&world.id).await.unwrap().page, Some(page));
    });
}

#[tokio::test]
async fn a_computer_that_was_never_created_is_named_in_the_error() {
    on_each!(|world| {
        let id = ComputerId::new("nobody").unwrap();
        let error = world.gateway.load(&id).await.unwrap_err();
        assert!(matches!(&error, StoreError::NoSuchComputer { computer } if *computer == id));
        assert_eq!(error.to_string(), "there is no computer nobody in this store; create it first");
    });
}

#[tokio::test]
async fn save_10_a_save_of_which_nobody_has_heard_is_sent_again_until_it_is_decided() {
    on_each!(|world| {
        for crash in [Crash::Before, Crash::After] {
            let snapshot = world.snapshot().await;
            let (ticket, answer) = &snapshot;
            let cut_off = Arc::new(CrashingStore::new(world.store.clone(), crash, 0));
            let cut_off = Gateway::new(cut_off, GatewayName::new("gateway-1").unwrap());
            cut_off.save(ticket, answer).await.unwrap_err();
            let stored = answer.page;
            let expected = match crash {
                Crash::Before => SaveOutcome::Stored,
                Crash::After => SaveOutcome::Superseded { stored },
            };
            assert_eq!(world.save(&snapshot).await, expected);
            assert_eq!(world.load().await.unwrap().name(), stored);
        }
    });
}

#[tokio::test]
async fn save_11_an_agent_that_is_refused_begins_anew_and_gets_a_page() {
    on_each!(|world| {
        let late = world.snapshot().await;
        let current = world.restart().await;
        // However often it is sent, the same save is refused.
        for _ in 0..3 {
            assert_eq!(world.save(&late).await, SaveOutcome::Fenced { current });
        }
        assert_eq!(world.stored().await.name().incarnation, current);
    });
}
