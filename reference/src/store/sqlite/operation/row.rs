//! Rows of operations, and what they mean. One that no decision can have written is corrupt.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::id::{ComputerId, Launch, OwnerName};
use crate::store::operation::{Phase, Standing};
use crate::store::sqlite::failure::Fault;

/// As the schema writes it.
pub(super) fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Stopped => "stopped",
        Phase::Starting => "starting",
        Phase::Ready => "ready",
        Phase::Error => "error",
        Phase::Stopping => "stopping",
        Phase::Deleting => "deleting",
        Phase::Gone => "gone",
    }
}

fn phase(word: &str) -> Option<Phase> {
    use Phase::*;
    [Stopped, Starting, Ready, Error, Stopping, Deleting, Gone].into_iter().find(|phase| self::word(*phase) == word)
}

/// What is known about a computer that must exist.
pub(in crate::store::sqlite) fn standing(raw: &Connection, computer: &ComputerId) -> Result<Standing, Fault> {
    match find(raw, computer)? {
        Some(standing) => Ok(standing),
        None => unwritten(raw, computer),
    }
}

/// What its row says, if it has one.
pub(super) fn find(raw: &Connection, computer: &ComputerId) -> Result<Option<Standing>, Fault> {
    let columns = raw
        .prepare_cached("SELECT id, revision, phase, launch, owner, mark FROM operation WHERE id = ?1")?
        .query_row([computer.as_str()], Columns::of)
        .optional()?;
    Ok(columns.map(Columns::standing).transpose()?.map(|(_, standing)| standing))
}

/// A computer has a row once something was begun on it.
pub(super) fn unwritten(raw: &Connection, computer: &ComputerId) -> Result<Standing, Fault> {
    let is_there = raw.prepare_cached("SELECT 1 FROM computer WHERE id = ?1")?.exists([computer.as_str()])?;
    if is_there { Ok(Standing::unwritten()) } else { Err(Fault::NoSuchComputer(computer.clone())) }
}

/// Along the index of what is under way, from behind `after`.
const UNDER_WAY: &str = "SELECT id, revision, phase, launch, owner, mark FROM operation
     WHERE phase IN ('starting', 'stopping', 'deleting') AND id > ?1 ORDER BY id LIMIT ?2";

/// Along the index of what a sweep looks at.
const TO_SWEEP: &str = "SELECT id, revision, phase, launch, owner, mark FROM operation
     WHERE phase IN ('ready', 'error') AND id > ?1 ORDER BY id LIMIT ?2";

type Page = Result<Vec<(ComputerId, Standing)>, Fault>;

pub(super) fn operations_under_way(raw: &Connection, after: Option<&ComputerId>, limit: usize) -> Page {
    list(raw, UNDER_WAY, after, limit)
}

pub(super) fn computers_to_sweep(raw: &Connection, after: Option<&ComputerId>, limit: usize) -> Page {
    list(raw, TO_SWEEP, after, limit)
}

fn list(raw: &Connection, page: &str, after: Option<&ComputerId>, limit: usize) -> Page {
    let (after, limit) = (after.map_or("", ComputerId::as_str), i64::try_from(limit).unwrap_or(i64::MAX));
    let mut statement = raw.prepare_cached(page)?;
    let rows = statement.query_map(params![after, limit], Columns::of)?;
    rows.map(|columns| columns?.standing()).collect()
}

struct Columns {
    id: String,
    revision: i64,
    phase: String,
    launch: i64,
    owner: Option<String>,
    mark: i64,
}

impl Columns {
    fn of(row: &Row<'_>) -> rusqlite::Result<Columns> {
        Ok(Columns {
            id: row.get(0)?,
            revision: row.get(1)?,
            phase: row.get(2)?,
            launch: row.get(3)?,
            owner: row.get(4)?,
            mark: row.get(5)?,
        })
    }

