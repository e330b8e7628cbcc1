//! The guards that decide. The step, its refusal and whoever forgets ask the same function, so that no two of them
//! disagree; what only one step asks stands with the step, in `rules.rs`.

use super::action::{Attempt, Count};
use super::check::Check;
use super::rules::{Adopts, Gate, GivesUp, Replaced, Rules, Step, refusal};
use super::state::*;
use crate::guard::{Guard, Value};
use crate::requirement::Requirement;

impl Rules {
    // -- the owner

    pub(super) fn check_purge(&self, state: &State) -> Step {
        let phase = state.tenure.phase;
        self.check(Check::PurgeIsOfTheTrashed, phase == OwnerPhase::Trashed, phase, OwnerPhase::Trashed)?;
        // PURGE-2: what cannot be killed must not keep what has to be erased.
        let waits = self.purge_waits && state.record.is_some_and(|record| record.phase != Phase::TornDown);
        if waits { Err(refusal(Check::PurgeIsOfTheTrashed, "an instance that may live", phase)) } else { Ok(()) }
    }

    pub(super) fn check_renew(&self, state: &State) -> Step {
        // RECONCILE-25: what is being killed is told to be, or somebody would rely on it.
        let is_live = state.record.is_some_and(|record| record.phase == Phase::Live);
        let is_possible = is_live && state.tenure.phase == OwnerPhase::Active;
        self.check(Check::RenewIsOfTheLiving, is_possible, phase(state), Phase::Live)
    }

    pub(super) fn check_attach(&self, state: &State) -> Step {
        // RECONCILE-31: whoever is given what is being killed loses its work.
        let is_there = match phase(state) {
            Some(Phase::Live) => true,
            Some(Phase::Killing) => self.without.has(Check::AttachIsOfTheLiving),
            Some(Phase::TornDown) | None => false,
        };
        let is_possible = is_there && state.tenure.phase == OwnerPhase::Active;
        if is_possible { Ok(()) } else { Err(refusal(Check::AttachIsOfTheLiving, phase(state), Phase::Live)) }
    }

    // -- an instance is created

    pub(super) fn check_intend(&self, state: &State) -> Step {
        let phase = state.tenure.phase;
        self.check(Check::IntendIsOfTheActive, phase == OwnerPhase::Active, phase, OwnerPhase::Active)?;
        // RECONCILE-32: what is created between the two steps of a kill is what the second one deletes.
        let is_free = match self.gate {
            Gate::UntilItLands => state.provider.deletes.is_empty(),
            Gate::WithItsWorker => {
                let sent = |errand: &Errand| matches!(errand.stage, Stage::Sent { .. });
                state.provider.world != World::CheckThenAct || !state.workers.iter().flatten().any(sent)
            }
            Gate::Open => true,
        };
        self.check(Check::NameIsFreeOfDeletes, is_free, "an intent", "a delete by name that can land")
    }

    pub(super) fn check_create(&self, state: &State, token: Token) -> Step {
        // PURGE-11: a call is repeated, and comes late.
        let spent = state.provider.made_for(token).map(|made| made.instance);
        self.check(Check::TokenCreatesOnce, spent.is_none(), token, spent)?;
        let is_revoked = state.provider.revoked.contains(&token);
        self.check(Check::TokenCreatesOnce, !is_revoked, token, "a token that is revoked")
    }

    pub(super) fn check_open(&self, state: &State, token: Token) -> Step {
        let is_open = state.intents.iter().any(|intent| intent.token == token);
        self.check(Check::IntentIsOpen, is_open, token, Value::Nothing)
    }

