//! Owners that do what chance says, each with what it has in mind, beside a provider and its weather.

use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use outlive::locks::Locks;
use outlive::provider::{Condition, Get, Observation, Start, StartOutcome};
use outlive::store::Create;
use outlive::store::operation::*;
use outlive::testing::{FakeLiveness, FakeProvider, Fault, Point, Verb};
use outlive::trace::OwnerRecorder;
use outlive::{
    ComputerId, Launch, Mark, OperationStore, OwnerName, Provider, ProviderError, ProviderName, Revision, Store,
};
use outlive_model_check::random::Random;

/// An answer that somebody still waits for.
type Answer = Pin<Box<dyn Future<Output = Result<Observation, ProviderError>>>>;

/// How many reports are at hand to be delivered once more.
const REMEMBERED: usize = 8;

/// An operation that its owner drives.
#[derive(Clone, Copy)]
struct Driven {
    kind: Kind,
    launch: Launch,
    is_sent: bool,
    /// How it has ended, as of which mark.
    heard: Option<(Ending, Mark)>,
}

/// A sweep of one computer.
enum Look {
    Read(Revision, Launch),
    /// The provider is asked, and does not answer yet.
    Asked(Revision, Answer),
    Seen(Revision, Observation),
}

/// One life of a control plane, as far as one computer is concerned.
struct Owner {
    name: OwnerName,
    recorder: OwnerRecorder,
    driven: Option<Driven>,
    look: Option<Look>,
    /// What it has read of the row, maybe long ago.
    read: Option<Standing>,
}

/// The calls of a verb.
#[derive(Default)]
struct Sent {
    /// How many are parked.
    under_way: usize,
}

/// One computer, and everybody who works on it.
pub(crate) struct World<S> {
    store: Arc<S>,
    provider: Arc<FakeProvider>,
    locks: Locks<()>,
    liveness: FakeLiveness,
    computer: ComputerId,
    owners: Vec<Owner>,
    lives: usize,
    /// Which owner waits for each read that is parked, in the order in which they are released.
    parked: VecDeque<usize>,
    sent: BTreeMap<Verb, Sent>,
    reports: VecDeque<Observation>,
    random: Random,
}

impl<S: Store + OperationStore> World<S> {
    pub(crate) async fn new(store: Arc<S>, computer: &str, seed: u64) -> World<S> {
        let computer = ComputerId::new(computer).unwrap();
        let _ = store.create(Create { computer: computer.clone() }).await.unwrap();
        let provider = store.recorder().provider(&ProviderName::new("provider").unwrap());
        let mut world = World {
            provider: Arc::new(FakeProvider::recording(provider)),
            locks: Locks::new(()),
            liveness: FakeLiveness::new(),
            computer,
            owners: Vec::new(),
            lives: 0,
            parked: VecDeque::new(),
            sent: BTreeMap::new(),
            reports: VecDeque::new(),
            random: Random::new(seed),
            store,
        };
        for _ in 0..2 {
            let owner = world.born();
            world.owners.push(owner);
        }
        world
    }

    fn born(&mut self) -> Owner {
        self.lives += 1;
        let name = OwnerName::new(format!("{}, owner {}", self.computer, self.lives)).unwrap();
        let recorder = self.store.recorder().owner(&name);
        Owner { name, recorder, driven: None, look: None, read: None }
    }

    /// One step of somebody.
    pub(crate) async fn step(&mut self) {
        // Whoever waits long makes everything possible that happens meanwhile.
        if self.random.below(4) == 0 {
            self.let_go();
        }
        let at = self.random.below(self.owners.len());
        match self.random.below(100) {
            0..10 => self.begin(at).await,
            10..45 => self.drive(at).await,
            45..65 => self.sweep(at).await,
            65..72 => self.take_over(at).await,
            72..82 => self.hear_reports(at).await,
            82..93 => self.weather(),
            93 => self.die(at).await,
            _ => self.let_go(),
        }
    }

    async fn begin(&mut self, at: usize) {
        let (owner, computer) = (self.owners[at].name.clone(), self.computer.clone());
        let (kind, outcome) = match self.random.below(40) {
            0 => (Kind::Delete, self.store.begin_delete(BeginDelete { owner, computer }).await.unwrap()),
            1..16 => (Kind::Stop, self.store.begin_stop(BeginStop { owner, computer }).await.unwrap()),
            _ => (Kind::Start, self.store.begin_start(BeginStart { owner, computer }).await.unwrap()),
        };
        if let BeginOutcome::Begun { launch, .. } = outcome {
            self.owners[at].driven = Some(Driven { kind, launch, is_sent: false, heard: None });
        }
    }

    // -- what is under way

