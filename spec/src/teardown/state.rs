//! One name at the provider: its owner and record, the pointers to what was there before, what the provider has, what
//! the workers have in mind, and what is under way between them.

use crate::protocol::Broken;
use crate::set::Set;

number! {
    /// One owner of the name. The next one is another, also if the same person comes back.
    Owner, "owner"
}
number! {
    /// Counts the trashes at this name. It dates a request without a clock.
    TrashCount, "trash"
}
number! {
    /// Names one creation at the provider, which creates at most one instance for it.
    Token, "token"
}
number! {
    /// One billable thing. The provider mints its id, and never uses it again. 0 is an id that nobody knows, which only
    /// rejected variants take for one.
    Instance, "instance"
}
number! {
    /// A place in the order in which pointers are due.
    Turn, "turn"
}
number! {
    /// One worker of the control plane, by its place, counted from 1.
    Worker, "worker"
}

/// What only rejected variants compare as if it were an id.
pub const UNKNOWN: Instance = Instance(0);

// ------------------------------------------------------------------------------------------------------- the store

/// How the owner is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OwnerPhase {
    /// It uses what it owns.
    #[default]
    Active,
    /// Hidden, and can be restored.
    Trashed,
    /// Gone for good.
    Purged,
}

/// Who owns the name now, or did last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tenure {
    /// Which owner.
    pub owner: Owner,
    /// How it is.
    pub phase: OwnerPhase,
    /// How often this name was trashed.
    pub trashes: TrashCount,
}

impl Default for Tenure {
    fn default() -> Self {
        Tenure { owner: Owner(1), phase: OwnerPhase::Active, trashes: TrashCount(0) }
    }
}

/// What the record says of its instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Phase {
    /// It is the owner's to use.
    #[default]
    Live,
    /// It was claimed for a kill. Nothing takes this back.
    Killing,
    /// It is no more. The rest of the record stays, so that the owner can be given another.
    TornDown,
}

/// What the owner has: all that a restore needs, and the instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Record {
    /// The instance, unless it is torn down.
    pub instance: Instance,
    /// How it is.
    pub phase: Phase,
    /// The trash for which a teardown was requested.
    pub requested: Option<TrashCount>,
    /// Whether its deadline has passed.
    pub is_overdue: bool,
    /// How often a kill has proven nothing.
    pub attempts: u32,
    /// When it is due.
    pub turn: Turn,
}

impl Record {
    /// Whether it names this instance, to be used or to be killed.
    #[inline]
    pub fn names(&self, instance: Instance) -> bool {
        self.phase != Phase::TornDown && self.instance == instance
    }
}

/// An intent to create, which is open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Intent {
    /// What is asked of the provider.
    pub token: Token,
    /// Whom it is for.
    pub owner: Owner,
}

/// Where a pointer stands that no record holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Place {
    /// Nobody may use the instance any more: it is licensed to be killed.
    #[default]
    Outbox,
    /// It was seen at our name, and nothing durable named it.
    Quarantine,
    /// It could not be killed, and a person has to look.
    DeadLetters,
}

/// A pointer that no record holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pointer {
    /// To what.
    pub instance: Instance,
    /// Where it stands.
    pub place: Place,
    /// How often a kill has proven nothing.
    pub attempts: u32,
    /// When it is due.
    pub turn: Turn,
}

// ---------------------------------------------------------------------------------------------------- the provider

/// What kind of provider it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum World {
    /// One instance at a time holds the name, and a kill compares and kills in one step.
    #[default]
    Atomic,
    /// One instance at a time holds the name; a kill reads who holds it, and then deletes whoever does.
    CheckThenAct,
    /// Any number of instances have the name, and a kill goes by the instance.
    SharedNames,
}

impl World {
    /// Whether one instance at a time holds the name.
    #[inline]
    pub fn is_exclusive(self) -> bool {
        self != World::SharedNames
    }
}

