//! One page as text: a change of what reviewers read is a difference to be reviewed.

use crate::command::SITE;
use crate::page::{Element, Page};

#[test]
fn a_page_reads_as_reviewed() {
    let page = Page::read(&SITE.read("snapshot.reset-unconditional.decisions-are-current.html"));
    insta::assert_snapshot!(text(&page));
}

/// The blocks of a page, a line each.
fn text(page: &Page) -> String {
    let mut lines = Vec::new();
    for element in page.all("body").iter().flat_map(Element::elements) {
        let text = element.text().split_whitespace().collect::<Vec<_>>().join(" ");
        let line = match element.name.as_str() {
            "h1" => format!("# {text}"),
            "h2" => format!("\n## {text}"),
            "tr" if element.attribute("data-step").is_some() => format!("\n{}", row(&element)),
            "tr" => format!("\n| {} |", cells(&element).join(" | ")),
            "p" if element.has_class("action") || element.has_class("note") => continue,
            "nav" | "p" | "dt" | "code" => text,
            "dd" => format!("    {}", items(&element).unwrap_or(text)),
            _ => continue,
        };
        lines.push(line);
    }
    lines.join("\n")
}

/// A list in one line.
fn items(element: &Element) -> Option<String> {
    let items = element.elements().into_iter().filter(|inner| inner.name == "li").map(|item| item.text());
    items.reduce(|list, item| list + ", " + &item)
}

/// A step with its diagram, as it is spoken, and with what it changed.
fn row(row: &Element) -> String {
    let elements = row.elements();
    let spoken = elements.iter().find_map(|element| element.attribute("aria-label")).unwrap_or_default();
    let part = |class: &str| elements.iter().find(|element| element.has_class(class)).map(Element::text);
    let mut lines = vec![
        format!("{} {}", part("number").unwrap(), part("action").unwrap()),
        format!("    {spoken}"),
        format!("    {}", part("note").unwrap()),
    ];
    let changes = elements.iter().filter(|element| element.name == "li");
    lines.extend(changes.map(|change| format!("    - {}", change.text())));
    lines.push(format!("    | {} |", cells(row)[2..].join(" | ")));
    lines.join("\n")
}

fn cells(row: &Element) -> Vec<String> {
    let cells = row.elements().into_iter().filter(|element| element.name == "td" || element.name == "th");
    cells.map(|cell| cell.text()).collect()
}
