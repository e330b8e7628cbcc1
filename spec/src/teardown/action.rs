//! One step of one participant, with the values that it saw or used.

use std::fmt;

use super::state::*;
use crate::protocol::Lane;
use crate::requirement::Requirement;

/// One step of one participant. The variants stand in the order of [`KINDS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Store: this owner, the next one, takes the name.
    Own(Owner),
    /// Store: the owner is hidden.
    Trash,
    /// Store: the teardown of a hidden owner's instance is requested.
    Request,
    /// Store: the owner is back, and is told what it has.
    Restore(Restored),
    /// Store: the owner is gone for good, and its record with it.
    Purge,
    /// Store: somebody deletes the record.
    Delete,
    /// Store: the deadline moves on.
    Renew,
    /// Store: the owner is given this instance.
    Attach(Instance),
    /// Clock: the deadline passes.
    Expire,
    /// Store: an intent to create for this token is open.
    Intend(Token),
    /// Worker: asks the provider to create.
    Call(Token),
    /// Provider: creates this instance for this token.
    Create(Token, Instance),
    /// Provider: will never create for this token.
    Revoke(Token),
    /// Store: what was created for this token is the owner's.
    Record(Token, Instance),
    /// Store: what was created for this token is nobody's: its owner is not active, or has no use for it.
    Orphan(Token, Instance),
    /// Store: nothing will come of this token.
    Close(Token),
    /// Provider: an outsider creates this instance at the name.
    Intrude(Instance),
    /// Provider: this instance dies by itself.
    Die(Instance),
    /// Provider: the node of this instance is out of reach.
    CutOff(Instance),
    /// Provider: the node of this instance is fenced, which ends it.
    Fence(Instance),
    /// Store: an inventory has found this instance, and a read has confirmed it.
    Quarantine(Instance),
    /// Worker: reads what is due.
    List(Worker, Instance, Found),
    /// Store: the kill of what this worker has read is claimed.
    Claim(Worker, Instance),
    /// Worker: calls the provider.
    Send(Worker, Instance),
    /// Provider: a call to kill this instance arrives.
    Kill(Instance),
    /// Provider: a delete by name, which has found this instance, lands.
    Land(Instance),
    /// Provider: a delete by name, which has found this instance, is lost.
    Lose(Instance),
    /// Worker: hears what the provider answers.
    Hear(Worker, Answer),
    /// Store: the instance is dead, and nothing points at it any more.
    Release(Worker, Count),
    /// Store: nothing is proven, and it is tried again later.
    Note(Worker),
    /// Store: nothing is proven, too often.
    GiveUp(Worker),
    /// Worker: dies, and remembers nothing.
    Crash(Worker),
    /// Meter: takes down whether this instance runs.
    Meter(Instance, bool),
    /// Store: whoever holds the name is the owner's. Only rejected variants do it.
    Adopt(Instance),
    /// Whoever was asked: does not do it, because of this requirement.
    Refuse(Attempt, Requirement),
}

/// What a restore tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Restored {
    /// Everything is as it was.
    Whole,
    /// The instance is lost; the rest is as it was.
    InstanceLost,
}

/// What became of a pointer, as a sweep counts it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Count {
    /// This sweep has ended its instance.
    Reclaimed,
    /// Its instance was gone.
    Gone,
    /// Another held its name.
    Replaced,
    /// Somebody else had released it.
    Skipped,
}

/// What can be refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Attempt {
    /// By the store.
    Purge,
    /// By the store.
    Renew,
    /// By the store.
    Attach,
    /// By the store.
    Intend,
    /// By the provider.
    Create(Token),
    /// By the store.
    Record(Token),
    /// By the store.
    Close(Token),
    /// By the store: the errand is over.
    Claim(Worker, Instance),
    /// By the provider.
    Kill(Instance),
}

/// The kinds of actions, with one kind of refusal for each thing that can be refused.
pub const KINDS: &[&str] = &[
    "own",
    "trash",
    "request",
    "restore",
    "purge",
    "delete",
    "renew",
    "attach",
    "expire",
    "intend",
    "call",
    "create",
    "revoke",
    "record",
    "orphan",
    "close",
    "intrude",
    "die",
    "cut-off",
    "fence",
    "quarantine",
    "list",
    "claim",
    "send",
    "kill",
    "land",
    "lose",
    "hear",
    "release",
    "note",
    "give-up",
    "crash",
    "meter",
    "adopt",
    "refuse-purge",
    "refuse-renew",
    "refuse-attach",
    "refuse-intend",
    "refuse-create",
    "refuse-record",
    "refuse-close",
    "refuse-claim",
    "refuse-kill",
];

