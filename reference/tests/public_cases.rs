//! Bugs that were reported in public, played against this store: `docs/cases.md` tells each in our words.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod common;

use common::on_each;
use outlive::snapshot::{ResetOutcome, Saved};
use outlive::store::{CreateOutcome, RegisterOutcome, RollbackOutcome, SaveOutcome};

/// Case 1: a deletion is undone by a start that was under way, since nothing was recorded that it could have lost to.
#[tokio::test]
async fn case_1_what_was_under_way_when_all_was_deleted_does_not_come_back() {
    on_each!(|world| {
        let under_way = world.snapshot().await;
        assert_eq!(world.load().await, None);
        let current = world.reset().await;
        assert_eq!(world.save(&under_way).await, SaveOutcome::Fenced { current });
        assert_eq!(world.load().await, None);
    });
}

/// Case 20: a counter that starts again is refused for ever, by design and without a report.
#[tokio::test]
async fn case_20_a_counter_that_starts_again_is_heard_at_once() {
    on_each!(|world| {
        for _ in 0..9 {
            world.stored().await;
        }
        world.restart().await;
        let fresh = world.snapshot().await;
        assert_eq!(fresh.1.page.generation.number(), 1);
        assert_eq!(world.save(&fresh).await, SaveOutcome::Stored);
    });
}

/// Case 25: a deliberate rollback under the old name loses to the newer page that it was to replace.
#[tokio::test]
async fn case_25_what_was_rolled_back_to_is_what_loads() {
    on_each!(|world| {
        let fifth = world.stored().await;
        let sixth = world.stored().await;
        let own = world.current().await;
        let rolled_back = world.gateway.rollback(&fifth, own).await.unwrap();
        assert!(matches!(rolled_back, RollbackOutcome::RolledBack { .. }));
        assert_eq!(world.load().await, Some(fifth.clone()));
        // Nor does the page that it replaced come back by a second delivery.
        world.restart().await;
        assert_eq!(world.load().await, Some(fifth));
        assert_ne!(world.stored().await, sixth);
    });
}

/// Case 27: an upsert matches a row that is as good as deleted, and reports success for what nobody will ever see.
#[tokio::test]
async fn case_27_a_save_into_a_row_that_is_being_deleted_is_refused_and_says_so() {
    on_each!(|world| {
        let snapshot = world.snapshot().await;
        let current = world.current().await;
        let _ = world.gateway.claim(&world.id, current).await.unwrap();
        assert_eq!(world.save(&snapshot).await, SaveOutcome::Resetting { current });
        // Nor is the row revived by creating the computer again.
        assert_eq!(world.gateway.create(&world.id).await.unwrap(), CreateOutcome::Exists { current });
        assert_eq!(world.load().await, None);
    });
}

/// Case 31: a refusal that means "you are talking to another" is taken for an ordinary conflict, and retried by name.
#[tokio::test]
async fn case_31_a_page_of_another_life_is_refused_under_its_old_ticket_and_under_a_new_one() {
    on_each!(|world| {
        let (old_ticket, old_page) = world.snapshot().await;
        let called = world.restart().await;
        let refused = world.gateway.save(&old_ticket, &old_page).await.unwrap();
        assert_eq!(refused, Saved::Decided(SaveOutcome::Fenced { current: called }));
        // The conflict handler looks the name up again, and applies the old page to the new life.
        let new_ticket = world.begin().await;
        let retried = world.gateway.save(&new_ticket, &old_page).await.unwrap();
        assert_eq!(retried, Saved::NotTheAnswer { called, answered: old_page.page.incarnation });
        assert_eq!(world.load().await, None);
    });
}

/// Case 55: the entry of a process that is gone blocks its successor, or two successors both believe to be the one.
#[tokio::test]
async fn case_55_a_successor_follows_exactly_its_predecessor() {
    on_each!(|world| {
        world.computer.restart().await.unwrap();
        let one = world.computer.process_start();
        let of_one = one.ask().await.unwrap();
        world.computer.restart().await.unwrap();
        let other = world.computer.process_start();
        let of_other = other.ask().await.unwrap();
        let RegisterOutcome::Registered { incarnation } = one.register(of_one).await.unwrap() else {
            panic!("a dead process blocks its successor");
        };
        let overtaken = other.register(of_other).await.unwrap();
        assert_eq!(overtaken, RegisterOutcome::Overtaken { current: incarnation });
        // Whoever still wants to be the one asks anew, and follows the other.
        assert!(world.register().await != incarnation);
        world.works().await;
    });
}

/// And a reset that is asked for twice resets once.
#[tokio::test]
async fn a_reset_that_is_asked_for_twice_happens_once() {
    on_each!(|world| {
        let own = world.current().await;
        let minted = world.reset().await;
        let again = world.other.reset(&world.id, own, &world.computer).await.unwrap();
        assert_eq!(again, ResetOutcome::Moved { current: minted });
    });
}
