//! RESET: what a reset ends, and that somebody can end every reset.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod common;

use common::{BOTH_KINDS, World, exported, on_each};
use outlive::snapshot::{Computer, NotResetting, ResetError, ResetOutcome, Resolved, WipeOrder, WipeReply};
use outlive::store::{ClaimOutcome, FinishOutcome, MemoryStore, SaveOutcome, Store};
use outlive::testing::{Crash, CrashingStore, Learned, Refusal, SimulatedComputer};
use outlive::{Gateway, GatewayName};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn reset_1_a_decision_on_a_life_that_is_over_wipes_nothing() {
    on_each!(|world| {
        let seen = world.current().await;
        let current = world.restart().await;
        let page = world.stored().await;
        let outcome = world.gateway.reset(&world.id, seen, &world.computer).await.unwrap();
        assert_eq!(outcome, ResetOutcome::Moved { current });
        assert_eq!((world.load().await, world.computer.incarnation()), (Some(page), Some(current)));
    });
}

#[tokio::test]
async fn reset_1_the_page_is_gone_before_anything_is_wiped() {
    on_each!(|world| {
        world.stored().await;
        let own = world.current().await;
        assert_eq!(world.gateway.claim(&world.id, own).await.unwrap(), ClaimOutcome::Claimed);
        assert_eq!((world.load().await, world.computer.incarnation()), (None, Some(own)));
        let again = world.other.reset(&world.id, own, &world.computer).await.unwrap();
        assert_eq!(again, ResetOutcome::UnderWay { current: own });
    });
}

#[tokio::test]
async fn reset_2_nothing_lands_between_claim_and_finish() {
    on_each!(|world| {
        let late = world.snapshot().await;
        let current = world.current().await;
        let _ = world.gateway.claim(&world.id, current).await.unwrap();
        assert_eq!(world.save(&late).await, SaveOutcome::Resetting { current });
        let order = world.gateway.send_wipe(&world.id).await.unwrap().unwrap();
        assert_eq!(world.computer.wipe(&order).await.unwrap(), WipeReply::Obeyed);
        assert_eq!(world.save(&late).await, SaveOutcome::Resetting { current });
        assert!(matches!(world.gateway.finish(&order.confirmed()).await.unwrap(), FinishOutcome::Finished { .. }));
        assert!(matches!(world.save(&late).await, SaveOutcome::Fenced { .. }));
    });
}

#[tokio::test]
async fn reset_3_a_wipe_that_arrives_after_its_reset_is_refused() {
    on_each!(|world| {
        // 1. Two gateways drive one reset. 2. One of them ends it. 3. The other's order arrives in the next life.
        let own = world.current().await;
        let _ = world.gateway.claim(&world.id, own).await.unwrap();
        let late = world.other.send_wipe(&world.id).await.unwrap().unwrap();
        assert!(matches!(
            world.gateway.drive_reset(&world.id, &world.computer).await.unwrap(),
            ResetOutcome::Done { .. }
        ));
        let young = world.register().await;
        let page = world.stored().await;
        assert_eq!(world.computer.wipe(&late).await.unwrap(), WipeReply::Refused { own: Some(young) });
        assert_eq!(world.load().await, Some(page));
        let nothing = world.other.send_wipe(&world.id).await.unwrap();
        assert_eq!(nothing, Err(NotResetting { current: young }));
    });
}

#[tokio::test]
async fn reset_4_a_process_that_registers_during_a_reset_is_wiped_too() {
    on_each!(|world| {
        // 1. The first process is wiped. 2. Another registers. 3. The gateway, which has slept, ends the reset.
        let own = world.current().await;
        let _ = world.gateway.claim(&world.id, own).await.unwrap();
        let order = world.gateway.send_wipe(&world.id).await.unwrap().unwrap();
        assert_eq!(world.computer.wipe(&order).await.unwrap(), WipeReply::Obeyed);
        let current = world.register().await;
        let refused = world.gateway.finish(&order.confirmed()).await.unwrap();
        assert_eq!(refused, FinishOutcome::NotWiped { current });
        // 4. It is driven on, and the new process is wiped as well.
        let done = world.gateway.drive_reset(&world.id, &world.computer).await.unwrap();
        assert!(matches!(done, ResetOutcome::Done { minted } if minted != current));
        assert_eq!(world.computer.incarnation(), None);
    });
}

