//! What breaks a property for ever is drawn as such: a loop is bracketed, and rest is told.

use outlive_model_check::registry::{FAMILIES, Profile};
use outlive_model_check::report::counterexample::{Because, Counterexample, Ending, Fair};
use outlive_model_check::report::links::Links;
use outlive_model_check::report::subject::Subject;
use outlive_model_check::report::{html, itf, mermaid, svg};
use roxmltree::Document;

use crate::command::SITE;
use crate::page::{Element, Page};

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
    let wrong: Vec<String> = page.of_class("wrong").iter().filter(|it| it.name == "tr").map(Element::text).collect();
    assert_eq!(wrong, ["Back to step 8, and so on for ever."], "no single step breaks it");
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
    let page = page(&found);
    let table = page.of_class("fair").pop().unwrap();
    let told: Vec<String> = table.elements().iter().filter(|it| it.name == "tr").skip(1).map(Element::text).collect();
    let expected = fair.iter().map(|it| format!("{}{}{}", it.class, it.sentence, it.because));
    assert_eq!(told, expected.collect::<Vec<_>>());
    // Steps are counted as on the page, so that each is where the links lead.
    for Fair { class, because, .. } in fair {
        let Because::TakenBy(step) = *because else { continue };
        assert!(found.cycle().contains(&(step - 1)), "{class}: step {step} is not in the loop");
    }
}

#[test]
fn what_was_searched_is_told_of_the_search_that_found_it() {
    let subject = Subject { states: Some(1001), states_endless: Some(2002), bounds_endless: "few".into(), ..subject() };
    let told = |name| {
        let page = Page::read(&html::counterexample(&found(name), &subject, &Links::nowhere(), None));
        page.of_class("facts").pop().unwrap().text()
    };
    let (looped, dead_end) = (told(LOOP), told(DEAD_END));
    assert!(looped.contains("2,002 states") && looped.contains("smoke: few; names"), "{looped}");
    assert!(dead_end.contains("1,001 states") && dead_end.contains(&subject.bounds), "{dead_end}");
}

#[test]
fn how_the_right_rules_go_on_is_told() {
    let found = found(REST);
    assert_eq!(found.the_right_rules_go_on, ["calls incarnation 2 for a snapshot"]);
    let told = page(&found).of_class("closing").pop().unwrap().text();
    assert_eq!(told, "Here the right rules go on, with one of:calls incarnation 2 for a snapshot");
}

#[test]
fn a_diagram_for_markdown_shows_how_it_goes_on() {
    let lanes = subject().lanes;
    let diagram = |name| mermaid::sequence(&found(name), &lanes, subject().arrows);
    let looped = diagram(LOOP);
    let (stem, cycle) = looped.split_once("    loop for ever, perhaps with other numbers\n").unwrap();
    assert!(stem.contains(": 7. ") && cycle.contains(": 8. ") && cycle.contains("\n    end\n"), "{looped}");
    assert!(diagram(REST).contains("nothing more happens, for ever"));
    assert!(diagram(DEAD_END).contains("no progress leads on from here"));
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
    let found = found(REST);
    let page = page(&found);
    assert!(end(&page).starts_with("Nothing needs to happen any more, which breaks SAVE-11"));
    let rows = page.of_class("closing");
    assert_eq!(rows[0].text(), "Nothing more happens, for ever.");
    assert!(svg::picture(&found, &subject()).contains("Nothing more happens, for ever."));
}
