//! `--format`: what is printed and written, and that its readers would read it.

use std::process::Command;

use outlive_model_check::registry::FAMILIES;
use roxmltree::{Document, Node};
use serde_json::Value;

use crate::command::{SITE, model_check, print, root};
use crate::page::Page;
use crate::validator::Validator;

const SCHEMA: &str = include_str!("sarif-2.1.0.json");
const REJECTED: &str = "model-check/traces/rejected/save-3-late-save-after-reset.jsonl";
const ACCEPTED: &str = "model-check/traces/accepted/save-3-late-save-after-reset.jsonl";
const BROKEN: [&str; 5] = ["check", "--profile", "smoke", "--variant", "act-unresolved"];
const CUT: [&str; 6] = ["check", "snapshot", "--profile", "smoke", "--max-depth", "3"];
const TABLE: [&str; 4] = ["check", "--profile", "smoke", "--all-variants"];

fn print_as(format: &str, args: &[&str], code: i32) -> String {
    print(&[args, &["--format", format]].concat(), code)
}

fn sarif(args: &[&str], code: i32) -> Value {
    let document = serde_json::from_str(&print_as("sarif", args, code)).unwrap();
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert_eq!(Validator::of(&schema, "sarif").wrong(&document), [""; 0]);
    document
}

#[test]
fn sarif_has_a_result_for_each_sentence_that_does_not_hold() {
    let document = sarif(&BROKEN, 12);
    let run = &document["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!((&results[0]["ruleId"], &results[0]["level"]), (&"nothing-acts-unresolved".into(), &"error".into()));
    let rule = &run["tool"]["driver"]["rules"][usize::try_from(results[0]["ruleIndex"].as_u64().unwrap()).unwrap()];
    assert_eq!(rule["id"], results[0]["ruleId"]);
    let file = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert!(root().join(file).exists(), "{file}");
    assert_eq!(sarif(&CUT, 152)["runs"][0]["results"][0]["level"], "warning");
    assert_eq!(sarif(&["conform", ACCEPTED], 0)["runs"][0]["results"].as_array().map(Vec::len), Some(0));
}

#[test]
fn what_never_comes_about_is_shown_where_its_sentence_stands() {
    let document = sarif(&["check", "--profile", "smoke", "--variant", "retry-same-save"], 13);
    let place = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "spec/src/snapshot/responses.rs");
    assert!(root().join("spec/src/snapshot/responses.rs").exists());
}

/// A page must not show a call whose outcome nobody knows as one that was done.
#[test]
fn the_page_of_a_trace_tells_what_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    for (trace, code) in [("accepted", 0), ("rejected", 20)] {
        let trace = format!("model-check/traces/{trace}/call-save-9-page-of-no-open-save.jsonl");
        print(&["conform", &trace, "--out-dir", out], code);
        let page = Page::read(&std::fs::read_to_string(folder.path().join("conform.html")).unwrap());
        assert!(page.all("td").iter().any(|cell| cell.text() == "unknown"), "{trace}: the coverage");
        let actions: Vec<String> = page.of_class("action").iter().map(|action| action.text()).collect();
        let lines = ["save is called", "save, outcome unknown"].map(|words| actions.iter().any(|it| it == words));
        assert_eq!(lines, [code == 20; 2], "{trace}: {actions:?}");
    }
}

#[test]
fn sarif_points_at_the_line_of_a_trace() {
    let document = sarif(&["conform", REJECTED], 20);
    let place = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], REJECTED);
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&16.into(), &101.into()));
}

#[test]
fn a_document_that_is_no_sarif_is_noticed() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let right = sarif(&BROKEN, 12);
    let spoil: [fn(&mut Value); 5] = [
        |document| document["version"] = "2.0".into(),
        |document| document["runs"][0]["results"][0]["level"] = "fatal".into(),
        |document| {
            document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0.into()
        },
        |document| document["runs"][0]["results"][0]["partialFingerprints"]["outlive/v1"] = 1.into(),
        |document| drop(document["runs"][0]["results"][0].as_object_mut().unwrap().remove("message")),
    ];
    for spoil in spoil {
        let mut document = right.clone();
        spoil(&mut document);
        assert_ne!(Validator::of(&schema, "sarif").wrong(&document), [""; 0], "{document}");
    }
}

