//! The steps of a computer, as the trace is told of them: under the lock of its record, once they are written down, and
//! before anybody is answered.
//!
//! A process ends and gets ready without a word to us. That is a step where we learn of it. An end takes its time: it
//! is written down first, so that nothing comes up that it fences, and it *arrives* once nothing runs that it covers.
//!
//! The step is in the folder before it is in the trace. Whoever is killed in between has taken a step of which nobody
//! tells, and the trace is refused where something is seen of it.

use super::folder::Locked;
use super::host::Host;
use super::record::Record;
use super::thread;
use crate::error::ProviderError;
use crate::id::Launch;
use crate::store::operation::Kind;

/// What happens to a computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A call was done.
    Arrive(Kind, Launch),
    /// A start has come too late, or again.
    RefuseStart(Launch),
    /// The instance got ready.
    Admit(Launch),
    /// It has exited.
    Exit(Launch),
    /// The policy has started it again.
    Revive(Launch),
    /// The policy would have, and it was ended.
    RefuseRevive(Launch),
    /// The last report has got its mark.
    Report,
}

impl Host {
    /// Writes the record, and tells of the steps that it has taken.
    pub(super) fn commit(&self, locked: &Locked<'_>, record: &mut Record) -> Result<(), ProviderError> {
        locked.write(record)?;
        for step in std::mem::take(&mut record.steps) {
            self.tell_step(locked, record, step);
        }
        Ok(())
    }

    /// Tells of a step, and waits until that is durable: whoever has the lock next, in whatever process, tells of the
    /// next one.
    pub(super) fn tell_step(&self, _: &Locked<'_>, record: &Record, step: Step) {
        let (recorder, computer) = (&self.recorder, &record.computer);
        let written = match step {
            Step::Arrive(kind, launch) => recorder.arrive(computer, kind, launch),
            Step::RefuseStart(launch) => recorder.refuse_arrive(computer, Kind::Start, launch),
            Step::Admit(launch) => recorder.admit(computer, launch),
            Step::Exit(launch) => recorder.exit(computer, launch),
            Step::Revive(launch) => recorder.revive(computer, launch),
            Step::RefuseRevive(launch) => recorder.refuse_revive(computer, launch),
            Step::Report => match &record.reported {
                Some(report) => recorder.report(report),
                None => return,
            },
        };
        if let Err(error) = thread::wait(written) {
            // It has happened all the same. The trace says of itself that it lacks something.
            tracing::warn!(%error, "a step of a provider was not recorded");
        }
    }
}
