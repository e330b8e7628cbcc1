//! The demonstration: the reference under load, killed, resumed, and its trace held against the model; then the
//! historic stores, whose traces must be refused.
//!
//! # Theory of operation
//!
//! A child process drives the reference on an SQLite file and is killed at a seeded save. This process opens the file,
//! reports the child's gateways as crashed, drives on from there, and settles every computer. Three things must be so:
//!
//! - the whole trace, from before and after the kill, is a behaviour of the model;
//! - every save that was acknowledged is in it;
//! - every danger window has occurred, since a run without danger proves little.
//!
//! # What is not here
//!
//! Power cuts: SIGKILL loses what a process had in memory, not what the operating system had.

pub mod historic;
mod journal;
mod kill;
mod load;
pub mod render;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outlive::store::{Durability, SqliteOptions};
use outlive::trace::Protocol;
use outlive::{ComputerId, SqliteStore, Store, StoreError};
use outlive_spec::trace::{Event, Outcome, Verb};
use schemars::JsonSchema;
use serde::Serialize;

use crate::conform::report::{Report, Verdict};
use crate::conform::{self, Input, Options};
use crate::exit::Exit;
use historic::HISTORIC;
use journal::{Journal, SaveName};
use load::Plan;

/// What to run.
#[derive(Clone, Debug)]
pub struct Demo {
    /// The SQLite file. It must not exist yet.
    pub database: PathBuf,
    /// The seed of every random choice.
    pub seed: u64,
    /// How many computers.
    pub computers: u32,
    /// How many concurrent tasks, each a gateway.
    pub tasks: u32,
    /// How many rounds each task goes, once before the kill and once after it.
    pub rounds: u32,
}

/// What the demonstration has shown.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoReport {
    /// The exit code.
    pub exit: u8,
    /// The seed that repeats it.
    pub seed: u64,
    /// The trace, as a file that `conform` reads.
    pub trace: String,
    /// How many saves the killed process had heard to be stored.
    pub acknowledged: usize,
    /// How many saves it had sent and not heard of.
    pub unacknowledged: usize,
    /// The save at whose sending it was killed, counted from 1.
    pub killed_at: u64,
    /// Acknowledged saves that are not in the trace: there must be none.
    pub lost: Vec<String>,
    /// The verdict on the trace.
    pub conformance: Report,
    /// What became of the historic stores.
    pub historic: Vec<HistoricVerdict>,
}

/// How the trace of a historic store was judged.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct HistoricVerdict {
    /// The variant of the model that has the same rule.
    pub variant: String,
    /// What the store did.
    pub tells: String,
    /// By which requirement it must be refused.
    pub expected: String,
    /// By which it was; none if it was accepted.
    pub refused_by: Option<String>,
    /// The line that was refused.
    pub line: Option<u64>,
    /// Known variants whose rules accept the whole trace.
    pub explained_by: Vec<String>,
    /// Whether it is refused by what was expected, and explained by its own variant.
    pub is_right: bool,
}

