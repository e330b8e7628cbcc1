//! The packed form of a state, for the search only. It has room for the bounds below; what is beyond them panics.

use super::state::*;
use crate::packed::{Fields, Reader, Words, Writer};
use crate::set::{Item, Set};

/// Room for every profile: up to 7 owners, trashes, tokens and instances, and 7 of each kind of message.
pub(super) const WORDS: usize = 5;

/// For ids, turns and counts.
const ID: u32 = 3;
/// For phases, places, stages and worlds.
const WORD: u32 = 2;

const OWNER_PHASES: [OwnerPhase; 3] = [OwnerPhase::Active, OwnerPhase::Trashed, OwnerPhase::Purged];
const PHASES: [Phase; 3] = [Phase::Live, Phase::Killing, Phase::TornDown];
const PLACES: [Place; 3] = [Place::Outbox, Place::Quarantine, Place::DeadLetters];
const WORLDS: [World; 3] = [World::Atomic, World::CheckThenAct, World::SharedNames];

#[derive(Clone, Copy, Default)]
struct Pack(Fields);

impl Pack {
    fn with(self, value: u32, width: u32) -> Self {
        Pack(self.0.with(value, width))
    }

    fn id(self, id: u32) -> Self {
        self.with(id, ID)
    }

    fn word(self, word: u32) -> Self {
        self.with(word, WORD)
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

    fn tenure(self, tenure: Tenure) -> Self {
        self.id(tenure.owner.0).word(tenure.phase as u32).id(tenure.trashes.0)
    }

    fn record(self, record: Record) -> Self {
        let to = self.id(record.instance.0).word(record.phase as u32);
        let to = to.option(record.requested, |to, trash| to.id(trash.0));
        to.flag(record.is_overdue).word(record.attempts).id(record.turn.0)
    }

    fn pointer(self, pointer: Pointer) -> Self {
        self.id(pointer.instance.0).word(pointer.place as u32).word(pointer.attempts).id(pointer.turn.0)
    }

    fn made(self, made: Made) -> Self {
        let to = self.id(made.instance.0).option(made.token, |to, token| to.id(token.0));
        to.option(made.owner, |to, owner| to.id(owner.0)).flag(made.lives).flag(made.is_cut_off)
    }

    fn errand(self, errand: Errand) -> Self {
        let to = self.id(errand.instance.0);
        let to = match errand.found {
            Found::Licensed(Licence::Teardown(trash)) => to.id(0).id(trash.0),
            Found::Licensed(Licence::Deadline) => to.id(1),
            Found::Claimed => to.id(2),
            Found::Pointer(place) => to.id(3).word(place as u32),
        };
        match errand.stage {
            Stage::Listed => to.word(0),
            Stage::Sent { has_killed } => to.word(1).flag(has_killed),
            Stage::Heard(answer) => to.word(2).answer(answer),
        }
    }

    fn answer(self, answer: Answer) -> Self {
        match answer {
            Answer::Killed => self.id(0),
            Answer::Gone => self.id(1),
            Answer::Lives => self.id(2),
            Answer::Unreachable => self.id(3),
            Answer::Unlisted => self.id(4),
            Answer::Replaced(actual) => self.id(5).id(actual.0),
        }
    }
}

/// The small form of a state.
///
/// # Panics
/// If the state is beyond the room above.
pub(super) fn pack(state: &State) -> Words<WORDS> {
    let State { tenure, record, intents, newest_token, pointers, provider, creates, kills, workers, ghost } = state;
    let Provider { world, made, newest, revoked, deletes } = provider;
    let mut words = Words::default();
    let mut to = Writer::new(&mut words);
    let fixed = Pack::default().word(*world as u32).tenure(*tenure).option(*record, Pack::record);
    to.put(fixed.id(newest_token.0).id(newest.0).flag(ghost.is_requested).flag(ghost.had_record).0);
    to.put(ghost.watched.iter().fold(Pack::default(), |to, instance| to.id(instance.0)).0);
    let counts = [intents.len(), pointers.len(), made.len(), revoked.len()];
    let more = [deletes.len(), creates.len(), kills.len(), ghost.licensed.len()];
    to.put(counts.iter().chain(&more).fold(Pack::default(), |to, count| to.id(*count as u32)).0);
    intents.iter().for_each(|it| to.put(Pack::default().id(it.token.0).id(it.owner.0).0));
    pointers.iter().for_each(|it| to.put(Pack::default().pointer(*it).0));
    made.iter().for_each(|it| to.put(Pack::default().made(*it).0));
    let tokens = revoked.iter().chain(creates.iter()).map(|token| token.0);
    let instances = deletes.iter().chain(kills.iter()).chain(ghost.licensed.iter()).map(|instance| instance.0);
    tokens.chain(instances).for_each(|id| to.put(Pack::default().id(id).0));
    workers.iter().for_each(|it| to.put(Pack::default().option(*it, Pack::errand).0));
    to.finish();
    words
}

struct Unpack(Reader<WORDS>);

impl Unpack {
    fn id(&mut self) -> u32 {
        self.0.get(ID)
    }

