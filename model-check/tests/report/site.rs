//! The site as a whole: each broken cell has its page, and each link leads somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use outlive_model_check::registry::{FAMILIES, Profile};
use outlive_model_check::report::counterexample::{Counterexample, Ending};
use outlive_model_check::report::reviewed;

use crate::command::{SITE, root};
use crate::page::{Element, Page};

fn pages() -> Vec<(String, Page)> {
    let names = SITE.names(".html");
    names.into_iter().map(|name| (name.clone(), Page::read(&SITE.read(&name)))).collect()
}

#[test]
fn every_cell_that_is_broken_leads_to_its_page() {
    let index = Page::read(&SITE.read("index.html"));
    let cells = index.of_class("broken");
    let links = cells.iter().map(|cell| (cell.elements()[0].attribute("href").unwrap().to_owned(), cell.text()));
    let found: BTreeMap<String, String> = links.collect();
    let mut expected = BTreeMap::new();
    for family in FAMILIES {
        for row in reviewed::parse(family.reviewed(Profile::Smoke)).unwrap() {
            let name = |property: &str| format!("{}.{}.{property}.html", family.name(), row.variant);
            expected.extend(row.lengths.iter().map(|(property, length)| (name(property), length.to_string())));
        }
    }
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
    let written: BTreeSet<String> = SITE.names(".html").into_iter().filter(|name| name != "index.html").collect();
    assert_eq!(written, expected.into_keys().collect());
}

#[test]
fn the_table_has_a_row_for_each_variant_and_a_cell_for_each_property() {
    let index = Page::read(&SITE.read("index.html"));
    let table = index.of_class("matrix").into_iter().find(|element| element.name == "table").unwrap();
    let rows = table.elements().into_iter().filter(|element| element.name == "tr").skip(1);
    let widths: Vec<usize> = rows
        .map(|row| row.elements().iter().filter(|cell| cell.has_class("broken") || cell.has_class("kept")).count())
        .collect();
    assert_eq!(widths, vec![FAMILIES[0].properties().len(); FAMILIES[0].variants().len()]);
}

#[test]
fn pages_are_well_formed() {
    for (name, page) in pages() {
        assert_eq!(page.errors(), [""; 0], "{name}");
    }
}

