//! The power-cut test: SQLite's own code on a disk whose power goes off in the middle, thousands of times.
//!
//! Each cut is one run: a few deeds of a seed, a cut somewhere in them, and a look at what is there when the power is
//! back. A rehearsal without a cut tells which writes and syncs there are, and the cuts are spread over all of them.
//!
//! Two controls are run in the same way and must be caught, or the test proves nothing: `synchronous=NORMAL`, where the
//! disk is not waited for, and a disk whose sync does nothing.
//!
//! `OUTLIVE_POWER_CUTS=100000 cargo test -p outlive --test power -- --nocapture` makes more cuts and prints the counts.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_types, reason = "a disk is shared by threads of SQLite, and is not part of the library")]

mod deeds;
mod disk;
mod locks;
mod random;
mod run;
mod vfs;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use disk::{Cut, Event, Moment, Sync};
use outlive::store::Durability;
use random::Random;
use run::{CHECKPOINT, CLOSE, Found, Plan, REFUSED_SAVE, SEVERAL, Setting, WRITING_DEEDS};

const CUTS: usize = 5_000;
const CUTS_OF_A_CONTROL: usize = 600;
/// So that a seed tells something that the one before it did not.
const CUTS_OF_A_SEED: usize = 40;
const THREADS: u64 = 2;

/// Where a cut was made, in the words of the table.
const KINDS: [&str; 5] =
    ["inside a write", "between write and sync", "synced, not told", "told", "at a truncation or removal"];

/// What was found in all runs of a setting.
#[derive(Default)]
struct Tally {
    cuts: BTreeMap<(&'static str, &'static str), usize>,
    runs_with_losses: usize,
    told_cuts_with_losses: usize,
    wrong: Vec<String>,
    last_seed: u64,
}

impl Tally {
    fn count(&self, is_counted: impl Fn(&str, &str) -> bool) -> usize {
        self.cuts.iter().filter(|((label, kind), _)| is_counted(label, kind)).map(|(_, count)| *count).sum()
    }

    fn all(&self) -> usize {
        self.count(|_, _| true)
    }

    fn add(&mut self, label: &'static str, kind: &'static str, seed: u64, plan: Plan, found: &Found) {
        *self.cuts.entry((label, kind)).or_default() += 1;
        self.runs_with_losses += usize::from(found.lost > 0);
        self.told_cuts_with_losses += usize::from(found.lost > 0 && kind == KINDS[3]);
        let wrong = found.wrong.iter().map(|wrong| format!("seed {seed}, {plan:?}, {label}: {wrong}"));
        self.wrong.extend(wrong);
        self.last_seed = seed;
    }

    fn merge(&mut self, other: Tally) {
        other.cuts.into_iter().for_each(|(at, count)| *self.cuts.entry(at).or_default() += count);
        self.runs_with_losses += other.runs_with_losses;
        self.told_cuts_with_losses += other.told_cuts_with_losses;
        self.wrong.extend(other.wrong);
        self.last_seed = self.last_seed.max(other.last_seed);
    }

    fn table(&self, name: &str) -> String {
        let mut table = format!("{name}: {} cuts, seeds 0 to {}\n{:<18}", self.all(), self.last_seed, "");
        KINDS.iter().for_each(|kind| write!(table, "{kind:>28}").unwrap());
        let mut labels: Vec<_> = self.cuts.keys().map(|(label, _)| *label).collect();
        labels.dedup();
        for label in labels {
            write!(table, "\n{label:<18}").unwrap();
            for kind in KINDS {
                write!(table, "{:>28}", self.count(|l, k| (l, k) == (label, kind))).unwrap();
            }
        }
        write!(table, "\nwith a loss: {}; wrong: {}", self.runs_with_losses, self.wrong.len()).unwrap();
        table
    }
}

/// Cuts the power this often, on as many disks.
fn cut_often(setting: Setting, cuts: usize) -> Tally {
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let each = cuts.div_ceil(THREADS as usize);
        let threads: Vec<_> =
            (0..THREADS).map(|thread| scope.spawn(move || cut_in_a_thread(setting, each, thread))).collect();
        threads.into_iter().for_each(|thread| tally.merge(thread.join().unwrap()));
    });
    tally
}