    /// The next step of the operation that it drives.
    async fn drive(&mut self, at: usize) {
        let Some(driven) = self.owners[at].driven else { return };
        let gives_up = driven.kind == Kind::Start && self.random.below(6) == 0;
        match driven {
            Driven { heard: Some((ending, mark)), launch, .. } => {
                let (owner, computer) = (self.owners[at].name.clone(), self.computer.clone());
                let _ = self.store.settle(Settle { owner, computer, launch, ending, mark }).await.unwrap();
                self.owners[at].driven = None;
            }
            Driven { launch, .. } if gives_up => {
                self.owners[at].recorder.fail(&self.computer, launch).await.unwrap();
                self.owners[at].driven = Some(Driven { heard: Some((Ending::Failed, Mark::START)), ..driven });
            }
            Driven { is_sent: false, .. } => self.send(at, driven).await,
            // Whoever has heard nothing for too long asks again.
            Driven { kind, .. } if kind != Kind::Start || self.random.below(6) == 0 => self.send(at, driven).await,
            Driven { kind: Kind::Start, launch, .. } => self.hear_of_a_start(at, launch).await,
            Driven { .. } => {}
        }
    }

    async fn send(&mut self, at: usize, driven: Driven) {
        let Driven { kind, launch, .. } = driven;
        self.owners[at].recorder.send(&self.computer, kind, launch).await.unwrap();
        self.owners[at].driven = Some(Driven { is_sent: true, ..driven });
        let verb = if kind == Kind::Start { Verb::Start } else { Verb::End };
        let fault = match self.random.below(8) {
            0 => Some(Fault::Lose),
            1 => Some(Fault::LoseAnswer),
            2 | 3 => Some(Fault::Park(Point::BeforeEffect)),
            _ => None,
        };
        let is_parked = matches!(fault, Some(Fault::Park(_)));
        self.sent.entry(verb).or_default().under_way += usize::from(is_parked);
        fault.into_iter().for_each(|fault| self.provider.plan(verb, fault));
        let (sweep, computer) = (self.locks.sweep(), self.computer.clone());
        let io = sweep.io();
        // Nobody waits for the answer of a call that is parked: it is for whoever asks again.
        let proof = match kind {
            Kind::Start => {
                let call = self.provider.start(io, Start { computer, launch });
                if !is_parked && matches!(call.await, Ok(StartOutcome::Fenced { .. })) {
                    self.hear_of_a_start(at, launch).await;
                }
                return;
            }
            Kind::Stop => {
                let call = self.provider.stop(io, computer, launch);
                if is_parked { return } else { call.await }
            }
            Kind::Delete => {
                let call = self.provider.remove(io, computer, launch);
                if is_parked { return } else { call.await }
            }
        };
        let Ok(proof) = proof else { return };
        let ending = if kind == Kind::Stop { Ending::Stopped } else { Ending::Removed };
        self.hear(at, launch, ending, proof.mark()).await;
    }

    async fn hear_of_a_start(&mut self, at: usize, launch: Launch) {
        let call = Get { computer: self.computer.clone(), launch };
        let Observation { launch: there, seen, mark, .. } =
            self.provider.get(self.locks.sweep().io(), call).await.unwrap();
        let is_it = there == launch;
        let ending = match seen.map(|seen| seen.condition) {
            Some(Condition::Up) if is_it => Ending::Admitted,
            Some(Condition::Exited) if is_it => Ending::Failed,
            Some(_) if there.is_newer_than(launch) => Ending::Failed,
            Some(_) | None => return,
        };
        self.hear(at, launch, ending, mark).await;
    }

    async fn hear(&mut self, at: usize, launch: Launch, ending: Ending, mark: Mark) {
        self.owners[at].recorder.hear(&self.computer, launch, ending, mark).await.unwrap();
        if let Some(driven) = &mut self.owners[at].driven {
            driven.heard = Some((ending, mark));
        }
    }

    async fn take_over(&mut self, at: usize) {
        // Often of what it read long ago.
        let current = self.store.standing(self.computer.clone()).await.unwrap();
        let read = match self.owners[at].read.take().filter(|_| self.random.below(3) == 0) {
            Some(old) => old,
            None => current.clone(),
        };
        self.owners[at].read = Some(current.clone());
        let Some(kind) = read.phase.under_way() else { return };
        let dead = match &current.owner {
            Some(owner) => self.liveness.prove_death(owner.clone()).await.unwrap(),
            None => None,
        };
        let (owner, computer, launch) = (self.owners[at].name.clone(), self.computer.clone(), read.launch);
        let request = Recover { owner, computer, dead, kind, launch };
        if let RecoverOutcome::Recovered { .. } = self.store.recover(request).await.unwrap() {
            self.owners[at].driven = Some(Driven { kind, launch, is_sent: false, heard: None });
        }
    }

    // -- what is seen

