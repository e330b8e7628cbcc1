//! The kill test: a process that saves, resets and rolls back is killed with SIGKILL at a seeded moment, again and
//! again, and the file is looked at each time.
//!
//! The process is this test once more. It says on a pipe what it is about to do and what was acknowledged; both sides
//! choose the deeds from the same seed, so numbers suffice. A kill loses what a process has in memory and not what the
//! operating system has, so this test cannot tell one durability from another: the power-cut test does.
//!
//! `OUTLIVE_KILLS=5000 cargo test -p outlive --test kill -- --nocapture` kills more often and prints the counts.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

#[path = "power/deeds.rs"]
mod deeds;
#[path = "power/random.rs"]
mod random;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use deeds::Deed;
use outlive::ComputerId;
use outlive::store::{Durability, LoadOutcome, SqliteOptions, SqliteStore};
use random::Random;
use rusqlite::Connection;
use tokio::runtime::Runtime;

const KILLS: u64 = 200;
/// After so many the file is given up for a new one.
const KILLS_OF_A_FILE: u64 = 25;
const THREADS: u64 = 2;
const COMPUTERS: usize = 8;
const MOST_LINES: usize = 600;
const MOST_DEEDS: usize = 100_000;

const TEST: &str = "what_was_acknowledged_outlives_every_kill";
/// Set for the process that is killed.
const FILE: &str = "OUTLIVE_KILLED_FILE";
const SEED: &str = "OUTLIVE_KILLED_SEED";

#[derive(Default, Debug)]
struct Tally {
    kills: u64,
    acknowledged: usize,
    under_way: usize,
    /// Of those under way, how many had happened.
    had_happened: usize,
}

#[test]
fn what_was_acknowledged_outlives_every_kill() {
    if let Some(file) = std::env::var_os(FILE) {
        return be_killed(Path::new(&file), std::env::var(SEED).unwrap().parse().unwrap());
    }
    let kills = std::env::var("OUTLIVE_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let of_a_thread = |thread: u64| move || kill_often((thread..kills).step_by(THREADS as usize));
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(of_a_thread(thread))).collect();
        for thread in threads {
            let of_thread = thread.join().unwrap();
            tally.kills += of_thread.kills;
            tally.acknowledged += of_thread.acknowledged;
            tally.under_way += of_thread.under_way;
            tally.had_happened += of_thread.had_happened;
        }
    });
    println!("{tally:?}, seeds 0 to {}", kills - 1);
    assert_eq!(tally.kills, kills);
    let is_in_the_middle = tally.acknowledged > 0 && tally.under_way > 0 && tally.had_happened > 0;
    assert!(is_in_the_middle, "the kills came too early or too late: {tally:?}");
}

fn options(seed: u64) -> SqliteOptions {
    let durability = if seed.is_multiple_of(4) { Durability::Full } else { Durability::Normal };
    SqliteOptions::new().durability(durability)
}

fn computer(number: usize) -> ComputerId {
    ComputerId::new(format!("computer-{number}")).unwrap()
}

fn chance(seed: u64, number: usize) -> Random {
    Random::new(seed * COMPUTERS as u64 + number as u64)
}

// ----------------------------------------------------------------------------------------------- the killed process

fn be_killed(file: &Path, seed: u64) {
    // What the test harness has said before is not on our first line.
    say(format_args!(""));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let store = Arc::new(SqliteStore::open(file, options(seed)).unwrap());
    let drivers: Vec<_> = (0..COMPUTERS).map(|number| runtime.spawn(drive(store.clone(), number, seed))).collect();
    drivers.into_iter().for_each(|driver| runtime.block_on(driver).unwrap());
    panic!("nobody has killed the process");
}

async fn drive(store: Arc<SqliteStore>, number: usize, seed: u64) {
    let (computer, mut random) = (computer(number), chance(seed, number));
    let mut row = deeds::load(&*store, &computer).await.unwrap();
    for _ in 0..MOST_DEEDS {
        let deed = Deed::choose(&row, &mut random);
        say(format_args!("begun {number}"));
        deed.submit(&*store, &computer, &row).await.unwrap();
        say(format_args!("acknowledged {number}"));
        row = deed.done_to(&row);
    }
}

