//! Which message an event means, where an operation's name says so.
//!
//! The model knows a message by what is visible of it. So the save of one answer under the name of another would pass
//! for a repetition, and an implementation that mixes up its own requests would look right. The name is held against
//! what was sent under it: a call and its answers, or the act of a reference that was resolved.

use std::collections::VecDeque;
use std::fmt;

use outlive_spec::trace::{Event, Outcome, Verb};
use smallvec::SmallVec;

use super::Numbers;
use crate::conform::limits::{ANSWERS, OPERATIONS};
use crate::conform::names::NameHash;
use crate::conform::track::Pairing;

/// The last operations of one computer, by name.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Operations {
    begun: VecDeque<Operation>,
    has_forgotten: bool,
}

/// What was sent under one name. It fills one line of the cache: each computer keeps many, and an event looks at one.
#[derive(Clone, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Operation {
    /// Only the hash of 64 bits, since many computers keep many names. The chance that two of the few names of one
    /// computer have the same hash is one in 10^17.
    name: NameHash,
    sent: Sent,
    has_forgotten: bool,
}

const _: () = assert!(size_of::<Operation>() == 64);

#[derive(Clone, PartialEq, Eq)]
enum Sent {
    /// A call for this incarnation, which was answered with pages of these generations.
    Call(Option<u32>, SmallVec<[u32; ANSWERS]>),
    /// An act on the page of this incarnation and generation.
    Act(Option<u32>, u32),
}

impl Operations {
    /// Holds an event against the operation that it names, and notes what it sends.
    #[inline]
    pub(super) fn take(&mut self, event: &Event<'_>, numbers: &Numbers) -> Pairing {
        match &event.operation {
            None => Pairing::Fits,
            Some(name) => self.take_named(NameHash::of(name), event, numbers),
        }
    }

    // TRACE-9: a message is known by its name as well, for what is visible of it may be that of another.
    fn take_named(&mut self, name: NameHash, event: &Event<'_>, numbers: &Numbers) -> Pairing {
        let Numbers { incarnation, generation, .. } = *numbers;
        if matches!(event.action, Verb::Register | Verb::Claim | Verb::Finish | Verb::Rollback) {
            // Its name pairs it with its begin, if that is still remembered (`open.rs`).
            return Pairing::Unknown;
        }
        if matches!(event.action, Verb::Begin | Verb::Resolve) {
            let is_call = event.action == Verb::Begin;
            let act = Sent::Act(incarnation, generation);
            return self.begin(name, if is_call { Sent::Call(incarnation, SmallVec::new()) } else { act });
        }
        let has_forgotten = self.has_forgotten;
        let Some(operation) = self.get_mut(name) else {
            return if has_forgotten { Pairing::Unknown } else { Pairing::Differs };
        };
        match (event.action, &mut operation.sent) {
            (Verb::Answer, Sent::Call(called, answers)) if *called == incarnation => {
                if event.outcome == Outcome::Done {
                    operation.has_forgotten |= push_bounded(answers, generation);
                }
                Pairing::Fits
            }
            // Rejected rules call for no incarnation and name one in the save.
            (Verb::Save, Sent::Call(called, answers)) if called.is_none() || *called == incarnation => {
                // A computer counts up, so what was forgotten is older than what is remembered.
                let may_be_forgotten =
                    operation.has_forgotten && answers.first().is_some_and(|oldest| generation < *oldest);
                match answers.contains(&generation) {
                    true => Pairing::Fits,
                    false if may_be_forgotten => Pairing::Unknown,
                    false => Pairing::Differs,
                }
            }
            (Verb::Perform, Sent::Act(of, number)) if (*of, *number) == (incarnation, generation) => Pairing::Fits,
            _ => Pairing::Differs,
        }
    }

    fn begin(&mut self, name: NameHash, sent: Sent) -> Pairing {
        if self.get_mut(name).is_some() {
            return Pairing::Differs;
        }
        if self.begun.len() == OPERATIONS {
            self.begun.pop_front();
            self.has_forgotten = true;
        }
        self.begun.push_back(Operation { name, sent, has_forgotten: false });
        Pairing::Fits
    }

    /// The newest first: most events are of an operation that has just begun.
    fn get_mut(&mut self, name: NameHash) -> Option<&mut Operation> {
        self.begun.iter_mut().rev().find(|operation| operation.name == name)
    }

    /// What was sent under this name.
    pub(super) fn describe(&self, name: &str) -> String {
        let name = NameHash::of(name);
        let named = self.begun.iter().find(|operation| operation.name == name);
        named.map_or_else(|| "no operation of that name".to_owned(), |operation| operation.sent.to_string())
    }

    /// Looks at the operation that most events are of, so that it is in the cache.
    #[inline]
    pub(super) fn touch(&self) -> u32 {
        self.begun.back().map_or(0, |operation| operation.name.0 as u32)
    }

    /// How many are remembered.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.begun.len()
    }
}

/// Whether the oldest had to go.
fn push_bounded(answers: &mut SmallVec<[u32; ANSWERS]>, generation: u32) -> bool {
    let is_full = answers.len() == ANSWERS;
    if is_full {
        answers.remove(0);
    }
    answers.push(generation);
    is_full
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |incarnation: &Option<u32>| match incarnation {
            Some(number) => format!("incarnation {number}"),
            None => "no incarnation".to_owned(),
        };
        match self {
            Sent::Call(called, answers) if answers.is_empty() => {
                write!(f, "a call for {} without an answer", of(called))
            }
            Sent::Call(called, answers) => {
                let answers: Vec<String> = answers.iter().map(u32::to_string).collect();
                write!(f, "a call for {}, answered with generation {}", of(called), answers.join(" and "))
            }
            Sent::Act(incarnation, generation) => write!(f, "an act on generation {generation} of {}", of(incarnation)),
        }
    }
}
