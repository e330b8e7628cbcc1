//! The steps: each reads a record under its lock, decides, and writes.

use std::io::{ErrorKind, PipeReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;

use super::birth::Held;
use super::failure::{lost, refused};
use super::folder::{Folder, Locked};
use super::identity::{self, Process, ProcessIdentity};
use super::program::Program;
use super::record::{Instance, Record};
use super::steps::Step;
use crate::error::ProviderError;
use crate::id::{ComputerId, InstanceId};
use crate::provider::{Condition, End, Ended, Get, Observation, Seen, Start, StartOutcome, Watch};
use crate::trace::ProviderRecorder;

/// How often somebody who watches looks. An exit wakes at once; a file that says "ready", and what another process
/// writes, do not.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub(super) type ProgramOf = Box<dyn Fn(&ComputerId) -> Program + Send + Sync>;

pub(super) struct Host {
    pub(super) folder: Folder,
    boot_id: String,
    /// Where the kernel shows its processes.
    proc: PathBuf,
    program_of: ProgramOf,
    pub(super) recorder: ProviderRecorder,
}

/// What one turn of the restart policy has done. `looked_at` is the sum of the others.
#[must_use = "what has failed is told here alone"]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Revival {
    /// How many computers have a record.
    pub looked_at: usize,
    /// How many were started again.
    pub revived: usize,
    /// How many are as they should be: they run, were ended, or have no such policy.
    pub left: usize,
    /// How many somebody else was at work on.
    pub passed_by: usize,
    /// How many could not be looked at or started.
    pub failed: usize,
}

impl Host {
    pub(super) fn open(path: &Path, program_of: ProgramOf, recorder: ProviderRecorder) -> Result<Host, ProviderError> {
        let proc = PathBuf::from("/proc");
        let boot_id = identity::boot_id().map_err(refused("reading", &proc))?;
        // Without it no process can be told from another.
        ProcessIdentity::of(&boot_id, std::process::id().cast_signed()).map_err(refused("reading", &proc))?;
        Ok(Host { folder: Folder::open(path)?, boot_id, proc, program_of, recorder })
    }

    pub(super) fn start(&self, call: &Start) -> Result<StartOutcome, ProviderError> {
        let program = (self.program_of)(&call.computer);
        loop {
            let locked = self.folder.lock(&call.computer)?;
            let mut record = locked.read()?;
            let seen = self.look(&locked, &mut record)?;
            // Whoever asks for the same again has not heard the answer.
            if let Some(same) = record.instance.as_ref().filter(|it| it.launch == call.launch && it.is_armed) {
                self.tell_step(&locked, &record, Step::RefuseStart(call.launch));
                return Ok(StartOutcome::Started { instance: same.id.clone() });
            }
            // RECONCILE-6: whoever has sent it may be dead, so nobody but the provider can hold it back.
            if !call.launch.is_newer_than(record.arrived) {
                self.tell_step(&locked, &record, Step::RefuseStart(call.launch));
                return Ok(StartOutcome::Fenced { up_to: record.fenced });
            }
            if let Some(old) = record.instance.as_mut()
                && seen.is_some_and(|seen| seen.condition != Condition::Exited)
            {
                // If an end waits for its death that fences this start as well, there is no answer before that.
                let (process, grace, was_armed) = (self.find(old)?, old.program.grace, old.is_armed);
                old.is_armed = false;
                if was_armed {
                    self.commit(&locked, &mut record)?;
                }
                // Anything may happen until it is dead, so all is looked at again.
                drop(locked);
                if let Some(process) = process {
                    process.end(grace).map_err(lost("ending a process of", &self.proc))?;
                }
                continue;
            }
            let held = self.spawn(&mut record, &program)?;
            let id = InstanceId::mint();
            record.begin(Instance::new(id.clone(), call.launch, program, held.identity().clone()));
            // Before it acts: nobody else knows who it is, if we die.
            self.commit(&locked, &mut record)?;
            held.release();
            return Ok(StartOutcome::Started { instance: id });
        }
    }

