//! A second judge, as slow and as plain as it can be: it asks every action there is whether the line could mean it, and
//! keeps every state that is possible. No index, no guess which message was meant, no numbering but by the names. What
//! may have become of calls whose outcome is open is tried in every order, and nothing is ever closed.

pub(crate) mod operation;
pub(crate) mod snapshot;

use std::collections::BTreeSet;

use outlive_model_check::conform::mutate::Events;
use serde_json::{Map, Value};

/// Whether the events of each computer alone are a behaviour: computers share nothing.
fn of_each_computer(events: &Events, conforms: fn(&Events) -> bool) -> bool {
    let computers: BTreeSet<String> = events.iter().filter_map(|event| text(event, "computer")).collect();
    computers.iter().all(|computer| {
        let is_its = |event: &&Map<String, Value>| text(event, "computer").as_ref() == Some(computer);
        conforms(&events.iter().filter(is_its).cloned().collect())
    })
}

fn action(event: &Map<String, Value>) -> String {
    text(event, "action").expect("every event has an action")
}

fn text(event: &Map<String, Value>, field: &str) -> Option<String> {
    event.get(field).and_then(Value::as_str).map(str::to_owned)
}

fn number(event: &Map<String, Value>, field: &str) -> Option<u32> {
    event.get(field).and_then(Value::as_u64).map(|it| it as u32)
}
