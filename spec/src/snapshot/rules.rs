//! The rules: each arm asks, then writes, so that a refusal leaves the state as it was.

use super::action::{Action, Attempt, Rollback};
use super::check::{Check, Checks};
use super::properties as noted;
use super::state::*;
use crate::guard::{Guard, Value};
use crate::requirement::Requirement;
use crate::set::Set;

/// The decisions that people disagreed about. [`super::variants`] has the answers that were given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Guards that are left out.
    pub without: Checks,
    /// When the gateway learns which incarnation it saves for.
    pub stamps: Stamps,
    /// Which save may become the row.
    pub admits: Admits,
    /// Which row a reference resolves against.
    pub resolves: Resolves,
    /// Whether a registration mints an incarnation, or hands out the current one.
    pub registration_mints: bool,
    /// Whether the end of a reset mints an incarnation, or leaves the computer the one it has.
    pub reset_mints: bool,
    /// Whether the new incarnation is open from the claim on, before anything is wiped.
    pub reset_opens_before_the_wipe: bool,
    /// Whether another gateway may drive on a reset whose gateway has died.
    pub resets_are_resumed: bool,
    /// Whether a rollback mints an incarnation.
    pub rollback_mints: bool,
    /// Whether a refused save is reported as what it is.
    pub refusals_are_typed: bool,
    /// Whether a refused save is given up, or sent again as it is for ever.
    pub refused_saves_are_given_up: bool,
    /// Whether messages that are refused for ever are forgotten. A test shows that it makes no difference.
    pub forgets: bool,
}

/// When the gateway learns which incarnation it saves for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stamps {
    /// Never: a page is known by its generation alone.
    Never,
    /// The call names it.
    BeforeTheCall,
    /// The call names it, or none if the computer cannot tell.
    BeforeTheCallIfKnown,
    /// It asks for the current one once it has the answer.
    AfterTheAnswer,
}

/// Which save may become the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admits {
    /// One of the current incarnation, above the row's generation if that is of the same.
    Current,
    /// One above the row's generation, if there is a row.
    GenerationOnly,
    /// The same, and a reset does not forget how high it had counted.
    GenerationAboveTheDeleted,
    /// The same, and after a reset only the one generation that was deleted is refused.
    GenerationOtherThanTheDeleted,
    /// As `Current`, but what has no incarnation is compared by generation only.
    CurrentIfKnown,
    /// One of another incarnation than the row's, or above its generation.
    AnyOther,
    /// One above the row, by incarnation and then by generation.
    AboveTheRow,
}

/// Which row a reference resolves against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resolves {
    /// The store's.
    TheRow,
    /// The store's, and one without an incarnation counts as current.
    TheRowIfKnown,
    /// What the gateway has loaded, which is what the agent was shown.
    TheCache,
}

type Step = Result<(), Guard>;

impl Rules {
    /// Takes the step in place, or says why not.
    ///
    /// # Errors
    /// The first guard that the action fails; the state is then as it was.
    #[inline]
    pub fn apply(&self, state: &mut State, action: &Action) -> Step {
        match *action {
            Action::Restart(life) => self.restart(state, life),
            Action::Ask(question) => self.ask(state, question),
            Action::Register(question, minted) => self.register(state, question, minted),
            Action::Learn(incarnation) => self.learn(state, incarnation),
            Action::Begin(call) => self.begin(state, call),
            Action::Answer(call, generation) => self.answer(state, call, generation),
            Action::Stamp(save, incarnation) => self.stamp(state, save, incarnation),
            Action::Store(save) => self.store(state, save),
            Action::Claim(gateway, expected) => self.claim(state, gateway, expected),
            Action::SendWipe(gateway, incarnation) => self.send_wipe(state, gateway, incarnation),
            Action::Wipe(wipe, life, generation) => self.wipe(state, wipe, life, generation),
            Action::Finish(gateway, wiped, minted) => self.finish(state, gateway, wiped, minted),
            Action::Load(seen) => self.load(state, seen),
            Action::Resolve(cited) => self.resolve(state, cited),
            Action::Forward(cited) => self.forward(state, cited),
            Action::Perform(act) => self.perform(state, act),
            Action::Rollback(rollback) => self.rollback(state, rollback),
            Action::Crash(gateway) => self.crash(state, gateway),
            Action::Refuse(attempt, because) => self.refuse(state, attempt, because),
        }
    }

