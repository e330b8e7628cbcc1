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
use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::state::Incarnation;
use outlive_spec::trace::{Event, Outcome, Phase, Verb};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::limits::{OPEN, OPERATIONS, PRESENTS};
use super::operations::Pairing;
use super::snapshot::{Cause, Said, Track};
use store_call::{Causes, Known, StoreCall};

/// One computer while something about it is open.
#[derive(Clone)]
pub(super) struct Open {
    /// In the order in which they began.
    calls: Vec<StoreCall>,
    /// In the order in which they became possible: in the first one the least has happened.
    presents: Vec<Present>,
    /// Whether the end of a call may come that is no longer remembered.
    has_forgotten: bool,
}

/// One state in which the computer may be.
#[derive(Clone, PartialEq, Eq)]
struct Present {
    track: Track,
    /// What has become of each call, in the order of `Open::calls`.
    fates: SmallVec<[Fate; 4]>,
}

/// What has become of a call in one present.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Fate {
    /// Nothing yet. Meanwhile it could have been refused for these reasons.
    Waiting(Causes),
    /// It has happened, and this incarnation was minted, if it mints any.
    Happened(Option<Incarnation>),
}

/// What an event was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// A step with its effect.
    Step,
    /// A word about a call whose effect stands elsewhere.
    Word,
}

impl Open {
    pub(super) fn of(track: Track) -> Open {
        Open { calls: Vec::new(), presents: vec![Present { track, fates: SmallVec::new() }], has_forgotten: false }
    }

    /// Takes the event in every present in which it is possible.
    pub(super) fn step(&mut self, rules: &Rules, said: &Said<'_, '_>) -> Result<Taken, Cause> {
        self.let_happen(rules)?;
        let taken = match (said.event.phase, said.event.outcome) {
            (Phase::Begin, _) => self.begin(said, Known::Begun)?,
            (Phase::End, _) => self.end(rules, said)?,
            (Phase::Commit | Phase::Observe | Phase::Marker, Outcome::Unknown) => self.begin(said, Known::Lost)?,
            (Phase::Commit | Phase::Observe | Phase::Marker, Outcome::Done | Outcome::Refused) => {
                self.happen(rules, said)?
            }
        };
        for present in &mut self.presents {
            present.note(rules, &self.calls);
        }
        self.merge();
        self.close(rules)?;
        Ok(taken)
    }

    /// The only present that is left, once nothing is open any more.
    pub(super) fn known(&mut self) -> Option<Track> {
        let is_known = self.calls.is_empty() && self.presents.len() == 1;
        is_known.then(|| self.presents.swap_remove(0).track)
    }

    /// The present in which the least has happened.
    pub(super) fn track(&self) -> &Track {
        &self.presents[0].track
    }

    /// What has begun under this name.
    pub(super) fn describe(&self, name: &str) -> Option<String> {
        self.calls.iter().find(|call| call.is_named(name)).map(StoreCall::to_string)
    }

    /// How many calls are remembered.
    pub(super) fn calls(&self) -> usize {
        self.calls.iter().filter(|call| call.is_open()).count()
    }

    // -- before an event

