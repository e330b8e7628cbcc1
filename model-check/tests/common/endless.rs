//! What every protocol is asked about behaviours without end, and about the states that stand for others.

use std::collections::{BTreeSet, HashSet};

use outlive_model_check::engine::liveness::{first_lasso, steps, waits_in_vain};
use outlive_model_check::engine::{Explored, Question, explore};
use outlive_spec::protocol::{Broken, Classes, Fairness, Protocol};

/// The whole graph of the states that stand for others.
pub(crate) fn graph<P: Protocol>(protocol: &P) -> Explored<P> {
    let question = Question { symmetry: true, keeps_graph: true, properties: Broken(0), ..Question::EVERYTHING };
    let explored = explore(protocol, &question, &mut |_| ());
    assert_eq!(explored.outcome.truncation, None);
    explored
}

/// The fairness without this class, and with it only weakly where it was strong.
fn weakened(fairness: Fairness, class: usize) -> Vec<Fairness> {
    let Fairness { weak, strong, finitely } = fairness;
    let one = Classes::only(class);
    let dropped = Fairness { weak: weak.without(one), strong: strong.without(one), finitely: finitely.without(one) };
    let only_weak = Fairness { weak: weak | one, strong: strong.without(one), finitely };
    if strong.has(class) { vec![dropped, only_weak] } else { vec![dropped] }
}

/// Under the right rules nobody waits in vain, and would as soon as any assumption of a sentence is dropped, or a
/// strong one weakened. Says how many ways there were to do that.
pub(crate) fn assert_all_that_is_assumed_is_needed<P: Protocol>(right: &P) -> usize {
    let explored = graph(right);
    let (mut needless, mut tried) = (Vec::new(), 0);
    for (place, response) in right.responses().iter().enumerate() {
        let name = response.property.name;
        let Fairness { weak, strong, finitely } = response.fairness;
        assert_eq!(first_lasso(&explored.graph, place, response.fairness), None, "{name}");
        for class in (weak | strong | finitely).iter() {
            for fairness in weakened(response.fairness, class) {
                tried += 1;
                if first_lasso(&explored.graph, place, fairness).is_none() {
                    needless.push(format!("{name} does not need `{}`", right.classes()[class].name));
                }
            }
        }
    }
    assert_eq!(needless, [""; 0]);
    tried
}

/// Each loop that is reported can be walked far beyond the bounds, is fair, and closes nowhere else.
pub(crate) fn assert_loops_are_loops<P: Protocol>(variant: &str, protocol: &P) {
    let explored = graph(protocol);
    for (place, response) in protocol.responses().iter().enumerate() {
        let Some(lasso) = first_lasso(&explored.graph, place, response.fairness) else { continue };
        let (start, steps) = steps(protocol, &explored, &lasso);
        let (far, start) = (protocol.far(), protocol.initial().swap_remove(start));
        let judge = |cycle| waits_in_vain(&far, place, response.fairness, &start, &steps, cycle);
        assert!(judge(lasso.cycle.len()), "{variant}: {}", response.property.name);
        assert!(!judge(lasso.cycle.len() + 1) || steps.len() == lasso.cycle.len(), "{variant} closes anywhere");
    }
}

/// Whether somebody waits in vain for this sentence.
pub(crate) fn is_broken<P: Protocol>(protocol: &P, response: usize) -> bool {
    first_lasso(&graph(protocol).graph, response, protocol.responses()[response].fairness).is_some()
}

// ------------------------------------------------------------------------------------------------- representatives

fn represented<P: Protocol>(protocol: &P, state: &P::State) -> P::State {
    let mut state = state.clone();
    protocol.represent(&mut state);
    state
}

/// What one step leads to, each as the one that stands for it, with what the step has broken.
fn ahead<P: Protocol>(protocol: &P, state: &P::State) -> HashSet<(P::State, u64)> {
    let mut proposals = Vec::new();
    protocol.actions(state, &mut proposals);
    let step = |action| {
        let mut next = state.clone();
        protocol.apply(&mut next, &action).ok()?;
        let broken = protocol.broken(&next);
        protocol.forgive(&mut next);
        Some((represented(protocol, &next), broken.0))
    };
    proposals.into_iter().filter_map(step).collect()
}

/// A state and the one that stands for it look alike, and lead to the same. So many states are asked.
pub(crate) fn assert_representatives_stand_rightly<P: Protocol>(variant: &str, protocol: &P, far: &P, most: usize) {
    let mut seen = 0;
    super::for_each_state(protocol, most, |state| {
        let other = represented(far, state);
        assert_eq!(represented(far, &other), other, "{variant}: it stands for itself");
        assert_eq!(far.is_settled(&other), far.is_settled(state));
        assert_eq!(far.phase(&other), far.phase(state));
        for response in 0..far.responses().len() {
            assert_eq!(far.outlook(response, &other), far.outlook(response, state));
        }
        if seen % 7 == 0 {
            assert_eq!(ahead(far, &other), ahead(far, state), "{variant}: {state:?}");
        }
        seen += 1;
    });
    assert!(seen > 1000, "{variant} has {seen} states");
}

/// A search of those that stand for others breaks whatever a search of all does.
pub(crate) fn assert_symmetry_hides_nothing<P: Protocol>(variant: &str, protocol: &P) {
    let broken = |symmetry| {
        let outcome = explore(protocol, &Question { symmetry, ..Question::EVERYTHING }, &mut |_| ()).outcome;
        outcome.violations.iter().map(|violation| violation.property).collect::<BTreeSet<_>>()
    };
    let (all, standing) = (broken(false), broken(true));
    assert!(all.is_subset(&standing), "{variant}: {all:?} are broken, and {standing:?} under symmetry");
}
