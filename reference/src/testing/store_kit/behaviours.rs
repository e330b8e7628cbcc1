//! The list. Each write is tried with the page there and with the page gone: a guard that is asked only where a page
//! stands in the way looks tested and is not.

use super::*;
use crate::StoreError;

macro_rules! behaviours {
    ($($name:ident)*) => {
        pub(super) async fn hold_to_all<S: Store>(store: &S) -> usize {
            let mut held = 0;
            $(
                $name(store).await;
                held += 1;
            )*
            held
        }
    };
}

behaviours! {
    an_existing_computer_is_left_as_it_is
    an_unknown_computer_is_an_error_of_its_own
    computers_share_nothing
    a_step_is_taken_though_nobody_waits
    save_1_a_call_names_the_current_incarnation
    save_3_a_late_save_is_fenced_with_and_without_a_page
    save_3_a_page_of_nobody_is_fenced
    save_4_only_a_newer_page_of_its_own_life_replaces
    restart_6_a_young_life_replaces_the_page_of_an_old_one
    save_5_the_first_cause_is_the_one_that_is_told
    save_7_a_rollback_happens_once_and_mints
    save_8_what_was_wiped_is_not_rolled_back_to
    save_8_what_nobody_can_have_loaded_is_not_rolled_back_to
    save_9_a_load_shows_every_byte
    reset_1_a_claim_ends_what_it_expects_and_takes_the_page
    reset_2_nothing_lands_while_a_reset_is_under_way
    reset_5_a_wipe_is_sent_only_within_a_reset
    reset_4_a_reset_ends_once_and_only_if_the_current_life_was_wiped
    reset_5_what_is_under_way_is_found_page_by_page
    reset_6_only_the_stored_page_of_the_current_life_resolves
    restart_1_one_of_many_questions_is_answered
    restart_2_whatever_ends_a_life_mints
}

async fn an_existing_computer_is_left_as_it_is<S: Store>(store: &S) {
    let (subject, own) = Subject::registered(store).await;
    assert_eq!(subject.save(page(own, 1)).await, SaveOutcome::Stored);
    let before = subject.look().await;
    assert_eq!(subject.create().await, CreateOutcome::Exists { current: own });
    assert_eq!(subject.look().await, before);
}

async fn an_unknown_computer_is_an_error_of_its_own<S: Store>(store: &S) {
    let unknown = Subject { store, computer: id(LifeName::mint().as_str()) };
    let computer = || unknown.computer.clone();
    let is_unknown = |result: Result<(), StoreError>| {
        let is_typed = matches!(&result, Err(error @ StoreError::NoSuchComputer { computer: named })
            if *named == unknown.computer && !error.is_transient());
        assert!(is_typed, "an unknown computer gave {result:?}");
    };
    let (by, nobody) = (|| gateway("kit"), Incarnation::NOBODY);
    let cited = page(nobody, 1);
    is_unknown(store.ask(Ask { computer: computer(), life: LifeName::mint() }).await.map(drop));
    let question = Question { computer: computer(), life: LifeName::mint(), expected: nobody };
    is_unknown(store.register(question).await.map(drop));
    is_unknown(store.begin(Begin { gateway: by(), computer: computer(), operation: None }).await.map(drop));
    is_unknown(store.save(unknown.to_save(cited, b"page")).await.map(drop));
    is_unknown(store.claim(Claim { gateway: by(), computer: computer(), expected: nobody }).await.map(drop));
    is_unknown(store.send_wipe(SendWipe { gateway: by(), computer: computer() }).await.map(drop));
    is_unknown(store.finish(Finish { gateway: by(), computer: computer(), wiped: nobody }).await.map(drop));
    is_unknown(store.load(Load { gateway: by(), computer: computer() }).await.map(drop));
    let resolve = Resolve { gateway: by(), computer: computer(), cited, operation: None };
    is_unknown(store.resolve(resolve).await.map(drop));
    let body = Bytes::from_static(b"page");
    let rollback = Rollback { gateway: by(), computer: computer(), to: cited, body, expected: nobody };
    is_unknown(store.rollback(rollback).await.map(drop));
    assert_eq!(ok(store.look(computer()).await), None);
}

