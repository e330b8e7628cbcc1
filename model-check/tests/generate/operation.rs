//! A driver of the reference: each step of a script of the operation protocol as a call of its store or of a provider
//! in memory.
//!
//! That provider reports what the script has it report, and nothing by itself, so that its marks are those of the
//! script: the row comes as far as what a sweep has seen, and each mark more would be a write.

mod words;

use std::collections::HashMap;
use std::sync::Arc;

use outlive::locks::Locks;
use outlive::provider::{self, Get, Observation, Start, StartOutcome};
use outlive::store::Create;
use outlive::store::operation::*;
use outlive::testing::{FakeLiveness, FakeProvider};
use outlive::trace::OwnerRecorder;
use outlive::{
    ComputerId, Launch, Mark, OperationStore, OwnerName, Provider, ProviderError, ProviderName, Revision, Store,
};
use outlive_model_check::generate::script::{Expect, Step, What};
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{self, Outcome, Verb};

use crate::play::Player;
use words::{condition, kind_of, phase};

/// What the computers of all scripts share.
pub(crate) struct World<S> {
    store: Arc<S>,
    provider: FakeProvider,
    liveness: FakeLiveness,
    locks: Locks<()>,
}

/// One life of a control plane, as far as its computer is concerned.
struct Owner {
    name: OwnerName,
    recorder: OwnerRecorder,
    /// How its operation has ended, as of which mark.
    heard: Option<(Ending, Mark)>,
    /// The revision and the launch that its sweep has read.
    read: Option<(Revision, Launch)>,
    /// What its sweep has seen.
    seen: Option<Observation>,
}

pub(crate) struct Driver<S> {
    world: Arc<World<S>>,
    computer: ComputerId,
    owners: HashMap<String, Owner>,
    /// What the provider has reported under each mark.
    reports: HashMap<u64, Observation>,
}

impl<S: Store + OperationStore> Player<S> for Driver<S> {
    const PROTOCOL: outlive::trace::Protocol = outlive::trace::Protocol::Operation;
    type World = Arc<World<S>>;

    fn world(store: &Arc<S>) -> Arc<World<S>> {
        let name = ProviderName::new("provider").expect("a plain name");
        let provider = FakeProvider::silent(store.recorder().provider(&name));
        Arc::new(World { store: store.clone(), provider, liveness: FakeLiveness::new(), locks: Locks::new(()) })
    }

    async fn start(world: &Arc<World<S>>, script: u64) -> Driver<S> {
        let computer = ComputerId::new(format!("computer-{script}")).expect("a plain name");
        let _ = world.store.create(Create { computer: computer.clone() }).await.expect("the computer is created");
        let (owners, reports) = (HashMap::new(), HashMap::new());
        Driver { world: world.clone(), computer, owners, reports }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "the actions of other protocols are in no script")]
    async fn take(&mut self, step: &Step) -> Option<Expect> {
        let What { action, process, launch, kind, .. } = &step.what;
        let by = process.as_str();
        let launch = || Launch::try_from(launch.expect("a launch is named")).expect("a small number");
        let kind = || kind_of(kind.expect("a kind is named"));
        let end = match action {
            Verb::Start => self.begin(Kind::Start, by).await,
            Verb::Stop => self.begin(Kind::Stop, by).await,
            Verb::Delete => self.begin(Kind::Delete, by).await,
            Verb::Recover => self.recover(by, kind(), launch()).await,
            Verb::Send => self.send(by, kind(), launch()).await,
            Verb::Arrive => self.arrive(kind(), launch()).await,
            Verb::Hear => self.hear(by, kind(), launch()).await,
            Verb::Fail => self.fail(by, launch()).await,
            Verb::Settle => self.settle(by, launch()).await,
            Verb::Read => self.read(by).await,
            Verb::Get => self.get(by).await,
            Verb::Conclude => self.conclude(by).await,
            Verb::Deliver => self.deliver(by, &step.what).await,
            Verb::Report => self.report(&step.what),
            Verb::Admit => happened(self.world.provider.admit(&self.computer)),
            Verb::Exit => happened(self.world.provider.exit(&self.computer)),
            Verb::Vanish => happened(self.world.provider.vanish(&self.computer)),
            Verb::Revive => match self.world.provider.revive(&self.computer) {
                true => done(),
                false => refused(Requirement::Reconcile14),
            },
            Verb::Crash => self.die(by).await,
            // That is what older releases did, and the library cannot.
            Verb::StartUnclaimed => return None,
            other => panic!("`{}` is no action of the operation protocol", other.word()),
        };
        Some(match step.expect.standing {
            Some(_) => Expect { standing: Some(self.standing().await), ..end },
            None => end,
        })
    }
}

