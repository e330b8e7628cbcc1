//! What a save costs: against a raw upsert of the same bytes, by one caller and by many at once.
//!
//! ```text
//! cargo bench -p outlive-benches --bench save
//! ```
//!
//! # One save
//!
//! Both sides write the same 2 KiB body into a file of the same settings, one transaction a save. A ratio is the CPU
//! time of the raw side over that of ours, user and system together, so 1 is free and less is the price. Rounds
//! alternate, so that whatever else the machine does falls on both; the median ratio of the rounds is reported.
//!
//! - *inline*: the store's own step on a connection, timed on the thread that takes it. This is what the goals are for.
//! - *recorded*: the same, and its event written into the trace in the same transaction. An event costs two more
//!   inserts, of the row and of its place among those of its process. So it is held against a raw upsert and a raw
//!   insert of an event of the same length into a table of the same form as well: what no recorder that is durable can
//!   do without. What is left is the look at the row after the write, the number of the event, and the event as text.
//! - *whole*: the whole call of a [`SqliteStore`] by one caller who waits for each, timed over the process. It has two
//!   handovers, to the writer and back, and with one caller each has to wake a thread that sleeps.
//!
//! # Many at once
//!
//! See [`callers`].

mod callers;

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use outlive::store::{
    Ask, Create, Durability, Question, RegisterOutcome, Save, SaveOutcome, SqliteOptions, SqliteStore, Store,
};
use outlive::testing::InlineSqlite;
use outlive::{ComputerId, GatewayName, Generation, Incarnation, LifeName, PageName};
use outlive_benches::{cpu_time, median, thread_cpu_time};
use rusqlite::{Connection, params};
use tokio::runtime::Runtime;

type Outcome = Result<(), Box<dyn Error>>;

const ROUNDS: usize = 31;
const SAVES_PER_ROUND: u64 = 400;
const BODY: usize = 2_048;
const GOAL: f64 = 0.9;
const GOAL_RECORDED: f64 = 0.7;

fn main() -> Outcome {
    let folder = tempfile::tempdir()?;
    println!("CPU of a raw upsert / CPU of ours; {ROUNDS} rounds of {SAVES_PER_ROUND} saves of {BODY} bytes");
    for (name, durability) in [("FULL", Durability::Full), ("NORMAL", Durability::Normal)] {
        let own_folder = folder.path().join(name);
        std::fs::create_dir(&own_folder)?;
        measure(name, &own_folder, durability)?;
    }
    callers::measure(folder.path())
}

fn measure(name: &str, folder: &Path, durability: Durability) -> Outcome {
    let options = SqliteOptions::new().durability(durability);
    let mut raw = RawSide::open(&folder.join("raw.db"), durability)?;
    let mut inline = InlineSide::open(&folder.join("inline.db"), &options)?;
    let mut recorded = InlineSide::open(&folder.join("recorded.db"), &options.clone().recording())?;
    recorded.round()?;
    let event = any_event(&folder.join("recorded.db"))?;
    let mut raw_recorded = RawSide::open(&folder.join("raw-recorded.db"), durability)?;
    let mut whole = WholeSide::open(&folder.join("whole.db"), options.clone())?;
    let mut whole_recorded = WholeSide::open(&folder.join("whole-recorded.db"), options.recording())?;
    let mut rounds: [Vec<f64>; 7] = Default::default();
    for _ in 0..ROUNDS {
        let times = [
            time(thread_cpu_time, || raw.round())?,
            time(thread_cpu_time, || raw_recorded.recorded_round(&event))?,
            time(thread_cpu_time, || inline.round())?,
            time(thread_cpu_time, || inline.refused_round())?,
            time(thread_cpu_time, || recorded.round())?,
            time(cpu_time, || whole.round())?,
            time(cpu_time, || whole_recorded.round())?,
        ];
        rounds.iter_mut().zip(times).for_each(|(side, time)| side.push(time));
    }
    report(name, rounds);
    Ok(())
}

/// Prints each side's cost, and the median of what each round says of it against that round's raw side.
fn report(name: &str, rounds: [Vec<f64>; 7]) {
    let [raw, raw_recorded, inline, refused, recorded, whole, whole_recorded] = &rounds;
    let microseconds = |side: &[f64]| median(side.to_vec()) * 1e6 / SAVES_PER_ROUND as f64;
    let (alone, with_event) = (microseconds(raw), microseconds(raw_recorded));
    println!("synchronous={name}: a raw upsert takes {alone:.1} us of CPU, one with a raw event {with_event:.1} us");
    let rows = [
        ("fenced save, inline", raw, inline, Some(GOAL)),
        ("refused with reason, inline", raw, refused, None),
        ("fenced save, recorded", raw, recorded, None),
        ("  against upsert and event", raw_recorded, recorded, Some(GOAL_RECORDED)),
        ("fenced save, whole call", raw, whole, None),
        ("whole call, recorded", raw, whole_recorded, None),
    ];
    for (name, raw, side, goal) in rows {
        let ratio = median(raw.iter().zip(side).map(|(raw, side)| raw / side).collect());
        let verdict = match goal {
            Some(goal) if ratio >= goal => format!("   (goal {goal}: met)"),
            Some(goal) => format!("   (goal {goal}: MISSED)"),
            None => String::new(),
        };
        println!("  {name:<28} {ratio:.2} {:>7.1} us{verdict}", microseconds(side));
    }
}

// ----------------------------------------------------------------------------------------------------- the sides

/// One connection, one upsert, nothing else.
struct RawSide {
    connection: Connection,
    generation: u64,
}

