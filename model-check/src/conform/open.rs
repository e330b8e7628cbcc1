//! Calls of the store whose outcome is open, and every present that is possible meanwhile.
//!
//! # Theory of operation
//!
//! A call that has begun takes effect once, at some moment after its begin, or never. Its end tells which. *Done*: it
//! took effect before the end. *Refused*: it never did, and at some moment since its begin the model refuses it for
//! that reason. If the end is missing or says *unknown*, the effect may also come later, since the message may still be
//! under way.
//!
//! So before each event of the computer, every call that waits is tried in every present. Where the model takes it,
//! there is a second present, in which it has happened; in the first it waits on. The event is then taken in those
//! presents in which it is possible, and the others are dropped. Most often the first event leaves only one: a page is
//! loaded, a row is shown, a save is refused. A call is closed once it has happened in every present, or can never
//! happen again: an incarnation that is over does not come back.
//!
//! # Ground rules
//!
//! - The model decides what can happen, as everywhere. This file knows when it may, and whom to believe.
//! - A logged effect that bears the name of a call which has begun is the effect of that call. In a present in which
//!   the call had happened already, it cannot happen again.
//! - A process that dies hears of no end. What it has sent may still arrive.
//! - If it is not told what a call has minted, it is taken for the next incarnation, since nothing names another.

mod store_call;

use std::collections::HashMap;
use std::hash::BuildHasher;

use outlive_spec::guard::{Guard, Value};
use outlive_spec::trace::{Event, Outcome, Phase, Side};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::limits::{OPEN, OPERATIONS, PRESENTS};
use super::track::{Cause, Pairing, Said, Track};
use store_call::{Causes, Known, StoreCall};

/// One computer while something about it is open.
#[derive(Clone)]
pub(super) struct Open<T: Track> {
    /// In the order in which they began.
    calls: Vec<StoreCall<T>>,
    /// In the order in which they became possible: in the first one the least has happened.
    presents: Vec<Present<T>>,
    /// Whether the end of a call may come that is no longer remembered.
    has_forgotten: bool,
}

/// One state in which the computer may be.
#[derive(Clone, PartialEq, Eq)]
struct Present<T: Track> {
    track: T,
    /// What has become of each call, in the order of `Open::calls`.
    fates: SmallVec<[Fate<T::Told>; 4]>,
}

/// What has become of a call in one present.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Fate<D> {
    /// Nothing yet. Meanwhile it could have been refused for these reasons.
    Waiting(Causes),
    /// It has happened, and this is what its caller is told.
    Happened(Option<D>),
}

/// What an event was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// A step with its effect.
    Step,
    /// A word about a call whose effect stands elsewhere.
    Word,
}

impl<T: Track> Open<T> {
    pub(super) fn of(track: T) -> Open<T> {
        Open { calls: Vec::new(), presents: vec![Present { track, fates: SmallVec::new() }], has_forgotten: false }
    }

    /// Takes the event in every present in which it is possible.
    pub(super) fn step(&mut self, rules: &T::Rules, said: &Said<'_, '_, T>) -> Result<Taken, Cause<T::Row>> {
        self.let_happen(rules)?;
        let opened = self.presents[0].track.opens(said);
        let taken = match (said.event.phase, said.event.outcome) {
            (Phase::Begin, _) => self.begin(said, Known::Begun)?,
            (Phase::End, _) => self.end(rules, said)?,
            (Phase::Commit | Phase::Observe | Phase::Marker, Outcome::Unknown) => self.begin(said, Known::Lost)?,
            (Phase::Commit | Phase::Observe | Phase::Marker, Outcome::Done | Outcome::Refused) => {
                self.happen(rules, said)?
            }
        };
        if let Some((event, words)) = opened {
            self.open(StoreCall::unlogged(event, words));
        }
        for present in &mut self.presents {
            present.note(rules, &self.calls);
        }
        self.merge();
        self.close(rules)?;
        Ok(taken)
    }

    /// The only present that is left, once nothing is open any more.
    pub(super) fn known(&mut self) -> Option<T> {
        let is_known = self.calls.is_empty() && self.presents.len() == 1;
        is_known.then(|| self.presents.swap_remove(0).track)
    }

