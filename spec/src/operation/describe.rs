//! States and messages in words, for people and for guards.

use std::fmt;

use super::action::Conclusion;
use super::state::*;
use crate::guard::Value;

impl Phase {
    fn word(self) -> &'static str {
        match self {
            Phase::Stopped => "stopped",
            Phase::Starting => "starting",
            Phase::Ready => "ready",
            Phase::Error => "error",
            Phase::Stopping => "stopping",
            Phase::Deleting => "deleting",
            Phase::Gone => "gone",
        }
    }
}

impl Condition {
    fn word(self) -> &'static str {
        match self {
            Condition::Booting => "booting",
            Condition::Up => "up",
            Condition::Exited => "exited",
        }
    }
}

impl Outcome {
    fn word(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Failed => "failed",
        }
    }
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Start => "start",
            Kind::Stop => "stop",
            Kind::Delete => "deletion",
        }
    }
}

macro_rules! words {
    ($($name:ident)*) => {
        $(
            impl From<$name> for Value {
                fn from(value: $name) -> Value { Value::Words(value.word()) }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.word()) }
            }
        )*
    };
}

words! { Phase Condition Outcome }

impl From<Conclusion> for Value {
    fn from(conclusion: Conclusion) -> Value {
        Value::Words(match conclusion {
            Conclusion::Nothing => "nothing to write",
            Conclusion::Ready => "ready",
            Conclusion::Error => "an error",
            Conclusion::Prune => "a deletion",
        })
    }
}

impl From<Call> for Value {
    fn from(call: Call) -> Value {
        call.launch.into()
    }
}

impl From<Observation> for Value {
    fn from(seen: Observation) -> Value {
        Value::Pair("launch", seen.launch.0, "mark", seen.mark.0)
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seen {
            Some(condition) => write!(f, "{} {condition}, at {}", self.launch, self.mark),
            None => write!(f, "nothing of {}, at {}", self.launch, self.mark),
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}, ", self.kind.word(), self.launch)?;
        match self.stage {
            Stage::Begun => write!(f, "begun"),
            Stage::Sent => write!(f, "sent"),
            Stage::Heard(outcome, mark) => write!(f, "{outcome} at {mark}"),
        }
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, ", self.revision, self.launch)?;
        match self.seen {
            None => write!(f, "nothing seen"),
            Some(seen) => write!(f, "seen {seen}"),
        }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = if self.is_armed { "" } else { ", disarmed" };
        write!(f, "{} {}{policy}", self.launch, self.condition)
    }
}

fn or_none<T: fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

fn list<T: fmt::Display>(items: impl Iterator<Item = T>) -> String {
    let shown: Vec<String> = items.map(|item| item.to_string()).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join("; ") }
}

/// What each of several gateways has in mind, but for those that have nothing.
fn each<T: fmt::Display>(state: &State, of: impl Fn(&Memory) -> Option<T>) -> String {
    let says = |memory: &Memory| Some(format!("{}: {}", memory.gateway, of(memory)?));
    list(state.gateways.iter().filter_map(says))
}

impl State {
    /// The fields with their values, for people.
    pub fn describe(&self) -> Vec<(&'static str, String)> {
        let mut fields = vec![
            ("row: revision", self.row.revision.0.to_string()),
            ("row: phase", self.row.phase.to_string()),
            ("row: launch", self.row.launch.0.to_string()),
            ("row: claimed by", or_none(self.row.owner)),
            ("row: mark", self.row.mark.0.to_string()),
            ("provider: instance", or_none(self.provider.instance)),
            ("provider: fence", self.provider.fence.0.to_string()),
            ("provider: mark", self.provider.mark.0.to_string()),
            ("gateways", list(self.gateways.iter().map(|memory| memory.gateway))),
            ("operations", each(self, |memory| memory.operation)),
            ("looks", each(self, |memory| memory.look)),
            ("calls", list(self.calls.iter())),
            ("reports", list(self.reports.iter())),
            ("its launch was admitted", self.ghost.was_admitted.to_string()),
            ("mark of what has counted", self.ghost.come_to.0.to_string()),
        ];
        if self.gateways.iter().any(|memory| memory.heard.is_some()) {
            fields.push(("marks in memory", each(self, |memory| memory.heard)));
        }
        fields
    }
}