    // -- a process starts, and learns who it is

    fn restart(&self, state: &mut State, life: Life) -> Step {
        self.check(Check::LifeIsNew, life > state.process.life, life, state.process.life)?;
        state.process = Process { life, incarnation: None, generation: Generation(0), reply: None };
        self.forget(state);
        Ok(())
    }

    fn ask(&self, state: &mut State, question: Question) -> Step {
        self.check(Check::QuestionIsOurs, question.life == state.process.life, question.life, state.process.life)?;
        let is_needed = state.process.incarnation.is_none();
        self.check(Check::QuestionIsNeeded, is_needed, state.process.incarnation, Value::Nothing)?;
        let current = state.store.incarnation;
        self.check(Check::AskReadsCurrent, question.expected == current, question.expected, current)?;
        // RESTART-4: who asks again no longer listens for the answer before, or would later be pushed out by itself.
        state.process.reply = None;
        state.questions.insert(question);
        Ok(())
    }

    fn register(&self, state: &mut State, question: Question, minted: Incarnation) -> Step {
        self.check_register(state, question)?;
        self.check(Check::QuestionWasSent, state.questions.contains(&question), question, Value::Nothing)?;
        self.check_minted(state, Check::RegisterMints, self.registration_mints, minted)?;
        state.store.incarnation = minted;
        if question.life == state.process.life {
            state.process.reply = Some(minted);
        }
        self.forget(state);
        Ok(())
    }

    fn learn(&self, state: &mut State, incarnation: Incarnation) -> Step {
        let reply = state.process.reply;
        self.check(Check::ReplyIsOurs, reply == Some(incarnation), incarnation, reply)?;
        state.process.incarnation = Some(incarnation);
        state.process.reply = None;
        self.forget(state);
        Ok(())
    }

    // -- a snapshot and its save

    fn begin(&self, state: &mut State, call: Call) -> Step {
        // SAVE-1: an identity that is read later may be that of a life that did not make the page.
        let current = Stamp::Is(state.store.incarnation);
        let may_say = match self.stamps {
            Stamps::Never => call.stamp == Stamp::Unknown,
            Stamps::BeforeTheCall => call.stamp == current,
            Stamps::BeforeTheCallIfKnown => call.stamp == current || call.stamp == Stamp::Unknown,
            Stamps::AfterTheAnswer => call.stamp == Stamp::Pending,
        };
        self.check(Check::BeginReadsCurrent, may_say, call.stamp, current)?;
        // SAVE-5: whoever is refused begins anew; sent again as it is, the save is refused again.
        let may_begin = !state.is_retrying;
        self.check(Check::BeginAfterRefusal, may_begin, "a refused save is still being sent", Value::Nothing)?;
        state.calls.insert(call);
        Ok(())
    }

    fn answer(&self, state: &mut State, call: Call, generation: Generation) -> Step {
        self.check_call(state, call)?;
        self.check(Check::CallWasSent, state.calls.contains(&call), call.stamp, Value::Nothing)?;
        // SAVE-2: by one, since every page counts, saved or not.
        let next = Generation(state.process.generation.0 + 1);
        self.check(Check::AnswerCountsUp, generation == next, generation, next)?;
        let incarnation = state.process.incarnation.unwrap_or_default();
        let page = Page { life: state.process.life, incarnation, generation };
        state.process.generation = generation;
        state.saves.insert(Save { cited: Cited { stamp: call.stamp, generation }, page });
        self.forget(state);
        Ok(())
    }

    fn stamp(&self, state: &mut State, save: Save, incarnation: Incarnation) -> Step {
        let is_pending = save.cited.stamp == Stamp::Pending && state.saves.contains(&save);
        self.check(Check::SaveWasSent, is_pending, save.cited, Value::Nothing)?;
        let current = state.store.incarnation;
        self.check(Check::BeginReadsCurrent, incarnation == current, incarnation, current)?;
        state.saves.insert(Save { cited: Cited { stamp: Stamp::Is(incarnation), ..save.cited }, ..save });
        Ok(())
    }

