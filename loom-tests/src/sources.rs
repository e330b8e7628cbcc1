//! What the files of the locks may name, which is nothing that a model of threads does not see; and that the lists of
//! guards and of scenarios are of those that there are.

use std::fs;
use std::path::Path;

/// All that is used from outside. Of anything else a model may know nothing: it would run a lock, a cell or a thread of
/// the standard library as if nobody could come in between, and a clock or a `HashMap` twice not alike.
const SEEN: [&str; 10] = [
    "crate::id::ComputerId",
    "crate::sync::",
    "std::collections::BTreeMap;",
    "std::collections::btree_map::Entry",
    "std::collections::{BTreeMap, VecDeque}",
    "std::future::poll_fn",
    "std::marker::PhantomData",
    "std::mem",
    "std::ops::{Deref, DerefMut}",
    "std::task::{Poll, Waker}",
];
const OUTSIDE: [&str; 7] = ["std::", "core::", "alloc::", "crate::", "tokio", "loom", "super::super"];

fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reference/src/locks");
    let entries = fs::read_dir(folder).expect("the folder of the locks can be listed");
    let read = |path: &Path| fs::read_to_string(path).expect("a file of the locks can be read");
    let files = entries.map(|entry| entry.expect("an entry").path());
    files.map(|path| (path.display().to_string(), read(&path))).collect()
}

/// Lines of code that name something from outside that is not known to be seen.
fn wrong_lines(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_seen = |rest: &str| SEEN.iter().any(|name| rest.starts_with(name));
    let is_wrong = |line: &str| {
        let mut named = OUTSIDE.iter().flat_map(|name| line.match_indices(name)).map(|(at, _)| &line[at..]);
        named.any(|rest| !is_seen(rest))
    };
    code.filter(|line| is_wrong(line)).collect()
}

#[test]
fn the_locks_name_nothing_that_a_model_does_not_see() {
    let files = files();
    assert!(files.len() >= 5, "the files of the locks are elsewhere: {files:?}");
    for (path, text) in files {
        assert_eq!(wrong_lines(&text), [""; 0], "{path}");
    }
}

#[test]
fn what_a_model_does_not_see_is_noticed() {
    let wrong = [
        "use std::sync::Arc;",
        "use std::{sync::Arc, mem};",
        "use std::collections::HashMap;",
        "let cell = core::cell::Cell::new(0);",
        "let x = tokio::sync::Notify::new();",
        "use crate::clock::Clock;",
        "use super::super::clock::Clock;",
    ];
    for line in wrong {
        assert_eq!(wrong_lines(line), [line]);
    }
    assert_eq!(wrong_lines("use crate::sync::{Arc, Mutex};\n// std::sync\nuse crate::id::ComputerId;"), [""; 0]);
}

/// The names of what is marked as a guard.
fn guards(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.trim_start().strip_prefix("// GUARD ")?.split_once(": ").map(|(name, _)| name))
}

/// The names of the lines `name = what` of a file.
fn names(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_once(" = ").map(|(name, _)| name)).collect()
}

#[test]
fn each_guard_has_been_removed_once() {
    let files = files();
    let mut marked: Vec<&str> = files.iter().flat_map(|(_, text)| guards(text)).collect();
    let mut removed = names(include_str!("../guards.txt"));
    marked.sort_unstable();
    removed.sort_unstable();
    assert_eq!(marked, removed, "`loom-tests/guards --write` says what notices that a guard is missing");
    let scenarios = names(include_str!("../executions.txt"));
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reference/tests/ui");
    let noticed = include_str!("../guards.txt").lines().filter_map(|line| line.split_once(" = "));
    for (guard, noticers) in noticed {
        for name in noticers.split("; ") {
            let is_there = scenarios.contains(&name) || (name.ends_with(".rs") && cases.join(name).is_file());
            assert!(is_there, "`{guard}` is noticed by `{name}`, which is not there");
        }
    }
}

#[test]
fn each_number_of_executions_is_that_of_a_scenario_that_is_explained() {
    // What stands before the generated tables is written by hand.
    let (page, _) = include_str!("../../docs/locks.md").split_once("<!-- generated").expect("there are tables");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scenarios");
    let entries = fs::read_dir(folder).expect("the folder of the scenarios can be listed");
    let texts =
        entries.map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a scenario can be read"));
    let code: String = texts.collect();
    let is_run =
        |name: &str| ["explore", "explore_alone"].iter().any(|run| code.contains(&format!("{run}(\"{name}\"")));
    for name in names(include_str!("../executions.txt")) {
        assert!(is_run(name), "there is no scenario `{name}`");
        assert!(page.contains(&format!("\n| {name} | ")), "docs/locks.md does not say what must hold in `{name}`");
    }
}
