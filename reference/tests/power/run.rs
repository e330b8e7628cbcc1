//! One run: a store on a disk, the deeds of a seed, and a cut somewhere in them. Then the power is back, and the store
//! must be what was acknowledged.

use std::ops::Range;
use std::time::Duration;

use outlive::store::{Durability, LoadOutcome, SqliteOptions, SqliteStore};
use outlive::{ComputerId, StoreError};
use rusqlite::Connection;
use tokio::runtime::Runtime;

use super::deeds::{self, Deed, Pending};
use super::disk::{Cut, Disk, Event, Sync};
use super::random::Random;
use super::vfs::Mounted;

const COMPUTERS: usize = 3;
const ROUNDS: usize = 12;

/// What is done, in the words of a table.
pub(crate) const REFUSED_SAVE: &str = "refused save";
pub(crate) const WRITING_DEEDS: [&str; 5] = ["register", "save", "claim", "finish", "rollback"];
const OPEN: &str = "open";
pub(crate) const CHECKPOINT: &str = "checkpoint";
pub(crate) const CLOSE: &str = "close";
pub(crate) const SEVERAL: &str = "several at once";

/// What is run, but for the cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) durability: Durability,
    pub(crate) sync: Sync,
}

/// Where the power goes off.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan {
    /// Nowhere: a rehearsal, which tells the events that there are.
    Never,
    /// In an event of the disk.
    At(Cut),
    /// When this many rounds were acknowledged.
    Acknowledged(usize),
}

/// What is known about one computer.
struct Known {
    computer: ComputerId,
    /// Every row that was acknowledged, the last one at the end.
    acknowledged: Vec<LoadOutcome>,
    /// What the row is if the deed that was under way has happened.
    under_way: Option<LoadOutcome>,
}

/// What was found after the cut.
#[derive(Default, Debug)]
pub(crate) struct Found {
    /// What the disk was asked for, in order.
    pub(crate) events: Vec<(&'static str, Event)>,
    /// What each round was.
    pub(crate) rounds: Vec<&'static str>,
    pub(crate) was_cut: bool,
    /// Rows that are as they were before something that was acknowledged.
    pub(crate) lost: usize,
    /// Rows and files that no order of commits explains.
    pub(crate) wrong: Vec<String>,
}

/// A disk with a store whose computers have just been created.
pub(crate) fn prepare(runtime: &Runtime) -> Disk {
    let mounted = Mounted::new(Disk::new(Sync::Honest));
    let store = open(&mounted, Durability::Full).expect("a new disk");
    for number in 0..COMPUTERS {
        runtime.block_on(deeds::create(&store, &computer(number))).expect("a new computer");
    }
    drop(store);
    mounted.disk.copy(Sync::Honest, None, 0)
}

/// Runs the deeds of this seed up to the cut, starts the disk again, and looks.
pub(crate) fn run(runtime: &Runtime, template: &Disk, setting: Setting, seed: u64, plan: Plan) -> Found {
    let cut = if let Plan::At(cut) = plan { Some(cut) } else { None };
    let mounted = Mounted::new(template.copy(setting.sync, cut, seed));
    let mut run =
        Run { mounted: &mounted, setting, known: known(), random: Random::new(seed), found: Found::default() };
    run.until_the_cut(runtime, plan);
    let mut found = run.found;
    found.events = mounted.disk.events();
    found.was_cut = !mounted.disk.is_on();
    if found.was_cut {
        mounted.disk.start_again();
        let looked = look(runtime, &mounted, setting, &run.known, &mut found);
        found.wrong.extend(looked.err().map(|error| format!("{error}: {error:?}")));
    }
    found
}

struct Run<'a> {
    mounted: &'a Mounted,
    setting: Setting,
    known: Vec<Known>,
    random: Random,
    found: Found,
}

