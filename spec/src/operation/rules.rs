//! The rules: each arm asks, then writes, so that a refusal leaves the state as it was.

use super::action::{Action, Attempt, Conclusion};
use super::check::{Check, Checks};
use super::properties as noted;
use super::representative;
use super::state::*;
use crate::guard::{Guard, Value};
use crate::requirement::Requirement;

/// The decisions that people disagreed about. [`super::variants`] has the answers that were given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Guards that are left out.
    pub without: Checks,
    /// When an operation is claimed.
    pub claims: Claims,
    /// What an observer looks at before it takes the row for one on which nothing is under way.
    pub defers: Defers,
    /// Who may take over what is under way.
    pub recovers: Recovers,
    /// What is concluded from an observation.
    pub concludes: Concludes,
    /// Where it is kept how far in the provider's order the row has come.
    pub marks: Marks,
    /// Whether the row comes as far as an observation from which nothing follows.
    pub silence_moves_the_mark: bool,
    /// Whether a start that fails before anything was sent is settled like any other.
    pub early_failures_settle: bool,
    /// Whether a stop is admitted while a start is under way.
    pub stops_interrupt_starts: bool,
    /// Whether a deletion says that the computer is gone, and only then asks the provider.
    pub row_goes_first: bool,
    /// Whether a sweep may read the row again and keep what the provider has said before.
    pub keeps_what_was_seen: bool,
    /// Whether a sweep holds the gate while it reads the provider, and who finds it held leaves the cleanup to it.
    pub sweep_holds_the_gate: bool,
    /// Whether messages that are refused for ever are forgotten. A test shows that it makes no difference.
    pub forgets: bool,
    /// Whether a revision that no look holds is used again. A search does that, for revisions are compared for equality
    /// alone; a trace shows the true numbers.
    pub reuses_revisions: bool,
}

/// When an operation is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claims {
    /// In the write that begins it.
    WithTheTransition,
    /// In a write of its own, or never.
    Apart,
}

/// What an observer looks at before it takes the row for one on which nothing is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defers {
    /// The phase: a start without a claim is under way as well.
    ToOperations,
    /// The claim.
    ToClaims,
    /// Whether its own gateway drives an operation.
    ToTheLocalGate,
}

/// Who may take over what is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recovers {
    /// Anybody, if the owner is dead or there is none.
    FromTheDead,
    /// The same, but without an owner only whoever has begun it.
    FromTheDeadIfClaimed,
    /// Nobody.
    Never,
}

/// What is concluded from an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concludes {
    /// An exit is an error, and an error is over where the instance is up.
    Everything,
    /// Nothing leaves an error.
    NothingAfterAnError,
    /// An exit is not written.
    NoError,
}

/// Where it is kept how far in the provider's order the row has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marks {
    /// In the row.
    Durable,
    /// In the memory of each gateway, which acts on no report before it has read the provider itself.
    InMemoryAfterARead,
    /// In the memory of each gateway.
    InMemory,
}

pub(super) type Step = Result<(), Guard>;

impl Rules {
    /// Takes the step in place, or says why not.
    ///
    /// # Errors
    /// The first guard that the action fails; the state is then as it was.
    #[inline]
    pub fn apply(&self, state: &mut State, action: &Action) -> Step {
        self.step(state, action)?;
        self.close_up(state);
        Ok(())
    }

    #[inline]
    pub(super) fn close_up(&self, state: &mut State) {
        if self.reuses_revisions {
            representative::close_revisions(state);
        }
    }

    #[inline]
    fn step(&self, state: &mut State, action: &Action) -> Step {
        match *action {
            Action::Start(gateway, launch) => {
                self.start(state, gateway, launch, self.claims == Claims::WithTheTransition)
            }
            Action::StartUnclaimed(gateway, launch) => self.start(state, gateway, launch, false),
            Action::Stop(gateway) => self.stop(state, gateway),
            Action::Delete(gateway) => self.delete(state, gateway),
            Action::Recover(gateway, call) => self.recover(state, gateway, call),
            Action::Send(gateway, call) => self.send(state, gateway, call),
            Action::Arrive(call) => self.arrive(state, call),
            Action::Admit(launch) => self.admit(state, launch),
            Action::Hear(gateway, outcome, mark) => self.hear(state, gateway, outcome, mark),
            Action::Fail(gateway) => self.fail(state, gateway),
            Action::Settle(gateway, call, outcome) => self.settle(state, gateway, call, outcome),
            Action::Read(gateway, revision, launch) => self.read(state, gateway, revision, launch),
            Action::Get(gateway, observation) => self.get(state, gateway, observation),
            Action::Conclude(gateway, conclusion) => self.conclude(state, gateway, conclusion),
            Action::Exit(launch) => self.exit(state, launch),
            Action::Revive(launch) => self.revive(state, launch),
            Action::Vanish(launch) => self.vanish(state, launch),
            Action::Report(observation) => self.report(state, observation),
            Action::Deliver(gateway, observation, conclusion) => self.deliver(state, gateway, observation, conclusion),
            Action::Crash(dead, next) => self.crash(state, dead, next),
            Action::Yield(gateway) => self.leave(state, gateway),
            Action::Refuse(attempt, because) => self.refuse(state, attempt, because),
        }
    }

