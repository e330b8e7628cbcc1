//! The packed form of a state, for the search only. It has room for the bounds below; what is beyond them panics.

use super::state::*;
use crate::packed::{Fields, Reader, Words, Writer};
use crate::set::{Item, Set};

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

#[derive(Clone, Copy, Default)]
struct Pack(Fields);

impl Pack {
    fn with(self, value: u32, width: u32) -> Self {
        Pack(self.0.with(value, width))
    }

    fn life(self, life: Life) -> Self {
        self.with(life.0, LIFE)
    }

    /// Incarnations count from one in a search, so that zero stands for none.
    fn incarnation(self, incarnation: Incarnation) -> Self {
        assert!(incarnation.0 < PENDING, "the bounds outgrew the packed form");
        self.with(incarnation.0, INCARNATION)
    }

    fn generation(self, generation: Generation) -> Self {
        self.with(generation.0, GENERATION)
    }

    fn flag(self, flag: bool) -> Self {
        self.with(u32::from(flag), 1)
    }

    fn stamp(self, stamp: Stamp) -> Self {
        match stamp {
            Stamp::Unknown => self.with(UNKNOWN, INCARNATION),
            Stamp::Pending => self.with(PENDING, INCARNATION),
            Stamp::Is(incarnation) => self.incarnation(incarnation),
        }
    }

    fn cited(self, cited: Cited) -> Self {
        self.stamp(cited.stamp).generation(cited.generation)
    }

    /// A page keeps its generation through every stamp, so only the citation carries it.
    fn page(self, page: Page) -> Self {
        self.life(page.life).incarnation(page.incarnation)
    }

    fn save(self, save: Save) -> Self {
        debug_assert_eq!(save.cited.generation, save.page.generation);
        self.cited(save.cited).page(save.page)
    }

    fn question(self, question: Question) -> Self {
        self.life(question.life).incarnation(question.expected)
    }

    fn wipe(self, wipe: WipeCall) -> Self {
        self.option(wipe.by, |to, by| to.with(by.0, GATEWAY)).incarnation(wipe.incarnation)
    }

    /// What a reference resolved against is another page than the cited one where no guard compares the two.
    fn act(self, act: Act) -> Self {
        self.cited(act.cited).option(act.resolved, |to, page| to.page(page).generation(page.generation))
    }

    fn memory(self, memory: Memory) -> Self {
        match memory {
            Memory::Nothing => self.with(0, 2),
            Memory::Claimed => self.with(1, 2),
            Memory::Wiped(incarnation) => self.with(2, 2).incarnation(incarnation),
        }
    }

    fn option<T>(self, value: Option<T>, put: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => put(self.flag(true), value),
            None => self.flag(false),
        }
    }

    fn count<T: Item>(self, set: &Set<T>) -> Self {
        self.with(set.len() as u32, COUNT)
    }
}

fn put_each<T: Item>(to: &mut Writer<'_, WORDS>, set: &Set<T>, put: impl Fn(Pack, T) -> Pack) {
    set.iter().for_each(|&item| to.put(put(Pack::default(), item).0));
}

/// The small form of a state.
///
/// # Panics
/// If the state is beyond the room above.
pub(super) fn pack(state: &State) -> Words<WORDS> {
    let State { store, process, gateways, shown, calls, saves, questions, wipes, acts, is_retrying, ghost } = state;
    let mut words = Words::default();
    let mut to = Writer::new(&mut words);
    // All that is always there, in the first word.
    let fixed = Pack::default()
        .incarnation(store.incarnation)
        .flag(store.is_resetting)
        .incarnation(store.since)
        .generation(store.deleted)
        .life(process.life)
        .option(process.incarnation, Pack::incarnation)
        .generation(process.generation)
        .option(process.reply, Pack::incarnation)
        .flag(*is_retrying)
        .life(ghost.first_unwiped)
        .incarnation(ghost.first_kept)
        .flag(ghost.owes_a_wipe);
    let counts = fixed.count(shown).count(calls).count(saves).count(questions).count(wipes).count(acts);
    to.put(counts.0);
    let mut memories = [Memory::Nothing; GATEWAYS as usize];
    gateways.iter().for_each(|(gateway, memory)| memories[gateway.0 as usize] = *memory);
    to.put(memories.into_iter().fold(Pack::default(), Pack::memory).option(store.page, Pack::save).0);
    put_each(&mut to, shown, Pack::save);
    put_each(&mut to, calls, |to, call| to.stamp(call.stamp));
    put_each(&mut to, saves, Pack::save);
    put_each(&mut to, questions, Pack::question);
    put_each(&mut to, wipes, Pack::wipe);
    put_each(&mut to, acts, Pack::act);
    to.finish();
    words
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

    /// All but its generation.
    fn page(&mut self) -> Page {
        Page { life: self.life(), incarnation: self.incarnation(), generation: Generation::default() }
    }

    fn save(&mut self) -> Save {
        let cited = self.cited();
        Save { cited, page: Page { generation: cited.generation, ..self.page() } }
    }

    fn option<T>(&mut self, mut get: impl FnMut(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| get(self))
    }

    fn question(&mut self) -> Question {
        Question { life: self.life(), expected: self.incarnation() }
    }

    fn wipe(&mut self) -> WipeCall {
        WipeCall { by: self.option(|from| Gateway(from.0.get(GATEWAY))), incarnation: self.incarnation() }
    }

    fn act(&mut self) -> Act {
        let cited = self.cited();
        let resolved = self.option(|from| {
            let page = from.page();
            Page { generation: from.generation(), ..page }
        });
        Act { cited, resolved }
    }

    fn memory(&mut self) -> Memory {
        match self.0.get(2) {
            0 => Memory::Nothing,
            1 => Memory::Claimed,
            _ => Memory::Wiped(self.incarnation()),
        }
    }

    fn fill<T: Item>(&mut self, set: &mut Set<T>, count: u32, mut get: impl FnMut(&mut Self) -> T) {
        for _ in 0..count {
            set.push(get(self));
        }
    }
}

/// Back from the small form. Each field is put where it belongs at once: sets are large to move.
pub(super) fn unpack(words: &Words<WORDS>) -> State {
    let mut from = Unpack(Reader::new(*words));
    let mut state = State::default();
    let State { store, process, gateways, shown, calls, saves, questions, wipes, acts, is_retrying, ghost } =
        &mut state;
    store.incarnation = from.incarnation();
    store.is_resetting = from.flag();
    store.since = from.incarnation();
    store.deleted = from.generation();
    process.life = from.life();
    process.incarnation = from.option(Unpack::incarnation);
    process.generation = from.generation();
    process.reply = from.option(Unpack::incarnation);
    *is_retrying = from.flag();
    ghost.first_unwiped = from.life();
    ghost.first_kept = from.incarnation();
    ghost.owes_a_wipe = from.flag();
    let counts: [u32; 6] = std::array::from_fn(|_| from.0.get(COUNT));
    for gateway in (0..GATEWAYS).map(Gateway) {
        let memory = from.memory();
        if memory != Memory::Nothing {
            gateways.set(gateway, memory);
        }
    }
    store.page = from.option(Unpack::save);
    from.fill(shown, counts[0], Unpack::save);
    from.fill(calls, counts[1], |from| Call { stamp: from.stamp() });
    from.fill(saves, counts[2], Unpack::save);
    from.fill(questions, counts[3], Unpack::question);
    from.fill(wipes, counts[4], Unpack::wipe);
    from.fill(acts, counts[5], Unpack::act);
    state
}
