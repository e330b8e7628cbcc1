//! The reviewed table: which variant breaks which property, in how many steps. People edit it, no command does.
//!
//! One line a variant: its name, its distinct states, and `property=length` for each property that it breaks. What
//! follows a `#` is for people.

use std::collections::BTreeMap;
use std::fmt;

use super::checked::Checked;
use super::counterexample::Length;

/// What a search of one variant must find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The variant.
    pub variant: String,
    /// Distinct states.
    pub states: usize,
    /// The properties that it breaks, each with the length of the shortest way. A way that ends in a loop is
    /// written `stem+loop`.
    pub lengths: BTreeMap<String, Length>,
}

/// A line that is none of a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the reviewed table: {what}")]
pub struct BadLine {
    /// Counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Reads a table.
///
/// # Errors
/// The first line that is none.
pub fn parse(text: &str) -> Result<Vec<Row>, BadLine> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.split('#').next().unwrap_or_default().trim()));
    lines.filter(|(_, line)| !line.is_empty()).map(|(line, text)| row(line, text)).collect()
}

fn row(line: usize, text: &str) -> Result<Row, BadLine> {
    let bad = |what: &str| BadLine { line, what: what.to_owned() };
    let mut words = text.split_whitespace();
    let variant = words.next().ok_or_else(|| bad("no variant"))?.to_owned();
    let states = words.next().and_then(|word| word.parse().ok()).ok_or_else(|| bad("no number of states"))?;
    let mut lengths = BTreeMap::new();
    for word in words {
        let (property, length) = word.split_once('=').ok_or_else(|| bad("a word without `=`"))?;
        let length = length.parse().map_err(|_| bad("a length that is neither a number nor two with a `+`"))?;
        if lengths.insert(property.to_owned(), length).is_some() {
            return Err(bad("a property that stands twice"));
        }
    }
    Ok(Row { variant, states, lengths })
}

impl From<&Checked> for Row {
    fn from(checked: &Checked) -> Row {
        let lengths = checked.broken().map(|(property, found)| (property.name.clone(), found.length()));
        Row { variant: checked.variant.clone(), states: checked.states, lengths: lengths.collect() }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.variant, self.states)?;
        self.lengths.iter().try_for_each(|(property, length)| write!(f, " {property}={length}"))
    }
}

/// How what was found differs from what was reviewed: one sentence each, and none if it does not.
pub fn differences(reviewed: &[Row], found: &[Row]) -> Vec<String> {
    let mut differences = Vec::new();
    for row in found {
        match reviewed.iter().find(|known| known.variant == row.variant) {
            None => differences.push(format!("`{}` has not been reviewed; it reads: {row}", row.variant)),
            Some(known) if known != row => differences.push(difference(known, row)),
            Some(_) => {}
        }
    }
    let gone = reviewed.iter().filter(|known| !found.iter().any(|row| row.variant == known.variant));
    differences.extend(gone.map(|known| format!("`{}` was reviewed, and is no variant any more", known.variant)));
    differences
}

fn difference(known: &Row, row: &Row) -> String {
    let Row { variant, .. } = row;
    let passes = !known.lengths.is_empty() && row.lengths.is_empty();
    let what = if passes { "is known to be bad, and passes" } else { "differs" };
    format!("`{variant}` {what}\n  reviewed: {known}\n  found:    {row}")
}
