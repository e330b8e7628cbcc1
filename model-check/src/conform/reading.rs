//! Traces as one stream of lines: the headers first, then every file's events, merged on the commit sequence.

use std::collections::BTreeMap;
use std::io::Read;

use outlive_spec::trace::{Event, FORMAT, Header, LINE_LIMIT, Verb, schema_hash};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use smallvec::SmallVec;

use super::PROTOCOLS;
use super::input::Input;
use super::lines::{LineError, Lines};
use super::unreadable::{Kind, Place, Unreadable};

/// How many lines are judged as a batch. What a line needs is mostly not in the cache, and a batch fetches the memory
/// of its lines at the same time.
const BATCH: usize = 64;

/// Of each line in a batch.
pub(super) type Batch<T> = SmallVec<[T; BATCH]>;

/// Every file, each at its next event.
pub(super) struct Reading {
    sources: Vec<Source>,
    /// The source whose lines were handed out last, and are still to be stepped over.
    handed_out: Option<usize>,
}

struct Source {
    name: String,
    lines: Lines<Box<dyn Read>>,
    /// Where the line that it stands on comes in the store's order; nothing, at the end of the file. It is looked for
    /// only where there are other files to be merged with.
    order: Option<u64>,
}

/// A line that should be an event.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// The file as it was named.
    pub(super) file: &'a str,
    /// The place of the file among the inputs.
    pub(super) source: usize,
    /// From 1.
    pub(super) number: u64,
    /// Without its end.
    pub(super) bytes: &'a [u8],
    is_terminated: bool,
}

/// Where the first reading stopped.
#[derive(Clone)]
pub(super) struct Stop {
    pub(super) source: usize,
    pub(super) line: u64,
    pub(super) computer: String,
}

impl Stop {
    pub(super) fn place(&self, inputs: &[Input]) -> Place {
        Place { file: inputs[self.source].name().to_owned(), line: self.line, column: 1 }
    }
}

/// Just enough of an event to merge by.
#[derive(Deserialize)]
struct Order {
    commit: Option<u64>,
}

impl Reading {
    /// Opens the files and reads their headers. An empty file has none, which is no error: it says nothing at all.
    pub(super) fn open(inputs: &[Input]) -> Result<(Reading, Vec<Header>), Unreadable> {
        let (mut reading, mut headers) = (Reading { sources: Vec::new(), handed_out: None }, Vec::<Header>::new());
        for (at, input) in inputs.iter().enumerate() {
            let name = input.name().to_owned();
            let stream = input.open().map_err(|error| cannot_be_read(&name, 0, &error))?;
            let mut source = Source { name, lines: Lines::new(stream), order: None };
            let has_header = source.lines.advance(1).map_err(|error| source.error(error))?;
            if has_header {
                for line in source.current(at) {
                    headers.push(header(line, headers.first())?);
                }
            }
            reading.sources.push(source);
        }
        for at in 0..reading.sources.len() {
            reading.advance(at, 1)?;
        }
        Ok((reading, headers))
    }

    /// The files without even a header. Asked before the first line is handed out.
    pub(super) fn empty_files(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().filter(|source| source.lines.number() == 0).map(|source| source.name.as_str())
    }

