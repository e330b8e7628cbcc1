//! Who may speak, and who acts as a gateway. The model numbers gateways in the order in which they appear.

use outlive_spec::trace::{Event, Header};

use super::fault::Fault;
use super::names::{Guess, NameHash, Named, Place};
use super::unreadable::Kind;

/// The declared processes.
pub(super) struct Speakers {
    named: Named<Speaker>,
    /// The processes that have acted as gateways, in order of appearance.
    gateways: Vec<Box<str>>,
}

/// A declared process.
struct Speaker {
    /// Its number, if it has acted as a gateway.
    gateway: Option<u32>,
    /// The sequence of its next event.
    next: u64,
}

impl Speakers {
    pub(super) fn declared(headers: &[Header]) -> Speakers {
        let mut named = Named::default();
        for name in headers.iter().flat_map(|header| &header.processes) {
            named.place_or_insert_with(name, || Speaker { gateway: None, next: 0 });
        }
        Speakers { named, gateways: Vec::new() }
    }

    /// The number of a process that acts as a gateway, counted from 0.
    #[inline]
    pub(super) fn gateway(&mut self, field: &'static str, name: &str) -> Result<u32, Fault> {
        let place = self.named.place(name).ok_or_else(|| undeclared(field, name))?;
        Ok(*self.named[place].gateway.get_or_insert_with(|| {
            self.gateways.push(name.into());
            self.gateways.len() as u32 - 1
        }))
    }

    /// The processes that have acted as gateways: the model's numbers are their places.
    pub(super) fn gateways(&self) -> &[Box<str>] {
        &self.gateways
    }

    /// Steps to the process's next sequence, and says which was due.
    #[inline]
    pub(super) fn advance(&mut self, event: &Event<'_>, speaker: Option<Place>) -> Result<u64, Fault> {
        let Some(place) = speaker else { return Err(undeclared("process", &event.process)) };
        let speaker = &mut self.named[place];
        Ok(std::mem::replace(&mut speaker.next, event.sequence.wrapping_add(1)))
    }

    #[inline]
    pub(super) fn place(&self, name: &str) -> Option<Place> {
        self.named.place(name)
    }

    // -- in three steps, so that what is not in the cache is fetched for several names at once: see `names.rs`

    #[inline]
    pub(super) fn guess(&self, hash: NameHash) -> Guess {
        self.named.guess(hash)
    }

    #[inline]
    pub(super) fn touch(&self, guess: Guess) -> u32 {
        self.named.touch(guess)
    }

    #[inline]
    pub(super) fn settle(&self, name: &str, guess: Guess) -> Option<Place> {
        self.named.settle(name, guess)
    }
}

fn undeclared(field: &'static str, process: &str) -> Fault {
    let message = format!("no header declares a process `{process}`");
    Fault::Unreadable { field: Some(field), kind: Kind::UndeclaredProcess, message }
}
