//! The verdict as data: what the text is rendered from, and what `--format json` prints.

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::Verb;
use schemars::JsonSchema;
use serde::Serialize;

use super::tally::Fired;
use super::unreadable::{Place, Unreadable};
use crate::exit::Exit;

/// What the check of one or several traces has found.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// In one word.
    pub verdict: Verdict,
    /// The exit code of the command.
    pub exit: u8,
    /// The files as they were named.
    pub files: Vec<String>,
    /// The protocol whose model was the judge.
    pub protocol: String,
    /// Who wrote the traces, for instance `outlive 0.1.0 on sqlite`.
    pub writers: Vec<String>,
    /// How many lines there were.
    pub lines: Lines,
    /// How many computers they speak of.
    pub computers: usize,
    /// How often each action ended how.
    pub coverage: Vec<Fired>,
    /// How often it was dangerous.
    pub windows: Vec<Opened>,
    /// Why there is no more certainty.
    pub doubts: Vec<String>,
    /// What of the input cannot be read.
    pub unreadable: Option<Unreadable>,
    /// Where the trace ceases to be a behaviour of the model.
    pub divergence: Option<Divergence>,
}

/// A verdict in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every event is a step of the model.
    Conforms,
    /// Some event is not.
    Diverges,
    /// Every event is, but a danger that was asked for never occurred.
    DangerMissing,
    /// Too little is known.
    Inconclusive,
    /// There was nothing to judge.
    NothingChecked,
    /// The input is no trace.
    Unreadable,
}

impl Verdict {
    /// As the end of the command.
    pub fn exit(self) -> Exit {
        match self {
            Verdict::Conforms => Exit::Holds,
            Verdict::Diverges => Exit::DoesNotConform,
            Verdict::DangerMissing => Exit::Vacuous,
            Verdict::Inconclusive => Exit::Inconclusive,
            Verdict::NothingChecked => Exit::NothingChecked,
            Verdict::Unreadable => Exit::Unreadable,
        }
    }
}

/// Lines by what they were. `events` is always `matched + observed + markers`: no line is passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Lines {
    /// The first line of each file that has one.
    pub headers: u64,
    /// Lines that were read as events and taken.
    pub events: u64,
    /// Steps of the store and of computers that the model has, too.
    pub matched: u64,
    /// Reads that the model has, too.
    pub observed: u64,
    /// What is no step of the protocol, and words about a call whose effect stands elsewhere.
    pub markers: u64,
    /// Of these, events whose operation is no longer remembered; the model has judged them without its name.
    pub unpaired: u64,
    /// Calls whose outcome is still open at the end: whatever came of them, the trace is a behaviour.
    pub open: u64,
}

/// A danger window with the number of times that it was open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Opened {
    /// Which, as tables name it.
    pub window: String,
    /// What happens in it.
    pub sentence: String,
    /// How often.
    pub count: u64,
}

/// The first event that is no step of the model.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Divergence {
    /// Its line.
    pub line: Shown,
    /// The bytes of the line that the guard looks at.
    pub span: std::ops::Range<usize>,
    /// Who speaks in it.
    pub process: String,
    /// The computer that it was done to.
    pub computer: String,
    /// What was done, as it is written in a trace.
    pub action: Verb,
    /// What it says was done, in the words of the model.
    pub step: String,
    /// The requirement that forbids it; none, where the step is possible but leaves another row behind.
    pub requirement: Option<Requirement>,
    /// The requirement in one sentence.
    pub sentence: String,
    /// The guard, as it is called in the model.
    pub check: Option<String>,
    /// What the guard compares.
    pub compares: String,
    /// What the event showed.
    pub found: String,
    /// What it was held against.
    pub against: String,
    /// The line that made what it was held against.
    pub earlier: Option<Earlier>,
    /// The trace's names for the model's numbers.
    pub names: Vec<Field>,
    /// The computer as the model has it before the event.
    pub state: Vec<Field>,
    /// What the model would have taken instead.
    pub allowed: Vec<String>,
    /// How much more it would have taken.
    pub allowed_more: usize,
    /// The last lines of the same computer before it.
    pub recent: Vec<Shown>,
    /// The known rules under which the whole trace is a behaviour.
    pub explained_by: Vec<Explanation>,
    /// What would have to be different for the line to be taken, the best guess first.
    pub edits: Vec<Edit>,
    /// A shorter trace that is refused at its last line by the same guard.
    pub minimised: Option<Minimised>,
    /// A test that holds on to it, ready to be pasted.
    pub test: Option<String>,
}

/// A difference with which the refused line would be taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Edit {
    /// Of what kind.
    pub kind: EditKind,
    /// For people: "accepted if the `generation` were 9".
    pub sentence: String,
    /// How many of the computer's next lines would then be taken as well.
    pub goes_on: u64,
    /// Of how many that were looked at.
    pub of: u64,
}

/// What an edit changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EditKind {
    /// A value of the line.
    ChangeAValue,
    /// A line before it is not there.
    LeaveOutALine,
    /// Steps that have no line come first.
    TakeStepsBefore,
}

/// A trace from which lines have been left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Minimised {
    /// All of it, with its header.
    pub lines: Vec<String>,
    /// How many events of the computer there were, with the refused one.
    pub of: usize,
    /// Whether no single line of it can be left out. If not, the search was given up.
    pub is_minimal: bool,
}

/// A line of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Shown {
    /// Where it stands, and for a divergence the column of what is wrong.
    pub place: Place,
    /// What it says.
    pub text: String,
}

/// A line that had a part in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Earlier {
    /// The line.
    pub line: Shown,
    /// The bytes of it that are pointed at.
    pub span: std::ops::Range<usize>,
    /// What its part was.
    pub label: String,
}

/// A name with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Field {
    /// What.
    pub name: String,
    /// Its value, for people.
    pub value: String,
}

/// A known rule that an implementation seems to follow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Explanation {
    /// Its name in `check --variant`, or the guard that is left out.
    pub variant: String,
    /// What is different from the right rules.
    pub change: String,
    /// Rows of `docs/origins.md`.
    pub origin: String,
}
