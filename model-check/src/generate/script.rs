//! A path as a script: what to do, and what must come of it.

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::action::{Action, Attempt};
use outlive_spec::snapshot::bounds::Bounds;
use outlive_spec::snapshot::state::{Gateway, Incarnation, WipeCall};
use outlive_spec::trace::{Event, Outcome, Row, Verb};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::graph::Graph;
use super::late::Late;
use super::{Cover, PROTOCOL};
use crate::conform::snapshot::write::{Author, Writer};
use crate::registry::snapshot::in_words;

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
    pub(super) fn new(cover: Cover, bounds: &Bounds) -> Header {
        Header {
            format: FORMAT,
            protocol: PROTOCOL.to_owned(),
            cover,
            bounds: in_words(bounds),
            start: format!(
                "a new computer `{COMPUTER}`, whose first process is `{FIRST_LIFE}` and has registered as incarnation 1"
            ),
        }
    }
}

const COMPUTER: &str = "computer-0";
/// The life in which each script starts.
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
    /// After a step of the store: the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<Row>,
}

/// Tells the path.
pub(super) fn tell(graph: &Graph, path: &[u32], script: u64, gateways: u32) -> Script {
    let mut writer = Writer::new(1, gateways);
    let (mut senders, mut late) = (Senders::default(), Late::default());
    let mut steps = Vec::new();
    for edge in path.iter().map(|at| graph.edge(*at)) {
        let state = graph.state(edge.to);
        late.note(&state, &edge.action);
        let taken = edge.is_visible().then_some(edge.action);
        for action in taken.into_iter().chain(late.deliver(&state)) {
            let author = Author { computer: 0, gateway: Gateway(0) };
            steps.push(step(&writer.event(author, &state, &senders.name(action))));
        }
        senders.note(edge.action);
    }
    Script { script, steps }
}

/// Who sent the wipes that nobody waits for any more.
#[derive(Default)]
struct Senders {
    waiting: Vec<WipeCall>,
    died: Vec<(Gateway, Incarnation)>,
}

impl Senders {
    fn note(&mut self, action: Action) {
        if let Action::SendWipe(gateway, incarnation) = action {
            self.waiting.push(WipeCall { by: Some(gateway), incarnation });
        }
        if let Action::Crash(gateway) = action {
            let lost = self.waiting.iter().filter(|wipe| wipe.by == Some(gateway));
            self.died.extend(lost.map(|wipe| (gateway, wipe.incarnation)));
            self.waiting.retain(|wipe| wipe.by != Some(gateway));
        }
    }

    /// The action with the name of the sender, who may have died since.
    fn name(&self, action: Action) -> Action {
        let sender = |wipe: WipeCall| {
            let died = self.died.iter().rev().find(|(_, incarnation)| *incarnation == wipe.incarnation);
            WipeCall { by: wipe.by.or(died.map(|(gateway, _)| *gateway)), ..wipe }
        };
        if let Action::Wipe(wipe, life, generation) = action {
            return Action::Wipe(sender(wipe), life, generation);
        }
        if let Action::Refuse(Attempt::Wipe(wipe), because) = action {
            return Action::Refuse(Attempt::Wipe(sender(wipe)), because);
        }
        action
    }
}

/// Which values are used, and which come out.
fn step(event: &Event<'_>) -> Step {
    let is_refused = event.outcome == Outcome::Refused;
    let verb = event.action;
    let reads = matches!(verb, Verb::Learn | Verb::Begin | Verb::SendWipe | Verb::Load);
    let counts = matches!(verb, Verb::Answer | Verb::Load);
    let is_used = |uses: bool, value: Option<u64>| value.filter(|_| uses);
    let asks = verb == Verb::Ask;
    let what = What {
        action: verb,
        process: event.process.to_string(),
        life: event.life.as_deref().map(str::to_owned),
        expected: is_used(!asks, event.expected),
        incarnation: is_used(!reads, event.incarnation),
        generation: is_used(!counts, event.generation),
        by: event.by.as_deref().map(str::to_owned),
    };
    let expect = Expect {
        outcome: event.outcome,
        because: event.because,
        expected: is_used(asks, event.expected),
        incarnation: is_used(reads, event.incarnation),
        generation: is_used(counts && !is_refused, event.generation),
        minted: event.minted,
        row: event.row,
    };
    Step { what, expect }
}
