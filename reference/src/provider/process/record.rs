//! What the folder has of one computer.

use serde::{Deserialize, Serialize};

use super::identity::ProcessIdentity;
use super::program::{Program, RestartPolicy};
use super::steps::Step;
use crate::error::{InvalidId, ProviderError};
use crate::id::{ComputerId, InstanceId, Launch, Mark};
use crate::provider::{Condition, EndKind, Observation, Seen};
use crate::store::operation::Kind;

/// What the folder has of one computer. It is never deleted: without its instance it is the tombstone that keeps the
/// fence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) computer: ComputerId,
    /// Neither this launch nor an older one comes up any more.
    pub(super) fenced: Launch,
    /// The same, without the ends that wait for the instance to die: only once it is dead they have arrived.
    pub(super) arrived: Launch,
    /// The ends that wait, in their order. Each covers the instance.
    pub(super) ends: Vec<BegunEnd>,
    /// How many processes there were. The number tells apart by what each says that it is ready.
    pub(super) births: u64,
    pub(super) instance: Option<Instance>,
    /// The last report.
    pub(super) reported: Option<Observation>,
    /// What was done here and is not written yet: it is told once it is.
    #[serde(skip)]
    pub(super) steps: Vec<Step>,
}

/// An end that is written down, and waits for the instance to die.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BegunEnd {
    up_to: Launch,
    is_removal: bool,
}

impl BegunEnd {
    fn kind(self) -> Kind {
        if self.is_removal { Kind::Delete } else { Kind::Stop }
    }
}

/// The instance that there is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Instance {
    pub(super) id: InstanceId,
    pub(super) launch: Launch,
    /// It was not ended, so its policy may start it again.
    pub(super) is_armed: bool,
    /// An end has arrived, and not only a start that is about to take its place.
    is_ended: bool,
    /// Since then it was told that the policy was refused. Once is enough, for the policy has its turn again and again.
    is_refused: bool,
    /// How it was when that was told last, where it is told at all.
    told: Condition,
    pub(super) program: Program,
    pub(super) process: ProcessIdentity,
}

impl Instance {
    /// One that was just born.
    pub(super) fn new(id: InstanceId, launch: Launch, program: Program, process: ProcessIdentity) -> Instance {
        let (is_ended, is_refused, told) = (false, false, Condition::Booting);
        Instance { id, launch, is_armed: true, is_ended, is_refused, told, program, process }
    }
}

impl Record {
    /// Of a computer that nobody has started.
    pub(super) fn new(computer: ComputerId) -> Record {
        let (fenced, arrived) = (Launch::NONE, Launch::NONE);
        let (ends, instance, reported, steps) = (Vec::new(), None, None, Vec::new());
        Record { computer, fenced, arrived, ends, births: 0, instance, reported, steps }
    }

    /// The instance, if it is of this launch or an older one.
    pub(super) fn instance_up_to(&mut self, launch: Launch) -> Option<&mut Instance> {
        self.instance.as_mut().filter(|it| !it.launch.is_newer_than(launch))
    }

    /// The place of the last report.
    pub(super) fn mark(&self) -> Mark {
        self.reported.as_ref().map_or(Mark::START, |report| report.mark)
    }

    /// What is there, with the place of the last report before it.
    pub(super) fn observation(&self, seen: Option<Seen>) -> Observation {
        let launch = self.instance.as_ref().map_or(self.fenced, |it| it.launch);
        Observation { computer: self.computer.clone(), launch, seen, mark: self.mark() }
    }

    /// Makes a report of what is there, if that is news. It must be written before anybody hears of it.
    pub(super) fn report(&mut self, seen: Option<Seen>) -> Result<bool, ProviderError> {
        let now = self.observation(seen);
        let is_news = match &self.reported {
            Some(last) => *last != now,
            None => now.seen.is_some(),
        };
        if is_news {
            let mark = now.mark.next().map_err(|error: InvalidId| ProviderError::refused(error))?;
            self.reported = Some(Observation { mark, ..now });
            self.steps.push(Step::Report);
        }
        Ok(is_news)
    }

