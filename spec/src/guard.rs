//! Why an action is impossible: the requirement, the value that the action showed, and the one it is held against.

use std::fmt;

use crate::requirement::Requirement;

/// A refusal of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The sentence that forbids the action.
    pub requirement: Requirement,
    /// What the action showed.
    pub found: Value,
    /// What it is held against.
    pub against: Value,
}

/// Anything that a guard compares, ready to be read by a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// There is no such thing.
    Nothing,
    /// A phrase.
    Words(&'static str),
    /// A kind of number, for instance an incarnation.
    Number(&'static str, u32),
    /// Two kinds of numbers that belong together.
    Pair(&'static str, u32, &'static str, u32),
    /// A requirement, or none, where two causes are compared.
    Cause(Option<Requirement>),
}

impl From<Requirement> for Value {
    fn from(requirement: Requirement) -> Value {
        Value::Cause(Some(requirement))
    }
}

impl From<&'static str> for Value {
    fn from(words: &'static str) -> Value {
        Value::Words(words)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Nothing, Into::into)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing => write!(f, "nothing"),
            Value::Words(words) => write!(f, "{words}"),
            Value::Number(kind, number) => write!(f, "{kind} {number}"),
            Value::Pair(first, one, second, two) => write!(f, "{first} {one}, {second} {two}"),
            Value::Cause(None) => write!(f, "no cause"),
            Value::Cause(Some(requirement)) => write!(f, "{requirement}"),
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Guard { requirement, found, against } = self;
        write!(f, "{requirement}: {}; found {found}, against {against}", requirement.sentence())
    }
}
