//! Each wrong order of the locks, which does not compile. A case says whose harm it would be, and in which words the
//! compiler must refuse it: one that fails for another reason, a name that has changed, say, proves nothing.
//!
//! `TRYBUILD=overwrite cargo test -p outlive --test typestate` writes what the compiler says anew.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn wrong_orders_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

#[test]
fn each_is_refused_for_the_reason_that_it_names() {
    let cases = cases();
    assert!(cases.len() >= 10, "the cases are elsewhere: {cases:?}");
    for case in cases {
        let text = fs::read_to_string(&case).unwrap();
        let said = fs::read_to_string(case.with_extension("stderr")).unwrap();
        assert_eq!(unmet(&text, &said), None, "{}", case.display());
    }
}

#[test]
fn each_stands_on_the_page() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/locks.md")).unwrap();
    for case in cases() {
        let name = case.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(page.contains(&format!("`{name}`")), "docs/locks.md says nothing of {name}");
    }
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// What is wrong with a case that the compiler has refused by saying this.
fn unmet<'a>(text: &'a str, said: &str) -> Option<&'a str> {
    let mut lines = text.lines();
    if !lines.next().is_some_and(|line| line.starts_with("// ") && line.ends_with('.')) {
        return Some("it does not say why");
    }
    let Some(refused) = lines.next().and_then(|line| line.strip_prefix("// Refused: ")) else {
        return Some("it does not say in which words it must be refused");
    };
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error")).collect();
    let is_met = matches!(errors[..], [error] if error.contains(refused));
    (!is_met).then_some(refused)
}

#[test]
fn another_reason_is_noticed() {
    let case = "// It would wait for ever.\n// Refused: cannot borrow `gate`\n";
    assert_eq!(unmet(case, "error[E0502]: cannot borrow `gate` as mutable\n"), None);
    assert!(unmet(case, "error[E0432]: unresolved import `outlive::locks`\n").is_some());
    assert!(unmet(case, "error[E0502]: cannot borrow `gate`\nerror[E0432]: unresolved import\n").is_some());
    assert!(unmet("// Refused: cannot borrow `gate`\n", "error: cannot borrow `gate`\n").is_some());
}
