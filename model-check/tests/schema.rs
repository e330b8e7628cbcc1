//! What the commands print with `--format json` is of the schema that `schema report` prints.
//!
//! The validator is our own, and knows only what our generator writes: the crates for it bring thirty more, with
//! numbers of any size and formats that stand in no schema of ours. A keyword that it does not know is a failure.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "common/validator.rs"]
mod validator;

use std::process::Command;

use serde_json::{Value, json};
use validator::Validator;

fn print(args: &[&str]) -> Value {
    let output =
        Command::new(env!("CARGO_BIN_EXE_model-check")).args(args).args(["--format", "json"]).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{args:?}: {error}\n{stdout}"))
}

/// Each definition with outputs that are of it. A list is of none, but its entries are.
fn outputs() -> Vec<(&'static str, Vec<Value>)> {
    let folder = tempfile::tempdir().unwrap();
    let counterexample = folder.path().join("snapshot.act-unresolved.nothing-acts-unresolved.json");
    let (folder, counterexample) = (folder.path().to_str().unwrap(), counterexample.to_str().unwrap());
    let entries = |list: Value| list.as_array().unwrap().clone();
    let here = |file: &str| format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    let judged = [
        "traces/accepted/save-3-late-save-after-reset.jsonl",
        "traces/rejected/save-3-late-save-after-reset.jsonl",
        "Cargo.toml",
    ];
    vec![
        (
            "CheckReport",
            vec![
                print(&["check", "--profile", "smoke", "--all-variants"]),
                print(&["check", "--profile", "smoke", "--variant", "act-unresolved", "--out-dir", folder]),
                print(&["check", "--profile", "smoke", "--max-depth", "3"]),
            ],
        ),
        ("Counterexample", vec![print(&["replay", counterexample])]),
        ("Report", judged.map(|file| print(&["conform", &here(file)])).into()),
        ("Examination", judged.map(|file| print(&["doctor", &here(file)])).into()),
        (
            "Summary",
            ["snapshot", "operation"]
                .map(|protocol| print(&["generate", protocol, "--cover", "states", "--out-dir", folder]))
                .into(),
        ),
        ("Listed", entries(print(&["list"]))),
        ("Meaning", entries(print(&["explain", "SAVE-3"]))),
        #[cfg(feature = "demo")]
        ("DemoReport", vec![print(&["demo"])]),
    ]
}

#[test]
fn what_every_command_prints_is_of_its_definition() {
    let schema = print(&["schema", "report"]);
    for (definition, documents) in outputs() {
        let validator = Validator::of(&schema, definition);
        assert!(!documents.is_empty(), "{definition}");
        for document in documents {
            let wrong = validator.wrong(&document);
            assert!(wrong.is_empty(), "{definition}: {}", wrong.join("\n"));
        }
    }
}

/// It prints what `check` and `demo` print, in one document; it takes too long to be run here.
#[cfg(feature = "demo")]
#[test]
fn what_the_main_job_prints_has_a_definition_made_of_theirs() {
    let definition = &print(&["schema", "report"])["$defs"]["MainReport"]["properties"];
    assert_eq!(definition["check"], json!({"$ref": "#/$defs/CheckReport", "description": "The searches."}));
    assert_eq!(definition["demo"], json!({"$ref": "#/$defs/DemoReport", "description": "The demonstration."}));
}

#[test]
fn every_line_of_the_scripts_is_of_its_schema() {
    let schema = print(&["schema", "script"]);
    let (header, script) = (Validator::of(&schema, "Header"), Validator::of(&schema, "Script"));
    for protocol in ["snapshot", "operation"] {
        let folder = tempfile::tempdir().unwrap();
        print(&["generate", protocol, "--cover", "states", "--out-dir", folder.path().to_str().unwrap()]);
        let text = std::fs::read_to_string(folder.path().join("scripts.jsonl")).unwrap();
        for (at, line) in text.lines().enumerate().step_by(50) {
            let wrong = if at == 0 { &header } else { &script }.wrong(&serde_json::from_str(line).unwrap());
            assert!(wrong.is_empty(), "{protocol}, line {}: {}", at + 1, wrong.join("\n"));
        }
        assert!(text.lines().count() > 1_000);
    }
}

#[test]
fn every_report_is_one_of_the_schema() {
    let schema = print(&["schema", "report"]);
    let whole = schema["anyOf"].as_array().unwrap();
    let refers_to = |definition: &str| {
        let target = json!(format!("#/$defs/{definition}"));
        whole.iter().any(|one| one["$ref"] == target || one["items"]["$ref"] == target)
    };
    for definition in ["CheckReport", "Report", "Examination", "Summary", "Counterexample", "Listed", "Meaning"] {
        assert!(refers_to(definition), "{definition}");
    }
    assert_eq!(refers_to("DemoReport") && refers_to("MainReport"), cfg!(feature = "demo"));
}

#[test]
fn a_document_that_is_not_of_the_schema_is_noticed() {
    let schema = print(&["schema", "report"]);
    let right = print(&["list"])[0].clone();
    let validator = Validator::of(&schema, "Listed");
    assert!(validator.wrong(&right).is_empty());
    let spoil: [fn(&mut Value); 4] = [
        |document| drop(document.as_object_mut().unwrap().remove("guards")),
        |document| document["protocol"] = json!(7),
        |document| document["variants"][0]["name"] = json!(null),
        |document| document["surplus"] = json!("of no schema"),
    ];
    for spoil in spoil {
        let mut document = right.clone();
        spoil(&mut document);
        assert_eq!(validator.wrong(&document).len(), 1, "{document}");
    }
}
