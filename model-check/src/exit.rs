//! How the command ends. The numbers are TLC's where the meaning is the same; `docs/exit-codes.md` has the table.

macro_rules! exits {
    ($($name:ident $code:literal $meaning:literal)*) => {
        /// The end of a run. When several apply, the first in this order wins.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Exit { $(#[doc = $meaning] $name,)* }

        impl Exit {
            /// In the order in which they win.
            pub const ALL: &'static [Exit] = &[$(Exit::$name),*];

            /// The process's exit code.
            pub fn code(self) -> u8 { match self { $(Exit::$name => $code,)* } }

            /// What it means, in one sentence.
            pub fn meaning(self) -> &'static str { match self { $(Exit::$name => $meaning,)* } }
        }
    };
}

exits! {
    Internal         70  "a bug of this program, or results that cannot be written"
    Unreadable       150 "an input that cannot be read as what it should be"
    Usage            2   "a command line that makes no sense"
    SafetyViolated   12  "a reachable state breaks a property, or a step leads out of an invariant"
    LivenessViolated 13  "a fair behaviour in which something never comes about"
    DeadEnd          11  "a reachable state from which no settled state can be reached"
    DoesNotConform   20  "a trace is no behaviour of the model"
    Vacuous          14  "a check that could not have failed, or a known-bad variant that does not break as reviewed"
    Truncated        152 "a bound was reached before the search was complete"
    Inconclusive     21  "too little is known for a verdict"
    NothingChecked   4   "there was nothing to check"
    Holds            0   "everything holds, and everything was searched"
}

impl Exit {
    /// The more serious of two.
    #[must_use]
    pub fn or(self, other: Exit) -> Exit {
        self.min(other)
    }

    /// The end with this code; what no end has is a bug.
    pub fn of_code(code: u8) -> Exit {
        Exit::ALL.iter().copied().find(|exit| exit.code() == code).unwrap_or(Exit::Internal)
    }
}
