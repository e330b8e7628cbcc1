//! What is no trace: never a verdict about an implementation, and never a pass.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Place {
    /// The file as it was named.
    pub file: String,
    /// From 1; 0 for the file as a whole.
    pub line: u64,
    /// In bytes, from 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 { f.write_str(&self.file) } else { write!(f, "{}:{}:{}", self.file, self.line, self.column) }
    }
}

/// An input that cannot be read as a trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Unreadable {
    /// Where.
    pub place: Place,
    /// What kind of thing is wrong.
    pub kind: Kind,
    /// What is wrong, and how it might be mended.
    pub message: String,
}

impl Unreadable {
    /// The second reading finds something else here than the first one.
    pub(super) fn changed(place: Place) -> Unreadable {
        let message = "the file has changed between two readings; check it again once nobody writes to it".to_owned();
        Unreadable { place, kind: Kind::Changed, message }
    }
}

/// What can be wrong with an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The file cannot be read.
    Io,
    /// A line is no JSON object.
    NotJson,
    /// The file ends within a line.
    Truncated,
    /// A line is longer than the format allows.
    LineTooLong,
    /// The first line is no header.
    NoHeader,
    /// A second header, as if two traces were glued together.
    TwoHeaders,
    /// Another version of the format.
    WrongVersion,
    /// Another edition of the schema.
    WrongSchema,
    /// A protocol that has no model here, or another one than in the file before.
    UnknownProtocol,
    /// An action that no protocol has.
    UnknownAction,
    /// A line that is not of the schema.
    NotOfTheSchema,
    /// A field that this action needs is not there, or one is there that it cannot have.
    WrongFields,
    /// A number that cannot be counted with.
    NumberTooLarge,
    /// A process that no header declares.
    UndeclaredProcess,
    /// A process's sequence has a hole, or repeats itself.
    Gap,
    /// The store's commit sequence goes back.
    CommitWentBack,
    /// The file was changed while it was checked.
    Changed,
}
