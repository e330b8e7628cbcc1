//! A path to a broken property as plain data: it is written to a file, and played back from it.

use outlive_spec::protocol::{Property, Protocol};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::walk::Step;

/// The version of the file.
pub const FORMAT: u32 = 1;

/// A shortest path to a broken property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counterexample {
    /// Always 1.
    pub format: u32,
    /// For instance `snapshot`.
    pub protocol: String,
    /// For instance `generation-only`.
    pub variant: String,
    /// The bounds within which it was found, `smoke` or `ci`.
    pub profile: String,
    /// The property that it breaks.
    pub property: String,
    /// The requirement that the property belongs to.
    pub requirement: String,
    /// The property in plain English.
    pub sentence: String,
    /// Whether the last state is broken because no settled state can be reached from it.
    pub is_dead_end: bool,
    /// Where the path starts, if there are several starts.
    pub start: usize,
    /// The steps.
    pub steps: Vec<ShownStep>,
}

/// One step of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownStep {
    /// Who took it.
    pub lane: String,
    /// The kind of the action.
    pub kind: String,
    /// What was done, in words.
    pub action: String,
    /// What was done, to the last value: this is what a replay looks for.
    pub exact: String,
    /// The fields that it changed.
    pub changes: Vec<Change>,
    /// Why the right rules would have refused it here, if they would.
    pub refused_by_the_right_rules: Option<String>,
}

/// One field that a step changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The name of the field.
    pub field: String,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
}

/// Where a path belongs.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The variant.
    pub variant: &'a str,
    /// The profile.
    pub profile: &'a str,
    /// The property that it breaks.
    pub property: &'a Property,
    /// Whether that is the one about settled states.
    pub is_dead_end: bool,
    /// The place of the start.
    pub start: usize,
}

impl Counterexample {
    /// Makes a path presentable. `right` says what the rules that hold would have done.
    pub fn of<P: Protocol>(protocol: &P, right: &P, origin: Origin<'_>, steps: &[Step<P>]) -> Self {
        Counterexample {
            format: FORMAT,
            protocol: protocol.name().to_owned(),
            variant: origin.variant.to_owned(),
            profile: origin.profile.to_owned(),
            property: origin.property.name.to_owned(),
            requirement: origin.property.requirement.id().to_owned(),
            sentence: origin.property.sentence.to_owned(),
            is_dead_end: origin.is_dead_end,
            start: origin.start,
            steps: steps.iter().map(|step| show(protocol, right, step)).collect(),
        }
    }

    /// The name of the file in which `--out-dir` puts it.
    pub fn file_name(&self) -> String {
        format!("{}.{}.{}.json", self.protocol, self.variant, self.property)
    }
}

fn show<P: Protocol>(protocol: &P, right: &P, step: &Step<P>) -> ShownStep {
    let refused = right.apply(&mut step.before.clone(), &step.action).err();
    ShownStep {
        lane: protocol.lane(&step.action).0.to_owned(),
        kind: protocol.kinds()[protocol.kind(&step.action)].to_owned(),
        action: step.action.to_string(),
        exact: format!("{:?}", step.action),
        changes: changes(&protocol.describe(&step.before), &protocol.describe(&step.after)),
        refused_by_the_right_rules: refused.map(|guard| guard.to_string()),
    }
}

/// The fields that differ. A field that stands on one side only is nothing on the other.
fn changes(before: &[(&str, String)], after: &[(&str, String)]) -> Vec<Change> {
    let value = |fields: &[(&str, String)], name: &str| {
        fields.iter().find(|field| field.0 == name).map_or_else(|| "none".to_owned(), |field| field.1.clone())
    };
    let mut names: Vec<&str> = before.iter().map(|field| field.0).collect();
    names.extend(after.iter().map(|field| field.0).filter(|name| !before.iter().any(|field| field.0 == *name)));
    let changes = names.into_iter().map(|name| Change {
        field: name.to_owned(),
        before: value(before, name),
        after: value(after, name),
    });
    changes.filter(|change| change.before != change.after).collect()
}
