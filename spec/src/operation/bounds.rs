//! How far a search goes. Nothing here decides: the rules refuse what they forbid, so more is proposed than they admit.

use super::action::{Action, Attempt, Conclusion};
use super::rules::{Rules, observed};
use super::state::*;
use crate::protocol::Cut;
use crate::requirement::Requirement::{self, *};

/// The ids bound the sets, for a set holds no message twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Starts.
    pub launches: u32,
    /// Starts, counted from the first, that may be begun without a claim.
    pub unclaimed: u32,
    /// Reports.
    pub marks: u32,
    /// Gateways that live at once.
    pub gateways: u32,
    /// Gateways, with those that have died.
    pub lives: u32,
    /// Sweeps that look at the computer at once.
    pub looks: usize,
    /// Calls in flight at once.
    pub calls: usize,
    /// Reports in flight at once.
    pub reports: usize,
}

/// For a look in a few seconds, debug builds included.
pub const SMOKE: Bounds =
    Bounds { launches: 2, unclaimed: 1, marks: 1, gateways: 2, lives: 3, looks: 1, calls: 4, reports: 1 };

/// For every push.
pub const CI: Bounds =
    Bounds { launches: 3, unclaimed: 1, marks: 2, gateways: 2, lives: 3, looks: 1, calls: 5, reports: 2 };

/// For a night: two sweeps look at the computer at once.
pub const NIGHTLY: Bounds = Bounds { looks: 2, ..CI };

/// For questions about endless behaviours, where states that differ in names alone are one. The numbers of launches and
/// gateways bind nothing: no state mentions as many at once. There are no reports: the
/// next sweep writes over whatever one of them has written, late or not.
pub const ENDLESS: Bounds =
    Bounds { launches: 7, unclaimed: 7, marks: 0, gateways: 2, lives: 7, looks: 2, calls: 2, reports: 0 };

/// None but the machine's. What is proposed then depends on the state alone.
pub const FAR: Bounds = Bounds {
    launches: u32::MAX,
    unclaimed: u32::MAX,
    marks: u32::MAX,
    gateways: 2,
    lives: u32::MAX,
    looks: usize::MAX,
    calls: usize::MAX,
    reports: usize::MAX,
};

const CONCLUSIONS: [Conclusion; 4] = [Conclusion::Nothing, Conclusion::Ready, Conclusion::Error, Conclusion::Prune];

