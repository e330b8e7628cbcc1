//! The command as people run it: its exit codes, its text, its JSON, its pipes.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const REJECTED: &str = "traces/rejected/save-3-late-save-after-reset.jsonl";
const ACCEPTED: &str = "traces/accepted/save-3-late-save-after-reset.jsonl";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_model-check"));
    command.arg("conform").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn run(arguments: &[&str]) -> (i32, String) {
    ended(command(arguments).output().expect("the command runs"))
}

fn ended(output: Output) -> (i32, String) {
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    (output.status.code().expect("an exit code"), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn exit_codes_say_what_was_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("a file");
        path.display().to_string()
    };
    assert_eq!(run(&[ACCEPTED]).0, 0);
    assert_eq!(run(&[REJECTED]).0, 20);
    assert_eq!(run(&[&file("empty", "")]).0, 4);
    assert_eq!(run(&[&file("garbage", "garbage")]).0, 150);
    assert_eq!(run(&["no-such-file"]).0, 4);
    assert_eq!(run(&[ACCEPTED, "--require", "danger-windows"]).0, 14);
    assert_eq!(run(&[]).0, 2);
    assert_eq!(run(&[ACCEPTED, "--protocol", "teardown"]).0, 2);
}

const OPERATIONS: &str = "traces/operation/rejected/reconcile-4-sweep-writes-over-a-start.jsonl";

#[test]
fn a_trace_is_judged_by_the_protocol_that_it_names_and_with_no_other() {
    assert_eq!(run(&[OPERATIONS]).0, 20);
    assert_eq!(run(&[OPERATIONS, "--protocol", "operation"]).0, 20);
    let told = |arguments: &[&str]| {
        let output = command(arguments).output().expect("the command runs");
        let text = [&output.stdout[..], &output.stderr[..]].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let (code, text) = told(&[OPERATIONS, "--protocol", "snapshot"]);
    assert!(code == Some(2) && text.contains("of the protocol `operation`, not of `snapshot`"), "{text}");
    let (code, text) = told(&[ACCEPTED, OPERATIONS]);
    let message = "this trace is of `operation`, and the one before it of `snapshot`: check each by itself";
    assert!(code == Some(150) && text.contains(message), "{text}");
    let (code, text) = told(&[ACCEPTED, "--protocol", "teardown"]);
    assert!(code == Some(2) && text.contains("traces are judged of `snapshot` and `operation`"), "{text}");
}

#[test]
fn the_page_of_an_operation_trace_has_the_lanes_of_its_protocol() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run(&[OPERATIONS, "--out-dir", &folder.path().display().to_string()]);
    let page = fs::read_to_string(folder.path().join("conform.html")).expect("a written file");
    for lane in ["gateway", "store", "provider"] {
        assert!(page.contains(&format!(">{lane}<")), "no lane `{lane}` in\n{page}");
    }
    assert!(page.contains("RECONCILE-4") && page.contains("revision-check-only"), "{page}");
}

#[test]
fn a_divergence_reads_like_an_error_of_a_compiler() {
    let (_, text) = run(&[REJECTED]);
    for part in [
        "error: SAVE-3: a save lands only under the current incarnation",
        "save-3-late-save-after-reset.jsonl:16:101",
        "^ incarnation 1, against incarnation 3",
        "---------- the current incarnation is from here",
        "`SaveIsCurrent` compares the incarnation of a save, with the current one",
        "a behaviour of `generation-only` (rows A01 A02",
        "here the model would have taken:",
        "saves generation 1 of incarnation 3",
        "14 events = 9 matched + 5 observed + 0 markers",
        "a reset was claimed while a save was in flight",
    ] {
        assert!(text.contains(part), "`{part}` is missing in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "a pipe gets no colours");
    assert!(run(&[REJECTED, "--color", "always"]).1.contains('\u{1b}'));
}

#[test]
fn json_and_files_say_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out_dir = folder.path().join("new");
    let (code, text) = run(&[REJECTED, "--format", "json", "--out-dir", &out_dir.display().to_string()]);
    let report: Value = serde_json::from_str(&text).expect("one JSON document");
    assert_eq!((code, report["exit"].as_i64(), report["verdict"].as_str()), (20, Some(20), Some("diverges")));
    assert_eq!(report["divergence"]["requirement"], "SAVE-3");
    assert_eq!(report["divergence"]["line"]["place"]["line"], 16);
    let written = |name: &str| fs::read_to_string(out_dir.join(name)).expect("a written file");
    assert_eq!(serde_json::from_str::<Value>(&written("conform.json")).expect("JSON"), report);
    assert_eq!(written("conform.txt"), run(&[REJECTED]).1);
}

#[test]
fn the_page_shows_the_nearest_edits_and_the_shorter_trace() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out_dir = folder.path().display().to_string();
    run(&[REJECTED, "--out-dir", &out_dir]);
    let written = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a written file");
    let (page, minimised) = (written("conform.html"), written("minimised.jsonl"));
    assert!(page.contains("Accepted if the <code>incarnation</code> were 3"), "{page}");
    let shorter = "Of the computer's 15 events 8 are refused for the same, none of which can be left out.";
    assert!(page.contains(shorter), "{page}");
    let escaped = |line: &str| line.replace('"', "&quot;");
    for line in minimised.lines() {
        assert!(page.contains(&format!(">{}</li>", escaped(line))), "{line} is missing in\n{page}");
    }
    assert!(page.contains("fn save_3_refuses_this_save()"), "{page}");
}

#[test]
fn standard_input_is_read_twice() {
    let mut child =
        command(&["-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let trace = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(REJECTED)).expect("the trace");
    child.stdin.take().expect("a pipe").write_all(&trace).expect("it reads");
    let (code, text) = ended(child.wait_with_output().expect("it ends"));
    assert_eq!(code, 20);
    assert!(text.contains("standard input:16:101"), "{text}");
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let mut child = command(&[REJECTED]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(20), ""));
}

#[test]
fn quiet_says_only_what_is_wrong() {
    assert_eq!(run(&[ACCEPTED, "--quiet"]), (0, String::new()));
    assert!(run(&[REJECTED, "--quiet"]).1.contains("SAVE-3"));
}

#[test]
fn doctor_says_what_a_trace_lacks_and_whether_it_could_pass() {
    let doctor = |trace: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_model-check"));
        command.args(["doctor", trace]).current_dir(env!("CARGO_MANIFEST_DIR"));
        ended(command.output().expect("the command runs"))
    };
    let (code, text) = doctor(REJECTED);
    assert_eq!(code, 0, "a wrong trace can be a good record\n{text}");
    for words in ["guards had something to decide", "  weaker    15 of 15", "  not seen  it never occurred that"] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(doctor("Cargo.toml").0, 150);
    assert_eq!(doctor("no-such-trace.jsonl").0, 4);
}
