//! States and messages in words, for people and for guards.

use std::fmt;

use super::action::{Count, Restored};
use super::state::*;
use crate::guard::Value;

impl OwnerPhase {
    fn word(self) -> &'static str {
        match self {
            OwnerPhase::Active => "active",
            OwnerPhase::Trashed => "trashed",
            OwnerPhase::Purged => "purged",
        }
    }
}

impl Phase {
    fn word(self) -> &'static str {
        match self {
            Phase::Live => "live",
            Phase::Killing => "killing",
            Phase::TornDown => "torn down",
        }
    }
}

impl Restored {
    fn word(self) -> &'static str {
        match self {
            Restored::Whole => "all is as it was",
            Restored::InstanceLost => "the instance is lost",
        }
    }
}

impl Count {
    fn word(self) -> &'static str {
        match self {
            Count::Reclaimed => "reclaimed",
            Count::Gone => "gone",
            Count::Replaced => "replaced",
            Count::Skipped => "skipped",
        }
    }
}

impl Answer {
    fn word(self) -> &'static str {
        match self {
            Answer::Killed => "that this call has ended it",
            Answer::Gone => "that it is gone",
            Answer::Replaced(_) => "that another holds its name",
            Answer::Lives => "that it lives",
            Answer::Unreachable => "an error",
            Answer::Unlisted => "a list without it",
        }
    }
}

impl World {
    fn word(self) -> &'static str {
        match self {
            World::Atomic => "one instance a name, kills in one step",
            World::CheckThenAct => "one instance a name, kills in two steps",
            World::SharedNames => "names are shared, kills go by the instance",
        }
    }
}

macro_rules! words {
    ($($name:ident)*) => {
        $(
            impl From<$name> for Value {
                fn from(value: $name) -> Value { Value::Words(value.word()) }
            }
        )*
    };
}

words! { OwnerPhase Phase Restored Count Answer }

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.phase != Phase::TornDown || self.instance != UNKNOWN {
            write!(f, "{}, ", self.instance)?;
        }
        write!(f, "{}", self.phase.word())?;
        if let Some(trash) = self.requested {
            write!(f, ", teardown requested for {trash}")?;
        }
        if self.is_overdue {
            write!(f, ", past its deadline")?;
        }
        if self.attempts > 0 {
            write!(f, ", tried {}", self.attempts)?;
        }
        Ok(())
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.instance)?;
        if self.attempts > 0 {
            write!(f, " tried {}", self.attempts)?;
        }
        Ok(())
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.token, self.owner)
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.instance, if self.lives { "lives" } else { "is dead" })?;
        match self.token {
            Some(token) => write!(f, ", made for {token}")?,
            None => write!(f, ", made by an outsider")?,
        }
        if self.is_cut_off { write!(f, ", out of reach") } else { Ok(()) }
    }
}

impl fmt::Display for Errand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.instance, self.found)?;
        match self.stage {
            Stage::Listed => Ok(()),
            Stage::Sent { .. } => write!(f, ", called"),
            Stage::Heard(answer) => write!(f, ", heard {answer}"),
        }
    }
}

fn list<T: fmt::Display>(items: impl Iterator<Item = T>) -> String {
    let shown: Vec<String> = items.map(|item| item.to_string()).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join("; ") }
}

impl State {
    /// The fields with their values, for people.
    pub fn describe(&self) -> Vec<(&'static str, String)> {
        // As they are due.
        let mut pointers: Vec<Pointer> = self.pointers.iter().copied().collect();
        pointers.sort_unstable_by_key(|pointer| pointer.turn);
        let of = |place: Place| list(pointers.iter().filter(|pointer| pointer.place == place));
        let works = |(at, errand): (usize, &Option<Errand>)| Some(format!("worker {}: {}", at + 1, (*errand)?));
        vec![
            ("provider", self.provider.world.word().to_owned()),
            ("owner", format!("{}, {}", self.tenure.owner.0, self.tenure.phase.word())),
            ("trashes", self.tenure.trashes.0.to_string()),
            ("record", self.record.map_or("none".to_owned(), |record| record.to_string())),
            ("intents", list(self.intents.iter())),
            ("outbox", of(Place::Outbox)),
            ("quarantine", of(Place::Quarantine)),
            ("dead letters", of(Place::DeadLetters)),
            ("instances", list(self.provider.made.iter())),
            ("revoked", list(self.provider.revoked.iter())),
            ("calls to create", list(self.creates.iter())),
            ("calls to kill", list(self.kills.iter())),
            ("deletes by name", list(self.provider.deletes.iter())),
            ("workers", list(self.workers.iter().enumerate().filter_map(works))),
            ("licensed in truth", list(self.ghost.licensed.iter())),
            ("teardown is requested in truth", self.ghost.is_requested.to_string()),
        ]
    }
}
