//! The names of operations: which call an answer answers, which answer a save saves, which reference an act is from.

use std::collections::BTreeMap;

use outlive_spec::snapshot::action::{Action, Attempt};
use outlive_spec::snapshot::state::*;

/// The operations of one computer. Where several have sent the same message, the newest is meant.
#[derive(Default)]
pub(super) struct Operations {
    calls: BTreeMap<Stamp, u64>,
    answers: BTreeMap<Cited, u64>,
    acts: BTreeMap<Cited, u64>,
}

impl Operations {
    /// The operation of a step, which is this new one if the step begins one.
    pub(super) fn of(&mut self, action: &Action, new: u64) -> Option<u64> {
        match *action {
            Action::Begin(call) => {
                self.calls.insert(call.stamp, new);
                Some(new)
            }
            Action::Answer(call, generation) => {
                let operation = self.calls.get(&call.stamp).copied()?;
                self.answers.insert(Cited { stamp: call.stamp, generation }, operation);
                Some(operation)
            }
            Action::Resolve(cited) => {
                self.acts.insert(cited, new);
                Some(new)
            }
            Action::Refuse(Attempt::Resolve(_), _) => Some(new),
            Action::Refuse(Attempt::Answer(call), _) => self.calls.get(&call.stamp).copied(),
            Action::Save(save) | Action::Refuse(Attempt::Save(save), _) => self.answers.get(&save.cited).copied(),
            Action::Perform(act) | Action::Refuse(Attempt::Perform(act), _) => self.acts.get(&act.cited).copied(),
            Action::Restart(_)
            | Action::Ask(_)
            | Action::Register(..)
            | Action::Learn(_)
            | Action::Stamp(..)
            | Action::Claim(..)
            | Action::SendWipe(..)
            | Action::Wipe(..)
            | Action::Finish(..)
            | Action::Load(_)
            | Action::Discard(_)
            | Action::Forward(_)
            | Action::Rollback(_)
            | Action::Crash(_)
            | Action::Refuse(..) => None,
        }
    }
}
