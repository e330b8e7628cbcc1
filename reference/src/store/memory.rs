//! A store in memory, for tests and for state that may die with its process. It keeps the same promises as the durable
//! ones, but for durability.

use std::collections::BTreeMap;
use std::future::{Future, ready};
use std::sync::Arc;

use bytes::Bytes;
use outlive_spec::trace::Event;

use super::*;
use crate::clock::{Clock, WallClock};
use crate::id::{Incarnation, PageName};
use crate::sync::Mutex;
use crate::trace::{BoxFuture, Recorded, Sink, crash_marker};

/// A store in memory.
#[derive(Default)]
pub struct MemoryStore {
    shared: Arc<Shared>,
    recorder: Recorder,
}

#[derive(Default)]
struct Shared {
    tables: Mutex<Tables>,
    /// Present iff recording is on.
    clock: Option<Arc<dyn Clock>>,
}

#[derive(Default)]
struct Tables {
    computers: BTreeMap<ComputerId, Row>,
    trace: Vec<Recordee>,
    sequences: BTreeMap<String, u64>,
}

/// What was recorded, and whom it was about.
struct Recordee {
    process: String,
    computer: String,
    line: String,
}

struct Row {
    current: Incarnation,
    is_resetting: bool,
    since: Incarnation,
    page: Option<(PageName, Bytes)>,
}

impl MemoryStore {
    /// An empty store that records nothing.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// An empty store that records what it decides.
    pub fn recording() -> MemoryStore {
        MemoryStore::recording_by(Arc::new(WallClock))
    }

    /// The same, with another clock.
    pub fn recording_by(clock: Arc<dyn Clock>) -> MemoryStore {
        let shared = Arc::new(Shared { tables: Mutex::default(), clock: Some(clock) });
        MemoryStore { recorder: Recorder::to(shared.clone()), shared }
    }

    /// Decides, and records the decision, while nobody else can.
    fn step<R: Recorded>(
        &self,
        request: R,
        decide: fn(&mut Row, &R) -> R::Outcome,
    ) -> impl Future<Output = Result<R::Outcome, StoreError>> + Send
    where
        R::Outcome: Send,
    {
        let mut tables = self.shared.tables.lock();
        let Some(row) = tables.computers.get_mut(request.computer()) else {
            return ready(Err(StoreError::NoSuchComputer { computer: request.computer().clone() }));
        };
        let outcome = decide(row, &request);
        let standing = row.standing();
        if let Some(clock) = &self.shared.clock
            && let Some(event) = request.event(&outcome, || standing)
        {
            tables.record(event, &**clock);
        }
        ready(Ok(outcome))
    }
}

impl Store for MemoryStore {
    fn create(&self, request: Create) -> impl Future<Output = Result<CreateOutcome, StoreError>> + Send {
        let mut tables = self.shared.tables.lock();
        let outcome = match tables.computers.get(&request.computer) {
            Some(row) => CreateOutcome::Exists { current: row.current },
            None => {
                tables.computers.insert(request.computer, Row::nobodys());
                CreateOutcome::Created
            }
        };
        ready(Ok(outcome))
    }

    fn look(&self, computer: ComputerId) -> impl Future<Output = Result<Option<Standing>, StoreError>> + Send {
        ready(Ok(self.shared.tables.lock().computers.get(&computer).map(Row::standing)))
    }

    fn resets_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ComputerId>, StoreError>> + Send {
        let tables = self.shared.tables.lock();
        let is_behind = |id: &ComputerId| after.as_ref().is_none_or(|after| id > after);
        let under_way = tables.computers.iter().filter(|(id, row)| row.is_resetting && is_behind(id));
        ready(Ok(under_way.take(limit).map(|(id, _)| id.clone()).collect()))
    }

    fn ask(&self, request: Ask) -> impl Future<Output = Result<Question, StoreError>> + Send {
        self.step(request, |row, ask| Question::new(ask.clone(), row.current))
    }

