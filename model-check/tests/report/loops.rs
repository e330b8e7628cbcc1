//! What breaks a property for ever is drawn as such: a loop is bracketed, and rest is told.

use outlive_model_check::registry::{FAMILIES, Profile};
use outlive_model_check::report::counterexample::Counterexample;
use outlive_model_check::report::links::Links;
use outlive_model_check::report::subject::Subject;
use outlive_model_check::report::{html, itf, svg};
use roxmltree::Document;

use crate::command::SITE;
use crate::page::Page;

const NAME: &str = "snapshot.retry-same-save.settled-is-reachable.json";

fn found() -> Counterexample {
    serde_json::from_str(&SITE.read(NAME)).unwrap()
}

fn subject() -> Subject {
    Subject::of(FAMILIES[0], 0, Profile::Smoke)
}

fn page(found: &Counterexample) -> Page {
    Page::read(&html::counterexample(found, &subject(), &Links::nowhere(), None))
}

fn end(page: &Page) -> String {
    page.of_class("end").pop().unwrap().text()
}

#[test]
fn the_steps_that_repeat_are_bracketed() {
    let found = Counterexample { cycle: 3, is_dead_end: false, ..found() };
    let page = page(&found);
    assert_eq!(page.errors(), [""; 0]);
    let bracketed = page.all("tr").into_iter().filter(|row| row.has_class("cycle"));
    let ids: Vec<String> = bracketed.map(|row| row.attribute("id").unwrap().to_owned()).collect();
    assert_eq!(ids, ["step-5", "step-6", "step-7"]);
    assert_eq!(page.of_class("repeats").len(), 1, "the loop is named where it begins");
    assert_eq!(page.all("tr").iter().filter(|row| row.has_class("wrong")).count(), 0, "no single step breaks it");
    assert!(end(&page).starts_with("What is bracketed repeats for ever, which breaks RESET-5"));
    let picture = svg::picture(&found, &subject());
    assert!(Document::parse(&picture).unwrap().descendants().any(|node| node.text() == Some("for ever")));
    assert_eq!(itf::trace(&found)["loop"], 4, "the state after the fourth step comes again after the seventh");
}

#[test]
fn a_path_without_a_loop_has_no_bracket() {
    let page = page(&found());
    assert!(page.of_class("repeats").is_empty());
    assert!(!page.all("tr").iter().any(|row| row.has_class("cycle")));
    assert!(end(&page).starts_with("From here no progress leads to a settled state, which breaks RESET-5"));
    assert!(!svg::picture(&found(), &subject()).contains("for ever"));
}

#[test]
fn rest_is_told() {
    let found = Counterexample { rests: true, is_dead_end: false, ..found() };
    assert!(end(&page(&found)).starts_with("Nothing happens any more, which breaks RESET-5"));
}