    pub(super) fn end(&self, call: End) -> Result<Ended, ProviderError> {
        let End { computer, up_to, kind } = call;
        let locked = self.folder.lock(&computer)?;
        let mut record = locked.read()?;
        // Before anything is killed: a start that was in time, or the restart policy, would bring it back.
        record.begin_end(up_to, kind);
        self.commit(&locked, &mut record)?;
        // A process may take its time, and whoever else asks for the computer does not wait for it.
        drop(locked);
        if let Some(old) = record.instance_up_to(up_to)
            && let Some(process) = self.find(old)?
        {
            process.end(old.program.grace).map_err(lost("ending a process of", &self.proc))?;
        }
        let locked = self.folder.lock(&computer)?;
        let mut record = locked.read()?;
        // It is dead, so that the end arrives here, unless somebody has seen before us that it is.
        self.look(&locked, &mut record)?;
        Ok(Ended { computer, up_to, mark: record.mark() })
    }

    pub(super) fn get(&self, call: &Get) -> Result<Observation, ProviderError> {
        if self.folder.read(&call.computer)?.is_none() {
            return Ok(Observation { launch: call.launch, ..Record::new(call.computer.clone()).observation(None) });
        }
        // Under the lock: a report of what was before would get a mark beyond that of this answer.
        let locked = self.folder.lock(&call.computer)?;
        let mut record = locked.read()?;
        let seen = self.look(&locked, &mut record)?;
        let launch = record.instance.as_ref().map_or(call.launch, |it| it.launch);
        Ok(Observation { launch, ..record.observation(seen) })
    }

    pub(super) fn list(&self) -> Result<Vec<Observation>, ProviderError> {
        let mut all = Vec::new();
        for computer in self.folder.computers()? {
            match computer.and_then(|computer| self.tell(&computer)) {
                Ok(report) => all.extend(report),
                // The others are there all the same, and a list may leave out what is there.
                Err(error) => tracing::warn!(%error, "a list leaves out a computer"),
            }
        }
        Ok(all)
    }

    pub(super) fn watch(&self, call: &Watch, caller: &PipeReader) -> Result<Observation, ProviderError> {
        loop {
            let report = self.tell(&call.computer)?;
            if let Some(report) = report.filter(|report| report.mark.is_beyond(call.after)) {
                return Ok(report);
            }
            let record = self.folder.read(&call.computer)?;
            let process = match record.and_then(|record| record.instance) {
                Some(instance) => self.find(&instance)?,
                None => None,
            };
            if !wait_for_news(process.as_ref(), caller)? {
                return Err(ProviderError::transport("nobody waits for the report any more"));
            }
        }
    }

    pub(super) fn revive(&self) -> Result<Revival, ProviderError> {
        let mut revival = Revival::default();
        for computer in self.folder.computers()? {
            revival.looked_at += 1;
            let count = match computer.and_then(|computer| self.revive_one(&computer)) {
                Ok(Some(true)) => &mut revival.revived,
                Ok(Some(false)) => &mut revival.left,
                Ok(None) => &mut revival.passed_by,
                Err(error) => {
                    tracing::warn!(%error, "a computer is not started again");
                    &mut revival.failed
                }
            };
            *count += 1;
        }
        Ok(revival)
    }

    pub(super) fn process_of(&self, computer: &ComputerId) -> Result<Option<ProcessIdentity>, ProviderError> {
        let record = self.folder.read(computer)?;
        Ok(record.and_then(|record| record.instance).map(|instance| instance.process))
    }

    // -- what several steps do

    /// Makes a report of what is there, if that is news, and says the last one.
    fn tell(&self, computer: &ComputerId) -> Result<Option<Observation>, ProviderError> {
        let Some(record) = self.folder.read(computer)? else { return Ok(None) };
        // Somebody is at work on it: what was reported last was so then. Where it is recorded, that may not be so yet.
        let locked = match self.recorder.is_on() {
            true => Some(self.folder.lock(computer)?),
            false => self.folder.try_lock(computer)?,
        };
        let Some(locked) = locked else { return Ok(record.reported) };
        let mut record = locked.read()?;
        let (seen, has_learned) = self.learn(&mut record)?;
        let has_reported = record.report(seen)?;
        if has_learned || has_reported {
            // Before anybody hears of it: or its mark would be given to another.
            self.commit(&locked, &mut record)?;
        }
        Ok(record.reported)
    }

