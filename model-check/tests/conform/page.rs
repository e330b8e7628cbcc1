//! What a person reads of a refusal: a change of it is a difference to be reviewed.

use std::fs;
use std::path::Path;

use outlive_model_check::conform::{Input, Options, check, render};
use outlive_spec::trace::schema_hash;

/// As it is printed, but for the hash of the format, which changes with a word in a comment.
fn printed(trace: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("traces/{trace}.jsonl"));
    let text = fs::read(path).expect("the trace is there");
    let report = check(&[Input::text("trace.jsonl", text)], &Options::default());
    render::text(&report, render::Colors::Never).replace(&schema_hash(), "of-the-format")
}

/// More lines came before than are shown, two gateways have spoken, and the fact is an earlier line's.
#[test]
fn a_refusal_by_a_guard_reads_as_reviewed() {
    insta::assert_snapshot!(printed("rejected/save-8-rollback-past-a-reset"));
}

#[test]
fn another_row_reads_as_reviewed() {
    insta::assert_snapshot!(printed("rejected/row-save-that-nobody-sees"));
}

#[test]
fn another_operation_reads_as_reviewed() {
    insta::assert_snapshot!(printed("rejected/operation-save-of-the-answer-to-another-call"));
}

/// Incident E: two guards forbid it, and the one that is asked first is named.
#[test]
fn a_refusal_of_a_sweep_reads_as_reviewed() {
    insta::assert_snapshot!(printed("operation/rejected/reconcile-4-sweep-writes-over-a-start"));
}
