//! The command as a user meets it: exit codes, messages, files, closed pipes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use outlive_model_check::exit::Exit;

fn model_check(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_model-check"));
    command.args(args).env_remove("NO_COLOR");
    command
}

fn run(args: &[&str]) -> Output {
    model_check(args).output().expect("the command runs")
}

fn expect(args: &[&str], exit: Exit) -> (String, String) {
    let Output { status, stdout, stderr } = run(args);
    let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert_eq!(status.code(), Some(i32::from(exit.code())), "{args:?}\n{stdout}\n{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    (stdout, stderr)
}

const SMOKE: [&str; 3] = ["check", "--profile", "smoke"];

fn smoke<'a>(args: &[&'a str]) -> Vec<&'a str> {
    SMOKE.iter().chain(args).copied().collect()
}

#[test]
fn the_right_rules_hold() {
    let (stdout, _) = expect(&smoke(&["snapshot"]), Exit::Holds);
    assert!(stdout.contains("snapshot / right: holds; "), "{stdout}");
}

#[test]
fn a_broken_variant_shows_its_shortest_path_and_only_what_changed() {
    let (stdout, _) = expect(&smoke(&["--variant", "generation-only"]), Exit::SafetyViolated);
    assert!(stdout.contains("broken RESET-6 no-wiped-page-resolves: no reference ever resolves"), "{stdout}");
    assert!(stdout.contains("snapshot / generation-only, shortest: 9 steps"), "{stdout}");
    assert!(stdout.contains("the right rules refuse this: SAVE-3: "), "{stdout}");
    assert!(stdout.contains("store: page: none -> generation 1"), "{stdout}");
    assert!(!stdout.contains("store: page: none -> none"), "{stdout}");
}

#[test]
fn the_command_that_a_counterexample_names_shows_it_again() {
    let (stdout, _) = expect(&smoke(&["--variant", "act-unresolved"]), Exit::SafetyViolated);
    let replay = stdout.lines().find_map(|line| line.trim().strip_prefix("replay: model-check ")).unwrap();
    let (again, _) = expect(&replay.split(' ').collect::<Vec<_>>(), Exit::SafetyViolated);
    let path = |text: &str| text.split("broken ").nth(1).unwrap().split("replay").next().unwrap().to_owned();
    assert_eq!(path(&stdout), path(&again));
}

#[test]
fn a_dead_end_has_an_exit_code_of_its_own() {
    let dead_end = ["--variant", "wipe-forgotten-on-crash", "--property", "settled-is-reachable"];
    let (stdout, _) = expect(&smoke(&dead_end), Exit::DeadEnd);
    assert!(stdout.contains("From here no progress leads to a settled state."), "{stdout}");
}

#[test]
fn what_breaks_only_in_behaviours_without_end_has_an_exit_code_of_its_own() {
    let (stdout, _) = expect(&smoke(&["--variant", "retry-same-save"]), Exit::LivenessViolated);
    assert!(stdout.contains("broken SAVE-11 agent-works-at-last: an agent gets a page"), "{stdout}");
    assert!(stdout.contains("shortest: 7 steps, and then nothing"), "{stdout}");
    let (stdout, _) = expect(&smoke(&["--variant", "rollback-during-reset"]), Exit::SafetyViolated);
    assert!(stdout.contains("shortest: 7 steps, and then 6 for ever"), "{stdout}");
    assert!(stdout.contains("and then, for ever:"), "{stdout}");
    assert!(stdout.contains("in the loop"), "{stdout}");
}

#[test]
fn a_search_that_was_cut_is_no_pass() {
    let (stdout, _) = expect(&["check", "snapshot", "--max-states", "1000"], Exit::Truncated);
    assert!(stdout.contains("truncated (the limit of states was reached at depth "), "{stdout}");
    expect(&smoke(&["--max-depth", "3"]), Exit::Truncated);
    expect(&smoke(&["--timeout", "0s"]), Exit::Truncated);
    expect(&smoke(&["--all-variants", "--max-depth", "3"]), Exit::Truncated);
}

