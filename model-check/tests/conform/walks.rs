//! Whatever the model does is accepted, however long and wherever the walk goes.

use std::collections::{BTreeMap, BTreeSet};

use outlive_model_check::conform::causes::refusals;
use outlive_model_check::conform::report::{Report, Verdict};
use outlive_model_check::conform::{Input, Options, check, operation, render, snapshot};
use outlive_spec::trace::{Event, Verb};

fn accepted(name: &str, text: String) -> Report {
    let report = check(&[Input::text(name, text)], &Options::default());
    assert_eq!(report.verdict, Verdict::Conforms, "{}", render::text(&report, render::Colors::Never));
    report
}

#[test]
fn walks_of_the_model_conform() {
    for seed in 0..40 {
        let (computers, gateways) = (1 + seed as usize % 7, 1 + seed as u32 % 3);
        let size = snapshot::walk::Size { computers, gateways, events: 2_000 };
        let report = accepted(&format!("seed {seed}"), snapshot::walk::Walk::new(seed, size).text());
        assert_eq!((report.lines.events, report.computers), (size.events, size.computers));
    }
}

#[test]
fn walks_of_operations_conform() {
    for seed in 0..40 {
        let (computers, gateways) = (1 + seed as usize % 7, 1 + seed as u32 % 3);
        let size = operation::walk::Size { computers, gateways, deaths: 4, events: 2_000 };
        let report = accepted(&format!("seed {seed}"), operation::walk::Walk::new(seed, size).text());
        assert_eq!(report.lines.events, size.events);
    }
}

/// SAVE-6 is missing from the refusals on purpose: it forbids what was never sent, which a walk does not deliver.
#[test]
fn a_long_walk_meets_every_danger_every_action_and_every_refusal() {
    let size = snapshot::walk::Size { computers: 50, gateways: 3, events: 100_000 };
    meet_everything("snapshot", &[snapshot::walk::Walk::new(1, size).text()]);
}

#[test]
fn walks_of_operations_meet_every_danger_every_action_and_every_refusal() {
    let walk = |seed: u64| {
        let size = operation::walk::Size { computers: 40, gateways: 1 + seed as u32 % 3, deaths: 20, events: 30_000 };
        operation::walk::Walk::new(seed, size).text()
    };
    let walks: Vec<String> = (1..=5).map(walk).collect();
    meet_everything("operation", &walks);
}

/// At least one of the walks meets each.
fn meet_everything(protocol: &str, walks: &[String]) {
    let (mut met, mut opened) = (BTreeMap::new(), BTreeMap::new());
    for text in walks {
        let report = accepted("walk", text.clone());
        for window in report.windows {
            *opened.entry(window.window).or_insert(0) += window.count;
        }
        for line in text.lines().skip(1) {
            let event: Event<'_> = serde_json::from_str(line).expect("a walk writes events");
            *met.entry((event.action.word(), event.because.map(|because| because.id()))).or_insert(0) += 1;
        }
    }
    println!("{met:?}\n{opened:?}");
    let done = Verb::of(protocol).map(|verb| (verb.word(), None));
    let refused = refusals(protocol).map(|(verb, because)| (verb.word(), Some(because.id())));
    let expected: BTreeSet<_> = done.chain(refused).collect();
    assert_eq!(met.keys().copied().collect::<BTreeSet<_>>(), expected, "{met:?}");
    assert!(opened.values().all(|count| *count > 0), "{opened:?}");
}