    /// The present in which the least has happened.
    pub(super) fn track(&self) -> &T {
        &self.presents[0].track
    }

    /// What has begun under this name.
    pub(super) fn describe(&self, name: &str) -> Option<String> {
        self.calls.iter().find(|call| call.is_named(name)).map(StoreCall::describe)
    }

    /// How many calls are remembered.
    pub(super) fn calls(&self) -> usize {
        self.calls.iter().filter(|call| call.is_open()).count()
    }

    // -- before an event

    /// Lets every call that waits happen, in any order, wherever the model takes it.
    fn let_happen(&mut self, rules: &T::Rules) -> Result<(), Cause<T::Row>> {
        let mut seen = Seen::of(&self.presents);
        let mut at = 0;
        while at < self.presents.len() {
            for number in 0..self.calls.len() {
                let Some(present) = self.presents[at].with(rules, &self.calls, number)? else { continue };
                if seen.is_new(&self.presents, &present) {
                    self.presents.push(present);
                }
            }
            if self.presents.len() > PRESENTS {
                return Err(Cause::TooManyPresents);
            }
            at += 1;
        }
        Ok(())
    }

    // -- the event

    fn begin(&mut self, said: &Said<'_, '_, T>, known: Known<T::Told>) -> Result<Taken, Cause<T::Row>> {
        let is_under_way = |call: &StoreCall<T>| call.known == Known::Begun && call.has_name_of(said.event);
        if known == Known::Begun && self.calls.iter().any(is_under_way) {
            return Err(Cause::Operation);
        }
        // TRACE-9: a save bears the name of the operation whose answer it saves, from its begin on.
        if self.presents.iter_mut().any(|present| present.track.pair(said) == Pairing::Differs) {
            return Err(Cause::Operation);
        }
        self.open(StoreCall::new(said, known));
        Ok(Taken::Word)
    }

    /// From now on the call may happen.
    fn open(&mut self, call: StoreCall<T>) {
        // Whoever asks again waits for one answer.
        if self.calls.iter().any(|other| other.is_asked_again_by(&call)) {
            return;
        }
        self.calls.push(call);
        for present in &mut self.presents {
            present.fates.push(Fate::Waiting(Causes::default()));
        }
    }

    fn end(&mut self, rules: &T::Rules, said: &Said<'_, '_, T>) -> Result<Taken, Cause<T::Row>> {
        let event = said.event;
        let is_its = |call: &StoreCall<T>| call.known != Known::Lost && call.has_name_of(event);
        let Some(number) = self.calls.iter().position(is_its) else {
            return self.end_of_what_is_not_open(said);
        };
        let call = &mut self.calls[number];
        if !call.is_the_same(said) {
            return Err(Cause::Operation);
        }
        if call.known == Known::Begun {
            if event.outcome == Outcome::Unknown {
                call.known = Known::Lost;
                return Ok(Taken::Word);
            }
            self.believe(rules, said, number)?;
            self.forget_call(number);
            return Ok(Taken::Step);
        }
        let is_known_otherwise = call.known != Known::Committed(event.because, T::told(said));
        if event.outcome != Outcome::Unknown && is_known_otherwise {
            return Err(Cause::Operation);
        }
        self.forget_call(number);
        Ok(Taken::Word)
    }

    /// The call is no longer remembered; or nobody waits for the answer any more, and it is no news.
    fn end_of_what_is_not_open(&mut self, said: &Said<'_, '_, T>) -> Result<Taken, Cause<T::Row>> {
        let is_a_question = said.event.action.side() != Side::Store;
        let is_moot = |present: &Present<T>| is_a_question && present.track.is_moot(said);
        if self.presents.iter().any(is_moot) {
            self.presents.retain(is_moot);
            return Ok(Taken::Word);
        }
        if self.has_forgotten && !is_a_question { Ok(Taken::Word) } else { Err(Cause::Operation) }
    }

