//! What a decision on an operation leaves in the trace. The process is the owner's.

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Outcome, Phase, Verb};

use super::Recorded;
use crate::id::{ComputerId, Launch, OwnerName};
use crate::store::operation::*;
use crate::trace::{Protocol, words};

/// Requests of owners that show no proof of a death.
macro_rules! of_owner {
    ($($request:ident -> $outcome:ty, $phase:ident $verb:ident of $computer:expr,
       |$this:ident, $won:ident, $event:ident| $fill:expr;)*) => {$(
        impl Recorded for $request {
            type Outcome = $outcome;
            type Row = Standing;

            const PROTOCOL: Protocol = Protocol::Operation;
            const PHASE: Phase = Phase::$phase;

            fn computer(&self) -> &ComputerId {
                let computer: fn(&Self) -> &ComputerId = $computer;
                computer(self)
            }

            fn event(&self, $won: &$outcome, row: Option<Standing>) -> Option<Event<'_>> {
                let $this = self;
                let mut event = of_process(&self.owner, Verb::$verb, self, row);
                let $event = &mut event;
                $fill;
                Some(event)
            }
        }
    )*};
}

of_owner! {
    BeginStart -> BeginOutcome, Commit Start of |it| &it.computer, |_start, won, event| {
        because(event, won.because(Kind::Start));
        event.launch = match *won {
            BeginOutcome::Begun { launch, .. } => Some(launch.number()),
            BeginOutcome::Refused { .. } => None,
        };
    };
    BeginStop -> BeginOutcome, Commit Stop of |it| &it.computer, |_stop, won, event| {
        because(event, won.because(Kind::Stop));
    };
    BeginDelete -> BeginOutcome, Commit Delete of |it| &it.computer, |_delete, won, event| {
        because(event, won.because(Kind::Delete));
    };
    Settle -> SettleOutcome, Commit Settle of |it| &it.computer, |settle, won, event| {
        because(event, won.because());
        of_call(event, settle.ending.kind(), settle.launch);
        event.ending = Some(words::ending(settle.ending));
    };
    Read -> Standing, Observe Read of |it| &it.computer, |_read, found, event| {
        event.revision = Some(found.revision.number());
        event.launch = Some(found.launch.number());
    };
    Conclude -> ConcludeOutcome, Commit Conclude of |it| &it.seen.computer, |conclude, won, event| {
        because(event, won.because());
        event.conclusion = Some(words::conclusion(match *won {
            ConcludeOutcome::Written { conclusion, .. } => Some(conclusion),
            ConcludeOutcome::Nothing => None,
            // What would have been written.
            ConcludeOutcome::UnderWay { .. }
            | ConcludeOutcome::Moved { .. }
            | ConcludeOutcome::AnotherLaunch { .. } => conclude.conclusion(),
        }));
    };
    Deliver -> DeliverOutcome, Commit Deliver of |it| &it.report.computer, |deliver, won, event| {
        because(event, won.because());
        words::observe(event, &deliver.report);
        event.conclusion = match *won {
            DeliverOutcome::Written { conclusion, .. } => Some(words::conclusion(Some(conclusion))),
            DeliverOutcome::Nothing => Some(words::conclusion(None)),
            DeliverOutcome::Absent
            | DeliverOutcome::UnderWay { .. }
            | DeliverOutcome::AnotherLaunch { .. }
            | DeliverOutcome::NotAhead { .. } => None,
        };
    };
}

impl Recorded for Recover {
    type Outcome = RecoverOutcome;
    type Row = Standing;

    const PROTOCOL: Protocol = Protocol::Operation;
    const PHASE: Phase = Phase::Commit;

    fn computer(&self) -> &ComputerId {
        &self.computer
    }

    fn event(&self, outcome: &RecoverOutcome, row: Option<Standing>) -> Option<Event<'_>> {
        let mut event = of_process(&self.owner, Verb::Recover, self, row);
        because(&mut event, outcome.because());
        of_call(&mut event, self.kind, self.launch);
        Some(event)
    }

    fn proven_dead(&self) -> Option<&OwnerName> {
        self.dead.as_ref().map(OwnerDeath::owner)
    }

    fn lacks_death_of<'o>(&self, outcome: &'o RecoverOutcome) -> Option<&'o OwnerName> {
        match outcome {
            RecoverOutcome::NotLeft { current } => current.owner.as_ref(),
            RecoverOutcome::Recovered { .. } | RecoverOutcome::Moved { .. } => None,
        }
    }
}

fn of_process<'a, R: Recorded>(owner: &'a OwnerName, verb: Verb, request: &'a R, row: Option<Standing>) -> Event<'a> {
    let event = Event::new(owner.as_str(), R::PHASE, verb, request.computer().as_str());
    Event { standing: row.map(words::standing), ..event }
}

fn because(event: &mut Event<'_>, because: Option<Requirement>) {
    event.outcome = if because.is_some() { Outcome::Refused } else { Outcome::Done };
    event.because = because;
}

fn of_call(event: &mut Event<'_>, kind: Kind, launch: Launch) {
    event.kind = Some(words::kind(kind));
    event.launch = Some(launch.number());
}
