//! The rules: what can be decided one way or another, and which step each action is. A step asks, then writes, so
//! that a refusal leaves the state as it was: see `steps.rs`. What forbids it is in `guards.rs`; what it does to the
//! pointers is in `pointers.rs`.

use super::action::Action;
use super::check::{Check, Checks};
use super::properties as noted;
use super::state::*;
use crate::guard::{Guard, Value};

/// The decisions that people disagreed about. [`super::variants`] has the answers that were given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Guards that are left out.
    pub without: Checks,
    /// How often a kill may prove nothing before its pointer is given up.
    pub most_attempts: u32,
    /// What puts an instance that its record loses into the outbox.
    pub rescues: Rescues,
    /// Whether the outbox holds one pointer at most for each name.
    pub outbox_by_name: bool,
    /// Whether a trash leaves the record.
    pub trash_keeps_the_record: bool,
    /// Whether a restore, and whatever is recorded, voids the request of a teardown.
    pub voids: bool,
    /// Whether a restore takes a claim back.
    pub restore_unclaims: bool,
    /// Whether a purge waits until nothing lives.
    pub purge_waits: bool,
    /// Whether an open intent outlives its owner.
    pub purge_keeps_intents: bool,
    /// Whether a dead letter outlives its owner.
    pub purge_keeps_dead_letters: bool,
    /// Whether an instance that takes the place of a live one is written into the record.
    pub reconnect_records: bool,
    /// Whether an instance that is written into a record clears what says that it is torn down.
    pub record_clears_the_stamp: bool,
    /// Whether a token can be revoked at the provider.
    pub revokes: bool,
    /// What a claim writes.
    pub claims: Claims,
    /// Whether a claim whose worker has died is driven again.
    pub resumes: bool,
    /// How long nothing is created at a name where a kill is two steps.
    pub gate: Gate,
    /// Whether a proof of death releases whatever is at the name.
    pub releases_by_name: bool,
    /// Whether it is a failure that the instance is gone.
    pub gone_is_failure: bool,
    /// What is done about an instance that is found in the place of a dead one.
    pub replaced: Replaced,
    /// Whether a kill that proves nothing takes its claim back.
    pub failure_unclaims: bool,
    /// What becomes of a pointer at the bound.
    pub gives_up: GivesUp,
    /// What is due first.
    pub due: Due,
    /// Which instance a record may take over.
    pub adopts: Adopts,
    /// Whether the meter reads the record, and not the provider.
    pub meters_the_record: bool,
    /// Whether messages that are refused for ever are forgotten. A test shows that it makes no difference.
    pub forgets: bool,
    /// Whether the observer watches single pointers: what must come about of each is asked of these.
    pub watches: bool,
}

/// What puts an instance that its record loses into the outbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rescues {
    /// Whatever deletes the record, and whatever overwrites its instance.
    EveryLoss,
    /// What deletes the record.
    Deletes,
    /// Nothing.
    Nothing,
}

/// What a claim writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claims {
    /// That the instance is being killed.
    Killing,
    /// That it is torn down.
    TornDown,
    /// Nothing: what licenses the kill is only read once more.
    Nothing,
}

/// How long nothing is created at a name where a kill is two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// Until the delete can no longer land.
    UntilItLands,
    /// As long as the worker lives that has sent it.
    WithItsWorker,
    /// Nobody waits for anybody.
    Open,
}

/// What is done about an instance that is found in the place of a dead one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replaced {
    /// It is quarantined, if nothing durable names it.
    QuarantinesTheUnnamed,
    /// It is quarantined, if no record names it.
    QuarantinesTheUnrecorded,
    /// Nothing.
    Releases,
    /// It is killed next.
    Chases,
    /// It is killed next, if nothing durable names it.
    ChasesTheUnnamed,
    /// The kill has failed.
    Fails,
}

/// What becomes of a pointer at the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivesUp {
    /// It is a dead letter.
    ToDeadLetters,
    /// It is dropped.
    Forgets,
    /// There is no bound.
    Never,
}

/// What is due first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// What has waited longest since it was put into the order, or tried.
    ByTurn,
    /// What is oldest, tried or not.
    ByAge,
    /// What was tried least.
    ByAttempts,
}

/// Which instance a record may take over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adopts {
    /// None.
    Nothing,
    /// The one that holds the name, if no record names it.
    TheHolder,
    /// One that is in quarantine.
    TheQuarantined,
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
        self.put_in_order(state);
        self.forget(state);
        if self.watches && !action.only_looks() {
            noted::watch(state);
        }
        Ok(())
    }

    #[inline]
    fn step(&self, state: &mut State, action: &Action) -> Step {
        match *action {
            Action::Own(owner) => self.own(state, owner),
            Action::Trash => self.trash(state),
            Action::Request => self.request(state),
            Action::Restore(restored) => self.restore(state, restored),
            Action::Purge => self.purge(state),
            Action::Delete => self.delete(state),
            Action::Renew => self.renew(state),
            Action::Attach(instance) => self.attach(state, instance),
            Action::Expire => self.expire(state),
            Action::Intend(token) => self.intend(state, token),
            Action::Call(token) => self.call(state, token),
            Action::Create(token, instance) => self.create(state, token, instance),
            Action::Revoke(token) => self.revoke(state, token),
            Action::Record(token, instance) => self.record(state, token, instance),
            Action::Orphan(token, instance) => self.orphan(state, token, instance),
            Action::Close(token) => self.close(state, token),
            Action::Intrude(instance) => self.intrude(state, instance),
            Action::Die(instance) => self.die(state, instance),
            Action::CutOff(instance) => self.cut_off(state, instance),
            Action::Fence(instance) => self.fence(state, instance),
            Action::Quarantine(instance) => self.quarantine(state, instance),
            Action::List(worker, instance, found) => self.list(state, worker, instance, found),
            Action::Claim(worker, instance) => self.claim(state, worker, instance),
            Action::Send(worker, instance) => self.send(state, worker, instance),
            Action::Kill(instance) => self.kill(state, instance),
            Action::Land(instance) => self.land(state, instance),
            Action::Lose(instance) => self.lose(state, instance),
            Action::Hear(worker, answer) => self.hear(state, worker, answer),
            Action::Release(worker, count) => self.release(state, worker, count),
            Action::Note(worker) => self.note(state, worker),
            Action::GiveUp(worker) => self.give_up(state, worker),
            Action::Crash(worker) => self.crash(state, worker),
            Action::Meter(instance, runs) => self.meter(state, instance, runs),
            Action::Adopt(instance) => self.adopt(state, instance),
            Action::Refuse(attempt, because) => self.refuse(state, attempt, because),
        }
    }
}

/// The record without its instance.
pub(super) fn torn_down() -> Record {
    Record { phase: Phase::TornDown, ..Record::default() }
}

#[cold]
pub(super) fn refusal(check: Check, found: impl Into<Value>, against: impl Into<Value>) -> Guard {
    Guard { requirement: check.requirement(), found: found.into(), against: against.into() }
}
