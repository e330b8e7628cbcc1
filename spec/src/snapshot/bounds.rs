//! How far a search goes. Nothing here decides: the rules refuse what they forbid, so more is proposed than they admit.

use super::action::{Action, Attempt, Rollback};
use super::rules::Rules;
use super::state::*;
use crate::protocol::Cut;
use crate::requirement::Requirement;

/// The ids bound the sets, for a set holds no message twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Process starts and wipes, with the first start.
    pub lives: u32,
    /// What the store may mint, with the first.
    pub incarnations: u32,
    /// How high a process may count.
    pub generations: u32,
    /// Gateways.
    pub gateways: u32,
    /// Questions in flight at once.
    pub questions: usize,
    /// Calls in flight at once.
    pub calls: usize,
    /// Saves in flight at once.
    pub saves: usize,
    /// Wipes in flight at once.
    pub wipes: usize,
    /// Acts in flight at once.
    pub acts: usize,
    /// Pages that agents may come back to at once.
    pub shown: usize,
}

/// For a look in a few seconds, debug builds included.
pub const SMOKE: Bounds = Bounds {
    lives: 3,
    incarnations: 3,
    generations: 2,
    gateways: 2,
    questions: 4,
    calls: 2,
    saves: 2,
    wipes: 3,
    acts: 2,
    shown: 1,
};

/// For every push.
pub const CI: Bounds = Bounds {
    lives: 4,
    incarnations: 4,
    generations: 3,
    gateways: 2,
    questions: 4,
    calls: 2,
    saves: 3,
    wipes: 3,
    acts: 2,
    shown: 1,
};

/// For a night: more processes, gateways, messages, and pages that agents come back to at once.
pub const NIGHTLY: Bounds = Bounds {
    lives: 5,
    incarnations: 5,
    generations: 3,
    gateways: 3,
    questions: 5,
    calls: 2,
    saves: 3,
    wipes: 4,
    acts: 2,
    shown: 3,
};

/// For questions about endless behaviours, where states that differ in names alone are one. The numbers of lives and
/// incarnations bind nothing: no state mentions as many at once.
pub const ENDLESS: Bounds = Bounds {
    lives: 7,
    incarnations: 7,
    generations: 2,
    gateways: 2,
    questions: 1,
    calls: 2,
    saves: 2,
    wipes: 3,
    acts: 0,
    shown: 1,
};

/// None but the machine's. What is proposed then depends on the state alone.
pub const FAR: Bounds = Bounds {
    lives: u32::MAX,
    incarnations: u32::MAX,
    generations: u32::MAX,
    gateways: 2,
    questions: usize::MAX,
    calls: usize::MAX,
    saves: usize::MAX,
    wipes: usize::MAX,
    acts: usize::MAX,
    shown: usize::MAX,
};

/// Proposes what the participants may try within the bounds, whatever the rules; and with each thing that can be
/// refused, the reasons for which it may be.
pub(super) fn actions(state: &State, bounds: &Bounds, rules: &Rules, out: &mut Vec<Action>) -> Cut {
    let mut proposer = Proposer { state, bounds, rules, out, cut: Cut::Nothing };
    proposer.lives();
    proposer.calls();
    proposer.saves();
    for gateway in (0..bounds.gateways).map(Gateway) {
        proposer.resets(gateway);
    }
    proposer.wipes();
    proposer.pages();
    proposer.acts();
    proposer.cut
}

struct Proposer<'a> {
    state: &'a State,
    bounds: &'a Bounds,
    rules: &'a Rules,
    out: &'a mut Vec<Action>,
    cut: Cut,
}

