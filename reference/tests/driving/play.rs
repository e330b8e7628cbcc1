//! Two control planes and their passes on one store and one provider, with faults, deaths and what happens outside, as
//! chance says.

use std::collections::BTreeMap;
use std::time::Duration;

use outlive::provider::{Condition, Get, Observation, Provider};
use outlive::store::operation::Phase;
use outlive::testing::{Fault, Point, Verb};
use outlive::{OperationStore, Reconciler};
use tokio::task::JoinHandle;

use crate::world::{Plane, World, given_up_after, launch, owner};

const STEPS: usize = 60;

struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }
}

pub(crate) struct Play {
    pub(crate) world: World,
    chance: Chance,
    planes: Vec<Plane>,
    /// Of each plane.
    tasks: Vec<Vec<JoinHandle<()>>>,
    deaths: usize,
    /// How often each kind of thing has happened.
    pub(crate) kinds: BTreeMap<&'static str, usize>,
}

impl Play {
    /// All that this seed has happen in this world, until nothing happens any more but passes.
    pub(crate) async fn of(seed: u64, world: World) -> Play {
        let planes = vec![world.plane.clone(), world.another("second")];
        let chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let tasks = vec![Vec::new(), Vec::new()];
        let mut play = Play { world, chance, planes, tasks, deaths: 0, kinds: BTreeMap::new() };
        for _ in 0..STEPS {
            play.step().await;
            tokio::time::sleep(Duration::from_millis(play.chance.below(3_000) as u64)).await;
        }
        play.end(seed).await;
        play
    }

    async fn step(&mut self) {
        let at = self.chance.below(2);
        let plane = self.planes[at].clone();
        let id = self.world.id.clone();
        let provider = &self.world.provider;
        let what = match self.chance.below(30) {
            0..=5 => self.spawn(at, "start", async move { drop(plane.start(&id).await) }),
            6..=7 => self.spawn(at, "stop", async move { drop(plane.stop(&id).await) }),
            8..=9 => self.spawn(at, "restart", async move { drop(plane.restart(&id).await) }),
            10 if self.chance.below(12) == 0 => self.spawn(at, "delete", async move { drop(plane.delete(&id).await) }),
            11..=12 => {
                let passes = Reconciler::new(plane);
                self.spawn(at, "pass", async move {
                    let _ = passes.pass().await;
                })
            }
            13 => self.die(at),
            14 => {
                let waits = self.chance.below(4);
                let _ = given_up_after(waits, plane.start(&id)).await;
                "given up"
            }
            15..=17 => {
                let verb = [Verb::Start, Verb::End, Verb::Get][self.chance.below(3)];
                let faults = [
                    Fault::Lose,
                    Fault::LoseAnswer,
                    Fault::Nonsense,
                    Fault::Park(Point::BeforeEffect),
                    Fault::Park(Point::BeforeAnswer),
                ];
                provider.plan(verb, faults[self.chance.below(5)].clone());
                "fault"
            }
            18 => {
                self.release().await;
                "released"
            }
            19 if provider.exit(&id) => "exit",
            20..=21 if provider.revive(&id) => "revive",
            22 if self.chance.below(8) == 0 && provider.vanish(&id) => "vanish",
            23..=24 => {
                let waits = self.chance.below(6);
                match self.chance.below(3) {
                    0 => drop(given_up_after(waits, plane.stop(&id)).await),
                    1 => drop(given_up_after(waits, Reconciler::new(plane).pass()).await),
                    _ => drop(given_up_after(waits, plane.restart(&id)).await),
                }
                "another given up"
            }
            25..=26 => {
                // What is told is late as often as not.
                let age = self.chance.below(4);
                provider.plan(Verb::List, Fault::Past(age));
                let locks = outlive::locks::Locks::new(());
                let told = provider.list(locks.sweep().io()).await.unwrap();
                let passes = Reconciler::new(plane);
                self.spawn(at, "report", async move {
                    for report in told {
                        drop(passes.deliver(report).await);
                    }
                })
            }
            _ => {
                let _ = provider.admit(&id);
                return;
            }
        };
        *self.kinds.entry(what).or_default() += 1;
    }

    fn spawn(
        &mut self,
        at: usize,
        what: &'static str,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> &'static str {
        self.tasks[at].push(tokio::spawn(work));
        what
    }

    /// Everything that it does is dropped where it is, and it comes back under another name.
    fn die(&mut self, at: usize) -> &'static str {
        self.tasks[at].drain(..).for_each(|task| task.abort());
        self.deaths += 1;
        let next = self.world.another(&format!("life {}", self.deaths));
        let dead = std::mem::replace(&mut self.planes[at], next);
        self.world.liveness.die(owner(dead.owner().as_str()));
        "death"
    }

    /// One call of each verb that was parked arrives.
    async fn release(&self) {
        for verb in [Verb::Start, Verb::End, Verb::Get] {
            if tokio::time::timeout(Duration::ZERO, self.world.provider.until_parked(verb)).await.is_ok() {
                self.world.provider.release(verb);
            }
        }
    }

    /// What is there, once no fault is planned any more for who asks.
    async fn seen_at_last(&self) -> Observation {
        let locks = outlive::locks::Locks::new(());
        let sweep = locks.sweep();
        loop {
            let call = Get { computer: self.world.id.clone(), launch: launch(1) };
            let answer = self.world.provider.get(sweep.io(), call);
            if let Ok(Ok(seen)) = tokio::time::timeout(Duration::ZERO, answer).await {
                return seen;
            }
        }
    }

    /// Nothing happens any more but passes, and what was parked arrives.
    async fn end(&mut self, seed: u64) {
        let _admits = self.world.admits();
        for _ in 0..STEPS {
            for plane in &self.planes {
                let _ = Reconciler::new(plane.clone()).pass().await;
            }
            self.release().await;
        }
        for task in self.tasks.iter_mut().flat_map(|tasks| tasks.drain(..)) {
            task.await.ok();
        }
        // What they have begun may meet what is still planned, and what was started again by itself boots.
        for _ in 0..STEPS {
            let _ = self.world.provider.admit(&self.world.id);
            for plane in &self.planes {
                let _ = Reconciler::new(plane.clone()).pass().await;
            }
            self.release().await;
        }
        let (row, seen) = (self.world.row().await, self.seen_at_last().await);
        let condition = seen.seen.as_ref().map(|seen| seen.condition);
        let runs = matches!(condition, Some(Condition::Up | Condition::Booting));
        let is_of_the_row = seen.launch == row.launch;
        let agrees = match row.phase {
            Phase::Ready => condition == Some(Condition::Up) && is_of_the_row,
            // One that boots, and that nobody drives, is an error until it is admitted.
            Phase::Error => condition != Some(Condition::Up) || !is_of_the_row,
            Phase::Stopped => !runs,
            Phase::Gone => condition.is_none(),
            Phase::Starting | Phase::Stopping | Phase::Deleting => false,
        };
        assert!(agrees, "seed {seed}: {row:?} of {seen:?}");
        let under_way = self.world.store.operations_under_way(None, 1).await.unwrap();
        assert_eq!(under_way, [], "seed {seed}");
    }
}
