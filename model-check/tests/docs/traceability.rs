//! Every requirement has its sentence, a property or guard of a model, a deciding line in the code, and a test; and
//! nobody cites a requirement that does not exist.

use std::collections::{BTreeMap, BTreeSet};

use outlive_model_check::registry::FAMILIES;
use outlive_spec::requirement::Requirement;

use crate::functions::tests;
use crate::repository::{Source, sources};
use crate::requirements::{Link, Paragraph, is_id, read};

/// Asked for by tests because it does not exist.
const NOT_THERE: &str = "SAVE-33";

/// What was found for each id and kind of link.
type Found = BTreeMap<(String, Link), BTreeSet<String>>;

#[test]
fn every_requirement_is_linked() {
    let (paragraphs, mut wrong) = read(&sources(&[".md"]));
    wrong.extend(unlinked(&paragraphs, &links(&sources(&[".rs", ".sql"]))));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_and_models_have_the_same_requirements() {
    let (paragraphs, _) = read(&sources(&[".md"]));
    let on_pages: BTreeSet<&str> = paragraphs.iter().map(|paragraph| paragraph.id.as_str()).collect();
    let (judge, protocols): (BTreeSet<&str>, BTreeSet<&str>) =
        on_pages.into_iter().partition(|id| id.starts_with("TRACE-"));
    let in_models: BTreeSet<&str> = Requirement::ALL.iter().map(|requirement| requirement.id()).collect();
    assert_eq!(protocols, in_models);
    assert!(!judge.is_empty(), "the requirements of the trace check are gone");
}

#[test]
fn nobody_cites_a_requirement_or_assumption_that_does_not_exist() {
    let pages = sources(&[".md"]);
    let (paragraphs, _) = read(&pages);
    let mut known: BTreeSet<&str> = paragraphs.iter().map(|paragraph| paragraph.id.as_str()).collect();
    assert!(known.insert(NOT_THERE));
    let assumptions = pages.iter().find(|page| page.path == "docs/assumptions.md").expect("the page of assumptions");
    known.extend(assumptions.text.split(['|', ' ']).filter(|word| word.starts_with("ASSUME-")));
    let cited = sources(&[".rs", ".sql", ".md"]);
    let unknown: Vec<String> =
        cited.iter().filter(|it| !is_this_folder(it)).flat_map(|it| unknown(it, &known)).collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// The links of all requirements: models are asked, code and tests are read.
pub(crate) fn links(code: &[Source]) -> Found {
    let mut found = Found::new();
    let mut link = |id: &str, link, to: String| found.entry((id.to_owned(), link)).or_default().insert(to);
    for family in FAMILIES {
        for property in family.properties() {
            link(property.requirement.id(), Link::Model, format!("property `{}`", property.name));
        }
        for guard in family.guards() {
            link(guard.requirement.id(), Link::Model, format!("guard `{}`", guard.name));
        }
    }
    for source in code {
        for id in source.text.lines().flat_map(claims).filter(|id| decides(&source.path, id)) {
            link(id, Link::Code, format!("`{}`", source.path));
        }
    }
    for (name, _) in tests(code) {
        if let Some(id) = id_of_test(name) {
            link(&id, Link::Test, format!("`{name}`"));
        }
    }
    found
}

/// Whether this is the code that decides: the store and its computers, and for a trace also its judge.
fn decides(path: &str, id: &str) -> bool {
    path.starts_with("reference/src/") || (path.starts_with("model-check/src/") && id.starts_with("TRACE-"))
}

/// The ids at the beginning of a comment: `// SAVE-3: why`, `-- RESET-2, SAVE-3: why`. A comment of documentation
/// claims nothing: it promises, and what keeps the promise is a line.
fn claims(line: &str) -> Vec<&str> {
    let comment = ["// ", "-- "].iter().find_map(|mark| line.split_once(mark));
    let comment = comment.filter(|(before, _)| !before.ends_with('/')).map(|(_, comment)| comment);
    let Some((ids, _)) = comment.and_then(|comment| comment.split_once(':')) else { return Vec::new() };
    let ids: Vec<&str> = ids.split(", ").map(str::trim).collect();
    if ids.iter().all(|id| is_id(id)) { ids } else { Vec::new() }
}

/// `save_3_late_save_is_fenced` is a test of `SAVE-3`.
fn id_of_test(name: &str) -> Option<String> {
    let mut words = name.split('_');
    let id = format!("{}-{}", words.next()?.to_uppercase(), words.next()?);
    is_id(&id).then_some(id)
}

fn unlinked(paragraphs: &[Paragraph], found: &Found) -> Vec<String> {
    let mut wrong = Vec::new();
    for paragraph in paragraphs {
        for link in Link::ALL {
            let is_linked = found.contains_key(&(paragraph.id.clone(), link));
            let is_exempt = paragraph.exempt.contains_key(&link);
            let (id, word) = (&paragraph.id, link.word());
            match (is_linked, is_exempt) {
                (false, false) => wrong.push(format!("{id}: no {word}, and no exemption")),
                (true, true) => wrong.push(format!("{id}: is exempt from {word}, and has one: delete the exemption")),
                (true, false) | (false, true) => {}
            }
        }
    }
    wrong
}

fn unknown(source: &Source, known: &BTreeSet<&str>) -> Vec<String> {
    let is_ours = |word: &&str| {
        let area = word.split_once('-').map_or("", |(area, _)| area);
        matches!(area, "SAVE" | "RESET" | "RESTART" | "RECONCILE" | "PURGE" | "TRACE" | "ASSUME") && is_id(word)
    };
    let words = source.text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').filter(is_ours);
    words.filter(|word| !known.contains(word)).map(|word| format!("{}: there is no {word}", source.path)).collect()
}

/// The samples of these tests cite what does not exist.
fn is_this_folder(source: &Source) -> bool {
    source.path.starts_with("model-check/tests/docs/")
}

/// The page: each sentence beside its links.
pub(crate) fn page() -> String {
    let (paragraphs, _) = read(&sources(&[".md"]));
    let found = links(&sources(&[".rs", ".sql"]));
    let mut text = String::new();
    for paragraph in &paragraphs {
        text += &format!("**{}** {}\n\n", paragraph.id, paragraph.sentence);
        for link in Link::ALL {
            let to = match (found.get(&(paragraph.id.clone(), link)), paragraph.exempt.get(&link)) {
                (Some(found), _) => found.iter().cloned().collect::<Vec<_>>().join(", "),
                (None, Some(why)) => format!("none: {why}"),
                (None, None) => "missing".to_owned(),
            };
            text += &format!("- {}: {to}\n", link.word());
        }
        text += "\n";
    }
    text.trim_end().to_owned() + "\n"
}

#[test]
fn a_comment_claims_what_it_begins_with() {
    assert_eq!(claims("    // SAVE-3: equality decides"), ["SAVE-3"]);
    assert_eq!(claims("-- RESET-2, SAVE-3: in one statement"), ["RESET-2", "SAVE-3"]);
    assert_eq!(claims("let x = 1; // RESET-6: the row alone"), ["RESET-6"]);
    for line in [
        "// see SAVE-3: there",
        "// SAVE-3 is elsewhere",
        "//! SAVE-3: a page",
        "    /// SAVE-3: a promise",
        "// fast: yes",
        "SAVE-3: no comment",
    ] {
        assert_eq!(claims(line), [""; 0], "{line}");
    }
}

#[test]
fn a_test_serves_what_its_name_begins_with() {
    assert_eq!(id_of_test("save_3_late_save_is_fenced").as_deref(), Some("SAVE-3"));
    assert_eq!(id_of_test("saves_of_the_past"), None);
    assert_eq!(id_of_test("restart"), None);
}

#[test]
fn a_missing_link_and_a_needless_exemption_are_noticed() {
    let bare = Paragraph { id: "SAVE-3".to_owned(), ..Paragraph::default() };
    assert_eq!(unlinked(std::slice::from_ref(&bare), &Found::new()).len(), 3);
    let all = Link::ALL.map(|link| (("SAVE-3".to_owned(), link), BTreeSet::from(["there".to_owned()])));
    let found = Found::from(all);
    assert_eq!(unlinked(std::slice::from_ref(&bare), &found), [""; 0]);
    let excused = Paragraph { exempt: BTreeMap::from([(Link::Code, "far away".to_owned())]), ..bare };
    assert!(unlinked(&[excused], &found)[0].contains("delete the exemption"));
}

#[test]
fn a_citation_of_nothing_is_noticed() {
    let source =
        Source { path: "some.rs".to_owned(), text: "// SAVE-1, SAVE-99; UTF-8 is fine, ASSUME-44.".to_owned() };
    let unknown = unknown(&source, &BTreeSet::from(["SAVE-1"]));
    assert_eq!(unknown, ["some.rs: there is no SAVE-99", "some.rs: there is no ASSUME-44"]);
}
