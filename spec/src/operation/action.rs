//! One step of one participant, with the values that it saw or used.

use std::fmt;

use super::state::{Call, Gateway, Kind, Launch, Mark, Observation, Outcome, Revision};
use crate::protocol::Lane;
use crate::requirement::Requirement;

/// One step of one participant. The variants stand in the order of [`KINDS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Store: a start of this launch begins, driven by this gateway.
    Start(Gateway, Launch),
    /// Store: the same, written by a release that knows of no claims.
    StartUnclaimed(Gateway, Launch),
    /// Store: a stop begins, in place of whatever is under way.
    Stop(Gateway),
    /// Store: a deletion begins, in place of whatever is under way.
    Delete(Gateway),
    /// Store: this gateway takes over what is under way, which is what this call asks for.
    Recover(Gateway, Call),
    /// Gateway: calls the provider.
    Send(Gateway, Call),
    /// Provider: does what the call asks for.
    Arrive(Call),
    /// Provider: the instance of this launch is admitted.
    Admit(Launch),
    /// Gateway: hears how its operation has ended.
    Hear(Gateway, Outcome, Mark),
    /// Gateway: gives its operation up, before or after anything was sent.
    Fail(Gateway),
    /// Store: the operation that sent this call ends.
    Settle(Gateway, Call, Outcome),
    /// Gateway: its sweep reads the row.
    Read(Gateway, Revision, Launch),
    /// Gateway: its sweep reads the provider.
    Get(Gateway, Observation),
    /// Store: what the sweep has seen is written; or nothing is, and the look is over.
    Conclude(Gateway, Conclusion),
    /// Provider: the instance of this launch exits.
    Exit(Launch),
    /// Provider: it starts the instance of this launch again, by its policy or by a restart of its own.
    Revive(Launch),
    /// Provider: somebody outside removes the instance of this launch.
    Vanish(Launch),
    /// Provider: tells how it is, unasked. A list may lack what is there.
    Report(Observation),
    /// Store: what the report says is written.
    Deliver(Gateway, Observation, Conclusion),
    /// Gateway: dies, and is back as another.
    Crash(Gateway, Gateway),
    /// Gateway: leaves its operation to whoever holds the gate. Only a rejected variant does.
    Yield(Gateway),
    /// Whoever was asked: does not do it, because of this requirement.
    Refuse(Attempt, Requirement),
}

/// What an observation leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conclusion {
    /// Nothing is written.
    Nothing,
    /// It runs, and was admitted.
    Ready,
    /// It does not run.
    Error,
    /// It is not there any more: a deletion begins, driven by whoever has seen it.
    Prune,
}

/// What can be refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Attempt {
    /// By the store.
    Start(Gateway),
    /// By the store.
    Stop(Gateway),
    /// By the store.
    Delete(Gateway),
    /// By the store: what is under way is not what this call asks for, or not left.
    Recover(Gateway, Call),
    /// By the provider.
    Arrive(Call),
    /// By the store: the gateway gives up the operation that sent this call.
    Settle(Gateway, Call),
    /// By the store: the look is over.
    Conclude(Gateway, Conclusion),
    /// By the store.
    Deliver(Gateway, Observation),
    /// By the provider.
    Revive(Launch),
}

/// The kinds of actions, with one kind of refusal for each thing that can be refused.
pub const KINDS: &[&str] = &[
    "start",
    "start-unclaimed",
    "stop",
    "delete",
    "recover",
    "send",
    "arrive",
    "admit",
    "hear",
    "fail",
    "settle",
    "read",
    "get",
    "conclude",
    "exit",
    "revive",
    "vanish",
    "report",
    "deliver",
    "crash",
    "yield",
    "refuse-start",
    "refuse-stop",
    "refuse-delete",
    "refuse-recover",
    "refuse-arrive",
    "refuse-settle",
    "refuse-conclude",
    "refuse-deliver",
    "refuse-revive",
];

/// The gateways, the store, and the provider.
pub const LANES: &[Lane] = &[GATEWAY, STORE, PROVIDER];
const GATEWAY: Lane = Lane("gateway");
const STORE: Lane = Lane("store");
const PROVIDER: Lane = Lane("provider");

impl Action {
    /// The place in [`KINDS`].
    #[inline]
    pub fn kind(&self) -> usize {
        match self {
            Action::Start(..) => 0,
            Action::StartUnclaimed(..) => 1,
            Action::Stop(_) => 2,
            Action::Delete(_) => 3,
            Action::Recover(..) => 4,
            Action::Send(..) => 5,
            Action::Arrive(_) => 6,
            Action::Admit(_) => 7,
            Action::Hear(..) => 8,
            Action::Fail(_) => 9,
            Action::Settle(..) => 10,
            Action::Read(..) => 11,
            Action::Get(..) => 12,
            Action::Conclude(..) => 13,
            Action::Exit(_) => 14,
            Action::Revive(_) => 15,
            Action::Vanish(_) => 16,
            Action::Report(_) => 17,
            Action::Deliver(..) => 18,
            Action::Crash(..) => 19,
            Action::Yield(_) => 20,
            Action::Refuse(attempt, _) => 21 + attempt.kind(),
        }
    }

