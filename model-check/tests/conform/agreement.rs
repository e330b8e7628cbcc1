//! The fast judge and the naive one say the same about short traces, right ones and spoiled ones.

use outlive_model_check::conform::mutate::{Events, Mutation, mutate};
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::{Input, Options, check, operation, render, snapshot};
use outlive_model_check::random::Random;
use proptest::prelude::*;

use crate::naive;
use crate::open_operations::renumber;

fn events(lines: impl Iterator<Item = String>) -> Events {
    lines.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")).collect()
}

/// So many of its events are spoiled, or fewer.
fn spoil(mut events: Events, protocol: &str, spoiled: usize, random: &mut Random) -> Events {
    let mutations: Vec<Mutation> = Mutation::of(protocol).collect();
    for _ in 0..spoiled {
        if events.is_empty() {
            break;
        }
        let mutation = mutations[random.below(mutations.len())];
        if let Some((mutated, _)) = mutate(mutation, &events, random) {
            events = mutated;
        }
    }
    events
}

/// What differs between the two; nothing, if they agree, or if the trace is none.
pub(crate) fn difference(header: &str, events: &Events, conforms: fn(&Events) -> bool) -> Option<String> {
    let lines: Vec<String> = events.iter().map(|it| serde_json::to_string(it).expect("an event is JSON")).collect();
    let text = format!("{header}\n{}\n", lines.join("\n"));
    let report = check(&[Input::text("walk", text)], &Options::default());
    let is_taken = match report.verdict {
        // Spoiled, an event may have fields that it cannot have.
        Verdict::Unreadable => return None,
        Verdict::Diverges => false,
        Verdict::Conforms | Verdict::NothingChecked | Verdict::DangerMissing | Verdict::Inconclusive => true,
    };
    let agree = is_taken == conforms(events);
    (!agree).then(|| format!("{}\n{}", lines.join("\n"), render::text(&report, render::Colors::Never)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_judges_agree(seed: u64, length in 1u64..30, spoiled in 0usize..3) {
        let walk = snapshot::walk::Walk::new(seed, snapshot::walk::Size { computers: 1, gateways: 2, events: length });
        let header = walk.header();
        let events = spoil(events(walk), "snapshot", spoiled, &mut Random::new(seed));
        if let Some(difference) = difference(&header, &events, naive::snapshot::conforms) {
            prop_assert!(false, "{difference}");
        }
    }

    #[test]
    fn both_judges_agree_about_operations(seed: u64, length in 1u64..40, spoiled in 0usize..3) {
        let size = operation::walk::Size { computers: 1, gateways: 2, deaths: 1, events: length };
        let walk = operation::walk::Walk::new(seed, size);
        let header = walk.header();
        let events = spoil(events(walk), "operation", spoiled, &mut Random::new(seed));
        if let Some(difference) = difference(&header, &events, naive::operation::conforms) {
            prop_assert!(false, "{difference}");
        }
    }
}

/// A step that is taken from the end of another walk is mostly none that could follow here.
#[test]
fn a_step_from_elsewhere_is_refused_unless_it_could_follow() {
    let size = |events| operation::walk::Size { computers: 1, gateways: 2, deaths: 1, events };
    let (mut random, mut refused, mut taken) = (Random::new(23), 0, 0);
    for seed in 0..400 {
        let walk = operation::walk::Walk::new(seed, size(1 + random.number() % 40));
        let header = walk.header();
        let mut events: Events = events(walk);
        let elsewhere = operation::walk::Walk::new(random.number(), size(1 + random.number() % 40)).last();
        events.extend(elsewhere.map(|line| serde_json::from_str(&line).expect("a walk writes JSON")));
        renumber(&mut events);
        let follows = naive::operation::conforms(&events);
        *(if follows { &mut taken } else { &mut refused }) += 1;
        assert_eq!(difference(&header, &events, naive::operation::conforms), None, "seed {seed}");
    }
    println!("{refused} refused, {taken} could follow");
    assert!(refused > 200 && taken > 20, "{refused} refused, {taken} could follow");
}
