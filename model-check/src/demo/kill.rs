//! A process under load, killed in the middle of its writes.

use std::env;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::journal::Heard;
use super::load::Plan;
use crate::conform::random::Random;

/// How a process has died.
#[derive(Debug)]
pub(super) struct Killed {
    /// What it had said until then.
    pub(super) heard: Heard,
    /// The save at whose sending it was killed, counted from 1.
    pub(super) at: u64,
}

/// Starts this program once more as a process under load on the same database, and kills it with SIGKILL at a seeded
/// save: when that is about to be sent, and so not acknowledged.
pub(super) fn run_and_kill(database: &Path, plan: Plan) -> io::Result<Killed> {
    let expected_saves = u64::from(plan.tasks) * u64::from(plan.rounds) / 3;
    let at = 1 + expected_saves / 3 + Random::new(plan.seed).number() % (expected_saves / 3).max(1);
    let mut child = start(database, plan)?;
    let lines = child.stdout.take().ok_or_else(|| io::Error::other("the child has no standard output"))?;
    let mut heard = Heard::default();
    let mut sent = 0;
    for line in BufReader::new(lines).lines() {
        let line = line?;
        heard.take(&line);
        if line.starts_with("sent ") {
            sent += 1;
            if sent == at {
                child.kill()?;
            }
        }
    }
    child.wait()?;
    Ok(Killed { heard, at })
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
