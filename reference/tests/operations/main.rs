//! Operations on both stores: one list of behaviours, one schedule of chance, and what only a file can show.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod chance;
mod file;
mod provider;
mod recorded;

use std::sync::Arc;

use outlive::store::{Durability, SqliteOptions};
use outlive::testing::operation_kit;
use outlive::{MemoryStore, SqliteStore};

/// As many as the list has. A kit that forgets one would pass.
const BEHAVIOURS: usize = 31;

fn options() -> SqliteOptions {
    SqliteOptions::new().durability(Durability::Normal)
}

#[tokio::test]
async fn a_store_in_memory_behaves() {
    assert_eq!(operation_kit::hold(Arc::new(MemoryStore::new())).await, BEHAVIOURS);
    assert_eq!(operation_kit::hold(Arc::new(MemoryStore::recording())).await, BEHAVIOURS);
}

#[tokio::test]
async fn a_store_in_a_file_behaves_and_again_once_it_was_closed() {
    let folder = tempfile::tempdir().unwrap();
    for options in [options(), options().recording()] {
        let store = SqliteStore::open(folder.path().join("store.db"), options).unwrap();
        assert_eq!(operation_kit::hold(Arc::new(store)).await, BEHAVIOURS);
    }
}
