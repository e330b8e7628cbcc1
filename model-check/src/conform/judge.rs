//! The judge: it takes one event after the other, and changes the state of its computer in place.

use outlive_spec::trace::{Event, Header, Verb};

use super::fault::Fault;
use super::fields;
use super::names::{Guess, NameHash, Named, Place};
use super::presents::Presents;
use super::reading::Batch;
use super::speakers::Speakers;
use super::tally::Tally;
use super::track::{Cause, Said, Track};
use super::unreadable::Kind;

/// Takes events in the store's order.
pub(super) struct Judge<T: Track> {
    rules: T::Rules,
    speakers: Speakers,
    computers: Named<Presents<T>>,
    /// The last commit sequence of each file, up to the last that has spoken.
    commits: Vec<u64>,
    /// The actions of the protocol.
    verbs: Verbs,
    /// Lost events leave holes in the sequences, and then the verdict is no pass anyway.
    may_have_gaps: bool,
    /// What was seen.
    pub(super) tally: Tally,
}

/// Where the process and the computer of an event are.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// None if no header declares it.
    speaker: Option<Place>,
    /// None if no event before this batch has spoken of it.
    computer: Option<Place>,
}

impl<T: Track> Judge<T> {
    pub(super) fn new(rules: T::Rules, headers: &[Header]) -> Judge<T> {
        Judge {
            rules,
            speakers: Speakers::declared(headers),
            computers: Named::default(),
            commits: Vec::new(),
            verbs: Verbs::of(T::PROTOCOL),
            may_have_gaps: headers.iter().any(|header| header.lossy),
            tally: Tally::new(T::WINDOWS.len()),
        }
    }