    pub(super) fn check_record(&self, state: &State, token: Token) -> Step {
        self.check_open(state, token)?;
        let Tenure { owner, phase, .. } = state.tenure;
        let intended = state.intents.iter().find(|intent| intent.token == token).map(|intent| intent.owner);
        // PURGE-5: the name has another owner by now, or one that is hidden.
        self.check(Check::RecordIsForItsOwner, intended == Some(owner), intended, owner)?;
        let is_active = match phase {
            OwnerPhase::Active => true,
            OwnerPhase::Trashed => self.without.has(Check::RecordIsUnderAnActiveOwner),
            OwnerPhase::Purged => false,
        };
        if is_active {
            return Ok(());
        }
        Err(refusal(Check::RecordIsUnderAnActiveOwner, phase, OwnerPhase::Active))
    }

    pub(super) fn check_close(&self, state: &State, token: Token) -> Step {
        self.check_open(state, token)?;
        let made = state.provider.made_for(token);
        let is_spent = made.is_some_and(|made| !made.lives && !made.is_cut_off);
        let is_conclusive = state.provider.revoked.contains(&token) || is_spent;
        // PURGE-4: a call that is on its way may still create.
        let is_absent = made.is_none() && self.without.has(Check::CloseIsConclusive);
        if is_conclusive || is_absent {
            return Ok(());
        }
        Err(refusal(Check::CloseIsConclusive, token, "a token that can create no more"))
    }

    pub(super) fn may_adopt(&self, state: &State, instance: Instance) -> bool {
        let is_free = state.record.is_none_or(|record| record.phase == Phase::TornDown);
        let is_holder = state.provider.world.is_exclusive() && state.provider.holder() == Some(instance);
        let in_quarantine = state.pointers.iter().any(|it| it.instance == instance && it.place == Place::Quarantine);
        let may = match self.adopts {
            Adopts::Nothing => false,
            Adopts::TheHolder => is_holder,
            Adopts::TheQuarantined => is_holder && in_quarantine,
        };
        may && is_free && state.tenure.phase == OwnerPhase::Active
    }

    // -- a kill

    /// Whether a worker that looks finds this instance there.
    pub(super) fn is_due(&self, state: &State, instance: Instance, found: Found) -> bool {
        let record = state.record.filter(|record| record.names(instance));
        match found {
            Found::Licensed(licence) => {
                record.is_some_and(|record| self.licences(state, &record).contains(&Some(licence)))
            }
            // RECONCILE-34: whoever has claimed it may be dead.
            Found::Claimed => self.resumes && record.is_some_and(|record| record.phase == Phase::Killing),
            Found::Pointer(place) => state.pointers.iter().any(|it| it.instance == instance && it.place == place),
        }
    }

    /// What seems to license the kill of what the record holds.
    pub(super) fn licences(&self, state: &State, record: &Record) -> [Option<Licence>; 2] {
        if record.phase != Phase::Live {
            return [None; 2];
        }
        let Tenure { phase, trashes, .. } = state.tenure;
        let is_taken_for = self.without.has(Check::TeardownWasRequested) && phase == OwnerPhase::Trashed;
        let requested = record.requested.or(is_taken_for.then_some(trashes));
        [requested.map(Licence::Teardown), record.is_overdue.then_some(Licence::Deadline)]
    }

    /// What this worker does with this instance, if it has come that far.
    pub(super) fn errand(
        &self,
        state: &State,
        worker: Worker,
        instance: Instance,
        is_so: impl Fn(Stage) -> bool,
    ) -> Result<Errand, Guard> {
        let errand = state.errand(worker).filter(|errand| errand.instance == instance && is_so(errand.stage));
        errand.ok_or_else(|| refusal(Check::ErrandIsThis, instance, state.errand(worker).map(|it| it.instance)))
    }

