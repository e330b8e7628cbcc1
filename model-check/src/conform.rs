//! The trace check: is what an implementation has done a behaviour of the model?
//!
//! # Theory of operation
//!
//! Each line of a trace is mapped to one action of the same model that is searched exhaustively (the heads of
//! `snapshot.rs` and `operation.rs` have the tables). The model takes the action or says which requirement forbids it.
//! There is no second text of a guard. Events of different computers share nothing, so each computer has a state of its
//! own, changed in place. The memory depends on the number of computers, not on the length of the trace. Since the
//! store orders its commits, one state of each computer is enough, unless the outcome of a call is open.
//!
//! # Ground rules
//!
//! - Nothing passes by accident. An empty trace is not a pass, a hole in a sequence is not a pass, and what was matched
//!   is counted and printed.
//! - A field that the check would not look at is refused, but for three: `time` and `x` of an event, since nothing may
//!   depend on them, and what the header says of the implementation and its store, which is only printed.
//! - An input that cannot be read says nothing about an implementation ([`unreadable`]). That it cannot be read is
//!   reported before any verdict.
//! - The first reading is fast and explains nothing. If it refuses a line, the trace is read a second time
//!   (`explain.rs`).
//! - While the outcome of a call is open, every *present* is kept: every state in which the computer may be
//!   (`open.rs`). An event that is possible in none of them is refused.
//!
//! # What is not here
//!
//! Time, and the content of pages.

pub mod causes;
pub mod doctor;
mod edits;
mod explain;
mod fault;
mod fields;
mod input;
mod judge;
pub mod limits;
mod lines;
mod minimise;
pub mod mutate;
mod names;
mod open;
pub mod operation;
mod past;
mod paste;
mod presents;
mod reading;
pub mod render;
pub mod report;
pub mod snapshot;
mod speakers;
pub mod tally;
mod track;
pub mod unreadable;
mod variants;
pub(crate) mod write;

pub use input::Input;
pub use track::Window;

use outlive_spec::trace::{Event, Header, Verb};
use outlive_spec::{operation as operations, snapshot as snapshots};

use fault::Fault;
use judge::Judge;
use operation::Operations;
use reading::{Batch, Line, Reading, Stop};
use report::{Divergence, Lines, Report, Verdict};
use snapshot::Snapshots;
use tally::Tally;
use track::Track;
use unreadable::Unreadable;

/// The protocols whose traces are judged.
pub const PROTOCOLS: &[&str] = &[Snapshots::PROTOCOL, Operations::PROTOCOL];

/// How a trace is judged.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The rules of the judge of snapshot traces. Tests switch guards off here; everybody else takes the right ones.
    pub snapshot: snapshots::rules::Rules,
    /// The same of operation traces.
    pub operation: operations::rules::Rules,
    /// Whether a trace in which a danger never occurred is refused.
    pub requires_danger_windows: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { snapshot: Snapshots::RIGHT, operation: Operations::RIGHT, requires_danger_windows: false }
    }
}

/// Judges traces, merged into one by the store's commit sequence. The first header says of which protocol they are.
pub fn check(inputs: &[Input], options: &Options) -> Report {
    match protocol(inputs).as_deref() {
        Some(Operations::PROTOCOL) => judge_all::<Operations>(inputs, &options.operation, options),
        // What cannot be read, or has no model here, is found out again by whoever reads it.
        _ => judge_all::<Snapshots>(inputs, &options.snapshot, options),
    }
}

fn protocol(inputs: &[Input]) -> Option<String> {
    let (_reading, headers) = Reading::open(inputs).ok()?;
    headers.into_iter().next().map(|header| header.protocol)
}

fn judge_all<T: Track>(inputs: &[Input], rules: &T::Rules, options: &Options) -> Report {
    let mut found = Found::<T>::default();
    if let Err(unreadable) = found.read(inputs, rules) {
        found.unreadable = Some(unreadable);
    }
    found.report(inputs, options)
}

/// Reads every line as an event, and judges none: what a check costs without its judge. Says how many there were.
///
/// # Errors
/// The first line that is no event, by itself; what is wrong between lines is not looked for.
pub fn parse(inputs: &[Input]) -> Result<u64, Unreadable> {
    let (mut reading, _headers) = Reading::open(inputs)?;
    let mut events = 0;
    loop {
        let batch = reading.next_batch()?;
        if batch.is_empty() {
            return Ok(events);
        }
        for line in &batch {
            std::hint::black_box(line.event()?);
            events += 1;
        }
    }
}

/// What was found so far.
struct Found<T: Track> {
    headers: Vec<Header>,
    judge: Option<Judge<T>>,
    doubts: Vec<String>,
    divergence: Option<Divergence>,
    unreadable: Option<Unreadable>,
}

impl<T: Track> Default for Found<T> {
    fn default() -> Self {
        Found { headers: Vec::new(), judge: None, doubts: Vec::new(), divergence: None, unreadable: None }
    }
}

impl<T: Track> Found<T> {
    fn read(&mut self, inputs: &[Input], rules: &T::Rules) -> Result<(), Unreadable> {
        let (mut reading, headers) = Reading::open(inputs)?;
        self.doubts.extend(headers.iter().flat_map(doubts));
        self.doubts.extend(reading.empty_files().map(doubt_of_an_empty_file));
        let judge = self.judge.insert(Judge::new(*rules, &headers));
        self.headers = headers;
        let stop = loop {
            let lines = reading.next_batch()?;
            if lines.is_empty() {
                return Ok(());
            }
            match judge_batch(judge, &lines)? {
                None => {}
                Some(Halt::Doubt { doubt, behind }) => {
                    self.doubts.push(doubt);
                    check_batch(judge, &lines[behind..])?;
                    break None;
                }
                Some(Halt::Divergence(stop)) => break Some(stop),
            }
        };
        let Some(stop) = stop else { return check_the_rest(&mut reading, judge) };
        let (divergence, unreadable) = explain::explain::<T>(inputs, rules, &stop)?;
        self.divergence = Some(divergence);
        unreadable.map_or(Ok(()), Err)
    }

