//! The packed form of a state, for the search only. It has room for the bounds below; what is beyond them panics.

use super::state::*;
use crate::packed::{Reader, Words, Writer};

/// Room for every profile: up to 7 lives, 13 incarnations, 7 generations, 3 gateways.
pub(super) const WORDS: usize = 5;

const LIFE: u32 = 3;
const INCARNATION: u32 = 4;
const GENERATION: u32 = 3;
const GATEWAY: u32 = 2;
const GATEWAYS: u32 = 3;
const COUNT: u32 = 4;

/// Of the 16 values of an incarnation's field the last two stand for the stamps that are none.
const UNKNOWN: u32 = 15;
const PENDING: u32 = 14;

struct Pack(Writer<WORDS>);

impl Pack {
    fn life(&mut self, life: Life) {
        self.0.put(life.0, LIFE);
    }

    /// Incarnations count from one in a search, so that zero stands for none.
    fn incarnation(&mut self, incarnation: Incarnation) {
        assert!(incarnation.0 < PENDING, "the bounds outgrew the packed form");
        self.0.put(incarnation.0, INCARNATION);
    }

    fn generation(&mut self, generation: Generation) {
        self.0.put(generation.0, GENERATION);
    }

    fn flag(&mut self, flag: bool) {
        self.0.put(u32::from(flag), 1);
    }

    fn stamp(&mut self, stamp: Stamp) {
        match stamp {
            Stamp::Unknown => self.0.put(UNKNOWN, INCARNATION),
            Stamp::Pending => self.0.put(PENDING, INCARNATION),
            Stamp::Is(incarnation) => self.incarnation(incarnation),
        }
    }

    fn cited(&mut self, cited: Cited) {
        self.stamp(cited.stamp);
        self.generation(cited.generation);
    }

    fn page(&mut self, page: Page) {
        self.life(page.life);
        self.incarnation(page.incarnation);
        // A page keeps its generation through every stamp, so only the citation carries it.
    }

    fn save(&mut self, save: &Save) {
        debug_assert_eq!(save.cited.generation, save.page.generation);
        self.cited(save.cited);
        self.page(save.page);
    }

    fn option<T: Copy>(&mut self, value: Option<T>, mut put: impl FnMut(&mut Self, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            put(self, value);
        }
    }

    fn count(&mut self, count: usize) {
        self.0.put(count as u32, COUNT);
    }
}

/// The small form of a state.
///
/// # Panics
/// If the state is beyond the room above.
pub(super) fn pack(state: &State) -> Words<WORDS> {
    let mut to = Pack(Writer::default());
    let State { store, process, gateways, shown, calls, saves, questions, wipes, acts, is_retrying, ghost } = state;
    to.incarnation(store.incarnation);
    to.flag(store.is_resetting);
    to.incarnation(store.since);
    to.option(store.page, |to, stored| to.save(&stored));
    to.count(shown.len());
    shown.iter().for_each(|page| to.save(page));
    to.generation(store.deleted);
    to.life(process.life);
    to.option(process.incarnation, Pack::incarnation);
    to.generation(process.generation);
    to.option(process.reply, Pack::incarnation);
    to.flag(*is_retrying);
    to.life(ghost.first_unwiped);
    to.incarnation(ghost.first_kept);
    to.flag(ghost.owes_a_wipe);
    for gateway in (0..GATEWAYS).map(Gateway) {
        match gateways.get(gateway) {
            Memory::Nothing => to.0.put(0, 2),
            Memory::Claimed => to.0.put(1, 2),
            Memory::Wiped(incarnation) => {
                to.0.put(2, 2);
                to.incarnation(incarnation);
            }
        }
    }
    to.count(calls.len());
    calls.iter().for_each(|call| to.stamp(call.stamp));
    to.count(saves.len());
    saves.iter().for_each(|save| to.save(save));
    to.count(questions.len());
    for question in questions.iter() {
        to.life(question.life);
        to.incarnation(question.expected);
    }
    to.count(wipes.len());
    for wipe in wipes.iter() {
        to.option(wipe.by, |to, by| to.0.put(by.0, GATEWAY));
        to.incarnation(wipe.incarnation);
    }
    to.count(acts.len());
    for act in acts.iter() {
        to.cited(act.cited);
        to.option(act.resolved, Pack::page);
    }
    to.0.finish()
}

struct Unpack(Reader<WORDS>);

impl Unpack {
    fn life(&mut self) -> Life {
        Life(self.0.get(LIFE))
    }

    fn incarnation(&mut self) -> Incarnation {
        Incarnation(self.0.get(INCARNATION))
    }

    fn generation(&mut self) -> Generation {
        Generation(self.0.get(GENERATION))
    }

    fn flag(&mut self) -> bool {
        self.0.get(1) == 1
    }

    fn stamp(&mut self) -> Stamp {
        match self.0.get(INCARNATION) {
            UNKNOWN => Stamp::Unknown,
            PENDING => Stamp::Pending,
            incarnation => Stamp::Is(Incarnation(incarnation)),
        }
    }

    fn cited(&mut self) -> Cited {
        Cited { stamp: self.stamp(), generation: self.generation() }
    }

    fn page(&mut self, cited: Cited) -> Page {
        Page { life: self.life(), incarnation: self.incarnation(), generation: cited.generation }
    }

    fn save(&mut self) -> Save {
        let cited = self.cited();
        Save { cited, page: self.page(cited) }
    }

    fn option<T>(&mut self, mut get: impl FnMut(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| get(self))
    }

    fn set<T: Copy + Ord>(&mut self, mut get: impl FnMut(&mut Self) -> T) -> crate::set::Set<T> {
        let mut set = crate::set::Set::default();
        for _ in 0..self.0.get(COUNT) {
            set.insert(get(self));
        }
        set
    }
}

/// Back from the small form.
pub(super) fn unpack(words: &Words<WORDS>) -> State {
    let mut from = Unpack(Reader::new(*words));
    let store = Store {
        incarnation: from.incarnation(),
        is_resetting: from.flag(),
        since: from.incarnation(),
        page: from.option(Unpack::save),
        deleted: Generation(0),
    };
    let shown = from.set(Unpack::save);
    let store = Store { deleted: from.generation(), ..store };
    let process = Process {
        life: from.life(),
        incarnation: from.option(Unpack::incarnation),
        generation: from.generation(),
        reply: from.option(Unpack::incarnation),
    };
    let is_retrying = from.flag();
    let ghost = Ghost {
        first_unwiped: from.life(),
        first_kept: from.incarnation(),
        owes_a_wipe: from.flag(),
        ..Ghost::default()
    };
    let mut gateways = Gateways::default();
    for gateway in (0..GATEWAYS).map(Gateway) {
        let memory = match from.0.get(2) {
            0 => Memory::Nothing,
            1 => Memory::Claimed,
            _ => Memory::Wiped(from.incarnation()),
        };
        gateways.set(gateway, memory);
    }
    State {
        store,
        process,
        gateways,
        shown,
        calls: from.set(|from| Call { stamp: from.stamp() }),
        saves: from.set(Unpack::save),
        questions: from.set(|from| Question { life: from.life(), expected: from.incarnation() }),
        wipes: from.set(|from| WipeCall {
            by: from.option(|from| Gateway(from.0.get(GATEWAY))),
            incarnation: from.incarnation(),
        }),
        acts: from.set(|from| {
            let cited = from.cited();
            Act { cited, resolved: from.option(|from| from.page(cited)) }
        }),
        is_retrying,
        ghost,
    }
}