    /// A start brings this instance up.
    pub(super) fn begin(&mut self, instance: Instance) {
        (self.fenced, self.arrived) = (instance.launch, instance.launch);
        self.steps.push(Step::Arrive(Kind::Start, instance.launch));
        self.instance = Some(instance);
    }

    /// An end is written down: what it fences never comes up, and what it covers is started by nobody again. It has
    /// arrived once nothing of that runs.
    pub(super) fn begin_end(&mut self, up_to: Launch, kind: EndKind) {
        self.fenced = self.fenced.or_newer(up_to);
        let end = BegunEnd { up_to, is_removal: kind == EndKind::Remove };
        let Some(instance) = self.instance_up_to(up_to) else { return self.arrive(end) };
        instance.is_armed = false;
        if !self.ends.contains(&end) {
            self.ends.push(end);
        }
    }

    /// The instance was looked at, and is like this. What waited for its death is done now. Whether anything follows.
    pub(super) fn learn(&mut self, now: Condition, is_told: bool) -> bool {
        let is_over = now == Condition::Exited && !self.ends.is_empty();
        let Some(instance) = self.instance.as_mut() else { return false };
        let is_news = is_told && instance.told != now;
        if is_news {
            instance.told = now;
            match now {
                Condition::Up => self.steps.push(Step::Admit(instance.launch)),
                Condition::Exited => self.steps.push(Step::Exit(instance.launch)),
                // Only a revival leads there, which tells of itself.
                Condition::Booting => {}
            }
        }
        if is_over {
            // All of them before anybody sees that it is dead.
            std::mem::take(&mut self.ends).into_iter().for_each(|end| self.arrive(end));
        }
        is_news || is_over
    }

    fn arrive(&mut self, end: BegunEnd) {
        self.arrived = self.arrived.or_newer(end.up_to);
        self.steps.push(Step::Arrive(end.kind(), end.up_to));
        if let Some(instance) = self.instance_up_to(end.up_to) {
            (instance.is_ended, instance.is_refused) = (true, false);
            if end.is_removal {
                self.instance = None;
            }
        }
    }

    /// The policy has its turn, and the instance has exited: whether it may be started again. If it is the first time
    /// that it may not, that is a step.
    pub(super) fn may_be_revived(&mut self) -> bool {
        let Some(instance) = self.instance.as_mut() else { return false };
        let has_policy = instance.program.restart_policy == RestartPolicy::Always;
        if has_policy && instance.is_ended && !instance.is_refused {
            instance.is_refused = true;
            self.steps.push(Step::RefuseRevive(instance.launch));
        }
        has_policy && instance.is_armed
    }

    /// The policy has started it again, as this process.
    pub(super) fn revive(&mut self, process: ProcessIdentity) {
        if let Some(instance) = self.instance.as_mut() {
            (instance.process, instance.told) = (process, Condition::Booting);
            self.steps.push(Step::Revive(instance.launch));
        }
    }

    /// What no writer of this file has written, if anything. Files are edited by others.
    pub(super) fn impossibility(&self, expected: &ComputerId) -> Option<&'static str> {
        if self.computer != *expected {
            return Some("it is of another computer");
        }
        if self.arrived.is_newer_than(self.fenced) {
            return Some("what has arrived is beyond the fence");
        }
        let Some(instance) = self.instance.as_ref() else {
            return (!self.ends.is_empty()).then_some("an end waits for nothing");
        };
        if self.ends.iter().any(|end| instance.launch.is_newer_than(end.up_to))
            || !self.ends.is_empty() && instance.is_armed
        {
            return Some("an end waits for another instance");
        }
        if instance.launch.is_newer_than(self.fenced) {
            return Some("its instance is beyond the fence");
        }
        if instance.process.pid < 1 {
            return Some("its process has no pid");
        }
        (self.births == 0).then_some("its instance was never born")
    }
}