#[test]
fn all_variants_are_as_reviewed() {
    let (stdout, _) = expect(&smoke(&["--all-variants", "--deny-unreached"]), Exit::Holds);
    assert!(stdout.contains("the right rules hold, and every variant breaks as reviewed"), "{stdout}");
    assert!(!stdout.contains("vacuous"), "{stdout}");
}

#[test]
fn one_property_can_be_asked_for_by_name_or_by_requirement() {
    expect(&smoke(&["--variant", "act-unresolved", "--property", "stamp-is-true"]), Exit::Holds);
    expect(&smoke(&["--variant", "act-unresolved", "--property", "RESET-7"]), Exit::SafetyViolated);
}

#[test]
fn json_says_the_same() {
    let (stdout, _) = expect(&smoke(&["--format", "json", "--variant", "reset-unconditional"]), Exit::SafetyViolated);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["exit"], 12);
    let checked = &report["checked"][0];
    assert_eq!((&checked["variant"], &checked["verdict"]), (&"reset-unconditional".into(), &"violated".into()));
    let steps =
        checked["properties"].as_array().unwrap().iter().find_map(|it| it["counterexample"]["steps"].as_array());
    assert_eq!(steps.unwrap().len(), 4);
}

#[test]
fn whatever_is_unknown_is_a_usage_error_that_helps() {
    for (args, hint) in [
        (&["check", "snapshoot"][..], "there is no protocol `snapshoot`; did you mean `snapshot`?"),
        (&["check", "--variant", "generation"], "did you mean `generation-only`"),
        (&["check", "--variant", "xyz"], "there is no variant `xyz`; `model-check list` shows what there is"),
        (&["check", "xyz"], "there is no protocol `xyz`; there is `snapshot`, `operation`"),
        (&["check", "operation", "--variant", "read-after"], "`read-after` is one of the protocol `snapshot`"),
        (&["check", "snapshot", "--property", "stop-wins"], "`stop-wins` is one of the protocol `operation`"),
        (&["check", "--property", "stamp-is-tru"], "did you mean `stamp-is-true`"),
        (&["explain", "SAVE-33"], "did you mean `SAVE-3`"),
        (&["explore", "snapshot", "--variant", "rigth"], "did you mean `right`?"),
        (&["check", "--timeout", "soon"], "not a number with a unit"),
        (&["check", "--threads", "0"], "--threads"),
        (&["demo", "--computers", "0"], "--computers"),
        (&["demo", "--tasks", "0"], "--tasks"),
        (&["demo", "--rounds", "0"], "--rounds"),
        (&["frobnicate"], "frobnicate"),
    ] {
        let (stdout, stderr) = expect(args, Exit::Usage);
        assert!(stderr.contains(hint), "{args:?}: {stderr}");
        assert!(stdout.is_empty(), "{args:?}: {stdout}");
    }
}

#[test]
fn counterexamples_are_written_and_played_back() {
    let directory = tempfile::tempdir().unwrap();
    let out_dir = directory.path().join("found");
    let place = out_dir.to_str().unwrap();
    expect(&smoke(&["--variant", "wipe-forgotten-on-crash", "--out-dir", place]), Exit::LivenessViolated);
    expect(&smoke(&["--variant", "rollback-past-reset", "--out-dir", place]), Exit::SafetyViolated);
    let dead_end = out_dir.join("snapshot.wipe-forgotten-on-crash.settled-is-reachable.json");
    let (stdout, _) = expect(&["replay", dead_end.to_str().unwrap()], Exit::DeadEnd);
    assert!(stdout.contains("shortest: 2 steps"), "{stdout}");
    let endless = out_dir.join("snapshot.wipe-forgotten-on-crash.reset-ends-at-last.json");
    let (stdout, _) = expect(&["replay", endless.to_str().unwrap()], Exit::LivenessViolated);
    assert!(stdout.contains("shortest: 2 steps, and then nothing"), "{stdout}");
    let stored = out_dir.join("snapshot.rollback-past-reset.no-wiped-page-is-stored.json");
    let (stdout, _) = expect(&["replay", "--mermaid", "-", stored.to_str().unwrap()], Exit::SafetyViolated);
    assert!(stdout.starts_with("sequenceDiagram\n    participant computer\n"), "{stdout}");
    assert!(stdout.contains("gateway->>store: 9. "), "{stdout}");
    a_counterexample_that_does_not_fit_is_unreadable(&stored);
}