/// Proposes what the participants may try within the bounds, whatever the rules; and with each thing that can be
/// refused, the reasons for which it may be.
pub(super) fn actions(state: &State, bounds: &Bounds, rules: &Rules, out: &mut Vec<Action>) -> Cut {
    let mut proposer = Proposer { state, bounds, rules, out, cut: Cut::Nothing };
    for memory in state.gateways.iter() {
        proposer.demands(memory.gateway);
        proposer.operation(memory);
        proposer.sweep(memory);
        proposer.crash(memory);
    }
    proposer.calls();
    proposer.instance();
    proposer.reports();
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
    fn demands(&mut self, gateway: Gateway) {
        let next = Launch(self.state.row.launch.0 + 1);
        if next.0 <= self.bounds.launches {
            self.out.push(Action::Start(gateway, next));
        }
        if next.0 <= self.bounds.launches.min(self.bounds.unclaimed) {
            self.out.push(Action::StartUnclaimed(gateway, next));
        }
        self.out.push(Action::Stop(gateway));
        self.out.push(Action::Delete(gateway));
        self.refuse(Attempt::Start(gateway), &[Reconcile1]);
        self.refuse(Attempt::Stop(gateway), &[Reconcile9]);
        self.refuse(Attempt::Delete(gateway), &[Reconcile10]);
    }

    fn operation(&mut self, memory: &Memory) {
        let (gateway, row) = (memory.gateway, self.state.row);
        if row.owner != Some(gateway) {
            let kind = row.phase.under_way().unwrap_or_default();
            let call = Call { kind, launch: row.launch };
            self.out.push(Action::Recover(gateway, call));
            // Only a start has an identity to lose.
            if row.phase == Phase::Starting && row.launch.0 < self.bounds.launches {
                self.out.push(Action::Recover(gateway, Call { launch: Launch(row.launch.0 + 1), ..call }));
            }
            self.refuse(Attempt::Recover(gateway, call), &[Reconcile7]);
        }
        let Some(Operation { kind, launch, stage }) = memory.operation else { return };
        self.out.push(Action::Yield(gateway));
        match stage {
            Stage::Begun => {
                if self.state.calls.len() < self.bounds.calls {
                    self.out.push(Action::Send(gateway, Call { kind, launch }));
                } else {
                    self.cut = Cut::ByABound;
                }
                self.out.push(Action::Fail(gateway));
            }
            Stage::Sent => {
                let mark = self.state.provider.mark;
                self.out.extend([Outcome::Done, Outcome::Failed].map(|outcome| Action::Hear(gateway, outcome, mark)));
                self.out.push(Action::Fail(gateway));
            }
            Stage::Heard(outcome, _) => {
                let call = Call { kind, launch };
                self.out.push(Action::Settle(gateway, call, outcome));
                self.refuse(Attempt::Settle(gateway, call), &[Reconcile2]);
            }
        }
    }

    fn sweep(&mut self, memory: &Memory) {
        let (gateway, row) = (memory.gateway, self.state.row);
        // Of the other phases no sweep has anything to tell.
        let is_worth_it = matches!(row.phase, Phase::Starting | Phase::Ready | Phase::Error);
        let Some(look) = memory.look else {
            let looks = self.state.gateways.iter().filter(|memory| memory.look.is_some()).count();
            if is_worth_it && looks < self.bounds.looks {
                self.out.push(Action::Read(gateway, row.revision, row.launch));
            }
            return;
        };
        if look.seen.is_none() {
            self.out.push(Action::Get(gateway, observed(self.state, look.launch)));
            return;
        }
        if self.rules.keeps_what_was_seen && look.revision != row.revision {
            self.out.push(Action::Read(gateway, row.revision, row.launch));
        }
        self.out.push(Action::Conclude(gateway, Conclusion::Nothing));
        for conclusion in &CONCLUSIONS[1..] {
            self.out.push(Action::Conclude(gateway, *conclusion));
            self.refuse(Attempt::Conclude(gateway, *conclusion), &[Reconcile4, Reconcile3, Reconcile5]);
        }
    }

    fn crash(&mut self, memory: &Memory) {
        let newest = self.state.gateways.iter().map(|it| it.gateway).chain(self.state.row.owner).max();
        let next = Gateway(newest.unwrap_or_default().0 + 1);
        let forgets = memory.operation.is_some() || memory.look.is_some() || memory.heard.is_some();
        if next.0 <= self.bounds.lives && (forgets || self.state.row.owner == Some(memory.gateway)) {
            self.out.push(Action::Crash(memory.gateway, next));
        }
    }

    fn calls(&mut self) {
        for &call in self.state.calls.iter() {
            self.out.push(Action::Arrive(call));
        }
        // Of those that are below the fence nobody remembers whether they were sent.
        let late = Call { kind: Kind::Start, launch: Launch(self.state.provider.fence.0 - 1) };
        self.refuse(Attempt::Arrive(late), &[Reconcile6]);
    }

    fn instance(&mut self) {
        let Some(Instance { launch, .. }) = self.state.provider.instance else { return };
        self.out.push(Action::Admit(launch));
        self.out.push(Action::Exit(launch));
        self.out.push(Action::Revive(launch));
        self.out.push(Action::Vanish(launch));
        self.refuse(Attempt::Revive(launch), &[Reconcile14]);
    }

    fn reports(&mut self) {
        let (state, asked) = (self.state, self.state.row.launch);
        let mark = Mark(state.provider.mark.0 + 1);
        if mark.0 <= self.bounds.marks && state.reports.len() < self.bounds.reports {
            let so = observed(state, asked);
            if so.seen.is_some() {
                self.out.push(Action::Report(Observation { mark, ..so }));
            }
            self.out.push(Action::Report(Observation { launch: asked, seen: None, mark }));
        }
        for memory in state.gateways.iter() {
            for &report in state.reports.iter() {
                for conclusion in CONCLUSIONS {
                    self.out.push(Action::Deliver(memory.gateway, report, conclusion));
                }
                self.refuse(Attempt::Deliver(memory.gateway, report), &[Reconcile4, Reconcile5, Reconcile11]);
            }
            let left_out = Observation { launch: asked, seen: None, mark: state.provider.mark };
            self.refuse(Attempt::Deliver(memory.gateway, left_out), &[Reconcile12]);
        }
    }

    fn refuse(&mut self, attempt: Attempt, reasons: &[Requirement]) {
        self.out.extend(reasons.iter().map(|&because| Action::Refuse(attempt, because)));
    }
}