impl Proposer<'_> {
    fn lives(&mut self) {
        let (process, current) = (self.state.process, self.state.store.incarnation);
        match self.next_life() {
            Some(life) => self.out.push(Action::Restart(life)),
            // Nobody needs a process to die, but one that has lost its place must be started anew.
            None if process.incarnation.is_some_and(|own| own != current) => self.cut = Cut::ByABound,
            None => {}
        }
        let question = Question { life: process.life, expected: current };
        if process.incarnation.is_none() && !self.state.questions.contains(&question) {
            if self.state.questions.len() < self.bounds.questions {
                self.out.push(Action::Ask(question));
            } else {
                self.cut = Cut::ByABound;
            }
        }
        for &question in self.state.questions.iter() {
            self.mint(|minted| Action::Register(question, minted));
        }
        let late = Question { expected: Incarnation(current.0.saturating_sub(1)), ..question };
        self.refuse(Attempt::Register(late), &[Requirement::Restart1]);
        if let Some(reply) = process.reply {
            self.out.push(Action::Learn(reply));
        }
    }

    fn calls(&mut self) {
        for stamp in self.named().map(Stamp::Is).chain([Stamp::Unknown, Stamp::Pending]) {
            let call = Call { stamp };
            if !self.state.calls.contains(&call) && self.state.calls.len() < self.bounds.calls {
                self.out.push(Action::Begin(call));
            }
        }
        let next = Generation(self.state.process.generation.0 + 1);
        for &call in self.state.calls.iter() {
            self.refuse(Attempt::Answer(call), &[Requirement::Restart3]);
            if next.0 > self.bounds.generations {
                // One more page is needed where none that was handed out can land.
                let lands = |save: &Save| self.rules.check_save(self.state, save).is_ok();
                let needs_one_more = !self.state.store.is_resetting && !self.state.saves.iter().any(lands);
                self.cut = if needs_one_more { Cut::ByABound } else { self.cut };
            } else if self.state.saves.len() < self.bounds.saves {
                self.out.push(Action::Answer(call, next));
            }
        }
    }

    fn saves(&mut self) {
        for &save in self.state.saves.iter() {
            if save.cited.stamp == Stamp::Pending {
                if self.state.saves.len() < self.bounds.saves {
                    self.out.push(Action::Stamp(save, self.state.store.incarnation));
                } else {
                    self.cut = Cut::ByABound;
                }
                continue;
            }
            self.out.push(Action::Save(save));
            self.refuse(Attempt::Save(save), &[Requirement::Reset2, Requirement::Save3, Requirement::Save4]);
        }
    }

    fn resets(&mut self, gateway: Gateway) {
        let (state, current) = (self.state, self.state.store.incarnation);
        let memory = state.gateways.get(gateway);
        self.out.extend(self.named().map(|expected| Action::Claim(gateway, expected)));
        self.refuse(Attempt::Claim(gateway, Incarnation(current.0.saturating_sub(1))), &[Requirement::Reset1]);
        let wipe = WipeCall { by: Some(gateway), incarnation: current };
        if !state.wipes.contains(&wipe) && state.wipes.len() < self.bounds.wipes {
            self.out.push(Action::SendWipe(gateway, current));
        }
        if let Memory::Wiped(wiped) = memory {
            self.mint(|minted| Action::Finish(gateway, wiped, minted));
        }
        self.refuse(Attempt::Finish(gateway, current), &[Requirement::Reset4]);
        let waits = state.wipes.iter().any(|wipe| wipe.by == Some(gateway));
        if waits || memory != Memory::Nothing || state.is_retrying {
            self.out.push(Action::Crash(gateway));
        }
    }

    fn wipes(&mut self) {
        let state = self.state;
        for &wipe in state.wipes.iter() {
            self.refuse(Attempt::Wipe(wipe), &[Requirement::Reset3]);
            let Some(life) = self.next_life() else {
                self.cut = Cut::ByABound;
                continue;
            };
            self.out.push(Action::Wipe(wipe, life, Generation(0)));
            if state.process.generation > Generation(0) {
                self.out.push(Action::Wipe(wipe, life, state.process.generation));
            }
        }
    }

    fn pages(&mut self) {
        let stored = self.state.store.page;
        let is_new = stored.is_none_or(|stored| !self.state.shown.contains(&stored));
        if is_new && self.state.shown.len() < self.bounds.shown {
            self.out.push(Action::Load(stored.map(|stored| stored.cited)));
        }
        for &Save { cited, .. } in self.state.shown.iter() {
            self.out.push(Action::Discard(cited));
            self.page(cited);
        }
    }

    fn page(&mut self, cited: Cited) {
        if self.state.acts.len() < self.bounds.acts {
            self.out.push(Action::Resolve(cited));
            self.out.push(Action::Forward(cited));
        }
        self.refuse(Attempt::Resolve(cited), &[Requirement::Reset6]);
        let current = self.state.store.incarnation;
        for expected in self.named() {
            if current.0 < self.bounds.incarnations {
                let minted = Incarnation(current.0 + 1);
                self.out.push(Action::Rollback(Rollback { to: cited, expected, minted }));
            }
            self.out.push(Action::Rollback(Rollback { to: cited, expected, minted: current }));
        }
        let rollback = Rollback { to: cited, expected: current, minted: current };
        self.refuse(Attempt::Rollback(rollback), &[Requirement::Reset2, Requirement::Save8]);
        let late = Rollback { expected: Incarnation(current.0.saturating_sub(1)), ..rollback };
        self.refuse(Attempt::Rollback(late), &[Requirement::Save7]);
    }

    fn acts(&mut self) {
        for &act in self.state.acts.iter() {
            self.out.push(Action::Perform(act));
            self.refuse(Attempt::Perform(act), &[Requirement::Restart5]);
        }
    }

    /// What somebody may take for the current incarnation: the one before it, and itself. Whoever admits one that is
    /// over admits them all.
    fn named(&self) -> impl Iterator<Item = Incarnation> + use<> {
        let current = self.state.store.incarnation.0;
        (current.saturating_sub(1).max(1)..=current).map(Incarnation)
    }

    fn next_life(&self) -> Option<Life> {
        let next = Life(self.state.process.life.0 + 1);
        (next.0 <= self.bounds.lives).then_some(next)
    }

    /// The next incarnation, and none, which only some variants admit.
    fn mint(&mut self, action: impl Fn(Incarnation) -> Action) {
        let current = self.state.store.incarnation;
        self.out.push(action(current));
        if current.0 < self.bounds.incarnations {
            self.out.push(action(Incarnation(current.0 + 1)));
        } else {
            self.cut = Cut::ByABound;
        }
    }

    fn refuse(&mut self, attempt: Attempt, reasons: &[Requirement]) {
        self.out.extend(reasons.iter().map(|&because| Action::Refuse(attempt, because)));
    }
}
