//! A schedule, played: two computers, two gateways, a store, and every message that is under way between them.

use std::sync::Arc;

use outlive::snapshot::{
    Act, Answer, Begun, Computer, Page, ResetError, Resolved, Ticket, WipeOrder, WipeReply, Wiped,
};
use outlive::store::{Durability, MemoryStore, Question, SqliteOptions, SqliteStore, Store};
use outlive::testing::{CounterKind, Crash, CrashingStore, SimulatedComputer};
use outlive::trace::Protocol;
use outlive::{ComputerId, Gateway, GatewayName, Incarnation, ProcessStart, StoreError};
use tempfile::TempDir;

use crate::step::{COMPUTERS, Copies, GATEWAYS, Pick, Seen, Step};

/// Where a store is, and outlives those who use it.
pub(crate) trait Place {
    type Store: Store;

    /// Opens the store that is there.
    fn open(&self) -> Arc<Self::Store>;
}

/// In memory, which outlives everybody but the test.
pub(crate) struct InMemory(Arc<MemoryStore>);

impl InMemory {
    pub(crate) fn new() -> InMemory {
        InMemory(Arc::new(MemoryStore::recording()))
    }
}

impl Place for InMemory {
    type Store = MemoryStore;

    fn open(&self) -> Arc<MemoryStore> {
        self.0.clone()
    }
}

/// In a file.
pub(crate) struct InFile(TempDir);

impl InFile {
    pub(crate) fn new() -> InFile {
        InFile(tempfile::tempdir().expect("a temporary folder"))
    }
}

impl Place for InFile {
    type Store = SqliteStore;

    fn open(&self) -> Arc<SqliteStore> {
        // What a power cut would lose is not asked here.
        let options = SqliteOptions::new().durability(Durability::Normal).recording();
        Arc::new(SqliteStore::open(self.0.path().join("store.db"), options).expect("the file opens"))
    }
}

/// What a schedule has led to.
pub(crate) struct Played {
    /// What the store has recorded.
    pub(crate) trace: Vec<u8>,
    /// No store fails here, so a failure is a finding: a constraint of the schema that a wrong decision ran into.
    pub(crate) failure: Option<StoreError>,
}

/// Plays the steps, up to the first at which the store fails.
pub(crate) async fn play<P: Place>(place: &P, steps: &[Step]) -> Played {
    let (mut messages, mut failure) = (Messages::default(), None);
    let mut world = World::open(place).await;
    for step in steps {
        let taken = world.take(*step, &mut messages).await;
        if matches!(step, Step::Reopen) {
            drop(world);
            world = World::open(place).await;
        }
        failure = taken.err();
        if failure.is_some() {
            break;
        }
    }
    let mut trace = Vec::new();
    world.store.recorder().export(Protocol::Snapshot, &mut trace).await.expect("the trace is exported");
    Played { trace, failure }
}

struct World<S> {
    store: Arc<S>,
    gateways: Vec<Gateway<S>>,
    computers: Vec<SimulatedComputer<S>>,
}

impl<S: Store> World<S> {
    /// The gateways, and a new process for each computer.
    async fn open(place: &impl Place<Store = S>) -> World<S> {
        let store = place.open();
        let gateways: Vec<_> = (0..GATEWAYS).map(|number| Gateway::new(store.clone(), gateway_name(number))).collect();
        let mut computers = Vec::new();
        for number in 0..COMPUTERS {
            let id = ComputerId::new(format!("computer-{number}")).expect("a plain name");
            let _ = gateways[0].create(&id).await.expect("a computer is created");
            let counter = if number == 0 { CounterKind::SurvivesAWipe } else { CounterKind::StartsAgain };
            computers.push(SimulatedComputer::start(store.clone(), id, counter).await.expect("a process starts"));
        }
        World { store, gateways, computers }
    }

    async fn take(&self, step: Step, messages: &mut Messages) -> Result<(), StoreError> {
        match step {
            Step::Restart { computer } => self.computers[computer].restart().await,
            Step::Register { computer } => self.computers[computer].register().await.map(drop),
            Step::Ask { computer } => self.ask(computer, messages).await,
            Step::Question { pick, copies } => self.deliver_question(pick, copies, messages).await,
            Step::Begin { gateway, computer } => self.begin(gateway, computer, messages).await,
            Step::Call { pick, copies } => self.deliver_call(pick, copies, messages).await,
            Step::Save { gateway, pick, copies } => self.deliver_save(gateway, pick, copies, messages).await,
            Step::Snapshot { gateway, computer } => self.snapshot(gateway, computer).await,
            Step::Load { gateway, computer } => self.load(gateway, computer, messages).await,
            Step::Resolve { gateway, pick } => self.resolve(gateway, pick, messages).await,
            Step::Act { pick, copies } => self.deliver_act(pick, copies, messages).await,
            Step::Claim { gateway, computer, seen } => self.claim(gateway, computer, seen, messages).await,
            Step::SendWipe { gateway, computer } => self.send_wipe(gateway, computer, messages).await,
            Step::Wipe { pick, copies } => self.deliver_wipe(pick, copies, messages).await,
            Step::Finish { pick, copies } => self.finish(pick, copies, messages).await,
            Step::Drive { gateway, computer } => self.drive(gateway, computer, messages).await,
            Step::DieWhileResetting { gateway, computer, at_step, is_done } => {
                self.die_while_resetting(gateway, computer, at_step, is_done).await?;
                self.crash(gateway, messages).await
            }
            Step::Rollback { gateway, pick, seen } => self.roll_back(gateway, pick, seen, messages).await,
            Step::Crash { gateway } => self.crash(gateway, messages).await,
            Step::Reopen => {
                for gateway in 0..GATEWAYS {
                    self.crash(gateway, messages).await?;
                }
                Ok(())
            }
        }
    }

