//! Many callers at once, each of whom saves pages of a computer of its own and waits for each outcome: what sharing a
//! commit brings.
//!
//! Four sides write the same bytes into files of the same settings, in alternating rounds.
//!
//! - *ours*: a [`SqliteStore`], and a task for each caller. The runtime has one thread less than the machine has cores:
//!   one is left to the writer, which is a thread of the store.
//! - *crowded*: the same, with a thread of the runtime for every core. One of them competes with the writer, and with
//!   few cores that is seen.
//! - *raw batches*: one thread without callers, which upserts as many rows as there are callers in each transaction. It
//!   knows its batches beforehand and tells nobody, so nothing can be faster that waits for the same disk.
//! - *mutexed*: a thread for each caller, and one connection behind a mutex, one transaction a save.
//!
//! Goals are for FULL. Rates are from the wall clock, since waiting for the disk is what is shared: on a disk that
//! answers slowly all ratios are better than on a quick one. What else the machine does falls on all sides, but not
//! evenly, since they have more threads or fewer.

#![expect(clippy::disallowed_types, reason = "one connection behind a mutex is what the store is compared with")]

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use outlive::store::{Ask, Create, Durability, RegisterOutcome, Save, SaveOutcome, SqliteOptions, SqliteStore, Store};
use outlive::{ComputerId, GatewayName, Generation, Incarnation, LifeName, PageName};
use outlive_benches::median;
use rusqlite::{Connection, params};
use tokio::runtime::Runtime;

use super::{BODY, Outcome};

const ROUNDS: usize = 7;
const CALLERS: [usize; 3] = [1, 16, 256];
/// Saves of all callers together in a round; the mutexed side takes a part of them, since it is slow.
const SAVES: usize = 4_096;
const MUTEXED_PART: usize = 4;

/// Rates and times of one side, a round each.
#[derive(Default)]
struct Measured {
    rates: Vec<f64>,
    p50s: Vec<f64>,
    p99s: Vec<f64>,
}

/// How long each save took, and all together.
struct Round {
    times: Vec<Duration>,
    whole: Duration,
}

impl Measured {
    fn add(&mut self, mut round: Round) {
        round.times.sort_unstable();
        let at = |part: f64| round.times[((round.times.len() - 1) as f64 * part) as usize].as_secs_f64();
        self.rates.push(round.times.len() as f64 / round.whole.as_secs_f64());
        self.p50s.push(at(0.5));
        self.p99s.push(at(0.99));
    }

    fn row(&self, name: &str) {
        let (p50, p99) = (median(self.p50s.clone()) * 1e3, median(self.p99s.clone()) * 1e3);
        println!("  {name:<12} {:>8.0} saves/s   p50 {p50:>8.3} ms   p99 {p99:>8.3} ms", median(self.rates.clone()));
    }
}

/// Measures and prints every combination.
pub(super) fn measure(folder: &Path) -> Outcome {
    let cores = std::thread::available_parallelism()?.get();
    println!(
        "\nmany callers on {cores} cores; {ROUNDS} rounds of {SAVES} saves of {BODY} bytes; medians of the rounds"
    );
    for (name, durability) in [("FULL", Durability::Full), ("NORMAL", Durability::Normal)] {
        for callers in CALLERS {
            let own_folder = folder.join(format!("{name}-{callers}"));
            std::fs::create_dir(&own_folder)?;
            let mut ours =
                Ours::open(&own_folder.join("ours.db"), durability, callers, cores.saturating_sub(1).max(1))?;
            let mut crowded = Ours::open(&own_folder.join("crowded.db"), durability, callers, cores)?;
            let raw = Raw::open(&own_folder.join("raw.db"), durability)?;
            let mutexed = Raw::open(&own_folder.join("mutexed.db"), durability)?;
            let mutexed = Mutexed { shared: Arc::new(Mutex::new(mutexed)) };
            let mut sides: [Measured; 4] = Default::default();
            for round in 1..=ROUNDS {
                sides[0].add(ours.round()?);
                sides[1].add(crowded.round()?);
                sides[2].add(raw.round(callers, round)?);
                sides[3].add(mutexed.round(callers, round));
            }
            report(name, callers, &sides, durability == Durability::Full);
        }
    }
    Ok(())
}

fn report(name: &str, callers: usize, sides: &[Measured; 4], has_goals: bool) {
    println!("synchronous={name}, {callers} callers");
    for (side, name) in sides.iter().zip(["ours", "crowded", "raw batches", "mutexed"]) {
        side.row(name);
    }
    let [ours, crowded, raw, mutexed] = sides;
    let ratio =
        |ours: &[f64], theirs: &[f64]| median(ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect());
    let is_many = callers == CALLERS[2];
    let goal = |is_asked: bool, goal: f64| (has_goals && is_asked).then_some(goal);
    verdict("rate, ours / raw batches", ratio(&ours.rates, &raw.rates), goal(callers > 1, 0.85), f64::ge);
    verdict("rate, crowded / raw batches", ratio(&crowded.rates, &raw.rates), None, f64::ge);
    verdict("rate, ours / mutexed", ratio(&ours.rates, &mutexed.rates), goal(is_many, 4.0), f64::ge);
    verdict("p99, ours / mutexed", ratio(&ours.p99s, &mutexed.p99s), goal(is_many, 0.25), f64::le);
}

