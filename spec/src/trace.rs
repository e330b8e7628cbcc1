//! The trace format, version 1: one JSON object a line. These are all the words that an implementation shares with the
//! models; `docs/trace-format.md` is the contract in prose, and `docs/schema/trace.json` is generated from these types.
//!
//! The first line is a [`Header`], every other an [`Event`]. An event is flat, and borrows from its line: parsing is
//! most of what a trace check costs. A field that is not here is refused, so that a typo never reads as "not given";
//! additions live under `x`.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::requirement::Requirement;

/// The version that this crate reads and writes.
pub const FORMAT: u32 = 1;

/// Numbers at or above this are refused: half of the world's JSON readers would round them.
pub const NUMBER_LIMIT: u64 = 1 << 53;

/// The longest line, in bytes.
pub const LINE_LIMIT: usize = 1 << 20;

/// The first line of a trace: who speaks, and what it claims to log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always 1.
    pub format: u32,
    /// [`schema_hash`] of the schema that the writer was made for.
    pub schema: String,
    /// The protocol whose words the events use, for instance `snapshot`.
    pub protocol: String,
    /// Who wrote it.
    pub implementation: Implementation,
    /// The kind of store, for instance `sqlite`.
    pub store: String,
    /// Every process that may speak below.
    pub processes: Vec<String>,
    /// Every action that is logged whenever it happens. If one of the protocol is not claimed, no verdict is a pass.
    pub claims: Vec<Verb>,
    /// The recorder may have lost events; no verdict can then be a pass.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lossy: bool,
}

/// The name and version of an implementation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// For instance `outlive`.
    pub name: String,
    /// For instance `0.1.0`.
    pub version: String,
}

/// One step, as its author saw it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event<'a> {
    /// Who speaks. A gateway is one process, and a computer another.
    #[serde(borrow)]
    pub process: Text<'a>,
    /// Counts this process's events from 0, without a gap.
    pub sequence: u64,
    /// The store's commit sequence, assigned inside the transaction. Never goes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<u64>,
    /// What kind of moment this is.
    pub phase: Phase,
    /// Pairs the events of one operation.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Text<'a>>,
    /// What was done, named as in the model.
    pub action: Verb,
    /// The computer that it was done to. Events of different computers share nothing.
    #[serde(borrow)]
    pub computer: Text<'a>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Outcome::is_done")]
    pub outcome: Outcome,
    /// If it was refused: by which requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Requirement>,
    /// The incarnation that is named, cited, learned or wiped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incarnation: Option<u64>,
    /// The generation that is handed out, cited or counted on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<u64>,
    /// The incarnation that the author expects to be the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
    /// The incarnation that is minted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minted: Option<u64>,
    /// The computer's own name for the life that begins or asks.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub life: Option<Text<'a>>,
    /// The gateway that a computer obeys.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Text<'a>>,
    /// The launch that is minted, named, or seen at the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<u64>,
    /// The revision of the row that a sweep has read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// The place in the provider's order of its reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<u64>,
    /// What the operation does that is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// What is seen at the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// How an operation has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// What is written of what was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conclusion: Option<Conclusion>,
    /// The row of the snapshot protocol after the step, as observed in the same transaction. Never derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<Row>,
    /// The row of the operation protocol, likewise.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing<'a>>,
    /// Wall time, for people. Nothing is ordered by it.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Text<'a>>,
    /// Anything else that the implementation wants to say. The check does not look at it.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>")]
    pub x: Option<&'a RawValue>,
}

impl<'a> Event<'a> {
    /// An event of this process, with nothing said of it but what was done to which computer: the first of its process,
    /// of no commit, and done.
    pub fn new(process: impl Into<Text<'a>>, phase: Phase, action: Verb, computer: impl Into<Text<'a>>) -> Event<'a> {
        Event {
            process: process.into(),
            sequence: 0,
            commit: None,
            phase,
            operation: None,
            action,
            computer: computer.into(),
            outcome: Outcome::Done,
            because: None,
            incarnation: None,
            generation: None,
            expected: None,
            minted: None,
            life: None,
            by: None,
            launch: None,
            revision: None,
            mark: None,
            kind: None,
            condition: None,
            ending: None,
            conclusion: None,
            row: None,
            standing: None,
            time: None,
            x: None,
        }
    }
}

/// A computer's row in the store, as the snapshot protocol has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The current incarnation.
    pub incarnation: u64,
    /// Whether a reset is under way.
    pub resetting: bool,
    /// The incarnation that the last reset opened; 0 if there was none.
    pub since: u64,
    /// The incarnation and generation of the stored page.
    pub page: Option<(u64, u64)>,
}