    // -- a process asks who it is

    async fn ask(&self, computer: usize, messages: &mut Messages) -> Result<(), StoreError> {
        // One that knows does not ask.
        if self.computers[computer].incarnation().is_none() {
            messages.questions.push(self.computers[computer].process_start().ask().await?);
        }
        Ok(())
    }

    async fn deliver_question(&self, pick: Pick, copies: Copies, messages: &mut Messages) -> Result<(), StoreError> {
        let Some(question) = take(&mut messages.questions, pick) else { return Ok(()) };
        if copies == Copies::Another {
            messages.questions.push(question.clone());
        }
        let asked = ProcessStart::new(self.store.clone(), question.computer.clone(), question.life.clone());
        asked.register(question).await.map(drop)
    }

    // -- a snapshot and its save

    async fn begin(&self, gateway: usize, computer: usize, messages: &mut Messages) -> Result<(), StoreError> {
        if let Begun::Ticket(ticket) = self.gateways[gateway].begin(self.computers[computer].id()).await? {
            messages.calls.push((computer, Arc::new(ticket)));
        }
        Ok(())
    }

    async fn deliver_call(&self, pick: Pick, copies: Copies, messages: &mut Messages) -> Result<(), StoreError> {
        let Some((computer, ticket)) = take(&mut messages.calls, pick) else { return Ok(()) };
        if let Ok(answer) = self.computers[computer].answer(ticket.call(), b"a page").await? {
            messages.answers.push((ticket.clone(), answer));
        }
        if copies == Copies::Another {
            messages.calls.push((computer, ticket));
        }
        Ok(())
    }

    async fn deliver_save(
        &self,
        gateway: usize,
        pick: Pick,
        copies: Copies,
        messages: &mut Messages,
    ) -> Result<(), StoreError> {
        let Some((ticket, answer)) = take(&mut messages.answers, pick) else { return Ok(()) };
        let _ = self.gateways[gateway].save(&ticket, &answer).await?;
        if copies == Copies::Another {
            messages.answers.push((ticket, answer));
        }
        Ok(())
    }

    async fn snapshot(&self, gateway: usize, computer: usize) -> Result<(), StoreError> {
        let (gateway, computer) = (&self.gateways[gateway], &self.computers[computer]);
        let Begun::Ticket(ticket) = gateway.begin(computer.id()).await? else { return Ok(()) };
        let Ok(answer) = computer.answer(ticket.call(), b"a page").await? else { return Ok(()) };
        gateway.save(&ticket, &answer).await.map(drop)
    }

    // -- a page is looked at, acted on, gone back to

    async fn load(&self, gateway: usize, computer: usize, messages: &mut Messages) -> Result<(), StoreError> {
        let loaded = self.gateways[gateway].load(self.computers[computer].id()).await?;
        messages.pages.extend(loaded.page.map(|page| (computer, page)));
        Ok(())
    }

    async fn resolve(&self, gateway: usize, pick: Pick, messages: &mut Messages) -> Result<(), StoreError> {
        let Some((computer, page)) = look(&messages.pages, pick) else { return Ok(()) };
        if let Resolved::Forward { act, .. } = self.gateways[gateway].resolve(page.computer(), page.name()).await? {
            messages.acts.push((*computer, act));
        }
        Ok(())
    }

    async fn deliver_act(&self, pick: Pick, copies: Copies, messages: &mut Messages) -> Result<(), StoreError> {
        let Some((computer, act)) = take(&mut messages.acts, pick) else { return Ok(()) };
        let _ = self.computers[computer].perform(&act).await?;
        if copies == Copies::Another {
            messages.acts.push((computer, act));
        }
        Ok(())
    }

    async fn roll_back(
        &self,
        gateway: usize,
        pick: Pick,
        seen: Seen,
        messages: &mut Messages,
    ) -> Result<(), StoreError> {
        let Some((computer, page)) = look(&messages.pages, pick).cloned() else { return Ok(()) };
        let expected = self.seen(computer, seen, messages).await?;
        self.gateways[gateway].rollback(&page, expected).await.map(drop)
    }

    // -- a reset

    async fn claim(
        &self,
        gateway: usize,
        computer: usize,
        seen: Seen,
        messages: &mut Messages,
    ) -> Result<(), StoreError> {
        let expected = self.seen(computer, seen, messages).await?;
        self.gateways[gateway].claim(self.computers[computer].id(), expected).await.map(drop)
    }

