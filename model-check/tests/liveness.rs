//! Fair behaviours on graphs small enough to be judged by eye: the classic mistakes of checkers, one by one.

#[path = "common/subsets.rs"]
mod subsets;

use std::cell::Cell;

use outlive_model_check::engine::graph::{Edge, Graph, Standing};
use outlive_model_check::engine::liveness::{Lasso, Witness, first_lasso};
use outlive_spec::protocol::{Classes, Fairness};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use subsets::{Drawn, assert_is_one, shortest_stem};

const A: Classes = Classes::only(0);
const B: Classes = Classes::only(1);
const NONE: Classes = Classes::NONE;
const UNFAIR: Fairness = Fairness { weak: NONE, strong: NONE, finitely: NONE };

/// A graph of so many states, of which those named wait and those named are answered; state 0 is the start.
fn graph(states: u32, waits: &[u32], answered: &[u32], edges: &[(u32, u32, Classes)]) -> Graph {
    let mut graph = Graph::default();
    graph.starts.push(0);
    for state in 0..states {
        let bit = |among: &[u32]| u32::from(among.contains(&state));
        graph.add_state(Standing { waits: bit(waits), answered: bit(answered), ..Standing::default() });
        for &(_, to, classes) in edges.iter().filter(|edge| edge.0 == state) {
            graph.add_edge(Edge { to, classes });
        }
    }
    graph
}

/// The states that a lasso goes through: the stem with its start, and the loop.
fn path(graph: &Graph, lasso: &Lasso) -> (Vec<u32>, Vec<u32>) {
    let to = |edges: &[u32]| edges.iter().map(|edge| graph.edge(*edge).to).collect::<Vec<_>>();
    ([vec![lasso.start], to(&lasso.stem)].concat(), to(&lasso.cycle))
}

fn lasso(graph: &Graph, fairness: Fairness) -> Option<(Vec<u32>, Vec<u32>)> {
    first_lasso(graph, 0, fairness).map(|lasso| path(graph, &lasso))
}

#[test]
fn who_waits_where_nothing_happens_waits_for_ever() {
    let graph = graph(2, &[1], &[], &[(0, 1, NONE)]);
    assert_eq!(lasso(&graph, UNFAIR), Some((vec![0, 1], vec![])));
}

#[test]
fn who_does_not_wait_is_owed_nothing() {
    let graph = graph(2, &[], &[], &[(0, 1, NONE)]);
    assert_eq!(lasso(&graph, UNFAIR), None);
}

#[test]
fn an_answer_at_once_is_an_answer() {
    let graph = graph(2, &[1], &[1], &[(0, 1, NONE)]);
    assert_eq!(lasso(&graph, UNFAIR), None);
}

#[test]
fn nobody_has_to_go_on_without_fairness() {
    // Stuttering is a behaviour too: a checker that forgets it finds nothing here.
    let graph = graph(2, &[0], &[1], &[(0, 1, A)]);
    assert_eq!(lasso(&graph, UNFAIR), Some((vec![0], vec![])));
    assert_eq!(lasso(&graph, Fairness { weak: A, ..UNFAIR }), None);
}

#[test]
fn a_step_of_another_class_is_not_the_one_that_fairness_asks_for() {
    let graph = graph(2, &[0], &[1], &[(0, 1, B)]);
    assert!(lasso(&graph, Fairness { weak: A, ..UNFAIR }).is_some());
}

#[test]
fn a_cycle_that_ignores_what_is_always_possible_is_unfair() {
    // 1 and 2 go round for ever, and from both A leads to the answer.
    let graph = graph(4, &[1], &[3], &[(0, 1, NONE), (1, 2, B), (2, 1, B), (1, 3, A), (2, 3, A)]);
    assert_eq!(lasso(&graph, Fairness { weak: B, ..UNFAIR }), Some((vec![0, 1], vec![2, 1])));
    assert_eq!(lasso(&graph, Fairness { weak: A, ..UNFAIR }), None);
}

