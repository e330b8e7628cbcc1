//! The search on graphs small enough to be checked by eye.

mod common;
#[path = "common/graph.rs"]
mod graph;

use std::time::Duration;

use graph::Graph;
use outlive_model_check::engine::limits::{Limit, Limits, Truncation};
use outlive_model_check::engine::liveness::{first_lasso, waits_in_vain};
use outlive_model_check::engine::recovery::can_recover;
use outlive_model_check::engine::walk::walk;
use outlive_model_check::engine::{Outcome, Progress, Question, Verdict, explore, search};
use outlive_spec::protocol::{Class, Classes, Fairness, Property, Response};
use outlive_spec::requirement::Requirement;

/// Two ways to 4, a loop, and a node that nothing reaches.
const DIAMOND: Graph =
    Graph { edges: &[(0, 1), (0, 2), (1, 3), (2, 4), (3, 4), (4, 4), (4, 0), (9, 0)], ..Graph::EMPTY };

fn limited(graph: &Graph, limits: Limits) -> Outcome<graph::Edge> {
    search(graph, &Question { limits, ..Question::EVERYTHING }, &mut |_| ())
}

#[test]
fn every_reachable_state_is_counted_once_and_no_other() {
    let outcome = common::search_all(&DIAMOND);
    assert_eq!(outcome.verdict(), Verdict::Holds);
    assert_eq!(outcome.statistics.states, 5);
    assert_eq!(outcome.statistics.transitions, 7);
    assert_eq!(outcome.statistics.depths, [1, 2, 2]);
}

#[test]
fn the_shortest_of_two_paths_is_reported() {
    let graph = Graph { bad: &[4], ..DIAMOND };
    let outcome = common::search_all(&graph);
    assert_eq!(outcome.verdict(), Verdict::Violated);
    let path: Vec<_> = outcome.violations[0].actions.iter().map(|edge| edge.to).collect();
    assert_eq!(path, [2, 4]);
}

#[test]
fn the_search_goes_on_behind_a_broken_property() {
    // 1 is bad, and everything else lies behind it; the dead end at 3 is found all the same.
    let graph = Graph { edges: &[(0, 1), (1, 2), (2, 0), (2, 3)], bad: &[1], unsettled: &[3], ..Graph::EMPTY };
    let outcome = common::search_all(&graph);
    assert_eq!(outcome.length(0), Some(1));
    assert_eq!(outcome.length(1), Some(3));
}

#[test]
fn a_start_can_be_broken_by_itself() {
    let outcome = common::search_all(&Graph { bad: &[0], ..DIAMOND });
    assert_eq!(outcome.length(0), Some(0));
}

#[test]
fn a_self_loop_is_a_step_and_leads_nowhere() {
    let outcome = common::search_all(&Graph { edges: &[(0, 0)], unsettled: &[0], ..Graph::EMPTY });
    assert_eq!((outcome.statistics.states, outcome.statistics.transitions), (1, 1));
    assert_eq!(outcome.length(1), Some(0), "the loop does not settle it");
}

#[test]
fn reset_5_a_cycle_without_an_exit_is_a_dead_end_and_one_with_an_exit_is_none() {
    let edges = &[(0, 1), (1, 2), (2, 1), (2, 3), (0, 4), (4, 5), (5, 4)];
    let with_exit = Graph { edges, unsettled: &[1, 2], ..Graph::EMPTY };
    assert_eq!(common::search_all(&with_exit).verdict(), Verdict::Holds);
    let without = Graph { edges, unsettled: &[1, 2, 4, 5], ..Graph::EMPTY };
    let outcome = common::search_all(&without);
    let path: Vec<_> = outcome.violations[0].actions.iter().map(|edge| edge.to).collect();
    assert_eq!((outcome.violations[0].property, path), (1, vec![4]), "the nearest of the two");
    assert!(can_recover(&without, &graph::Node(1)));
    assert!(!can_recover(&without, &graph::Node(4)));
}

#[test]
fn a_fault_is_no_way_out() {
    let graph = Graph { edges: &[(0, 1), (1, 0)], unsettled: &[1], ..Graph::EMPTY };
    assert_eq!(common::search_all(&graph).verdict(), Verdict::Holds);
    let by_a_fault = Graph { faults: &[(1, 0)], ..graph };
    assert_eq!(common::search_all(&by_a_fault).length(1), Some(1));
    assert!(!can_recover(&by_a_fault, &graph::Node(1)));
}

