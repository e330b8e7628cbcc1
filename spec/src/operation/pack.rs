//! The packed form of a state, for the search only. It has room for the bounds below; what is beyond them panics.

use super::state::*;
use crate::packed::{Fields, Reader, Words, Writer};
use crate::set::{Item, Set};

/// Room for every profile: up to 7 launches, 15 revisions, 7 marks, 7 gateways of which 3 live at once.
pub(super) const WORDS: usize = 4;

const LAUNCH: u32 = 3;
const REVISION: u32 = 4;
const MARK: u32 = 3;
const GATEWAY: u32 = 3;
const PHASE: u32 = 3;
const COUNT: u32 = 3;
/// For kinds, conditions and stages.
const WORD: u32 = 2;

const PHASES: [Phase; 7] =
    [Phase::Stopped, Phase::Starting, Phase::Ready, Phase::Error, Phase::Stopping, Phase::Deleting, Phase::Gone];
const KINDS: [Kind; 3] = [Kind::Start, Kind::Stop, Kind::Delete];
const CONDITIONS: [Condition; 3] = [Condition::Booting, Condition::Up, Condition::Exited];
const OUTCOMES: [Outcome; 2] = [Outcome::Done, Outcome::Failed];

#[derive(Clone, Copy, Default)]
struct Pack(Fields);

impl Pack {
    fn with(self, value: u32, width: u32) -> Self {
        Pack(self.0.with(value, width))
    }

    fn flag(self, flag: bool) -> Self {
        self.with(u32::from(flag), 1)
    }

    fn option<T>(self, value: Option<T>, put: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => put(self.flag(true), value),
            None => self.flag(false),
        }
    }

    fn launch(self, launch: Launch) -> Self {
        self.with(launch.0, LAUNCH)
    }

    fn mark(self, mark: Mark) -> Self {
        self.with(mark.0, MARK)
    }

    fn gateway(self, gateway: Gateway) -> Self {
        self.with(gateway.0, GATEWAY)
    }

    fn condition(self, condition: Condition) -> Self {
        self.with(condition as u32, WORD)
    }

    fn instance(self, instance: Instance) -> Self {
        self.launch(instance.launch).condition(instance.condition).flag(instance.is_armed)
    }

    fn call(self, call: Call) -> Self {
        self.with(call.kind as u32, WORD).launch(call.launch)
    }

    fn observation(self, seen: Observation) -> Self {
        self.launch(seen.launch).option(seen.seen, Pack::condition).mark(seen.mark)
    }

    fn operation(self, operation: Operation) -> Self {
        let to = self.with(operation.kind as u32, WORD).launch(operation.launch);
        match operation.stage {
            Stage::Begun => to.with(0, WORD),
            Stage::Sent => to.with(1, WORD),
            Stage::Heard(outcome, mark) => to.with(2, WORD).with(outcome as u32, 1).mark(mark),
        }
    }

    fn look(self, look: Look) -> Self {
        let to = self.with(look.revision.0, REVISION).launch(look.launch).flag(look.overlaps);
        to.option(look.seen, Pack::observation)
    }

    fn memory(self, memory: Memory) -> Self {
        let to = self.gateway(memory.gateway).option(memory.operation, Pack::operation);
        to.option(memory.look, Pack::look).option(memory.heard, Pack::mark)
    }

    fn count<T: Item>(self, set: &Set<T>) -> Self {
        self.with(set.len() as u32, COUNT)
    }
}

