//! The other design of decision 0001: the computer mints its incarnations, in order, from a counter that survives it;
//! the store keeps a fence of its own, which each reset moves. A save must show the current fence, and its page must be
//! above the stored one by (incarnation, generation). Nothing registers.
//!
//! It is here, and not in the specification, because it lost: it holds only as long as the counter of lives outlives
//! the computer, which [`Design::counter_survives`] can switch off.

use std::fmt;

use outlive_spec::guard::{Guard, Value};
use outlive_spec::protocol::{Broken, Cut, Lane, Property, Protocol};
use outlive_spec::requirement::Requirement;

pub(crate) const LIVES: u8 = 3;
pub(crate) const GENERATIONS: u8 = 2;

/// The design, with the assumption that it stands on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Design {
    pub(crate) counter_survives: bool,
}

/// A page, as the store sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Save {
    pub(crate) incarnation: u8,
    pub(crate) generation: u8,
    pub(crate) fence: u8,
    /// Which life truly made it; no rule looks at it.
    pub(crate) life: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Reset {
    None,
    Claimed,
    Wiped,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) fence: u8,
    pub(crate) page: Option<Save>,
    pub(crate) reset: Reset,
    pub(crate) incarnation: u8,
    pub(crate) life: u8,
    pub(crate) generation: u8,
    /// Calls in flight, a bit for each pair of incarnation and fence.
    pub(crate) calls: u32,
    /// Saves in flight. Bounded by the ids: at most one for each life and generation.
    pub(crate) saves: [Option<Save>; (LIVES * GENERATIONS) as usize],
    pub(crate) first_unwiped: u8,
    pub(crate) harms: Broken,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Action {
    Restart,
    Begin,
    Answer { incarnation: u8, fence: u8 },
    Save(Save),
    Refuse(Save),
    Claim,
    Wipe,
    Clear,
    Resolve,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

const PROPERTIES: &[Property] = &[
    property(Requirement::Reset6, "no-wiped-page-resolves"),
    property(Requirement::Save3, "no-wiped-page-is-stored"),
    property(Requirement::Save4, "page-never-goes-back"),
    property(Requirement::Restart3, "fresh-save-lands"),
    property(Requirement::Reset5, "settled-is-reachable"),
];

const fn property(requirement: Requirement, name: &'static str) -> Property {
    Property { requirement, name, sentence: name, broken_by: "counter-lost" }
}

impl Design {
    fn may_land(state: &State, save: &Save) -> bool {
        let is_newer =
            state.page.is_none_or(|page| (save.incarnation, save.generation) > (page.incarnation, page.generation));
        state.reset == Reset::None && save.fence == state.fence && is_newer
    }

    fn may_resolve(state: &State) -> Option<Save> {
        state.page.filter(|page| state.reset == Reset::None && page.incarnation == state.incarnation)
    }

    fn begin_life(self, state: &mut State) {
        state.life += 1;
        state.incarnation = if self.counter_survives { state.incarnation + 1 } else { 1 };
        state.generation = 0;
    }

    fn is_fresh(state: &State, save: &Save) -> bool {
        let is_covered = state.page.is_some_and(|page| page.life == save.life && page.generation >= save.generation);
        save.life == state.life && save.fence == state.fence && state.reset == Reset::None && !is_covered
    }

    fn step(self, state: &mut State, action: &Action) -> bool {
        match *action {
            Action::Restart => self.begin_life(state),
            Action::Begin => state.calls |= bit(state.incarnation, state.fence),
            Action::Answer { incarnation, fence } => {
                if incarnation != state.incarnation || state.calls & bit(incarnation, fence) == 0 {
                    return false;
                }
                state.generation += 1;
                let save = Save { incarnation, generation: state.generation, fence, life: state.life };
                let place = (state.life - 1) * GENERATIONS + state.generation - 1;
                state.saves[usize::from(place)] = Some(save);
            }
            Action::Save(save) => {
                if !Self::may_land(state, &save) {
                    return false;
                }
                let goes_back = |page: Save| (save.life, save.generation) < (page.life, page.generation);
                note(state, 2, state.page.is_some_and(goes_back));
                state.page = Some(save);
            }
            Action::Refuse(save) => {
                if Self::may_land(state, &save) {
                    return false;
                }
                note(state, 3, Self::is_fresh(state, &save));
            }
            Action::Claim => {
                if state.reset != Reset::None {
                    return false;
                }
                state.reset = Reset::Claimed;
            }
            Action::Wipe => {
                if state.reset != Reset::Claimed {
                    return false;
                }
                self.begin_life(state);
                state.first_unwiped = state.life;
                state.reset = Reset::Wiped;
            }
            Action::Clear => {
                if state.reset != Reset::Wiped {
                    return false;
                }
                (state.reset, state.page) = (Reset::None, None);
                state.fence += 1;
            }
            Action::Resolve => {
                let Some(page) = Self::may_resolve(state) else { return false };
                note(state, 0, page.life < state.first_unwiped);
            }
        }
        true
    }
}

fn bit(incarnation: u8, fence: u8) -> u32 {
    1 << (incarnation * (LIVES + 1) + fence)
}

fn note(state: &mut State, place: usize, is_harm: bool) {
    if is_harm {
        state.harms.add(place);
    }
}

impl Protocol for Design {
    type State = State;
    type Action = Action;
    type Packed = State;

    fn name(&self) -> &'static str {
        "snapshot, minted by the far side"
    }

    fn initial(&self) -> Vec<State> {
        vec![State {
            fence: 0,
            page: None,
            reset: Reset::None,
            incarnation: 1,
            life: 1,
            generation: 0,
            calls: 0,
            saves: [None; (LIVES * GENERATIONS) as usize],
            first_unwiped: 1,
            harms: Broken::default(),
        }]
    }

    fn apply(&self, state: &mut State, action: &Action) -> Result<(), Guard> {
        let refusal = Guard { requirement: Requirement::Save3, found: Value::Nothing, against: Value::Nothing };
        if self.step(state, action) { Ok(()) } else { Err(refusal) }
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) -> Cut {
        let has_a_life = state.life < LIVES;
        if has_a_life {
            out.extend([Action::Restart, Action::Wipe]);
        }
        out.extend([Action::Begin, Action::Claim, Action::Clear, Action::Resolve]);
        if state.generation < GENERATIONS {
            out.extend((0..=state.fence).map(|fence| Action::Answer { incarnation: state.incarnation, fence }));
        }
        out.extend(state.saves.iter().flatten().flat_map(|save| [Action::Save(*save), Action::Refuse(*save)]));
        if has_a_life { Cut::Nothing } else { Cut::ByABound }
    }

    fn properties(&self) -> &'static [Property] {
        PROPERTIES
    }

    fn broken(&self, state: &State) -> Broken {
        let mut broken = state.harms;
        let stores_a_wiped_page = state.page.is_some_and(|stored| stored.life < state.first_unwiped);
        if stores_a_wiped_page && state.reset == Reset::None {
            broken.add(1);
        }
        broken
    }

    fn harms(&self, state: &State) -> Broken {
        state.harms
    }

    fn forgive(&self, state: &mut State) {
        state.harms = Broken::default();
    }

    fn far(&self) -> Self {
        *self
    }

    fn is_settled(&self, state: &State) -> bool {
        state.reset == Reset::None
    }

    fn is_progress(&self, _: &State, action: &Action) -> bool {
        !matches!(action, Action::Restart | Action::Claim)
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["restart", "begin", "answer", "store", "refuse", "claim", "wipe", "clear", "resolve"]
    }

    fn kind(&self, action: &Action) -> usize {
        match action {
            Action::Restart => 0,
            Action::Begin => 1,
            Action::Answer { .. } => 2,
            Action::Save(_) => 3,
            Action::Refuse(_) => 4,
            Action::Claim => 5,
            Action::Wipe => 6,
            Action::Clear => 7,
            Action::Resolve => 8,
        }
    }

    fn refuses_by(&self, action: &Action) -> Option<Requirement> {
        matches!(action, Action::Refuse(_)).then_some(Requirement::Save3)
    }

    fn lane(&self, _: &Action) -> Lane {
        Lane("store")
    }

    fn lanes(&self) -> &'static [Lane] {
        &[Lane("store")]
    }

    fn phase(&self, _: &State) -> &'static str {
        "open"
    }

    fn describe(&self, state: &State) -> Vec<(&'static str, String)> {
        vec![("state", format!("{state:?}"))]
    }

    fn pack(&self, state: &State) -> State {
        *state
    }

    fn unpack(&self, packed: &State) -> State {
        *packed
    }
}
