//! One computer: its row, its instance at the provider, what the gateways remember, and what is under way between them.

use smallvec::SmallVec;

use crate::protocol::Broken;
use crate::set::Set;

number! {
    /// One start of the computer at the provider. Minted by the store in the write that begins the start, in order.
    Launch, "launch"
}
number! {
    /// Counts the writes of the row.
    Revision, "revision"
}
number! {
    /// A place in the provider's own order of what it reports.
    Mark, "mark"
}
number! {
    /// One life of a control-plane process. One that dies comes back as another.
    Gateway, "gateway"
}

// --------------------------------------------------------------------------------------------------- what is done

/// What the store says of the computer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Phase {
    /// Nothing runs, and nothing should.
    #[default]
    Stopped,
    /// A start is under way.
    Starting,
    /// It runs, and was admitted.
    Ready,
    /// It was to run, and does not.
    Error,
    /// A stop is under way.
    Stopping,
    /// A deletion is under way.
    Deleting,
    /// It was deleted. Nothing leaves this phase.
    Gone,
}

impl Phase {
    /// The operation that is under way in this phase.
    #[inline]
    pub fn under_way(self) -> Option<Kind> {
        match self {
            Phase::Starting => Some(Kind::Start),
            Phase::Stopping => Some(Kind::Stop),
            Phase::Deleting => Some(Kind::Delete),
            Phase::Stopped | Phase::Ready | Phase::Error | Phase::Gone => None,
        }
    }
}

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Kind {
    /// Brings up an instance of a new launch.
    #[default]
    Start,
    /// Ends the instance, and every launch up to the row's.
    Stop,
    /// The same, and removes the instance.
    Delete,
}

impl Kind {
    /// The phase while it is under way.
    #[inline]
    pub fn phase(self) -> Phase {
        match self {
            Kind::Start => Phase::Starting,
            Kind::Stop => Phase::Stopping,
            Kind::Delete => Phase::Deleting,
        }
    }
}

/// How an operation has ended, as its owner hears it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Outcome {
    /// What was asked for is so.
    #[default]
    Done,
    /// It is not so, or nobody knows.
    Failed,
}

/// How an instance is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Condition {
    /// It runs, and was not admitted yet.
    #[default]
    Booting,
    /// It runs, and was admitted.
    Up,
    /// It does not run.
    Exited,
}

// ------------------------------------------------------------------------------------------------------- messages

/// From a gateway to the provider.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Call {
    /// What is to be done.
    pub kind: Kind,
    /// For a start the launch that is to come up; otherwise the last one that is to end.
    pub launch: Launch,
}

/// What the provider says of one launch: an answer to a read, or a report that it sends by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Observation {
    /// The launch of the instance that is there; or, if none is, the one that was asked for.
    pub launch: Launch,
    /// How it is; nothing, if it is not there.
    pub seen: Option<Condition>,
    /// Its place in the provider's order. A read has the place of the last report before it.
    pub mark: Mark,
}

// ---------------------------------------------------------------------------------------------------------- state

/// One computer: its row, its instance at the provider, what the gateways remember, and what is under way between them.
#[derive(PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// What the store has of the computer.
    pub row: Row,
    /// What there is in truth.
    pub provider: Provider,
    /// The gateways that live.
    pub gateways: Gateways,
    /// Every call that could still change something at the provider.
    pub calls: Set<Call>,
    /// Every report that a gateway could still act on.
    pub reports: Set<Observation>,
    /// What only properties may read.
    pub ghost: Ghost,
}

/// The durable record of one computer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Row {
    /// Written with every other field of the row.
    pub revision: Revision,
    /// What is said of the computer.
    pub phase: Phase,
    /// The newest launch. Minted by the write that begins a start.
    pub launch: Launch,
    /// Who has claimed the operation that is under way: with phase and launch, all that whoever settles must show.
    pub owner: Option<Gateway>,
    /// How far in the provider's order the row has come. Never goes back.
    pub mark: Mark,
}

/// What there is at the provider.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Provider {
    /// The one instance that the computer's name stands for.
    pub instance: Option<Instance>,
    /// The lowest launch that a start may still bring up.
    pub fence: Launch,
    /// The place of the last report.
    pub mark: Mark,
}

impl Default for Provider {
    fn default() -> Self {
        Provider { instance: None, fence: Launch(1), mark: Mark(0) }
    }
}

/// One instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Instance {
    /// The launch that it was brought up as.
    pub launch: Launch,
    /// How it is.
    pub condition: Condition,
    /// Whether the provider starts it again by itself when it has exited.
    pub is_armed: bool,
}