    /// Finds the process and the computer of each of these events. Most of the cost of judging an event is the wait for
    /// memory that is not in the cache. The waits of several events pass at the same time if little lies between them,
    /// so each loop below only looks at what the one before it has found.
    #[inline]
    pub(super) fn look_ahead(&self, events: &[Event<'_>]) -> Batch<Places> {
        let hash = |event: &Event<'_>| (NameHash::of(&event.process), NameHash::of(&event.computer));
        let hashes: Batch<(NameHash, NameHash)> = events.iter().map(hash).collect();
        let guess = |(speaker, computer)| (self.speakers.guess(speaker), self.computers.guess(computer));
        let guesses: Batch<(Guess, Guess)> = hashes.into_iter().map(guess).collect();
        touch(
            guesses.iter().map(|(speaker, computer)| self.speakers.touch(*speaker) ^ self.computers.touch(*computer)),
        );
        let settle = |(event, (speaker, computer)): (&Event<'_>, (Guess, Guess))| Places {
            speaker: self.speakers.settle(&event.process, speaker),
            computer: self.computers.settle(&event.computer, computer),
        };
        let places: Batch<Places> = events.iter().zip(guesses).map(settle).collect();
        let tracks = || places.iter().map(|places| places.computer.map(|place| self.computers[place].track()));
        touch(tracks().map(|track| track.map_or(0, T::touch)));
        touch(events.iter().zip(tracks()).map(|(event, track)| track.map_or(0, |track| track.touch_names(event))));
        places
    }

    /// Takes the next event, which stands in this file.
    #[inline]
    pub(super) fn take(&mut self, file: usize, event: &Event<'_>, places: Places) -> Result<(), Fault> {
        self.check_order(file, event, places.speaker)?;
        let said = self.say(event)?;
        let place = places.computer.unwrap_or_else(|| self.place(&event.computer));
        let presents = &mut self.computers[place];
        let window = presents.track().window(&said);
        let taken = presents.step(&self.rules, &said).map_err(Fault::from)?;
        self.tally.count(event, window, taken);
        Ok(())
    }

    /// Checks what can be wrong with an event whatever the rules are.
    pub(super) fn check(&mut self, file: usize, event: &Event<'_>) -> Result<(), Fault> {
        self.check_order(file, event, self.speakers.place(&event.process))?;
        self.say(event).map(drop)
    }

    /// As [`Judge::take`], for an event that is known to be one and to be in order.
    pub(super) fn retake(&mut self, event: &Event<'_>) -> Result<(), Fault> {
        let said = self.say(event)?;
        let place = self.place(&event.computer);
        self.computers[place].step(&self.rules, &said).map(drop).map_err(Fault::from)
    }

    fn place(&mut self, computer: &str) -> Place {
        self.computers.place_or_insert_with(computer, Presents::default)
    }

    /// Why the model refuses an event that has the fields of its action; nothing, if it takes it.
    pub(super) fn answer(&mut self, event: &Event<'_>) -> Option<Cause<T::Row>> {
        let rules = self.rules;
        let mut presents = self.presents(&event.computer);
        let said = self.say(event).ok()?;
        presents.step(&rules, &said).err()
    }

    /// Whether the model takes the event.
    pub(super) fn takes(&mut self, event: &Event<'_>) -> bool {
        let (rules, mut presents) = (self.rules, self.presents(&event.computer));
        self.say(event).is_ok_and(|said| presents.step(&rules, &said).is_ok())
    }

    /// One computer as it is now, or as it may be.
    pub(super) fn presents(&self, computer: &str) -> Presents<T> {
        self.computers.place(computer).map(|place| self.computers[place].clone()).unwrap_or_default()
    }

    /// One computer is from now on taken to be in this state.
    pub(super) fn replace(&mut self, computer: &str, presents: Presents<T>) {
        let place = self.place(computer);
        self.computers[place] = presents;
    }

    /// Who has spoken.
    pub(super) fn speakers(&self) -> &Speakers {
        &self.speakers
    }

    /// How many computers there are.
    pub(super) fn computers(&self) -> usize {
        self.computers.len()
    }

    /// How many events named an operation that is not remembered any more.
    pub(super) fn unpaired(&self) -> u64 {
        self.computers.iter().map(|presents| presents.track().unpaired()).sum()
    }

    /// How many calls are still open.
    pub(super) fn open_calls(&self) -> u64 {
        self.computers.iter().map(|presents| presents.open_calls() as u64).sum()
    }

    #[inline]
    fn check_order(&mut self, file: usize, event: &Event<'_>, speaker: Option<Place>) -> Result<(), Fault> {
        let due = self.speakers.advance(event, speaker)?;
        // TRACE-2: a hole is a lost event, and it may be the one that matters.
        if event.sequence != due && !self.may_have_gaps {
            let message = format!(
                "`{}` goes on with {} where {due} was due: its events are lost, repeated or out of order",
                event.process, event.sequence
            );
            return Err(Fault::Unreadable { field: Some("sequence"), kind: Kind::Gap, message });
        }
        let Some(commit) = event.commit else { return Ok(()) };
        if self.commits.len() <= file {
            // Files are counted with those that are empty, and these have no header.
            self.commits.resize(file + 1, 0);
        }
        let last = &mut self.commits[file];
        // TRACE-7: another order than the one in which it happened would be judged.
        if commit < *last {
            let message = format!("the commit sequence goes back from {last} to {commit}");
            return Err(Fault::Unreadable { field: Some("commit"), kind: Kind::CommitWentBack, message });
        }
        *last = commit;
        Ok(())
    }

    /// Checks the event's fields, and counts what it names.
    #[inline]
    pub(super) fn say<'e, 'a>(&mut self, event: &'e Event<'a>) -> Result<Said<'e, 'a, T>, Fault> {
        if !self.verbs.has(event.action) {
            let message = format!("`{}` is no action of the {} protocol", event.action.word(), T::PROTOCOL);
            return Err(Fault::Unreadable { field: Some("action"), kind: Kind::WrongFields, message });
        }
        fields::check(event)?;
        T::say(event, &mut self.speakers)
    }
}

/// A set of actions.
#[derive(Clone, Copy)]
struct Verbs(u64);

const _: () = assert!(Verb::ALL.len() <= u64::BITS as usize);

impl Verbs {
    fn of(protocol: &str) -> Verbs {
        Verbs(Verb::of(protocol).fold(0, |verbs, verb| verbs | 1 << verb as u64))
    }

    #[inline]
    fn has(self, verb: Verb) -> bool {
        self.0 >> (verb as u64) & 1 == 1
    }
}

/// Keeps the compiler from leaving out what is looked at for the cache's sake only.
#[inline]
fn touch(seen: impl Iterator<Item = u32>) {
    std::hint::black_box(seen.fold(0, u32::wrapping_add));
}
