//! What the tests of the search share.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::collections::BTreeMap;

use outlive_model_check::engine::{Outcome, Question, search};
use outlive_spec::protocol::Protocol;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::Bounds;
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::VARIANTS;

/// The rules of the variant of this name.
pub(crate) fn rules(variant: &str) -> Rules {
    let (_, rules) = VARIANTS.iter().find(|(info, _)| info.name == variant).expect("a variant of that name");
    *rules
}

/// A complete search for everything.
pub(crate) fn search_all<P: Protocol>(protocol: &P) -> Outcome<P::Action> {
    let outcome = search(protocol, &Question::EVERYTHING, &mut |_| ());
    assert_eq!(outcome.truncation, None, "nothing limits this search");
    outcome
}

/// What a search of the snapshot protocol has found.
pub(crate) type Found = Outcome<outlive_spec::snapshot::action::Action>;

/// The same, for the snapshot protocol.
pub(crate) fn search_snapshot(rules: Rules, bounds: Bounds) -> Found {
    search_all(&Snapshot { rules, bounds })
}

/// The lengths of the counterexamples by property.
pub(crate) fn lengths<P: Protocol>(protocol: &P, outcome: &Outcome<P::Action>) -> BTreeMap<String, usize> {
    let name = |place: usize| protocol.properties()[place].name.to_owned();
    outcome.violations.iter().map(|found| (name(found.property), found.actions.len())).collect()
}

/// Does the same to each item, on two threads.
pub(crate) fn for_each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let (one, other) = items.split_at(items.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| one.iter().for_each(&work));
        other.iter().for_each(&work);
    });
}
