//! The ledger: every row that the project was started from ends somewhere, and that somewhere exists.

use std::collections::{BTreeMap, BTreeSet};

use outlive_model_check::registry::FAMILIES;

use crate::functions::tests;
use crate::generated::named;
use crate::repository::sources;
use crate::requirements::read;
use crate::tables::rows;

/// How many rows each family has.
const FAMILIES_OF_ROWS: [(&str, u32); 6] = [("A", 33), ("B", 64), ("C", 33), ("D", 17), ("E", 27), ("X", 14)];

/// The protocols that are planned: a row may wait for one of these.
const PLANNED: [&str; 5] = ["teardown", "transfer", "promotion", "operation", "system"];

/// One row of `docs/origins.md`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    name: String,
    is_core: bool,
    ends: Vec<String>,
}

/// What a row may end in.
struct Known<'a> {
    properties: BTreeSet<&'a str>,
    variants: BTreeSet<&'a str>,
    tests: BTreeSet<&'a str>,
    /// Of the locks, each with a wrong twin that must be found.
    scenarios: BTreeSet<&'a str>,
    traces: BTreeSet<&'a str>,
    decisions: BTreeSet<&'a str>,
}

#[test]
fn every_row_and_every_public_case_ends_somewhere_that_exists() {
    let code = sources(&[".rs"]);
    let pages = sources(&[".md"]);
    let traces = sources(&[".jsonl"]);
    let decisions = pages.iter().filter_map(|page| page.path.strip_prefix("docs/decisions/")?.get(..4));
    let rejected = traces.iter().filter_map(|it| {
        let folders = ["model-check/traces/rejected/", "model-check/traces/operation/rejected/"];
        folders.iter().find_map(|folder| it.path.strip_prefix(folder))
    });
    let known = Known {
        scenarios: named(include_str!("../../../loom-tests/executions.txt")).map(|(name, _)| name).collect(),
        traces: rejected.filter_map(|name| name.strip_suffix(".jsonl")).collect(),
        properties: FAMILIES.iter().flat_map(|family| family.properties()).map(|property| property.name).collect(),
        variants: FAMILIES.iter().flat_map(|family| family.variants()).map(|variant| variant.name).collect(),
        tests: tests(&code).into_iter().map(|(name, _)| name).collect(),
        decisions: decisions.collect(),
    };
    let wrong: Vec<String> = ledger().iter().chain(&cases()).flat_map(|row| row.wrong(&known)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The public cases that belong to the protocols that are here.
#[test]
fn no_public_case_is_missing() {
    let found: Vec<String> = cases().into_iter().map(|case| case.name).collect();
    let expected = [1, 4, 9, 15, 20, 22, 25, 27, 31, 33, 38, 42, 43, 55].map(|number| format!("case {number}"));
    assert_eq!(found, expected);
}

#[test]
fn no_row_is_missing() {
    let expected = FAMILIES_OF_ROWS.iter().flat_map(|(family, count)| (1..=*count).map(move |row| name(family, row)));
    let found: Vec<String> = ledger().into_iter().map(|row| row.name).collect();
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn what_names_a_row_is_named_by_the_row() {
    let ledger: BTreeMap<String, Vec<String>> = ledger().into_iter().map(|row| (row.name, row.ends)).collect();
    let mut wrong = Vec::new();
    for variant in FAMILIES.iter().flat_map(|family| family.variants()).filter(|variant| variant.name != "right") {
        let end = format!("variant {}", variant.name);
        let rows = variant.origin.split(' ').filter(|row| !ledger.get(*row).is_some_and(|ends| ends.contains(&end)));
        wrong.extend(rows.map(|row| format!("{end} names {row}, which does not name it")));
    }
    for paragraph in read(&sources(&[".md"])).0 {
        let rows = paragraph.origins.iter().filter(|row| !ledger.contains_key(*row));
        wrong.extend(rows.map(|row| format!("{} names {row}, which does not exist", paragraph.id)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn ledger() -> Vec<Row> {
    let page = sources(&["origins.md"]).pop().expect("docs/origins.md");
    parse(&page.text)
}

/// The sections of `docs/cases.md`, each with its `Ends in:`.
fn cases() -> Vec<Row> {
    let page = sources(&["cases.md"]).pop().expect("docs/cases.md");
    let case = |section: &str| {
        let (number, _) = section.split_once(':').expect("a case has a number");
        let (_, ends) = section.split_once("\nEnds in: ").unwrap_or_else(|| panic!("case {number} ends nowhere"));
        let ends = ends.trim_end().replace('\n', " ").split(", ").map(str::to_owned).collect();
        Row { name: format!("case {number}"), is_core: true, ends }
    };
    page.text.split("\n## ").skip(1).map(case).collect()
}

/// The rows of the tables that have a row's name in their first cell.
fn parse(text: &str) -> Vec<Row> {
    let rows = rows(text).into_iter().filter(|cells| is_name(cells[0].trim_end_matches('*')));
    let row = |cells: Vec<&str>| Row {
        name: cells[0].trim_end_matches('*').to_owned(),
        is_core: cells[0].ends_with('*'),
        ends: cells.last().map_or_else(Vec::new, |ends| ends.split(", ").map(str::to_owned).collect()),
    };
    rows.map(row).collect()
}

fn is_name(text: &str) -> bool {
    let (family, number) = text.split_at(text.len().min(1));
    FAMILIES_OF_ROWS.iter().any(|known| known.0 == family)
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn name(family: &str, row: u32) -> String {
    if family == "X" { format!("X{row}") } else { format!("{family}{row:02}") }
}

impl Row {
    /// Whether its protocol is here. The others wait.
    fn is_due(&self) -> bool {
        let is_of_a_protocol_here = self.name.starts_with(['A', 'E']) || self.name.starts_with("case ");
        is_of_a_protocol_here || ["X1", "X4", "X11", "X14"].contains(&self.name.as_str())
    }

    fn wrong(&self, known: &Known<'_>) -> Vec<String> {
        let mut wrong: Vec<String> = self.ends.iter().filter_map(|end| self.wrong_end(end, known)).collect();
        let is_executed =
            |end: &String| ["property ", "variant ", "scenario "].iter().any(|kind| end.starts_with(kind));
        let is_executed = self.ends.iter().any(is_executed);
        if self.is_core && self.is_due() && !is_executed {
            wrong.push("is core, and ends in nothing that is executed".to_owned());
        }
        wrong.iter().map(|what| format!("{}: {what}", self.name)).collect()
    }

    fn wrong_end(&self, end: &str, known: &Known<'_>) -> Option<String> {
        let (kind, name) = end.split_once(' ').unwrap_or((end, ""));
        let exists = match kind {
            "property" => known.properties.contains(name),
            "variant" => known.variants.contains(name),
            "test" => known.tests.contains(name),
            "scenario" => known.scenarios.contains(name),
            "trace" => known.traces.contains(name),
            "decision" => known.decisions.contains(name),
            "planned:" if self.is_due() => return Some("is due, and only planned".to_owned()),
            "planned:" => PLANNED.contains(&name),
            _ => return Some(format!("`{end}` is no kind of end")),
        };
        (!exists).then(|| format!("there is no {kind} `{name}`"))
    }
}

#[test]
fn a_row_that_ends_nowhere_is_noticed() {
    let known = Known {
        properties: BTreeSet::from(["holds"]),
        variants: BTreeSet::from(["bad-rule"]),
        tests: BTreeSet::from(["a_test"]),
        scenarios: BTreeSet::from(["lock order"]),
        traces: BTreeSet::from(["a-trace"]),
        decisions: BTreeSet::from(["0001"]),
    };
    let cases = [
        ("| A01* | x | property holds, test a_test |", ""),
        ("| A01* | x | test a_test, decision 0001 |", "nothing that is executed"),
        ("| A01 | x | test a_test, decision 0001 |", ""),
        ("| A01 | x | property gone |", "no property `gone`"),
        ("| A01 | x | variant gone |", "no variant `gone`"),
        ("| A01 | x | test gone |", "no test `gone`"),
        ("| E24* | x | scenario lock order |", ""),
        ("| E24* | x | scenario gone |", "no scenario `gone`"),
        ("| E20 | x | planned: operation |", "only planned"),
        ("| E23 | x | planned: operation |", "only planned"),
        ("| X14 | x | planned: operation |", "only planned"),
        ("| X8 | x | planned: operation |", ""),
        ("| A01 | x | trace a-trace |", ""),
        ("| A01 | x | trace gone |", "no trace `gone`"),
        ("| A01 | x | decision 0009 |", "no decision `0009`"),
        ("| A01 | x | planned: teardown |", "only planned"),
        ("| X11 | x | planned: teardown |", "only planned"),
        ("| A01 | x | wisdom |", "no kind of end"),
        ("| B01* | x | planned: teardown |", ""),
        ("| B01 | x | planned: nothing |", "no planned: `nothing`"),
    ];
    for (text, expected) in cases {
        let rows = parse(text);
        assert_eq!(rows.len(), 1, "{text}");
        let wrong = rows[0].wrong(&known).join("; ");
        assert!(wrong.contains(expected) && wrong.is_empty() == expected.is_empty(), "{text}: {wrong:?}");
    }
}
