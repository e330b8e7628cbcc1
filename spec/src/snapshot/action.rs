//! One step of one participant, with the values that it saw or used.

use std::fmt;

use super::state::{Act, Call, Cited, Gateway, Generation, Incarnation, Life, Question, Save, WipeCall};
use crate::protocol::Lane;
use crate::requirement::Requirement;

/// One step of one participant. The variants stand in the order of [`KINDS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Computer: its process dies, and another starts. An eviction is the same.
    Restart(Life),
    /// Computer: a process that does not know who it is reads the current incarnation, and asks to follow it.
    Ask(Question),
    /// Store: the question mints this incarnation.
    Register(Question, Incarnation),
    /// Computer: the process learns who it is.
    Learn(Incarnation),
    /// Gateway: reads the current incarnation, and calls the computer.
    Begin(Call),
    /// Computer: takes the call, and hands out the page of this generation.
    Answer(Call, Generation),
    /// Gateway: stamps an answer after the fact. Only rejected variants do.
    Stamp(Save, Incarnation),
    /// Store: the save's page becomes the stored one.
    Save(Save),
    /// Store: a reset of this incarnation begins, driven by this gateway.
    Claim(Gateway, Incarnation),
    /// Gateway: finds a reset under way, its own or another's, and tells the computer to wipe.
    SendWipe(Gateway, Incarnation),
    /// Computer: wipes, forgets who it is, and counts on from here: from zero, or from where it was.
    Wipe(WipeCall, Life, Generation),
    /// Store: the reset of this incarnation ends, and this one is minted.
    Finish(Gateway, Incarnation, Incarnation),
    /// Gateway: loads the stored page, and shows it to an agent.
    Load(Option<Cited>),
    /// Agent: will not come back to this page. No trace shows it, and no rule needs it; it keeps a search small.
    Discard(Cited),
    /// Gateway: a reference into this page resolves, and the act goes to the computer.
    Resolve(Cited),
    /// Gateway: forwards an act whose reference did not resolve. Only a rejected variant does.
    Forward(Cited),
    /// Computer: acts.
    Perform(Act),
    /// Store: the page that was shown becomes the stored one again, in place of this incarnation; this one is minted.
    Rollback(Rollback),
    /// Gateway: dies, and is back without its memory.
    Crash(Gateway),
    /// Whoever was asked: does not do it, because of this requirement.
    Refuse(Attempt, Requirement),
}

/// What a rollback shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rollback {
    /// The older page.
    pub to: Cited,
    /// The incarnation that its author saw as the current one.
    pub expected: Incarnation,
    /// The incarnation that it becomes.
    pub minted: Incarnation,
}

/// What can be refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Attempt {
    /// By the store.
    Register(Question),
    /// By the computer.
    Answer(Call),
    /// By the store.
    Save(Save),
    /// By the store.
    Claim(Gateway, Incarnation),
    /// By the computer.
    Wipe(WipeCall),
    /// By the store.
    Finish(Gateway, Incarnation),
    /// By the gateway.
    Resolve(Cited),
    /// By the computer.
    Perform(Act),
    /// By the store.
    Rollback(Rollback),
}

/// The kinds of actions, with one kind of refusal for each thing that can be refused.
pub const KINDS: &[&str] = &[
    "restart",
    "ask",
    "register",
    "learn",
    "begin",
    "answer",
    "stamp",
    "save",
    "claim",
    "send-wipe",
    "wipe",
    "finish",
    "load",
    "discard",
    "resolve",
    "forward",
    "perform",
    "rollback",
    "crash",
    "refuse-register",
    "refuse-answer",
    "refuse-save",
    "refuse-claim",
    "refuse-wipe",
    "refuse-finish",
    "refuse-resolve",
    "refuse-perform",
    "refuse-rollback",
];

/// The computer, its gateways, and the store.
pub const LANES: &[Lane] = &[COMPUTER, GATEWAY, STORE];
const COMPUTER: Lane = Lane("computer");
const GATEWAY: Lane = Lane("gateway");
const STORE: Lane = Lane("store");

impl Action {
    /// The place in [`KINDS`].
    #[inline]
    pub fn kind(&self) -> usize {
        match self {
            Action::Restart(_) => 0,
            Action::Ask(_) => 1,
            Action::Register(..) => 2,
            Action::Learn(_) => 3,
            Action::Begin(_) => 4,
            Action::Answer(..) => 5,
            Action::Stamp(..) => 6,
            Action::Save(_) => 7,
            Action::Claim(..) => 8,
            Action::SendWipe(..) => 9,
            Action::Wipe(..) => 10,
            Action::Finish(..) => 11,
            Action::Load(_) => 12,
            Action::Discard(_) => 13,
            Action::Resolve(_) => 14,
            Action::Forward(_) => 15,
            Action::Perform(_) => 16,
            Action::Rollback(_) => 17,
            Action::Crash(_) => 18,
            Action::Refuse(Attempt::Register(_), _) => 19,
            Action::Refuse(Attempt::Answer(_), _) => 20,
            Action::Refuse(Attempt::Save(_), _) => 21,
            Action::Refuse(Attempt::Claim(..), _) => 22,
            Action::Refuse(Attempt::Wipe(_), _) => 23,
            Action::Refuse(Attempt::Finish(..), _) => 24,
            Action::Refuse(Attempt::Resolve(_), _) => 25,
            Action::Refuse(Attempt::Perform(_), _) => 26,
            Action::Refuse(Attempt::Rollback(_), _) => 27,
        }
    }

