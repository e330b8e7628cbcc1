//! One computer as far as it is known: the present that it is in, or every one that it may be in.

use super::fields;
use super::open::{Open, Taken};
use super::track::{Cause, Said, Track};

/// One computer in the middle of its trace.
#[derive(Clone)]
pub(super) enum Presents<T: Track> {
    /// Nothing is open. So it is with nearly every computer nearly always, and the way through here is short: in a box
    /// it would be one more look into memory.
    Known(T),
    /// The outcome of a call is open, or what came of one is.
    Open(Box<Open<T>>),
}

impl<T: Track> Default for Presents<T> {
    fn default() -> Presents<T> {
        Presents::Known(T::default())
    }
}

impl<T: Track> Presents<T> {
    /// Takes the event. After an error the computer is not judged any further.
    #[inline]
    pub(super) fn step(&mut self, rules: &T::Rules, said: &Said<'_, '_, T>) -> Result<Taken, Cause<T::Row>> {
        match self {
            Presents::Known(track) if !fields::is_of_a_call(said.event) && track.opens(said).is_none() => {
                track.step(rules, said).map(|()| Taken::Step)
            }
            Presents::Known(_) | Presents::Open(_) => self.step_in_the_open(rules, said),
        }
    }

    #[cold]
    fn step_in_the_open(&mut self, rules: &T::Rules, said: &Said<'_, '_, T>) -> Result<Taken, Cause<T::Row>> {
        let mut open = match std::mem::take(self) {
            Presents::Known(track) => Box::new(Open::of(track)),
            Presents::Open(open) => open,
        };
        let taken = open.step(rules, said)?;
        *self = match open.known() {
            Some(track) => Presents::Known(track),
            None => Presents::Open(open),
        };
        Ok(taken)
    }

    /// The present in which the least has happened.
    #[inline]
    pub(super) fn track(&self) -> &T {
        match self {
            Presents::Known(track) => track,
            Presents::Open(open) => open.track(),
        }
    }

    /// What was sent under the name of an operation.
    pub(super) fn describe_operation(&self, name: &str) -> String {
        let begun = if let Presents::Open(open) = self { open.describe(name) } else { None };
        begun.unwrap_or_else(|| self.track().describe_operation(name))
    }

    /// How many calls are open.
    pub(super) fn open_calls(&self) -> usize {
        if let Presents::Open(open) = self { open.calls() } else { 0 }
    }
}