#[tokio::test]
async fn reset_4_a_reset_that_nobody_began_does_not_end() {
    on_each!(|world| {
        let own = world.current().await;
        let outcome = world.gateway.drive_reset(&world.id, &world.computer).await.unwrap();
        assert_eq!(outcome, ResetOutcome::NotResetting { current: own });
        assert_eq!(world.computer.incarnation(), Some(own));
    });
}

#[tokio::test]
async fn reset_4_a_computer_that_does_not_know_itself_is_waited_for() {
    on_each!(|world| {
        let current = world.current().await;
        world.computer.restart().await.unwrap();
        let waiting = world.gateway.reset(&world.id, current, &world.computer).await.unwrap();
        assert_eq!(waiting, ResetOutcome::Waiting { current, own: None });
        world.register().await;
        let done = world.other.drive_reset(&world.id, &world.computer).await.unwrap();
        assert!(matches!(done, ResetOutcome::Done { .. }));
    });
}

/// A computer whose process dies on its way to each of the first two orders. The gateway is told that it refuses, and
/// before it has looked again, the next process has registered.
struct Restarting<'a, S>(&'a SimulatedComputer<S>, AtomicUsize);

impl<S: Store> Computer for Restarting<'_, S> {
    type Error = outlive::StoreError;

    async fn wipe(&self, order: &WipeOrder) -> Result<WipeReply, outlive::StoreError> {
        let Restarting(computer, orders) = self;
        if orders.fetch_add(1, Ordering::Relaxed) >= 2 {
            return computer.wipe(order).await;
        }
        computer.restart().await?;
        let reply = computer.wipe(order).await;
        assert!(matches!(computer.register().await?, Learned::Is(_)));
        reply
    }
}

#[tokio::test]
async fn reset_4_who_was_refused_by_one_life_after_another_need_not_wait() {
    on_each!(|world| {
        let own = world.current().await;
        let restarting = Restarting(&world.computer, AtomicUsize::new(0));
        let done = world.gateway.reset(&world.id, own, &restarting).await.unwrap();
        assert!(matches!(done, ResetOutcome::Done { .. }), "{done:?}");
        assert_eq!(restarting.1.into_inner(), 3, "each refusal came from another incarnation");
        world.register().await;
        world.works().await;
    });
}

/// A computer that obeys, and whose answer is lost.
struct Mute<'a, C>(&'a C);

impl<C: Computer> Computer for Mute<'_, C> {
    type Error = &'static str;

    async fn wipe(&self, order: &WipeOrder) -> Result<WipeReply, &'static str> {
        match self.0.wipe(order).await {
            Ok(_) => Err("the answer was lost"),
            Err(_) => Err("the computer failed"),
        }
    }
}

#[tokio::test]
async fn reset_5_a_lost_answer_leaves_a_reset_that_another_gateway_ends() {
    on_each!(|world| {
        world.stored().await;
        let own = world.current().await;
        let error = world.gateway.reset(&world.id, own, &Mute(&world.computer)).await.unwrap_err();
        assert!(matches!(error, ResetError::Computer("the answer was lost")));
        end_reset(&world.other, &world).await;
        world.works().await;
    });
}

