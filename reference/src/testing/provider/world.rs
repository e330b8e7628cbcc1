//! What there is at a provider in memory: the rules that every provider keeps, in their shortest form.

use std::collections::BTreeMap;

use crate::id::{ComputerId, InstanceId, Launch, Mark};
use crate::provider::{Condition, End, EndKind, Ended, Get, Observation, Seen, Start, StartOutcome, Watch};

#[derive(Default)]
pub(super) struct World {
    computers: BTreeMap<ComputerId, Computer>,
    /// Every report, in the order in which things changed.
    reports: Vec<Observation>,
}

struct Computer {
    instance: Option<Instance>,
    /// Neither this launch nor an older one comes up any more.
    fenced: Launch,
    mark: Mark,
}

#[derive(Clone)]
struct Instance {
    id: InstanceId,
    launch: Launch,
    condition: Condition,
    /// The restart policy may start it again.
    is_armed: bool,
}

impl World {
    pub(super) fn start(&mut self, call: &Start) -> StartOutcome {
        let computer = self.computer(&call.computer);
        let same = computer.instance.as_ref().filter(|it| it.launch == call.launch && it.is_armed);
        if let Some(same) = same {
            return StartOutcome::Started { instance: same.id.clone() };
        }
        // Whoever has sent it may be dead, so nobody but the provider can hold it back.
        if !call.launch.is_newer_than(computer.fenced) {
            return StartOutcome::Fenced { up_to: computer.fenced };
        }
        let id = InstanceId::mint();
        let (launch, condition) = (call.launch, Condition::Booting);
        computer.fenced = launch;
        computer.instance = Some(Instance { id: id.clone(), launch, condition, is_armed: true });
        self.report(&call.computer);
        StartOutcome::Started { instance: id }
    }

    pub(super) fn end(&mut self, call: &End) -> Ended {
        let End { computer: id, up_to, kind } = call.clone();
        let computer = self.computer(&id);
        computer.fenced = computer.fenced.or_newer(up_to);
        if let Some(old) = computer.instance.as_mut().filter(|it| !it.launch.is_newer_than(up_to)) {
            let has_changed = old.condition != Condition::Exited || kind == EndKind::Remove;
            (old.condition, old.is_armed) = (Condition::Exited, false);
            if kind == EndKind::Remove {
                computer.instance = None;
            }
            if has_changed {
                self.report(&id);
            }
        }
        let mark = self.computer(&id).mark;
        Ended { computer: id, up_to, mark }
    }

    pub(super) fn get(&mut self, call: &Get) -> Observation {
        let computer = self.computer(&call.computer);
        let launch = computer.instance.as_ref().map_or(call.launch, |it| it.launch);
        Observation { launch, ..computer.observation(&call.computer) }
    }

    /// The last report on each computer, as of so many reports ago.
    pub(super) fn list(&self, age: usize, left_out: Option<&ComputerId>) -> Vec<Observation> {
        let until = self.reports.len().saturating_sub(age);
        let last: BTreeMap<_, _> = self.reports[..until].iter().map(|report| (&report.computer, report)).collect();
        last.into_iter().filter(|(computer, _)| Some(*computer) != left_out).map(|(_, report)| report.clone()).collect()
    }

    pub(super) fn report_beyond(&self, call: &Watch) -> Option<Observation> {
        let last = self.report_of_the_past(&call.computer, 0);
        last.filter(|report| report.mark.is_beyond(call.after))
    }

    pub(super) fn report_of_the_past(&self, computer: &ComputerId, age: usize) -> Option<Observation> {
        self.reports.iter().rev().filter(|report| report.computer == *computer).nth(age).cloned()
    }

    pub(super) fn is_armed(&self, computer: &ComputerId) -> bool {
        let instance = self.computers.get(computer).and_then(|it| it.instance.as_ref());
        instance.is_some_and(|it| it.is_armed)
    }

    /// From one condition to another; whether it was in the first.
    pub(super) fn turn(&mut self, computer: &ComputerId, from: Condition, to: Condition) -> bool {
        let Some(instance) = self.computer(computer).instance.as_mut().filter(|it| it.condition == from) else {
            return false;
        };
        instance.condition = to;
        self.report(computer);
        true
    }

    pub(super) fn vanish(&mut self, computer: &ComputerId) -> bool {
        let was_there = self.computer(computer).instance.take().is_some();
        if was_there {
            self.report(computer);
        }
        was_there
    }

    fn computer(&mut self, id: &ComputerId) -> &mut Computer {
        let unknown = || Computer { instance: None, fenced: Launch::NONE, mark: Mark::START };
        self.computers.entry(id.clone()).or_insert_with(unknown)
    }

    fn report(&mut self, id: &ComputerId) {
        let computer = self.computer(id);
        computer.mark = computer.mark.next().expect("a test has fewer than 2^53 changes");
        let report = computer.observation(id);
        self.reports.push(report);
    }
}

impl Computer {
    fn observation(&self, id: &ComputerId) -> Observation {
        let seen = |it: &Instance| Seen { instance: it.id.clone(), condition: it.condition };
        Observation {
            computer: id.clone(),
            launch: self.instance.as_ref().map_or(self.fenced, |it| it.launch),
            seen: self.instance.as_ref().map(seen),
            mark: self.mark,
        }
    }
}
