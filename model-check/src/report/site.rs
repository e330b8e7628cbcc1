//! The site for reviewers as files: the table of variants, a page and a data file for each counterexample.

use super::checked::Checked;
use super::html::{self, Searched};
use super::links::Links;
use super::subject::Subject;

/// The page where one begins.
pub const INDEX: &str = "index.html";

/// A file of the site. Its name has no folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// For instance `index.html`.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// One protocol: its searches, and for each of them what else a page says of it.
#[derive(Clone, Debug)]
pub struct Searches {
    /// Each variant once, the right rules first.
    pub rows: Vec<(Checked, Subject)>,
    /// How they differ from what was reviewed.
    pub differences: Vec<String>,
}

/// Every file of the site.
///
/// # Errors
/// If a counterexample cannot be written as JSON, which is a bug.
pub fn site(protocols: &[Searches], links: &Links) -> serde_json::Result<Vec<Page>> {
    let rows: Vec<Vec<Checked>> =
        protocols.iter().map(|it| it.rows.iter().map(|row| row.0.clone()).collect()).collect();
    let searched: Vec<Searched<'_>> = rows
        .iter()
        .zip(protocols)
        .map(|(rows, protocol)| Searched { rows, differences: &protocol.differences })
        .collect();
    let mut pages = vec![Page { name: INDEX.to_owned(), text: html::matrix(&searched, links) }];
    for (checked, subject) in protocols.iter().flat_map(|protocol| &protocol.rows) {
        for (_, found) in checked.broken() {
            let text = html::counterexample(found, subject, links, Some(INDEX));
            pages.push(Page { name: format!("{}.html", found.name()), text });
            pages.push(Page { name: found.file_name(), text: serde_json::to_string_pretty(found)? + "\n" });
        }
    }
    Ok(pages)
}
