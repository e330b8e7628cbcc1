//! After a power cut, the trace that the store has kept is still a behaviour of the model, and goes on as one.
//!
//! Everything that was in memory is gone with the power: the gateways, the processes of the computers, and what the
//! disk had not synced. The store is opened again, its gateway reports its own crash, each computer starts a new
//! process, and all of them work on. An event without its decision, or a decision without its event, would show in what
//! they are told.
//!
//! The disk is that of the reference's power-cut test, and so are the controls that show that its cuts cut. Here the
//! control is a trace that has lost its last event: were that accepted, nothing would be shown.

#![cfg(feature = "demo")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_types, reason = "a disk is shared by threads of SQLite, and is not part of the library")]

#[path = "../../reference/tests/power/disk.rs"]
#[allow(dead_code, reason = "the reference's test has more controls")]
mod disk;
#[path = "../../reference/tests/power/locks.rs"]
mod locks;
#[path = "../../reference/tests/power/random.rs"]
mod random;
#[path = "../../reference/tests/power/vfs.rs"]
mod vfs;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use disk::{Cut, Disk, Moment, Sync};
use outlive::snapshot::{Begun, ResetOutcome, Resolved};
use outlive::store::{SqliteOptions, SqliteStore};
use outlive::testing::{CounterKind, SimulatedComputer};
use outlive::trace::Protocol;
use outlive::{ComputerId, Gateway, GatewayName, Store};
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::{Input, Options, check};
use random::Random;
use rusqlite::Connection;
use tokio::runtime::Runtime;
use vfs::Mounted;

const CUTS: u64 = 400;
const CUTS_OF_THE_CONTROL: u64 = 150;
const COMPUTERS: usize = 2;
const DEEDS: usize = 10;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A store and all who work on it, from one start of the disk to its next.
struct World {
    store: Arc<SqliteStore>,
    gateway: Gateway<SqliteStore>,
    computers: Vec<SimulatedComputer<SqliteStore>>,
}

impl World {
    async fn start(mounted: &Mounted) -> Outcome<World> {
        let options = SqliteOptions::new().recording().gather_for(Duration::ZERO).readers(1);
        let store = Arc::new(SqliteStore::open(mounted.path(), options)?);
        let gateway = Gateway::new(store.clone(), GatewayName::new("gateway").unwrap());
        store.recorder().gateway_crashed(gateway.name()).await?;
        let mut computers = Vec::new();
        for number in 0..COMPUTERS {
            let id = ComputerId::new(format!("computer-{number}")).unwrap();
            let _ = gateway.create(&id).await?;
            computers.push(SimulatedComputer::start(store.clone(), id, CounterKind::StartsAgain).await?);
        }
        Ok(World { store, gateway, computers })
    }

    async fn one_deed(&self, random: &mut Random) -> Outcome {
        let computer = &self.computers[random.below(COMPUTERS)];
        match random.below(8) {
            0 => Ok(computer.restart().await?),
            1 | 2 => Ok(computer.register().await.map(drop)?),
            3 => {
                let current = self.gateway.standing(computer.id()).await?.incarnation;
                Ok(self.gateway.reset(computer.id(), current, computer).await.map(drop)?)
            }
            4 => {
                let loaded = self.gateway.load(computer.id()).await?;
                let Some(page) = loaded.page else { return Ok(()) };
                Ok(self.gateway.rollback(&page, loaded.standing.incarnation).await.map(drop)?)
            }
            _ => self.save_and_act(computer).await,
        }
    }

    async fn save_and_act(&self, computer: &SimulatedComputer<SqliteStore>) -> Outcome {
        let Begun::Ticket(ticket) = self.gateway.begin(computer.id()).await? else { return Ok(()) };
        let Ok(answer) = computer.answer(ticket.call(), b"a page").await? else { return Ok(()) };
        let _ = self.gateway.save(&ticket, &answer).await?;
        let Some(page) = self.gateway.load(computer.id()).await?.page else { return Ok(()) };
        if let Resolved::Forward { act, .. } = self.gateway.resolve(computer.id(), page.name()).await? {
            let _ = computer.perform(&act).await?;
        }
        Ok(())
    }