    // -- an operation begins, or is taken over

    fn start(&self, state: &mut State, gateway: Gateway, launch: Launch, is_claimed: bool) -> Step {
        self.memory(state, gateway)?;
        self.check_start(state)?;
        // RECONCILE-1: a launch that was minted before can still be named by a call that is on its way.
        let next = Launch(state.row.launch.0 + 1);
        self.check(Check::StartMintsNext, launch == next, launch, next)?;
        state.row.launch = launch;
        state.ghost.was_admitted = false;
        self.begin(state, gateway, Kind::Start, is_claimed);
        Ok(())
    }

    fn stop(&self, state: &mut State, gateway: Gateway) -> Step {
        self.memory(state, gateway)?;
        self.check_stop(state)?;
        self.begin(state, gateway, Kind::Stop, self.claims == Claims::WithTheTransition);
        Ok(())
    }

    fn delete(&self, state: &mut State, gateway: Gateway) -> Step {
        self.memory(state, gateway)?;
        self.check_delete(state)?;
        self.begin(state, gateway, Kind::Delete, self.claims == Claims::WithTheTransition);
        Ok(())
    }

    /// The phase, the launch and the claim are one write, so that nobody sees one without the others.
    fn begin(&self, state: &mut State, gateway: Gateway, kind: Kind, is_claimed: bool) {
        noted::an_operation_in_place_of_another(state, kind);
        let row = &mut state.row;
        row.revision.0 += 1;
        (row.phase, row.owner) = (kind.phase(), is_claimed.then_some(gateway));
        if kind == Kind::Delete && self.row_goes_first {
            (row.phase, row.owner) = (Phase::Gone, None);
        }
        let operation = Operation { kind, launch: row.launch, stage: Stage::Begun };
        // A driver that begins something else drops what it has driven, as the claim has.
        state.gateways.get_mut(gateway).into_iter().for_each(|memory| memory.operation = Some(operation));
        noted::an_operation_begins(state);
        self.forget(state);
    }

    fn recover(&self, state: &mut State, gateway: Gateway, call: Call) -> Step {
        self.memory(state, gateway)?;
        self.check_recover(state, gateway, call)?;
        let Call { kind, launch } = call;
        noted::a_claim_taken_from_the_living(state);
        noted::an_identity_changed(state, launch);
        if state.row.phase.under_way().is_none() {
            return Ok(());
        }
        state.row.launch = launch;
        state.row.revision.0 += 1;
        state.row.owner = Some(gateway);
        let operation = Operation { kind, launch, stage: Stage::Begun };
        state.gateways.get_mut(gateway).into_iter().for_each(|memory| memory.operation = Some(operation));
        self.forget(state);
        Ok(())
    }

    // -- an operation is done at the provider

    fn send(&self, state: &mut State, gateway: Gateway, call: Call) -> Step {
        // Whoever waits for too long may send the same call again. A search has no reason to: it finds nothing new.
        let ours = self.memory(state, gateway)?.operation.map(Operation::call);
        self.check(Check::CallIsOurs, ours == Some(call), call, ours)?;
        self.set_stage(state, gateway, Stage::Sent);
        state.calls.insert(call);
        self.forget(state);
        Ok(())
    }

    fn arrive(&self, state: &mut State, call: Call) -> Step {
        self.check_arrive(state, call)?;
        self.check(Check::CallWasSent, state.calls.contains(&call), call, Value::Nothing)?;
        let provider = &mut state.provider;
        // RECONCILE-6: what was asked for once is never brought up later, whoever asks again.
        provider.fence = provider.fence.max(Launch(call.launch.0 + 1));
        match call.kind {
            Kind::Start => {
                let instance = Instance { launch: call.launch, condition: Condition::Booting, is_armed: true };
                provider.instance = Some(instance);
            }
            Kind::Stop => {
                let stopped = provider.instance.as_mut().filter(|it| it.launch <= call.launch);
                stopped.into_iter().for_each(|it| (it.condition, it.is_armed) = (Condition::Exited, false));
            }
            Kind::Delete => provider.instance = provider.instance.filter(|it| it.launch > call.launch),
        }
        self.forget(state);
        Ok(())
    }