/// A computer's row in the store, as the operation protocol has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Standing<'a> {
    /// Counts the writes of the row.
    pub revision: u64,
    /// What is said of the computer.
    pub phase: ComputerPhase,
    /// The newest launch; 0 if there was none.
    pub launch: u64,
    /// The process that owns the operation that is under way, if any does.
    #[serde(borrow)]
    pub owner: Option<Text<'a>>,
    /// How far the row has come in the provider's order of its reports.
    pub mark: u64,
}

/// What is said of a computer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ComputerPhase {
    /// Nothing runs, and nothing should.
    Stopped,
    /// A start is under way.
    Starting,
    /// It runs, and was admitted.
    Ready,
    /// It was to run, and does not.
    Error,
    /// A stop is under way.
    Stopping,
    /// A deletion is under way.
    Deleting,
    /// It was deleted.
    Gone,
}

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Brings up an instance of a new launch.
    Start,
    /// Ends every instance up to a launch.
    Stop,
    /// The same, and takes it away.
    Delete,
}

/// What is seen at a provider.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// An instance that runs, and is not admitted yet.
    Booting,
    /// An instance that runs, and is admitted.
    Up,
    /// An instance that does not run.
    Exited,
    /// No instance.
    Absent,
}

/// How an operation has ended, as its owner hears it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// What was asked for is so.
    Done,
    /// It is not so, or nobody knows.
    Failed,
}

/// What is written of what was seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// Nothing: the row says as much as can be said.
    Nothing,
    /// It runs, and was admitted.
    Ready,
    /// It does not run.
    Error,
    /// It is not there any more: a deletion begins.
    Prune,
}

/// What kind of moment an event is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The effect happened here, in one piece.
    Commit,
    /// The store is about to be called.
    Begin,
    /// The call has come back.
    End,
    /// A value was read, and something was decided by it.
    Observe,
    /// Something that is no step of the protocol, for instance a crash.
    Marker,
}

/// How an action ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It took effect.
    #[default]
    Done,
    /// It was refused, and changed nothing.
    Refused,
    /// Nobody knows.
    Unknown,
}

impl Outcome {
    fn is_done(&self) -> bool {
        *self == Outcome::Done
    }
}

/// Whose step an action is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// A computer's own.
    Computer,
    /// A gateway's: a process of the control plane.
    Gateway,
    /// The store's: only these are calls of the store, and change a row.
    Store,
    /// The provider's own.
    Provider,
}

macro_rules! verbs {
    ($($protocols:tt $name:ident $word:literal $side:ident $what:literal)*) => {
        /// The actions of all protocols, named as in the models.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        pub enum Verb { $(#[doc = $what] #[serde(rename = $word)] $name,)* }

        impl Verb {
            /// Every verb.
            pub const ALL: &'static [Verb] = &[$(Verb::$name),*];

            /// As it is written in a trace.
            pub fn word(self) -> &'static str { match self { $(Verb::$name => $word,)* } }

            /// What it says.
            pub fn sentence(self) -> &'static str { match self { $(Verb::$name => $what,)* } }

            /// Whose step it is. The `process` of a step of the store is whoever has asked for it.
            pub fn side(self) -> Side { match self { $(Verb::$name => Side::$side,)* } }

            /// The protocols that have it.
            pub fn protocols(self) -> &'static [&'static str] { match self { $(Verb::$name => &$protocols,)* } }
        }
    };
}

impl Verb {
    /// Every verb of this protocol.
    pub fn of(protocol: &str) -> impl Iterator<Item = Verb> {
        Verb::ALL.iter().copied().filter(move |verb| verb.protocols().contains(&protocol))
    }
}

