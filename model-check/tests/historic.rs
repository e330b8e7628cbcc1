//! The historic stores are run into their races. The trace of each is refused at its own line for its own reason, and
//! the variant of the same name explains it.
//!
//! The traces stand in `traces/recorded/`, so that they can be read and checked without running anything; they must be
//! what the stores do today. `UPDATE_TRACES=1 cargo test -p outlive-model-check --test historic` writes them anew. The
//! manifest beside them is written by hand, and by no command.

#![cfg(feature = "demo")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::{Input, Options, check};
use outlive_model_check::demo::historic::HISTORIC;
use outlive_spec::snapshot::variants::VARIANTS;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    line: u64,
    requirement: String,
}

fn recorded() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("traces/recorded")
}

fn manifest() -> BTreeMap<String, Expected> {
    let text = fs::read_to_string(recorded().join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_historic_store_is_in_the_manifest_and_the_reverse() {
    let stores: Vec<_> = HISTORIC.iter().map(|store| store.variant).collect();
    let mut sorted = stores.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, manifest().keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn every_recorded_trace_is_what_its_store_does_today() {
    for store in HISTORIC {
        let trace = store.run().unwrap_or_else(|error| panic!("{}: {error}", store.variant));
        let path = recorded().join(format!("{}.jsonl", store.variant));
        if std::env::var_os("UPDATE_TRACES").is_some() {
            fs::write(&path, &trace).unwrap();
        }
        let recorded = fs::read_to_string(&path).unwrap_or_default();
        assert!(trace == recorded, "{} is not what the store does; see the head of this test", path.display());
    }
}

#[test]
fn every_historic_store_is_refused_at_its_line_for_its_reason_and_explained() {
    let manifest = manifest();
    for store in HISTORIC {
        let expected = &manifest[store.variant];
        let report = check(&[Input::text(store.variant, store.run().unwrap())], &Options::default());
        assert_eq!(report.verdict, Verdict::Diverges, "{}", store.variant);
        let divergence = report.divergence.unwrap();
        let requirement = divergence.requirement.map(|requirement| requirement.id());
        let found = (divergence.line.place.line, requirement);
        assert_eq!(found, (expected.line, Some(expected.requirement.as_str())), "{}", store.variant);
        assert_eq!(store.refused_by.id(), expected.requirement, "{}", store.variant);
        let explained = divergence.explained_by.iter().any(|explanation| explanation.variant == store.variant);
        assert!(explained, "{} is explained by {:?}", store.variant, divergence.explained_by);
    }
}

/// Those that are not run do nothing that a trace could show: they fail to do something, for ever.
#[test]
fn every_variant_but_those_that_only_wait_has_a_historic_store() {
    let waiting = ["wipe-forgotten-on-crash", "retry-same-save"];
    for (info, _) in &VARIANTS[1..] {
        let is_run = HISTORIC.iter().any(|store| store.variant == info.name);
        assert_ne!(is_run, waiting.contains(&info.name), "{}", info.name);
    }
}
