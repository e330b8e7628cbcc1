//! What comes when it has long been decided against. The search forgets what is refused for ever: the look of a sweep
//! that an operation has overtaken, the ending of a start that was stopped, a report that the row is past, a call below
//! the fence. Incident E is such a look. So each of them is tried once it is refused; a report once for each
//! requirement that refuses it, since the first to do so may hide that another does not.

use outlive_spec::operation::Operations;
use outlive_spec::operation::action::{Action, Attempt, Conclusion};
use outlive_spec::operation::rules::observed;
use outlive_spec::operation::state::{Kind, Memory, Operation, Stage, State};
use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement;

use crate::generate::protocol::Scripted;

/// The refusals that were told.
#[derive(Default)]
pub(super) struct Late {
    told: Vec<(Attempt, Requirement)>,
}

impl Late {
    /// The next thing that is refused, with what leads to it: something that this state remembers, and the searched one
    /// does not.
    pub(super) fn next(&mut self, protocol: &Operations, state: &State, searched: &State) -> Option<Vec<Action>> {
        let memories = state.gateways.iter().map(|memory| (memory, searched.gateways.get(memory.gateway)));
        let ending = |(memory, known): (&Memory, Option<&Memory>)| {
            let operation = memory.operation.filter(|_| known.is_some_and(|known| known.operation.is_none()))?;
            refused(protocol, state, ending(protocol, state, memory, &operation)?)
        };
        let look = |(memory, known): (&Memory, Option<&Memory>)| {
            let is_over = memory.look.is_some() && known.is_some_and(|known| known.look.is_none());
            refused(protocol, state, look(protocol, state, memory).filter(|_| is_over)?)
        };
        memories.clone().find_map(ending).or_else(|| memories.clone().find_map(look)).or_else(|| {
            let calls = state.calls.iter().filter(|call| call.kind == Kind::Start && !searched.calls.contains(call));
            let gateway = state.gateways.iter().next()?.gateway;
            let reports = state.reports.iter().filter(|report| !searched.reports.contains(report));
            let reports = reports
                .map(|&report| Action::Deliver(gateway, report, protocol.rules.conclusion(state.row.phase, report)));
            let mut late = calls.map(|&call| Action::Arrive(call)).chain(reports);
            late.find_map(|action| refused(protocol, state, vec![action]).filter(|told| self.is_new(told)))
        })
    }

    fn is_new(&mut self, refusal: &[Action]) -> bool {
        let Some(Action::Refuse(attempt, because)) = refusal.last() else { return false };
        let is_new = !self.told.contains(&(*attempt, *because));
        self.told.extend(is_new.then_some((*attempt, *because)));
        is_new
    }
}

/// What the gateway hears of its operation, and that it would settle it.
fn ending(protocol: &Operations, state: &State, memory: &Memory, operation: &Operation) -> Option<Vec<Action>> {
    let gateway = memory.gateway;
    let settle = |outcome| Action::Settle(gateway, operation.call(), outcome);
    match operation.stage {
        Stage::Begun => None,
        Stage::Sent => {
            let outcome = protocol.rules.outcome(state, operation)?;
            Some(vec![Action::Hear(gateway, outcome, state.provider.mark), settle(outcome)])
        }
        Stage::Heard(outcome, _) => Some(vec![settle(outcome)]),
    }
}

/// What the sweep of the gateway sees, unless it has seen it, and that it would write it.
fn look(protocol: &Operations, state: &State, memory: &Memory) -> Option<Vec<Action>> {
    let look = memory.look?;
    let now = observed(state, look.launch);
    let conclusion = protocol.rules.conclusion(state.row.phase, look.seen.unwrap_or(now));
    let get = look.seen.is_none().then_some(Action::Get(memory.gateway, now));
    let conclude = Action::Conclude(memory.gateway, conclusion);
    (conclusion != Conclusion::Nothing).then(|| get.into_iter().chain([conclude]).collect())
}

/// The same, with the refusal in place of the last action; none, if it is not refused.
fn refused(protocol: &Operations, state: &State, mut actions: Vec<Action>) -> Option<Vec<Action>> {
    let (last, mut state) = (actions.pop()?, state.clone());
    for action in &actions {
        protocol.apply(&mut state, action).ok()?;
    }
    let because = protocol.apply(&mut state, &last).err()?.requirement;
    let refusal = Operations::refusal(&last, because)?;
    protocol.apply(&mut state, &refusal).ok()?;
    actions.push(refusal);
    Some(actions)
}
