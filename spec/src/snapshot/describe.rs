//! States and messages in words, for people and for guards.

use std::fmt;

use super::state::*;
use crate::guard::Value;

impl From<Stamp> for Value {
    fn from(stamp: Stamp) -> Value {
        match stamp {
            Stamp::Unknown => Value::Words("an unknown incarnation"),
            Stamp::Pending => Value::Words("an incarnation still to be read"),
            Stamp::Is(incarnation) => incarnation.into(),
        }
    }
}

impl From<Cited> for Value {
    fn from(cited: Cited) -> Value {
        match cited.stamp {
            Stamp::Is(incarnation) => Value::Pair("incarnation", incarnation.0, "generation", cited.generation.0),
            Stamp::Unknown | Stamp::Pending => cited.generation.into(),
        }
    }
}

impl From<Question> for Value {
    fn from(question: Question) -> Value {
        Value::Pair("life", question.life.0, "expected incarnation", question.expected.0)
    }
}

impl From<WipeCall> for Value {
    fn from(wipe: WipeCall) -> Value {
        wipe.incarnation.into()
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Value::from(*self))
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Memory::Nothing => write!(f, "remembers nothing"),
            Memory::Claimed => write!(f, "has claimed the reset"),
            Memory::Wiped(incarnation) => write!(f, "has heard that {incarnation} was wiped"),
        }
    }
}

impl fmt::Display for Cited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "generation {} of {}", self.generation.0, self.stamp)
    }
}

impl State {
    /// The fields with their values, for people.
    pub fn describe(&self) -> Vec<(&'static str, String)> {
        fn or_none<T: fmt::Display>(value: Option<T>) -> String {
            value.map_or_else(|| "none".to_owned(), |value| value.to_string())
        }
        fn list<T>(items: impl Iterator<Item = T>, show: impl Fn(T) -> String) -> String {
            let shown: Vec<String> = items.map(show).collect();
            if shown.is_empty() { "none".to_owned() } else { shown.join("; ") }
        }
        let made = |page: &Page| format!("made by life {} as incarnation {}", page.life.0, page.incarnation.0);
        let save = |save: &Save| format!("{} ({})", save.cited, made(&save.page));
        let mut fields = vec![
            ("store: incarnation", self.store.incarnation.0.to_string()),
            ("store: phase", if self.store.is_resetting { "resetting" } else { "open" }.to_owned()),
            ("store: page", self.store.page.as_ref().map_or_else(|| "none".to_owned(), save)),
            ("store: open since", self.store.since.0.to_string()),
            ("store: highest deleted generation", self.store.deleted.0.to_string()),
            ("process: life", self.process.life.0.to_string()),
            ("process: incarnation", or_none(self.process.incarnation.map(|own| own.0))),
            ("process: generation", self.process.generation.0.to_string()),
            ("process: reply under way", or_none(self.process.reply)),
            ("calls", list(self.calls.iter(), |call| call.stamp.to_string())),
            ("saves", list(self.saves.iter(), save)),
            ("questions", list(self.questions.iter(), |it| format!("{} after {}", it.life, it.expected))),
            ("wipes", list(self.wipes.iter(), |wipe| format!("of {} by {}", wipe.incarnation, or_none(wipe.by)))),
            ("acts", list(self.acts.iter(), |act| act.cited.to_string())),
            ("lives before this are wiped", self.ghost.first_unwiped.0.to_string()),
            ("incarnations before this are rolled back", self.ghost.first_kept.0.to_string()),
        ];
        fields.push(("gateways", list(self.gateways.iter(), |(gateway, memory)| format!("{gateway} {memory}"))));
        fields.push(("agents: were shown", list(self.shown.iter(), save)));
        if self.is_retrying {
            fields.push(("agent", "sends a refused save again".to_owned()));
        }
        fields
    }
}