    /// Who takes it.
    pub fn lane(&self) -> Lane {
        match self {
            Action::Start(..)
            | Action::StartUnclaimed(..)
            | Action::Stop(_)
            | Action::Delete(_)
            | Action::Recover(..)
            | Action::Settle(..)
            | Action::Conclude(..)
            | Action::Deliver(..) => STORE,
            Action::Send(..)
            | Action::Hear(..)
            | Action::Fail(_)
            | Action::Read(..)
            | Action::Get(..)
            | Action::Crash(..)
            | Action::Yield(_) => GATEWAY,
            Action::Arrive(_)
            | Action::Admit(_)
            | Action::Exit(_)
            | Action::Revive(_)
            | Action::Vanish(_)
            | Action::Report(_) => PROVIDER,
            Action::Refuse(Attempt::Arrive(_) | Attempt::Revive(_), _) => PROVIDER,
            Action::Refuse(
                Attempt::Start(_)
                | Attempt::Stop(_)
                | Attempt::Delete(_)
                | Attempt::Recover(..)
                | Attempt::Settle(..)
                | Attempt::Conclude(..)
                | Attempt::Deliver(..),
                _,
            ) => STORE,
        }
    }
}

impl Attempt {
    fn kind(&self) -> usize {
        match self {
            Attempt::Start(_) => 0,
            Attempt::Stop(_) => 1,
            Attempt::Delete(_) => 2,
            Attempt::Recover(..) => 3,
            Attempt::Arrive(_) => 4,
            Attempt::Settle(..) => 5,
            Attempt::Conclude(..) => 6,
            Attempt::Deliver(..) => 7,
            Attempt::Revive(_) => 8,
        }
    }
}

// --------------------------------------------------------------------------------------------------- for people

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Start(gateway, launch) => write!(f, "{gateway} begins a start: {launch}"),
            Action::StartUnclaimed(gateway, launch) => write!(f, "{gateway} begins a start without a claim: {launch}"),
            Action::Stop(gateway) => write!(f, "{gateway} begins a stop"),
            Action::Delete(gateway) => write!(f, "{gateway} begins a deletion"),
            Action::Recover(gateway, call) => write!(f, "{gateway} takes over {call}"),
            Action::Send(gateway, call) => write!(f, "{gateway} sends {call}"),
            Action::Arrive(call) => write!(f, "obeys {call}"),
            Action::Admit(launch) => write!(f, "admits {launch}"),
            Action::Hear(gateway, outcome, mark) => write!(f, "{gateway} hears: {outcome}, at {mark}"),
            Action::Fail(gateway) => write!(f, "{gateway} fails to start it"),
            Action::Settle(gateway, call, outcome) => write!(f, "{gateway} settles {call}: {outcome}"),
            Action::Read(gateway, revision, launch) => write!(f, "{gateway} reads the row: {revision}, {launch}"),
            Action::Get(gateway, observation) => write!(f, "{gateway} reads the provider: {observation}"),
            Action::Conclude(gateway, conclusion) => write!(f, "{gateway} {conclusion}"),
            Action::Exit(launch) => write!(f, "{launch} exits"),
            Action::Revive(launch) => write!(f, "starts {launch} again by itself"),
            Action::Vanish(launch) => write!(f, "somebody removes {launch}"),
            Action::Report(observation) => write!(f, "reports {observation}"),
            Action::Deliver(gateway, observation, conclusion) => {
                write!(f, "{gateway} is told {observation}, and {conclusion}")
            }
            Action::Crash(dead, next) => write!(f, "{dead} dies, and is back as {next}"),
            Action::Yield(gateway) => write!(f, "{gateway} leaves its operation to whoever holds the gate"),
            Action::Refuse(attempt, because) => write!(f, "refuses {attempt}, by {because}"),
        }
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attempt::Start(gateway) => write!(f, "{gateway} a start"),
            Attempt::Stop(gateway) => write!(f, "{gateway} a stop"),
            Attempt::Delete(gateway) => write!(f, "{gateway} a deletion"),
            Attempt::Recover(gateway, call) => write!(f, "{gateway} to take over {call}"),
            Attempt::Arrive(call) => write!(f, "{call}"),
            Attempt::Settle(gateway, call) => write!(f, "{gateway} to settle {call}"),
            Attempt::Conclude(gateway, conclusion) => write!(f, "that {gateway} {conclusion}"),
            Attempt::Deliver(gateway, observation) => write!(f, "{gateway} to write that {observation}"),
            Attempt::Revive(launch) => write!(f, "to start {launch} again"),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Start => write!(f, "a call to start {}", self.launch),
            Kind::Stop => write!(f, "a call to stop all up to {}", self.launch),
            Kind::Delete => write!(f, "a call to remove all up to {}", self.launch),
        }
    }
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Conclusion::Nothing => "leaves the row as it is",
            Conclusion::Ready => "writes that it is ready",
            Conclusion::Error => "writes an error",
            Conclusion::Prune => "begins a deletion of what is gone",
        })
    }
}
