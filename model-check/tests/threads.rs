//! What a search finds does not depend on how many threads search.

mod common;

use std::time::Duration;

use outlive_model_check::engine::limits::Limits;
use outlive_model_check::engine::liveness::{Lasso, first_lasso};
use outlive_model_check::engine::statistics::Statistics;
use outlive_model_check::engine::{Outcome, Question, Verdict, explore};
use outlive_spec::protocol::Protocol;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::Action;
use outlive_spec::snapshot::bounds::SMOKE;

/// Everything that was found but the time that it took, and the loops if there is a graph.
fn found(protocol: &Snapshot, question: &Question) -> (Outcome<Action>, Vec<Option<Lasso>>) {
    let explored = explore(protocol, question, &mut |_| ());
    let statistics = Statistics { elapsed: Duration::ZERO, ..explored.outcome.statistics };
    let judged = protocol.responses().iter().enumerate().filter(|_| question.keeps_graph);
    let loops = judged.map(|(place, response)| first_lasso(&explored.graph, place, response.fairness)).collect();
    (Outcome { statistics, ..explored.outcome }, loops)
}

fn assert_threads_do_not_matter(variant: &str, question: Question, expected: Verdict) {
    let protocol = Snapshot { rules: common::rules(variant), bounds: SMOKE };
    let (alone, loops_alone) = found(&protocol, &question);
    assert_eq!(alone.verdict(), expected, "{variant}");
    for threads in [2, 3] {
        let (together, loops) = found(&protocol, &Question { threads, ..question });
        let how = format!("{variant} by {threads} threads, {question:?}");
        assert_eq!(together.statistics, alone.statistics, "{how}");
        assert_eq!(together.violations, alone.violations, "{how}");
        assert_eq!(together.truncation, alone.truncation, "{how}");
        assert_eq!(loops, loops_alone, "{how}");
    }
}

#[test]
fn one_two_and_three_threads_find_the_same() {
    for (variant, verdict) in [("right", Verdict::Holds), ("generation-only", Verdict::Violated)] {
        for symmetry in [false, true] {
            // Loops are looked for under symmetry, and so the graph is kept there.
            let question = Question { symmetry, keeps_graph: symmetry, ..Question::EVERYTHING };
            assert_threads_do_not_matter(variant, question, verdict);
        }
    }
}

#[test]
fn one_two_and_three_threads_stop_at_the_same_state() {
    let limits = Limits { max_states: Some(5_000), ..Limits::default() };
    assert_threads_do_not_matter("right", Question { limits, ..Question::EVERYTHING }, Verdict::Truncated);
}
