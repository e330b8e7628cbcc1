//! One search as plain data: what `--format json` prints, and what every page is made from.

use outlive_spec::protocol::{Property, VariantInfo};
use outlive_spec::requirement::Requirement;
use schemars::JsonSchema;
use serde::Serialize;

use super::counterexample::Counterexample;
use crate::exit::Exit;

/// What the search of one variant has found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// For instance `snapshot`.
    pub protocol: String,
    /// For instance `generation-only`.
    pub variant: String,
    /// What the variant changes.
    pub change: String,
    /// Rows of `docs/origins.md`.
    pub origin: String,
    /// `smoke` or `ci`.
    pub profile: String,
    /// The bounds in words.
    pub bounds: String,
    /// `holds`, `violated` or `truncated`.
    pub verdict: String,
    /// Where the search was stopped, if it was.
    pub truncated: Option<String>,
    /// Distinct states.
    pub states: usize,
    /// Steps taken.
    pub transitions: u64,
    /// The longest of the shortest paths.
    pub depth: usize,
    /// Seconds of wall time.
    pub seconds: f64,
    /// Each property that was asked for.
    pub properties: Vec<PropertyChecked>,
    /// Each kind of action.
    pub kinds: Vec<KindChecked>,
    /// Each requirement that has a guard.
    pub guards: Vec<GuardChecked>,
    /// The phases with how many states were in each.
    pub phases: Vec<(String, usize)>,
    /// New states at each depth.
    pub depths: Vec<usize>,
    /// What could not have failed, or was never reached. Filled in for the right rules only.
    pub vacuous: Vec<String>,
    /// The second search, for what must come about, if that was asked for.
    pub endless: Option<Endless>,
}

/// The search for what must come about, which takes states that differ in names alone as one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Endless {
    /// The bounds in words.
    pub bounds: String,
    /// Distinct states.
    pub states: usize,
    /// Seconds of wall time.
    pub seconds: f64,
}

/// One property in one search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PropertyChecked {
    /// For instance `no-wiped-page-resolves`.
    pub name: String,
    /// For instance `RESET-6`.
    pub requirement: String,
    /// In plain English.
    pub sentence: String,
    /// A shortest way to break it.
    pub counterexample: Option<Counterexample>,
}

/// One kind of action in one search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct KindChecked {
    /// For instance `save`.
    pub name: String,
    /// How often it was taken.
    pub taken: u64,
    /// How often a guard refused it.
    pub refused: u64,
}

/// One requirement in one search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GuardChecked {
    /// For instance `SAVE-3`.
    pub requirement: String,
    /// How often it forbade something.
    pub refused: u64,
    /// Why that may be never.
    pub never: Option<String>,
}

impl Checked {
    /// The properties that are broken, with their counterexamples.
    pub fn broken(&self) -> impl Iterator<Item = (&PropertyChecked, &Counterexample)> {
        self.properties.iter().filter_map(|checked| Some((checked, checked.counterexample.as_ref()?)))
    }

    /// Whether these are the right rules.
    pub fn is_right(&self) -> bool {
        self.variant == RIGHT
    }

    /// How a run ends that asked for this one alone.
    pub fn exit(&self, deny_unreached: bool) -> Exit {
        let broken = self.broken().map(|(_, found)| found.ending.exit());
        let truncated = self.truncated.iter().map(|_| Exit::Truncated);
        let vacuous = self.vacuous.iter().filter(|_| deny_unreached).map(|_| Exit::Vacuous);
        broken.chain(truncated).chain(vacuous).fold(Exit::Holds, Exit::or)
    }
}

/// The name of the rules that hold.
const RIGHT: &str = "right";

/// What was reviewed as unreached under the right rules.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// Kinds that only variants take.
    pub variant_only: &'static [&'static str],
    /// Requirements that never forbid anything in a search, each with the reason.
    pub never_refused: &'static [(Requirement, &'static str)],
}

/// What shows that parts of a complete search under the right rules could not have failed, one sentence each.
pub fn vacuity(kinds: &[KindChecked], guards: &[u64], guarded: &[Requirement], expected: Expected) -> Vec<String> {
    let mut found = Vec::new();
    for kind in kinds {
        let is_expected = expected.variant_only.contains(&kind.name.as_str());
        match (kind.taken, is_expected) {
            (0, false) => found.push(format!("the action `{}` was never taken", kind.name)),
            (1.., true) => found.push(format!("the action `{}` was taken, and only variants should", kind.name)),
            (0, true) | (1.., false) => {}
        }
    }
    for &requirement in guarded {
        let is_expected = expected.never_refused.iter().any(|(expected, _)| *expected == requirement);
        match (guards[requirement as usize], is_expected) {
            (0, false) => found.push(format!("{requirement} never forbade anything")),
            (1.., true) => found.push(format!("{requirement} forbade something, and is listed as one that never does")),
            (0, true) | (1.., false) => {}
        }
    }
    found
}

/// What was found of one property, with its own words.
pub(crate) fn property(property: &Property, counterexample: Option<Counterexample>) -> PropertyChecked {
    PropertyChecked {
        name: property.name.to_owned(),
        requirement: property.requirement.id().to_owned(),
        sentence: property.sentence.to_owned(),
        counterexample,
    }
}

/// Whether this is the right rule set: the first of every protocol.
pub fn is_right(info: &VariantInfo) -> bool {
    info.name == RIGHT
}
