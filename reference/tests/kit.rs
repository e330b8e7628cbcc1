//! Both stores are held to the same list.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use outlive::store::{Create, Durability, MemoryStore, SqliteOptions, SqliteStore};
use outlive::testing::store_kit;
use outlive::{ComputerId, Store};

/// As many as the list has. A kit that forgets one would pass.
const BEHAVIOURS: usize = 22;

#[tokio::test]
async fn a_store_in_memory_behaves() {
    assert_eq!(store_kit::hold(Arc::new(MemoryStore::new())).await, BEHAVIOURS);
    assert_eq!(store_kit::hold(Arc::new(MemoryStore::recording())).await, BEHAVIOURS);
}

#[tokio::test]
async fn a_store_in_a_file_behaves() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions::new().durability(Durability::Normal);
    let plain = SqliteStore::open(folder.path().join("plain.db"), options.clone()).unwrap();
    assert_eq!(store_kit::hold(Arc::new(plain)).await, BEHAVIOURS);
    let recorded = SqliteStore::open(folder.path().join("recorded.db"), options.recording()).unwrap();
    assert_eq!(store_kit::hold(Arc::new(recorded)).await, BEHAVIOURS);
}

#[tokio::test]
async fn a_store_behaves_again_once_it_was_closed() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let store = SqliteStore::open(folder.path().join("store.db"), SqliteOptions::new()).unwrap();
        assert_eq!(store_kit::hold(Arc::new(store)).await, BEHAVIOURS);
    }
}

#[tokio::test]
async fn restart_2_a_store_in_a_file_mints_nothing_after_the_last_incarnation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = SqliteStore::open(&path, SqliteOptions::new().recording()).unwrap();
    let computer = ComputerId::new("old").unwrap();
    let _ = store.create(Create { computer: computer.clone() }).await.unwrap();
    let raw = rusqlite::Connection::open(&path).unwrap();
    let changed = raw.execute("UPDATE computer SET incarnation = (1 << 53) - 1", []).unwrap();
    assert_eq!(changed, 1);
    store_kit::hold_the_last_incarnation(&store, &computer).await;
}