async fn computers_share_nothing<S: Store>(store: &S) {
    let (one, own) = Subject::registered(store).await;
    let (other, _) = Subject::registered(store).await;
    assert_eq!(one.save(page(own, 1)).await, SaveOutcome::Stored);
    let before = one.look().await;
    other.reset().await;
    let _ = other.register_anew().await;
    assert_eq!(one.look().await, before);
}

async fn a_step_is_taken_though_nobody_waits<S: Store>(store: &S) {
    let (subject, own) = Subject::registered(store).await;
    drop(store.save(subject.to_save(page(own, 1), b"page")));
    let first = store.save(subject.to_save(page(own, 2), b"page"));
    let second = store.save(subject.to_save(page(own, 3), b"page"));
    // Polled in the other order, and taken in the order of the calls.
    assert_eq!(ok(second.await), SaveOutcome::Stored);
    assert_eq!(ok(first.await), SaveOutcome::Stored);
    assert_eq!(subject.look().await.page, Some(page(own, 3)));
}

async fn save_1_a_call_names_the_current_incarnation<S: Store>(store: &S) {
    let subject = Subject::created(store).await;
    assert_eq!(subject.begin().await, BeginOutcome::NeverRegistered);
    let first = subject.register_anew().await;
    assert_eq!(subject.begin().await, BeginOutcome::Begun { incarnation: first });
    let second = subject.register_anew().await;
    assert_eq!(subject.begin().await, BeginOutcome::Begun { incarnation: second });
}

async fn save_3_a_late_save_is_fenced_with_and_without_a_page<S: Store>(store: &S) {
    let (subject, old) = Subject::registered(store).await;
    assert_eq!(subject.save(page(old, 7)).await, SaveOutcome::Stored);
    let current = subject.register_anew().await;
    let before = subject.look().await;
    assert_eq!(subject.save(page(old, 8)).await, SaveOutcome::Fenced { current });
    assert_eq!(subject.look().await, before);
    let current = subject.reset().await;
    assert_eq!(subject.look().await.page, None);
    assert_eq!(subject.save(page(old, 9)).await, SaveOutcome::Fenced { current });
    assert_eq!(subject.look().await.page, None);
    // A name that is yet to come is as wrong as one that is over.
    assert_eq!(subject.save(page(yet_to_come(current), 1)).await, SaveOutcome::Fenced { current });
}

async fn save_3_a_page_of_nobody_is_fenced<S: Store>(store: &S) {
    let subject = Subject::created(store).await;
    let nobody = Incarnation::NOBODY;
    // Nobody is what the computer is, and still there is no life that the page could be of.
    assert_eq!(subject.save(page(nobody, 1)).await, SaveOutcome::Fenced { current: nobody });
    let current = subject.register_anew().await;
    assert_eq!(subject.save(page(nobody, 1)).await, SaveOutcome::Fenced { current });
    assert_eq!(subject.look().await.page, None);
}

async fn save_4_only_a_newer_page_of_its_own_life_replaces<S: Store>(store: &S) {
    let (subject, own) = Subject::registered(store).await;
    assert_eq!(subject.save(page(own, 7)).await, SaveOutcome::Stored);
    let stored = page(own, 7);
    for late in [1, 6, 7] {
        assert_eq!(subject.save(page(own, late)).await, SaveOutcome::Superseded { stored });
    }
    assert_eq!(subject.load().await.body.as_deref(), Some(stored.to_string().as_bytes()));
    assert_eq!(subject.save(page(own, 9)).await, SaveOutcome::Stored);
}

async fn restart_6_a_young_life_replaces_the_page_of_an_old_one<S: Store>(store: &S) {
    let (subject, old) = Subject::registered(store).await;
    assert_eq!(subject.save(page(old, 7)).await, SaveOutcome::Stored);
    let young = subject.register_anew().await;
    assert_eq!(subject.save(page(young, 1)).await, SaveOutcome::Stored);
    assert_eq!(subject.look().await.page, Some(page(young, 1)));
}

