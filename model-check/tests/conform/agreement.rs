//! The fast judge and the naive one say the same about short traces, right ones and spoiled ones.

use outlive_model_check::conform::mutate::{Events, Mutation, mutate};
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::snapshot::walk::{Size, Walk};
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_model_check::random::Random;
use proptest::prelude::*;

use crate::naive;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_judges_agree(seed: u64, length in 1u64..30, spoiled in 0usize..3) {
        let walk = Walk::new(seed, Size { computers: 1, gateways: 2, events: length });
        let header = walk.header();
        let mut events: Events = walk.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")).collect();
        let mut random = Random::new(seed);
        for _ in 0..spoiled {
            let mutations: Vec<Mutation> = Mutation::of("snapshot").collect();
            let mutation = mutations[random.below(mutations.len())];
            if let Some((mutated, _)) = mutate(mutation, &events, &mut random) {
                events = mutated;
            }
            if events.is_empty() {
                return Ok(());
            }
        }
        let lines: Vec<String> = events.iter().map(|it| serde_json::to_string(it).expect("an event is JSON")).collect();
        let text = format!("{header}\n{}\n", lines.join("\n"));
        let report = check(&[Input::text("walk", text)], &Options::default());
        let is_taken = report.verdict != Verdict::Diverges;
        prop_assert!(is_taken == naive::conforms(&events), "{}\n{}", lines.join("\n"), render::text(&report, render::Colors::Never));
    }
}
