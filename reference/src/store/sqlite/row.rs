//! Rows, and what they mean. Whoever has the file can edit it, so a row that no decision can have written is corrupt.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::failure::Fault;
use crate::id::{ComputerId, Generation, Incarnation, PageName};
use crate::store::Standing;

/// As the database counts. Ours stay below 2^53.
pub(super) fn number(number: impl Into<u64>) -> i64 {
    number.into().cast_signed()
}

/// What is known about a computer that must exist.
pub(super) fn standing(raw: &Connection, computer: &ComputerId) -> Result<Standing, Fault> {
    find(raw, computer)?.ok_or_else(|| Fault::NoSuchComputer(computer.clone()))
}

/// What is known about a computer.
pub(super) fn find(raw: &Connection, computer: &ComputerId) -> Result<Option<Standing>, Fault> {
    let columns = raw
        .prepare_cached(
            "SELECT incarnation, resetting, since, stamp, generation, body IS NULL FROM computer WHERE id = ?1",
        )?
        .query_row([computer.as_str()], Columns::of)
        .optional()?;
    let Some(columns) = columns else { return Ok(None) };
    columns.standing().map(Some).map_err(|what| Fault::impossible(computer, what))
}

/// The body of the stored page, of which the caller knows that it is there.
pub(super) fn body(raw: &Connection, computer: &ComputerId) -> Result<Bytes, Fault> {
    let body: Vec<u8> = raw
        .prepare_cached("SELECT body FROM computer WHERE id = ?1")?
        .query_row([computer.as_str()], |row| row.get(0))?;
    Ok(body.into())
}

/// Computers whose reset is under way, by a walk along the index from behind `after`.
pub(super) fn resets_under_way(
    raw: &Connection,
    after: Option<&ComputerId>,
    limit: usize,
) -> Result<Vec<ComputerId>, Fault> {
    let after = after.map_or("", ComputerId::as_str);
    let mut statement =
        raw.prepare_cached("SELECT id FROM computer WHERE resetting = 1 AND id > ?1 ORDER BY id LIMIT ?2")?;
    let ids =
        statement.query_map(params![after, i64::try_from(limit).unwrap_or(i64::MAX)], |row| row.get::<_, String>(0))?;
    ids.map(|id| ComputerId::new(id?).map_err(|error| Fault::Corrupt(format!("the id of a computer: {error}"))))
        .collect()
}

struct Columns {
    incarnation: i64,
    resetting: i64,
    since: i64,
    stamp: Option<i64>,
    generation: Option<i64>,
    is_without_body: bool,
}

impl Columns {
    fn of(row: &Row<'_>) -> rusqlite::Result<Columns> {
        Ok(Columns {
            incarnation: row.get(0)?,
            resetting: row.get(1)?,
            since: row.get(2)?,
            stamp: row.get(3)?,
            generation: row.get(4)?,
            is_without_body: row.get(5)?,
        })
    }

    fn standing(&self) -> Result<Standing, &'static str> {
        let incarnation = incarnation(self.incarnation)?;
        let since = self::incarnation(self.since)?;
        let is_resetting = match self.resetting {
            0 => false,
            1 => true,
            _ => return Err("whether a reset is under way is neither yes nor no"),
        };
        if incarnation.was_minted_before(since) {
            return Err("the last reset opened an incarnation that was not minted yet");
        }
        let page = match (self.stamp, self.generation, self.is_without_body) {
            (None, None, true) => None,
            (Some(stamp), Some(generation), false) => {
                Some(PageName::new(self::incarnation(stamp)?, self::generation(generation)?))
            }
            _ => return Err("half a page is stored"),
        };
        match page {
            Some(_) if is_resetting => Err("a page is stored while a reset is under way"),
            Some(page) if incarnation.was_minted_before(page.incarnation) => {
                Err("the stored page is of an incarnation that was not minted yet")
            }
            Some(page) if page.incarnation.was_minted_before(since) => {
                Err("the stored page is from before the last reset")
            }
            Some(page) if page.incarnation == Incarnation::NOBODY => Err("the stored page is nobody's"),
            page => Ok(Standing { incarnation, is_resetting, since, page }),
        }
    }
}

fn incarnation(number: i64) -> Result<Incarnation, &'static str> {
    let number = u64::try_from(number).map_err(|_| "an incarnation is negative")?;
    Incarnation::try_from(number).map_err(|_| "an incarnation is 2^53 or more")
}

fn generation(number: i64) -> Result<Generation, &'static str> {
    let number = u64::try_from(number).map_err(|_| "a generation is negative")?;
    Generation::try_from(number).map_err(|_| match number {
        0 => "the stored page has the generation 0",
        _ => "a generation is 2^53 or more",
    })
}
