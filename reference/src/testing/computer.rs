//! A computer that keeps the far side of the protocol, in memory.

use std::sync::Arc;

use crate::error::StoreError;
use crate::id::{ComputerId, Generation, Incarnation, LifeName, PageName};
use crate::snapshot::{Act, Answer, Call, Computer, ProcessStart, WipeOrder, WipeReply};
use crate::store::{RegisterOutcome, Store};
use crate::sync::Mutex;
use crate::trace::ComputerRecorder;

/// What a wipe does to the counter of pages. There are providers of both kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CounterKind {
    /// It goes on where it was.
    SurvivesAWipe,
    /// It starts again.
    StartsAgain,
}

/// A computer whose process starts, is called, wiped, asked to act, and dies, as its test wishes. It tells its recorder
/// each step, under its own lock, so that nobody sees the effect before it is submitted.
pub struct SimulatedComputer<S> {
    store: Arc<S>,
    id: ComputerId,
    counter: CounterKind,
    recorder: ComputerRecorder,
    process: Mutex<Process>,
}

/// The process that the computer is now. All of it is memory (ASSUME-3).
struct Process {
    life: LifeName,
    incarnation: Option<Incarnation>,
    /// That of its newest page.
    generation: Option<Generation>,
    /// How often it has asked who it is. A reply to an earlier question is not heard.
    questions: u64,
}

/// How an attempt to learn who it is ended.
#[must_use = "a process that has learned nothing refuses every call"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learned {
    /// The process is this incarnation.
    Is(Incarnation),
    /// It knew already.
    Known(Incarnation),
    /// Another was registered first.
    Overtaken {
        /// The current incarnation.
        current: Incarnation,
    },
    /// The process has died, was wiped, or has asked again before the reply came; the reply was dropped.
    NobodyListened,
}

impl<S: Store> SimulatedComputer<S> {
    /// Starts the first process of a computer.
    ///
    /// # Guarantees
    /// It has a life of its own, and does not know who it is.
    ///
    /// # Assumptions
    /// No other process of this computer is simulated on this store.
    ///
    /// # Outcomes
    /// The computer.
    ///
    /// # Errors
    /// Those of the store, which records it.
    ///
    /// # Cancellation
    /// There is no computer. The trace may say that one was started.
    pub async fn start(
        store: Arc<S>,
        id: ComputerId,
        counter: CounterKind,
    ) -> Result<SimulatedComputer<S>, StoreError> {
        let recorder = store.recorder().computer(&id);
        let process = Process::start();
        recorder.restart(&process.life).await?;
        Ok(SimulatedComputer { store, id, counter, recorder, process: Mutex::new(process) })
    }

    /// Its id.
    pub fn id(&self) -> &ComputerId {
        &self.id
    }

    /// What its process believes to be.
    pub fn incarnation(&self) -> Option<Incarnation> {
        self.process.lock().incarnation
    }

    /// What the living process asks with, for a test that takes the steps of a registration one by one. What it is told
    /// that way reaches nobody.
    pub fn process_start(&self) -> ProcessStart<S> {
        ProcessStart::new(self.store.clone(), self.id.clone(), self.process.lock().life.clone())
    }

    /// The process dies, and another starts. An eviction is the same.
    ///
    /// # Guarantees
    /// RESTART-4: the new one has a life of its own, and hears no reply to its predecessor.
    ///
    /// # Assumptions, Outcomes
    /// None.
    ///
    /// # Errors
    /// Those of the store, which records it. The process has died all the same.
    ///
    /// # Cancellation
    /// The process has died all the same.
    pub async fn restart(&self) -> Result<(), StoreError> {
        let is_recorded = {
            let mut process = self.process.lock();
            *process = Process { questions: process.questions + 1, ..Process::start() };
            self.recorder.restart(&process.life)
        };
        is_recorded.await
    }

    /// The process asks who it is, is registered, and learns it.
    ///
    /// # Guarantees
    /// RESTART-4: it learns only what answers the last question of its life.
    ///
    /// # Assumptions
    /// ASSUME-2, which this keeps by counting the questions.
    ///
    /// # Outcomes
    /// See [`Learned`].
    ///
    /// # Errors
    /// Those of the store. The process may or may not know who it is; call it again.
    ///
    /// # Cancellation
    /// The same. An incarnation may have been minted that nobody is.
    pub async fn register(&self) -> Result<Learned, StoreError> {
        let start;
        let (number, asked) = {
            let mut process = self.process.lock();
            if let Some(own) = process.incarnation {
                return Ok(Learned::Known(own));
            }
            process.questions += 1;
            start = ProcessStart::new(self.store.clone(), self.id.clone(), process.life.clone());
            // Submitted under the lock, so that no dead process is recorded as asking.
            (process.questions, start.ask())
        };
        match start.register(asked.await?).await? {
            RegisterOutcome::Registered { incarnation } => self.learn(number, incarnation).await,
            RegisterOutcome::Overtaken { current } => Ok(Learned::Overtaken { current }),
        }
    }

