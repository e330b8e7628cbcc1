//! A file that somebody writes to while it is checked: the second reading is of another trace than the first.

use outlive_spec::snapshot::variants::RIGHT;

use super::*;
use crate::conform::limits::OPEN;
use crate::conform::snapshot::Snapshots;
use crate::conform::unreadable::Kind;

const TRACE: &str = include_str!("../../../traces/rejected/save-3-late-save-after-reset.jsonl");

/// Where the first reading has stopped: in line 16, at a late save.
fn stop() -> Stop {
    Stop { source: 0, line: 16, computer: "red".to_owned() }
}

fn read_again(text: String) -> Result<(Divergence, Option<Unreadable>), Unreadable> {
    explain::<Snapshots>(&[Input::text("trace", text)], &RIGHT, &stop())
}

fn lines() -> Vec<String> {
    TRACE.lines().map(str::to_owned).collect()
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The trace with another line in this place, counted from 1.
fn with(number: usize, line: impl FnOnce(&str) -> String) -> String {
    let mut lines = lines();
    lines[number - 1] = line(&lines[number - 1]);
    text(&lines)
}

/// In line 16 one more than are followed.
fn too_many_open_calls() -> String {
    let begun = |number| {
        let begin = r#"{"process":"gateway-1","phase":"begin","action":"claim","computer":"red","expected":1,"#;
        format!(r#"{begin}"sequence":{number},"operation":"call {number}"}}"#)
    };
    let calls: Vec<String> = (0..=OPEN).map(begun).collect();
    let before = &lines()[..15 - OPEN];
    text(&[before, &calls].concat())
}

#[test]
fn a_trace_that_is_as_it_was_is_explained() {
    let (divergence, unreadable) = read_again(text(&lines())).expect("nothing has changed");
    assert_eq!((divergence.line.place.line, unreadable), (16, None));
    assert_eq!(divergence.requirement, Some(Requirement::Save3));
}

#[test]
fn a_file_that_has_changed_between_two_readings_is_told() {
    let changes = [
        ("it is cut off before the line", text(&lines()[..15]), 16),
        ("it has a header alone", text(&lines()[..1]), 16),
        ("it is empty", String::new(), 16),
        ("a line that was taken is refused", with(3, |line| line.replace(r#""minted":1"#, r#""minted":0"#)), 3),
        ("a line that was taken lacks a field", with(3, |line| line.replace(r#","minted":1"#, "")), 3),
        ("the line is taken", with(16, |line| line.replace(r#""incarnation":1"#, r#""incarnation":3"#)), 16),
        ("the line lacks a field", with(16, |line| line.replace(r#","generation":1"#, "")), 16),
        ("the line leaves a doubt", too_many_open_calls(), 16),
    ];
    for (what, changed, line) in changes {
        let unreadable = read_again(changed).expect_err(what);
        assert_eq!((unreadable.kind, unreadable.place.line), (Kind::Changed, line), "{what}: {unreadable}");
        assert!(unreadable.to_string().contains("changed between two readings"), "{unreadable}");
        assert_eq!(unreadable.place.file, "trace");
    }
}