impl<S: Store + OperationStore> Driver<S> {
    fn owner(&mut self, name: &str) -> &mut Owner {
        let (store, computer) = (&self.world.store, &self.computer);
        self.owners.entry(name.to_owned()).or_insert_with(|| {
            // A death is told to every computer of an owner, and the scripts share a store.
            let name = OwnerName::new(format!("{name} of {computer}")).expect("a plain name");
            Owner { recorder: store.recorder().owner(&name), name, heard: None, read: None, seen: None }
        })
    }

    fn name(&mut self, name: &str) -> OwnerName {
        self.owner(name).name.clone()
    }

    async fn standing(&self) -> trace::Standing<'static> {
        let row = self.world.store.standing(self.computer.clone()).await.expect("the computer is there");
        let name = |owner: OwnerName| {
            let known = self.owners.iter().find(|(_, it)| it.name == owner);
            known.map_or(owner.to_string(), |(name, _)| name.clone()).into()
        };
        trace::Standing {
            revision: row.revision.number(),
            phase: phase(row.phase),
            launch: row.launch.number(),
            owner: row.owner.map(name),
            mark: row.mark.number(),
        }
    }

    // -- an operation

    async fn begin(&mut self, kind: Kind, by: &str) -> Expect {
        let (owner, computer, store) = (self.name(by), self.computer.clone(), &self.world.store);
        let begun = match kind {
            Kind::Start => store.begin_start(BeginStart { owner, computer }).await,
            Kind::Stop => store.begin_stop(BeginStop { owner, computer }).await,
            Kind::Delete => store.begin_delete(BeginDelete { owner, computer }).await,
        };
        let begun = begun.expect("the store decides");
        let minted = if let BeginOutcome::Begun { launch, .. } = begun { Some(launch.number()) } else { None };
        Expect { launch: minted.filter(|_| kind == Kind::Start), ..end(begun.because(kind)) }
    }

    async fn recover(&mut self, by: &str, kind: Kind, launch: Launch) -> Expect {
        let (owner, computer) = (self.name(by), self.computer.clone());
        let row = self.world.store.standing(computer.clone()).await.expect("the computer is there");
        let dead = match row.owner {
            Some(owner) => self.world.liveness.prove_death(owner).await.expect("it is known"),
            None => None,
        };
        let request = Recover { owner, computer, dead, kind, launch };
        end(self.world.store.recover(request).await.expect("the store decides").because())
    }

    async fn send(&mut self, by: &str, kind: Kind, launch: Launch) -> Expect {
        let computer = self.computer.clone();
        self.owner(by).recorder.send(&computer, kind, launch).await.expect("it is recorded");
        done()
    }

    /// A call takes effect when the script says so, and nobody waits for its answer.
    async fn arrive(&mut self, kind: Kind, launch: Launch) -> Expect {
        let World { provider, locks, .. } = &*self.world;
        let (sweep, computer) = (locks.sweep(), self.computer.clone());
        let ended = match kind {
            Kind::Start => return self.start_at_the_provider(launch).await,
            Kind::Stop => provider.stop(sweep.io(), computer, launch).await,
            Kind::Delete => provider.remove(sweep.io(), computer, launch).await,
        };
        let _ = ended.expect("the provider answers");
        done()
    }

    async fn start_at_the_provider(&self, launch: Launch) -> Expect {
        let before = self.look(launch).await.seen.map(|seen| seen.instance);
        let World { provider, locks, .. } = &*self.world;
        let call = Start { computer: self.computer.clone(), launch };
        match provider.start(locks.sweep().io(), call).await.expect("the provider answers") {
            StartOutcome::Started { instance } if Some(&instance) != before.as_ref() => done(),
            // The instance was there: nothing was brought up.
            StartOutcome::Started { .. } | StartOutcome::Fenced { .. } => refused(Requirement::Reconcile6),
        }
    }

    /// It asks how its operation has ended. Of a start that is not there it asks by starting it again.
    async fn hear(&mut self, by: &str, kind: Kind, launch: Launch) -> Expect {
        let Observation { launch: there, seen, mark, .. } = self.look(launch).await;
        let condition = seen.map(|seen| seen.condition);
        let is_newer = condition.is_some() && there.is_newer_than(launch);
        let ending = match (kind, condition) {
            (Kind::Start, Some(provider::Condition::Up)) if there == launch => Some(Ending::Admitted),
            (Kind::Start, Some(provider::Condition::Exited)) if there == launch => Some(Ending::Failed),
            (Kind::Start, Some(provider::Condition::Booting)) if there == launch => None,
            (Kind::Start, _) => {
                let _sent = self.send(by, kind, launch).await;
                let again = self.start_at_the_provider(launch).await;
                again.because.map(|_| Ending::Failed)
            }
            (Kind::Stop, Some(provider::Condition::Exited) | None) => Some(Ending::Stopped),
            (Kind::Stop, Some(_)) => is_newer.then_some(Ending::Stopped),
            (Kind::Delete, None) => Some(Ending::Removed),
            (Kind::Delete, Some(_)) => is_newer.then_some(Ending::Removed),
        };
        let Some(ending) = ending else { return done() };
        let computer = self.computer.clone();
        let owner = self.owner(by);
        owner.heard = Some((ending, mark));
        owner.recorder.hear(&computer, launch, ending, mark).await.expect("it is recorded");
        let ending = if ending == Ending::Failed { trace::Ending::Failed } else { trace::Ending::Done };
        Expect { ending: Some(ending), mark: Some(mark.number()), ..done() }
    }

    async fn fail(&mut self, by: &str, launch: Launch) -> Expect {
        let computer = self.computer.clone();
        let owner = self.owner(by);
        owner.heard = Some((Ending::Failed, Mark::START));
        owner.recorder.fail(&computer, launch).await.expect("it is recorded");
        done()
    }

    async fn settle(&mut self, by: &str, launch: Launch) -> Expect {
        let (owner, computer) = (self.name(by), self.computer.clone());
        let (ending, mark) = self.owner(by).heard.take().expect("it has heard how it has ended");
        let request = Settle { owner, computer, launch, ending, mark };
        end(self.world.store.settle(request).await.expect("the store decides").because())
    }

    // -- a sweep, and a report

    async fn look(&self, launch: Launch) -> Observation {
        let World { provider, locks, .. } = &*self.world;
        let answer: Result<_, ProviderError> =
            provider.get(locks.sweep().io(), Get { computer: self.computer.clone(), launch }).await;
        answer.expect("the provider answers")
    }

    async fn read(&mut self, by: &str) -> Expect {
        let (owner, computer) = (self.name(by), self.computer.clone());
        let row = self.world.store.read(Read { owner, computer }).await.expect("the store answers");
        self.owner(by).read = Some((row.revision, row.launch));
        self.owner(by).seen = None;
        Expect { revision: Some(row.revision.number()), launch: Some(row.launch.number()), ..done() }
    }

    /// A sweep asks for the launch that it has read, which the provider repeats where nothing is there.
    async fn get(&mut self, by: &str) -> Expect {
        let (_, launch) = self.owner(by).read.expect("it has read the row");
        let computer = self.computer.clone();
        self.owner(by).recorder.begin_get(&computer).await.expect("it is recorded");
        let seen = self.look(launch).await;
        self.owner(by).recorder.end_get(&seen).await.expect("it is recorded");
        let (launch, condition, mark) = (seen.launch.number(), condition(&seen), seen.mark.number());
        self.owner(by).seen = Some(seen);
        Expect { launch: Some(launch), condition: Some(condition), mark: Some(mark), ..done() }
    }

    async fn conclude(&mut self, by: &str) -> Expect {
        let owner = self.name(by);
        let (expected, _) = self.owner(by).read.expect("it has read the row");
        let seen = self.owner(by).seen.clone().expect("it has read the provider");
        let request = Conclude { owner, expected, seen };
        let outcome = self.world.store.conclude(request).await.expect("the store decides");
        let written = if let ConcludeOutcome::Written { conclusion, .. } = outcome { Some(conclusion) } else { None };
        ended(outcome.because(), written)
    }

    /// What is there is told as it is. What a report leaves out is told by nobody: its place is all that there is.
    fn report(&mut self, what: &What) -> Expect {
        let told = self.world.provider.report(&self.computer);
        let is_left_out = what.condition == Some(trace::Condition::Absent);
        let (launch, condition) = (Some(told.launch.number()), Some(condition(&told)));
        let mark = told.mark.number();
        self.reports.insert(mark, told);
        let is_so = is_left_out || (what.launch, what.condition) == (launch, condition);
        if is_so && what.mark == Some(mark) { done() } else { Expect { launch, condition, mark: Some(mark), ..done() } }
    }

    async fn deliver(&mut self, by: &str, what: &What) -> Expect {
        let mark = what.mark.expect("a mark is named");
        let report = match what.condition {
            Some(trace::Condition::Absent) | None => {
                let launch = Launch::try_from(what.launch.expect("a launch is named")).expect("a small number");
                let mark = Mark::try_from(mark).expect("a small number");
                Observation { computer: self.computer.clone(), launch, seen: None, mark }
            }
            Some(_) => self.reports[&mark].clone(),
        };
        let owner = self.name(by);
        let outcome = self.world.store.deliver(Deliver { owner, report }).await.expect("the store decides");
        let written = if let DeliverOutcome::Written { conclusion, .. } = outcome { Some(conclusion) } else { None };
        ended(outcome.because(), written)
    }

    async fn die(&mut self, name: &str) -> Expect {
        let owner = self.name(name);
        self.world.liveness.die(owner.clone());
        let death = self.world.liveness.prove_death(owner).await.expect("it is known").expect("it is dead");
        self.world.store.recorder().owner_died(&death).await.expect("it is recorded");
        done()
    }
}

fn done() -> Expect {
    Expect::default()
}

fn refused(because: Requirement) -> Expect {
    Expect { outcome: Outcome::Refused, because: Some(because), ..Expect::default() }
}

fn end(because: Option<Requirement>) -> Expect {
    because.map_or_else(done, refused)
}

/// What happens at the provider by itself is brought about, or the script goes another way.
fn happened(has_happened: bool) -> Expect {
    if has_happened { done() } else { Expect { outcome: Outcome::Unknown, ..done() } }
}

/// How an observation has ended.
fn ended(because: Option<Requirement>, written: Option<Conclusion>) -> Expect {
    let conclusion = match written {
        None => trace::Conclusion::Nothing,
        Some(Conclusion::Ready) => trace::Conclusion::Ready,
        Some(Conclusion::Error) => trace::Conclusion::Error,
        Some(Conclusion::Prune) => trace::Conclusion::Prune,
    };
    because.map_or_else(|| Expect { conclusion: Some(conclusion), ..done() }, refused)
}