/// The owner, the workers, the store, and the provider.
pub const LANES: &[Lane] = &[OWNER, WORKER, STORE, PROVIDER];
const OWNER: Lane = Lane("owner");
const WORKER: Lane = Lane("worker");
const STORE: Lane = Lane("store");
const PROVIDER: Lane = Lane("provider");

impl Action {
    /// The place in [`KINDS`].
    #[inline]
    pub fn kind(&self) -> usize {
        match self {
            Action::Own(_) => 0,
            Action::Trash => 1,
            Action::Request => 2,
            Action::Restore(_) => 3,
            Action::Purge => 4,
            Action::Delete => 5,
            Action::Renew => 6,
            Action::Attach(_) => 7,
            Action::Expire => 8,
            Action::Intend(_) => 9,
            Action::Call(_) => 10,
            Action::Create(..) => 11,
            Action::Revoke(_) => 12,
            Action::Record(..) => 13,
            Action::Orphan(..) => 14,
            Action::Close(_) => 15,
            Action::Intrude(_) => 16,
            Action::Die(_) => 17,
            Action::CutOff(_) => 18,
            Action::Fence(_) => 19,
            Action::Quarantine(_) => 20,
            Action::List(..) => 21,
            Action::Claim(..) => 22,
            Action::Send(..) => 23,
            Action::Kill(_) => 24,
            Action::Land(_) => 25,
            Action::Lose(_) => 26,
            Action::Hear(..) => 27,
            Action::Release(..) => 28,
            Action::Note(_) => 29,
            Action::GiveUp(_) => 30,
            Action::Crash(_) => 31,
            Action::Meter(..) => 32,
            Action::Adopt(_) => 33,
            Action::Refuse(attempt, _) => 34 + attempt.kind(),
        }
    }

    /// Whether it changes nothing: who is given an instance, or meters one, nor who is refused, but for a worker that
    /// has lost its claim.
    #[inline]
    pub fn only_looks(&self) -> bool {
        let is_a_refusal = matches!(self, Action::Refuse(..));
        let loses_a_claim = matches!(self, Action::Refuse(Attempt::Claim(..), _));
        (is_a_refusal && !loses_a_claim) || matches!(self, Action::Attach(_) | Action::Meter(..))
    }

    /// Who takes it.
    pub fn lane(&self) -> Lane {
        match self {
            Action::Own(_)
            | Action::Trash
            | Action::Request
            | Action::Restore(_)
            | Action::Purge
            | Action::Delete
            | Action::Renew
            | Action::Attach(_) => OWNER,
            Action::Call(_) | Action::List(..) | Action::Send(..) | Action::Hear(..) | Action::Crash(_) => WORKER,
            Action::Expire
            | Action::Intend(_)
            | Action::Record(..)
            | Action::Orphan(..)
            | Action::Close(_)
            | Action::Quarantine(_)
            | Action::Claim(..)
            | Action::Release(..)
            | Action::Note(_)
            | Action::GiveUp(_)
            | Action::Adopt(_) => STORE,
            Action::Create(..)
            | Action::Revoke(_)
            | Action::Intrude(_)
            | Action::Die(_)
            | Action::CutOff(_)
            | Action::Fence(_)
            | Action::Kill(_)
            | Action::Land(_)
            | Action::Lose(_)
            | Action::Meter(..) => PROVIDER,
            Action::Refuse(Attempt::Create(_) | Attempt::Kill(_), _) => PROVIDER,
            Action::Refuse(
                Attempt::Purge
                | Attempt::Renew
                | Attempt::Attach
                | Attempt::Intend
                | Attempt::Record(_)
                | Attempt::Close(_)
                | Attempt::Claim(..),
                _,
            ) => STORE,
        }
    }
}

impl Attempt {
    fn kind(&self) -> usize {
        match self {
            Attempt::Purge => 0,
            Attempt::Renew => 1,
            Attempt::Attach => 2,
            Attempt::Intend => 3,
            Attempt::Create(_) => 4,
            Attempt::Record(_) => 5,
            Attempt::Close(_) => 6,
            Attempt::Claim(..) => 7,
            Attempt::Kill(_) => 8,
        }
    }
}

