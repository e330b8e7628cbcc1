//! A driver of the reference: each step of a script of the snapshot protocol as a call of one of its functions.
//! Messages are kept by what they show, so that a script can deliver them late and again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use outlive::snapshot::{Act, Answer, Begun, Page, Resolved, Saved, Ticket, WipeOrder, Wiped};
use outlive::store::{ClaimOutcome, FinishOutcome, Question, RegisterOutcome, RollbackOutcome, SaveOutcome, Store};
use outlive::trace::Protocol;
use outlive::{ComputerId, Gateway, GatewayName, Incarnation, LifeName, PageName, ProcessStart};
use outlive_model_check::generate::script::{Expect, FIRST_LIFE, Step, What};
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Outcome, Row, Verb};

use crate::computer::Computer;
use crate::play::Player;

/// The name of a page: its incarnation and its generation.
type Name = (u64, u64);

pub(crate) struct Driver<S> {
    store: Arc<S>,
    id: ComputerId,
    script: u64,
    gateways: HashMap<String, Gateway<S>>,
    computer: Computer,
    lives: HashMap<String, LifeName>,
    questions: HashMap<(String, u64), Question>,
    tickets: HashMap<u64, Arc<Ticket>>,
    answers: HashMap<Name, (Arc<Ticket>, Answer)>,
    pages: HashMap<Name, Page>,
    acts: HashMap<Name, Act>,
    orders: HashMap<(String, u64), Vec<WipeOrder>>,
    /// The wipes whose senders are alive.
    waiting: HashSet<(String, u64)>,
    wiped: HashMap<(String, u64), Wiped>,
}

impl<S: Store> Player<S> for Driver<S> {
    const PROTOCOL: Protocol = Protocol::Snapshot;
    type World = Arc<S>;

    fn world(store: &Arc<S>) -> Arc<S> {
        store.clone()
    }

    /// A new computer, whose first process has registered.
    async fn start(store: &Arc<S>, script: u64) -> Driver<S> {
        let id = ComputerId::new(format!("computer-{script}")).expect("a plain name");
        let life = LifeName::mint();
        let recorder = store.recorder().computer(&id);
        let computer = Computer { recorder, life: life.clone(), incarnation: None, generation: None, reply: None };
        let lives = HashMap::from([(FIRST_LIFE.to_owned(), life)]);
        let mut driver = Driver {
            store: store.clone(),
            id,
            script,
            gateways: HashMap::new(),
            computer,
            lives,
            questions: HashMap::new(),
            tickets: HashMap::new(),
            answers: HashMap::new(),
            pages: HashMap::new(),
            acts: HashMap::new(),
            orders: HashMap::new(),
            waiting: HashSet::new(),
            wiped: HashMap::new(),
        };
        let id = driver.id.clone();
        let _ = driver.gateway("gateway-0").create(&id).await.expect("the computer is created");
        driver.ask(FIRST_LIFE).await;
        let registered = driver.register(FIRST_LIFE, 0).await;
        assert_eq!(registered.minted, Some(1));
        let _own = driver.computer.learn().await;
        driver
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "the actions of other protocols are in no script")]
    async fn take(&mut self, step: &Step) -> Option<Expect> {
        let What { action, process, life, expected, incarnation, generation, by, .. } = &step.what;
        let life = || life.as_deref().expect("a life is named");
        let expected = || expected.expect("an expected incarnation is named");
        let incarnation = || incarnation.expect("an incarnation is named");
        let name = || (incarnation(), generation.expect("a generation is named"));
        let end = match action {
            Verb::Restart => self.restart(life()).await,
            Verb::Ask => self.ask(life()).await,
            Verb::Register => self.register(life(), expected()).await,
            Verb::Learn => Expect { incarnation: self.computer.learn().await.map(Incarnation::number), ..done() },
            Verb::Begin => self.begin(process).await,
            Verb::Answer => self.answer(incarnation()).await,
            Verb::Save => self.save(process, name()).await,
            Verb::Claim => self.claim(process, expected()).await,
            Verb::SendWipe => self.send_wipe(process).await,
            Verb::Wipe => {
                let by = by.clone().expect("the sender is named");
                self.wipe((by, incarnation()), step.what.life.as_deref(), *generation).await
            }
            Verb::Finish => match self.finish(process, incarnation()).await {
                Some(end) => end,
                None => return None,
            },
            Verb::Load => self.load(process).await,
            Verb::Resolve => self.resolve(process, name()).await,
            Verb::Perform => end(self.computer.perform(&self.acts[&name()]).await.err()),
            Verb::Rollback => self.roll_back(process, name(), expected()).await,
            Verb::Crash => self.crash(process).await,
            other => panic!("`{}` is no action of the snapshot protocol", other.word()),
        };
        Some(match step.expect.row {
            Some(_) => Expect { row: Some(self.row().await), ..end },
            None => end,
        })
    }
}

