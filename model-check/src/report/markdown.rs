//! Generated blocks of the pages in `docs/`.

use std::fmt::Write;

/// One row of a growth table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// For instance `one more life`.
    pub what: String,
    /// Distinct states.
    pub states: usize,
    /// The longest of the shortest paths.
    pub depth: usize,
    /// For instance `holds`.
    pub verdict: String,
}

/// How the search of the right rules grows when a bound is raised. The first row is the profile itself.
pub fn growth_table(rows: &[Growth]) -> String {
    let mut text = String::from("| bounds | states | growth | depth | verdict |\n|---|---|---|---|---|\n");
    let Some(first) = rows.first() else { return text };
    for row in rows {
        let growth = format!("x{:.1}", row.states as f64 / first.states as f64);
        line(&mut text, &[&row.what, &row.states.to_string(), &growth, &row.depth.to_string(), &row.verdict]);
    }
    text
}

fn line(text: &mut String, cells: &[&str]) {
    writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes every text");
}
