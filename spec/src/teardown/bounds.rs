//! How far a search goes. Nothing here decides: the rules refuse what they forbid, so more is proposed than they admit.

use super::action::{Action, Attempt, Count, Restored};
use super::rules::Rules;
use super::state::*;
use crate::protocol::Cut;
use crate::requirement::Requirement::{self, *};

/// The ids bound the sets, for a set holds no message twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The kinds of providers that are searched, each from its own beginning.
    pub worlds: &'static [World],
    /// Owners of the name, one after another.
    pub owners: u32,
    /// Trashes, of all of them.
    pub trashes: u32,
    /// Tokens.
    pub tokens: u32,
    /// Instances.
    pub instances: u32,
    /// Intents that are open at once.
    pub intents: usize,
    /// Instances that outsiders may create, where the kill is atomic.
    pub outsiders: usize,
    /// Whether deadlines pass.
    pub deadlines: bool,
    /// Whether nodes are cut off.
    pub nodes: bool,
    /// Workers.
    pub workers: u32,
    /// How much of what is due a worker reads.
    pub page: usize,
}

/// One kind of provider after the other.
const ALL: &[World] = &[World::Atomic, World::CheckThenAct, World::SharedNames];

/// What most harms need.
pub const LEAST: Bounds = Bounds {
    worlds: ALL,
    owners: 2,
    trashes: 1,
    tokens: 2,
    instances: 2,
    intents: 1,
    outsiders: 0,
    deadlines: false,
    nodes: false,
    workers: 1,
    page: 1,
};

/// For a look in a few seconds, debug builds included: something of everything.
pub const SMOKE: Bounds = Bounds { tokens: 1, outsiders: 1, deadlines: true, nodes: true, ..LEAST };

/// For every push.
pub const CI: Bounds = Bounds { trashes: 2, tokens: 2, ..SMOKE };

/// For a night: two workers.
pub const NIGHTLY: Bounds = Bounds { workers: 2, ..CI };

/// For questions about endless behaviours, where states that differ in names alone are one.
pub const ENDLESS: Bounds = Bounds { worlds: &[World::Atomic, World::CheckThenAct], trashes: 2, nodes: true, ..LEAST };

/// None but the machine's. What is proposed then depends on the state alone.
pub const FAR: Bounds = Bounds {
    worlds: ALL,
    owners: u32::MAX,
    trashes: u32::MAX,
    tokens: u32::MAX,
    instances: u32::MAX,
    intents: usize::MAX,
    outsiders: usize::MAX,
    deadlines: true,
    nodes: true,
    workers: WORKERS as u32,
    page: usize::MAX,
};

