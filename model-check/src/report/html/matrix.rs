//! The first page of the site: every variant by every property, and behind each broken one its counterexample.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{parts, shell};
use crate::report::checked::{Checked, PropertyChecked};
use crate::report::links::Links;

/// The searches of one protocol, each variant once, the right rules first.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    /// What was found.
    pub rows: &'a [Checked],
    /// How it differs from what was reviewed.
    pub differences: &'a [String],
}

/// The whole page, with the protocols one below the other.
pub fn page(protocols: &[Searched<'_>], links: &Links) -> String {
    let body = html! {
        header {
            nav { "model-check" }
            h1 { "Variants and what they break" }
            p.lead {
                "Each row is a set of rules that somebody shipped or proposed, searched completely. Each column is a "
                "sentence that must hold. A number is the length of the shortest way to break it, and leads to its "
                "page. 7+2 is one that never ends: after 7 steps, 2 repeat for ever; and after 7+0, nothing happens "
                "any more. A dash says that nothing within the bounds breaks it."
            }
        }
        main {
            @for searched in protocols { (protocol(searched, links)) }
        }
    };
    shell("Variants and what they break", &body)
}

fn protocol(searched: &Searched<'_>, links: &Links) -> Markup {
    let Some(right) = searched.rows.first() else { return html! {} };
    html! {
        section id=(right.protocol) {
            h2 { (right.protocol) }
            (verdict(searched, right))
            (matrix(searched.rows, right))
            (smaller_bounds(searched.rows, right))
            h3 { "The sentences" }
            (sentences(right, links))
            h3 { "The variants, and where they come from" }
            (changes(searched.rows, links))
        }
    }
}

fn verdict(searched: &Searched<'_>, right: &Checked) -> Markup {
    let states: usize = searched.rows.iter().map(|row| row.states).sum();
    let found = searched.rows.iter().flat_map(Checked::broken).count();
    let is_right = right.verdict == "holds" && right.vacuous.is_empty();
    html! {
        @if is_right && searched.differences.is_empty() {
            p.badge.good { "The right rules hold, and every variant breaks as reviewed" }
        } @else {
            p.badge.bad { "Not as reviewed" }
            ul {
                @if right.verdict != "holds" { li { "The right rules: " (right.verdict) } }
                @for finding in &right.vacuous { li { (finding) } }
                @for difference in searched.differences { li { pre { (difference) } } }
            }
        }
        dl.facts {
            dt { "searched" }
            dd {
                (parts::count(states)) " states of " (searched.rows.len()) " variants; "
                (found) " counterexamples"
            }
            dt { "bounds" }
            dd { (right.profile) ": " (right.bounds) }
        }
    }
}

fn matrix(rows: &[Checked], right: &Checked) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="variants by properties" {
            table.matrix {
                thead {
                    tr {
                        th.variant scope="col" { "variant" }
                        th.states scope="col" { "states" }
                        @for property in &right.properties {
                            th.property scope="col" {
                                a href=(format!("#{}", anchor(right, property))) title=(property.sentence) {
                                    (property.name)
                                }
                            }
                        }
                        th.change scope="col" { "what it changes" }
                    }
                }
                tbody { @for row in rows { (self::row(row)) } }
            }
        }
        p.hint.more { "The table goes on to the right." }
    }
}

fn row(row: &Checked) -> Markup {
    html! {
        tr class=(if row.broken().next().is_none() { "holds" } else { "breaks" }) {
            th.variant scope="row" { (row.variant) }
            td.states { (parts::count(row.states)) @if row.truncated.is_some() { " cut" } }
            @for property in &row.properties {
                @match &property.counterexample {
                    Some(found) => td.broken {
                        a href=(format!("{}.html", found.name()))
                            aria-label=(format!("{} breaks {} in {}", row.variant, property.name, found.length().in_words())) {
                            (found.length())
                        }
                    },
                    None => td.kept { span aria-label="holds" { "–" } },
                }
            }
            td.change { (row.change) }
        }
    }
}

/// Some variants are searched less far, and a page must not hide that.
fn smaller_bounds(rows: &[Checked], right: &Checked) -> Markup {
    let mut within: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.bounds != right.bounds) {
        within.entry(&row.bounds).or_default().push(&row.variant);
    }
    html! {
        @for (bounds, variants) in within {
            p.hint { "Searched within " (bounds) ": " b { (variants.join(", ")) } "." }
        }
    }
}

fn sentences(right: &Checked, links: &Links) -> Markup {
    html! {
        dl.reading {
            @for property in &right.properties {
                dt id=(anchor(right, property)) { (parts::requirement(links, &property.requirement)) }
                dd { b { (property.name) } ": " (property.sentence) "." }
            }
        }
    }
}

fn changes(rows: &[Checked], links: &Links) -> Markup {
    html! {
        dl.reading {
            @for row in rows {
                dt { (row.variant) }
                dd { (row.change) " (" (parts::origins(links, &row.origin)) ")" }
            }
        }
    }
}

fn anchor(right: &Checked, property: &PropertyChecked) -> String {
    format!("{}-{}", right.protocol, property.name)
}
