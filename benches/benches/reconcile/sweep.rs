//! A sweep over 100,000 computers in a file, of which ten have changed since the last one, at a provider that answers
//! at once: so what is measured is the store and the pass.
//!
//! - *Raw reads*: the same rows, a page at a time, by a statement of our own.
//! - *Lists*: the same pages by way of the store.
//! - *Sweep*: a whole pass, which asks the provider about each row.
//! - *Reports*: the provider tells of the ten. This is in proportion to the changes; no sweep can be, since the change
//!   is at the provider, where the store does not see it.
//!
//! CPU of the whole process; the median of some rounds, in each of which the ten are others.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use outlive::provider::Condition;
use outlive::reconcile::Reason;
use outlive::store::{Durability, SqliteOptions};
use outlive::{ComputerId, Launch, Reconciler, SqliteStore};
use outlive_benches::{cpu_time, median};
use rusqlite::{Connection, params};
use tokio::runtime::Runtime;

use crate::provider::Quick;
use crate::{Outcome, plane};

const COMPUTERS: usize = 100_000;
const CHANGED: usize = 10;
const PAGE: usize = 200;
const ROUNDS: usize = 5;

pub(crate) fn measure(runtime: &Runtime) -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("store.db");
    let options = SqliteOptions::new().durability(Durability::Normal);
    let store = Arc::new(SqliteStore::open(&path, options)?);
    let provider = Arc::new(Quick::new(Duration::ZERO, None));
    fill(&path, &provider)?;
    let passes = Reconciler::new(plane(store, provider.clone())?);
    let (mut raw, mut lists, mut sweeps, mut reports) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        raw.push(time(|| raw_reads(&path))?);
        lists.push(time(|| runtime.block_on(list(&passes)))?);
        // Ten others exit each time, and the provider tells.
        let told = exit(&provider, 2 * round);
        reports.push(time(|| {
            for id in &told {
                let report = provider.observation(id.clone(), first());
                let _ = runtime.block_on(passes.deliver(report))?;
            }
            Ok(CHANGED)
        })?);
        // And ten of which nobody tells.
        exit(&provider, 2 * round + 1);
        sweeps.push(time(|| {
            let counts = runtime.block_on(passes.pass()).sweep;
            assert_eq!((counts.written, counts.failed, counts.lost), (CHANGED, 0, 0), "{counts:?}");
            Ok(counts.listed)
        })?);
    }
    let [raw, lists, sweeps, reports] = [raw, lists, sweeps, reports].map(median);
    let rate = |seconds: f64| COMPUTERS as f64 / seconds;
    println!("{COMPUTERS} computers, of which {CHANGED} have changed; CPU, median of {ROUNDS} rounds");
    println!(
        "  raw reads {:.0} rows/s, lists {:.0} rows/s, a sweep {:.0} rows/s",
        rate(raw),
        rate(lists),
        rate(sweeps)
    );
    println!("    raw reads / lists = {:.2}, raw reads / sweep = {:.2}", raw / lists, raw / sweeps);
    println!("  {CHANGED} reports {:.2} ms, a sweep {:.0} ms", reports * 1e3, sweeps * 1e3);
    println!("    reports / sweep = {:.5}", reports / sweeps);
    Ok(())
}

fn name(at: usize) -> String {
    format!("computer-{at:06}")
}

fn first() -> Launch {
    Launch::try_from(1).expect("a launch")
}

/// All are ready, and were once started.
fn fill(path: &Path, provider: &Quick) -> Outcome {
    let mut connection = Connection::open(path)?;
    let transaction = connection.transaction()?;
    for at in 0..COMPUTERS {
        let id = name(at);
        transaction.execute("INSERT INTO computer (id, incarnation, resetting, since) VALUES (?, 0, 0, 0)", [&id])?;
        transaction.execute(
            "INSERT INTO operation (id, revision, phase, launch, owner, mark) VALUES (?, 2, 'ready', 1, NULL, 0)",
            [&id],
        )?;
        provider.put(ComputerId::new(id)?, first(), Condition::Up);
    }
    transaction.commit()?;
    Ok(())
}

fn exit(provider: &Quick, turn: usize) -> Vec<ComputerId> {
    let ids = (0..CHANGED).map(|at| ComputerId::new(name(turn + at * (COMPUTERS / CHANGED))).expect("a name"));
    ids.inspect(|id| provider.put(id.clone(), first(), Condition::Exited)).collect()
}

/// The CPU time in seconds of work on so many rows.
fn time(work: impl FnOnce() -> Result<usize, Box<dyn std::error::Error>>) -> Result<f64, Box<dyn std::error::Error>> {
    let before = cpu_time();
    let rows = work()?;
    assert!(rows == COMPUTERS || rows == CHANGED, "{rows} rows");
    Ok((cpu_time() - before).as_secs_f64())
}

fn raw_reads(path: &Path) -> Result<usize, Box<dyn std::error::Error>> {
    let connection = Connection::open(path)?;
    let mut statement = connection.prepare(
        "SELECT id, revision, phase, launch, owner, mark FROM operation
         WHERE phase IN ('ready', 'error') AND id > ? ORDER BY id LIMIT ?",
    )?;
    let (mut rows_read, mut after) = (0, String::new());
    loop {
        let mut rows = statement.query(params![after, PAGE as i64])?;
        let mut in_page = 0;
        while let Some(row) = rows.next()? {
            let (_, _, _): (i64, String, i64) = (row.get(1)?, row.get(2)?, row.get(3)?);
            let (_, _): (Option<String>, i64) = (row.get(4)?, row.get(5)?);
            after = row.get(0)?;
            in_page += 1;
        }
        rows_read += in_page;
        if in_page == 0 {
            return Ok(rows_read);
        }
    }
}

async fn list<S: outlive::OperationStore>(
    passes: &Reconciler<S, Arc<Quick>, outlive::testing::FakeLiveness>,
) -> Result<usize, Box<dyn std::error::Error>> {
    let (mut rows, mut after) = (0, None);
    loop {
        let page = passes.list(Reason::Sweep, after).await?;
        let Some(last) = page.last() else { return Ok(rows) };
        rows += page.len();
        after = Some(last.computer.clone());
    }
}