/// The small form of a state.
///
/// # Panics
/// If the state is beyond the room above.
pub(super) fn pack(state: &State) -> Words<WORDS> {
    let State { row, provider, gateways, calls, reports, ghost } = state;
    let mut words = Words::default();
    let mut to = Writer::new(&mut words);
    let fixed = Pack::default()
        .with(row.revision.0, REVISION)
        .with(row.phase as u32, PHASE)
        .launch(row.launch)
        .option(row.owner, Pack::gateway)
        .mark(row.mark)
        .option(provider.instance, Pack::instance)
        .launch(provider.fence)
        .mark(provider.mark)
        .flag(ghost.was_admitted)
        .mark(ghost.come_to);
    to.put(fixed.with(gateways.len() as u32, COUNT).count(calls).count(reports).0);
    gateways.iter().for_each(|memory| to.put(Pack::default().memory(*memory).0));
    calls.iter().for_each(|call| to.put(Pack::default().call(*call).0));
    reports.iter().for_each(|report| to.put(Pack::default().observation(*report).0));
    to.finish();
    words
}

struct Unpack(Reader<WORDS>);

impl Unpack {
    fn flag(&mut self) -> bool {
        self.0.get(1) == 1
    }

    fn option<T>(&mut self, mut get: impl FnMut(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| get(self))
    }

    fn of<T: Copy>(&mut self, all: &[T], width: u32) -> T {
        all[self.0.get(width) as usize]
    }

    fn launch(&mut self) -> Launch {
        Launch(self.0.get(LAUNCH))
    }

    fn revision(&mut self) -> Revision {
        Revision(self.0.get(REVISION))
    }

    fn mark(&mut self) -> Mark {
        Mark(self.0.get(MARK))
    }

    fn gateway(&mut self) -> Gateway {
        Gateway(self.0.get(GATEWAY))
    }

    fn condition(&mut self) -> Condition {
        self.of(&CONDITIONS, WORD)
    }

    fn instance(&mut self) -> Instance {
        Instance { launch: self.launch(), condition: self.condition(), is_armed: self.flag() }
    }

    fn call(&mut self) -> Call {
        Call { kind: self.of(&KINDS, WORD), launch: self.launch() }
    }

    fn observation(&mut self) -> Observation {
        Observation { launch: self.launch(), seen: self.option(Unpack::condition), mark: self.mark() }
    }

    fn operation(&mut self) -> Operation {
        Operation { kind: self.of(&KINDS, WORD), launch: self.launch(), stage: self.stage() }
    }

    fn stage(&mut self) -> Stage {
        match self.0.get(WORD) {
            0 => Stage::Begun,
            1 => Stage::Sent,
            _ => Stage::Heard(self.of(&OUTCOMES, 1), self.mark()),
        }
    }

    fn look(&mut self) -> Look {
        let (revision, launch, overlaps) = (self.revision(), self.launch(), self.flag());
        Look { revision, launch, overlaps, seen: self.option(Unpack::observation) }
    }

    fn memory(&mut self) -> Memory {
        Memory {
            gateway: self.gateway(),
            operation: self.option(Unpack::operation),
            look: self.option(Unpack::look),
            heard: self.option(Unpack::mark),
        }
    }

    fn set<T: Item>(&mut self, count: u32, mut get: impl FnMut(&mut Self) -> T) -> Set<T> {
        let mut set = Set::default();
        for _ in 0..count {
            set.insert(get(self));
        }
        set
    }
}

/// Back from the small form.
pub(super) fn unpack(words: &Words<WORDS>) -> State {
    let mut from = Unpack(Reader::new(*words));
    let row = Row {
        revision: from.revision(),
        phase: from.of(&PHASES, PHASE),
        launch: from.launch(),
        owner: from.option(Unpack::gateway),
        mark: from.mark(),
    };
    let provider = Provider { instance: from.option(Unpack::instance), fence: from.launch(), mark: from.mark() };
    let ghost = Ghost { was_admitted: from.flag(), come_to: from.mark(), ..Ghost::default() };
    let [gateways, calls, reports] = std::array::from_fn(|_| from.0.get(COUNT));
    State {
        row,
        provider,
        gateways: Gateways::with((0..gateways).map(|_| from.memory())),
        calls: from.set(calls, Unpack::call),
        reports: from.set(reports, Unpack::observation),
        ghost,
    }
}
