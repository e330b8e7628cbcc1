//! Links between pages: none is dead, and every page can be reached from `docs/README.md`.

use std::collections::BTreeSet;

use crate::repository::{Source, place, sources};

const START: &str = "docs/README.md";

#[test]
fn no_link_is_dead() {
    let pages = sources(&[".md"]);
    let dead: Vec<String> = pages.iter().flat_map(dead).collect();
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn every_page_can_be_reached() {
    let pages = sources(&[".md"]);
    let lost = unreachable(&pages);
    assert!(lost.is_empty(), "nothing leads from {START} to {lost:?}");
}

/// The targets of links in a page that are files of the repository, from its root.
fn targets(page: &Source) -> Vec<String> {
    let mut is_code = false;
    let mut prose = String::new();
    for line in page.text.lines() {
        is_code ^= line.starts_with("```");
        if !is_code {
            prose += line;
            prose.push(' ');
        }
    }
    let inside = prose.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let files = inside.filter(|target| !target.contains("://") && !target.starts_with('#'));
    let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    files.map(|target| resolve(folder, target.split('#').next().unwrap_or_default())).collect()
}

fn resolve(folder: &str, target: &str) -> String {
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            path.pop();
        } else {
            path.push(part);
        }
    }
    path.join("/")
}

fn dead(page: &Source) -> Vec<String> {
    let targets = targets(page).into_iter().filter(|target| !place(target).exists());
    targets.map(|target| format!("{}: there is no {target}", page.path)).collect()
}

fn unreachable(pages: &[Source]) -> Vec<&str> {
    let mut reached = BTreeSet::from([START.to_owned()]);
    let mut todo = vec![START.to_owned()];
    while let Some(path) = todo.pop() {
        let page = pages.iter().find(|page| page.path == path);
        for target in page.map(targets).unwrap_or_default() {
            if reached.insert(target.clone()) {
                todo.push(target);
            }
        }
    }
    let ours = pages.iter().map(|page| page.path.as_str()).filter(|path| path.starts_with("docs/"));
    ours.filter(|path| !reached.contains(*path)).collect()
}

#[test]
fn links_are_found_and_resolved() {
    let text =
        "[a](b.md) and [c](../d.md#part), [far](https://e.org)\n```\n[no](code.md)\n```\n[f\n g](#here) [h](./i/)";
    let page = Source { path: "docs/x/page.md".to_owned(), text: text.to_owned() };
    assert_eq!(targets(&page), ["docs/x/b.md", "docs/d.md", "docs/x/i"]);
}

#[test]
fn a_dead_link_and_a_lost_page_are_noticed() {
    let page = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    assert_eq!(dead(&page("docs/a.md", "[b](b-is-not-there.md)")), ["docs/a.md: there is no docs/b-is-not-there.md"]);
    let pages = [page(START, "[a](a.md)"), page("docs/a.md", ""), page("docs/lost.md", "[a](a.md)")];
    assert_eq!(unreachable(&pages), ["docs/lost.md"]);
}
