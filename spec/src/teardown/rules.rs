//! The rules: each arm asks, then writes, so that a refusal leaves the state as it was. What forbids a step is in
//! `guards.rs`; what it does to the pointers is in `pointers.rs`.

use super::action::{Action, Attempt, Count, Restored};
use super::check::{Check, Checks};
use super::pointers::unclaim;
use super::properties as noted;
use super::state::*;
use crate::guard::{Guard, Value};
use crate::requirement::Requirement;

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

    // -- the owner

    fn own(&self, state: &mut State, owner: Owner) -> Step {
        let Tenure { owner: before, phase, .. } = state.tenure;
        let is_next = phase == OwnerPhase::Purged && owner.0 == before.0 + 1;
        self.check(Check::OwnerIsNext, is_next, owner, before)?;
        (state.tenure.owner, state.tenure.phase) = (owner, OwnerPhase::Active);
        Ok(())
    }

    fn trash(&self, state: &mut State) -> Step {
        let phase = state.tenure.phase;
        self.check(Check::OwnerIsActive, phase == OwnerPhase::Active, phase, OwnerPhase::Active)?;
        state.tenure.phase = OwnerPhase::Trashed;
        state.tenure.trashes.0 += 1;
        (state.ghost.had_record, state.ghost.is_requested) = (state.record.is_some(), false);
        // PURGE-8: what can be taken back takes nothing away.
        if !self.trash_keeps_the_record {
            self.lose_record(state);
        }
        Ok(())
    }

    fn request(&self, state: &mut State) -> Step {
        // RECONCILE-24: what is hidden can be restored, so that to be hidden licenses nothing.
        let is_live = state.record.is_some_and(|record| record.phase == Phase::Live);
        let phase = state.tenure.phase;
        let is_possible = phase == OwnerPhase::Trashed && is_live;
        self.check(Check::RequestIsOfTheTrashed, is_possible, phase, OwnerPhase::Trashed)?;
        let trashes = state.tenure.trashes;
        state.record.iter_mut().for_each(|record| record.requested = Some(trashes));
        state.ghost.is_requested = true;
        Ok(())
    }

    fn restore(&self, state: &mut State, restored: Restored) -> Step {
        let phase = state.tenure.phase;
        self.check(Check::OwnerIsTrashed, phase == OwnerPhase::Trashed, phase, OwnerPhase::Trashed)?;
        // RECONCILE-26: the kill may be on its way, so that the claim stays, and is told.
        let is_lost = match state.record.map(|record| record.phase) {
            Some(Phase::Killing) => !self.restore_unclaims,
            Some(Phase::TornDown) => true,
            Some(Phase::Live) | None => false,
        };
        let so = if is_lost { Restored::InstanceLost } else { Restored::Whole };
        self.check(Check::RestoreTellsTheLoss, restored == so, restored, so)?;
        if self.restore_unclaims {
            unclaim(state);
        }
        noted::a_restore(state, restored);
        state.tenure.phase = OwnerPhase::Active;
        state.ghost.is_requested = false;
        self.void(state);
        Ok(())
    }

    fn purge(&self, state: &mut State) -> Step {
        self.check_purge(state)?;
        state.tenure.phase = OwnerPhase::Purged;
        self.lose_record(state);
        // PURGE-3: a call to create may still be on its way.
        if !self.purge_keeps_intents {
            state.intents = Default::default();
        }
        self.license_the_quarantined(state);
        // PURGE-9: what nobody could kill is alive, whoever has paid for it.
        if !self.purge_keeps_dead_letters {
            noted::dead_letters_go(state);
            state.pointers.retain(|pointer| pointer.place != Place::DeadLetters);
        }
        Ok(())
    }

    fn delete(&self, state: &mut State) -> Step {
        self.check(Check::ConditionIsSo, state.record.is_some(), "a record", Value::Nothing)?;
        self.lose_record(state);
        state.ghost.had_record = false;
        Ok(())
    }

    fn renew(&self, state: &mut State) -> Step {
        self.check_renew(state)?;
        noted::an_instance_is_promised(state);
        state.record.iter_mut().for_each(|record| record.is_overdue = false);
        Ok(())
    }

    fn attach(&self, state: &mut State, instance: Instance) -> Step {
        self.check_attach(state)?;
        let recorded = state.record.map(|record| record.instance);
        self.check(Check::AnswerIsTrue, recorded == Some(instance), instance, recorded)?;
        noted::an_instance_is_given(state, instance);
        Ok(())
    }

    fn expire(&self, state: &mut State) -> Step {
        let runs = state.record.filter(|record| record.phase == Phase::Live && !record.is_overdue);
        self.check(Check::ConditionIsSo, runs.is_some(), "a deadline", Value::Nothing)?;
        state.record.iter_mut().for_each(|record| record.is_overdue = true);
        Ok(())
    }

    // -- an instance is created

    fn intend(&self, state: &mut State, token: Token) -> Step {
        self.check_intend(state)?;
        self.check(Check::TokenIsNew, token > state.newest_token, token, state.newest_token)?;
        state.newest_token = token;
        state.intents.insert(Intent { token, owner: state.tenure.owner });
        Ok(())
    }

    fn call(&self, state: &mut State, token: Token) -> Step {
        // PURGE-3: whoever calls may die before it hears, and then nobody would know what to look for.
        let is_intended = state.intents.iter().any(|intent| intent.token == token);
        self.check(Check::CallIsIntended, is_intended, token, Value::Nothing)?;
        state.newest_token = state.newest_token.max(token);
        state.creates.insert(token);
        Ok(())
    }

    fn create(&self, state: &mut State, token: Token, instance: Instance) -> Step {
        self.check(Check::CreateWasSent, state.creates.contains(&token), token, Value::Nothing)?;
        self.check_create(state, token)?;
        let intended = state.intents.iter().find(|intent| intent.token == token).map(|intent| intent.owner);
        let owner = intended.or(Some(state.tenure.owner));
        self.make(state, Made { instance, token: Some(token), owner, lives: true, is_cut_off: false })
    }

    fn make(&self, state: &mut State, made: Made) -> Step {
        let provider = &mut state.provider;
        let is_free = !provider.world.is_exclusive() || provider.holder().is_none();
        self.check(Check::NameIsHeldByOne, is_free, made.instance, provider.holder())?;
        self.check(Check::InstanceIsNew, made.instance > provider.newest, made.instance, provider.newest)?;
        provider.newest = made.instance;
        provider.made.insert(made);
        Ok(())
    }

    fn revoke(&self, state: &mut State, token: Token) -> Step {
        self.check_open(state, token)?;
        // PURGE-4: an answer that never comes keeps nobody waiting.
        self.check(Check::TokenCreatesOnce, self.revokes, token, "a provider that can revoke")?;
        // PURGE-11: what was created for it is told instead.
        let made = state.provider.made_for(token).map(|made| made.instance);
        self.check(Check::TokenCreatesOnce, made.is_none(), token, made)?;
        state.provider.revoked.insert(token);
        Ok(())
    }

    fn record(&self, state: &mut State, token: Token, instance: Instance) -> Step {
        self.check_record(state, token)?;
        self.check(Check::RecordKnowsItsInstance, instance != UNKNOWN, instance, "an id that somebody knows")?;
        let made = state.provider.made_for(token).map(|made| made.instance);
        let is_true = made.is_some() && (made == Some(instance) || instance == UNKNOWN);
        self.check(Check::AnswerIsTrue, is_true, instance, made)?;
        state.intents.retain(|intent| intent.token != token);
        self.write_record(state, instance);
        Ok(())
    }

    fn orphan(&self, state: &mut State, token: Token, instance: Instance) -> Step {
        self.check_open(state, token)?;
        let made = state.provider.made_for(token).map(|made| made.instance);
        self.check(Check::AnswerIsTrue, made == Some(instance), instance, made)?;
        state.intents.retain(|intent| intent.token != token);
        self.put_into_the_outbox(state, instance);
        Ok(())
    }

    fn close(&self, state: &mut State, token: Token) -> Step {
        self.check_close(state, token)?;
        state.intents.retain(|intent| intent.token != token);
        Ok(())
    }

    // -- the provider changes by itself

    fn intrude(&self, state: &mut State, instance: Instance) -> Step {
        self.make(state, Made { instance, lives: true, ..Made::default() })
    }

    fn die(&self, state: &mut State, instance: Instance) -> Step {
        self.check_condition(state, instance, |made| made.lives)?;
        state.provider.change(instance, |made| made.lives = false);
        Ok(())
    }

    fn cut_off(&self, state: &mut State, instance: Instance) -> Step {
        self.check_condition(state, instance, |made| made.lives && !made.is_cut_off)?;
        state.provider.change(instance, |made| made.is_cut_off = true);
        Ok(())
    }

    /// Whoever fences a node answers for what is on it.
    fn fence(&self, state: &mut State, instance: Instance) -> Step {
        self.check_condition(state, instance, |made| made.is_cut_off)?;
        state.provider.change(instance, |made| (made.lives, made.is_cut_off) = (false, false));
        Ok(())
    }

    fn quarantine(&self, state: &mut State, instance: Instance) -> Step {
        let is_seen = state.provider.get(instance).is_some_and(|made| made.lives && !made.is_cut_off);
        self.check(Check::QuarantineIsConfirmed, is_seen, instance, Value::Nothing)?;
        self.check(Check::QuarantineIsUnnamed, state.names(instance) == 0, instance, "a row that names it")?;
        self.point(state, instance, Place::Quarantine);
        Ok(())
    }

    // -- a worker kills what is due

    fn list(&self, state: &mut State, worker: Worker, instance: Instance, found: Found) -> Step {
        self.check(Check::WorkerIsIdle, state.errand(worker).is_none(), worker, "a worker that does nothing")?;
        self.check(Check::ListIsTrue, self.is_due(state, instance, found), instance, "what is due")?;
        self.set(state, worker, Some(Errand { instance, found, stage: Stage::Listed }));
        Ok(())
    }

    fn claim(&self, state: &mut State, worker: Worker, instance: Instance) -> Step {
        let errand = self.check_claim(state, worker, instance)?;
        if self.claims != Claims::Nothing {
            noted::a_claim(state);
        }
        let Some(record) = state.record.as_mut() else { return Ok(()) };
        match self.claims {
            Claims::Killing => record.phase = Phase::Killing,
            Claims::TornDown => *record = torn_down(),
            Claims::Nothing => {}
        }
        self.set(state, worker, Some(Errand { found: Found::Claimed, ..errand }));
        Ok(())
    }

    fn send(&self, state: &mut State, worker: Worker, instance: Instance) -> Step {
        let errand = self.errand(state, worker, instance, |stage| stage == Stage::Listed)?;
        // RECONCILE-23: what its record holds is claimed first.
        let is_licensed = matches!(errand.found, Found::Claimed | Found::Pointer(Place::Outbox));
        self.check(Check::KillIsLicensed, is_licensed, instance, "what is claimed, or in the outbox")?;
        state.kills.insert(instance);
        self.set(state, worker, Some(Errand { stage: Stage::Sent { has_killed: false }, ..errand }));
        Ok(())
    }

    fn kill(&self, state: &mut State, instance: Instance) -> Step {
        self.check(Check::KillWasSent, state.kills.contains(&instance), instance, Value::Nothing)?;
        self.check_kill(state, instance)?;
        // Without the guard, whoever holds the name.
        let Some(victim) = state.provider.real(instance).or(state.provider.holder()) else {
            return Err(refusal(Check::KillIsExpected, Value::Nothing, instance));
        };
        self.check_reached(state, victim)?;
        match state.provider.world {
            World::Atomic | World::SharedNames => self.strike(state, victim, instance),
            World::CheckThenAct => {
                self.check_gate_of_kill(state)?;
                state.kills.retain(|it| *it != instance);
                state.provider.deletes.insert(instance);
            }
        }
        Ok(())
    }

    fn land(&self, state: &mut State, expected: Instance) -> Step {
        self.lose(state, expected)?;
        if let Some(victim) = state.provider.holder() {
            self.strike(state, victim, expected);
        }
        Ok(())
    }

    fn lose(&self, state: &mut State, expected: Instance) -> Step {
        let is_under_way = state.provider.deletes.contains(&expected);
        self.check(Check::DeleteIsUnderWay, is_under_way, expected, Value::Nothing)?;
        state.provider.deletes.retain(|it| *it != expected);
        Ok(())
    }

    fn strike(&self, state: &mut State, victim: Instance, expected: Instance) {
        noted::a_kill(state, victim);
        state.provider.change(victim, |made| made.lives = false);
        for errand in state.workers.iter_mut().flatten() {
            if errand.instance == expected && matches!(errand.stage, Stage::Sent { .. }) {
                errand.stage = Stage::Sent { has_killed: true };
            }
        }
    }

    fn hear(&self, state: &mut State, worker: Worker, answer: Answer) -> Step {
        let errand = state.errand(worker).filter(|errand| self.may_hear(state, errand, answer));
        let Some(errand) = errand else { return Err(refusal(Check::HearIsTrue, answer, Value::Nothing)) };
        self.set(state, worker, Some(Errand { stage: Stage::Heard(answer), ..errand }));
        Ok(())
    }

    fn release(&self, state: &mut State, worker: Worker, count: Count) -> Step {
        let (errand, answer) = self.check_release(state, worker)?;
        let so = self.counted(state, &errand, answer);
        self.check(Check::CountIsTrue, count == so, count, so)?;
        noted::a_count(state, &errand, answer, count);
        let others = noted::others(state, errand.instance);
        self.release_pointers(state, errand.instance);
        noted::a_release(state, &others);
        if let Answer::Replaced(actual) = answer {
            self.replaced(state, actual);
            noted::an_instance_was_seen(state, actual);
        }
        self.set(state, worker, None);
        Ok(())
    }

    fn note(&self, state: &mut State, worker: Worker) -> Step {
        let errand = self.check_doubt(state, worker)?;
        let is_last = self.is_last_attempt(state, errand.instance);
        self.check(Check::GivesUpAtTheBound, !is_last, "another attempt", "the bound")?;
        self.try_again(state, errand.instance);
        self.set(state, worker, None);
        Ok(())
    }

    fn give_up(&self, state: &mut State, worker: Worker) -> Step {
        let errand = self.check_doubt(state, worker)?;
        // RECONCILE-33: what may still be killed is not given up, and what cannot is seen by a person.
        let is_last = self.is_last_attempt(state, errand.instance);
        self.check(Check::GivesUpAtTheBound, is_last, "the end of attempts", "the bound")?;
        self.give_up_pointer(state, errand.instance);
        self.set(state, worker, None);
        Ok(())
    }

    fn crash(&self, state: &mut State, worker: Worker) -> Step {
        let errand = state.errand(worker);
        self.check(Check::ErrandIsThis, errand.is_some(), worker, "a worker that does something")?;
        self.set(state, worker, None);
        Ok(())
    }

    // -- others look

    fn meter(&self, state: &mut State, instance: Instance, runs: bool) -> Step {
        let lives = state.provider.get(instance).is_some_and(|made| made.lives);
        // RECONCILE-37: a record is late, and it is not what is paid for.
        let is_recorded = state.record.is_some_and(|record| record.names(instance));
        let so = if self.meters_the_record { is_recorded } else { lives };
        self.check(Check::MeterIsTrue, runs == so, in_words(runs), in_words(so))?;
        noted::a_meter_reading(state, runs != lives);
        Ok(())
    }

    fn adopt(&self, state: &mut State, instance: Instance) -> Step {
        // PURGE-6: a name says nothing of whom an instance was made for.
        let may = self.may_adopt(state, instance);
        self.check(Check::NothingIsAdopted, may, instance, "what was created for its owner")?;
        self.write_record(state, instance);
        noted::an_instance_is_wanted(state, instance);
        Ok(())
    }

    fn refuse(&self, state: &mut State, attempt: Attempt, because: Requirement) -> Step {
        // RECONCILE-17: a caller acts upon the reason.
        let cause = self.cause(state, attempt);
        self.check(Check::RefusalHasThatCause, cause == Some(because), because, Value::Cause(cause))?;
        match attempt {
            Attempt::Claim(worker, _) => self.set(state, worker, None),
            Attempt::Purge => noted::a_purge_is_refused(state),
            Attempt::Renew
            | Attempt::Attach
            | Attempt::Intend
            | Attempt::Create(_)
            | Attempt::Record(_)
            | Attempt::Close(_)
            | Attempt::Kill(_) => {}
        }
        Ok(())
    }

    fn set(&self, state: &mut State, worker: Worker, errand: Option<Errand>) {
        state.workers.get_mut(worker.place()).into_iter().for_each(|it| *it = errand);
    }
}

/// The record without its instance.
pub(super) fn torn_down() -> Record {
    Record { phase: Phase::TornDown, ..Record::default() }
}

fn in_words(runs: bool) -> &'static str {
    if runs { "it runs" } else { "it does not run" }
}

#[cold]
pub(super) fn refusal(check: Check, found: impl Into<Value>, against: impl Into<Value>) -> Guard {
    Guard { requirement: check.requirement(), found: found.into(), against: against.into() }
}