    fn store(&self, state: &mut State, save: Save) -> Step {
        let verdict = self.check_save(state, &save);
        let was_sent = save.cited.stamp != Stamp::Pending && state.saves.contains(&save);
        if verdict.is_err() && !self.refusals_are_typed {
            self.check(Check::SaveWasSent, was_sent, save.cited, Value::Nothing)?;
            noted::a_refusal_that_reads_as_success(state);
            return Ok(());
        }
        verdict?;
        self.check(Check::SaveWasSent, was_sent, save.cited, Value::Nothing)?;
        noted::a_row_that_goes_back(state, &save);
        noted::a_rollback_undone(state, &save);
        state.store.row = Some(save);
        if self.refused_saves_are_given_up {
            state.is_retrying = false;
        }
        self.forget(state);
        Ok(())
    }

    // -- a reset

    fn claim(&self, state: &mut State, gateway: Gateway, expected: Incarnation) -> Step {
        self.check_claim(state, expected)?;
        noted::a_decision_on_another_incarnation(state, expected);
        if self.remembers_the_deleted() {
            let deleted = state.store.row.map_or(Generation(0), |row| row.cited.generation);
            state.store.deleted = state.store.deleted.max(deleted);
        }
        state.store.row = None;
        state.store.is_resetting = true;
        if self.reset_opens_before_the_wipe {
            state.store.incarnation.0 += 1;
        }
        state.ghost.owes_a_wipe = true;
        if !self.resets_are_resumed {
            state.gateways.set(gateway, Memory::Claimed);
        }
        self.forget(state);
        Ok(())
    }

    fn send_wipe(&self, state: &mut State, gateway: Gateway, incarnation: Incarnation) -> Step {
        // RESET-1: the claim comes first and lasts, or a crash after the wipe leaves the row of a wiped page.
        let is_claimed = state.store.is_resetting;
        self.check(Check::SendWipeIsClaimed, is_claimed, "no reset", "a reset under way")?;
        // RESET-5: any gateway, at any time; two that drive a reset at once wipe twice, which harms nobody.
        let may_drive = self.resets_are_resumed || state.gateways.get(gateway) != Memory::Nothing;
        self.check(Check::SendWipeIsAllowed, may_drive, gateway, "the gateway that has claimed the reset")?;
        let current = state.store.incarnation;
        self.check(Check::SendWipeNamesCurrent, incarnation == current, incarnation, current)?;
        state.wipes.insert(WipeCall { by: Some(gateway), incarnation });
        Ok(())
    }

    fn wipe(&self, state: &mut State, wipe: WipeCall, life: Life, generation: Generation) -> Step {
        self.check_wipe(state, wipe)?;
        self.check(Check::WipeWasSent, state.wipes.contains(&wipe), wipe, Value::Nothing)?;
        self.check(Check::LifeIsNew, life > state.process.life, life, state.process.life)?;
        // SAVE-2: some counters survive the wipe, some start again; none goes anywhere else.
        let counts_on = generation == state.process.generation || generation == Generation(0);
        self.check(Check::AnswerCountsUp, counts_on, generation, state.process.generation)?;
        noted::a_wipe_without_a_reset(state);
        // RESET-3: it forgets who it was, so that nothing sent to its former life can reach it.
        let incarnation = if self.reset_mints { None } else { state.process.incarnation };
        state.process = Process { life, incarnation, generation, reply: None };
        state.ghost.first_unwiped = life;
        state.ghost.owes_a_wipe = false;
        if let Some(gateway) = wipe.by {
            state.gateways.set(gateway, Memory::Wiped(wipe.incarnation));
        }
        self.forget(state);
        Ok(())
    }

    fn finish(&self, state: &mut State, gateway: Gateway, wiped: Incarnation, minted: Incarnation) -> Step {
        self.check_finish(state, gateway, wiped)?;
        self.check_minted(state, Check::FinishMints, self.reset_mints, minted)?;
        noted::a_reset_that_did_not_wipe(state);
        state.store.is_resetting = false;
        state.store.incarnation = minted;
        state.store.since = minted;
        state.gateways.set(gateway, Memory::Nothing);
        self.forget(state);
        Ok(())
    }

