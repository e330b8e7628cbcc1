//! The guards that decide. The step, its refusal and whoever forgets ask the same function, so that no two of them
//! disagree; what only one step asks stands with the step, in `rules.rs`.

use super::action::Conclusion;
use super::check::Check;
use super::rules::{Concludes, Defers, Marks, Recovers, Rules, Step, refusal};
use super::state::*;
use crate::guard::{Guard, Value};

/// What whoever is dead remembers.
const NOTHING: Memory = Memory { gateway: Gateway(0), operation: None, look: None, heard: None };

impl Rules {
    /// What a living gateway remembers. Whoever is dead does nothing.
    #[inline]
    pub(super) fn memory<'a>(&self, state: &'a State, gateway: Gateway) -> Result<&'a Memory, Guard> {
        match state.gateways.get(gateway) {
            Some(memory) => Ok(memory),
            None if self.without.has(Check::GatewayLives) => Ok(&NOTHING),
            None => Err(refusal(Check::GatewayLives, gateway, "the gateways that live")),
        }
    }

    pub(super) fn check_start(&self, state: &State) -> Step {
        // RECONCILE-1: what runs is stopped first, since the name stands for one instance.
        let phase = state.row.phase;
        let is_at_rest = matches!(phase, Phase::Stopped | Phase::Error);
        self.check(Check::StartIsFromRest, is_at_rest, phase, "stopped, or an error")
    }

    pub(super) fn check_stop(&self, state: &State) -> Step {
        // RECONCILE-9: a start may hang for ever, and whoever pays for it must be able to end it.
        let phase = state.row.phase;
        let is_possible = match phase {
            Phase::Starting => self.stops_interrupt_starts,
            Phase::Ready | Phase::Error => true,
            Phase::Stopped | Phase::Stopping | Phase::Deleting | Phase::Gone => false,
        };
        self.check(Check::StopIsPossible, is_possible, phase, "starting, ready, or an error")
    }

    pub(super) fn check_delete(&self, state: &State) -> Step {
        let phase = state.row.phase;
        let is_possible = !matches!(phase, Phase::Deleting | Phase::Gone);
        self.check(Check::DeleteIsPossible, is_possible, phase, "no deletion")
    }

    pub(super) fn check_recover(&self, state: &State, gateway: Gateway, call: Call) -> Step {
        let Row { phase, launch, owner, .. } = state.row;
        // RECONCILE-7: death is proven by the gateway being gone, not by time: who is slow is not dead.
        let is_left = match (self.recovers, owner) {
            (Recovers::Never, _) => false,
            (Recovers::FromTheDead | Recovers::FromTheDeadIfClaimed, Some(owner)) => {
                state.gateways.get(owner).is_none()
            }
            (Recovers::FromTheDead, None) => true,
            (Recovers::FromTheDeadIfClaimed, None) => {
                let begun = state.gateways.get(gateway).and_then(|memory| memory.operation);
                begun.is_some_and(|it| it.kind.phase() == phase && it.launch == launch)
            }
        };
        let may_be = phase.under_way().is_some() && is_left;
        self.check(Check::RecoverFromTheDead, may_be, owner, "an operation whose owner is dead")?;
        // RECONCILE-8: who asks for the same again asks for the same launch, or the provider brings up two.
        let under_way = phase.under_way().map(|kind| Call { kind, launch });
        self.check(Check::RecoverKeepsLaunch, under_way.is_none_or(|it| it == call), call, under_way)
    }

    pub(super) fn check_arrive(&self, state: &State, call: Call) -> Step {
        // RECONCILE-6: whoever has sent it may be dead, so that nobody but the provider can hold it back.
        let fence = state.provider.fence;
        let is_admitted = call.kind != Kind::Start || call.launch >= fence;
        self.check(Check::ArriveIsNotFenced, is_admitted, call.launch, fence)
    }

    pub(super) fn check_revive(&self, state: &State) -> Step {
        // RECONCILE-14: the call that stops disarms as well, or the policy undoes the stop.
        let is_armed = state.provider.instance.is_none_or(|it| it.is_armed);
        self.check(Check::ReviveIsArmed, is_armed, "a policy that is disarmed", "one that is armed")
    }

    pub(super) fn check_settle(&self, state: &State, gateway: Gateway, call: Call) -> Step {
        // RECONCILE-2: a stop may have taken the place of this start, or another gateway that of this one.
        let is_ours = owns(state, gateway, call);
        self.check(Check::SettleIsOurs, is_ours, gateway, state.row.owner)
    }

    /// What the sweep of this gateway has read and seen.
    pub(super) fn seen(&self, state: &State, gateway: Gateway) -> Result<(Look, Observation), Guard> {
        let look = self.memory(state, gateway)?.look;
        let seen = look.and_then(|look| Some((look, look.seen?)));
        seen.ok_or_else(|| refusal(Check::ConclusionFollows, "a look that is not over", Value::Nothing))
    }

    /// What a sweep must show in order to write.
    pub(super) fn check_conclude(&self, state: &State, gateway: Gateway) -> Step {
        let (look, seen) = self.seen(state, gateway)?;
        self.check_rest(state, gateway)?;
        self.check_over(state, &look)?;
        // RECONCILE-5: the row can have gone on to a launch of which nothing is there yet.
        let launch = state.row.launch;
        self.check(Check::WriteIsOfThisLaunch, seen.launch == launch, seen.launch, launch)
    }

    pub(super) fn check_rest(&self, state: &State, gateway: Gateway) -> Step {
        // RECONCILE-4: while an operation is under way, what is there is what was there before it, or half of what will
        // be.
        let is_at_rest = self.is_at_rest(state, gateway);
        self.check(Check::WriteIsAtRest, is_at_rest, "what a sweep has seen", state.row.phase)
    }

    pub(super) fn check_over(&self, state: &State, look: &Look) -> Step {
        // RECONCILE-3: an operation that began and ended in between has made another computer of it.
        let revision = state.row.revision;
        self.check(Check::WriteIsOverRead, look.revision == revision, look.revision, revision)
    }

    /// What a report must show in order to be written.
    pub(super) fn check_deliver(&self, state: &State, gateway: Gateway, report: Observation) -> Step {
        self.check_absence(report)?;
        let is_at_rest = self.is_at_rest(state, gateway);
        self.check(Check::ReportIsAtRest, is_at_rest, report, state.row.phase)?;
        let launch = state.row.launch;
        self.check(Check::ReportIsOfThisLaunch, report.launch == launch, report.launch, launch)?;
        self.check_ahead(state, gateway, report)
    }

    pub(super) fn check_absence(&self, report: Observation) -> Step {
        // RECONCILE-12: a list may leave out what is there.
        self.check(Check::AbsenceIsAnswered, report.seen.is_some(), report, "an answer to a read")
    }

    pub(super) fn check_ahead(&self, state: &State, gateway: Gateway, report: Observation) -> Step {
        // RECONCILE-11: reports come late and twice, also to a gateway that has just started.
        let heard = state.gateways.get(gateway).and_then(|memory| memory.heard);
        let come_to = match self.marks {
            Marks::Durable => Some(state.row.mark),
            Marks::InMemory => Some(heard.unwrap_or_default()),
            Marks::InMemoryAfterARead => heard,
        };
        let is_ahead = come_to.is_some_and(|mark| report.mark > mark);
        self.check(Check::ReportIsAhead, is_ahead, report.mark, come_to)
    }

    fn is_at_rest(&self, state: &State, gateway: Gateway) -> bool {
        match self.defers {
            Defers::ToOperations => state.row.phase.under_way().is_none(),
            Defers::ToClaims => state.row.owner.is_none(),
            Defers::ToTheLocalGate => state.gateways.get(gateway).is_none_or(|memory| memory.operation.is_none()),
        }
    }

    pub(super) fn check_follows(&self, state: &State, seen: Observation, conclusion: Conclusion) -> Step {
        // RECONCILE-13: an instance that runs may yet be turned away.
        let is_admitted = conclusion != Conclusion::Ready || seen.seen == Some(Condition::Up);
        self.check(Check::ReadyIsAdmitted, is_admitted, seen, Condition::Up)?;
        let follows = self.conclusion(state.row.phase, seen);
        self.check(Check::ConclusionFollows, conclusion == follows, conclusion, follows)
    }

    /// What follows from an observation.
    pub fn conclusion(&self, phase: Phase, seen: Observation) -> Conclusion {
        let (ignores_exits, absorbs) =
            (self.concludes == Concludes::NoError, self.concludes == Concludes::NothingAfterAnError);
        match (phase, self.taken_for(seen.seen)) {
            // RECONCILE-16: a failure is reported, and it is over where the instance is up.
            (Phase::Ready | Phase::Starting, Some(Condition::Exited)) if !ignores_exits => Conclusion::Error,
            (Phase::Starting, Some(Condition::Up)) => Conclusion::Ready,
            (Phase::Error, Some(Condition::Up)) if !absorbs => Conclusion::Ready,
            // Of an error it is no news that nothing is there: it may never have been.
            (Phase::Ready | Phase::Starting, None) => Conclusion::Prune,
            (
                Phase::Stopped
                | Phase::Starting
                | Phase::Ready
                | Phase::Error
                | Phase::Stopping
                | Phase::Deleting
                | Phase::Gone,
                _,
            ) => Conclusion::Nothing,
        }
    }

    /// What this condition is taken for: without the guard, one that runs passes for one that was admitted.
    fn taken_for(&self, condition: Option<Condition>) -> Option<Condition> {
        let is_taken_for_up = condition == Some(Condition::Booting) && self.without.has(Check::ReadyIsAdmitted);
        if is_taken_for_up { Some(Condition::Up) } else { condition }
    }

    /// What the provider answers to whoever waits for this operation; nothing, while it is not over.
    pub fn outcome(&self, state: &State, operation: &Operation) -> Option<Outcome> {
        let Provider { instance, fence, .. } = state.provider;
        let Operation { kind, launch, .. } = *operation;
        let is_fenced = fence > launch;
        let old = instance.filter(|it| it.launch <= launch);
        let done = |is_done: bool| is_done.then_some(Outcome::Done);
        match kind {
            Kind::Start => match self.taken_for(instance.filter(|it| it.launch == launch).map(|it| it.condition)) {
                Some(Condition::Up) => Some(Outcome::Done),
                Some(Condition::Booting) => None,
                Some(Condition::Exited) => Some(Outcome::Failed),
                None => is_fenced.then_some(Outcome::Failed),
            },
            Kind::Stop => done(is_fenced && !old.is_some_and(|it| it.runs() || it.is_armed)),
            Kind::Delete => done(is_fenced && old.is_none()),
        }
    }

    #[inline]
    pub(super) fn check(&self, check: Check, holds: bool, found: impl Into<Value>, against: impl Into<Value>) -> Step {
        if holds || self.without.has(check) { Ok(()) } else { Err(refusal(check, found, against)) }
    }
}

/// Whether what this gateway has sent this call for is under way: the same kind, about the same launch, and claimed by
/// nobody else.
#[inline]
pub(super) fn owns(state: &State, gateway: Gateway, call: Call) -> bool {
    let Row { phase, launch, owner, .. } = state.row;
    let is_it = call.kind.phase() == phase && call.launch == launch;
    is_it && owner.is_none_or(|owner| owner == gateway)
}