    fn admit(&self, state: &mut State, launch: Launch) -> Step {
        self.change(state, launch, |it| it.condition == Condition::Booting, |it| it.condition = Condition::Up)?;
        state.ghost.was_admitted |= launch == state.row.launch;
        Ok(())
    }

    fn hear(&self, state: &mut State, gateway: Gateway, outcome: Outcome, mark: Mark) -> Step {
        let operation = self.memory(state, gateway)?.operation.filter(|it| it.stage == Stage::Sent);
        let so = operation.and_then(|it| self.outcome(state, &it));
        self.check(Check::HearIsTrue, so == Some(outcome), outcome, so)?;
        self.check(Check::HearIsTrue, mark == state.provider.mark, mark, state.provider.mark)?;
        self.set_stage(state, gateway, Stage::Heard(outcome, mark));
        Ok(())
    }

    fn fail(&self, state: &mut State, gateway: Gateway) -> Step {
        let operation = self.memory(state, gateway)?.operation;
        let may_fail = operation.filter(|it| it.kind == Kind::Start && !matches!(it.stage, Stage::Heard(..)));
        self.check(Check::HearIsTrue, may_fail.is_some(), Outcome::Failed, Value::Nothing)?;
        // RECONCILE-18: whoever knows that nothing will come of it says so, or everybody waits for it.
        if may_fail.is_some_and(|it| it.stage == Stage::Begun) && !self.early_failures_settle {
            state.gateways.get_mut(gateway).into_iter().for_each(|memory| memory.operation = None);
        } else {
            self.set_stage(state, gateway, Stage::Heard(Outcome::Failed, Mark(0)));
        }
        Ok(())
    }

    fn settle(&self, state: &mut State, gateway: Gateway, call: Call, outcome: Outcome) -> Step {
        let operation = self.memory(state, gateway)?.operation;
        let mark = match operation.filter(|it| it.call() == call).map(|it| it.stage) {
            Some(Stage::Heard(heard, mark)) if heard == outcome => mark,
            Some(_) | None => return Err(refusal(Check::HearIsTrue, outcome, Value::Nothing)),
        };
        self.check_settle(state, gateway, call)?;
        noted::an_operation_settled_by_another(state, gateway, call);
        let phase = match (call.kind, outcome) {
            (Kind::Start, Outcome::Done) => Phase::Ready,
            (Kind::Start, Outcome::Failed) => Phase::Error,
            (Kind::Stop, _) => Phase::Stopped,
            (Kind::Delete, _) => Phase::Gone,
        };
        noted::ready_without_admission(state, phase);
        write(state, phase, mark);
        state.gateways.get_mut(gateway).into_iter().for_each(|memory| memory.operation = None);
        self.forget(state);
        Ok(())
    }

    // -- a sweep looks: at the row first, at the provider second

    fn read(&self, state: &mut State, gateway: Gateway, revision: Revision, launch: Launch) -> Step {
        let before = self.memory(state, gateway)?.look;
        let row = state.row;
        // RECONCILE-3: read after the provider, it would date what is old as new.
        self.check(Check::ReadIsTrue, revision == row.revision, revision, row.revision)?;
        self.check(Check::ReadIsTrue, launch == row.launch, launch, row.launch)?;
        let kept = before.filter(|_| self.keeps_what_was_seen);
        let overlaps = row.phase.under_way().is_some() || kept.is_some_and(|it| it.overlaps);
        let look = Look { revision, launch, seen: kept.and_then(|it| it.seen), overlaps };
        state.gateways.get_mut(gateway).into_iter().for_each(|memory| memory.look = Some(look));
        self.forget(state);
        Ok(())
    }

    fn get(&self, state: &mut State, gateway: Gateway, observation: Observation) -> Step {
        let look = self.memory(state, gateway)?.look.filter(|it| it.seen.is_none());
        let so = look.map(|it| observed(state, it.launch));
        self.check(Check::GetIsTrue, so == Some(observation), observation, so)?;
        let Some(memory) = state.gateways.get_mut(gateway) else { return Ok(()) };
        memory.look.iter_mut().for_each(|it| it.seen = Some(observation));
        self.has_come_to(memory, observation.mark);
        self.forget(state);
        Ok(())
    }

