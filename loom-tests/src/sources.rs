//! What the files of the locks may name: nothing that a model of threads does not see.

use std::fs;
use std::path::Path;

/// Of these a model knows nothing: it would run them as if nobody could come in between, or twice not alike.
const UNSEEN: [&str; 8] =
    ["std::sync", "core::sync", "std::thread", "std::time", "std::cell", "tokio", "HashMap", "HashSet"];

fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reference/src/locks");
    let entries = fs::read_dir(folder).expect("the folder of the locks can be listed");
    let read = |path: &Path| fs::read_to_string(path).expect("a file of the locks can be read");
    let files = entries.map(|entry| entry.expect("an entry").path());
    files.map(|path| (path.display().to_string(), read(&path))).collect()
}

/// Lines of code that name something unseen, or a neighbour that is not stood for here.
fn wrong_lines(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_wrong = |line: &str| {
        let neighbours = line.split("crate::").skip(1);
        let mut unknown = neighbours.filter(|rest| !rest.starts_with("sync::") && !rest.starts_with("id::ComputerId"));
        UNSEEN.iter().any(|name| line.contains(name)) || unknown.next().is_some()
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
    for line in ["use std::sync::Arc;", "let x = tokio::sync::Notify::new();", "use crate::clock::Clock;"] {
        assert_eq!(wrong_lines(line), [line]);
    }
    assert_eq!(wrong_lines("use crate::sync::{Arc, Mutex};\n// std::sync\nuse crate::id::ComputerId;"), [""; 0]);
}
