//! What a trace lacks is said, and what it has is not complained of.

use outlive_model_check::conform::Input;
use outlive_model_check::conform::doctor::{Examination, Weight, examine};
use outlive_model_check::conform::operation;
use outlive_model_check::conform::snapshot::walk::{Size, Walk};
use outlive_model_check::exit::Exit;
use serde_json::{Map, Value, json};

fn walk() -> Vec<Map<String, Value>> {
    let text = Walk::new(1, Size { computers: 20, gateways: 3, events: 20_000 }).text();
    text.lines().map(|line| serde_json::from_str(line).expect("a walk writes JSON")).collect()
}

fn examination(lines: &[Map<String, Value>]) -> Examination {
    let text: String = lines.iter().map(|line| serde_json::to_string(line).expect("a line is JSON") + "\n").collect();
    examine(&[Input::text("walk", text)])
}

fn has(examination: &Examination, weight: Weight, words: &str) -> bool {
    examination.findings.iter().any(|finding| finding.weight == weight && finding.what.contains(words))
}

#[test]
fn a_long_walk_lacks_nothing_and_meets_every_guard() {
    let examination = examination(&walk());
    assert_eq!((examination.findings.as_slice(), examination.exit()), ([].as_slice(), Exit::Holds));
    assert!(examination.guards.iter().all(|guard| guard.events > 0), "{:?}", examination.guards);
}

#[test]
fn a_long_walk_of_operations_lacks_nothing_and_one_without_its_provider_lacks_the_truth() {
    let size = operation::walk::Size { computers: 60, gateways: 3, deaths: 40, events: 60_000 };
    let text = operation::walk::Walk::new(1, size).text();
    let mut lines: Vec<Map<String, Value>> =
        text.lines().map(|line| serde_json::from_str(line).expect("a walk writes JSON")).collect();
    let whole = examination(&lines);
    assert_eq!((whole.findings.as_slice(), whole.exit()), ([].as_slice(), Exit::Holds));
    // What only a rejected variant does has no line.
    let unmet: Vec<&str> = whole.guards.iter().filter(|it| it.events == 0).map(|it| it.guard.as_str()).collect();
    assert_eq!(unmet, ["CleanupIsOurs"]);
    lines.retain(|line| line.get("process").is_none_or(|process| *process != "provider"));
    let silent = examination(&lines);
    assert!(has(&silent, Weight::PreventsAVerdict, "the provider does not log its own steps"), "{:?}", silent.findings);
    for (field, words) in [("standing", "do not show the row"), ("commit", "have no commit number")] {
        lines.iter_mut().for_each(|line| drop(line.remove(field)));
        assert!(has(&examination(&lines), Weight::WeakensAVerdict, words));
    }
}

#[test]
fn what_prevents_a_verdict_is_named_with_what_it_hides() {
    let mut unclaimed = walk();
    let claims = unclaimed[0]["claims"].as_array_mut().expect("a list");
    claims.retain(|claim| claim != "wipe");
    let mut lossy = walk();
    lossy[0].insert("lossy".to_owned(), json!(true));
    let far = ["restart", "ask", "learn", "answer", "wipe", "perform"];
    let mut silent = walk();
    silent.retain(|line| line.get("action").is_none_or(|action| far.iter().all(|verb| *action != **verb)));
    for (lines, words) in [(unclaimed, "does not claim to log wipe"), (lossy, "may be lost")] {
        let examination = examination(&lines);
        assert!(has(&examination, Weight::PreventsAVerdict, words), "{:?}", examination.findings);
        assert_eq!(examination.exit(), Exit::Inconclusive);
    }
    renumber(&mut silent);
    let examination = examination(&silent);
    assert!(
        has(&examination, Weight::PreventsAVerdict, "no computer logs its own steps"),
        "{:?}",
        examination.findings
    );
}

#[test]
fn what_weakens_a_verdict_is_counted() {
    for (field, words) in [
        ("row", "do not show the row"),
        ("operation", "do not name their operation"),
        ("commit", "have no commit number"),
    ] {
        let mut lines = walk();
        assert!(!has(&examination(&lines), Weight::WeakensAVerdict, words));
        let count = lines.iter_mut().filter_map(|line| line.remove(field)).count();
        let examination = examination(&lines);
        assert!(has(&examination, Weight::WeakensAVerdict, words), "{:?}", examination.findings);
        let of_it = examination.findings.iter().find(|finding| finding.what.contains(words)).expect("it is found");
        let said: usize = of_it.what.split(' ').next().and_then(|it| it.parse().ok()).expect("a number comes first");
        assert!(said >= count, "{}", of_it.what);
        assert_eq!(examination.exit(), Exit::Holds);
    }
}

#[test]
fn outcomes_that_nobody_knows_are_counted() {
    let mut lines = walk();
    let events = lines.len() - 1;
    let saves = lines.iter_mut().filter(|line| line.get("action").is_some_and(|action| action == "save"));
    for line in saves.take(3) {
        line.insert("outcome".to_owned(), json!("unknown"));
    }
    let examination = examination(&lines);
    let what = format!("3 of {events} outcomes are unknown");
    assert!(has(&examination, Weight::WeakensAVerdict, &what), "{:?}", examination.findings);
}

#[test]
fn one_process_for_both_sides_is_noticed() {
    let mut lines = walk();
    for line in lines.iter_mut().skip(1) {
        if line["process"].as_str().is_some_and(|name| name.starts_with("computer-1/")) {
            line.insert("process".to_owned(), json!("gateway-0"));
        }
    }
    renumber(&mut lines);
    assert!(has(
        &examination(&lines),
        Weight::WeakensAVerdict,
        "1 of 20 processes speak for a computer and for a gateway"
    ));
}

#[test]
fn what_was_not_seen_is_listed_and_keeps_nobody_from_passing() {
    let examination = examination(&walk()[..40]);
    assert!(has(&examination, Weight::WasNotSeen, "rollback"), "{:?}", examination.findings);
    assert!(has(&examination, Weight::WasNotSeen, "a reset was claimed while a save was in flight"));
    assert_eq!(examination.exit(), Exit::Holds);
}

#[test]
fn what_cannot_be_read_or_says_nothing_is_not_examined() {
    let nothing = examination(&walk()[..1]);
    assert_eq!(nothing.exit(), Exit::NothingChecked);
    assert!(!has(&nothing, Weight::WasNotSeen, "never logged"), "{:?}", nothing.findings);
    let mut lines = walk();
    lines.truncate(9);
    lines.remove(4);
    let examination = examination(&lines);
    assert_eq!(examination.exit(), Exit::Unreadable);
    assert!(examination.unreadable.is_some());
}

fn renumber(lines: &mut [Map<String, Value>]) {
    let mut next = std::collections::BTreeMap::<String, u64>::new();
    for line in lines.iter_mut().skip(1) {
        let sequence = next.entry(line["process"].to_string()).or_default();
        line.insert("sequence".to_owned(), (*sequence).into());
        *sequence += 1;
    }
}