async fn save_5_the_first_cause_is_the_one_that_is_told<S: Store>(store: &S) {
    let (subject, old) = Subject::registered(store).await;
    let current = subject.register_anew().await;
    assert_eq!(subject.save(page(current, 5)).await, SaveOutcome::Stored);
    // Both of another life and older: it is fenced.
    assert_eq!(subject.save(page(old, 1)).await, SaveOutcome::Fenced { current });
    assert_eq!(subject.claim(current).await, ClaimOutcome::Claimed);
    // Of another life as well, but a reset is under way.
    assert_eq!(subject.save(page(old, 1)).await, SaveOutcome::Resetting { current });
    assert_eq!(subject.claim(old).await, ClaimOutcome::UnderWay { current });
    assert_eq!(subject.rollback(page(current, 5), old).await, RollbackOutcome::Resetting { current });
}

async fn save_7_a_rollback_happens_once_and_mints<S: Store>(store: &S) {
    let (subject, own) = Subject::registered(store).await;
    let older = page(own, 1);
    assert_eq!(subject.save(older).await, SaveOutcome::Stored);
    assert_eq!(subject.save(page(own, 2)).await, SaveOutcome::Stored);
    let RollbackOutcome::RolledBack { minted } = subject.rollback(older, own).await else {
        panic!("a rollback to an older page of this life is refused");
    };
    assert_ne!(minted, own);
    assert_eq!(subject.look().await.page, Some(older));
    assert_eq!(subject.rollback(older, own).await, RollbackOutcome::Moved { current: minted });
    // The page is nobody's newest until the next process has loaded it, so nothing resolves and no late save lands.
    assert_eq!(subject.resolve(older).await, ResolveOutcome::Stale { current: minted, stored: Some(older) });
    assert_eq!(subject.save(page(own, 3)).await, SaveOutcome::Fenced { current: minted });
}

async fn save_8_what_was_wiped_is_not_rolled_back_to<S: Store>(store: &S) {
    let (subject, old) = Subject::registered(store).await;
    assert_eq!(subject.save(page(old, 1)).await, SaveOutcome::Stored);
    let since = subject.reset().await;
    assert_eq!(subject.rollback(page(old, 1), since).await, RollbackOutcome::Wiped { since });
    assert_eq!(subject.look().await.page, None);
    // What the reset itself opened is the first that was not wiped.
    let first = subject.rollback(page(since, 1), since).await;
    assert!(matches!(first, RollbackOutcome::RolledBack { .. }), "{first:?}");
    let young = subject.register_anew().await;
    assert_eq!(subject.save(page(young, 1)).await, SaveOutcome::Stored);
    // What came after the reset is within reach.
    assert!(matches!(subject.rollback(page(young, 1), young).await, RollbackOutcome::RolledBack { .. }));
}

async fn save_8_what_nobody_can_have_loaded_is_not_rolled_back_to<S: Store>(store: &S) {
    let subject = Subject::created(store).await;
    let nobody = Incarnation::NOBODY;
    let never = |current| RollbackOutcome::NeverMinted { current };
    assert_eq!(subject.rollback(page(nobody, 1), nobody).await, never(nobody));
    let current = subject.register_anew().await;
    assert_eq!(subject.save(page(current, 1)).await, SaveOutcome::Stored);
    let before = subject.look().await;
    assert_eq!(subject.rollback(page(yet_to_come(current), 1), current).await, never(current));
    assert_eq!(subject.rollback(page(nobody, 1), current).await, never(current));
    assert_eq!(never(current).because(), RollbackOutcome::Wiped { since: current }.because());
    assert_eq!(subject.look().await, before);
}

async fn save_9_a_load_shows_every_byte<S: Store>(store: &S) {
    let (subject, own) = Subject::registered(store).await;
    let nothing = subject.load().await;
    assert_eq!((nothing.standing.page, nothing.body), (None, None));
    let all_bytes: Vec<u8> = (0..=u8::MAX).cycle().take(70_000).collect();
    for (generation, body) in [(1, &[][..]), (2, &[0][..]), (3, &all_bytes)] {
        let name = page(own, generation);
        assert_eq!(ok(store.save(subject.to_save(name, body)).await), SaveOutcome::Stored);
        let loaded = subject.load().await;
        assert_eq!((loaded.standing.page, loaded.body.as_deref()), (Some(name), Some(body)));
    }
}

