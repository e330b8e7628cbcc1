//! Two owners do what chance says, on a store in memory and on one in a file. Step by step both answer the same, and
//! what they answer is possible.

use std::collections::BTreeSet;

use outlive::provider::{Condition, Observation, Seen};
use outlive::store::operation::*;
use outlive::store::{Create, Store};
use outlive::testing::FakeLiveness;
use outlive::{ComputerId, InstanceId, Launch, Mark, MemoryStore, OperationStore, OwnerName, Revision, SqliteStore};

use crate::options;

const SEEDS: u64 = 60;
const STEPS: usize = 80;

#[tokio::test]
async fn both_stores_answer_the_same_whatever_two_owners_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = SqliteStore::open(folder.path().join("store.db"), options()).unwrap();
    let memory = MemoryStore::new();
    let mut kinds = BTreeSet::new();
    for seed in 0..SEEDS {
        let computer = ComputerId::new(format!("computer-{seed}")).unwrap();
        let _ = file.create(Create { computer: computer.clone() }).await.unwrap();
        let _ = memory.create(Create { computer: computer.clone() }).await.unwrap();
        let mut world = World::new(computer.clone(), seed);
        let mut before = memory.standing(computer.clone()).await.unwrap();
        for step in 0..STEPS {
            let request = world.choose(&before).await;
            let answers = (request.clone().ask(&memory).await, request.clone().ask(&file).await);
            assert_eq!(answers.0, answers.1, "seed {seed}, step {step}: {request:?} on {before:?}");
            let after = memory.standing(computer.clone()).await.unwrap();
            assert_eq!(file.standing(computer.clone()).await.unwrap(), after, "seed {seed}, step {step}: {request:?}");
            is_possible(&before, &after, &format!("seed {seed}, step {step}: {request:?} gave {answers:?}"));
            kinds.insert(kind_of(&answers.0));
            before = after;
        }
    }
    let all: BTreeSet<String> = KINDS.iter().map(|kind| (*kind).to_owned()).collect();
    assert_eq!(kinds, all, "not everything happens in such schedules");
}

/// What is true of every step, whatever was asked.
fn is_possible(before: &Standing, after: &Standing, what: &str) {
    if before == after {
        return;
    }
    assert_eq!(after.revision.number(), before.revision.number() + 1, "{what}");
    assert!(!before.mark.is_beyond(after.mark), "the mark goes back: {what}");
    assert_ne!(before.phase, Phase::Gone, "{what}");
    let is_new = after.phase == Phase::Starting && before.phase != Phase::Starting;
    assert_eq!(after.launch.number(), before.launch.number() + u64::from(is_new), "{what}");
    assert_eq!(after.owner.is_some(), after.phase.under_way().is_some(), "{what}");
}

const KINDS: [&str; 18] = [
    "begin Begun",
    "begin Refused",
    "conclude AnotherLaunch",
    "conclude Moved",
    "conclude Nothing",
    "conclude UnderWay",
    "conclude Written",
    "deliver Absent",
    "deliver AnotherLaunch",
    "deliver NotAhead",
    "deliver Nothing",
    "deliver UnderWay",
    "deliver Written",
    "recover Moved",
    "recover NotLeft",
    "recover Recovered",
    "settle Lost",
    "settle Settled",
];

/// The verb and the variant.
fn kind_of(answer: &Answer) -> String {
    let (verb, outcome) = match answer {
        Answer::Begin(outcome) => ("begin", format!("{outcome:?}")),
        Answer::Recover(outcome) => ("recover", format!("{outcome:?}")),
        Answer::Settle(outcome) => ("settle", format!("{outcome:?}")),
        Answer::Conclude(outcome) => ("conclude", format!("{outcome:?}")),
        Answer::Deliver(outcome) => ("deliver", format!("{outcome:?}")),
    };
    let variant = outcome.split([' ', '{']).next().unwrap();
    format!("{verb} {variant}")
}

// ------------------------------------------------------------------------------------------------------ what is asked

#[derive(Clone, Debug)]
enum Request {
    Start(BeginStart),
    Stop(BeginStop),
    Delete(BeginDelete),
    Recover(Recover),
    Settle(Settle),
    Conclude(Conclude),
    Deliver(Deliver),
}

#[derive(PartialEq, Debug)]
enum Answer {
    Begin(BeginOutcome),
    Recover(RecoverOutcome),
    Settle(SettleOutcome),
    Conclude(ConcludeOutcome),
    Deliver(DeliverOutcome),
}