#[test]
fn no_id_stands_twice() {
    for (name, page) in pages() {
        let elements = page.elements();
        let ids: Vec<&str> = elements.iter().filter_map(|element| element.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{name}: {ids:?}");
        let labels = elements.iter().filter_map(|element| element.attribute("aria-labelledby"));
        let lost: Vec<&str> = labels.filter(|label| !ids.contains(label)).collect();
        assert_eq!(lost, [""; 0], "{name}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut into_the_repository = 0;
    for (name, page) in pages() {
        for link in page.all("a") {
            let href = link.attribute("href").unwrap();
            let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
            if path.is_empty() {
                let elements = page.elements();
                assert!(elements.iter().any(|it| it.attribute("id") == Some(fragment)), "{name}: {href}");
                continue;
            }
            let target = flat(&SITE.path(path));
            assert!(target.exists(), "{name}: {href} leads to {}", target.display());
            if target.starts_with(root()) && target.extension().is_some_and(|ending| ending == "md") {
                into_the_repository += 1;
                assert!(has_heading(&target, fragment), "{name}: {href}");
            }
        }
    }
    assert!(into_the_repository > 100, "only {into_the_repository} links lead into the repository");
}

/// Without what goes up and down again: a folder of the site may be a link itself.
fn flat(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            flat.pop();
        } else {
            flat.push(part);
        }
    }
    flat
}

/// A heading is found by its words in small letters, with `-` between them.
fn has_heading(page: &Path, fragment: &str) -> bool {
    let text = std::fs::read_to_string(page).unwrap();
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    let mut names = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-"));
    fragment.is_empty() || names.any(|name| name == fragment)
}

#[test]
fn a_page_loads_nothing() {
    for (name, page) in pages() {
        for element in page.elements() {
            let loads = ["img", "link", "iframe", "object", "embed", "audio", "video", "base", "form"];
            assert!(!loads.contains(&element.name.as_str()), "{name}: {}", element.name);
            for (attribute, value) in &element.attributes {
                assert!(!["src", "srcset", "action", "ping", "style"].contains(&attribute.as_str()), "{name}: {value}");
                assert!(!attribute.starts_with("on"), "{name}: {attribute}");
                assert!(!value.contains("://") && !value.starts_with("//"), "{name}: {attribute}={value}");
            }
        }
        let policy = page.all("meta").into_iter().find(|meta| meta.attribute("http-equiv").is_some()).unwrap();
        assert!(policy.attribute("content").unwrap().starts_with("default-src 'none';"), "{name}");
        let style = page.all("style").pop().unwrap().text();
        assert!(!style.contains("url(") && !style.contains("@import"), "{name}");
    }
}

#[test]
fn the_script_is_small_and_knows_the_arrow_keys() {
    for (name, page) in pages() {
        let scripts = page.all("script");
        assert_eq!(scripts.len(), 1, "{name}");
        let script = scripts[0].text();
        assert!(script.len() < 1800, "{} bytes", script.len());
        assert!(script.contains("ArrowDown") && script.contains("ArrowUp"), "{script}");
        for forbidden in ["fetch", "XMLHttpRequest", "innerHTML", "eval", "import", "document.write"] {
            assert!(!script.contains(forbidden), "{forbidden}");
        }
        if name != "index.html" {
            let steps = page.elements().iter().filter(|element| element.attribute("data-step").is_some()).count();
            assert!(steps > 0, "{name}: the keys have nowhere to go");
        }
    }
}

#[test]
fn a_page_tells_what_its_counterexample_says() {
    for name in SITE.names(".json") {
        let found: Counterexample = serde_json::from_str(&SITE.read(&name)).unwrap();
        let page = Page::read(&SITE.read(&name.replace(".json", ".html")));
        let actions: Vec<String> = page.of_class("action").iter().map(|action| action.text()).collect();
        let steps: Vec<String> = found.steps.iter().map(|step| step.action.clone()).collect();
        // Once as they happened, and once as the right rules take them.
        assert_eq!(actions, [steps.clone(), steps].concat(), "{name}");
        let refused = found.under_the_right_rules.iter().filter(|step| step.refusal.is_some()).count();
        let crossed = page.of_class("crossed").len();
        assert_eq!(crossed, refused, "{name}");
        let is_wrong_step = |row: &&Element| row.has_class("wrong") && row.attribute("data-step").is_some();
        let wrong = page.all("tr").iter().filter(is_wrong_step).count();
        let breaks_by_a_step = !matches!(found.ending, Ending::Loop { .. });
        assert_eq!(wrong, usize::from(breaks_by_a_step), "{name}");
        let text = page.all("main")[0].text();
        for change in found.steps.iter().flat_map(|step| &step.changes) {
            assert!(text.contains(&change.after) && text.contains(&change.before), "{name}: {change:?}");
        }
    }
}

/// By the right rules their paths take another turn before anything is refused: what a look has seen is not kept, the
/// mark moves, incarnations are minted at other steps, whoever is found in the place of the dead is not put into the
/// outbox, a claim is written, and a request is voided.
const TURN_ELSEWHERE: [&str; 8] = [
    "stale-field-in-fresh-read",
    "silence-leaves-the-mark",
    "mint-before-wipe",
    "mint-on-start-only",
    "chase-on-replaced",
    "chase-the-unnamed",
    "recheck-no-claim",
    "request-outlives-the-restore",
];

/// A message that the right rules had forgotten, or a number that was used again, would be refused for being unknown.
#[test]
fn the_right_rules_refuse_a_path_for_the_reason_that_its_own_step_shows() {
    let mut refused = 0;
    for name in SITE.names(".json") {
        let found: Counterexample = serde_json::from_str(&SITE.read(&name)).unwrap();
        if TURN_ELSEWHERE.contains(&found.variant.as_str()) {
            continue;
        }
        let along = found.under_the_right_rules.iter().map(|step| &step.refusal).enumerate();
        let here = found.steps.iter().map(|step| &step.refused_by_the_right_rules).enumerate();
        let first = along.clone().find(|(_, refusal)| refusal.is_some());
        assert_eq!(first, here.clone().find(|(_, refusal)| refusal.is_some()), "{name}");
        refused += usize::from(first.is_some());
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn where_the_repository_is_not_known_a_path_is_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let json = SITE.path("snapshot.reset-unconditional.decisions-are-current.json");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_model-check"));
    command.args(["replay", json.to_str().unwrap(), "--html", page.to_str().unwrap()]).current_dir(folder.path());
    assert_eq!(command.output().unwrap().status.code(), Some(12));
    let page = Page::read(&std::fs::read_to_string(page).unwrap());
    assert!(page.all("a").is_empty());
    let paths = page.of_class("path");
    assert!(paths.iter().any(|path| path.attribute("title") == Some("docs/requirements/reset.md#reset-1")));
}