    fn conclude(&self, state: &mut State, gateway: Gateway, conclusion: Conclusion) -> Step {
        let (look, seen) = self.seen(state, gateway)?;
        self.check_follows(state, seen, conclusion)?;
        if conclusion != Conclusion::Nothing {
            self.check_conclude(state, gateway)?;
            noted::an_observation_over_an_operation(state, look.overlaps);
            noted::an_observation_that_goes_back(state, seen.mark < state.ghost.come_to);
            self.write_conclusion(state, gateway, seen, conclusion);
        } else if self.check_conclude(state, gateway).is_ok() {
            self.come_to(state, seen.mark);
        }
        state.gateways.get_mut(gateway).into_iter().for_each(|memory| memory.look = None);
        Ok(())
    }

    // -- the provider changes by itself, and tells

    fn exit(&self, state: &mut State, launch: Launch) -> Step {
        self.change(state, launch, Instance::runs, |it| it.condition = Condition::Exited)
    }

    fn revive(&self, state: &mut State, launch: Launch) -> Step {
        self.check_revive(state)?;
        self.change(state, launch, |it| !it.runs(), |it| it.condition = Condition::Booting)
    }

    fn vanish(&self, state: &mut State, launch: Launch) -> Step {
        self.change(state, launch, |_| true, |_| ())?;
        state.provider.instance = None;
        self.forget(state);
        Ok(())
    }

    fn report(&self, state: &mut State, observation: Observation) -> Step {
        let next = Mark(state.provider.mark.0 + 1);
        self.check(Check::ReportIsTrue, observation.mark == next, observation.mark, next)?;
        // A list may leave out what is there.
        let so = Observation { mark: next, ..observed(state, state.row.launch) };
        let left_out = Observation { launch: state.row.launch, seen: None, mark: next };
        self.check(Check::ReportIsTrue, observation == so || observation == left_out, observation, so)?;
        state.provider.mark = next;
        state.reports.insert(observation);
        self.forget(state);
        Ok(())
    }

    fn deliver(&self, state: &mut State, gateway: Gateway, report: Observation, conclusion: Conclusion) -> Step {
        self.memory(state, gateway)?;
        self.check(Check::ReportWasSent, state.reports.contains(&report), report, Value::Nothing)?;
        self.check_follows(state, report, conclusion)?;
        self.check_deliver(state, gateway, report)?;
        noted::an_observation_over_an_operation(state, false);
        state.gateways.get_mut(gateway).into_iter().for_each(|memory| self.has_come_to(memory, report.mark));
        if conclusion == Conclusion::Nothing {
            self.come_to(state, report.mark);
        } else {
            noted::an_observation_that_goes_back(state, report.mark <= state.ghost.come_to);
            self.write_conclusion(state, gateway, report, conclusion);
        }
        Ok(())
    }

    fn write_conclusion(&self, state: &mut State, gateway: Gateway, seen: Observation, conclusion: Conclusion) {
        noted::an_observation_of_another_launch(state, &seen);
        noted::an_observation_that_counts(state, seen.mark);
        match conclusion {
            Conclusion::Nothing => {}
            Conclusion::Ready => {
                noted::ready_without_admission(state, Phase::Ready);
                write(state, Phase::Ready, seen.mark);
            }
            Conclusion::Error => write(state, Phase::Error, seen.mark),
            Conclusion::Prune => {
                noted::a_deletion_of_what_runs(state);
                state.row.mark = state.row.mark.max(seen.mark);
                self.begin(state, gateway, Kind::Delete, self.claims == Claims::WithTheTransition);
            }
        }
        self.forget(state);
    }

    // -- a gateway dies, or leaves its work to another

    fn crash(&self, state: &mut State, dead: Gateway, next: Gateway) -> Step {
        self.memory(state, dead)?;
        let newest = state.gateways.iter().map(|memory| memory.gateway).chain(state.row.owner).max();
        self.check(Check::GatewayIsNew, Some(next) > newest, next, newest)?;
        state.gateways.replace(dead, next);
        Ok(())
    }

    fn leave(&self, state: &mut State, gateway: Gateway) -> Step {
        let memory = *self.memory(state, gateway)?;
        // RECONCILE-18: whoever holds a gate may be busy with something else, and never look.
        let is_a_deletion = memory.operation.is_some_and(|it| it.kind == Kind::Delete);
        let is_left = self.sweep_holds_the_gate && memory.look.is_some() && is_a_deletion;
        self.check(Check::CleanupIsOurs, is_left, gateway, "the owner of the operation")?;
        state.gateways.get_mut(gateway).into_iter().for_each(|memory| memory.operation = None);
        Ok(())
    }