    pub(super) fn check_claim(&self, state: &State, worker: Worker, instance: Instance) -> Result<Errand, Guard> {
        let errand = self.errand(state, worker, instance, |stage| stage == Stage::Listed)?;
        let Found::Licensed(licence) = errand.found else {
            return Err(refusal(Check::ErrandIsThis, instance, "what its record holds"));
        };
        // RECONCILE-23: between the list and the claim the owner goes on.
        let recorded = state.record.map(|record| record.instance);
        self.check(Check::ClaimIsOfThisInstance, recorded == Some(instance), instance, recorded)?;
        let is_live = phase(state) == Some(Phase::Live);
        self.check(Check::ClaimIsOfTheLiving, is_live, phase(state), Phase::Live)?;
        match licence {
            Licence::Teardown(trash) => self.check_teardown(state, trash)?,
            Licence::Deadline => {
                // RECONCILE-25: a renewal that was accepted is kept.
                let is_overdue = state.record.is_some_and(|record| record.is_overdue);
                self.check(Check::DeadlineHasPassed, is_overdue, "a deadline", "one that has passed")?;
            }
        }
        Ok(errand)
    }

    fn check_teardown(&self, state: &State, trash: TrashCount) -> Step {
        let Tenure { phase, trashes, .. } = state.tenure;
        // RECONCILE-24: what was requested of a trash that was taken back is no licence for the next one.
        let requested = state.record.and_then(|record| record.requested);
        self.check(Check::TeardownWasRequested, requested.is_some(), requested, trash)?;
        let is_of_this = trash == trashes && requested.is_none_or(|it| it == trashes);
        self.check(Check::RequestIsOfThisTrash, is_of_this, trash, trashes)?;
        if phase == OwnerPhase::Trashed { Ok(()) } else { Err(refusal(Check::RequestIsOfThisTrash, phase, trashes)) }
    }

    pub(super) fn check_kill(&self, state: &State, instance: Instance) -> Step {
        // RECONCILE-27: the name may have passed on to another.
        let is_there = state.provider.lives(instance);
        self.check(Check::KillIsExpected, is_there, state.provider.holder(), instance)
    }

    pub(super) fn check_reached(&self, state: &State, instance: Instance) -> Step {
        let is_reached = state.provider.get(instance).is_some_and(|made| !made.is_cut_off);
        self.check(Check::NodeIsReached, is_reached, instance, "a node that is reached")
    }

    pub(super) fn check_gate_of_kill(&self, state: &State) -> Step {
        // RECONCILE-32: whatever is intended may be created at any moment.
        let is_quiet = self.gate == Gate::Open || state.intents.is_empty();
        self.check(Check::NothingIsBeingCreated, is_quiet, "a kill in two steps", "an intent that is open")
    }

    pub(super) fn check_condition(&self, state: &State, instance: Instance, is_so: impl Fn(&Made) -> bool) -> Step {
        let made = state.provider.get(instance).filter(|made| is_so(made));
        self.check(Check::ConditionIsSo, made.is_some(), instance, Value::Nothing)
    }

    // -- what the provider answers, and what follows

    /// Whether a worker on this errand may be told this now.
    pub(super) fn may_hear(&self, state: &State, errand: &Errand, answer: Answer) -> bool {
        let has_killed = match (errand.stage, errand.found) {
            (Stage::Sent { has_killed }, _) => has_killed,
            // What is not licensed is only looked at.
            (Stage::Listed, Found::Pointer(Place::Quarantine | Place::DeadLetters)) => false,
            (Stage::Listed | Stage::Heard(_), _) => return false,
        };
        let (provider, instance) = (&state.provider, errand.instance);
        let is_told = provider.get(instance).is_none_or(|made| !made.is_cut_off);
        let is_dead = is_told && !provider.lives(instance);
        let holder = if provider.world.is_exclusive() { provider.holder() } else { None };
        match answer {
            Answer::Killed => is_dead && has_killed,
            Answer::Gone => is_dead && !has_killed && holder.is_none(),
            Answer::Replaced(actual) => is_dead && !has_killed && holder == Some(actual),
            Answer::Lives => is_told && !is_dead && errand.stage == Stage::Listed,
            Answer::Unreachable | Answer::Unlisted => true,
        }
    }

