//! How far a search may go, and what it says when it was stopped there.

use std::fmt;
use std::time::Duration;

/// What ends a search early. The default is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// How many distinct states it may find.
    pub max_states: Option<usize>,
    /// How many steps deep it may go.
    pub max_depth: Option<u32>,
}

/// The limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Of time.
    Timeout,
    /// Of states.
    States,
    /// Of depth.
    Depth,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Timeout => "the time limit",
            Limit::States => "the limit of states",
            Limit::Depth => "the limit of depth",
        })
    }
}

/// Where a search was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truncation {
    /// By what.
    pub by: Limit,
    /// The depth of the first state that was not expanded: everything above it was.
    pub depth: u32,
    /// How many states were found but not expanded.
    pub left: usize,
}

impl fmt::Display for Truncation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was reached at depth {}, with {} states left to expand", self.by, self.depth, self.left)
    }
}
