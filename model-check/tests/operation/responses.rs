//! What must come about: each sentence needs all that it assumes, each loop that is reported is one, and the states
//! that stand for others do so rightly.

use std::collections::{BTreeSet, HashSet};

use outlive_model_check::engine::liveness::{first_lasso, steps, waits_in_vain};
use outlive_model_check::engine::{Explored, Question, explore};
use outlive_model_check::registry::Profile;
use outlive_model_check::registry::operation::{bounds_of, bounds_of_loops};
use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::{Bounds, ENDLESS, SMOKE};
use outlive_spec::operation::state::State;
use outlive_spec::operation::variants::{RIGHT, VARIANTS};
use outlive_spec::protocol::{Broken, Classes, Fairness, Protocol};

use crate::common;

fn graph(protocol: &Operations) -> Explored<Operations> {
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

#[test]
fn the_right_rules_answer_whatever_waits_and_need_all_that_is_assumed_for_it() {
    let protocol = Operations { rules: RIGHT, bounds: ENDLESS };
    let explored = graph(&protocol);
    let mut needless = Vec::new();
    for (place, response) in protocol.responses().iter().enumerate() {
        let name = response.property.name;
        let Fairness { weak, strong, finitely } = response.fairness;
        assert_eq!(first_lasso(&explored.graph, place, response.fairness), None, "{name}");
        for class in (weak | strong | finitely).iter() {
            let is_needed = |fairness: &Fairness| first_lasso(&explored.graph, place, *fairness).is_some();
            if !weakened(response.fairness, class).iter().all(is_needed) {
                needless.push(format!("{name} does not need `{}`", protocol.classes()[class].name));
            }
        }
    }
    assert_eq!(needless, [""; 0]);
}

#[test]
fn each_loop_that_is_reported_can_be_walked_and_is_fair_beyond_the_bounds() {
    common::for_each(VARIANTS, |(info, rules)| {
        let protocol = Operations { rules: *rules, bounds: bounds_of_loops(info.name) };
        let explored = graph(&protocol);
        for (place, response) in protocol.responses().iter().enumerate() {
            let Some(lasso) = first_lasso(&explored.graph, place, response.fairness) else { continue };
            let (start, steps) = steps(&protocol, &explored, &lasso);
            let (far, start) = (protocol.far(), protocol.initial().swap_remove(start));
            let judge = |cycle| waits_in_vain(&far, place, response.fairness, &start, &steps, cycle);
            assert!(judge(lasso.cycle.len()), "{}: {}", info.name, response.property.name);
        }
    });
}

#[test]
fn reconcile_19_to_22_are_broken_by_the_variants_that_they_name() {
    for (place, response) in (Operations { rules: RIGHT, bounds: ENDLESS }).responses().iter().enumerate() {
        let named = VARIANTS.iter().find(|(info, _)| info.name == response.property.broken_by);
        let (info, rules) = named.expect("a variant of that name");
        let explored = graph(&Operations { rules: *rules, bounds: bounds_of_loops(info.name) });
        let found = first_lasso(&explored.graph, place, response.fairness);
        assert!(found.is_some(), "{} keeps `{}`", info.name, response.property.name);
    }
}

fn represented(protocol: &Operations, state: &State) -> State {
    let mut state = state.clone();
    protocol.represent(&mut state);
    state
}

/// What one step leads to, each as the one that stands for it, with what the step has broken.
fn ahead(protocol: &Operations, state: &State) -> HashSet<(State, u64)> {
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

#[test]
fn a_state_and_the_one_that_stands_for_it_lead_to_the_same() {
    common::for_each(VARIANTS, |(info, rules)| {
        let protocol = Operations { rules: *rules, bounds: Bounds { launches: 3, lives: 4, ..SMOKE } };
        let far = protocol.far();
        let mut seen = 0;
        common::for_each_state(&protocol, 5_000, |state| {
            let other = represented(&far, state);
            assert_eq!(represented(&far, &other), other, "{}: it stands for itself", info.name);
            assert_eq!(far.is_settled(&other), far.is_settled(state));
            assert_eq!(far.phase(&other), far.phase(state));
            for response in 0..far.responses().len() {
                assert_eq!(far.outlook(response, &other), far.outlook(response, state));
            }
            if seen % 7 == 0 {
                assert_eq!(ahead(&far, &other), ahead(&far, state), "{}: {state:?}", info.name);
            }
            seen += 1;
        });
        assert!(seen > 1000, "{} has {seen} states", info.name);
    });
}

#[test]
fn a_search_of_those_that_stand_for_others_breaks_the_same_properties() {
    common::for_each(VARIANTS, |(info, rules)| {
        let small = bounds_of(info.name, Profile::Smoke);
        let protocol = Operations { rules: *rules, bounds: Bounds { launches: 1, lives: 2, ..small } };
        let broken = |symmetry| {
            let outcome = explore(&protocol, &Question { symmetry, ..Question::EVERYTHING }, &mut |_| ()).outcome;
            outcome.violations.iter().map(|violation| violation.property).collect::<BTreeSet<_>>()
        };
        let (all, standing) = (broken(false), broken(true));
        assert!(all.is_subset(&standing), "{}: {all:?} are broken, and {standing:?} under symmetry", info.name);
    });
}
