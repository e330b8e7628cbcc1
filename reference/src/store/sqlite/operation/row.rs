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
pub(super) fn standing(raw: &Connection, computer: &ComputerId) -> Result<Standing, Fault> {
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

/// By a walk along the index from behind `after`.
pub(super) fn operations_under_way(
    raw: &Connection,
    after: Option<&ComputerId>,
    limit: usize,
) -> Result<Vec<(ComputerId, Standing)>, Fault> {
    let page = "SELECT id, revision, phase, launch, owner, mark FROM operation
                WHERE phase IN ('starting', 'stopping', 'deleting') AND id > ?1 ORDER BY id LIMIT ?2";
    list(raw, page, after, limit)
}

/// The same, along another one.
pub(super) fn computers_to_sweep(
    raw: &Connection,
    after: Option<&ComputerId>,
    limit: usize,
) -> Result<Vec<(ComputerId, Standing)>, Fault> {
    let page = "SELECT id, revision, phase, launch, owner, mark FROM operation
                WHERE phase IN ('ready', 'error') AND id > ?1 ORDER BY id LIMIT ?2";
    list(raw, page, after, limit)
}

fn list(
    raw: &Connection,
    page: &str,
    after: Option<&ComputerId>,
    limit: usize,
) -> Result<Vec<(ComputerId, Standing)>, Fault> {
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