    fn report(self, inputs: &[Input], options: &Options) -> Report {
        let judged = self.judge.as_ref().map(|judge| judge.tally.clone());
        let tally = judged.unwrap_or_else(|| Tally::new(T::WINDOWS.len()));
        let windows = tally.windows(T::WINDOWS);
        let is_calm = options.requires_danger_windows && windows.iter().any(|opened| opened.count == 0);
        let verdict = if self.unreadable.is_some() {
            Verdict::Unreadable
        } else if !self.doubts.is_empty() && !self.headers.is_empty() {
            Verdict::Inconclusive
        } else if self.divergence.is_some() {
            Verdict::Diverges
        } else if tally.matched == 0 {
            // TRACE-5: what was never judged has not passed.
            Verdict::NothingChecked
        } else if is_calm {
            Verdict::DangerMissing
        } else {
            Verdict::Conforms
        };
        Report {
            verdict,
            exit: verdict.exit().code(),
            files: inputs.iter().map(|input| input.name().to_owned()).collect(),
            protocol: T::PROTOCOL.to_owned(),
            writers: self.headers.iter().map(writer).collect(),
            lines: Lines {
                headers: self.headers.len() as u64,
                events: tally.events(),
                matched: tally.matched,
                observed: tally.observed,
                markers: tally.markers,
                unpaired: self.judge.as_ref().map_or(0, Judge::unpaired),
                open: self.judge.as_ref().map_or(0, Judge::open_calls),
            },
            computers: self.judge.as_ref().map_or(0, Judge::computers),
            coverage: tally.coverage(),
            windows,
            doubts: self.doubts,
            unreadable: self.unreadable,
            divergence: self.divergence,
        }
    }
}

/// Why no further event is judged, though there may be more.
enum Halt {
    /// Behind it come lines of the batch that nobody judges.
    Doubt {
        doubt: String,
        behind: usize,
    },
    Divergence(Stop),
}

/// Judges lines of one file. An event behind a line that is none is not looked at.
fn judge_batch<T: Track>(judge: &mut Judge<T>, lines: &[Line<'_>]) -> Result<Option<Halt>, Unreadable> {
    let (mut events, mut no_event) = (Batch::<Event<'_>>::new(), Ok(None));
    for line in lines {
        match line.event() {
            Ok(event) => events.push(event),
            Err(unreadable) => {
                no_event = Err(unreadable);
                break;
            }
        }
    }
    let places = judge.look_ahead(&events);
    for (at, ((line, event), places)) in lines.iter().zip(&events).zip(places).enumerate() {
        match judge.take(line.source, event, places) {
            Ok(()) => {}
            Err(Fault::Unreadable { field, kind, message }) => return Err(line.unreadable(field, kind, message)),
            Err(Fault::Inconclusive(doubt)) => {
                let doubt = format!("{}: {doubt}", line.place(Some("outcome")));
                return Ok(Some(Halt::Doubt { doubt, behind: at + 1 }));
            }
            Err(Fault::Diverges) => {
                let computer = event.computer.to_string();
                return Ok(Some(Halt::Divergence(Stop { source: line.source, line: line.number, computer })));
            }
        }
    }
    no_event
}

/// Whether the lines that nobody judges can be read at all: an input that cannot goes before any doubt.
fn check_the_rest<T: Track>(reading: &mut Reading, judge: &mut Judge<T>) -> Result<(), Unreadable> {
    loop {
        let lines = reading.next_batch()?;
        if lines.is_empty() {
            return Ok(());
        }
        check_batch(judge, &lines)?;
    }
}

fn check_batch<T: Track>(judge: &mut Judge<T>, lines: &[Line<'_>]) -> Result<(), Unreadable> {
    for line in lines {
        let event = line.event()?;
        if let Err(Fault::Unreadable { field, kind, message }) = judge.check(line.source, &event) {
            return Err(line.unreadable(field, kind, message));
        }
    }
    Ok(())
}

/// TRACE-6: whoever should have written it has lost everything, and may be the one that the others speak of.
fn doubt_of_an_empty_file(name: &str) -> String {
    format!("{name} is empty: what should stand in it is not known")
}

/// What a header says against its own trace.
fn doubts(header: &Header) -> Vec<String> {
    // TRACE-6: what was lost, or never logged, may be what is wrong.
    let mut doubts = Vec::new();
    if header.lossy {
        doubts.push(
            "the trace says of itself that events may be lost, so no verdict can be a pass or a refusal".to_owned(),
        );
    }
    let unclaimed: Vec<&str> =
        Verb::of(&header.protocol).filter(|verb| !header.claims.contains(verb)).map(Verb::word).collect();
    if !unclaimed.is_empty() {
        doubts.push(format!(
            "the trace does not claim to log {}: what was not logged cannot be judged",
            unclaimed.join(", ")
        ));
    }
    doubts
}

fn writer(header: &Header) -> String {
    format!("{} {} on {}", header.implementation.name, header.implementation.version, header.store)
}