    /// The next line in the store's order. A line that has no place in it stays behind the one before it in its file.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, Unreadable> {
        let Some(at) = self.step(1)? else { return Ok(None) };
        Ok(self.sources[at].current(at).next())
    }

    /// The next lines in the store's order, as many as can be looked at side by side: none at the end.
    pub(super) fn next_batch(&mut self) -> Result<Batch<Line<'_>>, Unreadable> {
        let Some(at) = self.step(BATCH)? else { return Ok(Batch::new()) };
        Ok(self.sources[at].current(at).collect())
    }

    /// Steps to the source that comes next, and there over this many lines at most.
    fn step(&mut self, most: usize) -> Result<Option<usize>, Unreadable> {
        if let Some(at) = self.handed_out.take() {
            self.advance(at, most)?;
        }
        let waiting = self.sources.iter().enumerate().filter_map(|(at, source)| Some((source.order?, at)));
        self.handed_out = waiting.min().map(|(_, at)| at);
        Ok(self.handed_out)
    }

    fn advance(&mut self, at: usize, most: usize) -> Result<(), Unreadable> {
        let is_alone = self.sources.len() == 1;
        let most = if is_alone { most } else { 1 };
        let source = &mut self.sources[at];
        let has_line = source.lines.advance(most).map_err(|error| source.error(error))?;
        let before = source.order.unwrap_or(0);
        source.order = match has_line {
            false => None,
            true if is_alone => Some(0),
            // Whatever is no event is found out when it is parsed as one.
            true => source.current(at).find_map(|line| Some(order(&line)?.commit.unwrap_or(before))).or(Some(before)),
        };
        Ok(())
    }
}

fn order(line: &Line<'_>) -> Option<Order> {
    serde_json::from_slice(line.bytes).ok()
}

impl Source {
    fn current(&self, source: usize) -> impl Iterator<Item = Line<'_>> {
        let is_terminated = self.lines.is_terminated();
        self.lines.current().map(move |(number, bytes)| Line { file: &self.name, source, number, bytes, is_terminated })
    }

    fn error(&self, error: LineError) -> Unreadable {
        match error {
            LineError::Io(error) => cannot_be_read(&self.name, self.lines.number(), &error),
            LineError::TooLong => Unreadable {
                place: Place { file: self.name.clone(), line: self.lines.number(), column: 1 },
                kind: Kind::LineTooLong,
                message: format!("the line is longer than {LINE_LIMIT} bytes, the most that the format allows"),
            },
        }
    }
}

fn cannot_be_read(file: &str, line: u64, error: &std::io::Error) -> Unreadable {
    let place = Place { file: file.to_owned(), line, column: u64::from(line > 0) };
    Unreadable { place, kind: Kind::Io, message: format!("the file cannot be read: {error}") }
}

// ------------------------------------------------------------------------------------------------ what a line is

impl<'a> Line<'a> {
    /// The line as an event.
    #[inline]
    pub(super) fn event(&self) -> Result<Event<'a>, Unreadable> {
        // TRACE-1: a field that is not of the format is refused, or a typo would read as "not given".
        serde_json::from_slice(self.bytes).map_err(|error| self.no_event(&error))
    }

    /// Where a field's value stands in the line, or the whole line's beginning.
    pub(super) fn place(&self, field: Option<&str>) -> Place {
        let start = field.and_then(|field| span(self.bytes, field)).map_or(0, |span| span.start);
        Place { file: self.file.to_owned(), line: self.number, column: start as u64 + 1 }
    }

    pub(super) fn unreadable(&self, field: Option<&str>, kind: Kind, message: String) -> Unreadable {
        Unreadable { place: self.place(field), kind, message }
    }

    fn no_event(&self, error: &serde_json::Error) -> Unreadable {
        let line = match self.object(error) {
            Err(unreadable) => return unreadable,
            Ok(line) => line,
        };
        if line.contains_key("format") {
            let message = "a second header: two traces are two files".to_owned();
            return self.unreadable(Some("format"), Kind::TwoHeaders, message);
        }
        let verb = line.get("action").and_then(Value::as_str);
        if let Some(unknown) = verb.filter(|verb| Verb::ALL.iter().all(|known| known.word() != *verb)) {
            let known: Vec<&str> = Verb::ALL.iter().map(|verb| verb.word()).collect();
            let message = format!("there is no action `{unknown}`; there are {}", known.join(", "));
            return self.unreadable(Some("action"), Kind::UnknownAction, message);
        }
        self.not_of_the_schema(error)
    }

    /// The line as any JSON object.
    fn object(&self, error: &serde_json::Error) -> Result<serde_json::Map<String, Value>, Unreadable> {
        match serde_json::from_slice(self.bytes) {
            Ok(line) => Ok(line),
            Err(_) if !self.is_terminated && error.is_eof() => {
                let message = "the file ends within this line: it was truncated".to_owned();
                Err(self.unreadable(None, Kind::Truncated, message))
            }
            Err(error) => {
                let mut unreadable = self.unreadable(None, Kind::NotJson, format!("no JSON object: {}", what(&error)));
                unreadable.place.column = error.column().max(1) as u64;
                Err(unreadable)
            }
        }
    }

    fn not_of_the_schema(&self, error: &serde_json::Error) -> Unreadable {
        let mut unreadable = self.unreadable(None, Kind::NotOfTheSchema, format!("not of the schema: {}", what(error)));
        unreadable.place.column = error.column().max(1) as u64;
        unreadable
    }
}

