//! What breaks a property for ever is drawn as such: a loop is bracketed, and rest is told.

use outlive_model_check::registry::{FAMILIES, Profile};
use outlive_model_check::report::counterexample::{Counterexample, Ending};
use outlive_model_check::report::links::Links;
use outlive_model_check::report::subject::Subject;
use outlive_model_check::report::{html, itf, svg};
use roxmltree::Document;

use crate::command::SITE;
use crate::page::Page;

const LOOP: &str = "snapshot.rollback-during-reset.reset-ends-at-last.json";
const REST: &str = "snapshot.retry-same-save.agent-works-at-last.json";
const DEAD_END: &str = "snapshot.wipe-forgotten-on-crash.settled-is-reachable.json";

fn found(name: &str) -> Counterexample {
    serde_json::from_str(&SITE.read(name)).unwrap()
}

fn subject() -> Subject {
    FAMILIES[0].subject(0, Profile::Smoke)
}

fn page(found: &Counterexample) -> Page {
    Page::read(&html::counterexample(found, &subject(), &Links::nowhere(), None))
}

fn end(page: &Page) -> String {
    page.of_class("end").pop().unwrap().text()
}

#[test]
fn the_steps_that_repeat_are_bracketed() {
    let found = found(LOOP);
    let page = page(&found);
    assert_eq!(page.errors(), [""; 0]);
    let bracketed = page.all("tr").into_iter().filter(|row| row.has_class("cycle"));
    let ids: Vec<String> = bracketed.map(|row| row.attribute("id").unwrap().to_owned()).collect();
    assert_eq!(ids, ["step-8", "step-9", "step-10", "step-11", "step-12", "step-13"]);
    assert_eq!(page.of_class("repeats").len(), 1, "the loop is named where it begins");
    assert_eq!(page.all("tr").iter().filter(|row| row.has_class("wrong")).count(), 0, "no single step breaks it");
    assert!(
        end(&page).starts_with("What is bracketed repeats for ever, perhaps with other numbers, which breaks RESET-8")
    );
    let picture = svg::picture(&found, &subject());
    assert!(Document::parse(&picture).unwrap().descendants().any(|node| node.text() == Some("for ever")));
}

#[test]
fn why_a_loop_is_fair_is_told_for_each_class() {
    let found = found(LOOP);
    let Ending::Loop { fair, .. } = &found.ending else { panic!("{:?}", found.ending) };
    assert_eq!(fair.len(), 9 - 2, "the sentence assumes nine things, and two of them are that something ends");
    let told: Vec<String> = page(&found).all("li").iter().map(|item| item.text()).collect();
    assert!(fair.iter().all(|why| told.contains(why)), "{told:?}");
}

#[test]
fn a_loop_that_comes_back_with_other_numbers_is_none_for_a_tool_that_compares_states() {
    let mut found = found(LOOP);
    assert_eq!(itf::trace(&found).get("loop"), None);
    found.steps[7..].iter_mut().for_each(|step| step.changes.clear());
    assert_eq!(itf::trace(&found)["loop"], 7, "the state after the seventh step comes again after the last");
}

#[test]
fn a_path_without_a_loop_has_no_bracket() {
    let found = found(DEAD_END);
    let page = page(&found);
    assert!(page.of_class("repeats").is_empty());
    assert!(!page.all("tr").iter().any(|row| row.has_class("cycle")));
    assert!(end(&page).starts_with("From here no progress leads to a settled state, which breaks RESET-5"));
    assert!(!svg::picture(&found, &subject()).contains("for ever"));
}

#[test]
fn rest_is_told() {
    assert!(end(&page(&found(REST))).starts_with("Nothing needs to happen any more, which breaks SAVE-11"));
}