    fn standing(self) -> Result<(ComputerId, Standing), Fault> {
        let computer = ComputerId::new(self.id.as_str())
            .map_err(|error| Fault::Corrupt(format!("the id of a computer with an operation: {error}")))?;
        self.decoded().map(|standing| (computer.clone(), standing)).map_err(|what| Fault::impossible(&computer, what))
    }

    fn decoded(self) -> Result<Standing, &'static str> {
        let phase = phase(&self.phase).ok_or("its phase is none that we know")?;
        let revision = number(self.revision).ok_or("its revision is no number below 2^53")?;
        let launch: Launch = number(self.launch).ok_or("its launch is no number below 2^53")?;
        let mark = number(self.mark).ok_or("its mark is no number below 2^53")?;
        let owner = self.owner.map(OwnerName::new).transpose().map_err(|_| "the owner of its operation has no name")?;
        let standing = Standing { revision, phase, launch, owner, mark };
        let Standing { owner, .. } = &standing;
        match (phase.under_way(), owner) {
            (None, Some(_)) => Err("nothing is under way, and yet it has an owner"),
            (Some(_), None) if phase != Phase::Starting => Err("a stop or a deletion is under way that nobody owns"),
            _ if launch.number() > revision.number() => Err("it was started more often than it was written"),
            _ if revision.number() == 0 => Err("it has a row that was never written"),
            _ if launch == Launch::NONE && !matches!(phase, Phase::Stopped | Phase::Deleting | Phase::Gone) => {
                Err("it is more than stopped and was never started")
            }
            _ => Ok(standing),
        }
    }
}

fn number<T: TryFrom<u64>>(number: i64) -> Option<T> {
    T::try_from(u64::try_from(number).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    /// As many computers as that, of which fifty are ready and fifty are starting, far apart.
    fn filled(computers: u32) -> Connection {
        let raw = Connection::open_in_memory().unwrap();
        raw.execute_batch(include_str!("../../schema/sqlite/0001_computer.sql")).unwrap();
        raw.execute_batch(include_str!("../../schema/sqlite/0003_operation.sql")).unwrap();
        raw.execute(
            "WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?1)
             INSERT INTO computer (id, incarnation, resetting, since)
             SELECT printf('computer-%08d', n), 0, 0, 0 FROM number",
            [computers],
        )
        .unwrap();
        raw.execute(
            "INSERT INTO operation (id, revision, phase, launch, owner, mark)
             SELECT id, 1, phase, 1, CASE phase WHEN 'starting' THEN 'owner' END, 0
             FROM (SELECT id, CASE rowid % ?1 WHEN 0 THEN 'ready' WHEN 1 THEN 'starting' ELSE 'stopped' END AS phase
                   FROM computer)",
            [computers / 50],
        )
        .unwrap();
        raw
    }

    /// The engine's steps for ten rows from behind a place in the middle.
    fn steps_of(raw: &Connection, page: &str, computers: u32) -> i32 {
        let mut statement = raw.prepare(page).unwrap();
        let middle = format!("computer-{:08}", computers / 2);
        let rows = statement.query_map(params![middle, 10], Columns::of).unwrap().count();
        assert_eq!(rows, 10);
        statement.get_status(StatementStatus::VmStep)
    }

    #[test]
    fn a_page_costs_the_same_at_any_number_of_computers() {
        let (few, many) = (filled(1_000), filled(50_000));
        let cost = |raw: &Connection, computers| [UNDER_WAY, TO_SWEEP].map(|page| steps_of(raw, page, computers));
        let by_index = cost(&many, 50_000);
        assert_eq!(cost(&few, 1_000), by_index);
        // A walk over the table passes all that lie between two that it wants.
        many.execute_batch("DROP INDEX operation_under_way; DROP INDEX operation_to_sweep").unwrap();
        let by_table = cost(&many, 50_000);
        assert!(by_table[0] > 10 * by_index[0] && by_table[1] > 10 * by_index[1], "{by_table:?}, {by_index:?}");
    }
}