    fn register(&self, question: Question) -> impl Future<Output = Result<RegisterOutcome, StoreError>> + Send {
        self.step(question, Row::register)
    }

    fn begin(&self, request: Begin) -> impl Future<Output = Result<BeginOutcome, StoreError>> + Send {
        // SAVE-1: read before the call, so that the page cannot be of an older life than it says.
        self.step(request, |row, _| match row.current {
            Incarnation::NOBODY => BeginOutcome::NeverRegistered,
            incarnation => BeginOutcome::Begun { incarnation },
        })
    }

    fn save(&self, request: Save) -> impl Future<Output = Result<SaveOutcome, StoreError>> + Send {
        self.step(request, Row::save)
    }

    fn claim(&self, request: Claim) -> impl Future<Output = Result<ClaimOutcome, StoreError>> + Send {
        self.step(request, Row::claim)
    }

    fn send_wipe(&self, request: SendWipe) -> impl Future<Output = Result<SendWipeOutcome, StoreError>> + Send {
        // RESET-5: it asks nobody who has claimed the reset.
        self.step(request, |row, _| match row.is_resetting {
            true => SendWipeOutcome::Send { incarnation: row.current },
            false => SendWipeOutcome::NotResetting { current: row.current },
        })
    }

    fn finish(&self, request: Finish) -> impl Future<Output = Result<FinishOutcome, StoreError>> + Send {
        self.step(request, Row::finish)
    }

    fn load(&self, request: Load) -> impl Future<Output = Result<LoadOutcome, StoreError>> + Send {
        // SAVE-9: what an agent is shown is what its references resolve against.
        self.step(request, |row, _| LoadOutcome {
            standing: row.standing(),
            body: row.page.as_ref().map(|(_, body)| body.clone()),
        })
    }

    fn resolve(&self, request: Resolve) -> impl Future<Output = Result<ResolveOutcome, StoreError>> + Send {
        self.step(request, Row::resolve)
    }

    fn rollback(&self, request: Rollback) -> impl Future<Output = Result<RollbackOutcome, StoreError>> + Send {
        self.step(request, Row::rollback)
    }

    fn recorder(&self) -> Recorder {
        self.recorder.clone()
    }
}

// ------------------------------------------------------------------------------------------------- the decisions

impl Row {
    fn nobodys() -> Row {
        Row { current: Incarnation::NOBODY, is_resetting: false, since: Incarnation::NOBODY, page: None }
    }

    fn standing(&self) -> Standing {
        Standing {
            incarnation: self.current,
            is_resetting: self.is_resetting,
            since: self.since,
            page: self.page.as_ref().map(|(name, _)| *name),
        }
    }

    fn mint(&mut self) -> Incarnation {
        // RESTART-2: in order, and never twice.
        self.current = self.current.next();
        self.current
    }

    fn register(&mut self, question: &Question) -> RegisterOutcome {
        // RESTART-1: a question of a dead process must not take the computer from the living one.
        if question.expected != self.current {
            return RegisterOutcome::Overtaken { current: self.current };
        }
        RegisterOutcome::Registered { incarnation: self.mint() }
    }

    fn save(&mut self, save: &Save) -> SaveOutcome {
        let current = self.current;
        // RESET-2: what the wipe destroys must not be stored after the claim.
        if self.is_resetting {
            return SaveOutcome::Resetting { current };
        }
        // SAVE-3: equality decides, since the page may be gone and leave nothing to compare with.
        if save.page.incarnation != current {
            return SaveOutcome::Fenced { current };
        }
        // SAVE-4: pages of two incarnations do not compare, so another life's page never keeps this one out.
        match self.page {
            Some((stored, _)) if save.page <= stored => SaveOutcome::Superseded { stored },
            _ => {
                self.page = Some((save.page, save.body.clone()));
                SaveOutcome::Stored
            }
        }
    }

