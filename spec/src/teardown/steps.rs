//! What each step does: it asks, then writes.

use super::action::{Attempt, Count, Restored};
use super::check::Check;
use super::pointers::unclaim;
use super::properties as noted;
use super::rules::{Claims, Rules, Step, refusal, torn_down};
use super::state::*;
use crate::guard::Value;
use crate::requirement::Requirement;

impl Rules {
    // -- the owner

    pub(super) fn own(&self, state: &mut State, owner: Owner) -> Step {
        let Tenure { owner: before, phase, .. } = state.tenure;
        let is_next = phase == OwnerPhase::Purged && owner.0 == before.0 + 1;
        self.check(Check::OwnerIsNext, is_next, owner, before)?;
        (state.tenure.owner, state.tenure.phase) = (owner, OwnerPhase::Active);
        Ok(())
    }

    pub(super) fn trash(&self, state: &mut State) -> Step {
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

    pub(super) fn request(&self, state: &mut State) -> Step {
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

    pub(super) fn restore(&self, state: &mut State, restored: Restored) -> Step {
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

    pub(super) fn purge(&self, state: &mut State) -> Step {
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

    pub(super) fn delete(&self, state: &mut State) -> Step {
        self.check(Check::ConditionIsSo, state.record.is_some(), "a record", Value::Nothing)?;
        self.lose_record(state);
        state.ghost.had_record = false;
        Ok(())
    }

    pub(super) fn renew(&self, state: &mut State) -> Step {
        self.check_renew(state)?;
        noted::an_instance_is_promised(state);
        state.record.iter_mut().for_each(|record| record.is_overdue = false);
        Ok(())
    }

    pub(super) fn attach(&self, state: &mut State, instance: Instance) -> Step {
        self.check_attach(state)?;
        let recorded = state.record.map(|record| record.instance);
        self.check(Check::AnswerIsTrue, recorded == Some(instance), instance, recorded)?;
        noted::an_instance_is_given(state, instance);
        Ok(())
    }

    pub(super) fn expire(&self, state: &mut State) -> Step {
        let runs = state.record.filter(|record| record.phase == Phase::Live && !record.is_overdue);
        self.check(Check::ConditionIsSo, runs.is_some(), "a deadline", Value::Nothing)?;
        state.record.iter_mut().for_each(|record| record.is_overdue = true);
        Ok(())
    }

    // -- an instance is created

    pub(super) fn intend(&self, state: &mut State, token: Token) -> Step {
        self.check_intend(state)?;
        self.check(Check::TokenIsNew, token > state.newest_token, token, state.newest_token)?;
        state.newest_token = token;
        state.intents.insert(Intent { token, owner: state.tenure.owner });
        Ok(())
    }

    pub(super) fn call(&self, state: &mut State, token: Token) -> Step {
        // PURGE-3: whoever calls may die before it hears, and then nobody would know what to look for.
        let is_intended = state.intents.iter().any(|intent| intent.token == token);
        self.check(Check::CallIsIntended, is_intended, token, Value::Nothing)?;
        state.newest_token = state.newest_token.max(token);
        state.creates.insert(token);
        Ok(())
    }

    pub(super) fn create(&self, state: &mut State, token: Token, instance: Instance) -> Step {
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

    pub(super) fn revoke(&self, state: &mut State, token: Token) -> Step {
        self.check_open(state, token)?;
        // PURGE-4: an answer that never comes keeps nobody waiting.
        self.check(Check::TokenCreatesOnce, self.revokes, token, "a provider that can revoke")?;
        // PURGE-11: what was created for it is told instead.
        let made = state.provider.made_for(token).map(|made| made.instance);
        self.check(Check::TokenCreatesOnce, made.is_none(), token, made)?;
        state.provider.revoked.insert(token);
        Ok(())
    }

    pub(super) fn record(&self, state: &mut State, token: Token, instance: Instance) -> Step {
        self.check_record(state, token)?;
        self.check(Check::RecordKnowsItsInstance, instance != UNKNOWN, instance, "an id that somebody knows")?;
        let made = state.provider.made_for(token).map(|made| made.instance);
        let is_true = made.is_some() && (made == Some(instance) || instance == UNKNOWN);
        self.check(Check::AnswerIsTrue, is_true, instance, made)?;
        state.intents.retain(|intent| intent.token != token);
        self.write_record(state, instance);
        Ok(())
    }

    pub(super) fn orphan(&self, state: &mut State, token: Token, instance: Instance) -> Step {
        self.check_open(state, token)?;
        let made = state.provider.made_for(token).map(|made| made.instance);
        self.check(Check::AnswerIsTrue, made == Some(instance), instance, made)?;
        state.intents.retain(|intent| intent.token != token);
        self.put_into_the_outbox(state, instance);
        Ok(())
    }

    pub(super) fn close(&self, state: &mut State, token: Token) -> Step {
        self.check_close(state, token)?;
        state.intents.retain(|intent| intent.token != token);
        Ok(())
    }

    // -- the provider changes by itself

    pub(super) fn intrude(&self, state: &mut State, instance: Instance) -> Step {
        self.make(state, Made { instance, lives: true, ..Made::default() })
    }

    pub(super) fn die(&self, state: &mut State, instance: Instance) -> Step {
        self.check_condition(state, instance, |made| made.lives)?;
        state.provider.change(instance, |made| made.lives = false);
        Ok(())
    }

    pub(super) fn cut_off(&self, state: &mut State, instance: Instance) -> Step {
        self.check_condition(state, instance, |made| made.lives && !made.is_cut_off)?;
        state.provider.change(instance, |made| made.is_cut_off = true);
        Ok(())
    }

    /// Whoever fences a node answers for what is on it.
    pub(super) fn fence(&self, state: &mut State, instance: Instance) -> Step {
        self.check_condition(state, instance, |made| made.is_cut_off)?;
        state.provider.change(instance, |made| (made.lives, made.is_cut_off) = (false, false));
        Ok(())
    }

    pub(super) fn quarantine(&self, state: &mut State, instance: Instance) -> Step {
        let is_seen = state.provider.get(instance).is_some_and(|made| made.lives && !made.is_cut_off);
        self.check(Check::QuarantineIsConfirmed, is_seen, instance, Value::Nothing)?;
        self.check(Check::QuarantineIsUnnamed, state.names(instance) == 0, instance, "a row that names it")?;
        self.point(state, instance, Place::Quarantine);
        Ok(())
    }

    // -- a worker kills what is due

    pub(super) fn list(&self, state: &mut State, worker: Worker, instance: Instance, found: Found) -> Step {
        self.check(Check::WorkerIsIdle, state.errand(worker).is_none(), worker, "a worker that does nothing")?;
        self.check(Check::ListIsTrue, self.is_due(state, instance, found), instance, "what is due")?;
        self.set(state, worker, Some(Errand { instance, found, stage: Stage::Listed }));
        Ok(())
    }

    pub(super) fn claim(&self, state: &mut State, worker: Worker, instance: Instance) -> Step {
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

    pub(super) fn send(&self, state: &mut State, worker: Worker, instance: Instance) -> Step {
        let errand = self.errand(state, worker, instance, |stage| stage == Stage::Listed)?;
        // RECONCILE-23: what its record holds is claimed first.
        let is_licensed = matches!(errand.found, Found::Claimed | Found::Pointer(Place::Outbox));
        self.check(Check::KillIsLicensed, is_licensed, instance, "what is claimed, or in the outbox")?;
        state.kills.insert(instance);
        self.set(state, worker, Some(Errand { stage: Stage::Sent { has_killed: false }, ..errand }));
        Ok(())
    }

    pub(super) fn kill(&self, state: &mut State, instance: Instance) -> Step {
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

    pub(super) fn land(&self, state: &mut State, expected: Instance) -> Step {
        self.lose(state, expected)?;
        if let Some(victim) = state.provider.holder() {
            self.strike(state, victim, expected);
        }
        Ok(())
    }

    pub(super) fn lose(&self, state: &mut State, expected: Instance) -> Step {
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

    pub(super) fn hear(&self, state: &mut State, worker: Worker, answer: Answer) -> Step {
        let errand = state.errand(worker).filter(|errand| self.may_hear(state, errand, answer));
        let Some(errand) = errand else { return Err(refusal(Check::HearIsTrue, answer, Value::Nothing)) };
        self.set(state, worker, Some(Errand { stage: Stage::Heard(answer), ..errand }));
        Ok(())
    }

    pub(super) fn release(&self, state: &mut State, worker: Worker, count: Count) -> Step {
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

    pub(super) fn note(&self, state: &mut State, worker: Worker) -> Step {
        let errand = self.check_doubt(state, worker)?;
        let is_last = self.is_last_attempt(state, errand.instance);
        self.check(Check::GivesUpAtTheBound, !is_last, "another attempt", "the bound")?;
        self.try_again(state, errand.instance);
        self.set(state, worker, None);
        Ok(())
    }

    pub(super) fn give_up(&self, state: &mut State, worker: Worker) -> Step {
        let errand = self.check_doubt(state, worker)?;
        // RECONCILE-33: what may still be killed is not given up, and what cannot is seen by a person.
        let is_last = self.is_last_attempt(state, errand.instance);
        self.check(Check::GivesUpAtTheBound, is_last, "the end of attempts", "the bound")?;
        self.give_up_pointer(state, errand.instance);
        self.set(state, worker, None);
        Ok(())
    }

    pub(super) fn crash(&self, state: &mut State, worker: Worker) -> Step {
        let errand = state.errand(worker);
        self.check(Check::ErrandIsThis, errand.is_some(), worker, "a worker that does something")?;
        self.set(state, worker, None);
        Ok(())
    }

    // -- others look

    pub(super) fn meter(&self, state: &mut State, instance: Instance, runs: bool) -> Step {
        let lives = state.provider.get(instance).is_some_and(|made| made.lives);
        // RECONCILE-37: a record is late, and it is not what is paid for.
        let is_recorded = state.record.is_some_and(|record| record.names(instance));
        let so = if self.meters_the_record { is_recorded } else { lives };
        self.check(Check::MeterIsTrue, runs == so, in_words(runs), in_words(so))?;
        noted::a_meter_reading(state, runs != lives);
        Ok(())
    }

    pub(super) fn adopt(&self, state: &mut State, instance: Instance) -> Step {
        // PURGE-6: a name says nothing of whom an instance was made for.
        let may = self.may_adopt(state, instance);
        self.check(Check::NothingIsAdopted, may, instance, "what was created for its owner")?;
        self.write_record(state, instance);
        noted::an_instance_is_wanted(state, instance);
        Ok(())
    }

    pub(super) fn refuse(&self, state: &mut State, attempt: Attempt, because: Requirement) -> Step {
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

fn in_words(runs: bool) -> &'static str {
    if runs { "it runs" } else { "it does not run" }
}
