//! What the tests of the search share.
#![allow(dead_code, reason = "each test takes what it needs")]

pub(crate) mod crippled;
pub(crate) mod endless;
pub(crate) mod packing;
pub(crate) mod padding;

use std::collections::{BTreeMap, HashSet, VecDeque};

use outlive_model_check::engine::liveness::first_lasso;
use outlive_model_check::engine::{Outcome, Question, explore, search};
use outlive_model_check::report::counterexample::Length;
use outlive_spec::protocol::{Broken, Protocol};
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
pub(crate) fn lengths<P: Protocol>(protocol: &P, outcome: &Outcome<P::Action>) -> BTreeMap<String, Length> {
    let name = |place: usize| protocol.properties()[place].name.to_owned();
    outcome.violations.iter().map(|found| (name(found.property), Length::steps(found.actions.len()))).collect()
}

/// The lengths of the loops in which somebody waits in vain, by property.
pub(crate) fn endless_lengths<P: Protocol>(protocol: &P) -> BTreeMap<String, Length> {
    let question = Question { symmetry: true, keeps_graph: true, properties: Broken(0), ..Question::EVERYTHING };
    let graph = explore(protocol, &question, &mut |_| ()).graph;
    let lengths = protocol.responses().iter().enumerate().filter_map(|(place, response)| {
        let lasso = first_lasso(&graph, place, response.fairness)?;
        let length = Length { stem: lasso.stem.len(), cycle: Some(lasso.cycle.len()) };
        Some((response.property.name.to_owned(), length))
    });
    lengths.collect()
}

/// Shows the first so many states to somebody, in breadth-first order.
pub(crate) fn for_each_state<P: Protocol>(protocol: &P, most: usize, mut show: impl FnMut(&P::State)) {
    let mut queue: VecDeque<P::State> = protocol.initial().into();
    let mut seen: HashSet<P::State> = protocol.initial().into_iter().collect();
    while let Some(state) = queue.pop_front() {
        show(&state);
        let mut proposals = Vec::new();
        protocol.actions(&state, &mut proposals);
        for action in proposals {
            let mut next = state.clone();
            if seen.len() < most && protocol.apply(&mut next, &action).is_ok() {
                protocol.forgive(&mut next);
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
    }
}

/// Does the same to each item, on two threads.
pub(crate) fn for_each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let (one, other) = items.split_at(items.len() / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| one.iter().for_each(&work));
        other.iter().for_each(&work);
    });
}