/// What is wrong, without the place: the parser has seen this line only, and calls it the first.
fn what(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// A header, which is of the protocol of the one before it, if there is one.
fn header(line: Line<'_>, first: Option<&Header>) -> Result<Header, Unreadable> {
    let as_header: Result<Header, _> = serde_json::from_slice(line.bytes);
    let header = match as_header {
        Ok(header) => header,
        Err(error) => {
            let object = line.object(&error)?;
            return Err(match object.get("format") {
                None => {
                    line.unreadable(None, Kind::NoHeader, "the first line is no header: it has no `format`".to_owned())
                }
                Some(format) if *format != FORMAT => wrong_version(&line, format),
                Some(_) => line.not_of_the_schema(&error),
            });
        }
    };
    if header.format != FORMAT {
        return Err(wrong_version(&line, &header.format));
    }
    check_protocol(&line, &header, first)?;
    check_schema(&line, &header)?;
    Ok(header)
}

fn check_protocol(line: &Line<'_>, header: &Header, first: Option<&Header>) -> Result<(), Unreadable> {
    let other = first.filter(|first| first.protocol != header.protocol);
    let message = match other {
        _ if !PROTOCOLS.contains(&header.protocol.as_str()) => {
            let known = PROTOCOLS.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(" and ");
            format!("there is no model of `{}` here; there is one of {known}", header.protocol)
        }
        Some(first) => format!(
            "this trace is of `{}`, and the one before it of `{}`: check each by itself",
            header.protocol, first.protocol
        ),
        None => return Ok(()),
    };
    Err(line.unreadable(Some("protocol"), Kind::UnknownProtocol, message))
}

fn check_schema(line: &Line<'_>, header: &Header) -> Result<(), Unreadable> {
    // TRACE-10: a word may mean something else in another edition, and the line can still be read.
    let known = schema_hash();
    if header.schema == known {
        return Ok(());
    }
    let message = format!("the writer was made for the schema `{}`, and this check reads `{known}`", header.schema);
    Err(line.unreadable(Some("schema"), Kind::WrongSchema, message))
}

fn wrong_version(line: &Line<'_>, found: &dyn std::fmt::Display) -> Unreadable {
    let message = format!("this is format {found}, and {FORMAT} is the only one that is read here");
    line.unreadable(Some("format"), Kind::WrongVersion, message)
}

/// The bytes of a field's value within a line.
pub(super) fn span(line: &[u8], field: &str) -> Option<std::ops::Range<usize>> {
    let fields: BTreeMap<&str, &RawValue> = serde_json::from_slice(line).ok()?;
    let value = fields.get(field)?.get();
    let start = value.as_ptr() as usize - line.as_ptr() as usize;
    Some(start..start + value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_read_is_blamed_from_the_line_at_which_reading_ended() {
        let error = std::io::Error::other("gone");
        let place = |line| {
            let Place { line, column, .. } = cannot_be_read("trace", line, &error).place;
            (line, column)
        };
        assert_eq!((place(0), place(3)), ((0, 0), (3, 1)));
    }
}