fn a_counterexample_that_does_not_fit_is_unreadable(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let edited = path.with_file_name("edited.json");
    for (from, to, message) in [
        ("\"format\": 1", "\"format\": 2", "its format is 2, and this program reads 1"),
        ("rollback-past-reset", "rollback-past-rest", "there is no variant `rollback-past-rest` any more"),
        ("\"snapshot\"", "\"snapshop\"", "there is no protocol `snapshop`"),
        ("\"exact\": \"Begin(", "\"exact\": \"Began(", "is not proposed by the model any more"),
        (
            "\"property\": \"no-wiped-page-is-stored\"",
            "\"property\": \"stamp-is-true\"",
            "`stamp-is-true` is not broken",
        ),
        ("\"steps\": [", "\"steps\": ", "is no counterexample"),
    ] {
        assert!(text.contains(from), "{from}");
        std::fs::write(&edited, text.replace(from, to)).unwrap();
        let (_, stderr) = expect(&["replay", edited.to_str().unwrap()], Exit::Unreadable);
        assert!(stderr.contains(message), "{stderr}");
    }
    expect(&["replay", "no-such-file.json"], Exit::Unreadable);
}

#[test]
fn a_trace_that_is_not_there_is_nothing_checked_and_one_that_cannot_be_read_is_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    let (_, stderr) = expect(&["conform", folder.path().join("none.jsonl").to_str().unwrap()], Exit::NothingChecked);
    assert!(stderr.contains("nothing was checked: there is no file ") && stderr.contains("none.jsonl"), "{stderr}");
    expect(&["conform", folder.path().to_str().unwrap()], Exit::Unreadable);
}

/// A divergence is explained by a second reading, and a pipe can be read once.
#[cfg(unix)]
#[test]
fn a_trace_that_comes_through_a_pipe_is_judged_as_from_a_file() {
    let rejected = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/rejected");
    let trace = std::fs::read_dir(rejected).unwrap().next().unwrap().unwrap().path();
    for piped in ["-", "/dev/stdin"] {
        let mut command = model_check(&["conform", piped]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::copy(&mut std::fs::File::open(&trace).unwrap(), &mut child.stdin.take().unwrap()).unwrap();
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        assert_eq!(status.code(), Some(20), "{piped}: {}", String::from_utf8_lossy(&stderr));
    }
}

#[cfg(feature = "demo")]
#[test]
fn the_demo_overwrites_nothing_and_tells_why_it_could_not_begin() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("demo.jsonl");
    let args = ["demo", "--database", database.to_str().unwrap()];
    for there in [&database, &folder.path().join("demo.jsonl.jsonl")] {
        std::fs::write(there, "mine").unwrap();
        let (_, stderr) = expect(&args, Exit::Usage);
        assert!(stderr.contains(&format!("{} exists", there.display())), "{stderr}");
        assert_eq!(std::fs::read(there).unwrap(), b"mine");
        std::fs::remove_file(there).unwrap();
    }
    #[cfg(unix)]
    {
        // A pipe is there as well, and nobody waits for it.
        assert!(Command::new("mkfifo").arg(&database).status().unwrap().success());
        let (_, stderr) = expect(&args, Exit::Usage);
        assert!(stderr.contains("exists"), "{stderr}");
        let (_, stderr) = expect(&[&args[..], &["--under-load"]].concat(), Exit::Internal);
        assert!(stderr.contains("is not a file"), "{stderr}");
    }
    let missing = folder.path().join("missing").join("demo.db");
    let (_, stderr) = expect(&["demo", "--database", missing.to_str().unwrap()], Exit::Internal);
    assert!(stderr.contains("failed before the kill") && !stderr.contains("--rounds"), "{stderr}");
}