    /// Leaves the presents in which the call has ended as its end says.
    fn believe(&mut self, rules: &T::Rules, said: &Said<'_, '_, T>, number: usize) -> Result<(), Cause<T::Row>> {
        let before = self.presents[0].clone();
        let call = &self.calls[number];
        let told = T::told(said);
        self.presents.retain_mut(|present| match (present.fates[number], said.event.because) {
            (Fate::Happened(it), None) => it == told,
            (Fate::Waiting(causes), Some(because)) => call.causes().contains(causes, because),
            (Fate::Waiting(_), None) => {
                call.is_moot(&present.track) || call.is_answered(rules, &mut present.track, said)
            }
            (Fate::Happened(_), Some(_)) => false,
        });
        if !self.presents.is_empty() {
            if said.event.because.is_some() {
                self.presents.iter_mut().for_each(|present| present.track.hear_of_a_refusal(said));
            }
            return Ok(());
        }
        self.presents.push(before);
        let present = &self.presents[0];
        Err(match (present.fates[number], said.event.because) {
            // SAVE-5, RECONCILE-17: what has happened was refused for no reason at all.
            (Fate::Happened(_), Some(because)) => Cause::Guard(Guard {
                requirement: T::REFUSAL_IS_TRUE,
                found: because.into(),
                against: Value::Cause(None),
            }),
            (Fate::Waiting(_), Some(because)) => call.why_not_refused(rules, &present.track, because),
            (Fate::Waiting(_), None) => call.why_not(rules, &present.track, said),
            (Fate::Happened(_), None) => Cause::Operation,
        })
    }

    /// A step that happens here.
    fn happen(&mut self, rules: &T::Rules, said: &Said<'_, '_, T>) -> Result<Taken, Cause<T::Row>> {
        let event = said.event;
        let is_its =
            |call: &StoreCall<T>| call.known == Known::Begun && call.has_name_of(event) && call.is_the_same(said);
        let effect_of = if event.phase == Phase::Commit { self.calls.iter().position(is_its) } else { None };
        let (mut possible, mut first_cause) = (Vec::with_capacity(self.presents.len()), None);
        for mut present in self.presents.iter().cloned() {
            let unpaired = present.track.unpaired();
            let cause = match effect_of {
                Some(number) if present.has_happened(number) => Some(Cause::Operation),
                Some(_) | None => present.track.step(rules, said).err(),
            };
            if effect_of.is_some() {
                // Its begin is what the name pairs it with.
                present.track.set_unpaired(unpaired);
            }
            match cause {
                None => possible.push(present),
                Some(Cause::Forgotten) => return Err(Cause::Forgotten),
                Some(cause) => first_cause = first_cause.or(Some(cause)),
            }
        }
        if let (true, Some(cause)) = (possible.is_empty(), first_cause) {
            return Err(cause);
        }
        self.presents = possible;
        if let Some(number) = effect_of {
            self.calls[number].known = Known::Committed(event.because, T::told(said));
            self.presents.iter_mut().for_each(|present| present.fates[number] = Fate::Happened(None));
        }
        self.forget_the_ends_of_the_dead(event);
        Ok(Taken::Step)
    }

    /// A process that has died waits for no end.
    fn forget_the_ends_of_the_dead(&mut self, event: &Event<'_>) {
        for number in (0..self.calls.len()).rev() {
            let call = &mut self.calls[number];
            let has_died = call.is_forgotten_by(event);
            match call.known {
                // What was sent to the store may still arrive; a question that nobody waits for changes nothing.
                Known::Begun if has_died && call.is_a_question() => self.forget_call(number),
                Known::Begun if has_died => call.known = Known::Lost,
                Known::Committed(..) if has_died => self.forget_call(number),
                Known::Begun | Known::Committed(..) | Known::Lost => {}
            }
        }
    }

    // -- after the event

    /// Two presents that have become the same are one.
    fn merge(&mut self) {
        let presents = std::mem::take(&mut self.presents);
        let mut seen = Seen::default();
        for present in presents {
            if seen.is_new(&self.presents, &present) {
                self.presents.push(present);
            }
        }
    }

