//! TRACE: what the recorder of a store says, and when.

mod common;

use common::{World, exported, on_each};
use outlive::store::SaveOutcome;
use outlive::testing::CounterKind;
use serde_json::Value;

#[tokio::test]
async fn trace_3_what_cannot_be_recorded_does_not_happen() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::in_file(folder.path(), CounterKind::StartsAgain).await;
    let (ticket, answer) = world.snapshot().await;
    let before = exported(&*world.store).await;
    // 1. The file takes no more events. 2. A save comes. 3. Neither the page nor its event is there.
    let other = rusqlite::Connection::open(folder.path().join("store.db")).unwrap();
    other
        .execute_batch("CREATE TRIGGER full BEFORE INSERT ON trace BEGIN SELECT raise(ABORT, 'no room'); END")
        .unwrap();
    assert!(world.gateway.save(&ticket, &answer).await.is_err());
    other.execute_batch("DROP TRIGGER full").unwrap();
    assert_eq!(exported(&*world.store).await, before);
    assert_eq!(world.load().await, None);
    // 4. With room for the event, the same save lands.
    assert_eq!(world.save(&(ticket, answer)).await, SaveOutcome::Stored);
}

#[tokio::test]
async fn trace_3_a_refusal_is_recorded_with_its_cause_and_the_row() {
    on_each!(|world| {
        let late = world.snapshot().await;
        let current = world.restart().await;
        assert_eq!(world.save(&late).await, SaveOutcome::Fenced { current });
        let events = exported(&*world.store).await;
        let refused = last(&events, "save");
        assert_eq!((&refused["outcome"], &refused["because"]), (&"refused".into(), &"SAVE-3".into()));
        assert_eq!(refused["row"]["incarnation"], current.number());
    });
}

#[tokio::test]
async fn trace_4_a_read_that_decides_is_recorded_with_what_was_seen() {
    on_each!(|world| {
        world.works().await;
        let current = world.current().await.number();
        let events = exported(&*world.store).await;
        for (action, field, seen) in [
            ("ask", "expected", current - 1),
            ("begin", "incarnation", current),
            ("load", "incarnation", current),
            ("resolve", "incarnation", current),
        ] {
            let event = last(&events, action);
            assert_eq!((&event["phase"], &event[field]), (&"observe".into(), &seen.into()), "{action}");
        }
    });
}

fn last<'a>(events: &'a [Value], action: &str) -> &'a Value {
    events.iter().rev().find(|event| event["action"] == action).unwrap_or_else(|| panic!("no {action} was recorded"))
}