/// What a gateway does that finds a reset under way: it drives it on, and waits for the computer where it must.
async fn end_reset<S: Store>(by: &Gateway<S>, world: &World<S>) {
    for _ in 0..4 {
        match by.drive_reset(&world.id, &world.computer).await.unwrap() {
            ResetOutcome::Waiting { .. } => {
                let _ = world.computer.register().await.unwrap();
            }
            ResetOutcome::Done { .. } | ResetOutcome::NotResetting { .. } => {
                let _ = world.computer.register().await.unwrap();
                return;
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("the reset does not end");
}

/// Claim, send-wipe and finish: what a reset asks of the store.
const STEPS_OF_A_RESET: usize = 3;

/// A gateway dies before or after each of its steps, with and without the computer dying too. Whoever comes next ends
/// the reset if it was claimed, and in no case is the old page seen again.
async fn crash_at_each_step<S: Store>(worlds: impl AsyncFn(outlive::testing::CounterKind) -> World<S>) {
    for kind in BOTH_KINDS {
        for at_step in 0..STEPS_OF_A_RESET {
            for (crash, computer_dies_too) in
                [Crash::Before, Crash::After].into_iter().flat_map(|crash| [(crash, false), (crash, true)])
            {
                let world = worlds(kind).await;
                let page = world.stored().await;
                let late = world.snapshot().await;
                let own = world.current().await;
                let dying = Arc::new(CrashingStore::new(world.store.clone(), crash, at_step));
                let name = GatewayName::new("gateway-that-dies").unwrap();
                let gateway = Gateway::new(dying.clone(), name.clone());
                let died = gateway.reset(&world.id, own, &world.computer).await;
                assert!(matches!(died, Err(ResetError::Store(_))) && dying.has_crashed());
                world.store.recorder().gateway_crashed(&name).await.unwrap();
                if computer_dies_too {
                    world.computer.restart().await.unwrap();
                }
                let is_claimed = (at_step, crash) != (0, Crash::Before);
                let under_way = world.other.standing(&world.id).await.unwrap();
                let is_over = (at_step, crash) == (STEPS_OF_A_RESET - 1, Crash::After);
                assert_eq!(under_way.is_resetting, is_claimed && !is_over, "{at_step} {crash:?}");
                assert_eq!(under_way.page.is_none(), is_claimed);
                end_reset(&world.other, &world).await;
                if is_claimed {
                    assert!(matches!(world.save(&late).await, SaveOutcome::Fenced { .. }));
                    let resolved = world.other.resolve(&world.id, page.name()).await.unwrap();
                    assert!(matches!(resolved, Resolved::Stale { .. }), "{resolved:?}");
                }
                world.works().await;
                world.check_trace().await;
            }
        }
    }
}

#[tokio::test]
async fn reset_5_a_crash_between_any_two_steps_is_mended_in_memory() {
    crash_at_each_step(async |kind| World::in_memory(kind).await).await;
}

#[tokio::test]
async fn reset_5_a_crash_between_any_two_steps_is_mended_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let next = AtomicUsize::new(0);
    crash_at_each_step(async |kind| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let own_folder = folder.path().join(number.to_string());
        std::fs::create_dir(&own_folder).unwrap();
        World::in_file(&own_folder, kind).await
    })
    .await;
}

/// Polls a future until it has waited this often, and drops it. Says whether it came to its end before.
async fn dropped_after<F: Future>(waits: usize, future: F) -> bool {
    let mut future = std::pin::pin!(future);
    let mut waited = 0;
    std::future::poll_fn(|context| match future.as_mut().poll(context) {
        std::task::Poll::Ready(_) => std::task::Poll::Ready(true),
        std::task::Poll::Pending if waited == waits => std::task::Poll::Ready(false),
        std::task::Poll::Pending => {
            waited += 1;
            std::task::Poll::Pending
        }
    })
    .await
}

#[tokio::test]
async fn reset_5_a_reset_that_is_dropped_at_any_await_is_mended() {
    let mut ended = 0;
    for waits in 0..16 {
        let folder = tempfile::tempdir().unwrap();
        let world = World::in_file(folder.path(), BOTH_KINDS[waits % 2]).await;
        world.stored().await;
        let late = world.snapshot().await;
        let own = world.current().await;
        ended += usize::from(dropped_after(waits, world.gateway.reset(&world.id, own, &world.computer)).await);
        // What was submitted is taken, so the claim is there; and whoever finds it can end it.
        end_reset(&world.other, &world).await;
        assert!(matches!(world.save(&late).await, SaveOutcome::Fenced { .. }));
        world.works().await;
        world.check_trace().await;
    }
    assert!((1..16).contains(&ended), "it was dropped at {} awaits of 16", 16 - ended);
}

#[tokio::test]
async fn reset_6_a_wiped_page_resolves_for_nobody() {
    on_each!(|world| {
        let page = world.stored().await;
        let current = world.reset().await;
        let stale = world.gateway.resolve(&world.id, page.name()).await.unwrap();
        assert_eq!(stale, Resolved::Stale { current, stored: None });
    });
}

#[tokio::test]
async fn reset_6_a_page_of_a_process_that_has_died_does_not_resolve() {
    on_each!(|world| {
        let page = world.stored().await;
        let current = world.restart().await;
        let stale = world.gateway.resolve(&world.id, page.name()).await.unwrap();
        assert_eq!(stale, Resolved::Stale { current, stored: Some(page.name()) });
    });
}

#[tokio::test]
async fn reset_7_an_act_is_forwarded_only_if_it_was_resolved() {
    on_each!(|world| {
        let shown = world.stored().await;
        world.stored().await;
        // The agent clicks on the page before. There is no act, so there is nothing that could be forwarded.
        let resolved = world.gateway.resolve(&world.id, shown.name()).await.unwrap();
        assert!(matches!(resolved, Resolved::Stale { .. }));
        world.works().await;
    });
}

/// A computer in whose place another process registers each time it is told to wipe itself.
struct Restless<'a>(&'a SimulatedComputer<MemoryStore>);

