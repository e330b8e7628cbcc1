//! Scripts of the operation protocol.

mod late;

use outlive_spec::operation::action::{Action, Attempt};
use outlive_spec::operation::bounds::{Bounds, SMOKE};
use outlive_spec::operation::state::{Launch, State};
use outlive_spec::operation::variants::RIGHT;
use outlive_spec::operation::{Operations, created};
use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Verb};

use super::Cover;
use super::protocol::{Scripted, Teller};
use super::script::{COMPUTER, Expect, Step, What};
use crate::conform::operation::write::Writer;
use crate::registry::operation::in_words;
use late::Late;

/// The bounds within which each edge has a script. A start without a claim is what only older releases write, and no
/// implementation has a call for it; with them a third of the other edges would stand in no script that can be played.
const WIDE: Bounds = Bounds { unclaimed: 0, ..SMOKE };

/// The bounds at which every state meets every attempt.
const SMALL: Bounds = Bounds { gateways: 1, lives: 2, calls: 2, ..WIDE };

impl Scripted for Operations {
    const PROTOCOL: &'static str = "operation";
    type Teller = Told;

    fn of(cover: Cover) -> Operations {
        let bounds = match cover {
            Cover::Edges => WIDE,
            Cover::States => SMALL,
        };
        Operations { rules: RIGHT, bounds }
    }

    fn bounds_in_words(&self) -> String {
        in_words(&self.bounds)
    }

    fn start_in_words() -> String {
        format!("a new computer `{COMPUTER}` that was never started, and a provider that has never heard of it")
    }

    fn is_visible(_: &Action) -> bool {
        true
    }

    /// The launch before the first was never minted, so nobody has a call of it.
    fn can_be_told(_: &State, action: &Action) -> bool {
        !matches!(action, Action::Refuse(Attempt::Arrive(call), _) if call.launch == Launch(0))
    }

    fn refusal(action: &Action, because: Requirement) -> Option<Action> {
        let attempt = match *action {
            Action::Start(gateway, _) => Attempt::Start(gateway),
            Action::Stop(gateway) => Attempt::Stop(gateway),
            Action::Delete(gateway) => Attempt::Delete(gateway),
            Action::Recover(gateway, call) => Attempt::Recover(gateway, call),
            Action::Arrive(call) => Attempt::Arrive(call),
            Action::Settle(gateway, call, _) => Attempt::Settle(gateway, call),
            Action::Conclude(gateway, conclusion) => Attempt::Conclude(gateway, conclusion),
            Action::Deliver(gateway, report, _) => Attempt::Deliver(gateway, report),
            Action::Revive(launch) => Attempt::Revive(launch),
            Action::StartUnclaimed(..)
            | Action::Send(..)
            | Action::Admit(_)
            | Action::Hear(..)
            | Action::Fail(_)
            | Action::Read(..)
            | Action::Get(..)
            | Action::Exit(_)
            | Action::Vanish(_)
            | Action::Report(_)
            | Action::Crash(..)
            | Action::Yield(_)
            | Action::Refuse(..) => return None,
        };
        Some(Action::Refuse(attempt, because))
    }

    fn teller(&self) -> Told {
        Told {
            protocol: self.remembering(),
            state: created(self.bounds.gateways),
            writer: Writer::new(self.bounds.lives),
            late: Late::default(),
        }
    }
}

/// What was told of a path so far. The search uses revisions again and forgets what is refused for ever; here both are
/// as they are for an implementation.
pub(super) struct Told {
    protocol: Operations,
    state: State,
    writer: Writer,
    late: Late,
}

impl Teller<Operations> for Told {
    fn tell(&mut self, searched: &State, action: &Action, steps: &mut Vec<Step>) {
        let mut action = *action;
        if let Action::Read(_, revision, _) = &mut action {
            *revision = self.state.row.revision;
        }
        self.take(action, steps);
        while let Some(late) = self.late.next(&self.protocol, &self.state, searched) {
            late.into_iter().for_each(|action| self.take(action, steps));
        }
    }
}

impl Told {
    fn take(&mut self, action: Action, steps: &mut Vec<Step>) {
        let taken = self.protocol.apply(&mut self.state, &action);
        assert!(taken.is_ok(), "the search has taken what the same rules refuse: {action}");
        self.protocol.forgive(&mut self.state);
        steps.extend(self.writer.event(0, &self.state, &action).as_ref().map(step));
    }
}

/// Which values are used, and which come out.
fn step(event: &Event<'_>) -> Step {
    let verb = event.action;
    // What is told unasked is brought about; what is asked for comes out.
    let tells = matches!(verb, Verb::Report | Verb::Deliver);
    let mints = matches!(verb, Verb::Start | Verb::StartUnclaimed);
    let reads = mints || matches!(verb, Verb::Read | Verb::Get);
    // Whoever settles says what it has heard, and whoever has lost is not asked.
    let settles = verb == Verb::Settle;
    let what = What {
        kind: event.kind,
        launch: event.launch.filter(|_| !reads),
        condition: event.condition.filter(|_| tells),
        mark: event.mark.filter(|_| tells),
        ..What::of(event)
    };
    let expect = Expect {
        launch: event.launch.filter(|_| reads),
        revision: event.revision,
        condition: event.condition.filter(|_| !tells),
        mark: event.mark.filter(|_| !tells),
        ending: event.ending.filter(|_| !settles),
        conclusion: event.conclusion.filter(|_| event.because.is_none()),
        ..Expect::of(event)
    };
    Step { what, expect }
}