    async fn sweep(&mut self, at: usize) {
        let (name, computer) = (self.owners[at].name.clone(), self.computer.clone());
        self.owners[at].look = match self.owners[at].look.take() {
            None => {
                let row = self.store.read(Read { owner: name, computer }).await.unwrap();
                Some(Look::Read(row.revision, row.launch))
            }
            Some(Look::Read(revision, launch)) => {
                self.owners[at].recorder.begin_get(&self.computer).await.unwrap();
                // One at a time: each answer that is awaited doubles what may be so, again and again.
                let point = match self.random.below(3) {
                    _ if !self.parked.is_empty() => None,
                    0 => Some(Point::BeforeEffect),
                    1 => Some(Point::BeforeAnswer),
                    _ => None,
                };
                point.into_iter().for_each(|point| self.provider.plan(Verb::Get, Fault::Park(point)));
                let mut answer = asked(self.provider.clone(), Get { computer, launch });
                // It is asked by the first poll. What that says is nothing to go by: a runtime may want its turn.
                let first = poll_fn(|context| Poll::Ready(answer.as_mut().poll(context))).await;
                if point.is_some() {
                    self.parked.push_back(at);
                    Some(Look::Asked(revision, answer))
                } else {
                    let seen = if let Poll::Ready(seen) = first { seen } else { answer.await }.unwrap();
                    self.owners[at].recorder.end_get(&seen).await.unwrap();
                    Some(Look::Seen(revision, seen))
                }
            }
            Some(Look::Asked(revision, answer)) if !self.parked.contains(&at) => {
                let seen = answer.await.unwrap();
                self.owners[at].recorder.end_get(&seen).await.unwrap();
                Some(Look::Seen(revision, seen))
            }
            Some(waiting @ Look::Asked(..)) => {
                // It waits; the provider goes on.
                self.let_go();
                Some(waiting)
            }
            Some(Look::Seen(expected, seen)) => {
                let pruned = Conclude { owner: name, expected, seen: seen.clone() };
                let outcome = self.store.conclude(pruned).await.unwrap();
                if let ConcludeOutcome::Written { conclusion: Conclusion::Prune, .. } = outcome {
                    let (kind, launch) = (Kind::Delete, seen.launch);
                    self.owners[at].driven = Some(Driven { kind, launch, is_sent: false, heard: None });
                }
                None
            }
        };
    }

    async fn hear_reports(&mut self, at: usize) {
        if self.random.below(3) > 0 {
            let fault = match self.random.below(4) {
                0 => Some(Fault::Past(1 + self.random.below(2))),
                1 => Some(Fault::LeaveOut(self.computer.clone())),
                _ => None,
            };
            fault.into_iter().for_each(|fault| self.provider.plan(Verb::List, fault));
            let told = self.provider.list(self.locks.sweep().io()).await.unwrap();
            self.reports.extend(told);
            while self.reports.len() > REMEMBERED {
                self.reports.pop_front();
            }
        }
        if self.reports.is_empty() {
            return;
        }
        // Late ones too, and again.
        let report = self.reports[self.random.below(self.reports.len())].clone();
        let _ = self.store.deliver(Deliver { owner: self.owners[at].name.clone(), report }).await.unwrap();
    }

    // -- what happens by itself

    fn weather(&mut self) {
        let computer = self.computer.clone();
        match self.random.below(30) {
            0..16 => drop(self.provider.admit(&computer)),
            16..20 => drop(self.provider.exit(&computer)),
            20..24 => drop(self.provider.revive(&computer)),
            24 => drop(self.provider.vanish(&computer)),
            25 | 26 => self.arrive(Verb::Start),
            27 => self.arrive(Verb::End),
            28 => self.arrive_again(Verb::Start),
            _ => self.arrive_again(Verb::End),
        }
    }

    /// A call that was under way arrives, if there is one.
    fn arrive(&mut self, verb: Verb) {
        if let Some(sent) = self.sent.get_mut(&verb).filter(|sent| sent.under_way > 0) {
            sent.under_way -= 1;
            self.provider.release(verb);
        }
    }

    /// The last call comes once more, if there was one.
    fn arrive_again(&mut self, verb: Verb) {
        if self.sent.contains_key(&verb) {
            self.provider.repeat(verb);
        }
    }

    /// The read that waits for the longest time is answered.
    fn let_go(&mut self) {
        if self.parked.pop_front().is_some() {
            self.provider.release(Verb::Get);
        }
    }

    /// It dies with everything that it had in mind, and another comes in its place.
    async fn die(&mut self, at: usize) {
        // Whoever waits for an answer cannot be told from others that wait, so the answers come first.
        while self.parked.contains(&at) {
            self.let_go();
        }
        let name = self.owners[at].name.clone();
        self.liveness.die(name.clone());
        // Now and then nobody tells of it before somebody takes something over.
        if self.random.below(2) == 0 {
            let death = self.liveness.prove_death(name).await.unwrap().unwrap();
            self.store.recorder().owner_died(&death).await.unwrap();
        }
        self.owners[at] = self.born();
    }
}

fn asked(provider: Arc<FakeProvider>, call: Get) -> Answer {
    Box::pin(async move {
        let locks = Locks::new(());
        let sweep = locks.sweep();
        provider.get(sweep.io(), call).await
    })
}