    // -- a page is looked at, acted on, gone back to

    fn load(&self, state: &mut State, seen: Option<Cited>) -> Step {
        // SAVE-9: what an agent is shown is what its references resolve against.
        let row = state.store.row.map(|row| row.cited);
        self.check(Check::LoadSeesRow, seen == row, seen, row)?;
        state.shown = state.store.row;
        Ok(())
    }

    fn resolve(&self, state: &mut State, cited: Cited) -> Step {
        let page = self.check_resolve(state, cited)?;
        noted::a_wiped_page_resolved(state, page);
        noted::a_page_of_another_incarnation_resolved(state, page);
        state.acts.insert(Act { cited, resolved: Some(page) });
        Ok(())
    }

    fn forward(&self, state: &mut State, cited: Cited) -> Step {
        // RESET-7: no policy can judge an act on an element that nobody can name.
        self.check(Check::ForwardIsResolved, false, cited, Value::Nothing)?;
        if self.check_resolve(state, cited).is_err() {
            state.acts.insert(Act { cited, resolved: None });
        }
        Ok(())
    }

    fn perform(&self, state: &mut State, act: Act) -> Step {
        self.check_act(state, act)?;
        self.check(Check::ActWasSent, state.acts.contains(&act), act.cited, Value::Nothing)?;
        noted::an_act_on_nothing(state, &act);
        noted::an_act_for_another_life(state, &act);
        Ok(())
    }

    fn rollback(&self, state: &mut State, rollback: Rollback) -> Step {
        self.check_rollback(state, rollback)?;
        self.check_minted(state, Check::RollbackMints, self.rollback_mints, rollback.minted)?;
        noted::a_decision_on_another_incarnation(state, rollback.expected);
        // SAVE-7: the row keeps its own name, under which it does not resolve: no process has its state yet.
        noted::a_rollback(state);
        state.store.row = state.shown;
        state.store.incarnation = rollback.minted;
        self.forget(state);
        Ok(())
    }

    fn crash(&self, state: &mut State, gateway: Gateway) -> Step {
        state.gateways.set(gateway, Memory::Nothing);
        let mut wipes = Set::default();
        for &wipe in state.wipes.iter() {
            wipes.insert(WipeCall { by: wipe.by.filter(|by| *by != gateway), ..wipe });
        }
        state.wipes = wipes;
        state.is_retrying = false;
        Ok(())
    }

    // -- a refusal

    fn refuse(&self, state: &mut State, attempt: Attempt, because: Requirement) -> Step {
        let verdict = match attempt {
            Attempt::Register(question) => self.check_register(state, question),
            Attempt::Answer(call) => self.check_call(state, call),
            Attempt::Save(save) => self.check_save(state, &save),
            Attempt::Claim(_, expected) => self.check_claim(state, expected),
            Attempt::Wipe(wipe) => self.check_wipe(state, wipe),
            Attempt::Finish(gateway, wiped) => self.check_finish(state, gateway, wiped),
            Attempt::Resolve(cited) => self.check_resolve(state, cited).map(drop),
            Attempt::Perform(act) => self.check_act(state, act),
            Attempt::Rollback(rollback) => self.check_rollback(state, rollback),
        };
        // SAVE-5: a refusal has a cause, and the caller is told that cause and no other.
        let cause = verdict.err().map(|guard| guard.requirement);
        self.check(Check::RefusalHasThatCause, cause == Some(because), because, Value::Cause(cause))?;
        if let Attempt::Save(save) = attempt {
            self.check_may_have_been_sent(state, &save)?;
            noted::a_fresh_save_refused(state, &save);
            state.is_retrying = !self.refused_saves_are_given_up;
        }
        Ok(())
    }

    // -- the deciding lines

    fn check_register(&self, state: &State, question: Question) -> Step {
        // RESTART-1: a question of a dead process must not take the computer from the living one.
        let current = state.store.incarnation;
        self.check(Check::RegisterFollows, question.expected == current, question.expected, current)
    }

