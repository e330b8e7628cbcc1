//! A disk in memory whose power can be cut. It keeps apart what is read back while the power is on from what is kept
//! when it goes off: a write is kept for certain only once its file was synced.
//!
//! # Theory of operation
//!
//! Every write, truncation, removal and sync is an *event*, counted from 0. A cut is planned at one of them, or made
//! from outside. With the cut, what was written to a file since its last sync is lost, kept, kept up to some write, or
//! torn: each sector of each write by itself is kept, lost, or kept in part. A file that was never synced may not be
//! there at all, and one that was removed without a sync of its folder may be there again. From then on every call
//! fails, until the disk is started again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::locks::Locks;
use super::random::Random;

/// What a disk is at liberty to tear.
const SECTOR: usize = 512;

/// What happened on the disk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Event {
    Write,
    Truncate,
    Remove,
    Sync,
}

/// Where in an event the power goes off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Moment {
    /// A part of what was to be written was taken.
    Inside,
    /// Everything before the event was taken, and nothing of it.
    Before,
    /// It was done, and nobody was told.
    After,
}

/// A cut that is planned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) event: usize,
    pub(crate) moment: Moment,
}

/// Whether a sync does what it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sync {
    Honest,
    Lying,
}

/// The power is off, or there is no such file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Failed;

pub(crate) struct Disk {
    state: Mutex<State>,
    locks: Mutex<BTreeMap<String, Locks>>,
}

struct State {
    files: BTreeMap<String, File>,
    removed: Vec<(String, File)>,
    is_on: bool,
    sync: Sync,
    cut: Option<Cut>,
    random: Random,
    label: &'static str,
    events: Vec<(&'static str, Event)>,
}

/// A file as it is read, as it is kept, and what lies between.
#[derive(Clone, Default)]
struct File {
    seen: Vec<u8>,
    kept: Vec<u8>,
    unsynced: Vec<Change>,
    /// Whether its name is on the disk.
    is_known: bool,
}

#[derive(Clone)]
enum Change {
    Write { at: usize, bytes: Vec<u8> },
    Truncate { length: usize },
}

impl Disk {
    pub(crate) fn new(sync: Sync) -> Disk {
        let state = State {
            files: BTreeMap::new(),
            removed: Vec::new(),
            is_on: true,
            sync,
            cut: None,
            random: Random::new(0),
            label: "",
            events: Vec::new(),
        };
        Disk { state: Mutex::new(state), locks: Mutex::default() }
    }

    /// Another disk with the same files, on which a cut is planned.
    pub(crate) fn copy(&self, sync: Sync, cut: Option<Cut>, seed: u64) -> Disk {
        let copy = Disk::new(sync);
        let mut state = copy.state();
        state.files = self.state().files.clone();
        (state.cut, state.random) = (cut, Random::new(seed));
        drop(state);
        copy
    }

    /// Whose events the next ones are.
    pub(crate) fn set_label(&self, label: &'static str) {
        self.state().label = label;
    }

    /// What has happened until now.
    pub(crate) fn events(&self) -> Vec<(&'static str, Event)> {
        self.state().events.clone()
    }

    pub(crate) fn is_on(&self) -> bool {
        self.state().is_on
    }

    /// The power goes off now.
    pub(crate) fn cut(&self) {
        self.state().cut_power();
    }

    /// The power is back. What was kept is all there is.
    pub(crate) fn start_again(&self) {
        let mut state = self.state();
        (state.is_on, state.cut) = (true, None);
    }

    /// Asks the locks of a file, which have nothing to do with its content and hold no longer than the power.
    pub(crate) fn with_locks<T>(&self, name: &str, ask: impl FnOnce(&mut Locks) -> T) -> T {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        ask(locks.entry(name.to_owned()).or_default())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn powered(&self) -> Result<MutexGuard<'_, State>, Failed> {
        let state = self.state();
        if state.is_on { Ok(state) } else { Err(Failed) }
    }
}

// --------------------------------------------------------------------------------------- what a file system is asked

impl Disk {
    pub(crate) fn exists(&self, name: &str) -> Result<bool, Failed> {
        Ok(self.powered()?.files.contains_key(name))
    }

    pub(crate) fn create(&self, name: &str) -> Result<(), Failed> {
        self.powered()?.files.entry(name.to_owned()).or_default();
        Ok(())
    }

    pub(crate) fn length(&self, name: &str) -> Result<usize, Failed> {
        Ok(self.powered()?.file(name)?.seen.len())
    }

    /// Reads what there is, and says how much that was.
    pub(crate) fn read(&self, name: &str, at: usize, into: &mut [u8]) -> Result<usize, Failed> {
        let mut state = self.powered()?;
        let seen = &state.file(name)?.seen;
        let there = seen.get(at..).unwrap_or_default();
        let length = there.len().min(into.len());
        into[..length].copy_from_slice(&there[..length]);
        Ok(length)
    }

