//! A path as a script: what to do, and what must come of it.

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Conclusion, Condition, Ending, Event, Kind, Outcome, Row, Standing, Verb};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::Cover;
use super::protocol::Scripted;

/// The version of the scripts.
pub const FORMAT: u32 = 1;

/// A line of a file of scripts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Line {
    /// The first one.
    Header(Header),
    /// Every other one.
    Script(Script),
}

/// What the scripts are of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always 1.
    pub format: u32,
    /// The protocol.
    pub protocol: String,
    /// What they cover together.
    pub cover: Cover,
    /// How far the search went whose graph they cover.
    pub bounds: String,
    /// The state in which each of them starts.
    pub start: String,
}

impl Header {
    pub(super) fn of<P: Scripted>(protocol: &P, cover: Cover) -> Header {
        Header {
            format: FORMAT,
            protocol: P::PROTOCOL.to_owned(),
            cover,
            bounds: protocol.bounds_in_words(),
            start: P::start_in_words(),
        }
    }
}

/// The computer that every script is about.
pub(super) const COMPUTER: &str = "computer-0";
/// The life in which each script of the snapshot protocol starts.
pub const FIRST_LIFE: &str = "life-0-1";

/// One path from the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Its number, from 0.
    pub script: u64,
    /// What is done, one after the other.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What is done.
    #[serde(rename = "do")]
    pub what: What,
    /// What must come of it.
    pub expect: Expect,
}

/// What is done, in the words of the trace format: a decision with the values that its author uses, or a message, known
/// by what it shows, that is delivered for the first time or once more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct What {
    /// The action.
    pub action: Verb,
    /// Who takes it.
    pub process: String,
    /// The life that begins or asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub life: Option<String>,
    /// The incarnation that its author expects to be the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
    /// The incarnation that the message names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incarnation: Option<u64>,
    /// The generation that the message names; of a wipe, that from which the computer counts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<u64>,
    /// The gateway that sent the wipe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What the operation does that is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The launch that is named, or that something happens to at the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<u64>,
    /// What the report says; `absent` also of what is there, if it leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// The report's place in the provider's order. A provider that scripts are played on makes no other reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<u64>,
}

impl What {
    /// Who does what, with no values yet.
    pub(super) fn of(event: &Event<'_>) -> What {
        What {
            action: event.action,
            process: event.process.to_string(),
            life: None,
            expected: None,
            incarnation: None,
            generation: None,
            by: None,
            kind: None,
            launch: None,
            condition: None,
            mark: None,
        }
    }
}

/// What must come of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Whether it is done or refused.
    pub outcome: Outcome,
    /// If it is refused: by which requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Requirement>,
    /// The incarnation that a question has read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
    /// The incarnation that was read or learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incarnation: Option<u64>,
    /// The generation that was read or handed out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<u64>,
    /// The incarnation that was minted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minted: Option<u64>,
    /// After a step of the store: the row of the snapshot protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<Row>,
    /// The launch that was minted, or seen at the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<u64>,
    /// The revision that a sweep has read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// What was seen at the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// How far the provider had come in the order of its reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<u64>,
    /// How the operation has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// What was written of what was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conclusion: Option<Conclusion>,
    /// After a step of the store: the row of the operation protocol.
    #[serde(default, deserialize_with = "read_standing", skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing<'static>>,
}

impl Expect {
    /// How it ends, with no values yet but those of the row.
    pub(super) fn of(event: &Event<'_>) -> Expect {
        Expect {
            outcome: event.outcome,
            because: event.because,
            row: event.row,
            standing: event.standing.as_ref().map(owned),
            ..Expect::default()
        }
    }
}

fn read_standing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Standing<'static>>, D::Error> {
    Ok(Option::<Standing<'de>>::deserialize(deserializer)?.as_ref().map(owned))
}

/// The same row, which borrows from no line.
fn owned(row: &Standing<'_>) -> Standing<'static> {
    let Standing { revision, phase, launch, ref owner, mark } = *row;
    Standing { revision, phase, launch, owner: owner.as_ref().map(|owner| owner.to_string().into()), mark }
}
