//! Random walks: they go far, the same seed walks the same way, and what they find is a path that does the harm.

use outlive_model_check::engine::simulate::{Walked, Walks, simulate};
use outlive_model_check::engine::walk::walk;
use outlive_spec::protocol::Protocol;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::{Action, KINDS};
use outlive_spec::snapshot::bounds::CI;
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};

fn walks(rules: Rules, seed: u64) -> (Snapshot, Walked<Action>) {
    let protocol = Snapshot { rules, bounds: CI }.far();
    let found = simulate(&protocol, Walks { seed, walks: 40, steps: 400 }, &mut |_| ());
    (protocol, found)
}

#[test]
fn the_right_rules_break_nothing_however_long_the_history() {
    let (_, found) = walks(RIGHT, 7);
    assert_eq!((found.harm, found.walks, found.taken), (None, 40, 40 * 400));
    let never: Vec<&str> =
        found.kinds.iter().zip(KINDS).filter(|(taken, _)| **taken == 0).map(|(_, kind)| *kind).collect();
    assert_eq!(never, ["stamp", "forward"], "only variants take these");
}

#[test]
fn long_walks_tell_how_far_they_have_come() {
    let protocol = Snapshot { rules: RIGHT, bounds: CI }.far();
    let mut told = Vec::new();
    let walks = Walks { seed: 7, walks: 40, steps: 400 };
    simulate(&protocol, walks, &mut |progress| told.push((progress.walks, progress.taken)));
    assert!(told.len() >= 2 && told.is_sorted() && told.iter().all(|(walk, _)| (1..=40).contains(walk)), "{told:?}");
}

#[test]
fn what_a_walk_finds_does_the_harm_and_needs_each_of_its_steps() {
    let (_, rules) = VARIANTS.iter().find(|(info, _)| info.name == "generation-only").expect("a variant of that name");
    let (protocol, found) = walks(*rules, 7);
    let harm = found.harm.expect("the walks come by a harm");
    let harms = |actions: &[_]| {
        let steps = walk(&protocol, harm.start, actions);
        steps.is_ok_and(|steps| steps.last().is_some_and(|last| last.broken.has(harm.property)))
    };
    assert!(harms(&harm.actions));
    assert!(harm.actions.len() <= harm.walked);
    for at in 0..harm.actions.len() {
        let mut fewer = harm.actions.clone();
        fewer.remove(at);
        assert!(!harms(&fewer), "step {at} is not needed");
    }
}

#[test]
fn the_same_seed_walks_the_same_way_and_another_does_not() {
    assert_eq!(walks(RIGHT, 1).1, walks(RIGHT, 1).1);
    assert_ne!(walks(RIGHT, 1).1.kinds, walks(RIGHT, 2).1.kinds);
}
