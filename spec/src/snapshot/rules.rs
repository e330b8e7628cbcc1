//! The rules: each arm asks, then writes, so that a refusal leaves the state as it was.

use super::action::{Action, Attempt, Rollback};
use super::check::{Check, Checks};
use super::guards::shown;
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
    /// Which save may land.
    pub admits: Admits,
    /// Which page a reference resolves against.
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

/// Which save may land.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admits {
    /// One of the current incarnation, above the stored generation if that is of the same.
    Current,
    /// One above the stored generation, if there is a stored page.
    GenerationOnly,
    /// The same, and a reset does not forget how high it had counted.
    GenerationAboveTheDeleted,
    /// The same, and after a reset only the one generation that was deleted is refused.
    GenerationOtherThanTheDeleted,
    /// As `Current`, but what has no incarnation is compared by generation only.
    CurrentIfKnown,
    /// One of another incarnation than the stored page's, or above its generation.
    AnyOther,
    /// One above the stored page, by incarnation and then by generation.
    AboveTheStoredPage,
}

/// Which page a reference resolves against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resolves {
    /// The stored one.
    TheStoredPage,
    /// The stored one, and without an incarnation it counts as current.
    TheStoredPageIfKnown,
    /// The one that the gateway has loaded, which is what the agent was shown.
    TheCache,
}

pub(super) type Step = Result<(), Guard>;

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
            Action::Save(save) => self.save(state, save),
            Action::Claim(gateway, expected) => self.claim(state, gateway, expected),
            Action::SendWipe(gateway, incarnation) => self.send_wipe(state, gateway, incarnation),
            Action::Wipe(wipe, life, generation) => self.wipe(state, wipe, life, generation),
            Action::Finish(gateway, wiped, minted) => self.finish(state, gateway, wiped, minted),
            Action::Load(seen) => self.load(state, seen),
            Action::Discard(cited) => self.discard(state, cited),
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
        // Incarnation 0 is nobody's, so whoever comes first is given another by every rule.
        let mints = self.registration_mints || state.store.incarnation == Incarnation(0);
        self.check_minted(state, Check::RegisterMints, mints, minted)?;
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

    fn save(&self, state: &mut State, save: Save) -> Step {
        let verdict = self.check_save(state, &save);
        let was_sent = save.cited.stamp != Stamp::Pending && state.saves.contains(&save);
        if verdict.is_err() && !self.refusals_are_typed {
            self.check_may_have_been_sent(state, &save)?;
            noted::a_refusal_that_reads_as_success(state);
            return Ok(());
        }
        verdict?;
        self.check(Check::SaveWasSent, was_sent, save.cited, Value::Nothing)?;
        noted::a_page_that_goes_back(state, &save);
        noted::a_rollback_undone(state, &save);
        state.store.page = Some(save);
        // Whoever waits for a page has one.
        state.is_retrying = false;
        self.forget(state);
        Ok(())
    }

    // -- a reset

    fn claim(&self, state: &mut State, gateway: Gateway, expected: Incarnation) -> Step {
        self.check_claim(state, expected)?;
        noted::a_decision_on_another_incarnation(state, expected);
        if self.remembers_the_deleted() {
            let deleted = state.store.page.map_or(Generation(0), |stored| stored.cited.generation);
            state.store.deleted = state.store.deleted.max(deleted);
        }
        state.store.page = None;
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
        // RESET-1: the claim comes first and lasts, or a crash after the wipe leaves the wiped page stored.
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
        let stored = state.store.page.map(|stored| stored.cited);
        self.check(Check::LoadSeesPage, seen == stored, seen, stored)?;
        if let Some(stored) = state.store.page {
            state.shown.insert(stored);
        }
        Ok(())
    }

    fn discard(&self, state: &mut State, cited: Cited) -> Step {
        state.shown.retain(|page| page.cited != cited);
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
        // SAVE-7: the page keeps its own name, under which it does not resolve: no process has its state yet.
        noted::a_rollback(state);
        state.store.page = shown(state, rollback.to);
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
}
