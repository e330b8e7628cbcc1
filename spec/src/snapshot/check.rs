//! The guards, each by name: what is compared, and for which requirement. A test switches them off one at a time.

use crate::requirement::Requirement;

macro_rules! checks {
    ($($name:ident $requirement:ident $what:literal)*) => {
        /// One comparison that can forbid a step.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Check { $(#[doc = $what] $name,)* }

        impl Check {
            /// All of them.
            pub const ALL: &'static [Check] = &[$(Check::$name),*];

            /// The requirement for which it stands.
            pub fn requirement(self) -> Requirement { match self { $(Check::$name => Requirement::$requirement,)* } }

            /// Its name in code.
            pub fn name(self) -> &'static str { match self { $(Check::$name => stringify!($name),)* } }

            /// What it compares.
            pub fn what(self) -> &'static str { match self { $(Check::$name => $what,)* } }
        }
    };
}

checks! {
    BeginReadsCurrent    Save1    "the incarnation that a call names, with the current one"
    AnswerCountsUp       Save2    "the generation of a page, with the one after the last"
    SaveIsCurrent        Save3    "the incarnation of a save, with the current one"
    SaveIsNewer          Save4    "the generation of a save, with the stored one of the same incarnation"
    RefusalHasThatCause  Save5    "the reason that a refusal gives, with the guard that fails"
    BeginAfterRefusal    Save5    "whether a refused save is still being sent again"
    CallWasSent          Save6    "a call that is answered, with those that were sent"
    SaveWasSent          Save6    "a save that arrives, with the answers that were given"
    QuestionWasSent      Save6    "a registration, with the questions that were asked"
    WipeWasSent          Save6    "a wipe that is obeyed, with those that were sent"
    ActWasSent           Save6    "an act that is performed, with those that were forwarded"
    RollbackFollows      Save7    "the incarnation that a rollback expects, with the current one"
    RollbackMints        Save7    "the incarnation that a rollback mints, with the current one"
    RollbackWasLoaded    Save8    "the page of a rollback, with those that were shown"
    RollbackIsSinceReset Save8    "the incarnation of a rollback's page, with the one that the last reset opened"
    LoadSeesPage         Save9    "what a load shows, with the stored page"
    ClaimFollows         Reset1   "the incarnation that a reset expects, with the current one"
    ClaimWhileOpen       Reset1   "whether a reset is under way already"
    SendWipeIsClaimed    Reset1   "whether a reset is under way when a wipe is sent"
    SaveWhileOpen        Reset2   "whether a reset is under way when a save arrives"
    RollbackWhileOpen    Reset2   "whether a reset is under way when a rollback arrives"
    SendWipeNamesCurrent Reset3   "the incarnation that a wipe names, with the current one"
    WipeIsForUs          Reset3   "the incarnation that a wipe names, with the computer's own"
    FinishWhileResetting Reset4   "whether a reset is under way when one ends"
    FinishHeardOfWipe    Reset4   "the incarnation that a reset's end calls wiped, with what its gateway has heard"
    FinishWipedCurrent   Reset4   "the incarnation that was wiped, with the current one"
    FinishMints          Reset4   "the incarnation that a reset opens, with the current one"
    SendWipeIsAllowed    Reset5   "who sends a wipe, with who may drive a reset on"
    ResolveFindsPage     Reset6   "the page that a reference cites, with the stored one"
    ResolveIsCurrent     Reset6   "the incarnation of the stored page, with the current one"
    ForwardIsResolved    Reset7   "whether an act has a page that its reference resolved against"
    AskReadsCurrent      Restart1 "the incarnation that a question expects to follow, with the current one, as read"
    RegisterFollows      Restart1 "the incarnation that a question expects to follow, with the current one"
    RegisterMints        Restart2 "the incarnation that a registration mints, with the current one"
    AnswerIsForUs        Restart3 "the incarnation that a call names, with the computer's own"
    LifeIsNew            Restart4 "the name of a life, with those before it"
    QuestionIsOurs       Restart4 "the life that asks, with the living one"
    QuestionIsNeeded     Restart4 "whether a process that asks who it is knows it already"
    ReplyIsOurs          Restart4 "the incarnation that a process learns, with the reply to its question"
    ActIsForUs           Restart5 "the incarnation that an act cites, with the computer's own"
    ActIsNewest          Restart5 "the generation that an act cites, with the newest"
}

/// A set of guards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks(u64);

impl Checks {
    /// None.
    pub const NONE: Checks = Checks(0);

    /// These.
    pub const fn of(checks: &[Check]) -> Checks {
        let (mut bits, mut at) = (0, 0);
        while at < checks.len() {
            bits |= 1 << checks[at] as u64;
            at += 1;
        }
        Checks(bits)
    }

    /// Whether it is one of them.
    #[inline]
    pub const fn has(self, check: Check) -> bool {
        self.0 >> (check as u64) & 1 == 1
    }

    /// Both sets.
    pub const fn and(self, other: Checks) -> Checks {
        Checks(self.0 | other.0)
    }
}