async fn reset_1_a_claim_ends_what_it_expects_and_takes_the_page<S: Store>(store: &S) {
    let (subject, old) = Subject::registered(store).await;
    let current = subject.register_anew().await;
    assert_eq!(subject.save(page(current, 1)).await, SaveOutcome::Stored);
    assert_eq!(subject.claim(old).await, ClaimOutcome::Moved { current });
    assert_eq!(subject.look().await.page, Some(page(current, 1)));
    assert_eq!(subject.claim(current).await, ClaimOutcome::Claimed);
    let standing = subject.look().await;
    assert!(standing.is_resetting);
    assert_eq!((standing.incarnation, standing.page), (current, None));
    assert_eq!(subject.claim(current).await, ClaimOutcome::UnderWay { current });
}

async fn reset_2_nothing_lands_while_a_reset_is_under_way<S: Store>(store: &S) {
    let (subject, own) = Subject::registered(store).await;
    assert_eq!(subject.save(page(own, 1)).await, SaveOutcome::Stored);
    assert_eq!(subject.claim(own).await, ClaimOutcome::Claimed);
    assert_eq!(subject.save(page(own, 2)).await, SaveOutcome::Resetting { current: own });
    assert_eq!(subject.rollback(page(own, 1), own).await, RollbackOutcome::Resetting { current: own });
    // A process that registers meanwhile does not open the door.
    let current = subject.register_anew().await;
    assert_eq!(subject.save(page(current, 1)).await, SaveOutcome::Resetting { current });
    assert_eq!(subject.look().await.page, None);
}

async fn reset_5_a_wipe_is_sent_only_within_a_reset<S: Store>(store: &S) {
    let (subject, own) = Subject::registered(store).await;
    assert_eq!(subject.send_wipe("kit").await, SendWipeOutcome::NotResetting { current: own });
    assert_eq!(subject.claim(own).await, ClaimOutcome::Claimed);
    assert_eq!(subject.send_wipe("kit").await, SendWipeOutcome::Send { incarnation: own });
    let current = subject.register_anew().await;
    assert_eq!(subject.send_wipe("kit").await, SendWipeOutcome::Send { incarnation: current });
}

async fn reset_4_a_reset_ends_once_and_only_if_the_current_life_was_wiped<S: Store>(store: &S) {
    let (subject, old) = Subject::registered(store).await;
    assert_eq!(subject.finish(old).await, FinishOutcome::NotResetting { current: old });
    assert_eq!(subject.claim(old).await, ClaimOutcome::Claimed);
    let current = subject.register_anew().await;
    assert_eq!(subject.finish(old).await, FinishOutcome::NotWiped { current });
    assert!(subject.look().await.is_resetting);
    let FinishOutcome::Finished { minted } = subject.finish(current).await else {
        panic!("a reset whose current life was wiped does not end");
    };
    let standing = subject.look().await;
    assert_eq!((standing.incarnation, standing.since, standing.is_resetting), (minted, minted, false));
    assert_eq!(subject.finish(current).await, FinishOutcome::NotResetting { current: minted });
}

