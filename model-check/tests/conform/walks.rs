//! Whatever the model does is accepted, however long and wherever the walk goes.

use std::collections::{BTreeMap, BTreeSet};

use outlive_model_check::conform::causes::refusals;
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::walk::{Size, Walk};
use outlive_model_check::conform::{Input, Options, check, render};
use outlive_spec::trace::{Event, Verb};

#[test]
fn walks_of_the_model_conform() {
    for seed in 0..40 {
        let size = Size { computers: 1 + seed as usize % 7, gateways: 1 + seed as u32 % 3, events: 2_000 };
        let text = Walk::new(seed, size).text();
        let report = check(&[Input::text(&format!("seed {seed}"), text)], &Options::default());
        assert_eq!(report.verdict, Verdict::Conforms, "{}", render::text(&report, render::Colors::Never));
        assert_eq!((report.lines.events, report.computers), (size.events, size.computers));
    }
}

/// SAVE-6 is missing from the refusals on purpose: it forbids what was never sent, which a walk does not deliver.
#[test]
fn a_long_walk_meets_every_danger_every_action_and_every_refusal() {
    let walk = Walk::new(1, Size { computers: 50, gateways: 3, events: 100_000 });
    let text = walk.text();
    let options = Options { requires_danger_windows: true, ..Options::default() };
    let report = check(&[Input::text("walk", text.clone())], &options);
    println!("{}", render::text(&report, render::Colors::Never));
    assert_eq!(report.verdict, Verdict::Conforms);
    let mut met = BTreeMap::new();
    for line in text.lines().skip(1) {
        let event: Event<'_> = serde_json::from_str(line).expect("a walk writes events");
        *met.entry((event.action.word(), event.because.map(|because| because.id()))).or_insert(0) += 1;
    }
    let done = Verb::ALL.iter().map(|verb| (verb.word(), None));
    let refused = refusals().map(|(verb, because)| (verb.word(), Some(because.id())));
    let expected: BTreeSet<_> = done.chain(refused).collect();
    assert_eq!(met.keys().copied().collect::<BTreeSet<_>>(), expected, "{met:?}");
}