#[test]
fn a_state_beyond_which_a_bound_cuts_is_no_dead_end() {
    let graph = Graph { edges: &[(0, 1)], unsettled: &[1], ..Graph::EMPTY };
    assert_eq!(common::search_all(&graph).length(1), Some(1));
    let cut = Graph { cut: &[1], ..graph };
    assert_eq!(common::search_all(&cut).verdict(), Verdict::Holds);
    assert!(can_recover(&cut, &graph::Node(1)));
}

#[test]
fn what_is_refused_is_counted_and_not_taken() {
    let outcome = common::search_all(&Graph { refused: &[(0, 2)], ..DIAMOND });
    assert_eq!(outcome.statistics.kinds[0].refused, 1);
    assert_eq!(outcome.statistics.guards.iter().sum::<u64>(), 1);
    assert_eq!(outcome.statistics.depths, [1, 1, 1, 1], "4 is reached the long way, and 2 never");
}

#[test]
fn a_search_that_is_cut_never_holds() {
    let depth = limited(&DIAMOND, Limits { max_depth: Some(1), ..Limits::default() });
    assert_eq!(depth.verdict(), Verdict::Truncated);
    assert_eq!(depth.truncation, Some(Truncation { by: Limit::Depth, depth: 1, left: 2 }));
    let states = limited(&DIAMOND, Limits { max_states: Some(2), ..Limits::default() });
    assert_eq!(states.truncation, Some(Truncation { by: Limit::States, depth: 1, left: 2 }));
    let time = limited(&DIAMOND, Limits { timeout: Some(Duration::ZERO), ..Limits::default() });
    assert_eq!(time.truncation, Some(Truncation { by: Limit::Timeout, depth: 0, left: 1 }));
}

/// The limit is of states found: it is reached by one more, and no state is expanded after that.
#[test]
fn a_limit_of_states_stops_at_the_first_state_that_is_one_too_many() {
    let tree = Graph { edges: &[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)], ..Graph::EMPTY };
    for (limit, found, expanded, depth) in
        [(0, 1, 0, 0), (1, 3, 1, 1), (2, 3, 1, 1), (3, 5, 2, 1), (4, 5, 2, 1), (5, 7, 3, 2), (6, 7, 3, 2)]
    {
        let outcome = limited(&tree, Limits { max_states: Some(limit), ..Limits::default() });
        let truncation = Truncation { by: Limit::States, depth, left: found - expanded };
        assert_eq!((outcome.statistics.states, outcome.truncation), (found, Some(truncation)), "at most {limit}");
    }
    let whole = limited(&tree, Limits { max_states: Some(7), ..Limits::default() });
    assert_eq!((whole.statistics.states, whole.verdict()), (7, Verdict::Holds));
}

/// The limit is reached between two states of one level: what the first has broken is found, and what the second would
/// break is not.
#[test]
fn a_limit_of_states_forgets_nothing_that_was_found_before_it() {
    let tree = Graph { edges: &[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)], ..Graph::EMPTY };
    let limits = Limits { max_states: Some(3), ..Limits::default() };
    let found = limited(&Graph { bad: &[4], ..tree }, limits);
    assert_eq!((found.verdict(), found.length(0)), (Verdict::Violated, Some(2)));
    assert!(found.truncation.is_some(), "and it says that it was cut");
    let beyond = limited(&Graph { bad: &[5], ..tree }, limits);
    assert_eq!((beyond.verdict(), beyond.length(0)), (Verdict::Truncated, None));
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let limits = Limits { max_depth: Some(3), max_states: Some(5), timeout: Some(Duration::from_secs(3600)) };
    assert_eq!(limited(&DIAMOND, limits).verdict(), Verdict::Holds);
}

#[test]
fn a_search_that_is_cut_reports_what_it_has_seen_but_no_dead_end() {
    let graph = Graph { edges: &[(0, 1), (1, 2), (2, 3)], bad: &[1], unsettled: &[1], ..Graph::EMPTY };
    let outcome = limited(&graph, Limits { max_depth: Some(1), ..Limits::default() });
    assert_eq!(outcome.verdict(), Verdict::Violated);
    assert_eq!((outcome.length(0), outcome.length(1)), (Some(1), None));
}