#[test]
fn what_is_possible_now_and_then_needs_strong_fairness() {
    // A leads to the answer from 1, but not from 2.
    let graph = graph(4, &[1], &[3], &[(0, 1, B), (1, 2, B), (2, 1, B), (1, 3, A)]);
    let weak = first_lasso(&graph, 0, Fairness { weak: A, ..UNFAIR }).expect("weak fairness is not enough");
    assert_eq!(path(&graph, &weak), (vec![0, 1], vec![2, 1]));
    assert_eq!(weak.witnesses, [Witness::Impossible { class: 0, after: 1 }]);
    let rests = first_lasso(&graph, 0, Fairness { strong: A, ..UNFAIR }).expect("it may rest where A is impossible");
    assert_eq!(path(&graph, &rests), (vec![0, 1, 2], vec![]));
    assert_eq!(lasso(&graph, Fairness { strong: A, weak: B, finitely: NONE }), None);
}

#[test]
fn a_strongly_fair_step_may_be_taken_without_leading_to_the_answer() {
    // A is a step within the loop: fairness is satisfied, and nobody is answered.
    let graph = graph(4, &[1], &[3], &[(0, 1, NONE), (1, 2, A), (2, 1, B), (2, 3, A)]);
    let found = first_lasso(&graph, 0, Fairness { strong: A, weak: B, finitely: NONE }).expect("the loop is fair");
    assert_eq!(path(&graph, &found), (vec![0, 1], vec![2, 1]));
    assert_eq!(found.witnesses[1], Witness::Taken { class: 0, step: 0 });
}

#[test]
fn fairness_is_judged_on_the_part_that_the_loop_stays_in() {
    // The component is 1, 2, 3. A is possible in 2 only, and leaves; so 2 is out, and what remains is no loop, but 1
    // with itself by B over 4 is.
    let edges = &[(0, 1, B), (1, 2, B), (2, 3, B), (3, 1, B), (2, 5, A), (1, 4, B), (4, 1, B)];
    let graph = graph(6, &[1], &[5], edges);
    let fairness = Fairness { strong: A, weak: B, finitely: NONE };
    assert_eq!(lasso(&graph, fairness), Some((vec![0, 1], vec![4, 1])));
}

#[test]
fn leaving_one_state_out_can_leave_another_class_unfair() {
    // Strongly fair to A leaves 2 out, and then nothing of the strongly fair B is left in the loop of 1 and 3.
    let edges = &[(0, 1, NONE), (1, 2, B), (2, 1, NONE), (2, 4, A), (1, 3, NONE), (3, 1, NONE)];
    let with_rest = graph(5, &[1], &[4], edges);
    let both = Fairness { strong: A | B, ..UNFAIR };
    assert_eq!(lasso(&with_rest, both), Some((vec![0, 1, 3], vec![])), "it may rest in 3");
    let graph = graph(5, &[1], &[4], &[(0, 1, NONE), (1, 2, B), (2, 1, NONE), (2, 4, A), (1, 3, NONE), (3, 1, B)]);
    assert_eq!(lasso(&graph, both), Some((vec![0, 1], vec![3, 1])), "B is taken on the way back");
}

#[test]
fn a_fault_that_happens_finitely_often_is_no_part_of_a_loop_but_may_be_of_its_stem() {
    let graph = graph(3, &[1], &[], &[(0, 1, B), (1, 2, A), (2, 1, B)]);
    assert_eq!(lasso(&graph, Fairness { weak: B, ..UNFAIR }), Some((vec![0, 1], vec![])));
    let edges = &[(0, 1, A), (1, 2, B), (2, 1, A), (2, 3, B)];
    let by_a_fault = self::graph(4, &[1], &[3], edges);
    assert_eq!(lasso(&by_a_fault, Fairness { weak: B, ..UNFAIR }), Some((vec![0, 1], vec![2, 1])));
    assert_eq!(lasso(&by_a_fault, Fairness { weak: B, finitely: A, ..UNFAIR }), None);
}

#[test]
fn what_lies_beyond_a_bound_counts_as_an_answer() {
    let graph = graph(2, &[0], &[1], &[(0, 1, A)]);
    assert_eq!(lasso(&graph, Fairness { weak: A, ..UNFAIR }), None);
}

#[test]
fn who_was_answered_waits_no_longer() {
    // On the way 0, 1, 2 somebody waits in 1 and is answered in 2; the loop of 2 and 3 keeps nobody waiting.
    let graph = graph(4, &[1], &[2], &[(0, 1, NONE), (1, 2, A), (2, 3, NONE), (3, 2, NONE)]);
    assert_eq!(lasso(&graph, Fairness { weak: A, ..UNFAIR }), None);
}