impl<S: Store> Driver<S> {
    fn gateway(&mut self, name: &str) -> &Gateway<S> {
        let (store, script) = (&self.store, self.script);
        self.gateways.entry(name.to_owned()).or_insert_with(|| {
            // A crash is told to every computer of a gateway, and the scripts share a store.
            let name = GatewayName::new(format!("{name}-of-script-{script}")).expect("a plain name");
            Gateway::new(store.clone(), name)
        })
    }

    async fn row(&mut self) -> Row {
        let id = self.id.clone();
        let standing = self.gateway("gateway-0").standing(&id).await.expect("the computer is there");
        Row {
            incarnation: standing.incarnation.number(),
            resetting: standing.is_resetting,
            since: standing.since.number(),
            page: standing.page.map(name_of),
        }
    }

    // -- a process starts, and learns who it is

    async fn restart(&mut self, life: &str) -> Expect {
        let name = LifeName::mint();
        self.lives.insert(life.to_owned(), name.clone());
        self.computer.restart(name).await;
        done()
    }

    async fn ask(&mut self, life: &str) -> Expect {
        let start = ProcessStart::new(self.store.clone(), self.id.clone(), self.lives[life].clone());
        let question = start.ask().await.expect("the store answers");
        self.computer.reply = None;
        let expected = question.expected.number();
        self.questions.insert((life.to_owned(), expected), question);
        Expect { expected: Some(expected), ..done() }
    }

    async fn register(&mut self, life: &str, expected: u64) -> Expect {
        let name = self.lives[life].clone();
        let question = self.questions.get(&(life.to_owned(), expected)).cloned().unwrap_or_else(|| Question {
            computer: self.id.clone(),
            life: name.clone(),
            expected: incarnation(expected),
        });
        let start = ProcessStart::new(self.store.clone(), self.id.clone(), name.clone());
        match start.register(question).await.expect("the store decides") {
            RegisterOutcome::Registered { incarnation } => {
                if name == self.computer.life {
                    self.computer.reply = Some(incarnation);
                }
                Expect { minted: Some(incarnation.number()), ..done() }
            }
            RegisterOutcome::Overtaken { .. } => refused(Requirement::Restart1),
            other => panic!("no end of a registration that the format knows: {other:?}"),
        }
    }

    // -- a snapshot and its save

    async fn begin(&mut self, gateway: &str) -> Expect {
        let id = self.id.clone();
        match self.gateway(gateway).begin(&id).await.expect("the store answers") {
            Begun::Ticket(ticket) => {
                let incarnation = ticket.call().incarnation().number();
                self.tickets.insert(incarnation, Arc::new(ticket));
                Expect { incarnation: Some(incarnation), ..done() }
            }
            other @ (Begun::NeverRegistered | _) => panic!("every script starts with a registered computer: {other:?}"),
        }
    }

    async fn answer(&mut self, called: u64) -> Expect {
        let ticket = self.tickets[&called].clone();
        match self.computer.answer(ticket.call()).await {
            Ok(answer) => {
                let name = name_of(answer.page);
                self.answers.insert(name, (ticket, answer));
                Expect { generation: Some(name.1), ..done() }
            }
            Err(because) => refused(because),
        }
    }

    async fn save(&mut self, gateway: &str, name: Name) -> Expect {
        let (ticket, answer) = self.answers[&name].clone();
        match self.gateway(gateway).save(&ticket, &answer).await.expect("the store decides") {
            Saved::Decided(SaveOutcome::Stored) => done(),
            Saved::Decided(SaveOutcome::Fenced { .. }) => refused(Requirement::Save3),
            Saved::Decided(SaveOutcome::Superseded { .. }) => refused(Requirement::Save4),
            Saved::Decided(SaveOutcome::Resetting { .. }) => refused(Requirement::Reset2),
            other @ (Saved::Decided(_) | Saved::NotTheAnswer { .. } | _) => {
                panic!("no end of a save that the format knows: {other:?}")
            }
        }
    }

    // -- a reset