    /// Closes the calls of which nothing more can come.
    fn close(&mut self, rules: &T::Rules) -> Result<(), Cause<T::Row>> {
        let is_open = |open: &Open<T>, number: usize| {
            let is_waiting = |present: &Present<T>| {
                !present.has_happened(number) && !open.calls[number].is_over(rules, &present.track)
            };
            open.presents.iter().any(is_waiting)
        };
        let (mut waiting, mut settled) = (0, 0);
        for number in (0..self.calls.len()).rev() {
            if is_open(self, number) {
                waiting += 1;
                continue;
            }
            let call = &self.calls[number];
            // An answer that never came, and that nobody waits for any more.
            let is_unanswered = call.is_a_question() && !self.presents.iter().any(|it| it.has_happened(number));
            if call.known == Known::Lost || is_unanswered {
                self.forget_call(number);
                continue;
            }
            settled += 1;
            if settled > OPERATIONS {
                self.has_forgotten |= !call.is_a_question();
                self.forget_call(number);
            }
        }
        self.merge();
        if waiting > OPEN { Err(Cause::TooManyOpen) } else { Ok(()) }
    }

    fn forget_call(&mut self, number: usize) {
        self.calls.remove(number);
        for present in &mut self.presents {
            present.fates.remove(number);
        }
    }
}

impl<T: Track> Present<T> {
    fn has_happened(&self, number: usize) -> bool {
        matches!(self.fates[number], Fate::Happened(_))
    }

    /// What becomes of it if the call happens now, if it can.
    fn with(
        &self,
        rules: &T::Rules,
        calls: &[StoreCall<T>],
        number: usize,
    ) -> Result<Option<Present<T>>, Cause<T::Row>> {
        if self.has_happened(number) {
            return Ok(None);
        }
        let mut track = self.track.clone();
        let told = match calls[number].happen(rules, &mut track) {
            Ok(told) => told,
            Err(Cause::Forgotten) => return Err(Cause::Forgotten),
            Err(_) => return Ok(None),
        };
        let mut present = Present { track, fates: self.fates.clone() };
        present.fates[number] = Fate::Happened(told);
        present.note(rules, calls);
        Ok(Some(present))
    }

    /// Notes for which reasons each call that waits would be refused now. If nobody will hear of the end, no reason
    /// matters; and a call that can never happen again is treated like one that has happened, so that more presents are
    /// the same.
    fn note(&mut self, rules: &T::Rules, calls: &[StoreCall<T>]) {
        for (call, fate) in calls.iter().zip(&mut self.fates) {
            match (call.known, *fate) {
                (Known::Lost, Fate::Waiting(_)) if !call.is_over(rules, &self.track) => {
                    *fate = Fate::Waiting(Causes::default())
                }
                (Known::Lost, _) => *fate = Fate::Happened(None),
                // Whatever the answer was, nobody waits for it any more.
                (Known::Begun, Fate::Happened(_)) if call.is_a_question() && call.is_moot(&self.track) => {
                    *fate = Fate::Waiting(Causes::default())
                }
                (Known::Begun, Fate::Waiting(mut causes)) => {
                    call.note_refusals(rules, &self.track, &mut causes);
                    *fate = Fate::Waiting(causes);
                }
                (Known::Begun | Known::Committed(..), _) => {}
            }
        }
    }
}

/// Finds presents that are there already.
#[derive(Default)]
struct Seen(HashMap<u64, SmallVec<[u32; 1]>, FxBuildHasher>);

impl Seen {
    fn of<T: Track>(presents: &[Present<T>]) -> Seen {
        let mut seen = Seen::default();
        for (at, present) in presents.iter().enumerate() {
            seen.0.entry(key(present)).or_default().push(at as u32);
        }
        seen
    }

    /// Whether it is none of these. If so, it is expected to be put behind them.
    fn is_new<T: Track>(&mut self, presents: &[Present<T>], present: &Present<T>) -> bool {
        let alike = self.0.entry(key(present)).or_default();
        if alike.iter().any(|at| presents[*at as usize] == *present) {
            return false;
        }
        alike.push(presents.len() as u32);
        true
    }
}

fn key<T: Track>(present: &Present<T>) -> u64 {
    FxBuildHasher.hash_one((present.track.state(), &present.fates[..]))
}