impl Computer for Restless<'_> {
    type Error = outlive::StoreError;

    async fn wipe(&self, order: &WipeOrder) -> Result<WipeReply, outlive::StoreError> {
        let reply = self.0.wipe(order).await;
        assert!(matches!(self.0.register().await?, Learned::Is(_)));
        reply
    }
}

#[tokio::test]
async fn reset_4_a_computer_that_never_rests_is_given_up_for_now() {
    let world = World::in_memory(BOTH_KINDS[0]).await;
    let own = world.current().await;
    let outcome = world.gateway.reset(&world.id, own, &Restless(&world.computer)).await.unwrap();
    let standing = world.gateway.standing(&world.id).await.unwrap();
    assert_eq!(outcome, ResetOutcome::GivenUp { current: standing.incarnation, orders: 16 });
    assert!(standing.is_resetting);
    let wipes = exported(&*world.store).await.iter().filter(|event| event["action"] == "wipe").count();
    assert_eq!(wipes, 16);
    end_reset(&world.other, &world).await;
    world.works().await;
}

#[tokio::test]
async fn restart_5_an_act_that_arrives_after_the_wipe_is_not_performed() {
    on_each!(|world| {
        let page = world.stored().await;
        let Resolved::Forward { act, .. } = world.gateway.resolve(&world.id, page.name()).await.unwrap() else {
            panic!("the newest page does not resolve");
        };
        world.reset().await;
        assert_eq!(world.computer.perform(&act).await.unwrap(), Err(Refusal { own: None }));
        let own = world.register().await;
        assert_eq!(world.computer.perform(&act).await.unwrap(), Err(Refusal { own: Some(own) }));
    });
}

#[tokio::test]
async fn reset_8_a_reset_that_many_have_left_half_done_ends_at_last() {
    on_each!(|world| {
        world.stored().await;
        let own = world.current().await;
        assert_eq!(world.gateway.claim(&world.id, own).await.unwrap(), ClaimOutcome::Claimed);
        // 1. Each gateway dies: the first before it has sent its wipe, the second before it has ended the reset, and so
        //    on. After each second one the computer is somebody else.
        for (turn, (crash, at_step)) in [(Crash::After, 0), (Crash::Before, 1)].into_iter().cycle().take(6).enumerate()
        {
            let name = GatewayName::new(format!("gateway-that-dies-{turn}")).unwrap();
            let dying = Gateway::new(Arc::new(CrashingStore::new(world.store.clone(), crash, at_step)), name.clone());
            dying.drive_reset(&world.id, &world.computer).await.unwrap_err();
            world.store.recorder().gateway_crashed(&name).await.unwrap();
            if crash == Crash::Before {
                world.computer.restart().await.unwrap();
                world.register().await;
            }
        }
        // 2. One that lives looks for what is under way, and drives it on.
        let found = world.store.resets_under_way(None, 10).await.unwrap();
        assert_eq!(found, std::slice::from_ref(&world.id));
        end_reset(&world.other, &world).await;
        assert_eq!(world.store.resets_under_way(None, 10).await.unwrap(), []);
        world.works().await;
    });
}