impl Run<'_> {
    fn until_the_cut(&mut self, runtime: &Runtime, plan: Plan) {
        let mut store = None;
        for round in 0..=ROUNDS {
            if matches!(plan, Plan::Acknowledged(rounds) if rounds == round) {
                self.mounted.disk.cut();
            }
            if store.is_none() {
                self.mounted.disk.set_label(OPEN);
                store = open(self.mounted, self.setting.durability).ok();
            }
            let Some(open) = &store else { return };
            match self.random.below(8) {
                _ if !self.mounted.disk.is_on() || round == ROUNDS => break,
                0 => self.checkpoint(),
                1 => {
                    // The last connection moves the log into the database and removes it.
                    self.begin(CLOSE);
                    store = None;
                }
                2 | 3 => self.take(runtime, open, 0..COMPUTERS),
                _ => {
                    let chosen = self.random.below(COMPUTERS);
                    self.take(runtime, open, chosen..chosen + 1);
                }
            }
        }
        // The store is closed here, which in a rehearsal has its own writes.
        self.mounted.disk.set_label(CLOSE);
    }

    fn begin(&mut self, label: &'static str) {
        self.mounted.disk.set_label(label);
        self.found.rounds.push(label);
    }

    /// Moves the log into the database, as SQLite does by itself once the log is long enough. It fails only if the
    /// power goes off, which is looked at after each round.
    fn checkpoint(&mut self) {
        self.begin(CHECKPOINT);
        let moved = Connection::open(self.mounted.path()).and_then(|connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
        });
        assert!(
            moved.is_ok_and(|is_busy| is_busy == 0) || !self.mounted.disk.is_on(),
            "nothing else stops a checkpoint"
        );
    }

    /// One deed for each of these computers, all under way before the first outcome is waited for.
    fn take(&mut self, runtime: &Runtime, store: &SqliteStore, computers: Range<usize>) {
        let known = &mut self.known[computers];
        let deeds: Vec<Deed> = known.iter().map(|known| Deed::choose(known.row(), &mut self.random)).collect();
        let label = if let [deed] = &deeds[..] { label(deed) } else { SEVERAL };
        self.mounted.disk.set_label(label);
        self.found.rounds.push(label);
        let submitted: Vec<_> = known.iter_mut().zip(&deeds).map(|(known, deed)| known.submit(store, deed)).collect();
        let outcomes: Vec<_> = submitted.into_iter().map(|pending| runtime.block_on(pending)).collect();
        for (known, outcome) in known.iter_mut().zip(outcomes) {
            match outcome {
                Ok(()) => known.acknowledged.extend(known.under_way.take()),
                Err(error) => assert!(!self.mounted.disk.is_on(), "{error} though the power is on"),
            }
        }
    }
}

fn label(deed: &Deed) -> &'static str {
    let [register, save, claim, finish, rollback] = WRITING_DEEDS;
    match deed {
        Deed::Register => register,
        Deed::Save { .. } => save,
        Deed::SaveThatIsRefused { .. } => REFUSED_SAVE,
        Deed::Claim => claim,
        Deed::Finish => finish,
        Deed::Rollback => rollback,
    }
}

impl Known {
    fn row(&self) -> &LoadOutcome {
        self.acknowledged.last().expect("the computer was created")
    }

    fn submit<'a>(&mut self, store: &'a SqliteStore, deed: &Deed) -> Pending<'a> {
        let pending = deed.submit(store, &self.computer, self.row());
        self.under_way = Some(deed.done_to(self.row()));
        pending
    }
}

/// The power is back: each row is what was acknowledged, or that and what was under way, and the store goes on.
fn look(runtime: &Runtime, mounted: &Mounted, setting: Setting, known: &[Known], found: &mut Found) -> Outcome {
    let store = open(mounted, setting.durability)?;
    let mut random = Random::new(0);
    for known in known {
        let row = runtime.block_on(deeds::load(&store, &known.computer))?;
        if row != *known.row() && Some(&row) != known.under_way.as_ref() {
            if known.acknowledged.contains(&row) {
                found.lost += 1;
            } else {
                found.wrong.push(format!("{} is {row:?}", known.computer));
            }
        }
        runtime.block_on(Deed::choose(&row, &mut random).submit(&store, &known.computer, &row))?;
    }
    let integrity: String =
        Connection::open(mounted.path())?.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    if integrity != "ok" {
        found.wrong.push(integrity);
    }
    Ok(())
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn open(mounted: &Mounted, durability: Durability) -> Result<SqliteStore, StoreError> {
    // What waits for others waits in vain here, and thousands of runs would wait a second each.
    let options = SqliteOptions::new().durability(durability).gather_for(Duration::ZERO).readers(1);
    SqliteStore::open(mounted.path(), options)
}

fn known() -> Vec<Known> {
    (0..COMPUTERS)
        .map(|number| Known { computer: computer(number), acknowledged: vec![deeds::fresh()], under_way: None })
        .collect()
}

fn computer(number: usize) -> ComputerId {
    ComputerId::new(format!("computer-{number}")).expect("a plain name")
}
