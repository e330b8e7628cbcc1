//! Names are only names: whatever a computer, a file or a field is called, it is shown, and does nothing.

use outlive_model_check::registry::{FAMILIES, Profile};
use outlive_model_check::report::counterexample::Counterexample;
use outlive_model_check::report::findings::{Case, End, Findings, Place};
use outlive_model_check::report::links::Links;
use outlive_model_check::report::subject::Subject;
use outlive_model_check::report::{github, html, junit, sarif, svg};
use roxmltree::Document;
use serde_json::Value;

use crate::command::{SITE, print, root};
use crate::page::Page;

/// What would be taken for something else if it were not escaped, in HTML, XML, Markdown or the log of a job.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</style></script></svg>&lt;&amp;",
    "]]> --> <!-- ${x} {{x}}",
    "| a | [b](javascript:alert(1)) `c` **d**",
    "%0A::error::%0D, a:b",
    "javascript:alert(1)",
];

fn assert_is_harmless(page: &Page, name: &str) {
    assert_eq!(page.errors(), [""; 0], "{name}");
    assert_eq!((page.all("script").len(), page.all("style").len()), (1, 1), "{name}");
    for element in page.elements() {
        assert!(element.name != "img", "{name}");
        assert!(!element.attributes.iter().any(|attribute| attribute.0.starts_with("on")), "{name}");
        let href = element.attribute("href").unwrap_or_default();
        assert!(!href.starts_with("javascript:"), "{name}: {href}");
    }
}

#[test]
fn a_computer_with_a_hostile_name_is_only_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let trace = root().join("model-check/traces/rejected/save-3-late-save-after-reset.jsonl");
    let trace = std::fs::read_to_string(trace).unwrap();
    for name in HOSTILE {
        let quoted = |name: &str| format!("\"computer\":{}", serde_json::to_string(name).unwrap());
        assert!(trace.contains(&quoted("red")));
        std::fs::write(file("trace.jsonl"), trace.replace(&quoted("red"), &quoted(name))).unwrap();
        let (junit, sarif) = (format!("junit={}", file("junit.xml")), format!("sarif={}", file("sarif.json")));
        let args = ["conform", &file("trace.jsonl"), "--out-dir", &file("out"), "--format", &junit, "--format", &sarif];
        print(&args, 20);
        let read = |name: &str| std::fs::read_to_string(file(name)).unwrap();
        let page = Page::read(&read("out/conform.html"));
        assert_is_harmless(&page, name);
        assert!(page.all("h2").iter().any(|title| title.text() == format!("The last lines of {name}")), "{name}");
        Document::parse(&read("junit.xml")).unwrap();
        serde_json::from_str::<Value>(&read("sarif.json")).unwrap();
    }
}

/// The same counterexample, with this text wherever there is one.
fn spoiled(name: &str) -> Counterexample {
    let json = SITE.read("snapshot.generation-only.no-wiped-page-resolves.json");
    let mut found: Value = serde_json::from_str(&json).unwrap();
    spoil(&mut found, name);
    serde_json::from_value(found).unwrap()
}

/// But for the fields by which values find one another.
fn spoil(value: &mut Value, name: &str) {
    match value {
        Value::String(text) => name.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| spoil(item, name)),
        Value::Object(fields) => {
            let fields = fields.iter_mut().filter(|(field, _)| !["field", "name", "ending"].contains(&field.as_str()));
            fields.for_each(|(_, value)| spoil(value, name));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn a_counterexample_with_hostile_words_is_only_shown() {
    let right = FAMILIES[0].subject(0, Profile::Smoke);
    for name in HOSTILE {
        let found = spoiled(name);
        let subject = Subject { change: name.to_owned(), origin: name.to_owned(), ..right.clone() };
        let page = Page::read(&html::counterexample(&found, &subject, &Links::below(".."), Some("index.html")));
        assert_is_harmless(&page, name);
        assert!(page.of_class("action").iter().all(|action| action.text() == name), "{name}");
        let picture = svg::picture(&found, &subject);
        let picture = Document::parse(&picture).unwrap();
        assert!(!picture.descendants().any(|node| node.has_tag_name("script") || node.has_tag_name("img")), "{name}");
    }
}

fn findings(name: &str) -> Findings {
    let case = Case {
        group: name.to_owned(),
        rule: name.to_owned(),
        sentence: name.to_owned(),
        end: End::Fails(format!("{name}\n{name}")),
        place: Some(Place { file: name.to_owned(), line: 1, column: 1 }),
    };
    Findings { suite: name.to_owned(), cases: vec![case] }
}

#[test]
fn a_finding_with_hostile_words_stays_one_finding() {
    for name in HOSTILE {
        let findings = findings(name);
        let document = junit::document(&findings).unwrap();
        let document = Document::parse(&document).unwrap();
        let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
        assert_eq!((failure.attribute("message"), failure.attribute("type")), (Some(name), Some(name)));
        assert_eq!(failure.text(), Some(format!("{name}\n{name}").as_str()));
        let annotations = github::annotations(&findings);
        assert_eq!(annotations.lines().count(), 1, "{annotations}");
        let (head, _) = annotations.strip_prefix("::error ").unwrap().split_once("::").unwrap();
        assert_eq!(
            head.split(',').map(|it| it.split('=').next().unwrap()).collect::<Vec<_>>().join(" "),
            "file line col title"
        );
        let rows = github::summary(&findings);
        let row = rows.lines().find(|line| line.starts_with("| ") && !line.starts_with("| what")).unwrap();
        assert_eq!(row.matches('|').count(), 4, "{row}");
        assert!(!row.replace("<br>", "").contains(['<', '`', '[', '*']), "{row}");
        let document = serde_json::to_value(sarif::document(&findings)).unwrap();
        let outcome = &document["runs"][0]["results"][0];
        assert_eq!(outcome["ruleId"], name);
        let uri = outcome["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.contains([':', '<', '"', ' ']), "{uri}");
    }
}