impl Instance {
    /// Whether it runs, admitted or not.
    #[inline]
    pub fn runs(&self) -> bool {
        self.condition != Condition::Exited
    }
}

/// What one living gateway remembers of this computer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Memory {
    /// Whose memory it is.
    pub gateway: Gateway,
    /// The operation that it drives.
    pub operation: Option<Operation>,
    /// Its sweep's look at the computer.
    pub look: Option<Look>,
    /// How far in the provider's order it has come. Only rejected variants keep it here.
    pub heard: Option<Mark>,
}

/// An operation as its driver knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Operation {
    /// What is done.
    pub kind: Kind,
    /// The launch that it is about.
    pub launch: Launch,
    /// How far it has come.
    pub stage: Stage,
}

impl Operation {
    /// What its driver asks of the provider.
    #[inline]
    pub fn call(self) -> Call {
        Call { kind: self.kind, launch: self.launch }
    }
}

/// How far an operation has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Stage {
    /// It is in the row, and nothing was sent.
    #[default]
    Begun,
    /// The provider was called.
    Sent,
    /// The outcome is known, and how far the provider had come in its order.
    Heard(Outcome, Mark),
}

/// A sweep's look: the row is read first, the provider second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Look {
    /// The revision that was read.
    pub revision: Revision,
    /// The launch that was read, and that the provider is asked for.
    pub launch: Launch,
    /// What the provider answered.
    pub seen: Option<Observation>,
    /// Some operation was under way at a moment since the row was read. Only properties may read it.
    pub overlaps: bool,
}

/// The memory of the observer. No rule may read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Ghost {
    /// The row's launch was admitted at some time.
    pub was_admitted: bool,
    /// How far in the provider's order whatever counted has come, also what has said nothing new.
    pub come_to: Mark,
    /// What the last step has broken that the state does not show.
    pub harms: Broken,
}

/// The gateways that live, in order.
#[derive(PartialEq, Eq, Hash, Debug, Default)]
pub struct Gateways(SmallVec<[Memory; 2]>);

impl Gateways {
    /// These, in order and with nothing in mind.
    pub fn of(gateways: impl Iterator<Item = Gateway>) -> Self {
        Gateways(gateways.map(|gateway| Memory { gateway, ..Memory::default() }).collect())
    }

    /// With these memories, which are put in order.
    pub fn with(memories: impl Iterator<Item = Memory>) -> Self {
        let mut memories: SmallVec<[Memory; 2]> = memories.collect();
        memories.sort_unstable();
        Gateways(memories)
    }

    /// What this gateway remembers, if it lives.
    #[inline]
    pub fn get(&self, gateway: Gateway) -> Option<&Memory> {
        self.0.iter().find(|memory| memory.gateway == gateway)
    }

    /// The same, to be changed.
    #[inline]
    pub fn get_mut(&mut self, gateway: Gateway) -> Option<&mut Memory> {
        self.0.iter_mut().find(|memory| memory.gateway == gateway)
    }

    /// The one at this place.
    #[inline]
    pub fn at(&self, place: usize) -> &Memory {
        &self.0[place]
    }

    /// The same, to be changed.
    #[inline]
    pub fn at_mut(&mut self, place: usize) -> &mut Memory {
        &mut self.0[place]
    }

    /// This one lives too, with nothing in mind.
    pub fn add(&mut self, gateway: Gateway) {
        self.0.push(Memory { gateway, ..Memory::default() });
        self.0.sort_unstable();
    }

    /// This one dies, and is back as that one, with nothing in mind.
    pub fn replace(&mut self, dead: Gateway, next: Gateway) {
        self.0.retain(|memory| memory.gateway != dead);
        self.add(next);
    }

    /// Each with what it remembers.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, Memory> {
        self.0.iter()
    }

    /// The same, to be changed.
    #[inline]
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Memory> {
        self.0.iter_mut()
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

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

impl Clone for State {
    fn clone(&self) -> Self {
        State { gateways: self.gateways.clone(), calls: self.calls.clone(), reports: self.reports.clone(), ..*self }
    }

    /// In place: a search mends a state after each step that it has tried.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let State { row, provider, gateways, calls, reports, ghost } = source;
        (self.row, self.provider, self.ghost) = (*row, *provider, *ghost);
        self.gateways.clone_from(gateways);
        self.calls.clone_from(calls);
        self.reports.clone_from(reports);
    }
}
