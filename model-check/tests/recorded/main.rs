//! What the reference records of operations is a behaviour of the model: whatever chance does on both stores, with a
//! provider that loses, delays and repeats; and a store whose guard is broken is refused for that guard.

#![cfg(feature = "demo")]
#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod broken;
mod chance;
#[cfg(target_os = "linux")]
mod processes;
mod world;

use outlive::Store;
use outlive::trace::Protocol;
use outlive_model_check::conform::report::Report;
use outlive_model_check::conform::{Input, Options, check};

/// The verdict on everything that a store has recorded of operations, with the trace.
async fn judged(store: &impl Store) -> (Report, String) {
    let mut out = Vec::new();
    store.recorder().export(Protocol::Operation, &mut out).await.unwrap();
    let text = String::from_utf8(out).unwrap();
    (check(&[Input::text("recorded", text.clone())], &Options::default()), text)
}
