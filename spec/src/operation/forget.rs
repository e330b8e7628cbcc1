//! What is refused for ever is forgotten: otherwise the search would count states that differ in nothing that matters,
//! and the walk of a trace would grow with its length.
//!
//! Each message is judged by the very guard that would refuse it, and then by whether that refusal lasts. A test
//! switches forgetting off and finds no difference.

use super::check::Check;
use super::rules::{Defers, Marks, Rules};
use super::state::*;

impl Rules {
    /// Forgets the calls that change nothing any more, and what nobody will write: reports, looks, and the outcomes of
    /// operations that another has taken the place of.
    #[inline]
    pub(super) fn forget(&self, state: &mut State) {
        if !self.forgets {
            return;
        }
        if !state.calls.is_empty() {
            let mut calls = std::mem::take(&mut state.calls);
            calls.retain(|call| self.may_change_something(state, *call));
            state.calls = calls;
        }
        if !state.reports.is_empty() {
            let mut reports = std::mem::take(&mut state.reports);
            reports.retain(|report| self.may_be_written(state, *report));
            state.reports = reports;
        }
        for at in 0..state.gateways.len() {
            let memory = state.gateways.at(at);
            let has_lost = !self.may_settle(state, memory);
            let looks_back = !self.may_conclude(state, memory);
            let memory = state.gateways.at_mut(at);
            memory.operation = memory.operation.filter(|_| !has_lost);
            memory.look = memory.look.filter(|_| !looks_back);
        }
    }

    /// The fence only rises, so a start below it is refused for ever. What ends launches has done so for ever, if none
    /// of them can come up again.
    fn may_change_something(&self, state: &State, call: Call) -> bool {
        let Provider { instance, fence, .. } = state.provider;
        let old = instance.filter(|it| it.launch <= call.launch);
        let lasts = !self.without.has(Check::ArriveIsNotFenced) && !self.without.has(Check::ReviveIsArmed);
        match call.kind {
            Kind::Start => self.check_arrive(state, call).is_ok(),
            Kind::Stop => fence <= call.launch || old.is_some_and(|it| it.runs() || it.is_armed) || !lasts,
            Kind::Delete => fence <= call.launch || old.is_some() || !lasts,
        }
    }

    /// Launches and marks only grow, and nothing leaves the phase of what is gone, if nothing may begin there.
    fn may_be_written(&self, state: &State, report: Observation) -> bool {
        let may_begin = [self.check_start(state), self.check_stop(state), self.check_delete(state)];
        let is_gone = state.row.phase == Phase::Gone && may_begin.iter().all(Result::is_err);
        let is_over = report.launch < state.row.launch && !self.without.has(Check::ReportIsOfThisLaunch);
        let is_behind =
            self.marks == Marks::Durable && report.mark <= state.row.mark && !self.without.has(Check::ReportIsAhead);
        !is_gone && !is_over && !is_behind && self.check_absence(report).is_ok()
    }

    /// Whoever has lost still calls, if its call changes something; and if it knows the outcome, it is told that it has
    /// lost. Otherwise nobody waits for it.
    fn may_settle(&self, state: &State, memory: &Memory) -> bool {
        let Some(operation) = memory.operation else { return true };
        let matters = match operation.stage {
            Stage::Begun => self.may_change_something(state, operation.call()),
            Stage::Sent => false,
            Stage::Heard(..) => true,
        };
        matters || self.check_settle(state, memory.gateway, operation.call()).is_ok()
    }

    /// A revision that has passed does not come back; and an operation that is under way ends with another revision.
    /// But a look may be good for more than to be concluded: it holds a gate, or it still tells how far the provider
    /// has come.
    fn may_conclude(&self, state: &State, memory: &Memory) -> bool {
        let Some(look) = memory.look else { return true };
        let tells_the_mark = self.marks != Marks::Durable && look.seen.is_none();
        if self.keeps_what_was_seen || self.sweep_holds_the_gate || tells_the_mark {
            return true;
        }
        let compares_revisions = !self.without.has(Check::WriteIsOverRead);
        let ends_with_the_operation = compares_revisions && self.defers == Defers::ToOperations;
        let rests = !ends_with_the_operation || self.check_rest(state, memory.gateway).is_ok();
        rests && self.check_over(state, &look).is_ok()
    }
}
