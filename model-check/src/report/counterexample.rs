//! A path to a broken property as plain data: it is written to a file, and played back from it.

use std::fmt;
use std::num::ParseIntError;
use std::ops::Range;
use std::str::FromStr;

use outlive_spec::guard::Guard;
use outlive_spec::protocol::{Fairness, Property, Protocol};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::walk::Step;
use crate::exit::Exit;

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
    /// How the path breaks it.
    pub ending: Ending,
    /// Whether the search took states that differ in names alone as one. The names of such a path are beyond every
    /// bound.
    pub symmetry: bool,
    /// Where the path starts, if there are several starts.
    pub start: usize,
    /// Every field, as it is at the start.
    pub initial: Vec<ShownField>,
    /// The steps.
    pub steps: Vec<ShownStep>,
    /// What the right rules make of the same steps, one after the other from the same start.
    pub under_the_right_rules: Vec<RightStep>,
    /// If it ends in a loop: what the right rules may do next where the steps have led them, of what fairness asks for.
    pub the_right_rules_go_on: Vec<String>,
}

/// A field with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownField {
    /// For instance `store: page`.
    pub name: String,
    /// For people.
    pub value: String,
}

/// How a path breaks its property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ending {
    /// Its last step, or the state where it leads, does.
    Harm,
    /// No settled state can be reached from its last state.
    DeadEnd,
    /// Its last steps can be repeated for ever, and somebody waits in vain.
    Loop {
        /// How many. If there are none, nothing happens any more.
        steps: usize,
        /// Why that is fair, for each class of steps on which the property relies.
        fair: Vec<Fair>,
    },
}

/// Why a loop leaves no step of one class undone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fair {
    /// For instance `learn`.
    pub class: String,
    /// What a step of it is.
    pub sentence: String,
    /// Why none is owed.
    pub because: Because,
}

/// Why no step of a class is owed. Steps are counted from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Because {
    /// This step is one.
    TakenBy(usize),
    /// None is possible after this step; after step 0, at the start.
    NotPossibleAfter(usize),
    /// None is possible in the whole loop.
    NeverPossible,
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::TakenBy(step) => write!(f, "step {step} is one"),
            Because::NotPossibleAfter(0) => write!(f, "not possible at the start"),
            Because::NotPossibleAfter(step) => write!(f, "not possible after step {step}"),
            Because::NeverPossible => write!(f, "never possible in the loop"),
        }
    }
}

impl Ending {
    /// How a run ends that has found it.
    pub fn exit(&self) -> Exit {
        match self {
            Ending::Harm => Exit::SafetyViolated,
            Ending::DeadEnd => Exit::DeadEnd,
            Ending::Loop { .. } => Exit::LivenessViolated,
        }
    }
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
    pub refused_by_the_right_rules: Option<Refusal>,
}

/// What the right rules make of one step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RightStep {
    /// Why they refuse it; nothing if they take it. A step that needs what was refused before is refused as well.
    pub refusal: Option<Refusal>,
    /// The fields that it changed.
    pub changes: Vec<Change>,
}

/// Why a step is refused, with the two values that were compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// For instance `SAVE-3`.
    pub requirement: String,
    /// The requirement in one sentence.
    pub sentence: String,
    /// What the step showed.
    pub found: String,
    /// What it was held against.
    pub against: String,
}