fn say(line: std::fmt::Arguments<'_>) {
    // One write of a line, which a pipe takes as a whole.
    std::io::stdout().lock().write_all(format!("{line}\n").as_bytes()).unwrap();
}

// ----------------------------------------------------------------------------------------------------- who kills it

fn kill_often(seeds: impl Iterator<Item = u64>) -> Tally {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut tally = Tally::default();
    let mut file = None;
    for seed in seeds {
        let subject = match file.take() {
            Some(subject) if !tally.kills.is_multiple_of(KILLS_OF_A_FILE) => subject,
            _ => Subject::new(&runtime),
        };
        file = Some(subject.killed(&runtime, seed, &mut tally));
    }
    tally
}

/// A file, and what its rows are.
struct Subject {
    _folder: tempfile::TempDir,
    path: PathBuf,
    rows: Vec<LoadOutcome>,
}

impl Subject {
    fn new(runtime: &Runtime) -> Subject {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let store = SqliteStore::open(&path, SqliteOptions::new()).unwrap();
        for number in 0..COMPUTERS {
            runtime.block_on(deeds::create(&store, &computer(number))).unwrap();
        }
        Subject { _folder: folder, path, rows: vec![deeds::fresh(); COMPUTERS] }
    }

    /// One life of the process, its death, and a look at the file.
    fn killed(self, runtime: &Runtime, seed: u64, tally: &mut Tally) -> Subject {
        let heard = run_and_kill(&self.path, seed);
        let store = SqliteStore::open(&self.path, options(seed)).unwrap();
        let mut rows = Vec::new();
        for (number, before) in self.rows.iter().enumerate() {
            let (computer, mut random) = (computer(number), chance(seed, number));
            let [begun, acknowledged] = heard[number];
            let mut expected = before.clone();
            for _ in 0..acknowledged {
                expected = Deed::choose(&expected, &mut random).done_to(&expected);
            }
            let found = runtime.block_on(deeds::load(&store, &computer)).unwrap();
            tally.acknowledged += acknowledged;
            if begun > acknowledged {
                let had_happened = Deed::choose(&expected, &mut random).done_to(&expected);
                tally.under_way += 1;
                tally.had_happened += usize::from(found == had_happened && found != expected);
                expected = if found == had_happened { had_happened } else { expected };
            }
            assert_eq!(found, expected, "seed {seed}: {computer} after {acknowledged} of {begun} deeds");
            rows.push(found);
        }
        drop(store);
        let raw = Connection::open(&self.path).unwrap();
        let integrity: String = raw.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(integrity, "ok", "seed {seed}");
        tally.kills += 1;
        Subject { rows, ..self }
    }
}

/// Starts the process, kills it at a seeded moment, and says how many deeds of each computer were begun and
/// acknowledged.
fn run_and_kill(file: &Path, seed: u64) -> [[usize; 2]; COMPUTERS] {
    let mut random = Random::new(!seed);
    let at = 1 + random.below(MOST_LINES);
    let wait = Duration::from_micros(random.below(500) as u64);
    let mut child = start(file, seed);
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let (mut heard, mut count, mut line) = ([[0; 2]; COMPUTERS], 0, String::new());
    while lines.read_line(&mut line).unwrap() > 0 {
        let Some((word, number)) = line.trim_end().split_once(' ') else {
            line.clear();
            continue;
        };
        match (word, number.parse::<usize>()) {
            ("begun", Ok(number)) => heard[number][0] += 1,
            ("acknowledged", Ok(number)) => heard[number][1] += 1,
            _ => {}
        }
        count += 1;
        if count == at {
            // Somewhere within a commit, not always at a line.
            std::thread::sleep(wait);
            child.kill().unwrap();
        }
        line.clear();
    }
    let status = child.wait().unwrap();
    assert_eq!(status.code(), None, "the process ended by itself: {status}");
    heard
}

fn start(file: &Path, seed: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(FILE, file)
        .env(SEED, seed.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}
