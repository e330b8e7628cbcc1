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
    Reconcile1 "RECONCILE-1" "a start begins at rest, with a launch that is minted for it in the same write"
    Reconcile2 "RECONCILE-2" "an operation is settled only by who has claimed it, for its kind and its launch"
    Reconcile3 "RECONCILE-3" "a sweep writes only over the revision that it has read before the provider"
    Reconcile4 "RECONCILE-4" "an observation is written only where no operation is under way"
    Reconcile5 "RECONCILE-5" "an observation is written only if it is of the row's launch"
    Reconcile6 "RECONCILE-6" "the provider brings up each launch at most once, and none that was stopped"
    Reconcile7 "RECONCILE-7" "an operation is taken over only from a gateway that is dead, or from nobody"
    Reconcile8 "RECONCILE-8" "whoever takes over an operation keeps its launch"
    Reconcile9 "RECONCILE-9" "a stop is admitted in every phase in which something may run and nothing is ending it"
    Reconcile10 "RECONCILE-10" "a computer is gone only after the provider has removed its instance"
    Reconcile11 "RECONCILE-11" "a report is written only if it is ahead of the row in the provider's order"
    Reconcile12 "RECONCILE-12" "absence is concluded only from an answer of the provider to a read"
    Reconcile13 "RECONCILE-13" "a computer is called ready only on the word of the provider that it was admitted"
    Reconcile14 "RECONCILE-14" "the provider starts an instance again only until it is stopped"
    Reconcile15 "RECONCILE-15" "only what was sent arrives, only what is so is observed, and only the living act"
    Reconcile16 "RECONCILE-16" "an exit is written as an error, and an error is over where the instance is up"
    Reconcile17 "RECONCILE-17" "whoever is refused is told the requirement that it has broken, and no other"
    Reconcile18 "RECONCILE-18" "a deletion ends at last, and whoever owns an operation ends it"
    Reconcile19 "RECONCILE-19" "an operation that was begun is settled at last"
    Reconcile20 "RECONCILE-20" "a stop that was begun ends at last in a computer that is stopped, or gone"
    Reconcile21 "RECONCILE-21" "a computer that is up and stays up is called ready at last"
    Reconcile22 "RECONCILE-22" "a computer that does not run is called ready only for a time"
    Reconcile23 "RECONCILE-23" "what a record holds is killed only under a claim, which evaluates the whole licence"
    Reconcile24 "RECONCILE-24" "a teardown is licensed only by a request that was made during this trash"
    Reconcile25 "RECONCILE-25" "a deadline licenses a kill only if it has passed when the kill is claimed"
    Reconcile26 "RECONCILE-26" "a claim is never taken back"
    Reconcile27 "RECONCILE-27" "a kill names the instance that it expects, and ends no other"
    Reconcile28 "RECONCILE-28" "a pointer is released only by a proof of death, which the authority of its instance alone can give"
    Reconcile29 "RECONCILE-29" "a proof of death releases every pointer to its instance, and none to another"
    Reconcile30 "RECONCILE-30" "what is found in the place of a dead instance is quarantined, unless something durable names it"
    Reconcile31 "RECONCILE-31" "an owner is given only an instance that is live in its record"
    Reconcile32 "RECONCILE-32" "where a kill is two steps, nothing is created at its name in between"
    Reconcile33 "RECONCILE-33" "an attempt that proves nothing keeps the pointer, until there were too many of them"
    Reconcile34 "RECONCILE-34" "what a dead worker has claimed is driven again by any other"
    Reconcile35 "RECONCILE-35" "a pointer whose instance is to be killed is tried at last"
    Reconcile36 "RECONCILE-36" "a sweep counts each pointer once, as what became of it"
    Reconcile37 "RECONCILE-37" "an instance is metered if and only if it lives, by the word of the provider"
    Reconcile38 "RECONCILE-38" "a pointer to a dead instance is released at last"
    Reconcile39 "RECONCILE-39" "a teardown that was requested leaves no instance in the record at last"
    Reconcile40 "RECONCILE-40" "a pointer whose instance is to be killed is settled at last, or given up"
    Reconcile41 "RECONCILE-41" "an instance that nobody knows is neither recorded nor compared"
    Purge1 "PURGE-1" "whatever takes an instance from its record puts it into the outbox in the same write"
    Purge2 "PURGE-2" "a purge of what is trashed waits for no instance, and is refused for none"
    Purge3 "PURGE-3" "an intent to create is durable before the provider is called, and outlives its owner"
    Purge4 "PURGE-4" "an intent to create is closed only by what is conclusive about its token"
    Purge5 "PURGE-5" "what was created is recorded only for the owner it was created for, while that is active"
    Purge6 "PURGE-6" "no record takes over an instance by its name"
    Purge7 "PURGE-7" "one durable pointer names an instance, and no second one"
    Purge8 "PURGE-8" "a trash takes nothing that a restore gives back, and a restore says what is lost"
    Purge9 "PURGE-9" "a dead letter outlives its owner"
    Purge10 "PURGE-10" "an intent to create is closed at last"
    Purge11 "PURGE-11" "the provider creates at most one instance for a token, and none once it is revoked"
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