    /// Starts one again if that is its policy: whether it was, or nothing if somebody else is at work on it.
    fn revive_one(&self, computer: &ComputerId) -> Result<Option<bool>, ProviderError> {
        let Some(locked) = self.folder.try_lock(computer)? else { return Ok(None) };
        let mut record = locked.read()?;
        let seen = self.look(&locked, &mut record)?;
        if seen.is_none_or(|seen| seen.condition != Condition::Exited) {
            return Ok(Some(false));
        }
        // RECONCILE-14: disarmed by whoever has ended it, or the policy would undo that.
        if !record.may_be_revived() {
            if self.recorder.is_on() && !record.steps.is_empty() {
                self.commit(&locked, &mut record)?;
            }
            return Ok(Some(false));
        }
        let Some(program) = record.instance.as_ref().map(|it| it.program.clone()) else { return Ok(Some(false)) };
        let held = self.spawn(&mut record, &program)?;
        record.revive(held.identity().clone());
        self.commit(&locked, &mut record)?;
        held.release();
        Ok(Some(true))
    }

    /// A process that does nothing yet, and a number of its own for the word that it is ready.
    fn spawn(&self, record: &mut Record, program: &Program) -> Result<Held, ProviderError> {
        self.forget_ready(record);
        record.births += 1;
        let ready = self.folder.ready(&record.computer, record.births);
        let path = Path::new(&program.path);
        Held::spawn(&self.boot_id, program, &ready).map_err(|error| {
            // What is no argument is mended by nobody but its author.
            let is_no_program = matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::ArgumentListTooLong);
            if is_no_program { refused("starting", path)(error) } else { lost("starting", path)(error) }
        })
    }

    /// The file of a process that is gone. Nobody looks at it any more, so it only takes room.
    fn forget_ready(&self, record: &Record) {
        let _ = std::fs::remove_file(self.folder.ready(&record.computer, record.births));
    }

    /// Looks at what is there, under the lock. What is learned by it is told before anybody is answered.
    fn look(&self, locked: &Locked<'_>, record: &mut Record) -> Result<Option<Seen>, ProviderError> {
        let (seen, has_learned) = self.learn(record)?;
        if has_learned {
            self.commit(locked, record)?;
        }
        Ok(seen)
    }

    /// The same, without telling. Whether there is something to tell.
    fn learn(&self, record: &mut Record) -> Result<(Option<Seen>, bool), ProviderError> {
        let Some(instance) = &record.instance else { return Ok((None, false)) };
        let condition = if self.find(instance)?.is_none() {
            Condition::Exited
        } else {
            let ready = self.folder.ready(&record.computer, record.births);
            let is_ready = ready.try_exists().map_err(lost("looking for", &ready))?;
            if is_ready { Condition::Up } else { Condition::Booting }
        };
        let ready = self.folder.ready(&record.computer, record.births);
        let has_learned = record.learn(condition, self.recorder.is_on());
        if record.instance.is_none() {
            // It was removed. Nobody looks at its file any more, so it only takes room.
            let _ = std::fs::remove_file(ready);
        }
        let seen = record.instance.as_ref().map(|it| Seen { instance: it.id.clone(), condition });
        Ok((seen, has_learned))
    }

    fn find(&self, instance: &Instance) -> Result<Option<Process>, ProviderError> {
        instance.process.find(&self.boot_id).map_err(lost("looking for a process in", &self.proc))
    }
}

/// Waits until there may be news. False: nobody waits for them any more.
fn wait_for_news(process: Option<&Process>, caller: &PipeReader) -> Result<bool, ProviderError> {
    let mut news = vec![PollFd::new(caller, PollFlags::empty())];
    news.extend(process.map(|process| PollFd::new(process, PollFlags::IN)));
    let look_again = Timespec::try_from(LOOK_EVERY).ok();
    retry_on_intr(|| poll(&mut news, look_again.as_ref())).map_err(ProviderError::transport)?;
    Ok(!news[0].revents().contains(PollFlags::HUP))
}
