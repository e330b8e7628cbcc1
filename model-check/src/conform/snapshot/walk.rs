//! Random walks of the model, written down as traces: what a right implementation could have recorded.
//!
//! The steps are those that the model proposes, chosen by weights that make a busy day: mostly snapshots and clicks,
//! now and then a restart, a reset or a crash. Messages that are long dead are delivered as well, which the search has
//! no reason to do, and refused by the requirement that the model names.

use outlive_spec::protocol::Protocol;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::{Action, Attempt, Rollback};
use outlive_spec::snapshot::bounds::Bounds;
use outlive_spec::snapshot::state::*;
use outlive_spec::snapshot::variants::RIGHT;
use outlive_spec::trace::{Event, FORMAT, Header, Implementation, Verb, schema_hash};

use super::late;
use super::write::{Author, Writer};
use crate::conform::write::line;
use crate::random::Random;

/// How large a walk is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Computers that share the trace.
    pub computers: usize,
    /// Gateways that serve all of them.
    pub gateways: u32,
    /// Events.
    pub events: u64,
}

/// How often in a thousand a dead or repeated message is tried.
const LATE: usize = 60;
/// Messages that are remembered for that.
const REMEMBERED: usize = 4;
/// How often in a thousand of these tries somebody goes back to a page that was kept in mind, maybe from before a
/// reset.
const GOES_BACK: usize = 30;
/// How often in a thousand a page that is shown is kept in mind, in place of the one before.
const KEPT_IN_MIND: usize = 50;
/// Proposals that are tried before another computer has its turn.
const TRIES: usize = 48;

/// A trace in the making: its lines, one after the other, without the header.
pub struct Walk {
    random: Random,
    size: Size,
    model: Snapshot,
    computers: Vec<Computer>,
    writer: Writer,
    proposals: Vec<Action>,
    left: u64,
}

struct Computer {
    state: State,
    messages: Vec<Attempt>,
    kept_in_mind: Option<Cited>,
}

impl Walk {
    /// The walk of this seed.
    pub fn new(seed: u64, size: Size) -> Walk {
        let bounds = Bounds {
            lives: u32::MAX,
            incarnations: u32::MAX,
            generations: u32::MAX,
            gateways: size.gateways,
            questions: 8,
            calls: 8,
            saves: 8,
            wipes: 8,
            acts: 8,
            shown: 8,
        };
        let computer = || Computer { state: State::default(), messages: Vec::new(), kept_in_mind: None };
        Walk {
            random: Random::new(seed),
            size,
            model: Snapshot { rules: RIGHT, bounds },
            computers: (0..size.computers).map(|_| computer()).collect(),
            writer: Writer::new(size.computers, size.gateways),
            proposals: Vec::new(),
            left: size.events,
        }
    }

    /// The first line.
    pub fn header(&self) -> String {
        let header = Header {
            format: FORMAT,
            schema: schema_hash(),
            protocol: self.model.name().to_owned(),
            implementation: Implementation { name: "walk".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            store: "model".to_owned(),
            processes: self.writer.processes(),
            claims: Verb::of(self.model.name()).collect(),
            lossy: false,
        };
        line(&header)
    }

    /// The whole trace as text, with its header.
    pub fn text(mut self) -> String {
        let mut text = self.header();
        for line in &mut self {
            text.push('\n');
            text.push_str(&line);
        }
        text.push('\n');
        text
    }

    /// Takes a step of some computer, and says which, if there was one that may be written down.
    fn step(&mut self) -> Option<(usize, Action)> {
        let at = self.random.below(self.size.computers);
        let action = match self.random.is_chosen(LATE) {
            true => self.deliver_again(at)?,
            false => self.propose(at)?,
        };
        remember(&mut self.computers[at], &action, &mut self.random);
        Some((at, action))
    }

    fn propose(&mut self, at: usize) -> Option<Action> {
        let state = &mut self.computers[at].state;
        self.proposals.clear();
        self.model.actions(state, &mut self.proposals);
        for _ in 0..TRIES {
            let action = self.proposals[self.random.below(self.proposals.len())];
            if !self.random.is_chosen(weight(&action)) {
                continue;
            }
            let Some(line) = self.writer.as_a_line(state, &action) else { continue };
            if self.model.apply(state, &action).is_ok() {
                return Some(line);
            }
        }
        None
    }

    /// Delivers a message that may long be dead, and takes whatever the model says becomes of it.
    fn deliver_again(&mut self, at: usize) -> Option<Action> {
        let Computer { state, messages, kept_in_mind } = &mut self.computers[at];
        if messages.is_empty() {
            return None;
        }
        let goes_back = kept_in_mind.filter(|_| self.random.is_chosen(GOES_BACK));
        let attempt = match goes_back {
            Some(page) => decided_now(state, page),
            None => messages[self.random.below(messages.len())],
        };
        // A wipe is written down as what it was before it was obeyed.
        let line = self.writer.as_a_line(state, &late::delivered(state, attempt))?;
        let arrived = late::arrive(&self.model.rules, state, attempt)?;
        Some(if matches!(arrived, Action::Refuse(..)) { arrived } else { line })
    }
}

impl Iterator for Walk {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let (at, action) = loop {
            // A computer may have nothing to do that may be written down; there are others.
            if let Some(step) = self.step() {
                break step;
            }
        };
        let author = Author { computer: at, gateway: Gateway(self.random.below(self.size.gateways as usize) as u32) };
        let event: Event<'_> = self.writer.event(author, &self.computers[at].state, &action);
        Some(line(&event))
    }
}

/// How often in a thousand a proposal of this kind is taken.
fn weight(action: &Action) -> usize {
    match action {
        Action::Ask(_) | Action::Register(..) | Action::Learn(_) | Action::Finish(..) | Action::Answer(..) => 1000,
        Action::Save(_) | Action::Wipe(..) | Action::SendWipe(..) => 700,
        Action::Begin(_) | Action::Resolve(_) | Action::Perform(_) => 500,
        Action::Load(_) => 300,
        Action::Refuse(Attempt::Save(_) | Attempt::Wipe(_) | Attempt::Resolve(_) | Attempt::Perform(_), _) => 100,
        Action::Refuse(..) => 10,
        Action::Restart(_) => 15,
        Action::Claim(..) => 10,
        Action::Crash(_) | Action::Rollback(_) => 5,
        Action::Stamp(..) | Action::Forward(_) | Action::Discard(_) => 0,
    }
}

/// A rollback to this page by somebody who has just looked which incarnation is the current one.
fn decided_now(state: &State, to: Cited) -> Attempt {
    let expected = state.store.incarnation;
    Attempt::Rollback(Rollback { to, expected, minted: Incarnation(expected.0 + 1) })
}

/// Keeps some of the messages that were sent, and of the pages that were shown.
fn remember(computer: &mut Computer, action: &Action, random: &mut Random) {
    let Computer { state, messages, kept_in_mind } = computer;
    if let Action::Load(Some(page)) = *action
        && random.is_chosen(KEPT_IN_MIND)
    {
        *kept_in_mind = Some(page);
    }
    let Some(sent) = late::sent(state, action) else { return };
    if messages.len() == REMEMBERED {
        messages.swap_remove(random.below(REMEMBERED));
    }
    messages.push(sent);
}