#[test]
fn the_loop_with_the_shortest_stem_is_reported() {
    let edges = &[(0, 1, NONE), (1, 2, NONE), (2, 3, NONE), (0, 4, NONE), (3, 2, NONE), (4, 5, NONE), (5, 4, NONE)];
    let graph = graph(6, &[2, 4], &[], edges);
    let found = first_lasso(&graph, 0, UNFAIR).expect("both loops wait");
    assert_eq!(path(&graph, &found).0, [0, 4]);
}

#[test]
fn a_loop_has_a_witness_for_every_class() {
    // A and B are both strongly fair, each taken at its own end of the component.
    let graph = graph(4, &[1], &[], &[(0, 1, NONE), (1, 2, A), (2, 1, NONE), (1, 3, B), (3, 1, NONE)]);
    let found = first_lasso(&graph, 0, Fairness { strong: A | B, ..UNFAIR }).expect("nothing is ever answered");
    assert_eq!(path(&graph, &found), (vec![0, 1], vec![2, 1, 3, 1]));
    assert_eq!(found.witnesses, [Witness::Taken { class: 0, step: 0 }, Witness::Taken { class: 1, step: 2 }]);
}

#[test]
fn a_chain_of_millions_of_states_does_not_overflow_the_stack() {
    let states = 2_000_000;
    let mut chain = Graph::default();
    chain.starts.push(0);
    for state in 0..states {
        chain.add_state(Standing { waits: 1, ..Standing::default() });
        let to = if state + 1 == states { 0 } else { state + 1 };
        chain.add_edge(Edge { to, classes: A });
    }
    let found = first_lasso(&chain, 0, Fairness { weak: A, ..UNFAIR }).expect("nobody is ever answered");
    assert_eq!((found.stem.len(), found.witnesses.len()), (0, 1));
    assert_eq!(found.cycle.len(), states as usize);
}

/// Any of three classes.
fn classes() -> impl Strategy<Value = Classes> {
    (0..8u32).prop_map(|bits| (0..3).filter(|place| bits >> place & 1 == 1).fold(NONE, Classes::and))
}

/// A few classes, and mostly none: else nearly every graph is unfair.
fn some_classes() -> impl Strategy<Value = Classes> {
    prop_oneof![3 => Just(NONE), 2 => (0..3usize).prop_map(Classes::only), 1 => classes()]
}

/// Up to six states, of which one or two are starts. Some wait, some are answered, and in some a step is possible that
/// a bound has cut off.
fn any_graph() -> impl Strategy<Value = Drawn> {
    let standing = || {
        (0..2u32, 0..4u32, some_classes()).prop_map(|(waits, answered, possible)| Standing {
            waits,
            answered: u32::from(answered == 0),
            possible,
        })
    };
    let edge =
        |states: u32| (0..states, 0..states, classes()).prop_map(|(from, to, classes)| (from, Edge { to, classes }));
    let of_states = move |states: u32| {
        let edges = vec(edge(states), 0..=3 * states as usize);
        (vec(0..states, 1..=2), vec(standing(), states as usize), edges)
    };
    (1..=6u32).prop_flat_map(of_states).prop_map(|(starts, standings, edges)| Drawn::new(starts, standings, edges))
}

fn any_fairness() -> impl Strategy<Value = Fairness> {
    (some_classes(), some_classes(), some_classes()).prop_map(|(weak, strong, finitely)| Fairness {
        weak,
        strong,
        finitely,
    })
}

#[test]
fn a_judge_that_tries_every_set_of_states_agrees_on_random_graphs() {
    let (found, missed, looped) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(Config { cases: 20_000, failure_persistence: None, ..Config::default() });
    let agreed = runner.run(&(any_graph(), any_fairness()), |(drawn, fairness)| {
        let lasso = first_lasso(&drawn.graph(), 0, fairness);
        prop_assert_eq!(lasso.as_ref().map(|lasso| lasso.stem.len()), shortest_stem(&drawn, fairness));
        if let Some(lasso) = &lasso {
            assert_is_one(&drawn, fairness, lasso);
            looped.set(looped.get() + usize::from(!lasso.cycle.is_empty()));
        }
        let count = if lasso.is_some() { &found } else { &missed };
        count.set(count.get() + 1);
        Ok(())
    });
    agreed.unwrap_or_else(|error| panic!("{error}"));
    let counts = [found, missed, looped].map(Cell::into_inner);
    println!("{counts:?}");
    assert!(counts.iter().all(|count| *count > 2_000), "too much is alike: {counts:?}");
}
