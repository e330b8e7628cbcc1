//! A store that dies on request: the seam at which a test places a crash between two writes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::StoreError;
use crate::id::ComputerId;
use crate::store::*;
use crate::trace::Recorder;

/// On which side of a step its author dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crash {
    /// The step is not taken.
    Before,
    /// The step is taken, and nobody hears of it.
    After,
}

/// A store as a gateway sees it that dies at one step: that step, and every later one, fails as closed. The store
/// beneath lives on, for whoever comes next.
pub struct CrashingStore<S> {
    store: Arc<S>,
    crash: Crash,
    at_step: usize,
    steps: AtomicUsize,
}

impl<S: Store> CrashingStore<S> {
    /// Dies at this step, counting from 0.
    pub fn new(store: Arc<S>, crash: Crash, at_step: usize) -> CrashingStore<S> {
        CrashingStore { store, crash, at_step, steps: AtomicUsize::new(0) }
    }

    /// Whether it has died.
    pub fn has_crashed(&self) -> bool {
        self.steps.load(Ordering::Acquire) > self.at_step
    }

    fn step<T, F>(&self, submit: impl FnOnce() -> F) -> impl Future<Output = Result<T, StoreError>> + Send
    where
        F: Future<Output = Result<T, StoreError>> + Send,
        T: Send,
    {
        let step = self.steps.fetch_add(1, Ordering::AcqRel);
        let is_dead = step >= self.at_step;
        let is_submitted = step < self.at_step || (step == self.at_step && self.crash == Crash::After);
        let outcome = is_submitted.then(submit);
        async move {
            match outcome {
                Some(outcome) if !is_dead => outcome.await,
                Some(outcome) => {
                    // Waited for, so that the next gateway finds it done.
                    outcome.await?;
                    Err(dead())
                }
                None => Err(dead()),
            }
        }
    }
}

fn dead() -> StoreError {
    StoreError::Closed { path: PathBuf::from("a gateway that has crashed") }
}

macro_rules! steps {
    ($($method:ident($request:ty) -> $outcome:ty;)*) => {$(
        fn $method(&self, request: $request) -> impl Future<Output = Result<$outcome, StoreError>> + Send {
            self.step(|| self.store.$method(request))
        }
    )*};
}

impl<S: Store> Store for CrashingStore<S> {
    steps! {
        create(Create) -> CreateOutcome;
        look(ComputerId) -> Option<Standing>;
        ask(Ask) -> Question;
        register(Question) -> RegisterOutcome;
        begin(Begin) -> BeginOutcome;
        save(Save) -> SaveOutcome;
        claim(Claim) -> ClaimOutcome;
        send_wipe(SendWipe) -> SendWipeOutcome;
        finish(Finish) -> FinishOutcome;
        load(Load) -> LoadOutcome;
        resolve(Resolve) -> ResolveOutcome;
        rollback(Rollback) -> RollbackOutcome;
    }

    fn resets_under_way(
        &self,
        after: Option<ComputerId>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ComputerId>, StoreError>> + Send {
        self.step(move || self.store.resets_under_way(after, limit))
    }

    fn recorder(&self) -> Recorder {
        self.store.recorder()
    }
}