    /// RESTART-2: minted in order, since what was before the last reset must be told from what came after.
    fn check_minted(&self, state: &State, check: Check, mints: bool, minted: Incarnation) -> Step {
        let current = state.store.incarnation;
        let is_right = if mints { minted > current } else { minted == current };
        self.check(check, is_right, minted, current)
    }

    fn check_call(&self, state: &State, call: Call) -> Step {
        // RESTART-3: else a page of this life goes out under the name of another.
        let own = state.process.incarnation;
        let is_for_us = match (call.stamp, own) {
            (Stamp::Is(named), Some(own)) => named == own,
            (Stamp::Pending, Some(_)) => self.stamps == Stamps::AfterTheAnswer,
            (Stamp::Unknown, _) => self.may_be_unknown(),
            (Stamp::Is(_) | Stamp::Pending, None) => false,
        };
        self.check(Check::AnswerIsForUs, is_for_us, call.stamp, own)
    }

    fn check_save(&self, state: &State, save: &Save) -> Step {
        // RESET-2: the claim comes before the wipe, and what the wipe destroys must not be stored after it.
        let is_open = !state.store.is_resetting;
        self.check(Check::SaveWhileOpen, is_open, save.cited, "a reset under way")?;
        self.check_incarnation(state, save)?;
        self.check_order(state, save)
    }

    fn check_incarnation(&self, state: &State, save: &Save) -> Step {
        // SAVE-3: equality decides, since the row may be gone and leave no order to compare with.
        let current = Stamp::Is(state.store.incarnation);
        let is_current = match self.admits {
            Admits::Current => save.cited.stamp == current,
            Admits::CurrentIfKnown => save.cited.stamp == current || save.cited.stamp == Stamp::Unknown,
            Admits::GenerationOnly
            | Admits::GenerationAboveTheDeleted
            | Admits::GenerationOtherThanTheDeleted
            | Admits::AnyOther
            | Admits::AboveTheRow => true,
        };
        self.check(Check::SaveIsCurrent, is_current, save.cited.stamp, current)
    }

    fn check_order(&self, state: &State, save: &Save) -> Step {
        let (new, deleted) = (save.cited, state.store.deleted);
        let Some(Save { cited: old, .. }) = state.store.row else {
            let may_insert = match self.admits {
                Admits::GenerationAboveTheDeleted => new.generation > deleted,
                Admits::GenerationOtherThanTheDeleted => deleted == Generation(0) || new.generation != deleted,
                Admits::Current
                | Admits::CurrentIfKnown
                | Admits::GenerationOnly
                | Admits::AnyOther
                | Admits::AboveTheRow => true,
            };
            return self.check(Check::SaveIsNewer, may_insert, new, deleted);
        };
        // SAVE-4: only within an incarnation, because each counts for itself.
        let is_newer = match self.admits {
            Admits::Current => new.stamp != old.stamp || new.generation > old.generation,
            Admits::CurrentIfKnown => {
                let are_known = new.stamp != Stamp::Unknown && old.stamp != Stamp::Unknown;
                (are_known && new.stamp != old.stamp) || new.generation > old.generation
            }
            Admits::GenerationOnly | Admits::GenerationOtherThanTheDeleted => new.generation > old.generation,
            Admits::GenerationAboveTheDeleted => new.generation > old.generation.max(deleted),
            Admits::AnyOther => new.stamp != old.stamp || new.generation > old.generation,
            Admits::AboveTheRow => new > old,
        };
        self.check(Check::SaveIsNewer, is_newer, new, old)
    }

    fn check_claim(&self, state: &State, expected: Incarnation) -> Step {
        let is_open = !state.store.is_resetting;
        self.check(Check::ClaimWhileOpen, is_open, "a second reset", "a reset under way")?;
        // RESET-1: decided on an older incarnation, it would wipe what its author never saw.
        let current = state.store.incarnation;
        self.check(Check::ClaimFollows, expected == current, expected, current)
    }

    fn check_wipe(&self, state: &State, wipe: WipeCall) -> Step {
        // RESET-3: a wipe may arrive long after its reset is over.
        let own = state.process.incarnation;
        self.check(Check::WipeIsForUs, own == Some(wipe.incarnation), wipe.incarnation, own)
    }