    pub(crate) fn write(&self, name: &str, at: usize, bytes: &[u8]) -> Result<(), Failed> {
        let mut state = self.powered()?;
        let moment = state.note(Event::Write);
        let taken = match moment {
            Some(Moment::Inside) => state.random.below(bytes.len().max(1)),
            Some(Moment::Before) => 0,
            Some(Moment::After) | None => bytes.len(),
        };
        state.file(name)?.change(Change::Write { at, bytes: bytes[..taken].to_vec() });
        state.cut_if(moment.is_some())
    }

    pub(crate) fn truncate(&self, name: &str, length: usize) -> Result<(), Failed> {
        let mut state = self.powered()?;
        let moment = state.note(Event::Truncate);
        if moment != Some(Moment::Before) {
            state.file(name)?.change(Change::Truncate { length });
        }
        state.cut_if(moment.is_some())
    }

    pub(crate) fn sync(&self, name: &str) -> Result<(), Failed> {
        let mut state = self.powered()?;
        let moment = state.note(Event::Sync);
        if state.sync == Sync::Honest && !matches!(moment, Some(Moment::Before | Moment::Inside)) {
            let was_known = state.file(name)?.keep();
            if !was_known {
                // SQLite's own file system syncs the folder with the first sync of a log or journal that it made.
                state.removed.clear();
            }
        }
        state.cut_if(moment.is_some())
    }

    pub(crate) fn remove(&self, name: &str, is_synced: bool) -> Result<(), Failed> {
        let mut state = self.powered()?;
        let moment = state.note(Event::Remove);
        if moment != Some(Moment::Before) {
            let file = state.files.remove(name).ok_or(Failed)?;
            if is_synced && state.sync == Sync::Honest {
                state.removed.clear();
            } else {
                state.removed.push((name.to_owned(), file));
            }
        }
        state.cut_if(moment.is_some())
    }
}

// ------------------------------------------------------------------------------------------------ what a cut leaves

impl State {
    fn file(&mut self, name: &str) -> Result<&mut File, Failed> {
        self.files.get_mut(name).ok_or(Failed)
    }

    /// Counts an event, and says whether and where in it the power goes off.
    fn note(&mut self, event: Event) -> Option<Moment> {
        let number = self.events.len();
        self.events.push((self.label, event));
        self.cut.filter(|cut| cut.event == number).map(|cut| cut.moment)
    }

    fn cut_if(&mut self, is_cut: bool) -> Result<(), Failed> {
        if is_cut {
            self.cut_power();
            return Err(Failed);
        }
        Ok(())
    }

    fn cut_power(&mut self) {
        self.is_on = false;
        for (name, file) in std::mem::take(&mut self.removed) {
            if !self.files.contains_key(&name) && self.random.below(2) == 0 {
                self.files.insert(name, file);
            }
        }
        let random = &mut self.random;
        self.files.retain(|_, file| file.is_known || random.below(2) == 0);
        for file in self.files.values_mut() {
            file.lose(random);
        }
    }
}

impl File {
    fn change(&mut self, change: Change) {
        change.apply(&mut self.seen, 0);
        self.unsynced.push(change);
    }

    /// Says whether its name was on the disk before.
    fn keep(&mut self) -> bool {
        for change in self.unsynced.drain(..) {
            change.apply(&mut self.kept, 0);
        }
        std::mem::replace(&mut self.is_known, true)
    }

    /// What is left once the power has gone off.
    fn lose(&mut self, random: &mut Random) {
        let unsynced = std::mem::take(&mut self.unsynced);
        // What a file that has grown holds where nothing arrived.
        let filler = if random.below(2) == 0 { 0 } else { random.number() as u8 };
        match random.below(4) {
            0 => {}
            1 => unsynced.iter().for_each(|change| change.apply(&mut self.kept, filler)),
            2 => {
                let arrived = random.below(unsynced.len() + 1);
                unsynced[..arrived].iter().for_each(|change| change.apply(&mut self.kept, filler));
            }
            _ => unsynced.iter().for_each(|change| change.tear(&mut self.kept, filler, random)),
        }
        self.seen = self.kept.clone();
        self.is_known = true;
    }
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>, filler: u8) {
        match self {
            Change::Write { at, bytes } => put(content, *at, bytes, filler),
            Change::Truncate { length } => content.truncate(*length),
        }
    }

    /// Each sector has a fate of its own.
    fn tear(&self, content: &mut Vec<u8>, filler: u8, random: &mut Random) {
        let Change::Write { at, bytes } = self else {
            if random.below(2) == 0 {
                self.apply(content, filler);
            }
            return;
        };
        let (mut from, end) = (*at, at + bytes.len());
        while from < end {
            let next = ((from / SECTOR + 1) * SECTOR).min(end);
            let arrived = match random.below(3) {
                0 => from,
                1 => next,
                _ => from + random.below(next - from),
            };
            put(content, from, &bytes[from - at..arrived - at], filler);
            from = next;
        }
    }
}

fn put(content: &mut Vec<u8>, at: usize, bytes: &[u8], filler: u8) {
    if bytes.is_empty() {
        return;
    }
    if content.len() < at + bytes.len() {
        content.resize(at + bytes.len(), filler);
    }
    content[at..at + bytes.len()].copy_from_slice(bytes);
}
