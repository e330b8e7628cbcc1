//! Which event each decision of a store leaves. The verbs are the model's; see `docs/trace-format.md`.

mod operation;

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Outcome, Phase, Row, Verb};

use super::Protocol;
use crate::id::{ComputerId, Incarnation, OwnerName, PageName, process_name};
use crate::store::*;

/// A request whose decision is recorded.
pub(crate) trait Recorded: Clone + Send + 'static {
    /// How it ends.
    type Outcome: Send + 'static;

    /// The row that it is decided on.
    type Row;

    /// Whose trace it is in.
    const PROTOCOL: Protocol;

    /// Whether it may write, or only reads and decides something by it.
    const PHASE: Phase;

    /// Whom it is about.
    fn computer(&self) -> &ComputerId;

    /// What is recorded; none if the request was no step of the protocol. The row is as it was found after the step,
    /// and is told iff the step may have written it.
    fn event(&self, outcome: &Self::Outcome, row: Option<Self::Row>) -> Option<Event<'_>>;

    /// Who is dead by a proof that comes with it. That is true however it ends.
    fn proven_dead(&self) -> Option<&OwnerName> {
        None
    }

    /// Whose death it was not shown to the store, so that it was refused. If the trace knows of this death already, it
    /// has no word for what was lacking, and there is no event.
    fn lacks_death_of<'o>(&self, _: &'o Self::Outcome) -> Option<&'o OwnerName> {
        None
    }
}

/// An event of the process of a computer.
fn of_process(computer: &ComputerId, phase: Phase, action: Verb) -> Event<'_> {
    Event::new(process_name(computer), phase, action, computer.as_str())
}

fn observed(row: Standing) -> Row {
    Row {
        incarnation: row.incarnation.number(),
        resetting: row.is_resetting,
        since: row.since.number(),
        page: row.page.map(|page| (page.incarnation.number(), page.generation.number())),
    }
}

trait Filled {
    fn because(self, because: Option<Requirement>) -> Self;
    fn page(self, page: Option<PageName>) -> Self;
    fn incarnation(self, incarnation: Incarnation) -> Self;
    fn expected(self, expected: Incarnation) -> Self;
    fn minted(self, minted: Option<Incarnation>) -> Self;
}

impl Filled for Event<'_> {
    fn because(mut self, because: Option<Requirement>) -> Self {
        self.outcome = if because.is_some() { Outcome::Refused } else { Outcome::Done };
        self.because = because;
        self
    }

    fn page(mut self, page: Option<PageName>) -> Self {
        self.incarnation = page.map(|page| page.incarnation.number());
        self.generation = page.map(|page| page.generation.number());
        self
    }

    fn incarnation(mut self, incarnation: Incarnation) -> Self {
        self.incarnation = Some(incarnation.number());
        self
    }

    fn expected(mut self, expected: Incarnation) -> Self {
        self.expected = Some(expected.number());
        self
    }

    fn minted(mut self, minted: Option<Incarnation>) -> Self {
        self.minted = minted.map(Incarnation::number);
        self
    }
}

impl Recorded for Ask {
    type Outcome = Question;
    type Row = Standing;

    const PROTOCOL: Protocol = Protocol::Snapshot;
    const PHASE: Phase = Phase::Observe;

    fn computer(&self) -> &ComputerId {
        &self.computer
    }

    fn event(&self, outcome: &Question, _row: Option<Standing>) -> Option<Event<'_>> {
        let event = of_process(&self.computer, Self::PHASE, Verb::Ask);
        Some(Event { life: Some(self.life.as_str().into()), ..event.expected(outcome.expected) })
    }
}

impl Recorded for Question {
    type Outcome = RegisterOutcome;
    type Row = Standing;

    const PROTOCOL: Protocol = Protocol::Snapshot;
    const PHASE: Phase = Phase::Commit;

    fn computer(&self) -> &ComputerId {
        &self.computer
    }

    fn event(&self, outcome: &RegisterOutcome, row: Option<Standing>) -> Option<Event<'_>> {
        let minted = match *outcome {
            RegisterOutcome::Registered { incarnation } => Some(incarnation),
            RegisterOutcome::Overtaken { .. } => None,
        };
        let event = of_process(&self.computer, Self::PHASE, Verb::Register);
        let event = event.because(outcome.because()).expected(self.expected).minted(minted);
        Some(Event { life: Some(self.life.as_str().into()), row: row.map(observed), ..event })
    }
}

/// The requests of gateways.
macro_rules! of_gateway {
    ($($request:ident, $outcome:ident, $phase:ident |$this:ident, $won:ident, $event:ident| $filled:expr;)*) => {$(
        impl Recorded for $request {
            type Outcome = $outcome;
            type Row = Standing;

            const PROTOCOL: Protocol = Protocol::Snapshot;
            const PHASE: Phase = Phase::$phase;

            fn computer(&self) -> &ComputerId {
                &self.computer
            }

            fn event(&self, $won: &$outcome, row: Option<Standing>) -> Option<Event<'_>> {
                let $this = self;
                let $event = Event::new(self.gateway.as_str(), Self::PHASE, Verb::$request, self.computer.as_str());
                let filled: Option<Event<'_>> = $filled;
                filled.map(|event| Event { row: row.map(observed), ..event })
            }
        }
    )*};
}

of_gateway! {
    Begin, BeginOutcome, Observe |begin, won, event| match *won {
        BeginOutcome::Begun { incarnation } => {
            let operation = begin.operation.as_ref().map(|operation| operation.as_str().into());
            Some(Event { operation, ..event.incarnation(incarnation) })
        }
        // Nobody was called.
        BeginOutcome::NeverRegistered => None,
    };
    Save, SaveOutcome, Commit |save, won, event| {
        let operation = save.operation.as_ref().map(|operation| operation.as_str().into());
        Some(Event { operation, ..event.page(Some(save.page)).because(won.because()) })
    };
    Claim, ClaimOutcome, Commit |claim, won, event| Some(event.expected(claim.expected).because(won.because()));
    SendWipe, SendWipeOutcome, Observe |_wipe, won, event| match *won {
        SendWipeOutcome::Send { incarnation } => Some(event.incarnation(incarnation)),
        // Nothing was sent.
        SendWipeOutcome::NotResetting { .. } => None,
    };
    Finish, FinishOutcome, Commit |finish, won, event| {
        let minted = match *won {
            FinishOutcome::Finished { minted } => Some(minted),
            FinishOutcome::NotResetting { .. } | FinishOutcome::NotWiped { .. } => None,
        };
        Some(event.incarnation(finish.wiped).minted(minted).because(won.because()))
    };
    Load, LoadOutcome, Observe |_load, won, event| Some(event.page(won.standing.page));
    Resolve, ResolveOutcome, Observe |resolve, won, event| {
        let operation = resolve.operation.as_ref().map(|operation| operation.as_str().into());
        Some(Event { operation, ..event.page(Some(resolve.cited)).because(won.because()) })
    };
    Rollback, RollbackOutcome, Commit |rollback, won, event| {
        let minted = match *won {
            RollbackOutcome::RolledBack { minted } => Some(minted),
            RollbackOutcome::Resetting { .. }
            | RollbackOutcome::Moved { .. }
            | RollbackOutcome::Wiped { .. }
            | RollbackOutcome::NeverMinted { .. } => None,
        };
        let event = event.page(Some(rollback.to)).expected(rollback.expected);
        Some(event.minted(minted).because(won.because()))
    };
}