    fn check_finish(&self, state: &State, gateway: Gateway, wiped: Incarnation) -> Step {
        let heard = state.gateways.get(gateway) == Memory::Wiped(wiped);
        self.check(Check::FinishHeardOfWipe, heard, wiped, gateway)?;
        let is_claimed = state.store.is_resetting;
        self.check(Check::FinishWhileResetting, is_claimed, "no reset", "a reset under way")?;
        // RESET-4: a process that registered during the reset may show what the wipe of a former one left alone, and a
        // gateway that slept may speak of a reset before this one.
        let current = state.store.incarnation;
        self.check(Check::FinishWipedCurrent, wiped == current, wiped, current)
    }

    /// The page against which the reference resolves.
    fn check_resolve(&self, state: &State, cited: Cited) -> Result<Page, Guard> {
        let row = match self.resolves {
            Resolves::TheRow | Resolves::TheRowIfKnown => state.store.row,
            Resolves::TheCache => state.shown,
        };
        let found = row.map(|row| row.cited);
        self.check(Check::ResolveFindsPage, found == Some(cited), cited, found)?;
        let Some(row) = row else { return Err(refusal(Check::ResolveFindsPage, cited, Value::Nothing)) };
        // RESET-6: a page of another incarnation shows elements that the computer may no longer have.
        let current = Stamp::Is(state.store.incarnation);
        let is_current = match self.resolves {
            Resolves::TheRow => row.cited.stamp == current,
            Resolves::TheRowIfKnown => row.cited.stamp == current || row.cited.stamp == Stamp::Unknown,
            Resolves::TheCache => true,
        };
        self.check(Check::ResolveIsCurrent, is_current, row.cited.stamp, current)?;
        Ok(row.page)
    }

    fn check_act(&self, state: &State, act: Act) -> Step {
        // RESTART-5: between the store's look and the click, the computer may have become another.
        let own = state.process.incarnation;
        let is_for_us = match act.cited.stamp {
            Stamp::Is(named) => own == Some(named),
            Stamp::Unknown => self.may_be_unknown(),
            Stamp::Pending => false,
        };
        self.check(Check::ActIsForUs, is_for_us, act.cited.stamp, own)?;
        let newest = state.process.generation;
        self.check(Check::ActIsNewest, act.cited.generation == newest, act.cited.generation, newest)
    }

    fn check_rollback(&self, state: &State, rollback: Rollback) -> Step {
        let is_open = !state.store.is_resetting;
        self.check(Check::RollbackWhileOpen, is_open, rollback.to, "a reset under way")?;
        // SAVE-7: sent twice, it would undo what was done since the first time.
        let current = state.store.incarnation;
        self.check(Check::RollbackFollows, rollback.expected == current, rollback.expected, current)?;
        let shown = state.shown.map(|save| save.cited);
        self.check(Check::RollbackWasLoaded, shown == Some(rollback.to), rollback.to, shown)?;
        self.check_since(state, rollback.to)
    }

    fn check_since(&self, state: &State, to: Cited) -> Step {
        // SAVE-8: what was wiped stays wiped, also for those who remember it.
        let since = state.store.since;
        self.check(Check::RollbackIsSinceReset, to.stamp >= Stamp::Is(since), to, since)
    }

    /// What was refused for ever is forgotten, so nobody can tell any more whether it was sent; but nothing can name an
    /// incarnation that is yet to come, nor a page of this process that it has not handed out.
    fn check_may_have_been_sent(&self, state: &State, save: &Save) -> Step {
        let may_have_been_sent = match save.cited.stamp {
            Stamp::Is(named) if state.process.incarnation == Some(named) => {
                save.cited.generation <= state.process.generation
            }
            Stamp::Is(named) => named <= state.store.incarnation,
            Stamp::Unknown | Stamp::Pending => state.saves.contains(save),
        };
        self.check(Check::SaveWasSent, may_have_been_sent, save.cited, Value::Nothing)
    }

    fn remembers_the_deleted(&self) -> bool {
        matches!(self.admits, Admits::GenerationAboveTheDeleted | Admits::GenerationOtherThanTheDeleted)
    }

    fn may_be_unknown(&self) -> bool {
        matches!(self.stamps, Stamps::Never | Stamps::BeforeTheCallIfKnown)
    }