fn verdict(what: &str, ratio: f64, goal: Option<f64>, is_met: fn(&f64, &f64) -> bool) {
    let verdict = match goal {
        Some(goal) if is_met(&ratio, &goal) => format!("   (goal {goal}: met)"),
        Some(goal) => format!("   (goal {goal}: MISSED)"),
        None => String::new(),
    };
    println!("  {what:<27} {ratio:>6.2}{verdict}");
}

// ----------------------------------------------------------------------------------------------------- the sides

struct Ours {
    store: Arc<SqliteStore>,
    computers: Vec<(ComputerId, Incarnation)>,
    generation: u64,
    runtime: Runtime,
}

impl Ours {
    fn open(path: &Path, durability: Durability, callers: usize, threads: usize) -> Result<Ours, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).build()?;
        let store = Arc::new(SqliteStore::open(path, SqliteOptions::new().durability(durability))?);
        let mut computers = Vec::new();
        for caller in 0..callers {
            let computer = ComputerId::new(format!("computer-{caller}"))?;
            let _ = runtime.block_on(store.create(Create { computer: computer.clone() }))?;
            let question = runtime.block_on(store.ask(Ask { computer: computer.clone(), life: LifeName::mint() }))?;
            let RegisterOutcome::Registered { incarnation } = runtime.block_on(store.register(question))? else {
                return Err("overtaken without a race".into());
            };
            computers.push((computer, incarnation));
        }
        Ok(Ours { store, computers, generation: 0, runtime })
    }

    fn round(&mut self) -> Result<Round, Box<dyn Error>> {
        let each = (SAVES / self.computers.len()) as u64;
        let first = self.generation + 1;
        self.generation += each;
        let begun = Instant::now();
        let callers: Vec<_> = (self.computers.iter())
            .map(|(computer, own)| {
                let caller = save_pages(self.store.clone(), computer.clone(), *own, first..first + each);
                self.runtime.spawn(caller)
            })
            .collect();
        let mut times = Vec::new();
        for caller in callers {
            times.extend(self.runtime.block_on(caller)?.map_err(|error| error.to_string())?);
        }
        Ok(Round { times, whole: begun.elapsed() })
    }
}

/// One caller.
async fn save_pages(
    store: Arc<SqliteStore>,
    computer: ComputerId,
    own: Incarnation,
    generations: std::ops::Range<u64>,
) -> Result<Vec<Duration>, Box<dyn Error + Send + Sync>> {
    let gateway = GatewayName::new("gateway")?;
    let mut times = Vec::new();
    for generation in generations {
        let save = Save {
            gateway: gateway.clone(),
            computer: computer.clone(),
            page: PageName::new(own, Generation::try_from(generation)?),
            body: Bytes::from(vec![generation as u8; BODY]),
            operation: None,
        };
        let begun = Instant::now();
        if store.save(save).await? != SaveOutcome::Stored {
            return Err("a fresh save was not stored".into());
        }
        times.push(begun.elapsed());
    }
    Ok(times)
}

struct Raw {
    connection: Connection,
}

impl Raw {
    fn open(path: &Path, durability: Durability) -> Result<Raw, Box<dyn Error>> {
        Ok(Raw { connection: super::RawSide::open(path, durability)?.into_connection() })
    }

    fn upsert(&self, caller: usize, generation: i64) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO page VALUES (?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, body = excluded.body",
            )?
            .execute(params![format!("computer-{caller}"), generation, &vec![generation as u8; BODY][..]])?;
        Ok(())
    }

    /// A transaction of one save of each caller, as often as a caller saves.
    fn round(&self, callers: usize, round: usize) -> Result<Round, Box<dyn Error>> {
        let (begun, mut times) = (Instant::now(), Vec::new());
        for generation in 0..SAVES / callers {
            let begun = Instant::now();
            self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            for caller in 0..callers {
                self.upsert(caller, (round * SAVES + generation) as i64)?;
            }
            self.connection.prepare_cached("COMMIT")?.execute([])?;
            times.extend(std::iter::repeat_n(begun.elapsed(), callers));
        }
        Ok(Round { times, whole: begun.elapsed() })
    }
}

struct Mutexed {
    shared: Arc<Mutex<Raw>>,
}

impl Mutexed {
    fn round(&self, callers: usize, round: usize) -> Round {
        let each = (SAVES / MUTEXED_PART / callers).max(1);
        let begun = Instant::now();
        let threads: Vec<_> = (0..callers)
            .map(|caller| {
                let shared = self.shared.clone();
                std::thread::spawn(move || {
                    let save = |generation| {
                        let begun = Instant::now();
                        let raw = shared.lock().expect("no caller panics");
                        raw.upsert(caller, (round * SAVES + generation) as i64).expect("an upsert of a plain row");
                        drop(raw);
                        begun.elapsed()
                    };
                    (0..each).map(save).collect::<Vec<_>>()
                })
            })
            .collect();
        let times = threads.into_iter().flat_map(|thread| thread.join().expect("no caller panics")).collect();
        Round { times, whole: begun.elapsed() }
    }
}