/// The tests of a document by how they ended, held against the counts that it states.
fn ends(text: &str) -> [usize; 3] {
    let document = Document::parse(text).unwrap();
    let has = |node: &Node<'_, '_>, name: &str| node.children().any(|child| child.has_tag_name(name));
    let cases: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    let failures = cases.iter().filter(|case| has(case, "failure")).count();
    let errors = cases.iter().filter(|case| has(case, "error")).count();
    let root = document.root_element();
    let said = ["tests", "failures", "errors"].map(|name| root.attribute(name).unwrap().parse::<usize>().unwrap());
    assert_eq!(said, [cases.len(), failures, errors]);
    said
}

#[test]
fn junit_has_a_test_for_each_sentence() {
    let properties = 18;
    assert_eq!(ends(&print_as("junit", &["check", "snapshot", "--profile", "smoke"], 0)), [properties, 0, 0]);
    assert_eq!(ends(&print_as("junit", &BROKEN, 12)), [properties, 1, 0]);
    assert_eq!(ends(&print_as("junit", &CUT, 152)), [properties, 0, properties]);
    assert_eq!(ends(&print_as("junit", &["conform", ACCEPTED], 0)), [1, 0, 0]);
    assert_eq!(ends(&print_as("junit", &["conform", REJECTED], 20)), [1, 1, 0]);
    assert_eq!(ends(&print_as("junit", &["conform", "Cargo.toml"], 150)), [1, 1, 0]);
}

#[test]
fn a_variant_that_breaks_as_reviewed_is_no_failure() {
    let sentences: usize = FAMILIES.iter().map(|family| family.properties().len()).sum();
    assert_eq!(ends(&SITE.junit()), [sentences + 1, 0, 0], "the right rules, and the table as a whole");
    let cut = ends(&print_as("junit", &[&TABLE[..], &["--max-depth", "2"]].concat(), 152));
    let variants: usize = FAMILIES.iter().map(|family| family.variants().len() - 1).sum();
    assert_eq!(cut, [sentences + variants, 0, sentences + variants], "what was cut short has not passed");
}

#[test]
fn github_shows_a_finding_at_its_line() {
    let text = print_as("github", &["conform", REJECTED], 20);
    let start = format!("::error file={REJECTED},line=16,col=101,title=");
    assert!(text.starts_with(&start), "{text}");
    assert!(text.contains("SAVE-3::a save lands only under the current incarnation"), "{text}");
    assert_eq!(print_as("github", &["conform", ACCEPTED], 0), "");
    assert!(print_as("github", &CUT, 152).starts_with("::warning "));
}

#[test]
fn the_summary_of_a_step_is_appended_where_github_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.md");
    std::fs::write(&summary, "what was there\n").unwrap();
    let run = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_model-check"));
        command.args(["conform", REJECTED, "--format", format]).current_dir(root());
        command.env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
        std::fs::read_to_string(&summary).unwrap()
    };
    assert_eq!(run("json"), "what was there\n");
    let text = run("github");
    assert!(text.starts_with("what was there\n### model-check conform: 0 of 1 hold\n"), "{text}");
    assert!(text.contains("| SAVE-3 |"), "{text}");
}

#[test]
fn several_formats_are_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let target = |format: &str| format!("{format}={}", path(format));
    let targets = ["json", "junit", "sarif", "text"].map(target);
    let mut args = vec!["conform", REJECTED, "--quiet"];
    args.extend(targets.iter().flat_map(|target| ["--format", target.as_str()]));
    let printed = print(&args, 20);
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(read("text"), printed);
    for format in ["json", "junit", "sarif"] {
        assert_eq!(read(format), print_as(format, &["conform", REJECTED], 20), "{format}");
    }
}

#[test]
fn a_file_is_complete_where_the_screen_is_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text");
    let target = format!("text={}", file.display());
    assert_eq!(print(&["conform", ACCEPTED, "--quiet", "--color", "always", "--format", &target], 0), "");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("conforms to the model") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn what_cannot_be_written_is_a_usage_error_that_helps() {
    for (args, hint) in [
        (&["list", "--format", "junit"][..], "this command judges nothing, and has no `junit`"),
        (&["list", "--format", "xml"], "there is no format `xml`; there is text, json, github, sarif, junit"),
        (&["list", "--format", "json="], "names no file"),
        (&["list", "--format", "json", "--format", "text"], "write another as FORMAT=FILE"),
    ] {
        let output = model_check(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8_lossy(&output.stderr).contains(hint), "{args:?}: {output:?}");
    }
}