    /// Who takes it.
    pub fn lane(&self) -> Lane {
        match self {
            Action::Restart(_)
            | Action::Ask(_)
            | Action::Learn(_)
            | Action::Answer(..)
            | Action::Wipe(..)
            | Action::Perform(_) => COMPUTER,
            Action::Begin(_)
            | Action::Stamp(..)
            | Action::SendWipe(..)
            | Action::Load(_)
            | Action::Discard(_)
            | Action::Resolve(_)
            | Action::Forward(_)
            | Action::Crash(_) => GATEWAY,
            Action::Register(..) | Action::Save(_) | Action::Claim(..) | Action::Finish(..) | Action::Rollback(_) => {
                STORE
            }
            Action::Refuse(attempt, _) => match attempt {
                Attempt::Answer(_) | Attempt::Wipe(_) | Attempt::Perform(_) => COMPUTER,
                Attempt::Resolve(_) => GATEWAY,
                Attempt::Register(_)
                | Attempt::Save(_)
                | Attempt::Claim(..)
                | Attempt::Finish(..)
                | Attempt::Rollback(_) => STORE,
            },
        }
    }
}

// --------------------------------------------------------------------------------------------------- for people

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Restart(life) => write!(f, "the process dies, and {life} starts"),
            Action::Ask(question) => write!(f, "{} asks to follow {}", question.life, question.expected),
            Action::Register(question, minted) => write!(f, "{} is registered as {minted}", question.life),
            Action::Learn(incarnation) => write!(f, "learns that it is {incarnation}"),
            Action::Begin(call) => write!(f, "calls {} for a snapshot", call.stamp),
            Action::Answer(call, generation) => write!(f, "answers the call for {} with {generation}", call.stamp),
            Action::Stamp(save, incarnation) => {
                write!(f, "stamps the answer of {} as {incarnation}", save.cited.generation)
            }
            Action::Save(save) => write!(f, "saves {}", save.cited),
            Action::Claim(gateway, expected) => write!(f, "{gateway} begins a reset of {expected}"),
            Action::SendWipe(gateway, incarnation) => write!(f, "{gateway} sends a wipe of {incarnation}"),
            Action::Wipe(wipe, life, generation) => {
                write!(f, "obeys the wipe of {}: {life} begins, counting from {}", wipe.incarnation, generation.0)
            }
            Action::Finish(gateway, wiped, minted) => {
                write!(f, "{gateway} ends the reset: {wiped} was wiped, {minted} is open")
            }
            Action::Load(None) => write!(f, "loads, and finds nothing"),
            Action::Load(Some(cited)) => write!(f, "loads {cited}"),
            Action::Discard(cited) => write!(f, "will not come back to {cited}"),
            Action::Resolve(cited) => write!(f, "resolves a reference into {cited}"),
            Action::Forward(cited) => write!(f, "forwards an unresolved act on {cited}"),
            Action::Perform(act) => write!(f, "acts on {}", act.cited),
            Action::Rollback(rollback) => {
                write!(f, "rolls {} back to {}, and mints {}", rollback.expected, rollback.to, rollback.minted)
            }
            Action::Crash(gateway) => write!(f, "{gateway} crashes"),
            Action::Refuse(attempt, because) => write!(f, "refuses {attempt}, by {because}"),
        }
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attempt::Register(question) => write!(f, "to register {} after {}", question.life, question.expected),
            Attempt::Answer(call) => write!(f, "the call for {}", call.stamp),
            Attempt::Save(save) => write!(f, "to save {}", save.cited),
            Attempt::Claim(gateway, expected) => write!(f, "{gateway} a reset of {expected}"),
            Attempt::Wipe(wipe) => write!(f, "the wipe of {}", wipe.incarnation),
            Attempt::Finish(gateway, wiped) => write!(f, "{gateway} the end of a reset that wiped {wiped}"),
            Attempt::Resolve(cited) => write!(f, "a reference into {cited}"),
            Attempt::Perform(act) => write!(f, "to act on {}", act.cited),
            Attempt::Rollback(rollback) => write!(f, "a rollback to {}", rollback.to),
        }
    }
}
