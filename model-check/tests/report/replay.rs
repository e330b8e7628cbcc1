//! `replay` in each of its forms, read back by a reader of that form.

use std::collections::BTreeSet;

use outlive_model_check::report::counterexample::{Counterexample, ShownStep};
use roxmltree::Document;
use serde_json::Value;

use crate::command::{SITE, print};
use crate::page::Page;

const LONG: &str = "snapshot.wipe-any.no-wiped-page-resolves.json";

fn replay(form: &str) -> String {
    print(&["replay", SITE.path(LONG).to_str().unwrap(), form, "-"], 12)
}

fn found() -> Counterexample {
    serde_json::from_str(&SITE.read(LONG)).unwrap()
}

#[test]
fn a_file_that_was_written_is_played_back_as_it_was() {
    let json = print(&["replay", SITE.path(LONG).to_str().unwrap(), "--format", "json"], 12);
    assert_eq!(serde_json::from_str::<Counterexample>(&json).unwrap(), found());
}

#[test]
fn html_is_the_page_of_the_site_without_the_way_to_the_table() {
    let page = Page::read(&replay("--html"));
    assert_eq!(page.errors(), [""; 0]);
    assert_eq!(page.of_class("action").len(), 2 * found().steps.len());
    assert!(page.all("a").iter().all(|link| link.attribute("href") != Some("index.html")));
}

#[test]
fn a_picture_carries_its_own_attributes_and_stays_in_its_frame() {
    let text = replay("--svg");
    let picture = Document::parse(&text).unwrap();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| node.attribute(name).map(|it| it.parse::<f64>().unwrap());
    let root = picture.root_element();
    let (width, height) = (number(root, "width").unwrap(), number(root, "height").unwrap());
    for node in picture.descendants().filter(roxmltree::Node::is_element) {
        assert!(node.tag_name().name() != "style" && !node.has_attribute("style") && !node.has_attribute("class"));
        assert!(!node.attributes().any(|attribute| attribute.name() == "href"));
        for (name, most) in [("x", width), ("x1", width), ("x2", width), ("cx", width), ("y", height), ("y2", height)] {
            assert!(number(node, name).is_none_or(|place| (0.0..=most).contains(&place)), "{node:?}");
        }
        if matches!(node.tag_name().name(), "text" | "circle" | "polygon") {
            assert!(node.has_attribute("fill"), "{node:?} would be black in the dark");
        }
    }
    let words: String = picture.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect();
    for step in found().steps {
        assert!(step.action.split(' ').all(|word| words.contains(word)), "{} in {words}", step.action);
    }
    let arrows = picture.descendants().filter(|node| node.has_tag_name("polygon")).count();
    let dots = picture.descendants().filter(|node| node.attribute("r") == Some("5")).count();
    assert_eq!(arrows + dots, found().steps.len());
}

#[test]
fn mermaid_has_a_message_for_each_step() {
    let text = replay("--mermaid");
    assert!(text.starts_with("sequenceDiagram\n    participant computer\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("->>")).count(), found().steps.len());
}

#[test]
fn itf_has_every_variable_in_every_state_and_of_one_type() {
    let trace: Value = serde_json::from_str(&replay("--itf")).unwrap();
    assert_eq!(trace["#meta"]["format"], "ITF");
    assert!(trace.get("loop").is_none());
    let variables: Vec<&str> = trace["vars"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let states = trace["states"].as_array().unwrap();
    let found = found();
    assert_eq!((variables.len(), states.len()), (found.initial.len() + 1, found.steps.len() + 1));
    assert_eq!(variables.iter().collect::<BTreeSet<_>>().len(), variables.len());
    for (place, state) in states.iter().enumerate() {
        let keys: BTreeSet<&str> = state.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, variables.iter().copied().chain(["#meta"]).collect());
        assert_eq!(state["#meta"]["index"], place);
    }
    for name in variables {
        let is_text = states[0][name].is_string();
        let fits = |value: &Value| match is_text {
            true => value.is_string(),
            false => value["#bigint"].as_str().unwrap().parse::<u64>().is_ok(),
        };
        assert!(states.iter().all(|state| fits(&state[name])), "{name}");
    }
    let actions: Vec<&str> = states.iter().map(|state| state["mbt::actionTaken"].as_str().unwrap()).collect();
    let expected = ["init"].into_iter().chain(found.steps.iter().map(|step| step.kind.as_str()));
    assert_eq!(actions, expected.collect::<Vec<_>>());
    let last = states.last().unwrap();
    for field in found.states().last().unwrap() {
        let value = &last[field.name.replace(": ", "_").replace(' ', "_")];
        assert_eq!(value.as_str().or(value["#bigint"].as_str()), Some(field.value.as_str()), "{}", field.name);
    }
}

#[test]
fn jsonl_has_a_line_for_each_step() {
    let text = replay("--jsonl");
    let mut lines = text.lines();
    let head: Counterexample = serde_json::from_str(lines.next().unwrap()).unwrap();
    let steps: Vec<ShownStep> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(Counterexample { steps, ..head }, found());
}

#[test]
fn several_forms_are_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (html, svg, json) = (path("a.html"), path("a.svg"), SITE.path(LONG));
    let args = ["replay", json.to_str().unwrap(), "--html", &html, "--svg", &svg];
    assert!(print(&args, 12).contains("shortest: 13 steps"), "the text is printed where no form is");
    assert_eq!(std::fs::read_to_string(svg).unwrap(), replay("--svg"));
    assert_eq!(Page::read(&std::fs::read_to_string(html).unwrap()).errors(), [""; 0]);
}
