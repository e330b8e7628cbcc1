//! How much a trace check reads and remembers. `model-check list` and `docs/conformance.md` print this table.

use outlive_spec::trace::{LINE_LIMIT, NUMBER_LIMIT};

/// Pages that were shown, remembered of each computer, so that agents may come back to them.
pub(super) const SHOWN: usize = 64;
/// Names of lives, remembered of each computer.
pub(super) const LIVES: usize = 16;
/// Operations by name, remembered of each computer.
pub(super) const OPERATIONS: usize = 16;
/// Answers, remembered of each call that has a name.
pub(super) const ANSWERS: usize = 8;

/// A limit of the trace check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// What is limited, with its unit.
    pub what: &'static str,
    /// The most that is read or remembered.
    pub most: u64,
    /// What becomes of a trace that goes beyond.
    pub beyond: &'static str,
}

/// All of them.
pub const LIMITS: [Limit; 6] = [
    Limit { what: "bytes of a line", most: LINE_LIMIT as u64, beyond: "the trace cannot be read" },
    Limit {
        what: "a number",
        most: NUMBER_LIMIT - 1,
        beyond: "the trace cannot be read; the snapshot protocol counts in 32 bits",
    },
    Limit {
        what: "names of lives of a computer",
        most: LIVES as u64,
        beyond: "an older name that comes back is taken for a new one",
    },
    Limit {
        what: "pages that agents of a computer were shown since its last reset",
        most: SHOWN as u64,
        beyond: "a rollback to an older page is inconclusive",
    },
    Limit {
        what: "operations of a computer",
        most: OPERATIONS as u64,
        beyond: "an event of an older one is judged without its name, and counted",
    },
    Limit {
        what: "answers to one call of an operation",
        most: ANSWERS as u64,
        beyond: "a save of an older one is judged without its name, and counted",
    },
];
