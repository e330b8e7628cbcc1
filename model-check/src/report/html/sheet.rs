//! The table of a page: a row a step with its strip of the sequence diagram, a column a variable.
//!
//! Where there is no room for columns, on paper and on a narrow screen, the same changes stand as a list below the
//! step.

use std::ops::Range;

use maud::{Markup, html};

use super::lanes::{self, Stroke};

/// A table in the making.
pub(super) struct Sheet<'a> {
    /// The participants.
    pub(super) lanes: &'a [&'a str],
    /// The variables, those of one group side by side.
    pub(super) columns: Vec<Column>,
    /// The steps.
    pub(super) rows: Vec<Row>,
    /// The rows that repeat for ever; empty if none does.
    pub(super) cycle: Range<usize>,
    /// What is said below the last row, if it is not the end of the story.
    pub(super) closing: Option<(Tone, Markup)>,
    /// What the ids of the rows begin with, for instance `step`.
    pub(super) prefix: &'a str,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Column {
    /// Whose it is, for instance `store`.
    pub(super) group: String,
    /// For instance `page`.
    pub(super) name: String,
}

/// A step.
pub(super) struct Row {
    /// As it is counted: a step, or a line of a trace.
    pub(super) number: u64,
    /// Its part of the diagram.
    pub(super) stroke: Option<Stroke>,
    /// How it stands out.
    pub(super) tone: Tone,
    /// What was done.
    pub(super) action: String,
    /// Why it was possible, or was not.
    pub(super) note: Markup,
    /// A cell for each column.
    pub(super) cells: Vec<Cell>,
}

/// How a row stands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tone {
    /// As any.
    Plain,
    /// The right rules would have refused it.
    Doubtful,
    /// It breaks what must hold.
    Wrong,
    /// It was refused.
    Refused,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    /// There is none.
    Nothing,
    /// It is told by this row alone.
    Told(String),
    /// It is what it was.
    Same(String),
    /// It is another.
    Changed(String, String),
}

impl Column {
    /// Splits `store: page` into its group and its name. A name alone is of no group.
    pub(super) fn of(field: &str) -> Column {
        let (group, name) = field.split_once(": ").unwrap_or(("", field));
        Column { group: group.to_owned(), name: name.to_owned() }
    }

    fn full(&self) -> String {
        if self.group.is_empty() { self.name.clone() } else { format!("{}: {}", self.group, self.name) }
    }
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Plain => "plain",
            Tone::Doubtful => "doubtful",
            Tone::Wrong => "wrong",
            Tone::Refused => "refused",
        }
    }
}

/// The table.
pub(super) fn sheet(sheet: &Sheet<'_>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="the steps" {
            table.sheet {
                thead { (head(sheet)) }
                tbody {
                    @for (place, row) in sheet.rows.iter().enumerate() { (self::row(sheet, place, row)) }
                    @if let Some((tone, text)) = &sheet.closing { (closing(sheet, *tone, text)) }
                }
            }
        }
        p.hint.more { "The table goes on to the right." }
    }
}

fn head(sheet: &Sheet<'_>) -> Markup {
    html! {
        @if !sheet.columns.is_empty() {
            tr.groups {
                td.diagram {}
                td.step {}
                @for group in sheet.columns.chunk_by(|one, other| one.group == other.group) {
                    th.value scope="colgroup" colspan=(group.len()) { (group[0].group) }
                }
            }
        }
        tr {
            th.diagram scope="col" { (lanes::head(sheet.lanes)) }
            th.step scope="col" { "step" }
            @for column in &sheet.columns { th.value scope="col" { (column.name) } }
        }
    }
}

fn row(sheet: &Sheet<'_>, place: usize, row: &Row) -> Markup {
    let is_in_cycle = sheet.cycle.contains(&place);
    let class = format!("{}{}", row.tone.class(), if is_in_cycle { " cycle" } else { "" });
    html! {
        tr id=(format!("{}-{}", sheet.prefix, row.number)) class=(class) data-step {
            td.diagram { span.number { (row.number) } (lanes::strip(sheet.lanes, row.stroke)) }
            th.step scope="row" {
                @if is_in_cycle && place == sheet.cycle.start { p.repeats { "from here it repeats for ever" } }
                p.action { @if row.tone == Tone::Refused { s { (row.action) } } @else { (row.action) } }
                p.note { (row.note) }
                (changes(&sheet.columns, &row.cells))
            }
            @for cell in &row.cells { (self::cell(cell)) }
        }
    }
}

/// A row without a number: it is no step.
fn closing(sheet: &Sheet<'_>, tone: Tone, text: &Markup) -> Markup {
    html! {
        tr class=(format!("closing {}", tone.class())) {
            td.diagram { (lanes::strip(sheet.lanes, None)) }
            td.step { div.told { (text) } }
            @for _ in &sheet.columns { td.value {} }
        }
    }
}

fn cell(cell: &Cell) -> Markup {
    html! {
        @match cell {
            Cell::Nothing => td.value {},
            Cell::Told(value) => td.value { (value) },
            Cell::Same(value) => td.value.same title=(value) { span { (value) } },
            Cell::Changed(before, after) => td.value.changed { del { (before) } " " ins { (after) } },
        }
    }
}

/// What stands in the columns but what is as it was.
fn changes(columns: &[Column], cells: &[Cell]) -> Markup {
    let is_said = |cell: &Cell| matches!(cell, Cell::Told(_) | Cell::Changed(..));
    let said: Vec<_> = columns.iter().zip(cells).filter(|(_, cell)| is_said(cell)).collect();
    html! {
        @if !said.is_empty() {
            ul.changes {
                @for (column, cell) in said {
                    li {
                        span.quiet { (column.full()) } " "
                        @match cell {
                            Cell::Changed(before, after) => { del { (before) } " " ins { (after) } },
                            Cell::Told(value) | Cell::Same(value) => (value),
                            Cell::Nothing => {},
                        }
                    }
                }
            }
        }
    }
}
