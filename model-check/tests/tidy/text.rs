//! What may not stand in a file, whatever it means: too many lines or too wide ones, paths of a machine, stubs, and
//! writes that hide what they replace.

use crate::repository::{Source, sources};

const LONGEST_FILE: usize = 600;
const LONGEST_MEDIAN: usize = 250;
const WIDEST_LINE: usize = 120;

/// Texts that would be found in this file, if they stood in it as one.
const MACHINE_PATHS: [&str; 5] =
    [concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/tm", "p/"), concat!("/Use", "rs/")];
const STUBS: [&str; 5] = [
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("#[ig", "nore]"),
];

/// What replaces a row without saying so.
const SILENT_WRITES: [&str; 2] = [concat!("on con", "flict"), concat!("or rep", "lace")];

/// Where a silent write is the point: the stores that are known to be bad, and the raw baseline of a bench.
const MAY_WRITE_SILENTLY: [&str; 2] = ["model-check/src/demo/historic", "benches/"];

/// Where a write is looked at by its requirement.
const STORE: &str = "reference/src/store";

#[test]
fn no_file_is_too_long() {
    let code = sources(&[".rs", ".sql"]);
    let long: Vec<String> = code.iter().filter_map(too_long).collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
    let mut lengths: Vec<usize> = code.iter().map(|source| source.text.lines().count()).collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= LONGEST_MEDIAN, "the median file has {median} lines");
}