    // -- a refusal

    fn refuse(&self, state: &mut State, attempt: Attempt, because: Requirement) -> Step {
        let verdict = match attempt {
            Attempt::Start(_) => self.check_start(state),
            Attempt::Stop(_) => self.check_stop(state),
            Attempt::Delete(_) => self.check_delete(state),
            Attempt::Recover(gateway, call) => self.check_recover(state, gateway, call),
            Attempt::Arrive(call) => self.check_arrive(state, call),
            Attempt::Settle(gateway, call) => self.check_settle(state, gateway, call),
            Attempt::Conclude(gateway, _) => self.check_conclude(state, gateway),
            Attempt::Deliver(gateway, report) => self.check_deliver(state, gateway, report),
            Attempt::Revive(_) => self.check_revive(state),
        };
        // RECONCILE-17: whoever has lost to another is told so, and not that it failed.
        let cause = verdict.err().map(|guard| guard.requirement);
        self.check(Check::RefusalHasThatCause, cause == Some(because), because, Value::Cause(cause))?;
        match attempt {
            Attempt::Stop(_) => noted::a_stop_refused(state),
            Attempt::Settle(gateway, call) => {
                let memory = state.gateways.get_mut(gateway).into_iter();
                memory.for_each(|memory| memory.operation = memory.operation.filter(|it| it.call() != call));
            }
            Attempt::Conclude(gateway, conclusion) => {
                let (_, seen) = self.seen(state, gateway)?;
                self.check_follows(state, seen, conclusion)?;
                state.gateways.get_mut(gateway).into_iter().for_each(|memory| memory.look = None);
            }
            Attempt::Start(_)
            | Attempt::Delete(_)
            | Attempt::Recover(..)
            | Attempt::Arrive(_)
            | Attempt::Deliver(..)
            | Attempt::Revive(_) => {}
        }
        Ok(())
    }

    // -- what several steps do

    fn set_stage(&self, state: &mut State, gateway: Gateway, stage: Stage) {
        let operation = state.gateways.get_mut(gateway).and_then(|memory| memory.operation.as_mut());
        operation.into_iter().for_each(|operation| operation.stage = stage);
    }

    /// Nothing follows from an observation, and yet it counts: nothing older must be written over it. Of what is
    /// stopped or gone nothing is written until another launch is.
    fn come_to(&self, state: &mut State, mark: Mark) {
        noted::an_observation_that_counts(state, mark);
        let matters = matches!(state.row.phase, Phase::Ready | Phase::Error);
        // RECONCILE-11: an exit that comes late would be written over the news that the instance is up again.
        if self.silence_moves_the_mark && matters && mark > state.row.mark {
            state.row.mark = mark;
            state.row.revision.0 += 1;
            self.forget(state);
        }
    }

    fn has_come_to(&self, memory: &mut Memory, mark: Mark) {
        if self.marks != Marks::Durable {
            memory.heard = memory.heard.max(Some(mark));
        }
    }

    /// Changes the instance of this launch, if there is one of which the test is true.
    fn change(
        &self,
        state: &mut State,
        launch: Launch,
        is_so: impl Fn(&Instance) -> bool,
        change: impl Fn(&mut Instance),
    ) -> Step {
        let there = state.provider.instance;
        let it_is = there.is_some_and(|it| it.launch == launch && is_so(&it));
        self.check(Check::ConditionIsSo, it_is, launch, there.map(|it| it.launch))?;
        state.provider.instance.iter_mut().for_each(change);
        Ok(())
    }
}

/// Nothing is under way any more.
fn write(state: &mut State, phase: Phase, mark: Mark) {
    let row = &mut state.row;
    (row.phase, row.owner) = (phase, None);
    row.revision.0 += 1;
    row.mark = row.mark.max(mark);
    noted::an_observation_that_counts(state, mark);
}

/// What a read of this launch tells.
pub fn observed(state: &State, asked: Launch) -> Observation {
    let Provider { instance, mark, .. } = state.provider;
    Observation { launch: instance.map_or(asked, |it| it.launch), seen: instance.map(|it| it.condition), mark }
}

#[inline]
pub(super) fn refusal(check: Check, found: impl Into<Value>, against: impl Into<Value>) -> Guard {
    Guard { requirement: check.requirement(), found: found.into(), against: against.into() }
}
