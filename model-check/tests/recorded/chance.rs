//! Schedules of chance, judged; and what they must have met, so that they say something.

use std::collections::BTreeMap;
use std::sync::Arc;

use outlive::store::{Durability, SqliteOptions};
use outlive::{MemoryStore, OperationStore, SqliteStore, Store};
use outlive_model_check::conform::causes::refusals;
use outlive_model_check::conform::operation::WINDOWS;
use outlive_model_check::conform::render;
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::tally::Fired;
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::Verb;

use crate::judged;
use crate::world::World;

const IN_MEMORY: u64 = 150;
const IN_A_FILE: u64 = 12;
const STEPS: usize = 600;

/// How often each action ended how, and how often each danger was met.
#[derive(Default)]
struct Met {
    actions: BTreeMap<(&'static str, Option<Requirement>), u64>,
    windows: BTreeMap<String, u64>,
}

impl Met {
    /// Plays one seed, and has it judged.
    async fn play<S: Store + OperationStore>(&mut self, store: Arc<S>, seed: u64) {
        let mut worlds = Vec::new();
        for name in ["red", "blue"] {
            worlds.push(World::new(store.clone(), name, seed ^ (worlds.len() as u64) << 32).await);
        }
        for step in 0..STEPS {
            worlds[step % 2].step().await;
        }
        let (report, trace) = judged(&*store).await;
        assert_eq!(
            report.verdict,
            Verdict::Conforms,
            "seed {seed}:\n{}\n{trace}",
            render::text(&report, render::Colors::Never)
        );
        for Fired { action, because, count, .. } in &report.coverage {
            *self.actions.entry((action.word(), *because)).or_default() += count;
        }
        for opened in report.windows {
            *self.windows.entry(opened.window).or_default() += opened.count;
        }
    }
}

#[test]
fn what_chance_does_on_both_stores_is_a_behaviour_of_the_model() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut met = Met::default();
    runtime.block_on(async {
        for seed in 0..IN_MEMORY {
            met.play(Arc::new(MemoryStore::recording()), seed).await;
        }
        for seed in IN_MEMORY..IN_MEMORY + IN_A_FILE {
            let folder = tempfile::tempdir().unwrap();
            let options = SqliteOptions::new().durability(Durability::Normal).recording();
            met.play(Arc::new(SqliteStore::open(folder.path().join("store.db"), options).unwrap()), seed).await;
        }
    });
    println!("seeds 0 to {}: {:?}, {:?}", IN_MEMORY + IN_A_FILE - 1, met.actions, met.windows);
    // Nobody begins a start without a claim: that is what older releases did.
    let done = Verb::of("operation").filter(|verb| *verb != Verb::StartUnclaimed).map(|verb| (verb.word(), None));
    // What chance meets hardly ever has a test of its own (`broken.rs`).
    let is_rare = |verb, because| (verb, because) == (Verb::Conclude, Requirement::Reconcile5);
    let refused = refusals("operation").filter(|(verb, because)| !is_rare(*verb, *because));
    let refused = refused.map(|(verb, because)| (verb.word(), Some(because)));
    let never: Vec<_> = done.chain(refused).filter(|end| !met.actions.contains_key(end)).collect();
    assert!(never.is_empty(), "never met: {never:?}");
    let calm: Vec<_> = WINDOWS.iter().filter(|window| met.windows.get(window.name).is_none_or(|it| *it == 0)).collect();
    assert!(calm.is_empty(), "never opened: {:?}", calm.iter().map(|window| window.name).collect::<Vec<_>>());
}