    async fn claim(&mut self, gateway: &str, expected: u64) -> Expect {
        let id = self.id.clone();
        match self.gateway(gateway).claim(&id, incarnation(expected)).await.expect("the store decides") {
            ClaimOutcome::Claimed => done(),
            ClaimOutcome::UnderWay { .. } | ClaimOutcome::Moved { .. } => refused(Requirement::Reset1),
            other => panic!("no end of a claim that the format knows: {other:?}"),
        }
    }

    /// An order is used up by its confirmation; so two are sent, and one is kept to arrive again.
    async fn send_wipe(&mut self, gateway: &str) -> Expect {
        let id = self.id.clone();
        let mut named = 0;
        for _ in 0..2 {
            let order = self.gateway(gateway).send_wipe(&id).await.expect("the store answers");
            let order = order.expect("a script sends wipes only during a reset");
            named = order.incarnation().number();
            self.orders.entry((gateway.to_owned(), named)).or_default().push(order);
        }
        self.waiting.insert((gateway.to_owned(), named));
        Expect { incarnation: Some(named), ..done() }
    }

    async fn wipe(&mut self, sent: (String, u64), life: Option<&str>, counts_on_from: Option<u64>) -> Expect {
        let orders = self.orders.get_mut(&sent).expect("it was sent");
        let order = orders.last().expect("one is kept");
        let name = LifeName::mint();
        let wiped = self.computer.wipe(order, name.clone(), counts_on_from.is_some_and(|from| from > 0)).await;
        if wiped.is_ok() {
            self.lives.extend(life.map(|life| (life.to_owned(), name)));
            if self.waiting.contains(&sent) && orders.len() > 1 {
                let confirmed = orders.pop().expect("there is one more").confirmed();
                self.wiped.insert(sent, confirmed);
            }
        }
        end(wiped.err())
    }

    async fn finish(&mut self, gateway: &str, wiped: u64) -> Option<Expect> {
        let wiped = self.wiped.get(&(gateway.to_owned(), wiped)).cloned()?;
        Some(match self.gateway(gateway).finish(&wiped).await.expect("the store decides") {
            FinishOutcome::Finished { minted } => Expect { minted: Some(minted.number()), ..done() },
            FinishOutcome::NotResetting { .. } | FinishOutcome::NotWiped { .. } => refused(Requirement::Reset4),
            other => panic!("no end of a reset that the format knows: {other:?}"),
        })
    }

    async fn crash(&mut self, gateway: &str) -> Expect {
        let name = self.gateway(gateway).name().clone();
        self.store.recorder().gateway_crashed(&name).await.expect("it is recorded");
        self.waiting.retain(|(by, _)| by != gateway);
        self.wiped.retain(|(by, _), _| by != gateway);
        done()
    }

    // -- a page is looked at, acted on, gone back to

    async fn load(&mut self, gateway: &str) -> Expect {
        let id = self.id.clone();
        let Some(page) = self.gateway(gateway).load(&id).await.expect("the store answers").page else { return done() };
        let name = name_of(page.name());
        self.pages.insert(name, page);
        Expect { incarnation: Some(name.0), generation: Some(name.1), ..done() }
    }

    async fn resolve(&mut self, gateway: &str, name: Name) -> Expect {
        let (id, cited) = (self.id.clone(), self.pages[&name].name());
        match self.gateway(gateway).resolve(&id, cited).await.expect("the store answers") {
            Resolved::Forward { act, .. } => {
                self.acts.insert(name, act);
                done()
            }
            Resolved::Stale { .. } => refused(Requirement::Reset6),
            other => panic!("no end of a reference that the format knows: {other:?}"),
        }
    }

    async fn roll_back(&mut self, gateway: &str, name: Name, expected: u64) -> Expect {
        let page = self.pages[&name].clone();
        match self.gateway(gateway).rollback(&page, incarnation(expected)).await.expect("the store decides") {
            RollbackOutcome::RolledBack { minted } => Expect { minted: Some(minted.number()), ..done() },
            RollbackOutcome::Resetting { .. } => refused(Requirement::Reset2),
            RollbackOutcome::Moved { .. } => refused(Requirement::Save7),
            RollbackOutcome::Wiped { .. } => refused(Requirement::Save8),
            other @ (RollbackOutcome::NeverMinted { .. } | _) => {
                panic!("no end of a rollback that the format knows: {other:?}")
            }
        }
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

fn incarnation(number: u64) -> Incarnation {
    if number == 0 { Incarnation::NOBODY } else { Incarnation::try_from(number).expect("it was minted") }
}

fn name_of(page: PageName) -> Name {
    (page.incarnation.number(), page.generation.number())
}