    /// Lets every call that waits happen, in any order, wherever the model takes it.
    fn let_happen(&mut self, rules: &Rules) -> Result<(), Cause> {
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

    fn begin(&mut self, said: &Said<'_, '_>, known: Known) -> Result<Taken, Cause> {
        let is_under_way = |call: &StoreCall| call.known == Known::Begun && call.has_name_of(said.event);
        if known == Known::Begun && self.calls.iter().any(is_under_way) {
            return Err(Cause::Operation);
        }
        for Present { track, fates } in &mut self.presents {
            // TRACE-9: a save bears the name of the operation whose answer it saves, from its begin on.
            match track.operations.take(said.event, &said.numbers) {
                Pairing::Differs => return Err(Cause::Operation),
                Pairing::Fits | Pairing::Unknown => fates.push(Fate::Waiting(Causes::default())),
            }
        }
        self.calls.push(StoreCall::new(said, known));
        Ok(Taken::Word)
    }

    fn end(&mut self, rules: &Rules, said: &Said<'_, '_>) -> Result<Taken, Cause> {
        let event = said.event;
        let is_its = |call: &StoreCall| call.known != Known::Lost && call.has_name_of(event);
        let Some(number) = self.calls.iter().position(is_its) else {
            return if self.has_forgotten { Ok(Taken::Word) } else { Err(Cause::Operation) };
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
        let is_known_otherwise = call.known != Known::Committed(event.because, event.minted);
        if event.outcome != Outcome::Unknown && is_known_otherwise {
            return Err(Cause::Operation);
        }
        self.forget_call(number);
        Ok(Taken::Word)
    }

    /// Leaves the presents in which the call has ended as its end says.
    fn believe(&mut self, rules: &Rules, said: &Said<'_, '_>, number: usize) -> Result<(), Cause> {
        let before = self.presents[0].clone();
        let call = &self.calls[number];
        let minted = said.event.minted.map(|_| Incarnation(said.numbers.minted));
        self.presents.retain(|present| match (present.fates[number], said.event.because) {
            (Fate::Happened(it), None) => it == minted,
            (Fate::Waiting(causes), Some(because)) => call.causes().contains(causes, because),
            (Fate::Happened(_), Some(_)) | (Fate::Waiting(_), None) => false,
        });
        if !self.presents.is_empty() {
            return Ok(());
        }
        self.presents.push(before);
        let present = &self.presents[0];
        Err(match (present.fates[number], said.event.because) {
            // SAVE-5: what has happened was refused for no reason at all.
            (Fate::Happened(_), Some(because)) => Cause::Guard(Guard {
                requirement: Requirement::Save5,
                found: because.into(),
                against: Value::Cause(None),
            }),
            (Fate::Waiting(_), Some(because)) => call.why_not_refused(rules, &present.track, because),
            (Fate::Waiting(_), None) => call.why_not(rules, &present.track),
            (Fate::Happened(_), None) => Cause::Operation,
        })
    }

    /// A step that happens here.
    fn happen(&mut self, rules: &Rules, said: &Said<'_, '_>) -> Result<Taken, Cause> {
        let event = said.event;
        let is_its = |call: &StoreCall| call.known == Known::Begun && call.has_name_of(event) && call.is_the_same(said);
        let effect_of = if event.phase == Phase::Commit { self.calls.iter().position(is_its) } else { None };
        let (mut possible, mut first_cause) = (Vec::with_capacity(self.presents.len()), None);
        for mut present in self.presents.iter().cloned() {
            let unpaired = present.track.unpaired;
            let cause = match effect_of {
                Some(number) if present.has_happened(number) => Some(Cause::Operation),
                Some(_) | None => present.track.step(rules, said).err(),
            };
            if effect_of.is_some() {
                // Its begin is what the name pairs it with.
                present.track.unpaired = unpaired;
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
            self.calls[number].known = Known::Committed(event.because, event.minted);
            self.presents.iter_mut().for_each(|present| present.fates[number] = Fate::Happened(None));
        }
        self.forget_the_ends_of_the_dead(event);
        Ok(Taken::Step)
    }

    /// A process that has died waits for no end.
    fn forget_the_ends_of_the_dead(&mut self, event: &Event<'_>) {
        let is_done = event.outcome == Outcome::Done;
        for number in (0..self.calls.len()).rev() {
            let call = &mut self.calls[number];
            let is_a_new_life = is_done && matches!(event.action, Verb::Restart | Verb::Wipe);
            let has_died = match call.is_of(Verb::Register) {
                true => is_a_new_life,
                false => event.action == Verb::Crash && call.is_by(&event.process),
            };
            match call.known {
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
    fn close(&mut self, rules: &Rules) -> Result<(), Cause> {
        let is_open = |open: &Open, number: usize| {
            let is_waiting =
                |present: &Present| !present.has_happened(number) && !open.calls[number].is_over(rules, &present.track);
            open.presents.iter().any(is_waiting)
        };
        let (mut waiting, mut settled) = (0, 0);
        for number in (0..self.calls.len()).rev() {
            let is_open = is_open(self, number);
            waiting += usize::from(is_open);
            settled += usize::from(!is_open);
            if !is_open && self.calls[number].known == Known::Lost {
                self.forget_call(number);
            } else if !is_open && settled > OPERATIONS {
                self.has_forgotten = true;
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

impl Present {
    fn has_happened(&self, number: usize) -> bool {
        matches!(self.fates[number], Fate::Happened(_))
    }

    /// What becomes of it if the call happens now, if it can.
    fn with(&self, rules: &Rules, calls: &[StoreCall], number: usize) -> Result<Option<Present>, Cause> {
        if self.has_happened(number) {
            return Ok(None);
        }
        let mut track = self.track.clone();
        let minted = match calls[number].happen(rules, &mut track) {
            Ok(minted) => minted,
            Err(Cause::Forgotten) => return Err(Cause::Forgotten),
            Err(_) => return Ok(None),
        };
        let mut present = Present { track, fates: self.fates.clone() };
        present.fates[number] = Fate::Happened(minted);
        present.note(rules, calls);
        Ok(Some(present))
    }

    /// Notes for which reasons each call that waits would be refused now. If nobody will hear of the end, no reason
    /// matters; and a call that can never happen again is treated like one that has happened, so that more presents are
    /// the same.
    fn note(&mut self, rules: &Rules, calls: &[StoreCall]) {
        for (call, fate) in calls.iter().zip(&mut self.fates) {
            match (call.known, *fate) {
                (Known::Lost, Fate::Waiting(_)) if !call.is_over(rules, &self.track) => {
                    *fate = Fate::Waiting(Causes::default())
                }
                (Known::Lost, _) => *fate = Fate::Happened(None),
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
    fn of(presents: &[Present]) -> Seen {
        let mut seen = Seen::default();
        for (at, present) in presents.iter().enumerate() {
            seen.0.entry(key(present)).or_default().push(at as u32);
        }
        seen
    }

    /// Whether it is none of these. If so, it is expected to be put behind them.
    fn is_new(&mut self, presents: &[Present], present: &Present) -> bool {
        let alike = self.0.entry(key(present)).or_default();
        if alike.iter().any(|at| presents[*at as usize] == *present) {
            return false;
        }
        alike.push(presents.len() as u32);
        true
    }
}

fn key(present: &Present) -> u64 {
    FxBuildHasher.hash_one((&present.track.state, &present.fates[..]))
}
