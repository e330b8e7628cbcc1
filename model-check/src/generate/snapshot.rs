//! Scripts of the snapshot protocol.

mod late;

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::{Action, Attempt};
use outlive_spec::snapshot::bounds::{Bounds, SMOKE};
use outlive_spec::snapshot::state::{Gateway, Incarnation, State, WipeCall};
use outlive_spec::snapshot::variants::RIGHT;
use outlive_spec::trace::{Event, Outcome, Verb};

use super::Cover;
use super::protocol::{Scripted, Teller};
use super::script::{COMPUTER, Expect, FIRST_LIFE, Step, What};
use crate::conform::snapshot::write::{Author, Writer};
use crate::registry::snapshot::in_words;
use late::Late;

/// The bounds at which every state meets every attempt.
const SMALL: Bounds = Bounds {
    lives: 3,
    incarnations: 3,
    generations: 1,
    gateways: 1,
    questions: 4,
    calls: 2,
    saves: 1,
    wipes: 2,
    acts: 1,
    shown: 1,
};

impl Scripted for Snapshot {
    const PROTOCOL: &'static str = "snapshot";
    type Teller = Told;

    fn of(cover: Cover) -> Snapshot {
        let bounds = match cover {
            Cover::Edges => SMOKE,
            Cover::States => SMALL,
        };
        Snapshot { rules: RIGHT, bounds }
    }

    fn bounds_in_words(&self) -> String {
        in_words(&self.bounds)
    }

    fn start_in_words() -> String {
        format!(
            "a new computer `{COMPUTER}`, whose first process is `{FIRST_LIFE}` and has registered as incarnation 1"
        )
    }

    fn is_visible(action: &Action) -> bool {
        !matches!(action, Action::Discard(_))
    }

    /// A script names the sender of a wipe, also if that gateway has died since. If a gateway waits for the answer to
    /// the same wipe at that time, nobody can tell the two apart.
    fn can_be_told(state: &State, action: &Action) -> bool {
        let Action::Wipe(wipe, ..) = action else { return true };
        let is_awaited = state.wipes.iter().any(|it| it.by.is_some() && it.incarnation == wipe.incarnation);
        wipe.by.is_some() || !is_awaited
    }

    fn refusal(action: &Action, because: Requirement) -> Option<Action> {
        let attempt = match *action {
            Action::Register(question, _) => Attempt::Register(question),
            Action::Answer(call, _) => Attempt::Answer(call),
            Action::Save(save) => Attempt::Save(save),
            Action::Claim(gateway, expected) => Attempt::Claim(gateway, expected),
            Action::Wipe(wipe, ..) => Attempt::Wipe(wipe),
            Action::Finish(gateway, wiped, _) => Attempt::Finish(gateway, wiped),
            Action::Resolve(cited) => Attempt::Resolve(cited),
            Action::Perform(act) => Attempt::Perform(act),
            Action::Rollback(rollback) => Attempt::Rollback(rollback),
            Action::Restart(_)
            | Action::Ask(_)
            | Action::Learn(_)
            | Action::Begin(_)
            | Action::Stamp(..)
            | Action::SendWipe(..)
            | Action::Load(_)
            | Action::Discard(_)
            | Action::Forward(_)
            | Action::Crash(_)
            | Action::Refuse(..) => return None,
        };
        Some(Action::Refuse(attempt, because))
    }

    fn teller(&self) -> Told {
        Told { writer: Writer::new(1, self.bounds.gateways), senders: Senders::default(), late: Late::default() }
    }
}

/// What was told of a path so far.
pub(super) struct Told {
    writer: Writer,
    senders: Senders,
    late: Late,
}

impl Teller<Snapshot> for Told {
    fn tell(&mut self, state: &State, action: &Action, steps: &mut Vec<Step>) {
        self.late.note(state, action);
        let taken = Snapshot::is_visible(action).then_some(*action);
        for action in taken.into_iter().chain(self.late.deliver(state)) {
            let author = Author { computer: 0, gateway: Gateway(0) };
            steps.push(step(&self.writer.event(author, state, &self.senders.name(action))));
        }
        self.senders.note(*action);
    }
}

/// Who sent the wipes that nobody waits for any more.
#[derive(Default)]
struct Senders {
    waiting: Vec<WipeCall>,
    died: Vec<(Gateway, Incarnation)>,
}

impl Senders {
    fn note(&mut self, action: Action) {
        if let Action::SendWipe(gateway, incarnation) = action {
            self.waiting.push(WipeCall { by: Some(gateway), incarnation });
        }
        if let Action::Crash(gateway) = action {
            let lost = self.waiting.iter().filter(|wipe| wipe.by == Some(gateway));
            self.died.extend(lost.map(|wipe| (gateway, wipe.incarnation)));
            self.waiting.retain(|wipe| wipe.by != Some(gateway));
        }
    }

    /// The action with the name of the sender, who may have died since.
    fn name(&self, action: Action) -> Action {
        let sender = |wipe: WipeCall| {
            let died = self.died.iter().rev().find(|(_, incarnation)| *incarnation == wipe.incarnation);
            WipeCall { by: wipe.by.or(died.map(|(gateway, _)| *gateway)), ..wipe }
        };
        if let Action::Wipe(wipe, life, generation) = action {
            return Action::Wipe(sender(wipe), life, generation);
        }
        if let Action::Refuse(Attempt::Wipe(wipe), because) = action {
            return Action::Refuse(Attempt::Wipe(sender(wipe)), because);
        }
        action
    }
}

/// Which values are used, and which come out.
fn step(event: &Event<'_>) -> Step {
    let is_refused = event.outcome == Outcome::Refused;
    let verb = event.action;
    let reads = matches!(verb, Verb::Learn | Verb::Begin | Verb::SendWipe | Verb::Load);
    let counts = matches!(verb, Verb::Answer | Verb::Load);
    let is_used = |uses: bool, value: Option<u64>| value.filter(|_| uses);
    let asks = verb == Verb::Ask;
    let what = What {
        life: event.life.as_deref().map(str::to_owned),
        expected: is_used(!asks, event.expected),
        incarnation: is_used(!reads, event.incarnation),
        generation: is_used(!counts, event.generation),
        by: event.by.as_deref().map(str::to_owned),
        ..What::of(event)
    };
    let expect = Expect {
        expected: is_used(asks, event.expected),
        incarnation: is_used(reads, event.incarnation),
        generation: is_used(counts && !is_refused, event.generation),
        minted: event.minted,
        ..Expect::of(event)
    };
    Step { what, expect }
}