/// Proposes what the participants may try within the bounds, whatever the rules; and with each thing that can be
/// refused, the reasons for which it may be.
pub(super) fn actions(state: &State, bounds: &Bounds, rules: &Rules, out: &mut Vec<Action>) -> Cut {
    let mut proposer = Proposer { state, bounds, rules, out, cut: Cut::Nothing };
    proposer.owner();
    proposer.creation();
    proposer.provider();
    proposer.kills();
    for worker in 1..=bounds.workers {
        proposer.errand(Worker(worker));
    }
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
    fn owner(&mut self) {
        let Tenure { owner, phase, trashes } = self.state.tenure;
        match phase {
            OwnerPhase::Active if trashes.0 < self.bounds.trashes => {
                self.out.extend([Action::Trash, Action::Request]);
            }
            OwnerPhase::Active => {}
            OwnerPhase::Trashed => {
                self.out.push(Action::Request);
                self.out.extend([Restored::Whole, Restored::InstanceLost].map(Action::Restore));
                self.out.push(Action::Purge);
            }
            OwnerPhase::Purged if owner.0 < self.bounds.owners => self.out.push(Action::Own(Owner(owner.0 + 1))),
            OwnerPhase::Purged => {}
        }
        self.refuse(Attempt::Purge, &[Purge2]);
        let Some(record) = self.state.record else { return };
        self.out.push(Action::Delete);
        self.out.push(Action::Attach(record.instance));
        self.refuse(Attempt::Attach, &[Reconcile31]);
        if self.bounds.deadlines {
            self.out.push(Action::Expire);
            self.out.push(Action::Renew);
            self.refuse(Attempt::Renew, &[Reconcile25]);
        }
    }

    fn creation(&mut self) {
        let token = Token(self.state.newest_token.0 + 1);
        if token.0 <= self.bounds.tokens {
            if self.state.intents.len() < self.bounds.intents {
                self.out.push(Action::Intend(token));
            }
            self.out.push(Action::Call(token));
        }
        self.refuse(Attempt::Intend, &[Purge5, Reconcile32]);
        for intent in self.state.intents.iter() {
            self.intent(intent.token);
        }
        let instance = Instance(self.state.provider.newest.0 + 1);
        for &token in self.state.creates.iter() {
            if instance.0 <= self.bounds.instances {
                self.out.push(Action::Create(token, instance));
            }
        }
        // Of those that can create no more nobody remembers whether they were sent.
        for made in self.state.provider.made.iter() {
            made.token.into_iter().for_each(|token| self.refuse(Attempt::Create(token), &[Purge11]));
        }
        for &token in self.state.provider.revoked.iter() {
            self.refuse(Attempt::Create(token), &[Purge11]);
        }
    }

    fn intent(&mut self, token: Token) {
        if !self.state.creates.contains(&token) {
            self.out.push(Action::Call(token));
        }
        self.out.push(Action::Revoke(token));
        self.out.push(Action::Close(token));
        self.refuse(Attempt::Close(token), &[Purge4]);
        self.refuse(Attempt::Record(token), &[Purge5]);
        if let Some(made) = self.state.provider.made_for(token) {
            self.out.push(Action::Record(token, made.instance));
            self.out.push(Action::Record(token, UNKNOWN));
            self.out.push(Action::Orphan(token, made.instance));
        }
    }

    fn provider(&mut self) {
        let provider = &self.state.provider;
        let outsiders = provider.made.iter().filter(|made| made.token.is_none()).count();
        let instance = Instance(provider.newest.0 + 1);
        let may_intrude = provider.world == World::Atomic && outsiders < self.bounds.outsiders;
        if may_intrude && instance.0 <= self.bounds.instances {
            self.out.push(Action::Intrude(instance));
        }
        for made in provider.made.iter() {
            let instance = made.instance;
            // What outsiders run is not billed to us.
            if made.token.is_some() {
                self.out.extend([true, false].map(|runs| Action::Meter(instance, runs)));
            }
            self.out.push(Action::Die(instance));
            self.out.push(Action::Quarantine(instance));
            if self.bounds.nodes {
                self.out.push(Action::CutOff(instance));
                self.out.push(Action::Fence(instance));
            }
            self.out.push(Action::Adopt(instance));
        }
    }

    fn kills(&mut self) {
        let provider = &self.state.provider;
        for &instance in self.state.kills.iter() {
            self.out.push(Action::Kill(instance));
        }
        for &instance in provider.deletes.iter() {
            self.out.extend([Action::Land(instance), Action::Lose(instance)]);
        }
        // Of those that are dead nobody remembers whether a call was sent.
        for made in provider.made.iter().filter(|made| !made.lives) {
            self.refuse(Attempt::Kill(made.instance), &[Reconcile27]);
        }
    }

    fn errand(&mut self, worker: Worker) {
        let Some(Errand { instance, found, stage }) = self.state.errand(worker) else {
            for (instance, found) in self.rules.due(self.state).take(self.bounds.page) {
                self.out.push(Action::List(worker, instance, found));
            }
            return;
        };
        self.out.push(Action::Crash(worker));
        match (stage, found) {
            (Stage::Listed, Found::Licensed(_)) => {
                self.out.extend([Action::Claim(worker, instance), Action::Send(worker, instance)]);
                self.refuse(Attempt::Claim(worker, instance), &[Reconcile23, Reconcile24, Reconcile25]);
            }
            (Stage::Listed, Found::Claimed | Found::Pointer(Place::Outbox)) => {
                self.out.push(Action::Send(worker, instance));
            }
            (Stage::Listed, Found::Pointer(Place::Quarantine | Place::DeadLetters)) => {
                self.out.push(Action::Send(worker, instance));
                self.answers(worker);
            }
            (Stage::Sent { .. }, _) => self.answers(worker),
            (Stage::Heard(_), _) => {
                let counts = [Count::Reclaimed, Count::Gone, Count::Replaced, Count::Skipped];
                self.out.extend(counts.map(|count| Action::Release(worker, count)));
                self.out.extend([Action::Note(worker), Action::GiveUp(worker)]);
            }
        }
    }

    fn answers(&mut self, worker: Worker) {
        let answers = [Answer::Killed, Answer::Gone, Answer::Lives, Answer::Unreachable, Answer::Unlisted];
        self.out.extend(answers.map(|answer| Action::Hear(worker, answer)));
        let holder = self.state.provider.holder();
        self.out.extend(holder.map(|actual| Action::Hear(worker, Answer::Replaced(actual))));
    }

    fn refuse(&mut self, attempt: Attempt, reasons: &[Requirement]) {
        self.out.extend(reasons.iter().map(|&because| Action::Refuse(attempt, because)));
    }
}