    /// The answer upon which the pointer of this errand may go.
    pub(super) fn check_release(&self, state: &State, worker: Worker) -> Result<(Errand, Answer), Guard> {
        let (errand, answer) = self.heard(state, worker)?;
        // RECONCILE-28: nothing but the word of the authority ends what somebody pays for.
        self.check(Check::ProofIsNoError, answer != Answer::Unreachable, answer, "a proof of death")?;
        // RECONCILE-28: a list may lack what is there.
        self.check(Check::ProofIsNoList, answer != Answer::Unlisted, answer, "a proof of death")?;
        let is_failure = match answer {
            Answer::Gone => self.gone_is_failure,
            Answer::Replaced(_) => self.replaced == Replaced::Fails,
            Answer::Lives => true,
            Answer::Killed | Answer::Unreachable | Answer::Unlisted => false,
        };
        if is_failure { Err(refusal(Check::ProofIsNoError, answer, "a proof of death")) } else { Ok((errand, answer)) }
    }

    pub(super) fn check_doubt(&self, state: &State, worker: Worker) -> Result<Errand, Guard> {
        let (errand, answer) = self.heard(state, worker)?;
        // RECONCILE-33: what is proven is not tried again.
        let is_doubt = self.check_release(state, worker).is_err();
        self.check(Check::DoubtIsKept, is_doubt, answer, "an answer that proves nothing")?;
        Ok(errand)
    }

    fn heard(&self, state: &State, worker: Worker) -> Result<(Errand, Answer), Guard> {
        match state.errand(worker) {
            Some(errand @ Errand { stage: Stage::Heard(answer), .. }) => Ok((errand, answer)),
            errand => Err(refusal(Check::ErrandIsThis, worker, errand.map(|it| it.instance))),
        }
    }

    /// As what a sweep counts this pointer.
    pub(super) fn counted(&self, state: &State, errand: &Errand, answer: Answer) -> Count {
        // RECONCILE-36: whoever is told that everything was reclaimed looks no further.
        let is_there = state.pointed().any(|id| id == errand.instance);
        match answer {
            _ if !is_there => Count::Skipped,
            Answer::Killed => Count::Reclaimed,
            Answer::Replaced(_) => Count::Replaced,
            Answer::Gone | Answer::Lives | Answer::Unreachable | Answer::Unlisted => Count::Gone,
        }
    }

    /// Whether one more attempt that proves nothing is the last one.
    pub(super) fn is_last_attempt(&self, state: &State, instance: Instance) -> bool {
        let recorded = state.record.filter(|record| record.names(instance)).map(|record| record.attempts);
        let is_this = |it: &&Pointer| it.instance == instance && it.place == Place::Outbox;
        let attempts = recorded.or(state.pointers.iter().find(is_this).map(|it| it.attempts));
        self.gives_up != GivesUp::Never && attempts.is_some_and(|attempts| attempts + 1 >= self.most_attempts)
    }

    // -- refusals

    /// The requirement for which this would be refused now.
    pub(super) fn cause(&self, state: &State, attempt: Attempt) -> Option<Requirement> {
        let verdict = match attempt {
            Attempt::Purge => self.check_purge(state),
            Attempt::Renew => self.check_renew(state),
            Attempt::Attach => self.check_attach(state),
            Attempt::Intend => self.check_intend(state),
            Attempt::Create(token) => self.check_create(state, token),
            Attempt::Record(token) => self.check_record(state, token),
            Attempt::Close(token) => self.check_close(state, token),
            Attempt::Claim(worker, instance) => self.check_claim(state, worker, instance).map(|_| ()),
            Attempt::Kill(instance) => self.check_kill(state, instance),
        };
        verdict.err().map(|guard| guard.requirement)
    }

    #[inline]
    pub(super) fn check(&self, check: Check, holds: bool, found: impl Into<Value>, against: impl Into<Value>) -> Step {
        if holds || self.without.has(check) { Ok(()) } else { Err(refusal(check, found, against)) }
    }
}

fn phase(state: &State) -> Option<Phase> {
    state.record.map(|record| record.phase)
}