#[test]
fn what_was_not_asked_is_not_judged() {
    let graph = Graph { bad: &[1], unsettled: &[9], ..DIAMOND };
    let mut settled_only = Question::EVERYTHING;
    settled_only.properties.0 = 1 << 1;
    assert_eq!(search(&graph, &settled_only, &mut |_| ()).verdict(), Verdict::Holds);
}

/// Weak fairness to each of several gateways, say, which a symmetry takes for one another.
fn fair_to_each(tells_apart: bool) -> Graph {
    const EACH: &[Class] = &[Class { name: "each", sentence: "each gateway takes a step", tells_apart: true }];
    const ANY: &[Class] = &[Class { name: "any", sentence: "some gateway takes a step", tells_apart: false }];
    const RESPONSES: &[Response] = &[Response {
        property: Property { requirement: Requirement::Save1, name: "ends", sentence: "it ends", broken_by: "" },
        fairness: Fairness { weak: Classes::only(0), strong: Classes::NONE, finitely: Classes::NONE },
    }];
    Graph { responses: RESPONSES, classes: if tells_apart { EACH } else { ANY }, ..DIAMOND }
}

fn ask_for_loops(graph: &Graph, symmetry: bool, keeps_graph: bool) {
    let explored = explore(graph, &Question { symmetry, keeps_graph, ..Question::EVERYTHING }, &mut |_| ());
    assert_eq!(explored.graph.len(), if keeps_graph { 5 } else { 0 });
}

#[test]
#[should_panic(expected = "fairness to `each` tells apart what symmetry does not")]
fn fairness_to_each_of_several_is_not_asked_of_states_that_stand_for_several() {
    ask_for_loops(&fair_to_each(true), true, true);
}

#[test]
fn fairness_to_each_of_several_is_asked_where_they_are_told_apart() {
    ask_for_loops(&fair_to_each(true), false, true);
    ask_for_loops(&fair_to_each(true), true, false);
    ask_for_loops(&fair_to_each(false), true, true);
}

/// Two nodes that differ in names alone, and steps that lead from each to the other.
#[test]
fn a_step_that_changes_names_alone_is_taken_all_the_same() {
    let round = Graph { edges: &[(0, 1), (1, 0)], alike: &[(1, 0)], ..fair_to_each(false) };
    let fairness = round.responses[0].fairness;
    for symmetry in [false, true] {
        let explored = explore(&round, &Question { symmetry, keeps_graph: true, ..Question::EVERYTHING }, &mut |_| ());
        let lasso =
            first_lasso(&explored.graph, 0, fairness).expect("going round for ever is fair, and nobody is answered");
        assert_eq!(lasso.cycle.len(), if symmetry { 1 } else { 2 });
    }
}

/// A file may claim anything. A step that changes nothing is no step, however often it is repeated.
#[test]
fn a_step_that_changes_nothing_makes_no_loop_fair() {
    let stuck = Graph { edges: &[(0, 0), (0, 1)], ..fair_to_each(false) };
    let fairness = stuck.responses[0].fairness;
    let stutter = walk(&stuck, 0, &[graph::Edge { from: 0, to: 0 }]).unwrap();
    assert!(!waits_in_vain(&stuck, 0, fairness, &graph::Node(0), &stutter, 1));
    let moves = Graph { edges: &[(0, 1), (1, 0)], ..stuck };
    let round = walk(&moves, 0, &[graph::Edge { from: 0, to: 1 }, graph::Edge { from: 1, to: 0 }]).unwrap();
    assert!(waits_in_vain(&moves, 0, fairness, &graph::Node(0), &round, 2));
}

#[test]
fn a_path_can_be_walked_again() {
    let graph = Graph { bad: &[3], ..DIAMOND };
    let outcome = common::search_all(&graph);
    let steps = walk(&graph, 0, &outcome.violations[0].actions).unwrap();
    assert_eq!(steps.iter().map(|step| (step.before.0, step.after.0)).collect::<Vec<_>>(), [(0, 1), (1, 3)]);
    assert!(steps[1].broken.has(0) && steps[0].broken.is_empty());
}

#[test]
fn somebody_who_watches_is_told() {
    let mut seen = Vec::new();
    search(&DIAMOND, &Question::EVERYTHING, &mut |progress: &Progress| seen.push((progress.states, progress.queue)));
    assert_eq!(seen, [(1, 1), (3, 2), (5, 2)], "once a level, and more often where levels are large");
}