/// Why the demonstration could not be given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// The reference has failed.
    #[error("the store has failed")]
    Store(#[from] StoreError),
    /// A process or file has.
    #[error("a process or a file has failed")]
    Io(#[from] io::Error),
    /// A historic store has.
    #[error("a historic store has failed")]
    Historic(#[from] rusqlite::Error),
    /// The kill came too late.
    #[error("the process under load ended before the kill: give it more --rounds")]
    NotKilled,
    /// A computer does not come to rest, though nobody disturbs it.
    #[error("{computer} is not settled, though nothing else was done to it through {looks} looks")]
    NotSettled {
        /// The computer.
        computer: ComputerId,
        /// How often it was looked at, and helped on.
        looks: usize,
    },
    /// The process under load has failed, and has said why.
    #[error("the process under load failed before the kill")]
    UnderLoad,
}

impl Demo {
    /// Runs it, and writes the trace beside the database.
    ///
    /// # Errors
    /// See [`DemoError`]. A trace that does not conform is in the report.
    pub fn run(&self) -> Result<DemoReport, DemoError> {
        let plan = Plan { seed: self.seed, computers: self.computers, tasks: self.tasks, rounds: self.rounds };
        let killed = kill::run_and_kill(&self.database, plan)?;
        let trace = self.trace();
        run_async(resume(&self.database, &trace, Plan { seed: plan.seed.wrapping_add(1), ..plan }))??;
        let conformance = judge(&trace)?;
        let lost = lost(killed.heard.stored(), &trace)?;
        let historic = HISTORIC.iter().map(judge_historic).collect::<Result<Vec<_>, _>>()?;
        let exit = exit(&conformance, &lost, &historic);
        Ok(DemoReport {
            exit: exit.code(),
            seed: self.seed,
            trace: trace.display().to_string(),
            acknowledged: killed.heard.stored().len(),
            unacknowledged: killed.heard.unacknowledged(),
            killed_at: killed.at,
            lost,
            conformance,
            historic,
        })
    }

    /// Where the trace is written: beside the database, under its whole name, so that it never takes its place.
    pub fn trace(&self) -> PathBuf {
        let mut trace = self.database.clone().into_os_string();
        trace.push(".jsonl");
        trace.into()
    }

    /// What the child process does: load, and nothing else, until it is killed.
    ///
    /// # Errors
    /// The reference's.
    pub fn run_under_load(&self) -> Result<(), DemoError> {
        let plan = Plan { seed: self.seed, computers: self.computers, tasks: self.tasks, rounds: self.rounds };
        run_async(async {
            let store = open(&self.database)?;
            load::run(store, plan, Arc::new(Journal::spoken(kill::killed_at(plan)))).await
        })??;
        Ok(())
    }
}

fn run_async<F: Future>(future: F) -> io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build()?;
    Ok(runtime.block_on(future))
}

/// A kill cannot tell one durability from the other, so the quicker one is taken.
fn open(database: &Path) -> Result<Arc<SqliteStore>, StoreError> {
    let options = SqliteOptions::new().durability(Durability::Normal).recording();
    Ok(Arc::new(SqliteStore::open(database, options)?))
}

async fn resume(database: &Path, trace: &Path, plan: Plan) -> Result<(), DemoError> {
    let store = open(database)?;
    for task in 0..plan.tasks {
        store.recorder().gateway_crashed(&load::gateway(task)).await?;
    }
    load::run(store.clone(), plan, Arc::new(Journal::silent())).await?;
    let mut file = io::BufWriter::new(std::fs::File::create(trace)?);
    store.recorder().export(Protocol::Snapshot, &mut file).await?;
    io::Write::flush(&mut file)?;
    Ok(())
}

fn judge(trace: &Path) -> io::Result<Report> {
    let options = Options { requires_danger_windows: true, ..Options::default() };
    Ok(conform::check(&[Input::new(trace)?], &options))
}

/// Acknowledged saves that the trace does not know.
fn lost(acknowledged: &[SaveName], trace: &Path) -> io::Result<Vec<String>> {
    let text = std::fs::read_to_string(trace)?;
    let stored: BTreeSet<SaveName> = text
        .lines()
        .skip(1)
        .filter_map(|line| serde_json::from_str::<Event<'_>>(line).ok())
        .filter(|event| event.action == Verb::Save && event.outcome == Outcome::Done)
        .filter_map(|event| Some((event.computer.to_string(), event.incarnation?, event.generation?)))
        .collect();
    let lost = acknowledged.iter().filter(|save| !stored.contains(*save));
    Ok(lost.map(|(computer, incarnation, generation)| format!("{computer}: {generation} of {incarnation}")).collect())
}

fn judge_historic(store: &historic::Historic) -> Result<HistoricVerdict, rusqlite::Error> {
    let input = Input::text(store.variant, store.run()?);
    let divergence = conform::check(&[input], &Options::default()).divergence;
    let refused_by = divergence.as_ref().and_then(|divergence| divergence.requirement);
    let explained_by: Vec<String> = divergence
        .iter()
        .flat_map(|divergence| &divergence.explained_by)
        .map(|explanation| explanation.variant.clone())
        .collect();
    let is_explained = explained_by.iter().any(|variant| variant == store.variant);
    Ok(HistoricVerdict {
        variant: store.variant.to_owned(),
        tells: store.tells.to_owned(),
        expected: store.refused_by.id().to_owned(),
        refused_by: refused_by.map(|requirement| requirement.id().to_owned()),
        line: divergence.as_ref().map(|divergence| divergence.line.place.line),
        explained_by,
        is_right: refused_by == Some(store.refused_by) && is_explained,
    })
}

fn exit(conformance: &Report, lost: &[String], historic: &[HistoricVerdict]) -> Exit {
    let mut exit = conformance.verdict.exit();
    if !lost.is_empty() {
        exit = exit.or(Exit::SafetyViolated);
    }
    if historic.iter().any(|verdict| !verdict.is_right) {
        exit = exit.or(Exit::Vacuous);
    }
    exit
}

impl DemoReport {
    /// Whether everything was as it must be.
    pub fn is_right(&self) -> bool {
        self.conformance.verdict == Verdict::Conforms && self.exit == Exit::Holds.code()
    }
}
