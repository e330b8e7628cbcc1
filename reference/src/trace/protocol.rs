//! Which protocol a trace is of.

/// A protocol whose steps are recorded. A trace is of one of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Protocol {
    /// Which page of a computer may be saved, and looked up.
    Snapshot,
    /// What is started, stopped and deleted, and which observation may be written over what.
    Operation,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 2] = [Protocol::Snapshot, Protocol::Operation];

    /// As the header of a trace names it.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Snapshot => "snapshot",
            Protocol::Operation => "operation",
        }
    }
}
