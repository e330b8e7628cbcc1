//! A process under load, killed in the middle of its writes.

use std::env;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::DemoError;
use super::journal::Heard;
use super::load::Plan;
use crate::random::Random;

/// How a process has died.
#[derive(Debug)]
pub(super) struct Killed {
    /// What it had said until then.
    pub(super) heard: Heard,
    /// The save at whose sending it was killed, counted from 1.
    pub(super) at: u64,
}

/// The seeded save at which the process is killed, counted from 1.
pub(super) fn killed_at(plan: Plan) -> u64 {
    let expected_saves = u64::from(plan.tasks) * u64::from(plan.rounds) / 3;
    1 + expected_saves / 3 + Random::new(plan.seed).number() % (expected_saves / 3).max(1)
}

/// Starts this program once more as a process under load on the same database, and kills it with SIGKILL at a seeded
/// save: when that is about to be sent, and so not acknowledged.
pub(super) fn run_and_kill(database: &Path, plan: Plan) -> Result<Killed, DemoError> {
    let at = killed_at(plan);
    let last_words = format!("sent {at} ");
    let mut child = start(database, plan)?;
    let lines = child.stdout.take().ok_or_else(|| io::Error::other("the child has no standard output"))?;
    let (mut heard, mut is_killed) = (Heard::default(), false);
    for line in BufReader::new(lines).lines() {
        let line = line?;
        heard.take(&line);
        if line.starts_with(&last_words) {
            child.kill()?;
            is_killed = true;
        }
    }
    match (is_killed, child.wait()?.success()) {
        (true, _) => Ok(Killed { heard, at }),
        (false, true) => Err(DemoError::NotKilled),
        (false, false) => Err(DemoError::UnderLoad),
    }
}

fn start(database: &Path, plan: Plan) -> io::Result<Child> {
    Command::new(env::current_exe()?)
        .args(["demo", "--under-load", "--database"])
        .arg(database)
        .args(["--seed", &plan.seed.to_string(), "--computers", &plan.computers.to_string()])
        .args(["--tasks", &plan.tasks.to_string(), "--rounds", &plan.rounds.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
}