#[test]
fn a_directory_that_cannot_be_made_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let args = smoke(&["--variant", "act-unresolved", "--out-dir", file.to_str().unwrap()]);
    let (_, stderr) = expect(&args, Exit::Internal);
    assert!(stderr.contains("cannot write"), "{stderr}");
}

#[test]
fn a_closed_pipe_is_a_quiet_exit_with_the_verdict() {
    for (args, code) in [(vec!["list"], 0), (smoke(&["-v"]), 0), (smoke(&["--variant", "act-unresolved"]), 12)] {
        let mut child = model_check(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(!stderr.contains("panicked") && !stderr.contains("Broken pipe"), "{args:?}: {stderr}");
    }
}

#[test]
fn everything_that_is_listed_can_be_explained() {
    let (stdout, _) = expect(&["list", "--format", "json"], Exit::Holds);
    let listed: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    for group in ["variants", "properties", "guards"] {
        for entry in listed[0][group].as_array().unwrap() {
            let (stdout, _) = expect(&["explain", entry["name"].as_str().unwrap()], Exit::Holds);
            assert!(stdout.contains(entry["what"].as_str().unwrap()), "{stdout}");
        }
    }
    for action in listed[0]["actions"].as_array().unwrap() {
        expect(&["explain", action.as_str().unwrap()], Exit::Holds);
    }
    for exit in Exit::ALL {
        let (stdout, _) = expect(&["explain", &exit.code().to_string()], Exit::Holds);
        assert!(stdout.contains(exit.meaning()), "{stdout}");
    }
}

#[test]
fn colour_is_used_where_it_is_asked_for_and_nowhere_else() {
    let args = smoke(&["--variant", "act-unresolved"]);
    let (plain, _) = expect(&args, Exit::SafetyViolated);
    assert!(!plain.contains('\u{1b}'));
    let (coloured, _) = expect(&[&args[..], &["--color", "always"]].concat(), Exit::SafetyViolated);
    assert!(coloured.contains("\u{1b}[31;1mbroken\u{1b}[0m"));
}

#[test]
fn quiet_says_nothing_where_nothing_is_wrong() {
    let (stdout, stderr) = expect(&smoke(&["-q"]), Exit::Holds);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", ""));
}

#[test]
fn help_and_version_are_no_mistakes() {
    assert!(expect(&["--help"], Exit::Holds).0.contains("Usage: model-check"));
    assert!(expect(&["--version"], Exit::Holds).0.starts_with("model-check 0."));
}

#[test]
fn of_several_ends_the_more_serious_wins() {
    assert_eq!(Exit::Truncated.or(Exit::SafetyViolated), Exit::SafetyViolated);
    assert_eq!(Exit::Holds.or(Exit::NothingChecked), Exit::NothingChecked);
    let codes: Vec<u8> = Exit::ALL.iter().map(|exit| exit.code()).collect();
    assert_eq!(codes, [70, 150, 2, 12, 13, 11, 20, 14, 152, 21, 4, 0]);
    assert!(Exit::ALL.is_sorted(), "the order of the list is the order of `or`");
}

#[test]
fn scripts_are_of_a_protocol_that_has_some() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let (stdout, _) = expect(&["generate", "operation", "--cover", "states", "--out-dir", folder], Exit::Holds);
    assert!(stdout.contains(" scripts of ") && stdout.contains(" edges of "), "{stdout}");
    let (_, stderr) = expect(&["generate", "teardown", "--out-dir", folder], Exit::Usage);
    assert!(
        stderr.contains("unknown protocol `teardown`: scripts are generated of `snapshot`, `operation`"),
        "{stderr}"
    );
}
