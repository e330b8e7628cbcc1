//! One computer, its stored page, and what is under way between them.

use crate::set::Set;

number! {
    /// One life of the computer's state, as the store counts them. Minted by the store at each registration of a
    /// process, at the end of each reset, and by each rollback.
    Incarnation, "incarnation"
}
number! {
    /// Counts the pages that a process has handed out. Says nothing across incarnations.
    Generation, "generation"
}
number! {
    /// One life of the computer's state, as it truly is: from a process start or a wipe until the next. The computer
    /// invents a name for each, which says nothing of their order; the model numbers them.
    Life, "life"
}
number! {
    /// A control-plane process that calls computers and the store.
    Gateway, "gateway"
}

// ------------------------------------------------------------------------------------------------------ messages

/// What is *said* about the incarnation of a page. That it is the truth is a theorem about the right rules, not a
/// definition; so the two are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Stamp {
    /// Nobody knows, and the page is saved all the same. Only rejected variants do that.
    #[default]
    Unknown,
    /// The gateway will ask once it has the answer. Only rejected variants do that.
    Pending,
    /// This one.
    Is(Incarnation),
}

/// What a page truly is: the life that it shows, the incarnation which the process had learned, and its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Page {
    /// The life that made it.
    pub life: Life,
    /// What the process knew itself as; `Incarnation(0)` if it had not learned any.
    pub incarnation: Incarnation,
    /// The count of the process.
    pub generation: Generation,
}

/// From a gateway to the computer: a snapshot, please.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Call {
    /// The incarnation that is asked.
    pub stamp: Stamp,
}

/// An answer of the computer on its way to the store: the gateway in between passes it on as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Save {
    /// What the page says about itself, and all that the store can see of its place in the order.
    pub cited: Cited,
    /// What it truly is.
    pub page: Page,
}

/// A page as people and stores name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cited {
    /// The incarnation that it is said to be of.
    pub stamp: Stamp,
    /// Its number.
    pub generation: Generation,
}

/// From a new process to the store: who am I, now that the computer's last incarnation was this one?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Question {
    /// The life that asks; the answer reaches no other.
    pub life: Life,
    /// The incarnation that it read, and expects to follow.
    pub expected: Incarnation,
}

/// From a gateway that drives a reset to the computer: forget everything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct WipeCall {
    /// Who waits for the answer; nobody, if that gateway has crashed since.
    pub by: Option<Gateway>,
    /// The incarnation that is to be wiped.
    pub incarnation: Incarnation,
}

/// From a gateway to the computer: click here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Act {
    /// The page that the agent was looking at.
    pub cited: Cited,
    /// The page that its reference was resolved against; none, where a rejected variant forwards it unresolved.
    pub resolved: Option<Page>,
}

// --------------------------------------------------------------------------------------------------------- state

/// One computer, its stored page, and what is under way between them.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// What the store has of this computer.
    pub store: Store,
    /// The process that is the computer now.
    pub process: Process,
    /// What each gateway remembers of a reset; one that remembers nothing is not listed.
    pub gateways: Gateways,
    /// The pages that agents were shown, through whichever gateway, and may come back to.
    pub shown: Set<Save>,
    /// Every call that the computer could still answer.
    pub calls: Set<Call>,
    /// Every save that the store could still accept.
    pub saves: Set<Save>,
    /// Every question that the store could still answer.
    pub questions: Set<Question>,
    /// Every wipe that the computer could still obey.
    pub wipes: Set<WipeCall>,
    /// Every act that the computer could still perform.
    pub acts: Set<Act>,
    /// An agent keeps sending a save that was refused, and begins nothing new. Only a rejected variant does that.
    pub is_retrying: bool,
    /// What only properties may read.
    pub ghost: Ghost,
}

/// The durable record of one computer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Store {
    /// The current incarnation: minted last. Written by register, finish and rollback; in a rejected variant by
    /// claim as well.
    pub incarnation: Incarnation,
    /// A reset has begun and is not finished. Written by claim and finish only.
    pub is_resetting: bool,
    /// The incarnation that the last reset opened: nothing older may come back. Written by finish only.
    pub since: Incarnation,
    /// The page that references resolve against. Written by save and rollback, deleted by claim.
    pub page: Option<Save>,
    /// The highest generation that was ever deleted. Only rejected variants look at it.
    pub deleted: Generation,
}

