//! How much a trace check reads and remembers. `model-check list` and `docs/conformance.md` print this table.

use outlive_spec::trace::{LINE_LIMIT, NUMBER_LIMIT};

/// Pages that were shown, remembered of each computer, so that agents may come back to them.
pub(super) const SHOWN: usize = 64;
/// Calls to the provider, remembered of each computer, so that they may arrive late and twice.
pub(super) const CALLS: usize = 64;
/// Reports of the provider, likewise.
pub(super) const REPORTS: usize = 64;
/// Names of lives, remembered of each computer.
pub(super) const LIVES: usize = 16;
/// Operations by name, remembered of each computer.
pub(super) const OPERATIONS: usize = 16;
/// Answers, remembered of each call that has a name.
pub(super) const ANSWERS: usize = 8;
/// Calls of the store of one computer whose outcome is open at once.
pub(super) const OPEN: usize = 12;
/// Presents of one computer that are possible at once.
pub(super) const PRESENTS: usize = 4096;
/// Lines of the one computer before the line that is refused, played again in search of a shorter trace.
pub(super) const PAST: usize = 2_000;

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
pub const LIMITS: [Limit; 11] = [
    Limit { what: "bytes of a line", most: LINE_LIMIT as u64, beyond: "the trace cannot be read" },
    Limit {
        what: "a number",
        most: NUMBER_LIMIT - 1,
        beyond: "the trace cannot be read; the protocols count in 32 bits",
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
        what: "calls to the provider of a computer",
        most: CALLS as u64,
        beyond: "an older one that arrives makes the trace inconclusive",
    },
    Limit {
        what: "reports of a computer",
        most: REPORTS as u64,
        beyond: "an older one that is written makes the trace inconclusive",
    },
    Limit {
        what: "operations of a computer that bear a name, and those that were dropped",
        most: OPERATIONS as u64,
        beyond: "an event of an older one is judged without its name, and counted; what is heard of it is refused",
    },
    Limit {
        what: "answers to one call of an operation",
        most: ANSWERS as u64,
        beyond: "a save of an older one is judged without its name, and counted",
    },
    Limit {
        what: "calls of the store whose outcome is open, of a computer at once",
        most: OPEN as u64,
        beyond: "the trace is inconclusive",
    },
    Limit {
        what: "lines of a computer before the one that is refused",
        most: PAST as u64,
        beyond: "no edit and no shorter trace is looked for",
    },
    Limit {
        what: "presents of a computer that are possible at once",
        most: PRESENTS as u64,
        beyond: "the trace is inconclusive",
    },
];