impl Request {
    async fn ask(self, store: &impl OperationStore) -> Answer {
        match self {
            Request::Start(request) => Answer::Begin(store.begin_start(request).await.unwrap()),
            Request::Stop(request) => Answer::Begin(store.begin_stop(request).await.unwrap()),
            Request::Delete(request) => Answer::Begin(store.begin_delete(request).await.unwrap()),
            Request::Recover(request) => Answer::Recover(store.recover(request).await.unwrap()),
            Request::Settle(request) => Answer::Settle(store.settle(request).await.unwrap()),
            Request::Conclude(request) => Answer::Conclude(store.conclude(request).await.unwrap()),
            Request::Deliver(request) => Answer::Deliver(store.deliver(request).await.unwrap()),
        }
    }
}

/// Two owners, the dead among their former lives, and what they remember of the row.
struct World {
    computer: ComputerId,
    random: Random,
    lives: [u64; 2],
    liveness: FakeLiveness,
    read: Standing,
}

impl World {
    fn new(computer: ComputerId, seed: u64) -> World {
        let (revision, launch) = (Revision::UNWRITTEN, Launch::NONE);
        let read = Standing { revision, phase: Phase::Stopped, launch, owner: None, mark: Mark::START };
        World { computer, random: Random(seed), lives: [0; 2], liveness: FakeLiveness::new(), read }
    }

    fn owner(&self, number: usize) -> OwnerName {
        OwnerName::new(format!("owner-{number}, life {}", self.lives[number])).unwrap()
    }

    /// Something that somebody could ask on this row, often of what it was when it was read last.
    async fn choose(&mut self, row: &Standing) -> Request {
        if self.random.below(3) == 0 {
            self.read = row.clone();
        }
        let number = self.random.below(2);
        if self.random.below(12) == 0 {
            self.liveness.die(self.owner(number));
            self.lives[number] += 1;
        }
        let (owner, computer, read) = (self.owner(number), self.computer.clone(), self.read.clone());
        match self.random.below(40) {
            0..8 => Request::Start(BeginStart { owner, computer }),
            8..10 => Request::Stop(BeginStop { owner, computer }),
            10 => Request::Delete(BeginDelete { owner, computer }),
            11..18 => {
                // Who is dead is asked now, and what it has begun may have been read before.
                let (kind, of) = (read.phase.under_way().unwrap_or(Kind::Stop), row.owner.clone());
                let dead = match of {
                    Some(owner) => self.liveness.prove_death(owner).await.unwrap(),
                    None => None,
                };
                Request::Recover(Recover { owner, computer, dead, kind, launch: read.launch })
            }
            18..28 => {
                let ending = [Ending::Admitted, Ending::Failed, Ending::Stopped, Ending::Removed];
                let likely = row.phase.under_way();
                let ending = ending.into_iter().filter(|ending| Some(ending.kind()) == likely);
                let ending: Vec<_> = ending.chain([Ending::Failed]).collect();
                let ending = ending[self.random.below(ending.len())];
                let (launch, mark) = (read.launch, self.mark(row));
                Request::Settle(Settle { owner, computer, launch, ending, mark })
            }
            28..34 => Request::Conclude(Conclude { owner, expected: read.revision, seen: self.observation(row) }),
            _ => Request::Deliver(Deliver { owner, report: self.observation(row) }),
        }
    }

    fn mark(&mut self, row: &Standing) -> Mark {
        // One behind the row's, the row's own, or up to two ahead.
        Mark::try_from((row.mark.number() + self.random.below(4) as u64).saturating_sub(1)).unwrap()
    }

    fn observation(&mut self, row: &Standing) -> Observation {
        // The row's, or the one before.
        let older = u64::from(self.random.below(4) == 0);
        let launch = Launch::try_from(row.launch.number().saturating_sub(older)).unwrap();
        let conditions = [None, Some(Condition::Booting), Some(Condition::Up), Some(Condition::Exited)];
        // That something is gone ends in a deletion, so it is rarer.
        let condition = conditions[if self.random.below(20) == 0 { 0 } else { 1 + self.random.below(3) }];
        let instance = || InstanceId::new("instance").unwrap();
        let seen = condition.map(|condition| Seen { instance: instance(), condition });
        Observation { computer: self.computer.clone(), launch, seen, mark: self.mark(row) }
    }
}

/// A few bits of chance that are the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}
