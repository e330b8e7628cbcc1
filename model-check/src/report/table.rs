//! Variants and properties as one table, for a terminal.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::checked::Checked;
use super::paint::Paint;

/// The properties get numbers, since their names do not fit a line; the legend stands below.
///
/// # Errors
/// If it cannot be written.
pub fn variants(out: &mut dyn Write, rows: &[Checked], paint: Paint) -> io::Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    let width = rows.iter().map(|row| row.variant.len()).max().unwrap_or_default();
    let Checked { protocol, profile, bounds, .. } = first;
    writeln!(
        out,
        "{protocol}: the length of the shortest counterexample, by property (7+2: 7 steps, and then 2 for ever)"
    )?;
    writeln!(out, "profile {profile}: {bounds}")?;
    write!(out, "{:<width$} {:>9} {:>5} ", "variant", "states", "depth")?;
    let widths: Vec<usize> = (0..first.properties.len()).map(|place| width_of(rows, place)).collect();
    for (place, width) in widths.iter().enumerate() {
        write!(out, "{:>width$}", place + 1)?;
    }
    writeln!(out, "  seconds")?;
    for row in rows {
        write!(out, "{:<width$} {:>9} {:>5} ", row.variant, row.states, row.depth)?;
        for (property, width) in row.properties.iter().zip(&widths) {
            match &property.counterexample {
                Some(found) => write!(out, "{}", paint.bad(&format!("{:>width$}", found.length())))?,
                None => write!(out, "{}", paint.faint(&format!("{:>width$}", "-")))?,
            }
        }
        let cut = if row.truncated.is_some() { "  cut short" } else { "" };
        writeln!(out, "  {:>7.1}{cut}", row.seconds)?;
    }
    let mut within: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.bounds != *bounds) {
        within.entry(&row.bounds).or_default().push(&row.variant);
    }
    for (bounds, variants) in within {
        writeln!(out, "searched within {bounds}: {}", variants.join(", "))?;
    }
    for (at, property) in first.properties.iter().enumerate() {
        writeln!(out, "{:>3}  {} {}: {}", at + 1, property.requirement, property.name, property.sentence)?;
    }
    Ok(())
}

/// A blank, and room for the widest entry of this column.
fn width_of(rows: &[Checked], place: usize) -> usize {
    let lengths = rows.iter().filter_map(|row| row.properties.get(place)?.counterexample.as_ref());
    1 + lengths.map(|found| found.length().to_string().len()).max().unwrap_or_default().max(2)
}