    /// Whatever was left half done is driven on, and everybody is shown what the row holds.
    async fn work_on(&self) -> Outcome {
        for computer in &self.computers {
            let _ = self.gateway.load(computer.id()).await?;
            let _ = computer.register().await?;
            let driven = self.gateway.drive_reset(computer.id(), computer).await?;
            if matches!(driven, ResetOutcome::Done { .. }) {
                let _ = computer.register().await?;
            }
            self.save_and_act(computer).await?;
        }
        Ok(())
    }

    async fn trace(&self) -> Vec<u8> {
        let mut trace = Vec::new();
        self.store.recorder().export(Protocol::Snapshot, &mut trace).await.unwrap();
        trace
    }
}

/// The deeds of a seed, up to the cut if there is one.
fn run(runtime: &Runtime, mounted: &Mounted, seed: u64) {
    let done = runtime.block_on(async {
        let (world, mut random) = (World::start(mounted).await?, Random::new(seed));
        for _ in 0..DEEDS {
            world.one_deed(&mut random).await?;
        }
        Outcome::Ok(())
    });
    assert!(done.is_ok() || !mounted.disk.is_on(), "seed {seed}: {done:?} though the power is on");
}

/// A run whose power goes off somewhere, and the trace once all have worked on. None if it ended before the cut.
fn cut(runtime: &Runtime, seed: u64, before_they_work_on: impl Fn(&Connection)) -> Option<Vec<u8>> {
    let rehearsal = Mounted::new(Disk::new(Sync::Honest));
    run(runtime, &rehearsal, seed);
    let mut random = Random::new(!seed);
    let event = random.below(rehearsal.disk.events().len());
    let moment = [Moment::Inside, Moment::Before, Moment::After][random.below(3)];
    let mounted = Mounted::new(Disk::new(Sync::Honest).copy(Sync::Honest, Some(Cut { event, moment }), seed));
    run(runtime, &mounted, seed);
    if mounted.disk.is_on() {
        return None;
    }
    mounted.disk.start_again();
    before_they_work_on(&Connection::open(mounted.path()).unwrap());
    Some(runtime.block_on(async {
        let world = World::start(&mounted).await.unwrap();
        world.work_on().await.unwrap();
        world.trace().await
    }))
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap()
}

#[test]
fn a_trace_that_has_outlived_a_power_cut_is_a_behaviour_of_the_model() {
    let (runtime, mut judged, mut events) = (runtime(), 0, 0);
    for seed in 0..CUTS {
        let Some(trace) = cut(&runtime, seed, |_| ()) else { continue };
        (judged, events) = (judged + 1, events + trace.split(|byte| *byte == b'\n').count());
        let report = check(&[Input::text("after a power cut", trace.clone())], &Options::default());
        let text = String::from_utf8_lossy(&trace);
        assert_eq!(report.verdict, Verdict::Conforms, "seed {seed}: {:?}\n{text}", report.divergence);
    }
    println!("{judged} traces with {events} lines, seeds 0 to {}", CUTS - 1);
    assert!(judged > CUTS * 9 / 10, "only {judged} were cut");
}

#[test]
fn a_trace_that_has_lost_its_last_event_in_a_power_cut_is_refused() {
    let (runtime, mut lost, mut refused) = (runtime(), 0, 0);
    for seed in 0..CUTS_OF_THE_CONTROL {
        let is_lost = Cell::new(false);
        // What has changed no row may be missing without a word: it might not have happened. `done` is not written.
        let lose = |raw: &Connection| {
            let last_change = "DELETE FROM trace WHERE position = (SELECT max(position) FROM trace)
                               AND event ->> 'outcome' IS NULL AND event ->> 'row' IS NOT NULL";
            // There is no table yet if the power went off while the store was made.
            is_lost.set(raw.execute(last_change, []).is_ok_and(|events| events == 1));
        };
        let Some(trace) = cut(&runtime, seed, lose) else { continue };
        let report = check(&[Input::text("without its last event", trace)], &Options::default());
        lost += u64::from(is_lost.get());
        refused += u64::from(report.verdict == Verdict::Diverges);
    }
    println!("{refused} refused of {lost} that had lost an event");
    assert!(lost > CUTS_OF_THE_CONTROL / 20, "only {lost} had lost an event");
    assert_eq!(refused, lost);
}