/// What the provider has made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Made {
    /// Its id.
    pub instance: Instance,
    /// The token that it was made for; none, if an outsider has made it.
    pub token: Option<Token>,
    /// Whom it was made for. Only properties may read it.
    pub owner: Option<Owner>,
    /// Whether it lives, and is billed.
    pub lives: bool,
    /// Whether nobody reaches the node that it is on.
    pub is_cut_off: bool,
}

/// What there is in truth.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Provider {
    /// What kind of provider it is.
    pub world: World,
    /// What it has made, as long as anything names it or it lives.
    pub made: Set<Made>,
    /// The newest id.
    pub newest: Instance,
    /// The tokens that it will never create for, as long as anything names them.
    pub revoked: Set<Token>,
    /// Deletes by name that have found the instance that they expect, and have yet to land.
    pub deletes: Set<Instance>,
}

impl Provider {
    /// What is known of this instance.
    #[inline]
    pub fn get(&self, instance: Instance) -> Option<&Made> {
        self.made.iter().find(|made| made.instance == instance)
    }

    /// Whether this instance lives. One that nobody knows lives if anything holds the name.
    #[inline]
    pub fn lives(&self, instance: Instance) -> bool {
        self.real(instance).is_some()
    }

    /// The living instance that this id stands for.
    #[inline]
    pub fn real(&self, instance: Instance) -> Option<Instance> {
        if instance == UNKNOWN {
            return self.holder();
        }
        self.get(instance).filter(|made| made.lives).map(|made| made.instance)
    }

    /// Who holds the name; the first of them, where it is shared.
    #[inline]
    pub fn holder(&self) -> Option<Instance> {
        self.made.iter().find(|made| made.lives).map(|made| made.instance)
    }

    /// What was made for this token.
    #[inline]
    pub fn made_for(&self, token: Token) -> Option<&Made> {
        self.made.iter().find(|made| made.token == Some(token))
    }

    /// Changes what is known of this instance.
    #[inline]
    pub fn change(&mut self, instance: Instance, change: impl Fn(&mut Made)) {
        let mut changed = Set::default();
        for made in self.made.iter() {
            let mut made = *made;
            if made.instance == instance {
                change(&mut made);
            }
            changed.insert(made);
        }
        self.made = changed;
    }
}

// ----------------------------------------------------------------------------------------------------- the workers

/// Where a worker has found what it works on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Found {
    /// In the record, live, with what seemed to license its kill.
    Licensed(Licence),
    /// In the record, claimed.
    Claimed,
    /// Beside it.
    Pointer(Place),
}

impl Default for Found {
    fn default() -> Self {
        Found::Pointer(Place::Outbox)
    }
}

/// What licenses the kill of an instance that its record holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Licence {
    /// A teardown was requested for this trash.
    Teardown(TrashCount),
    /// Its deadline has passed.
    Deadline,
}

/// What one worker does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Errand {
    /// The instance that it works on.
    pub instance: Instance,
    /// Where it was found.
    pub found: Found,
    /// How far it has come.
    pub stage: Stage,
}

/// How far an errand has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Stage {
    /// It was read.
    #[default]
    Listed,
    /// The provider was called. Whether the kill was the one that took the life, the provider can say.
    Sent {
        /// It was.
        has_killed: bool,
    },
    /// This is the answer.
    Heard(Answer),
}

/// What the provider says of an instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Answer {
    /// This call has ended it.
    Killed,
    /// There is no such instance any more.
    Gone,
    /// Another holds its name, so that this one is no more.
    Replaced(Instance),
    /// It lives.
    Lives,
    /// Nobody answers, or with an error.
    #[default]
    Unreachable,
    /// It is missing in a list.
    Unlisted,
}

impl Answer {
    /// Whether the authority has said that the instance is dead.
    #[inline]
    pub fn proves_death(self) -> bool {
        match self {
            Answer::Killed | Answer::Gone | Answer::Replaced(_) => true,
            Answer::Lives | Answer::Unreachable | Answer::Unlisted => false,
        }
    }
}

