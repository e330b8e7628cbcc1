//! A computer, as small as it can be: a row that stands for the store, a provider that has one instance, and the
//! three who deal with them. What is under test is `outlive`'s locks; the rules here are those of the protocol, and
//! each can be left out.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{ANOTHER, COMPUTER};
use crate::locks::{IoPermit, LifecycleGuard, Locks, SingleFlight};
use crate::sync::Mutex;

pub(super) type Gate<'t> = LifecycleGuard<'t, Row>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Stopped,
    Starting,
    Ready,
    Error,
}

/// What is durable of the computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) revision: u32,
    pub(super) phase: Phase,
    /// The newest start.
    pub(super) launch: u32,
    /// The launch whose start is under way.
    pub(super) claim: Option<u32>,
}

/// What keeps start, sweep and stop apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// A start writes a claim into the row. Rows of an older format have none.
    pub(super) claims: bool,
    /// A sweep passes by a row with a claim.
    pub(super) heeds_claims: bool,
    /// A sweep writes only if the row is as it was before it asked the provider.
    pub(super) compares_revisions: bool,
    /// A sweep probes the computer's gate, and not another.
    pub(super) probes: bool,
    /// A stop takes the computer's gate, and not another.
    pub(super) stops_under_the_gate: bool,
}

pub(super) const RIGHT: Rules =
    Rules { claims: true, heeds_claims: true, compares_revisions: true, probes: true, stops_under_the_gate: true };

pub(super) struct World {
    pub(super) locks: Locks<Row>,
    pub(super) provider: Provider,
    pub(super) stops: SingleFlight<u32>,
    rules: Rules,
}

impl World {
    pub(super) fn stopped(rules: Rules) -> World {
        World::new(rules, Phase::Stopped, None)
    }

    pub(super) fn ready(rules: Rules) -> World {
        World::new(rules, Phase::Ready, Some(1))
    }

    fn new(rules: Rules, phase: Phase, running: Option<u32>) -> World {
        let row = Row { revision: 1, phase, launch: 1, claim: None };
        World { locks: Locks::new(row), provider: Provider::new(running), stops: SingleFlight::new(), rules }
    }

    /// The row, which nobody may be at work on.
    pub(super) fn row(&self) -> Row {
        *self.locks.sweep().global().probe(&COMPUTER).expect("nobody holds the gate")
    }

    /// Returns the row as the start has left it; none if there was nothing to start.
    pub(super) async fn start(&self) -> Option<Row> {
        let mut ticket = self.locks.ticket();
        let mut gate = ticket.lock_for(COMPUTER).await;
        let claimed = gate.global().claim_start(self.rules.claims)?;
        self.provider.start(gate.io(), claimed.launch).await;
        Some(gate.global().settle())
    }

    /// Returns the number of the stop, which whoever joins it shares.
    pub(super) async fn stop(&self) -> u32 {
        let gate = if self.rules.stops_under_the_gate { COMPUTER } else { ANOTHER };
        self.stops.run(&mut self.locks.ticket(), gate, async |gate: &mut Gate<'_>| self.stop_under(gate).await).await
    }

    pub(super) async fn stop_under(&self, gate: &mut Gate<'_>) -> u32 {
        let number = self.provider.stop(gate.io()).await;
        gate.global().stop();
        number
    }

    /// Looks after the computer once.
    pub(super) async fn sweep(&self) {
        let probed = if self.rules.probes { COMPUTER } else { ANOTHER };
        let mut sweep = self.locks.sweep();
        let Some(before) = sweep.global().probe(&probed).map(|row| *row) else { return };
        if self.must_pass_by(&before) {
            return;
        }
        let running = self.provider.look(sweep.io()).await;
        let mut rows = sweep.global();
        let Some(row) = rows.probe(&probed) else { return };
        let is_as_before = row.revision == before.revision || !self.rules.compares_revisions;
        if is_as_before && !self.must_pass_by(row) {
            row.observe(running);
        }
    }

    fn must_pass_by(&self, row: &Row) -> bool {
        self.rules.heeds_claims && row.claim.is_some()
    }
}

impl Row {
    fn claim_start(&mut self, claims: bool) -> Option<Row> {
        if !matches!(self.phase, Phase::Stopped | Phase::Error) {
            return None;
        }
        let launch = self.launch + 1;
        let claim = claims.then_some(launch);
        *self = Row { revision: self.revision + 1, phase: Phase::Starting, launch, claim };
        Some(*self)
    }

    /// Ends the start. Whether the computer has come up is for a sweep to see.
    fn settle(&mut self) -> Row {
        *self = Row { revision: self.revision + 1, claim: None, ..*self };
        *self
    }

    fn stop(&mut self) {
        *self = Row { revision: self.revision + 1, phase: Phase::Stopped, claim: None, ..*self };
    }

    fn observe(&mut self, running: Option<u32>) {
        let is_up = running == Some(self.launch);
        let phase = match (self.phase, is_up) {
            (Phase::Starting, true) => Phase::Ready,
            (Phase::Starting | Phase::Ready, false) => Phase::Error,
            (phase @ (Phase::Stopped | Phase::Ready | Phase::Error), _) => phase,
        };
        if phase != self.phase {
            *self = Row { revision: self.revision + 1, phase, ..*self };
        }
    }
}

/// Has one instance, or none. Each call is a point at which the model may let another thread run.
pub(super) struct Provider {
    running: Mutex<Option<u32>>,
    /// Of the standard library: it counts, and adds no interleaving.
    stops: AtomicUsize,
}

impl Provider {
    fn new(running: Option<u32>) -> Provider {
        Provider { running: Mutex::new(running), stops: AtomicUsize::new(0) }
    }

    async fn start(&self, _: IoPermit<'_>, launch: u32) {
        *self.running.lock() = Some(launch);
    }

    async fn stop(&self, _: IoPermit<'_>) -> u32 {
        *self.running.lock() = None;
        u32::try_from(self.stops.fetch_add(1, Ordering::Relaxed)).expect("a few stops")
    }

    async fn look(&self, _: IoPermit<'_>) -> Option<u32> {
        *self.running.lock()
    }

    /// It fails by itself.
    pub(super) fn fail(&self) {
        *self.running.lock() = None;
    }

    pub(super) fn running(&self) -> Option<u32> {
        *self.running.lock()
    }
}