// ---------------------------------------------------------------------------------------------------- for people

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Own(owner) => write!(f, "{owner} takes the name"),
            Action::Trash => write!(f, "the owner is trashed"),
            Action::Request => write!(f, "asks that its instance be torn down"),
            Action::Restore(Restored::Whole) => write!(f, "the owner is restored, with all that it had"),
            Action::Restore(Restored::InstanceLost) => write!(f, "the owner is restored, without its instance"),
            Action::Purge => write!(f, "the owner is purged"),
            Action::Delete => write!(f, "somebody deletes the record"),
            Action::Renew => write!(f, "the deadline is moved on"),
            Action::Attach(instance) => write!(f, "the owner is given {instance}"),
            Action::Expire => write!(f, "the deadline passes"),
            Action::Intend(token) => write!(f, "notes an intent to create: {token}"),
            Action::Call(token) => write!(f, "asks for an instance: {token}"),
            Action::Create(token, instance) => write!(f, "creates {instance} for {token}"),
            Action::Revoke(token) => write!(f, "revokes {token}"),
            Action::Record(token, instance) => write!(f, "records {instance}, made for {token}"),
            Action::Orphan(token, instance) => write!(f, "puts {instance}, made for {token}, into the outbox"),
            Action::Close(token) => write!(f, "closes the intent: {token}"),
            Action::Intrude(instance) => write!(f, "an outsider creates {instance} at the name"),
            Action::Die(instance) => write!(f, "{instance} dies by itself"),
            Action::CutOff(instance) => write!(f, "nobody reaches the node of {instance}"),
            Action::Fence(instance) => write!(f, "the node of {instance} is fenced"),
            Action::Quarantine(instance) => write!(f, "quarantines {instance}, found in an inventory"),
            Action::List(worker, instance, found) => write!(f, "{worker} reads {instance}, {found}"),
            Action::Claim(worker, instance) => write!(f, "{worker} claims the kill of {instance}"),
            Action::Send(worker, instance) => write!(f, "{worker} sends a call to kill {instance}"),
            Action::Kill(instance) => write!(f, "obeys a call to kill {instance}"),
            Action::Land(instance) => write!(f, "deletes by name, having found {instance}"),
            Action::Lose(instance) => write!(f, "a delete by name is lost that had found {instance}"),
            Action::Hear(worker, answer) => write!(f, "{worker} hears: {answer}"),
            Action::Release(worker, count) => write!(f, "{worker} releases the pointer, counted as {count}"),
            Action::Note(worker) => write!(f, "{worker} notes that nothing is proven"),
            Action::GiveUp(worker) => write!(f, "{worker} gives the pointer up"),
            Action::Crash(worker) => write!(f, "{worker} dies, and starts anew"),
            Action::Meter(instance, true) => write!(f, "meters {instance}: it runs"),
            Action::Meter(instance, false) => write!(f, "meters {instance}: it does not run"),
            Action::Adopt(instance) => write!(f, "records {instance}, which holds the name"),
            Action::Refuse(attempt, because) => write!(f, "refuses {attempt}, by {because}"),
        }
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attempt::Purge => write!(f, "a purge"),
            Attempt::Renew => write!(f, "a renewal"),
            Attempt::Attach => write!(f, "to give the owner an instance"),
            Attempt::Intend => write!(f, "an intent to create"),
            Attempt::Create(token) => write!(f, "to create for {token}"),
            Attempt::Record(token) => write!(f, "to record what was made for {token}"),
            Attempt::Close(token) => write!(f, "to close the intent: {token}"),
            Attempt::Claim(worker, instance) => write!(f, "{worker} the claim on {instance}"),
            Attempt::Kill(instance) => write!(f, "to kill {instance}"),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Licensed(Licence::Teardown(trash)) => write!(f, "in the record, to be torn down for {trash}"),
            Found::Licensed(Licence::Deadline) => write!(f, "in the record, past its deadline"),
            Found::Claimed => write!(f, "in the record, claimed"),
            Found::Pointer(Place::Outbox) => write!(f, "in the outbox"),
            Found::Pointer(Place::Quarantine) => write!(f, "in quarantine"),
            Found::Pointer(Place::DeadLetters) => write!(f, "among the dead letters"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Killed => write!(f, "this call has ended it"),
            Answer::Gone => write!(f, "it is gone"),
            Answer::Replaced(actual) => write!(f, "{actual} holds its name"),
            Answer::Lives => write!(f, "it lives"),
            Answer::Unreachable => write!(f, "an error"),
            Answer::Unlisted => write!(f, "a list without it"),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Count::Reclaimed => "reclaimed",
            Count::Gone => "gone",
            Count::Replaced => "replaced",
            Count::Skipped => "skipped",
        })
    }
}