impl Worker {
    /// Its place in [`State::workers`].
    #[inline]
    pub(super) fn place(self) -> usize {
        (self.0 as usize).wrapping_sub(1)
    }
}

/// The most workers that a state has room for.
pub const WORKERS: usize = 2;

// ---------------------------------------------------------------------------------------------------------- state

/// One name, and all that ever was at it.
#[derive(PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// Who owns the name.
    pub tenure: Tenure,
    /// What the owner has.
    pub record: Option<Record>,
    /// The intents to create that are open.
    pub intents: Set<Intent>,
    /// The newest token.
    pub newest_token: Token,
    /// The pointers that no record holds.
    pub pointers: Set<Pointer>,
    /// What there is in truth.
    pub provider: Provider,
    /// Calls to create that could still be obeyed.
    pub creates: Set<Token>,
    /// Calls to kill that could still be obeyed, by the instance that each expects.
    pub kills: Set<Instance>,
    /// What each worker does.
    pub workers: [Option<Errand>; WORKERS],
    /// What only properties may read.
    pub ghost: Ghost,
}

/// The memory of the observer. No rule may read it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ghost {
    /// Living instances of which a kill was truly licensed.
    pub licensed: Set<Instance>,
    /// A teardown was requested since the last trash, and nobody has restored.
    pub is_requested: bool,
    /// There was a record when the owner was trashed, and nobody has deleted it since.
    pub had_record: bool,
    /// A pointer that waits to be settled, one that waits for its first attempt, one whose instance is dead.
    pub watched: [Instance; 3],
    /// What the last step has broken that the state does not show.
    pub harms: Broken,
}

impl State {
    /// What this worker does.
    #[inline]
    pub fn errand(&self, worker: Worker) -> Option<Errand> {
        self.workers.get(worker.place()).copied().flatten()
    }

    /// Every pointer to an instance by its id, in the record and beside it.
    pub fn pointed(&self) -> impl Iterator<Item = Instance> + '_ {
        let recorded = self.record.iter().filter(|record| record.phase != Phase::TornDown).map(|it| it.instance);
        recorded.chain(self.pointers.iter().map(|pointer| pointer.instance))
    }

    /// How many durable rows name this instance: by its id, or, while its intent is open, by its token.
    pub fn names(&self, instance: Instance) -> usize {
        let token = self.provider.get(instance).and_then(|made| made.token);
        let by_token = self.intents.iter().filter(|intent| Some(intent.token) == token).count();
        // A row of an unknown instance is about whoever holds the name.
        let is_unknown = |id: Instance| id == UNKNOWN && self.provider.holder() == Some(instance);
        self.pointed().filter(|id| *id == instance || is_unknown(*id)).count() + by_token
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut state = State::default();
        state.clone_from(self);
        state
    }

    /// In place: a search mends a state after each step that it has tried.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let State { tenure, record, intents, newest_token, pointers, provider, creates, kills, workers, ghost } =
            source;
        (self.tenure, self.record, self.newest_token, self.workers) = (*tenure, *record, *newest_token, *workers);
        self.intents.clone_from(intents);
        self.pointers.clone_from(pointers);
        (self.provider.world, self.provider.newest) = (provider.world, provider.newest);
        self.provider.made.clone_from(&provider.made);
        self.provider.revoked.clone_from(&provider.revoked);
        self.provider.deletes.clone_from(&provider.deletes);
        self.creates.clone_from(creates);
        self.kills.clone_from(kills);
        self.ghost.licensed.clone_from(&ghost.licensed);
        (self.ghost.is_requested, self.ghost.had_record) = (ghost.is_requested, ghost.had_record);
        (self.ghost.watched, self.ghost.harms) = (ghost.watched, ghost.harms);
    }
}