    fn word(&mut self) -> u32 {
        self.0.get(WORD)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.word() as usize]
    }

    fn flag(&mut self) -> bool {
        self.0.get(1) == 1
    }

    fn option<T>(&mut self, mut get: impl FnMut(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| get(self))
    }

    fn tenure(&mut self) -> Tenure {
        Tenure { owner: Owner(self.id()), phase: self.of(&OWNER_PHASES), trashes: TrashCount(self.id()) }
    }

    fn record(&mut self) -> Record {
        Record {
            instance: Instance(self.id()),
            phase: self.of(&PHASES),
            requested: self.option(|from| TrashCount(from.id())),
            is_overdue: self.flag(),
            attempts: self.word(),
            turn: Turn(self.id()),
        }
    }

    fn intent(&mut self) -> Intent {
        Intent { token: Token(self.id()), owner: Owner(self.id()) }
    }

    fn pointer(&mut self) -> Pointer {
        Pointer { instance: Instance(self.id()), place: self.of(&PLACES), attempts: self.word(), turn: Turn(self.id()) }
    }

    fn made(&mut self) -> Made {
        Made {
            instance: Instance(self.id()),
            token: self.option(|from| Token(from.id())),
            owner: self.option(|from| Owner(from.id())),
            lives: self.flag(),
            is_cut_off: self.flag(),
        }
    }

    fn errand(&mut self) -> Errand {
        Errand { instance: Instance(self.id()), found: self.found(), stage: self.stage() }
    }

    fn found(&mut self) -> Found {
        match self.id() {
            0 => Found::Licensed(Licence::Teardown(TrashCount(self.id()))),
            1 => Found::Licensed(Licence::Deadline),
            2 => Found::Claimed,
            _ => Found::Pointer(self.of(&PLACES)),
        }
    }

    fn stage(&mut self) -> Stage {
        match self.word() {
            0 => Stage::Listed,
            1 => Stage::Sent { has_killed: self.flag() },
            _ => Stage::Heard(self.answer()),
        }
    }

    fn answer(&mut self) -> Answer {
        match self.id() {
            0 => Answer::Killed,
            1 => Answer::Gone,
            2 => Answer::Lives,
            3 => Answer::Unreachable,
            4 => Answer::Unlisted,
            _ => Answer::Replaced(Instance(self.id())),
        }
    }

    fn set<T: Item>(&mut self, count: u32, mut get: impl FnMut(&mut Self) -> T) -> Set<T> {
        let mut set = Set::default();
        (0..count).for_each(|_| set.push(get(self)));
        set
    }
}

/// Back from the small form.
pub(super) fn unpack(words: &Words<WORDS>) -> State {
    let mut from = Unpack(Reader::new(*words));
    let world = from.of(&WORLDS);
    let (tenure, record) = (from.tenure(), from.option(Unpack::record));
    let (newest_token, newest) = (Token(from.id()), Instance(from.id()));
    let (is_requested, had_record) = (from.flag(), from.flag());
    let watched = [(); 3].map(|()| Instance(from.id()));
    let [intents, pointers, made, revoked, deletes, creates, kills, licensed] = [(); 8].map(|()| from.id());
    let intents = from.set(intents, Unpack::intent);
    let pointers = from.set(pointers, Unpack::pointer);
    let made = from.set(made, Unpack::made);
    let revoked = from.set(revoked, |from| Token(from.id()));
    let creates = from.set(creates, |from| Token(from.id()));
    let deletes = from.set(deletes, |from| Instance(from.id()));
    let kills = from.set(kills, |from| Instance(from.id()));
    let licensed = from.set(licensed, |from| Instance(from.id()));
    let ghost = Ghost { licensed, is_requested, had_record, watched, ..Ghost::default() };
    let provider = Provider { world, made, newest, revoked, deletes };
    let workers = [(); WORKERS].map(|()| from.option(Unpack::errand));
    State { tenure, record, intents, newest_token, pointers, provider, creates, kills, workers, ghost }
}
