//! Findings in SARIF 2.1.0, which code scanning reads. Only what does not hold is a result there.

use std::collections::BTreeMap;

use serde::Serialize;

use super::findings::{Case, End, Findings, Place};

const VERSION: &str = "2.1.0";
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A document.
#[derive(Clone, Debug, Serialize)]
pub struct Sarif {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: Vec<Run>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    results: Vec<Outcome>,
    column_kind: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

/// What must hold.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Message,
}

#[derive(Clone, Debug, Serialize)]
struct Message {
    text: String,
}

/// What does not.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    logical_locations: Vec<LogicalLocation>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Clone, Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    start_column: u64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

/// The findings as a document.
pub fn document(findings: &Findings) -> Sarif {
    let mut rules: BTreeMap<&str, &str> = BTreeMap::new();
    for case in &findings.cases {
        rules.entry(&case.rule).or_insert(&case.sentence);
    }
    let ids: Vec<&str> = rules.keys().copied().collect();
    let rules = rules.iter().map(|(id, sentence)| Rule { id: (*id).to_owned(), short_description: message(sentence) });
    let driver = Driver { name: "model-check", semantic_version: env!("CARGO_PKG_VERSION"), rules: rules.collect() };
    let index = |rule: &str| ids.iter().position(|id| *id == rule).unwrap_or_default();
    let results = findings.wrong().map(|(case, why)| outcome(case, why, index(&case.rule)));
    // Our columns count bytes, and a trace is ASCII but for names.
    let run = Run { tool: Tool { driver }, results: results.collect(), column_kind: "unicodeCodePoints" };
    Sarif { schema: SCHEMA, version: VERSION, runs: vec![run] }
}

fn outcome(case: &Case, why: &str, rule_index: usize) -> Outcome {
    let name = format!("{} / {}", case.group, case.rule);
    Outcome {
        rule_id: case.rule.clone(),
        rule_index,
        level: if matches!(case.end, End::Unknown(_)) { "warning" } else { "error" },
        message: message(why),
        locations: vec![Location {
            physical_location: case.place.as_ref().map(physical),
            logical_locations: vec![LogicalLocation { fully_qualified_name: name.clone() }],
        }],
        // The same finding in the next run is the same alert, wherever its line has gone.
        partial_fingerprints: BTreeMap::from([("outlive/v1", name)]),
    }
}

fn physical(place: &Place) -> PhysicalLocation {
    PhysicalLocation {
        artifact_location: ArtifactLocation { uri: uri(&place.file) },
        region: Region { start_line: place.line, start_column: place.column },
    }
}

/// A path as a reference: what has another meaning there is escaped.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.replace('\\', "/")
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn message(text: &str) -> Message {
    Message { text: text.to_owned() }
}