/// The computer's process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Process {
    /// Which life this is.
    pub life: Life,
    /// What it knows itself as, if it has learned it. Lost with the process, and by a wipe.
    pub incarnation: Option<Incarnation>,
    /// The newest generation that it has handed out.
    pub generation: Generation,
    /// The store's answer to this life's question, on its way.
    pub reply: Option<Incarnation>,
}

/// What a gateway remembers of a reset, until it crashes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Memory {
    /// Nothing.
    #[default]
    Nothing,
    /// It has claimed one. Only a rejected variant cares.
    Claimed,
    /// It has heard that this incarnation was wiped.
    Wiped(Incarnation),
}

/// The memories of all gateways, in order, but for those that remember nothing.
#[derive(PartialEq, Eq, Hash, Debug, Default)]
pub struct Gateways(Set<(Gateway, Memory)>);

impl Clone for Gateways {
    #[inline]
    fn clone(&self) -> Self {
        Gateways(self.0.clone())
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl Gateways {
    /// What this gateway remembers.
    #[inline]
    pub fn get(&self, gateway: Gateway) -> Memory {
        self.iter().find(|entry| entry.0 == gateway).map_or(Memory::Nothing, |entry| entry.1)
    }

    /// Replaces what this gateway remembers.
    #[inline]
    pub fn set(&mut self, gateway: Gateway, memory: Memory) {
        self.0.retain(|entry| entry.0 != gateway);
        if memory != Memory::Nothing {
            self.0.insert((gateway, memory));
        }
    }

    /// Keeps the memories that the test admits.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(Memory) -> bool) {
        self.0.retain(|entry| keep(entry.1));
    }

    /// Those that remember something.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, (Gateway, Memory)> {
        self.0.iter()
    }
}

/// The memory of the observer. No rule may read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ghost {
    /// The pages of every life before this one have been wiped.
    pub first_unwiped: Life,
    /// The pages of every incarnation before this one have been rolled back.
    pub first_kept: Incarnation,
    /// A reset was claimed, and the computer has not been wiped since.
    pub owes_a_wipe: bool,
    /// What the last step has broken that the state does not show.
    pub harms: crate::protocol::Broken,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            gateways: self.gateways.clone(),
            shown: self.shown.clone(),
            calls: self.calls.clone(),
            saves: self.saves.clone(),
            questions: self.questions.clone(),
            wipes: self.wipes.clone(),
            acts: self.acts.clone(),
            ..*self
        }
    }

    /// In place: a search mends a state after each step that it has tried, and the sets are mostly empty.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let State { store, process, gateways, shown, calls, saves, questions, wipes, acts, is_retrying, ghost } =
            source;
        (self.store, self.process) = (*store, *process);
        (self.is_retrying, self.ghost) = (*is_retrying, *ghost);
        self.gateways.clone_from(gateways);
        self.shown.clone_from(shown);
        self.calls.clone_from(calls);
        self.saves.clone_from(saves);
        self.questions.clone_from(questions);
        self.wipes.clone_from(wipes);
        self.acts.clone_from(acts);
    }
}

impl Default for State {
    /// A computer that was just created: incarnation 0 is nobody's, and its first process has not asked yet who it is.
    fn default() -> Self {
        State {
            store: Store {
                incarnation: Incarnation(0),
                is_resetting: false,
                since: Incarnation(0),
                page: None,
                deleted: Generation(0),
            },
            process: Process { life: Life(1), incarnation: None, generation: Generation(0), reply: None },
            gateways: Gateways::default(),
            shown: Set::default(),
            calls: Set::default(),
            saves: Set::default(),
            questions: Set::default(),
            wipes: Set::default(),
            acts: Set::default(),
            is_retrying: false,
            ghost: Ghost::default(),
        }
    }
}