async fn reset_5_what_is_under_way_is_found_page_by_page<S: Store>(store: &S) {
    let mut claimed = Vec::new();
    for _ in 0..3 {
        let (subject, own) = Subject::registered(store).await;
        assert_eq!(subject.claim(own).await, ClaimOutcome::Claimed);
        // Any gateway may drive it, not only the one that has claimed it.
        assert_eq!(subject.send_wipe("another").await, SendWipeOutcome::Send { incarnation: own });
        claimed.push(subject.computer.clone());
    }
    let (untouched, _) = Subject::registered(store).await;
    let mut found: Vec<ComputerId> = Vec::new();
    loop {
        let more = ok(store.resets_under_way(found.last().cloned(), 2).await);
        assert!(more.len() <= 2);
        let is_behind = |id: &ComputerId| found.last().is_none_or(|last| id > last);
        assert!(more.iter().all(is_behind) && more.is_sorted(), "a walk that goes back does not end");
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    assert!(claimed.iter().all(|computer| found.contains(computer)));
    assert!(!found.contains(&untouched.computer));
}

async fn reset_6_only_the_stored_page_of_the_current_life_resolves<S: Store>(store: &S) {
    let (subject, own) = Subject::registered(store).await;
    let stale = |current, stored| ResolveOutcome::Stale { current, stored };
    assert_eq!(subject.resolve(page(own, 1)).await, stale(own, None));
    assert_eq!(subject.save(page(own, 1)).await, SaveOutcome::Stored);
    let body = Bytes::from(page(own, 1).to_string());
    assert_eq!(subject.resolve(page(own, 1)).await, ResolveOutcome::Resolved { body });
    assert_eq!(subject.resolve(page(own, 2)).await, stale(own, Some(page(own, 1))));
    let current = subject.register_anew().await;
    // The page is stored, and of a life that is over.
    assert_eq!(subject.resolve(page(own, 1)).await, stale(current, Some(page(own, 1))));
    let current = subject.reset().await;
    assert_eq!(subject.resolve(page(own, 1)).await, stale(current, None));
}

async fn restart_1_one_of_many_questions_is_answered<S: Store>(store: &S) {
    let subject = Subject::created(store).await;
    let mut questions = Vec::new();
    for _ in 0..8 {
        questions.push(subject.ask().await);
    }
    let submitted: Vec<_> = questions.into_iter().map(|question| store.register(question)).collect();
    let mut winners = Vec::new();
    for outcome in submitted {
        match ok(outcome.await) {
            RegisterOutcome::Registered { incarnation } => winners.push(incarnation),
            RegisterOutcome::Overtaken { current } => assert_eq!(Some(&current), winners.first()),
        }
    }
    assert_eq!(winners, [subject.look().await.incarnation]);
}

async fn restart_2_whatever_ends_a_life_mints<S: Store>(store: &S) {
    let (subject, first) = Subject::registered(store).await;
    let second = subject.register_anew().await;
    let third = subject.reset().await;
    let fourth = subject.register_anew().await;
    assert_eq!(subject.save(page(fourth, 1)).await, SaveOutcome::Stored);
    let RollbackOutcome::RolledBack { minted: fifth } = subject.rollback(page(fourth, 1), fourth).await else {
        panic!("a rollback to the stored page is refused");
    };
    let minted = [first, second, third, fourth, fifth];
    assert!(minted.windows(2).all(|pair| pair[0].was_minted_before(pair[1])), "not in order: {minted:?}");
}

pub(super) async fn restart_2_nothing_follows_the_last_incarnation<S: Store>(subject: &Subject<'_, S>) {
    let is_last = |result: Result<(), StoreError>| {
        let is_typed = matches!(&result, Err(error @ StoreError::LastIncarnation { computer })
            if *computer == subject.computer && !error.is_transient());
        assert!(is_typed, "minting after the last incarnation gave {result:?}");
    };
    let (store, computer, last) = (subject.store, || subject.computer.clone(), subject.look().await.incarnation);
    let question = subject.ask().await;
    is_last(store.register(question.clone()).await.map(drop));
    // It still works as what it is.
    assert_eq!(subject.save(page(last, 1)).await, SaveOutcome::Stored);
    let (to, body) = (page(last, 1), Bytes::from_static(b"page"));
    let rollback = Rollback { gateway: gateway("kit"), computer: computer(), to, body, expected: last };
    is_last(store.rollback(rollback).await.map(drop));
    assert_eq!(subject.look().await.page, Some(to));
    assert_eq!(subject.claim(last).await, ClaimOutcome::Claimed);
    let finish = Finish { gateway: gateway("kit"), computer: computer(), wiped: last };
    is_last(store.finish(finish).await.map(drop));
    is_last(store.register(question).await.map(drop));
    let standing = subject.look().await;
    assert_eq!((standing.incarnation, standing.is_resetting), (last, true));
}

/// A name that the store has not minted yet.
fn yet_to_come(current: Incarnation) -> Incarnation {
    current.next().expect("a kit mints few")
}