impl RawSide {
    fn open(path: &Path, durability: Durability) -> Result<RawSide, Box<dyn Error>> {
        let connection = Connection::open(path)?;
        let synchronous = if durability == Durability::Full { "FULL" } else { "NORMAL" };
        connection.execute_batch(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; PRAGMA foreign_keys = ON;
             PRAGMA recursive_triggers = ON;
             CREATE TABLE page (id TEXT NOT NULL PRIMARY KEY, generation INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
             CREATE TABLE event (position INTEGER PRIMARY KEY, process TEXT NOT NULL, sequence INTEGER NOT NULL,
                                 computer TEXT NOT NULL, event TEXT NOT NULL, UNIQUE (process, sequence)) STRICT"
        ))?;
        Ok(RawSide { connection, generation: 0 })
    }

    fn into_connection(self) -> Connection {
        self.connection
    }

    fn round(&mut self) -> Outcome {
        (0..SAVES_PER_ROUND).try_for_each(|_| self.upsert())
    }

    /// Each upsert with an event, in a transaction of both.
    fn recorded_round(&mut self, event: &str) -> Outcome {
        for _ in 0..SAVES_PER_ROUND {
            self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            self.upsert()?;
            self.connection
                .prepare_cached("INSERT INTO event (process, sequence, computer, event) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params!["gateway", self.generation.cast_signed(), "computer", event])?;
            self.connection.prepare_cached("COMMIT")?.execute([])?;
        }
        Ok(())
    }

    fn upsert(&mut self) -> Outcome {
        self.generation += 1;
        self.connection
            .prepare_cached(
                "INSERT INTO page VALUES (?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, body = excluded.body",
            )?
            .execute(params!["computer", self.generation.cast_signed(), &body(self.generation)[..]])?;
        Ok(())
    }
}

/// The last event that a store has recorded.
fn any_event(path: &Path) -> Result<String, Box<dyn Error>> {
    let connection = Connection::open(path)?;
    Ok(connection.query_row("SELECT event FROM trace ORDER BY position DESC LIMIT 1", [], |row| row.get(0))?)
}

/// The store's own step, on this thread.
struct InlineSide {
    store: InlineSqlite,
    save: Save,
    generation: u64,
}

impl InlineSide {
    fn open(path: &Path, options: &SqliteOptions) -> Result<InlineSide, Box<dyn Error>> {
        let store = InlineSqlite::open(path, options)?;
        let _ = store.create(&Create { computer: computer() })?;
        let question = Question { computer: computer(), life: LifeName::mint(), expected: Incarnation::NOBODY };
        let RegisterOutcome::Registered { incarnation: own } = store.register(&question)? else {
            return Err("overtaken without a race".into());
        };
        Ok(InlineSide { store, save: to_save(own, 1), generation: 0 })
    }

    fn round(&mut self) -> Outcome {
        for _ in 0..SAVES_PER_ROUND {
            self.generation += 1;
            (self.save.page, self.save.body) = content(self.save.page.incarnation, self.generation);
            must_be_stored(self.store.save(&self.save)?)?;
        }
        Ok(())
    }

    /// The newest page once more, as often.
    fn refused_round(&mut self) -> Outcome {
        for _ in 0..SAVES_PER_ROUND {
            (self.save.page, self.save.body) = content(self.save.page.incarnation, self.generation);
            let outcome = self.store.save(&self.save)?;
            if !matches!(outcome, SaveOutcome::Superseded { .. }) {
                return Err(format!("a repeated save was {outcome:?}").into());
            }
        }
        Ok(())
    }
}

/// The store as a gateway has it.
struct WholeSide {
    store: SqliteStore,
    own: Incarnation,
    generation: u64,
    runtime: Runtime,
}

impl WholeSide {
    fn open(path: &Path, options: SqliteOptions) -> Result<WholeSide, Box<dyn Error>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let store = SqliteStore::open(path, options)?;
        let _ = runtime.block_on(store.create(Create { computer: computer() }))?;
        let question = runtime.block_on(store.ask(Ask { computer: computer(), life: LifeName::mint() }))?;
        let RegisterOutcome::Registered { incarnation: own } = runtime.block_on(store.register(question))? else {
            return Err("overtaken without a race".into());
        };
        Ok(WholeSide { store, own, generation: 0, runtime })
    }

    fn round(&mut self) -> Outcome {
        for _ in 0..SAVES_PER_ROUND {
            self.generation += 1;
            let save = self.store.save(to_save(self.own, self.generation));
            must_be_stored(self.runtime.block_on(save)?)?;
        }
        Ok(())
    }
}

fn must_be_stored(outcome: SaveOutcome) -> Outcome {
    if outcome == SaveOutcome::Stored { Ok(()) } else { Err(format!("a fresh save was {outcome:?}").into()) }
}

fn computer() -> ComputerId {
    ComputerId::new("computer").expect("a plain name")
}

fn to_save(own: Incarnation, generation: u64) -> Save {
    let (page, body) = content(own, generation);
    let gateway = GatewayName::new("gateway").expect("a plain name");
    Save { gateway, computer: computer(), page, body, operation: None }
}

fn content(own: Incarnation, generation: u64) -> (PageName, Bytes) {
    let number = Generation::try_from(generation).expect("a small number");
    (PageName::new(own, number), body(generation))
}

/// Each page is another, and neither side finds it ready-made.
fn body(generation: u64) -> Bytes {
    Bytes::from(vec![generation as u8; BODY])
}

// -------------------------------------------------------------------------------------------------------- timing

/// CPU seconds of the work, by this clock.
fn time(clock: fn() -> Duration, work: impl FnOnce() -> Outcome) -> Result<f64, Box<dyn Error>> {
    let before = clock();
    work()?;
    Ok((clock() - before).as_secs_f64())
}