    async fn send_wipe(&self, gateway: usize, computer: usize, messages: &mut Messages) -> Result<(), StoreError> {
        let order = self.gateways[gateway].send_wipe(self.computers[computer].id()).await?;
        messages.wipes.extend(order.ok().map(|order| (Some(gateway), computer, order)));
        Ok(())
    }

    /// A wipe that arrives again was heard of by nobody the first time.
    async fn deliver_wipe(&self, pick: Pick, copies: Copies, messages: &mut Messages) -> Result<(), StoreError> {
        let Some((by, computer, order)) = take(&mut messages.wipes, pick) else { return Ok(()) };
        let reply = self.computers[computer].wipe(&order).await?;
        match (reply, by, copies) {
            (_, _, Copies::Another) => messages.wipes.push((by, computer, order)),
            (WipeReply::Obeyed, Some(gateway), Copies::One) => messages.wiped.push((gateway, order.confirmed())),
            (WipeReply::Obeyed | WipeReply::Refused { .. }, _, Copies::One) => {}
        }
        Ok(())
    }

    async fn finish(&self, pick: Pick, copies: Copies, messages: &mut Messages) -> Result<(), StoreError> {
        let Some((gateway, wiped)) = take(&mut messages.wiped, pick) else { return Ok(()) };
        let _ = self.gateways[gateway].finish(&wiped).await?;
        if copies == Copies::Another {
            messages.wiped.push((gateway, wiped));
        }
        Ok(())
    }

    async fn drive(&self, gateway: usize, computer: usize, messages: &mut Messages) -> Result<(), StoreError> {
        let computer = &self.computers[computer];
        messages.seen.push(self.gateways[gateway].standing(computer.id()).await?.incarnation);
        self.gateways[gateway].drive_reset(computer.id(), computer).await.map(drop).map_err(store_error)
    }

    /// The gateway sees the store fail from one step on, which is what it knows of its own death.
    async fn die_while_resetting(
        &self,
        gateway: usize,
        computer: usize,
        at_step: usize,
        is_done: bool,
    ) -> Result<(), StoreError> {
        let side = if is_done { Crash::After } else { Crash::Before };
        let dying = Arc::new(CrashingStore::new(self.store.clone(), side, at_step));
        let computer = &self.computers[computer];
        let current = self.gateways[gateway].standing(computer.id()).await?.incarnation;
        let reset = Gateway::new(dying.clone(), gateway_name(gateway)).reset(computer.id(), current, computer).await;
        match reset {
            Err(ResetError::Store(_)) if dying.has_crashed() => Ok(()),
            ended => ended.map(drop).map_err(store_error),
        }
    }

    /// Its memory is gone. What it has sent is still under way, and so is what agents remember.
    async fn crash(&self, gateway: usize, messages: &mut Messages) -> Result<(), StoreError> {
        messages.wiped.retain(|(by, _)| *by != gateway);
        messages.wipes.iter_mut().filter(|(by, ..)| *by == Some(gateway)).for_each(|wipe| wipe.0 = None);
        self.store.recorder().gateway_crashed(self.gateways[gateway].name()).await
    }

    /// What somebody decides on.
    async fn seen(&self, computer: usize, seen: Seen, messages: &mut Messages) -> Result<Incarnation, StoreError> {
        let current = self.gateways[0].standing(self.computers[computer].id()).await?.incarnation;
        messages.seen.push(current);
        Ok(match seen {
            Seen::Now => current,
            Seen::Before(pick) => look(&messages.seen, pick).copied().unwrap_or(current),
        })
    }
}

/// What is under way. A message is lost by never being picked.
#[derive(Default)]
struct Messages {
    questions: Vec<Question>,
    calls: Vec<(usize, Arc<Ticket>)>,
    answers: Vec<(Arc<Ticket>, Answer)>,
    acts: Vec<(usize, Act)>,
    /// With the gateway that waits; none, if it has died since.
    wipes: Vec<(Option<usize>, usize, WipeOrder)>,
    /// What a gateway has heard.
    wiped: Vec<(usize, Wiped)>,
    /// What agents were shown.
    pages: Vec<(usize, Page)>,
    seen: Vec<Incarnation>,
}

fn look<T>(held: &[T], Pick(pick): Pick) -> Option<&T> {
    held.get(usize::from(pick) % held.len().max(1))
}

fn take<T>(held: &mut Vec<T>, Pick(pick): Pick) -> Option<T> {
    if held.is_empty() { None } else { Some(held.swap_remove(usize::from(pick) % held.len())) }
}

/// Both the store and the computer, which records there, fail as the store does.
fn store_error(error: ResetError<StoreError>) -> StoreError {
    match error {
        ResetError::Store(error) | ResetError::Computer(error) => error,
        other => panic!("no reset of this test can fail so: {other}"),
    }
}

fn gateway_name(number: usize) -> GatewayName {
    GatewayName::new(format!("gateway-{number}")).expect("a plain name")
}