fn cut_in_a_thread(setting: Setting, cuts: usize, thread: u64) -> Tally {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let template = run::prepare(&runtime);
    let mut tally = Tally::default();
    for seed in (thread..).step_by(THREADS as usize) {
        let rehearsal = run::run(&runtime, &template, setting, seed, Plan::Never);
        let mut plans = plans(&rehearsal);
        let mut random = Random::new(!seed);
        for _ in 0..CUTS_OF_A_SEED.min(plans.len()) {
            let (label, kind, plan) = plans.swap_remove(random.below(plans.len()));
            let found = run::run(&runtime, &template, setting, seed, plan);
            // What is submitted at once is not always the same number of writes, so the last one may not be reached.
            if found.was_cut {
                tally.add(label, kind, seed, plan, &found);
            }
            if tally.all() == cuts {
                return tally;
            }
        }
    }
    tally
}

/// All the places at which the power can go off.
fn plans(rehearsal: &Found) -> Vec<(&'static str, &'static str, Plan)> {
    let [inside, between, synced, told, other] = KINDS;
    let mut plans = Vec::new();
    for (number, (label, event)) in rehearsal.events.iter().enumerate() {
        let moments: &[_] = match event {
            Event::Write => &[(Moment::Inside, inside), (Moment::After, between)],
            Event::Sync => &[(Moment::Before, between), (Moment::After, synced)],
            Event::Truncate | Event::Remove => &[(Moment::Before, other), (Moment::After, other)],
        };
        let cut = |moment| Plan::At(Cut { event: number, moment });
        plans.extend(moments.iter().map(|(moment, kind)| (*label, *kind, cut(*moment))));
    }
    let told = rehearsal.rounds.iter().zip(1..).map(|(label, rounds)| (*label, told, Plan::Acknowledged(rounds)));
    plans.extend(told);
    plans
}

#[test]
fn what_was_acknowledged_at_full_outlives_every_cut() {
    let cuts = std::env::var("OUTLIVE_POWER_CUTS").map_or(CUTS, |cuts| cuts.parse().unwrap());
    let tally = cut_often(Setting { durability: Durability::Full, sync: Sync::Honest }, cuts);
    println!("{}", tally.table("synchronous=FULL"));
    assert_eq!(tally.wrong, [""; 0]);
    assert_eq!(tally.runs_with_losses, 0, "an acknowledged step was lost");
    assert_eq!(tally.all(), cuts.next_multiple_of(THREADS as usize));
    for label in WRITING_DEEDS.into_iter().chain([CHECKPOINT, CLOSE, SEVERAL]) {
        for kind in &KINDS[..4] {
            assert_ne!(tally.count(|l, k| (l, k) == (label, kind)), 0, "no cut {kind} of {label}");
        }
    }
    assert_ne!(tally.count(|label, kind| (label, kind) == (REFUSED_SAVE, KINDS[3])), 0);
    assert_ne!(tally.count(|_, kind| kind == KINDS[4]), 0);
}

/// The first control, and what NORMAL promises all the same: the last commits are gone, as a whole.
#[test]
fn at_normal_acknowledged_commits_are_lost_and_nothing_else() {
    let tally = cut_often(Setting { durability: Durability::Normal, sync: Sync::Honest }, CUTS_OF_A_CONTROL);
    println!("{}", tally.table("synchronous=NORMAL"));
    assert_ne!(tally.told_cuts_with_losses, 0, "a disk that was not waited for lost nothing: the cuts do not cut");
    assert_eq!(tally.wrong, [""; 0]);
}

/// The second control.
#[test]
fn a_disk_that_lies_about_its_sync_is_found_out() {
    let tally = cut_often(Setting { durability: Durability::Full, sync: Sync::Lying }, CUTS_OF_A_CONTROL);
    println!("{}", tally.table("a lying sync"));
    assert_ne!(tally.told_cuts_with_losses, 0, "a disk that keeps nothing lost nothing: the cuts do not cut");
    assert_ne!(tally.runs_with_losses + tally.wrong.len(), 0);
}