#[test]
fn no_line_is_too_wide() {
    let all = sources(&[".rs", ".sql", ".md"]);
    let wrong: Vec<String> = all.iter().flat_map(too_wide).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    let all = sources(&[".rs", ".sql", ".md", ".toml", ".json", ".jsonl", ".txt", "run"]);
    let wrong: Vec<String> = all.iter().flat_map(|source| lines_with(source, &MACHINE_PATHS)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_left_to_be_done() {
    let all = sources(&[".rs", ".sql", ".md", ".toml", "run"]);
    let wrong: Vec<String> = all.iter().flat_map(|source| lines_with(source, &STUBS)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_write_that_replaces_says_for_which_requirement() {
    let wrong: Vec<String> = sources(&[".rs", ".sql"]).iter().flat_map(silent_writes).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn locks_stand_in_one_file() {
    let code = sources(&[".rs"]);
    let reference = code.iter().filter(|source| source.path.starts_with("reference/src/"));
    let wrong: Vec<String> =
        reference.filter(|source| source.path != "reference/src/sync.rs").flat_map(locks).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn too_long(source: &Source) -> Option<String> {
    let lines = source.text.lines().count();
    (lines > LONGEST_FILE).then(|| format!("{} has {lines} lines", source.path))
}

/// A row of a table, what is generated and the address of a link cannot be wrapped. Code is wrapped by rustfmt, which
/// leaves texts as they are.
fn too_wide(source: &Source) -> Vec<String> {
    let is_page = source.path.ends_with(".md");
    let (mut is_generated, mut is_fenced) = (false, false);
    let mut wrong = Vec::new();
    for (at, line) in source.text.lines().enumerate() {
        is_generated = (is_generated || line.starts_with("<!-- generated")) && line != "<!-- end -->";
        is_fenced ^= line.trim_start().starts_with("```");
        let is_whole = match is_page {
            true => is_generated || is_fenced || line.starts_with('|'),
            false => line.contains('"') && !line.trim_start().starts_with("//"),
        };
        if !is_whole && without_addresses(line).chars().count() > WIDEST_LINE {
            wrong.push(format!("{}:{}: {} letters", source.path, at + 1, line.chars().count()));
        }
    }
    wrong
}

fn without_addresses(line: &str) -> String {
    let mut parts = line.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "](" + part.split_once(')').map_or(part, |(_, rest)| rest))
}

fn lines_with(source: &Source, banned: &[&str]) -> Vec<String> {
    let lines = source.text.lines().enumerate();
    let wrong = lines.filter(|(_, line)| banned.iter().any(|banned| line.contains(banned)));
    wrong.map(|(at, line)| format!("{}:{}: {}", source.path, at + 1, line.trim())).collect()
}

fn silent_writes(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.text.lines().collect();
    let is_silent = |line: &str| SILENT_WRITES.iter().any(|banned| line.to_lowercase().contains(banned));
    let is_explained = |at: usize| {
        let above = &lines[at.saturating_sub(3)..=at];
        source.path.starts_with(STORE) && above.iter().any(|line| line.contains("SAVE-") || line.contains("REST"))
    };
    let is_allowed = MAY_WRITE_SILENTLY.iter().any(|folder| source.path.starts_with(folder));
    let wrong = lines.iter().enumerate().filter(|(at, line)| is_silent(line) && !is_allowed && !is_explained(*at));
    wrong.map(|(at, line)| format!("{}:{}: {}", source.path, at + 1, line.trim())).collect()
}

fn locks(source: &Source) -> Vec<String> {
    let names_a_lock = |line: &str| {
        let words = ["Mutex", "RwLock", "Condvar", "Once", "OnceLock", "LazyLock", "Barrier"];
        let mut parts = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        line.contains("std::sync") && parts.any(|part| words.contains(&part))
    };
    let lines = source.text.lines().enumerate().filter(|(_, line)| names_a_lock(line));
    lines.map(|(at, line)| format!("{}:{}: {}", source.path, at + 1, line.trim())).collect()
}

#[test]
fn each_of_these_is_noticed() {
    let file = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    assert!(too_long(&file("a.rs", &"\n".repeat(LONGEST_FILE))).is_none());
    assert!(too_long(&file("a.rs", &"\n".repeat(LONGEST_FILE + 1))).is_some());
    for path in MACHINE_PATHS {
        assert_eq!(lines_with(&file("a.rs", &format!("let x = \"{path}x\";\n")), &MACHINE_PATHS).len(), 1, "{path}");
    }
    for stub in STUBS {
        assert_eq!(lines_with(&file("a.rs", &format!("    {stub}\n")), &STUBS).len(), 1, "{stub}");
    }
    for line in ["use std::sync::Mutex;", "use std::sync::{Arc, RwLock};", "static X: std::sync::OnceLock<u8>;"] {
        assert_eq!(locks(&file("reference/src/a.rs", line)).len(), 1, "{line}");
    }
    assert_eq!(locks(&file("reference/src/a.rs", "use std::sync::Arc;\nuse crate::sync::Mutex;")), [""; 0]);
}

#[test]
fn a_line_that_could_be_wrapped_is_noticed() {
    let of = |path: &str, text: &str| too_wide(&Source { path: path.to_owned(), text: text.to_owned() }).len();
    let (fits, wide) = ("é".repeat(WIDEST_LINE), "é".repeat(WIDEST_LINE + 1));
    for path in ["a.rs", "a.sql", "a.md"] {
        assert_eq!((of(path, &fits), of(path, &wide)), (0, 1), "{path}");
    }
    let address = format!("[a link](https://{wide}), and more");
    assert_eq!(of("a.md", &address), 0);
    assert_eq!(of("a.md", &format!("[a link](there) {wide}")), 1);
    for block in [format!("| {wide} |"), format!("```\n{wide}\n```"), format!("<!-- generated: x -->\n{wide}")] {
        assert_eq!((of("a.md", &block), of("a.rs", &block)), (0, 1), "{block}");
        let ends = format!("{block}\n<!-- end -->\n{wide}");
        assert_eq!(of("a.md", &ends), 1, "{ends}");
    }
    assert_eq!(of("a.rs", &format!("    let text = \"{wide}\";")), 0);
    assert_eq!(of("a.rs", &format!("    // \"{wide}\"")), 1);
}

#[test]
fn a_silent_write_is_noticed_where_it_has_no_reason() {
    let file = |path: &str, text: String| Source { path: path.to_owned(), text };
    for write in SILENT_WRITES.map(|write| format!("INSERT {} INTO page", write.to_uppercase())) {
        assert_eq!(silent_writes(&file("reference/src/snapshot.rs", write.clone())).len(), 1);
        assert_eq!(silent_writes(&file("reference/src/store/sqlite.rs", write.clone())).len(), 1);
        let explained = format!("-- SAVE-3: there is no other row\n{write}");
        assert_eq!(silent_writes(&file("reference/src/store/sqlite.rs", explained.clone())), [""; 0]);
        assert_eq!(silent_writes(&file("reference/src/snapshot.rs", explained)).len(), 1);
    }
}