impl From<Guard> for Refusal {
    fn from(guard: Guard) -> Refusal {
        Refusal {
            requirement: guard.requirement.id().to_owned(),
            sentence: guard.requirement.sentence().to_owned(),
            found: guard.found.to_string(),
            against: guard.against.to_string(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { requirement, sentence, found, against } = self;
        write!(f, "{requirement}: {sentence}; found {found}, against {against}")
    }
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

/// How long a path is: `7`, or `7+2` if its last two steps repeat for ever.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Length {
    /// The steps that are taken once.
    pub stem: usize,
    /// The steps that repeat, if it ends in a loop.
    pub cycle: Option<usize>,
}

impl Length {
    /// The length of a path without a loop.
    pub fn steps(steps: usize) -> Length {
        Length { stem: steps, cycle: None }
    }

    /// For people: `7 steps, and then 2 for ever`.
    pub fn in_words(self) -> String {
        let stem = match self.stem {
            1 => "1 step".to_owned(),
            count => format!("{count} steps"),
        };
        match self.cycle {
            None => stem,
            Some(0) => format!("{stem}, and then nothing"),
            Some(cycle) => format!("{stem}, and then {cycle} for ever"),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cycle {
            None => f.pad(&self.stem.to_string()),
            Some(cycle) => f.pad(&format!("{}+{cycle}", self.stem)),
        }
    }
}

impl FromStr for Length {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Length, ParseIntError> {
        let (stem, cycle) = text.split_once('+').map_or((text, None), |(stem, cycle)| (stem, Some(cycle)));
        Ok(Length { stem: stem.parse()?, cycle: cycle.map(str::parse).transpose()? })
    }
}

/// Where a path belongs.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The variant.
    pub variant: &'static str,
    /// The profile.
    pub profile: &'static str,
    /// Whether the search took states that differ in names alone as one.
    pub symmetry: bool,
    /// The property that it breaks.
    pub property: &'a Property,
    /// The place of the start.
    pub start: usize,
}

impl Counterexample {
    /// Makes a path presentable. `right` says what the rules that hold would have done.
    pub fn of<P: Protocol>(protocol: &P, right: &P, origin: Origin<'_>, ending: Ending, steps: &[Step<P>]) -> Self {
        let begin = protocol.initial().swap_remove(origin.start);
        let initial = fields(protocol, &begin);
        let (under_the_right_rules, last) = under(right, begin, steps);
        let fairness = right.responses().iter().find(|response| response.property.name == origin.property.name);
        Counterexample {
            format: FORMAT,
            protocol: protocol.name().to_owned(),
            variant: origin.variant.to_owned(),
            profile: origin.profile.to_owned(),
            property: origin.property.name.to_owned(),
            requirement: origin.property.requirement.id().to_owned(),
            sentence: origin.property.sentence.to_owned(),
            ending,
            symmetry: origin.symmetry,
            start: origin.start,
            initial,
            steps: steps.iter().map(|step| show(protocol, right, step)).collect(),
            under_the_right_rules,
            the_right_rules_go_on: fairness.map_or_else(Vec::new, |response| next(right, &last, response.fairness)),
        }
    }

    /// How many steps there are before a loop, and in it.
    pub fn length(&self) -> Length {
        match self.ending {
            Ending::Harm | Ending::DeadEnd => Length { stem: self.steps.len(), cycle: None },
            Ending::Loop { steps, .. } => Length { stem: self.steps.len() - steps, cycle: Some(steps) },
        }
    }

    /// The name of the file in which `--out-dir` puts it.
    pub fn file_name(&self) -> String {
        format!("{}.json", self.name())
    }

    /// What its files are called, without their endings.
    pub fn name(&self) -> String {
        format!("{}.{}.{}", self.protocol, self.variant, self.property)
    }

    /// The places of the steps that repeat for ever; empty if none does.
    pub fn cycle(&self) -> Range<usize> {
        self.length().stem..self.steps.len()
    }

    /// The fields before the first step and after each, complete.
    pub fn states(&self) -> Vec<Vec<ShownField>> {
        let mut states = vec![self.initial.clone()];
        for step in &self.steps {
            let mut state = states.last().cloned().unwrap_or_default();
            step.changes.iter().for_each(|change| set(&mut state, change));
            states.push(state);
        }
        states
    }
}

/// A step, as it is shown. `right` says what the rules that hold would have done.
pub(crate) fn show<P: Protocol>(protocol: &P, right: &P, step: &Step<P>) -> ShownStep {
    let refused = right.apply(&mut step.before.clone(), &step.action).err();
    let (before, after) = (protocol.describe(&step.before), protocol.describe(&step.after));
    ShownStep {
        lane: protocol.lane(&step.action).0.to_owned(),
        kind: protocol.kinds()[protocol.kind(&step.action)].to_owned(),
        action: step.action.to_string(),
        exact: format!("{:?}", step.action),
        changes: changes(&before, &after),
        refused_by_the_right_rules: refused.map(Refusal::from),
    }
}

/// Every field of a state, as it is shown.
pub(crate) fn fields<P: Protocol>(protocol: &P, state: &P::State) -> Vec<ShownField> {
    let fields = protocol.describe(state).into_iter();
    fields.map(|(name, value)| ShownField { name: name.to_owned(), value }).collect()
}

/// Takes the same steps by the right rules, and says where they lead. What they refuse changes nothing, and the next
/// step is tried all the same.
fn under<P: Protocol>(right: &P, mut state: P::State, steps: &[Step<P>]) -> (Vec<RightStep>, P::State) {
    let take = |step: &Step<P>| {
        let before = right.describe(&state);
        let refusal = right.apply(&mut state, &step.action).err().map(Refusal::from);
        right.forgive(&mut state);
        RightStep { refusal, changes: changes(&before, &right.describe(&state)) }
    };
    let steps = steps.iter().map(take).collect();
    (steps, state)
}

/// Of each class that fairness does not let wait for ever, the first step that is possible.
fn next<P: Protocol>(right: &P, state: &P::State, fairness: Fairness) -> Vec<String> {
    let mut proposals = Vec::new();
    right.actions(state, &mut proposals);
    proposals.retain(|action| right.apply(&mut state.clone(), action).is_ok());
    let first = |class| proposals.iter().find(|action| right.classes_of(state, action).has(class));
    (fairness.weak | fairness.strong).iter().filter_map(first).map(P::Action::to_string).collect()
}

/// A field that comes only later was nothing until then.
fn set(state: &mut Vec<ShownField>, change: &Change) {
    match state.iter_mut().find(|field| field.name == change.field) {
        Some(field) => field.value.clone_from(&change.after),
        None => state.push(ShownField { name: change.field.clone(), value: change.after.clone() }),
    }
}

/// The fields that differ. A field that stands on one side only is nothing on the other.
pub(crate) fn changes(before: &[(&str, String)], after: &[(&str, String)]) -> Vec<Change> {
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