    #[inline]
    fn check(&self, check: Check, holds: bool, found: impl Into<Value>, against: impl Into<Value>) -> Step {
        if holds || self.without.has(check) { Ok(()) } else { Err(refusal(check, found, against)) }
    }

    // -- forgetting

    /// Forgets the messages that these very rules refuse, and will refuse for ever; but not a save whose refusal would
    /// be a harm, for that must still be seen.
    #[inline]
    fn forget(&self, state: &mut State) {
        if !self.forgets {
            return;
        }
        let mut questions = std::mem::take(&mut state.questions);
        let mut calls = std::mem::take(&mut state.calls);
        let mut wipes = std::mem::take(&mut state.wipes);
        let mut acts = std::mem::take(&mut state.acts);
        let mut saves = std::mem::take(&mut state.saves);
        questions.retain(|question| self.check_register(state, *question).is_ok());
        calls.retain(|call| self.check_call(state, *call).is_ok() || self.may_become(state, call.stamp));
        wipes.retain(|wipe| {
            self.check_wipe(state, *wipe).is_ok() || self.may_become(state, Stamp::Is(wipe.incarnation))
        });
        acts.retain(|act| self.check_act(state, *act).is_ok() || self.may_be_performed(state, act));
        saves.retain(|save| self.may_be_stored(state, save) || noted::is_fresh(state, save));
        let memories_last = self.without.has(Check::FinishWipedCurrent) || !self.reset_mints;
        let current = Memory::Wiped(state.store.incarnation);
        state.gateways.retain(|memory| memory == Memory::Claimed || memory == current || memories_last);
        (state.questions, state.calls, state.wipes, state.acts, state.saves) = (questions, calls, wipes, acts, saves);
        if state.shown.is_some_and(|shown| !self.may_be_used(state, &shown)) {
            state.shown = None;
        }
        noted::forget_what_no_page_recalls(state);
    }

    /// Whether the computer could yet learn that it is this incarnation.
    fn may_become(&self, state: &State, stamp: Stamp) -> bool {
        let Stamp::Is(incarnation) = stamp else { return true };
        let is_on_its_way = state.process.reply == Some(incarnation);
        let next =
            if self.registration_mints { Incarnation(state.store.incarnation.0 + 1) } else { state.store.incarnation };
        is_on_its_way || state.process.incarnation == Some(incarnation) || incarnation >= next
    }

    /// Whether an act that is refused now could be performed later: not if its page is no longer the newest, and
    /// generations are compared within one incarnation.
    fn may_be_performed(&self, state: &State, act: &Act) -> bool {
        let is_superseded = Stamp::Is(state.process.incarnation.unwrap_or_default()) == act.cited.stamp
            && act.cited.generation < state.process.generation;
        let compares_incarnations = !self.without.has(Check::ActIsForUs);
        !compares_incarnations || (self.may_become(state, act.cited.stamp) && !is_superseded)
    }

    /// Whether a page that was shown could yet be resolved against or gone back to. What is before the last reset never
    /// will be.
    fn may_be_used(&self, state: &State, shown: &Save) -> bool {
        let is_since = self.check_since(state, shown.cited).is_ok();
        is_since || self.check_resolve(state, shown.cited).is_ok() || state.store.row == Some(*shown)
    }

    /// Whether a save could yet land. Incarnations only grow, so one that is not current never will be again; and while
    /// an incarnation is current its row only grows, if no row can be deleted without ending it.
    fn may_be_stored(&self, state: &State, save: &Save) -> bool {
        let is_pending = save.cited.stamp == Stamp::Pending;
        let rows_only_grow = self.admits == Admits::Current
            && self.registration_mints
            && self.reset_mints
            && self.rollback_mints
            && !self.without.has(Check::SaveIsCurrent);
        let order_lasts = rows_only_grow && self.check_order(state, save).is_err();
        is_pending || (self.check_incarnation(state, save).is_ok() && !order_lasts)
    }
}

#[inline]
fn refusal(check: Check, found: impl Into<Value>, against: impl Into<Value>) -> Guard {
    Guard { requirement: check.requirement(), found: found.into(), against: against.into() }
}
