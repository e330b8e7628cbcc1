//! Whatever has happened, in the end the row says what is there.

use std::collections::BTreeMap;

use crate::play::Play;
use crate::world::World;

const SEEDS: u64 = 400;

#[tokio::test(start_paused = true)]
async fn reconcile_20_whatever_has_happened_the_row_says_in_the_end_what_is_there() {
    let mut kinds = BTreeMap::new();
    let mut ends = BTreeMap::new();
    for seed in 1..=SEEDS {
        let play = Play::of(seed, World::new().await).await;
        *ends.entry(format!("{:?}", play.world.phase().await)).or_insert(0) += 1;
        for (kind, times) in play.kinds {
            *kinds.entry(kind).or_insert(0) += times;
        }
    }
    assert!(kinds.values().all(|times| *times > 20) && kinds.len() == 14, "not everything has happened: {kinds:?}");
    assert!(ends.len() == 4 && ends.values().all(|times| *times > 2), "it ends always the same: {ends:?}");
}
