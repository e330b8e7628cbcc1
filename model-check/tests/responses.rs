//! What must come about in the snapshot protocol: each sentence needs all that it assumes, each loop that is reported
//! is one, and the states that stand for others do so rightly.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::collections::{BTreeSet, HashSet};

use outlive_model_check::engine::liveness::{first_lasso, steps, waits_in_vain};
use outlive_model_check::engine::{Explored, Question, explore};
use outlive_model_check::registry::snapshot::bounds_of_loops;
use outlive_spec::protocol::{Broken, Classes, Fairness, Protocol};
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, ENDLESS, SMOKE};
use outlive_spec::snapshot::state::State;
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};

fn graph(protocol: &Snapshot) -> Explored<Snapshot> {
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
    let protocol = Snapshot { rules: RIGHT, bounds: ENDLESS };
    let explored = graph(&protocol);
    let mut dropped = 0;
    for (place, response) in protocol.responses().iter().enumerate() {
        let name = response.property.name;
        let Fairness { weak, strong, finitely } = response.fairness;
        assert_eq!(first_lasso(&explored.graph, place, response.fairness), None, "{name}");
        for class in (weak | strong | finitely).iter() {
            for fairness in weakened(response.fairness, class) {
                let found = first_lasso(&explored.graph, place, fairness);
                assert!(found.is_some(), "{name} does not need `{}`", protocol.classes()[class].name);
                dropped += 1;
            }
        }
    }
    assert_eq!(dropped, 28, "each assumption of each sentence, and the strong ones weakened as well");
}

#[test]
fn nothing_is_mentioned_that_one_more_life_or_incarnation_would_allow() {
    // So the bounds of lives and incarnations bind nothing: what holds here holds for any number of restarts and
    // resets.
    let states = |bounds| graph(&Snapshot { rules: RIGHT, bounds }).outcome.statistics.states;
    let narrower = Bounds { lives: ENDLESS.lives - 1, incarnations: ENDLESS.incarnations - 1, ..ENDLESS };
    assert_eq!([states(narrower), states(ENDLESS)], [31_512; 2], "`docs/bounds.md` says so");
}

#[test]
fn each_loop_that_is_reported_can_be_walked_and_is_fair_beyond_the_bounds() {
    common::for_each(VARIANTS, |(info, rules)| {
        let protocol = Snapshot { rules: *rules, bounds: bounds_of_loops(info.name) };
        let explored = graph(&protocol);
        for (place, response) in protocol.responses().iter().enumerate() {
            let Some(lasso) = first_lasso(&explored.graph, place, response.fairness) else { continue };
            let (start, steps) = steps(&protocol, &explored, &lasso);
            let (far, start) = (protocol.far(), protocol.initial().swap_remove(start));
            let judge = |cycle| waits_in_vain(&far, place, response.fairness, &start, &steps, cycle);
            assert!(judge(lasso.cycle.len()), "{}: {}", info.name, response.property.name);
            assert!(!judge(lasso.cycle.len() + 1) || steps.len() == lasso.cycle.len(), "{} closes anywhere", info.name);
        }
    });
}

#[test]
fn each_sentence_is_broken_by_the_variant_that_it_names() {
    for (place, response) in (Snapshot { rules: RIGHT, bounds: ENDLESS }).responses().iter().enumerate() {
        let rules = common::rules(response.property.broken_by);
        let explored = graph(&Snapshot { rules, bounds: bounds_of_loops(response.property.broken_by) });
        let found = first_lasso(&explored.graph, place, response.fairness);
        assert!(found.is_some(), "{} does not break {}", response.property.broken_by, response.property.name);
    }
}

// ------------------------------------------------------------------------------------------------- representatives

fn represented(protocol: &Snapshot, state: &State) -> State {
    let mut state = state.clone();
    protocol.represent(&mut state);
    state
}

/// What can be reached from a state in one step, each as the one that stands for it.
fn ahead(protocol: &Snapshot, state: &State) -> HashSet<(State, u64)> {
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
        let bounds = Bounds { acts: 1, saves: 1, questions: 1, wipes: 2, ..SMOKE };
        let protocol = Snapshot { rules: *rules, bounds };
        let far = Snapshot {
            bounds: Bounds { gateways: bounds.gateways, ..outlive_spec::snapshot::bounds::FAR },
            ..protocol
        };
        let mut seen = 0;
        common::for_each_state(&protocol, 20_000, |state| {
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
        let protocol = Snapshot { rules: *rules, bounds: Bounds { acts: 1, ..SMOKE } };
        let broken = |symmetry| {
            let outcome = explore(&protocol, &Question { symmetry, ..Question::EVERYTHING }, &mut |_| ()).outcome;
            outcome.violations.iter().map(|violation| violation.property).collect::<BTreeSet<_>>()
        };
        let (all, standing) = (broken(false), broken(true));
        assert!(all.is_subset(&standing), "{}: {all:?} are broken, and {standing:?} under symmetry", info.name);
    });
}