verbs! {
    ["snapshot"]  Restart  "restart"   Computer "A computer's process starts under a new `life`."
    ["snapshot"]  Ask      "ask"       Computer "A process (`life`) reads the current incarnation (`expected`), and asks to follow it."
    ["snapshot"]  Register "register"  Store    "The store mints an incarnation (`minted`) for the process (`life`) that follows `expected`."
    ["snapshot"]  Learn    "learn"     Computer "The process learns its `incarnation`."
    ["snapshot"]  Begin    "begin"     Gateway  "A gateway reads the current `incarnation`, and calls the computer with it."
    ["snapshot"]  Answer   "answer"    Computer "The computer answers a call for `incarnation` with the page of this `generation`."
    ["snapshot"]  Save     "save"      Store    "The store takes the page of this `incarnation` and `generation`, or refuses it."
    ["snapshot"]  Claim    "claim"     Store    "A reset of the incarnation `expected` begins, and the stored page is deleted."
    ["snapshot"]  SendWipe "send-wipe" Gateway  "A gateway tells the computer to wipe `incarnation`."
    ["snapshot"]  Wipe     "wipe"      Computer "The computer wipes `incarnation`, sent `by` a gateway: `life` begins, and counts on from `generation`."
    ["snapshot"]  Finish   "finish"    Store    "The reset that wiped `incarnation` ends, and `minted` is open."
    ["snapshot"]  Load     "load"      Gateway  "The stored page is read: its `incarnation` and `generation`, or neither."
    ["snapshot"]  Resolve  "resolve"   Gateway  "A reference into the page of this `incarnation` and `generation` is looked up, and the act forwarded."
    ["snapshot"]  Perform  "perform"   Computer "The computer acts on the page of this `incarnation` and `generation`."
    ["snapshot"]  Rollback "rollback"  Store    "The page of this `incarnation` and `generation` is put back in place of `expected`; `minted` is new."
    ["snapshot", "operation"] Crash "crash" Gateway "A gateway has died, and what it had in mind is lost."
    ["operation"] Start    "start"     Store    "A start of `launch` begins, claimed by the process."
    ["operation"] StartUnclaimed "start-unclaimed" Store "A start of `launch` begins, claimed by nobody."
    ["operation"] Stop     "stop"      Store    "A stop begins, in place of the start that may be under way."
    ["operation"] Delete   "delete"    Store    "A deletion begins, in place of whatever is under way."
    ["operation"] Recover  "recover"   Store    "The process takes over what is under way: this `kind`, of this `launch`."
    ["operation"] Send     "send"      Gateway  "A gateway calls the provider for its operation: this `kind`, of this `launch`."
    ["operation"] Arrive   "arrive"    Provider "The provider does what a call of this `kind` and `launch` asks for."
    ["operation"] Admit    "admit"     Provider "The instance of `launch` is admitted."
    ["operation"] Hear     "hear"      Gateway  "A gateway hears how its operation of this `kind` and `launch` has ended (`ending`), as of `mark`."
    ["operation"] Fail     "fail"      Gateway  "A gateway gives up its start of this `launch`, before or after anything was sent."
    ["operation"] Settle   "settle"    Store    "The operation of this `kind` and `launch` ends as its gateway has heard (`ending`)."
    ["operation"] Read     "read"      Gateway  "A sweep reads the row: its `revision` and its `launch`."
    ["operation"] Get      "get"       Gateway  "A sweep reads the provider: the `launch` that is there, its `condition`, and the `mark`."
    ["operation"] Conclude "conclude"  Store    "What follows from what the sweep has seen is written (`conclusion`)."
    ["operation"] Exit     "exit"      Provider "The instance of `launch` exits."
    ["operation"] Revive   "revive"    Provider "The provider starts the instance of `launch` again by itself."
    ["operation"] Vanish   "vanish"    Provider "Somebody outside has removed the instance of `launch`."
    ["operation"] Report   "report"    Provider "The provider reports the `launch` that is there and its `condition`, with the next `mark`."
    ["operation"] Deliver  "deliver"   Store    "What follows from the report of this `launch`, `condition` and `mark` is written (`conclusion`)."
}

/// Text of a line: borrowed, unless it had escapes in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Text<'a>(pub Cow<'a, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Text(Cow::Borrowed(text))
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Text(Cow::Owned(text))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;
        impl<'de> Visitor<'de> for Borrow {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_str(Borrow)
    }
}

impl JsonSchema for Text<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// A line of a trace, as the schema sees it.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, clippy::large_enum_variant, reason = "only its schema is used")]
enum Line<'a> {
    Header(Header),
    Event(Event<'a>),
}

/// The JSON Schema of a line. The limits that it cannot say stand in `docs/trace-format.md`.
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(Line<'static>);
    schema.insert("title".to_owned(), "A line of an Outlive trace, format 1".into());
    schema.to_value()
}

/// Names the schema in a header: FNV-1a over its canonical text without the prose, in hexadecimal. So a reworded
/// sentence is no other format. It tells formats apart, and protects against nobody.
pub fn schema_hash() -> String {
    let mut schema = schema();
    strip_prose(&mut schema);
    let text = schema.to_string();
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

/// Drops the descriptions of a schema. A field that is called `description` has a schema of its own, and stays.
fn strip_prose(schema: &mut Value) {
    match schema {
        Value::Object(entries) => {
            entries.retain(|name, value| name != "description" || !value.is_string());
            entries.values_mut().for_each(strip_prose);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_prose),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