    fn claim(&mut self, claim: &Claim) -> ClaimOutcome {
        let current = self.current;
        if self.is_resetting {
            return ClaimOutcome::UnderWay { current };
        }
        // RESET-1: decided on an older incarnation, it would wipe what its author never saw.
        if claim.expected != current {
            return ClaimOutcome::Moved { current };
        }
        self.is_resetting = true;
        self.page = None;
        ClaimOutcome::Claimed
    }

    fn finish(&mut self, finish: &Finish) -> FinishOutcome {
        let current = self.current;
        if !self.is_resetting {
            return FinishOutcome::NotResetting { current };
        }
        // RESET-4: whoever registered during the reset shows what the wipe of a former life left alone.
        if finish.wiped != current {
            return FinishOutcome::NotWiped { current };
        }
        let minted = self.mint();
        self.since = minted;
        self.is_resetting = false;
        FinishOutcome::Finished { minted }
    }

    fn resolve(&mut self, resolve: &Resolve) -> ResolveOutcome {
        let current = self.current;
        match &self.page {
            // RESET-6: a page of another incarnation shows elements that the computer may no longer have.
            Some((stored, body)) if *stored == resolve.cited && stored.incarnation == current => {
                ResolveOutcome::Resolved { body: body.clone() }
            }
            other => ResolveOutcome::Stale { current, stored: other.as_ref().map(|(stored, _)| *stored) },
        }
    }

    fn rollback(&mut self, rollback: &Rollback) -> RollbackOutcome {
        let current = self.current;
        if self.is_resetting {
            return RollbackOutcome::Resetting { current };
        }
        // SAVE-7: sent twice, it would undo what was done since the first time.
        if rollback.expected != current {
            return RollbackOutcome::Moved { current };
        }
        // SAVE-8: what was wiped stays wiped, also for those who remember it.
        if rollback.to.incarnation.was_minted_before(self.since) {
            return RollbackOutcome::Wiped { since: self.since };
        }
        self.page = Some((rollback.to, rollback.body.clone()));
        RollbackOutcome::RolledBack { minted: self.mint() }
    }
}

// ----------------------------------------------------------------------------------------------------- the trace

impl Tables {
    fn record(&mut self, event: Event<'_>, clock: &dyn Clock) {
        let (process, computer) = (event.process.to_string(), event.computer.to_string());
        let sequence = self.sequences.entry(process.clone()).or_default();
        let position = self.trace.len() as u64 + 1;
        let line = crate::trace::line(event, position, *sequence, clock);
        *sequence += 1;
        self.trace.push(Recordee { process, computer, line });
    }
}

impl Sink for Shared {
    fn record(&self, event: Event<'static>) -> BoxFuture<Result<(), StoreError>> {
        if let Some(clock) = &self.clock {
            self.tables.lock().record(event, &**clock);
        }
        Box::pin(ready(Ok(())))
    }

    fn record_crash(&self, process: String) -> BoxFuture<Result<(), StoreError>> {
        if let Some(clock) = &self.clock {
            let mut tables = self.tables.lock();
            let spoken = tables.trace.iter().filter(|recordee| recordee.process == process);
            let mut computers: Vec<String> = spoken.map(|recordee| recordee.computer.clone()).collect();
            computers.sort();
            computers.dedup();
            for computer in &computers {
                tables.record(crash_marker(&process, computer), &**clock);
            }
        }
        Box::pin(ready(Ok(())))
    }

    fn lines(&self, after: u64, limit: usize) -> BoxFuture<Result<Vec<String>, StoreError>> {
        let tables = self.tables.lock();
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        let lines = tables.trace.iter().skip(start).take(limit).map(|recordee| recordee.line.clone());
        Box::pin(ready(Ok(lines.collect())))
    }

    fn processes(&self) -> BoxFuture<Result<Vec<String>, StoreError>> {
        Box::pin(ready(Ok(self.tables.lock().sequences.keys().cloned().collect())))
    }

    fn store_kind(&self) -> &'static str {
        "memory"
    }
}
