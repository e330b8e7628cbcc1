//! The sentences that every protocol is held to, by id. The normative text is `docs/requirements/`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! requirements {
    ($($name:ident $id:literal $sentence:literal)*) => {
        /// A requirement of `docs/requirements/`. In a trace it is written as its id, for instance `"SAVE-3"`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        pub enum Requirement { $(#[doc = $sentence] #[serde(rename = $id)] $name,)* }

        impl Requirement {
            /// Every requirement, in the order of the pages.
            pub const ALL: &'static [Requirement] = &[$(Self::$name),*];

            /// For instance `SAVE-3`.
            pub fn id(self) -> &'static str { match self { $(Self::$name => $id,)* } }

            /// What it asks for, in one sentence without its subject's MUST.
            pub fn sentence(self) -> &'static str { match self { $(Self::$name => $sentence,)* } }
        }
    };
}

requirements! {
    Save1 "SAVE-1" "a call names the incarnation that was current when it began"
    Save2 "SAVE-2" "each page that a computer hands out has the next generation"
    Save3 "SAVE-3" "a save lands only under the current incarnation"
    Save4 "SAVE-4" "a save lands only above the stored generation of its incarnation"
    Save5 "SAVE-5" "a refusal names the requirement that was broken, and no other"
    Save6 "SAVE-6" "only what was sent is received"
    Save7 "SAVE-7" "a rollback replaces the current incarnation by one that it mints"
    Save8 "SAVE-8" "a rollback goes to a page that was loaded since the last reset"
    Save9 "SAVE-9" "a load shows the stored page as it is"
    Save10 "SAVE-10" "a save of what the computer shows now lands at last"
    Save11 "SAVE-11" "an agent gets a page at last, once faults and demands end"
    Reset1 "RESET-1" "a reset is claimed against the current incarnation before anything is wiped"
    Reset2 "RESET-2" "nothing lands while a reset is under way"
    Reset3 "RESET-3" "a wipe is obeyed only by the incarnation that it names"
    Reset4 "RESET-4" "a reset ends by replacing the wiped incarnation by one that it mints"
    Reset5 "RESET-5" "any gateway can finish a reset whose gateway has died"
    Reset6 "RESET-6" "a reference resolves only against a page of the current incarnation"
    Reset7 "RESET-7" "an action whose reference does not resolve is refused"
    Reset8 "RESET-8" "a reset that was claimed ends at last"
    Restart1 "RESTART-1" "a registration names the incarnation it follows"
    Restart2 "RESTART-2" "each registration mints an incarnation above all before it"
    Restart3 "RESTART-3" "a computer answers only calls that name its incarnation"
    Restart4 "RESTART-4" "a life learns its incarnation only from the answer to its own last question"
    Restart5 "RESTART-5" "a computer acts only on its own incarnation and newest generation"
    Restart6 "RESTART-6" "a save of what the registered process shows now lands unless a reset is under way"
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
