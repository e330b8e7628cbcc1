//! Random walks of the model, written down as traces: what a right implementation could have recorded.
//!
//! The steps are those that the model proposes, chosen by weights that make a busy day: computers that start, are
//! looked at and stop, with now and then an exit, a late report or a gateway that dies.

use outlive_spec::operation::action::{Action, Attempt};
use outlive_spec::operation::bounds::{Bounds, FAR};
use outlive_spec::operation::state::*;
use outlive_spec::operation::{Operations as Model, created};
use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{FORMAT, Header, Implementation, Verb, schema_hash};

use super::write::Writer;
use super::{Operations, RIGHT};
use crate::conform::track::Track;
use crate::conform::write::line;
use crate::random::Random;

/// How large a walk is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Computers that share the trace.
    pub computers: usize,
    /// Gateways that serve all of them.
    pub gateways: u32,
    /// Gateways that die, and are followed by another.
    pub deaths: u32,
    /// Events.
    pub events: u64,
}

/// Proposals that are tried before another computer has its turn.
const TRIES: usize = 48;
/// Calls, and reports, that are on their way to a computer at once. If there are more, the oldest are lost.
const ON_THEIR_WAY: usize = 8;

/// A trace in the making: its lines, one after the other, without the header.
pub struct Walk {
    random: Random,
    size: Size,
    model: Model,
    computers: Vec<State>,
    writer: Writer,
    proposals: Vec<Action>,
    /// The last number that a gateway of each computer may have.
    newest: u32,
    left: u64,
}

impl Walk {
    /// The walk of this seed.
    pub fn new(seed: u64, size: Size) -> Walk {
        let newest = size.gateways + size.deaths;
        Walk {
            random: Random::new(seed),
            size,
            model: Model { rules: RIGHT, bounds: Bounds { gateways: size.gateways, ..FAR } },
            computers: (0..size.computers).map(|_| created(size.gateways)).collect(),
            writer: Writer::new(newest),
            proposals: Vec::new(),
            newest,
            left: size.events,
        }
    }

    /// The first line.
    pub fn header(&self) -> String {
        let header = Header {
            format: FORMAT,
            schema: schema_hash(),
            protocol: Operations::PROTOCOL.to_owned(),
            implementation: Implementation { name: "walk".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            store: "model".to_owned(),
            processes: self.writer.processes(),
            claims: Verb::of(Operations::PROTOCOL).collect(),
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
    fn step(&mut self) -> Option<String> {
        let at = self.random.below(self.size.computers);
        self.proposals.clear();
        lose_the_oldest(&mut self.computers[at]);
        self.model.actions(&self.computers[at], &mut self.proposals);
        propose_other_launches(&self.computers[at], &mut self.proposals);
        for _ in 0..TRIES {
            let action = self.proposals[self.random.below(self.proposals.len())];
            let is_beyond = matches!(action, Action::Crash(_, next) if next.0 > self.newest);
            if is_beyond || !self.random.is_chosen(weight(&action)) {
                continue;
            }
            // What somebody has heard is told of the operation that it drove before the step.
            let before = self.computers[at].clone();
            if self.model.apply(&mut self.computers[at], &action).is_err() {
                continue;
            }
            let told = State { row: self.computers[at].row, ..before };
            return self.writer.event(at, &told, &action).map(|event| line(&event));
        }
        None
    }
}

impl Iterator for Walk {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        loop {
            // A computer may have nothing to do that may be written down; there are others.
            if let Some(line) = self.step() {
                return Some(line);
            }
        }
    }
}

/// Nobody forgets a message here because it would be refused, so that many are refused.
fn lose_the_oldest(state: &mut State) {
    if state.calls.len() > ON_THEIR_WAY {
        let oldest = state.calls.iter().map(|call| call.launch).min();
        state.calls.retain(|call| Some(call.launch) > oldest);
    }
    if state.reports.len() > ON_THEIR_WAY {
        let oldest = state.reports.iter().map(|report| report.mark).min();
        state.reports.retain(|report| Some(report.mark) > oldest);
    }
}

/// A search proposes that somebody takes over a start with another launch; that it is refused is what is recorded.
fn propose_other_launches(state: &State, out: &mut Vec<Action>) {
    let Some(kind) = state.row.phase.under_way() else { return };
    let call = Call { kind, launch: Launch(state.row.launch.0 + 1) };
    let attempts = state.gateways.iter().map(|memory| Attempt::Recover(memory.gateway, call));
    out.extend(attempts.map(|attempt| Action::Refuse(attempt, Requirement::Reconcile8)));
}

/// How often in a thousand a proposal of this kind is taken. What can be delivered again and again is taken seldom, and
/// so is what leaves little to do.
fn weight(action: &Action) -> usize {
    match action {
        Action::Send(..) | Action::Admit(_) | Action::Hear(..) | Action::Settle(..) => 700,
        Action::Start(..) | Action::Read(..) | Action::Get(..) | Action::Conclude(..) | Action::Recover(..) => 500,
        Action::Refuse(Attempt::Conclude(..) | Attempt::Settle(..), _) => 400,
        Action::Arrive(_) | Action::Refuse(Attempt::Recover(..), Requirement::Reconcile8) => 200,
        Action::Fail(_) | Action::Revive(_) | Action::Report(_) | Action::Exit(_) | Action::Deliver(..) => 100,
        Action::Stop(_) | Action::StartUnclaimed(..) | Action::Refuse(Attempt::Arrive(_), _) => 40,
        Action::Refuse(..) | Action::Vanish(_) | Action::Crash(..) => 10,
        Action::Delete(_) => 1,
        Action::Yield(_) => 0,
    }
}
