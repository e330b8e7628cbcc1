//! What there is at a provider in memory: the rules that every provider keeps, in their shortest form.

use std::collections::BTreeMap;

use crate::id::{ComputerId, InstanceId, Launch, Mark};
use crate::provider::{Condition, End, EndKind, Ended, Get, Observation, Seen, Start, StartOutcome, Watch};
use crate::store::operation::Kind;
use crate::trace::{ProviderRecorder, Written};

#[derive(Default)]
pub(super) struct World {
    computers: BTreeMap<ComputerId, Computer>,
    /// Every report, in the order in which things changed.
    reports: Vec<Observation>,
    recorder: ProviderRecorder,
    /// It reports what it is told to, and not every change.
    is_silent: bool,
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
    /// One that says what it does. It is said where it is done: whoever changes this world has it for itself.
    pub(super) fn recording(recorder: ProviderRecorder) -> World {
        World { recorder, ..World::default() }
    }

    /// The same, which reports no change by itself.
    pub(super) fn silent(recorder: ProviderRecorder) -> World {
        World { is_silent: true, ..World::recording(recorder) }
    }

    pub(super) fn start(&mut self, call: &Start) -> StartOutcome {
        match self.bring_up(call) {
            Ok(instance) => {
                submitted(self.recorder.arrive(&call.computer, Kind::Start, call.launch));
                self.changed(&call.computer);
                StartOutcome::Started { instance }
            }
            Err(unchanged) => {
                submitted(self.recorder.refuse_arrive(&call.computer, Kind::Start, call.launch));
                unchanged
            }
        }
    }

    /// An error, if nothing was changed.
    fn bring_up(&mut self, call: &Start) -> Result<InstanceId, StartOutcome> {
        let computer = self.computer(&call.computer);
        let same = computer.instance.as_ref().filter(|it| it.launch == call.launch && it.is_armed);
        if let Some(same) = same {
            return Err(StartOutcome::Started { instance: same.id.clone() });
        }
        // Whoever has sent it may be dead, so nobody but the provider can hold it back.
        if !call.launch.is_newer_than(computer.fenced) {
            return Err(StartOutcome::Fenced { up_to: computer.fenced });
        }
        let id = InstanceId::mint();
        let (launch, condition) = (call.launch, Condition::Booting);
        computer.fenced = launch;
        computer.instance = Some(Instance { id: id.clone(), launch, condition, is_armed: true });
        Ok(id)
    }

    pub(super) fn end(&mut self, call: &End) -> Ended {
        let End { computer: id, up_to, kind } = call.clone();
        let computer = self.computer(&id);
        computer.fenced = computer.fenced.or_newer(up_to);
        let mut has_changed = false;
        if let Some(old) = computer.instance.as_mut().filter(|it| !it.launch.is_newer_than(up_to)) {
            has_changed = old.condition != Condition::Exited || kind == EndKind::Remove;
            (old.condition, old.is_armed) = (Condition::Exited, false);
            if kind == EndKind::Remove {
                computer.instance = None;
            }
        }
        submitted(self.recorder.arrive(&id, kind.into(), up_to));
        if has_changed {
            self.changed(&id);
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

    /// The instance gets ready; whether it boots.
    pub(super) fn admit(&mut self, computer: &ComputerId) -> bool {
        let turned = self.turn(computer, |it| it.condition == Condition::Booting, Condition::Up);
        turned.is_some_and(|launch| self.happened(computer, self.recorder.admit(computer, launch)))
    }

    /// The instance exits; whether it runs.
    pub(super) fn exit(&mut self, computer: &ComputerId) -> bool {
        let turned = self.turn(computer, |it| it.condition != Condition::Exited, Condition::Exited);
        turned.is_some_and(|launch| self.happened(computer, self.recorder.exit(computer, launch)))
    }

    /// The restart policy has its turn; whether it starts the instance again.
    pub(super) fn revive(&mut self, computer: &ComputerId) -> bool {
        // A stop has disarmed it, or the policy would undo the stop.
        let may_be = |it: &Instance| it.condition == Condition::Exited && it.is_armed;
        if let Some(launch) = self.turn(computer, may_be, Condition::Booting) {
            return self.happened(computer, self.recorder.revive(computer, launch));
        }
        let instance = self.computer(computer).instance.as_ref();
        if let Some(launch) = instance.filter(|it| it.condition == Condition::Exited).map(|it| it.launch) {
            submitted(self.recorder.refuse_revive(computer, launch));
        }
        false
    }

    /// Somebody outside takes the instance away; whether it was there.
    pub(super) fn vanish(&mut self, computer: &ComputerId) -> bool {
        let taken = self.computer(computer).instance.take();
        taken.is_some_and(|it| self.happened(computer, self.recorder.vanish(computer, it.launch)))
    }

    /// Turns the instance, if it is like that. Which launch it is of.
    fn turn(
        &mut self,
        computer: &ComputerId,
        is_like_that: impl Fn(&Instance) -> bool,
        to: Condition,
    ) -> Option<Launch> {
        let instance = self.computer(computer).instance.as_mut().filter(|it| is_like_that(it))?;
        instance.condition = to;
        Some(instance.launch)
    }

    /// A change is told of right behind its own line.
    fn happened(&mut self, computer: &ComputerId, written: Written) -> bool {
        submitted(written);
        self.changed(computer);
        true
    }

    fn computer(&mut self, id: &ComputerId) -> &mut Computer {
        let unknown = || Computer { instance: None, fenced: Launch::NONE, mark: Mark::START };
        self.computers.entry(id.clone()).or_insert_with(unknown)
    }

    fn changed(&mut self, id: &ComputerId) {
        if !self.is_silent {
            self.report(id);
        }
    }

    /// Tells how the computer is, under the next mark.
    pub(super) fn report(&mut self, id: &ComputerId) -> Observation {
        let computer = self.computer(id);
        computer.mark = computer.mark.next().expect("a test has fewer than 2^53 changes");
        let report = computer.observation(id);
        submitted(self.recorder.report(&report));
        self.reports.push(report.clone());
        report
    }
}

/// Whoever waits for it would do so under the lock of the world. That it was submitted is enough for its place.
fn submitted(written: Written) {
    drop(written);
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