    async fn learn(&self, number: u64, incarnation: Incarnation) -> Result<Learned, StoreError> {
        let is_recorded = {
            let mut process = self.process.lock();
            // RESTART-4: only the process that has asked, and only for its last question.
            if process.questions != number {
                return Ok(Learned::NobodyListened);
            }
            process.incarnation = Some(incarnation);
            self.recorder.learn(incarnation)
        };
        is_recorded.await?;
        Ok(Learned::Is(incarnation))
    }

    /// Answers a call with the next page, or refuses it with what the process is.
    ///
    /// # Guarantees
    /// RESTART-3: only a call that names its own incarnation. SAVE-2: each page has the next generation.
    ///
    /// # Assumptions
    /// None: this is the side that keeps ASSUME-5.
    ///
    /// # Outcomes
    /// The page, or the refusal.
    ///
    /// # Errors
    /// Those of the store, which records it. The generation is spent.
    ///
    /// # Cancellation
    /// The same: nobody has the page.
    ///
    /// # Panics
    /// After 2^53 - 1 pages.
    pub async fn answer(&self, call: &Call, body: &[u8]) -> Result<Result<Answer, Refusal>, StoreError> {
        let (is_recorded, answer) = {
            let mut process = self.process.lock();
            // RESTART-3: else a page of this life goes out under the name of another.
            if process.incarnation == Some(call.incarnation()) {
                // SAVE-2: by one, since every page counts, saved or not.
                let generation = Generation::after(process.generation).expect("a test hands out fewer than 2^53 pages");
                process.generation = Some(generation);
                let page = PageName::new(call.incarnation(), generation);
                (self.recorder.answer(page, call.operation()), Ok(Answer::new(page, body.to_vec())))
            } else {
                let refused = self.recorder.refuse_answer(call.incarnation(), call.operation());
                (refused, Err(Refusal { own: process.incarnation }))
            }
        };
        is_recorded.await?;
        Ok(answer)
    }

    /// Acts, or refuses with what the process is.
    ///
    /// # Guarantees
    /// RESTART-5: only on the newest page of its own incarnation.
    ///
    /// # Assumptions
    /// None: this is the side that keeps ASSUME-5.
    ///
    /// # Outcomes
    /// Done, or the refusal.
    ///
    /// # Errors
    /// Those of the store, which records it. It has acted, or refused, all the same.
    ///
    /// # Cancellation
    /// The same.
    pub async fn perform(&self, act: &Act) -> Result<Result<(), Refusal>, StoreError> {
        let (is_recorded, result) = {
            let process = self.process.lock();
            // RESTART-5: between the store's look and the click, the computer may have become another.
            let newest = process.incarnation.zip(process.generation).map(|(own, newest)| PageName::new(own, newest));
            if newest == Some(act.page()) {
                (self.recorder.perform(act.page(), act.operation()), Ok(()))
            } else {
                let refused = self.recorder.refuse_perform(act.page(), act.operation());
                (refused, Err(Refusal { own: process.incarnation }))
            }
        };
        is_recorded.await?;
        Ok(result)
    }
}

/// The computer is another incarnation than the message was meant for, or has a newer page; it has done nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What its process is; none if it does not know.
    pub own: Option<Incarnation>,
}

impl<S: Store> Computer for SimulatedComputer<S> {
    type Error = StoreError;

    async fn wipe(&self, order: &WipeOrder) -> Result<WipeReply, StoreError> {
        let (is_recorded, reply) = {
            let mut process = self.process.lock();
            // RESET-3: a wipe may arrive long after its reset is over.
            if process.incarnation == Some(order.incarnation()) {
                let generation = match self.counter {
                    CounterKind::SurvivesAWipe => process.generation,
                    CounterKind::StartsAgain => None,
                };
                *process = Process { generation, questions: process.questions + 1, ..Process::start() };
                let wiped = self.recorder.wipe(order.incarnation(), order.by(), &process.life, generation);
                (wiped, WipeReply::Obeyed)
            } else {
                let refused = self.recorder.refuse_wipe(order.incarnation(), order.by());
                (refused, WipeReply::Refused { own: process.incarnation })
            }
        };
        is_recorded.await?;
        Ok(reply)
    }
}

impl Process {
    fn start() -> Process {
        Process { life: LifeName::mint(), incarnation: None, generation: None, questions: 0 }
    }
}
