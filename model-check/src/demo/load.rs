//! The reference under load: tasks that snapshot, restart, reset, act and roll back the same few computers at once, and
//! hold messages back until they are late. What each task does next comes from the seed; how the tasks interleave comes
//! from the machine.

use std::sync::Arc;

use outlive::snapshot::{Act, Answer, Begun, Computer, Resolved, Saved, Ticket, WipeOrder, WipeReply, Wiped};
use outlive::store::{ClaimOutcome, SaveOutcome};
use outlive::testing::{CounterKind, Learned, SimulatedComputer};
use outlive::{ComputerId, Gateway, GatewayName, Incarnation, Store, StoreError};

use super::DemoError;
use super::journal::Journal;
use crate::random::Random;

/// How much, and in which order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) computers: u32,
    pub(super) tasks: u32,
    pub(super) rounds: u32,
}

/// The gateway of a task.
pub(super) fn gateway(task: u32) -> GatewayName {
    GatewayName::new(format!("gateway-{task}")).expect("a plain name")
}

fn computer(number: u32) -> ComputerId {
    ComputerId::new(format!("computer-{number}")).expect("a plain name")
}

/// Runs every task to its end, and then settles every computer: no reset is left under way, and each knows who it is.
pub(super) async fn run<S: Store>(store: Arc<S>, plan: Plan, journal: Arc<Journal>) -> Result<(), DemoError> {
    let creator = Gateway::new(store.clone(), gateway(0));
    let mut computers = Vec::new();
    for number in 0..plan.computers {
        let id = computer(number);
        // A computer of an earlier run is found as it was left.
        let _ = creator.create(&id).await?;
        let counter = if number % 2 == 0 { CounterKind::SurvivesAWipe } else { CounterKind::StartsAgain };
        computers.push(SimulatedComputer::start(store.clone(), id, counter).await?);
    }
    let computers: Arc<[SimulatedComputer<S>]> = computers.into();
    let tasks: Vec<_> = (0..plan.tasks)
        .map(|task| {
            let mut agent = Agent {
                gateway: Gateway::new(store.clone(), gateway(task)),
                computers: computers.clone(),
                random: Random::new(plan.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(task))),
                journal: journal.clone(),
                held: Held::default(),
            };
            tokio::spawn(async move {
                for _ in 0..plan.rounds {
                    agent.round().await?;
                }
                Ok::<(), StoreError>(())
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("a task does not panic")?;
    }
    for far in &*computers {
        settle(&creator, far, LOOKS).await?;
    }
    Ok(())
}

/// How often a computer is looked at until it is settled, at most: one that has lost its place during a reset is
/// started anew, registered, wiped and registered again, and at the fifth look there is nothing left to do.
const LOOKS: usize = 5;

/// Nobody else is at work any more, so what is not settled by then never will be.
async fn settle<S: Store>(
    gateway: &Gateway<S>,
    far: &SimulatedComputer<S>,
    most_looks: usize,
) -> Result<(), DemoError> {
    for _ in 0..most_looks {
        let standing = gateway.standing(far.id()).await?;
        match far.incarnation() {
            None => drop(far.register().await?),
            Some(own) if own != standing.incarnation => far.restart().await?,
            Some(_) if standing.is_resetting => {
                if let Ok(order) = gateway.send_wipe(far.id()).await?
                    && far.wipe(&order).await? == WipeReply::Obeyed
                {
                    let _ = gateway.finish(&order.confirmed()).await?;
                }
            }
            Some(_) => return Ok(()),
        }
    }
    Err(DemoError::NotSettled { computer: far.id().clone(), looks: most_looks })
}

/// What a task keeps back, to send it late, twice, or never.
#[derive(Default)]
struct Held {
    answers: Vec<(Ticket, Answer)>,
    orders: Vec<(usize, WipeOrder)>,
    /// Orders of the gateway before it crashed: the computer may still obey them, and nobody hears of it.
    lost_orders: Vec<(usize, WipeOrder)>,
    wiped: Vec<Wiped>,
    acts: Vec<(usize, Act)>,
    pages: Vec<outlive::snapshot::Page>,
    seen: Vec<(usize, Incarnation)>,
}

/// One task: a gateway, and the agents behind it.
struct Agent<S> {
    gateway: Gateway<S>,
    computers: Arc<[SimulatedComputer<S>]>,
    random: Random,
    journal: Arc<Journal>,
    held: Held,
}

impl<S: Store> Agent<S> {
    async fn round(&mut self) -> Result<(), StoreError> {
        let far = self.choose();
        match self.random.below(100) {
            0..=34 => self.snapshot(far).await,
            35..=49 => self.save_a_held_answer().await,
            50..=61 => self.look_and_act(far).await,
            62..=69 => self.restart(far).await,
            70..=77 => self.register(far).await,
            78..=84 => self.reset(far).await,
            85..=90 => self.drive(far).await,
            91..=94 => self.roll_back(far).await,
            95..=97 => self.deliver_what_is_late(far).await,
            _ => self.crash().await,
        }
    }

    /// A few computers are busy, so that the tasks meet.
    fn choose(&mut self) -> usize {
        let all = self.computers.len();
        let busy = if self.random.is_chosen(400) { all.min(4) } else { all };
        self.random.below(busy)
    }

    async fn snapshot(&mut self, far: usize) -> Result<(), StoreError> {
        let computers = self.computers.clone();
        let Begun::Ticket(ticket) = self.gateway.begin(computers[far].id()).await? else { return Ok(()) };
        let body = format!("page {}", self.random.number());
        let Ok(answer) = computers[far].answer(ticket.call(), body.as_bytes()).await? else { return Ok(()) };
        if self.random.is_chosen(350) {
            self.held.answers.push((ticket, answer));
            return Ok(());
        }
        self.save(&ticket, &answer).await
    }

    async fn save_a_held_answer(&mut self) -> Result<(), StoreError> {
        let Some((ticket, answer)) = take(&mut self.held.answers, &mut self.random) else { return Ok(()) };
        self.save(&ticket, &answer).await?;
        if self.random.is_chosen(300) {
            self.held.answers.push((ticket, answer));
        }
        Ok(())
    }

    async fn save(&mut self, ticket: &Ticket, answer: &Answer) -> Result<(), StoreError> {
        let sent = self.journal.sent(ticket.call().computer(), answer.page);
        let saved = self.gateway.save(ticket, answer).await?;
        self.journal.decided(sent, saved == Saved::Decided(SaveOutcome::Stored)).await;
        Ok(())
    }

    async fn look_and_act(&mut self, far: usize) -> Result<(), StoreError> {
        let computers = self.computers.clone();
        let Some(page) = self.gateway.load(computers[far].id()).await?.page else { return Ok(()) };
        let resolved = self.gateway.resolve(computers[far].id(), page.name()).await?;
        self.held.pages.push(page);
        let Resolved::Forward { act, .. } = resolved else { return Ok(()) };
        if self.random.is_chosen(400) {
            self.held.acts.push((far, act));
            return Ok(());
        }
        computers[far].perform(&act).await.map(drop)
    }

    async fn restart(&mut self, far: usize) -> Result<(), StoreError> {
        self.computers[far].restart().await?;
        if self.random.is_chosen(800) { self.register(far).await } else { Ok(()) }
    }

    async fn register(&mut self, far: usize) -> Result<(), StoreError> {
        match self.computers[far].register().await? {
            Learned::Known(own) => {
                // One that has lost its place by a rollback is started anew by its owner.
                let standing = self.gateway.standing(self.computers[far].id()).await?;
                if standing.incarnation != own && !standing.is_resetting {
                    self.computers[far].restart().await?;
                }
                Ok(())
            }
            Learned::Is(_) | Learned::Overtaken { .. } | Learned::NobodyListened => Ok(()),
        }
    }

    async fn reset(&mut self, far: usize) -> Result<(), StoreError> {
        let id = self.computers[far].id().clone();
        let current = self.gateway.standing(&id).await?.incarnation;
        self.held.seen.push((far, current));
        let decided_on = self.held.seen[self.random.below(self.held.seen.len())];
        let (far, expected) = if self.random.is_chosen(100) { decided_on } else { (far, current) };
        let claimed = self.gateway.claim(self.computers[far].id(), expected).await?;
        if claimed == ClaimOutcome::Claimed && self.random.is_chosen(700) { self.drive(far).await } else { Ok(()) }
    }

    async fn drive(&mut self, far: usize) -> Result<(), StoreError> {
        let computers = self.computers.clone();
        let Ok(order) = self.gateway.send_wipe(computers[far].id()).await? else { return Ok(()) };
        if self.random.is_chosen(150) {
            self.held.orders.push((far, order));
            return Ok(());
        }
        if self.random.is_chosen(200) {
            // A second order, which arrives once the first has done its work.
            let again = self.gateway.send_wipe(computers[far].id()).await?;
            self.held.orders.extend(again.ok().map(|again| (far, again)));
        }
        if computers[far].wipe(&order).await? != WipeReply::Obeyed {
            return Ok(());
        }
        let wiped = order.confirmed();
        if self.random.is_chosen(150) {
            self.held.wiped.push(wiped);
            return Ok(());
        }
        self.gateway.finish(&wiped).await.map(drop)
    }

    async fn roll_back(&mut self, far: usize) -> Result<(), StoreError> {
        let Some(page) = take(&mut self.held.pages, &mut self.random) else { return Ok(()) };
        let current = self.gateway.standing(page.computer()).await?.incarnation;
        let _ = self.gateway.rollback(&page, current).await?;
        if self.random.is_chosen(300) {
            let _ = self.gateway.rollback(&page, current).await?;
        }
        self.held.seen.push((far, current));
        Ok(())
    }

    async fn deliver_what_is_late(&mut self, far: usize) -> Result<(), StoreError> {
        let computers = self.computers.clone();
        if let Some((far, order)) = take(&mut self.held.lost_orders, &mut self.random) {
            let _ = computers[far].wipe(&order).await?;
        }
        if let Some((far, order)) = take(&mut self.held.orders, &mut self.random)
            && computers[far].wipe(&order).await? == WipeReply::Obeyed
        {
            self.held.wiped.push(order.confirmed());
        }
        if let Some(wiped) = take(&mut self.held.wiped, &mut self.random) {
            let _ = self.gateway.finish(&wiped).await?;
        }
        if let Some((far, act)) = take(&mut self.held.acts, &mut self.random) {
            let _ = computers[far].perform(&act).await?;
        }
        self.register(far).await
    }

    /// The gateway dies, and is back under its name without its memory. Its agents remember what they were shown, and
    /// what it has sent is still on its way.
    async fn crash(&mut self) -> Result<(), StoreError> {
        self.gateway.store().recorder().gateway_crashed(self.gateway.name()).await?;
        self.held.wiped.clear();
        self.held.lost_orders.append(&mut self.held.orders);
        Ok(())
    }
}

fn take<T>(held: &mut Vec<T>, random: &mut Random) -> Option<T> {
    if held.is_empty() { None } else { Some(held.swap_remove(random.below(held.len()))) }
}

#[cfg(test)]
mod tests {
    use outlive::MemoryStore;

    use super::*;

    /// A computer whose process has lost its place, and of which a reset is under way.
    async fn unsettled() -> Result<(Gateway<MemoryStore>, SimulatedComputer<MemoryStore>), StoreError> {
        let store = Arc::new(MemoryStore::new());
        let gateway = Gateway::new(store.clone(), gateway(0));
        let _ = gateway.create(&computer(0)).await?;
        let far = SimulatedComputer::start(store, computer(0), CounterKind::StartsAgain).await?;
        assert!(matches!(far.register().await?, Learned::Is(_)));
        let start = far.process_start();
        let _ = start.register(start.ask().await?).await?;
        let current = gateway.standing(far.id()).await?.incarnation;
        assert_eq!(gateway.claim(far.id(), current).await?, ClaimOutcome::Claimed);
        Ok((gateway, far))
    }

    #[test]
    fn the_most_unsettled_computer_is_settled_within_the_looks_and_not_before() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            for most_looks in 0..=LOOKS {
                let (gateway, far) = unsettled().await.expect("memory does not fail");
                let settled = settle(&gateway, &far, most_looks).await;
                let standing = gateway.standing(far.id()).await.expect("memory does not fail");
                let is_settled = !standing.is_resetting && far.incarnation() == Some(standing.incarnation);
                match settled {
                    Ok(()) => assert!(most_looks == LOOKS && is_settled),
                    Err(DemoError::NotSettled { computer, looks }) => {
                        assert_eq!((&computer, looks), (far.id(), most_looks));
                        assert!(most_looks < LOOKS, "{standing:?}, and the process is {:?}", far.incarnation());
                    }
                    Err(other) => panic!("{other:?}"),
                }
            }
        });
    }
}
