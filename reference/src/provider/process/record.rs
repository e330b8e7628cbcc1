//! What the folder has of one computer.

use serde::{Deserialize, Serialize};

use super::identity::ProcessIdentity;
use super::program::Program;
use crate::error::{InvalidId, ProviderError};
use crate::id::{ComputerId, InstanceId, Launch, Mark};
use crate::provider::{Observation, Seen};

/// What the folder has of one computer. It is never deleted: without its instance it is the tombstone that keeps the
/// fence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) computer: ComputerId,
    /// Neither this launch nor an older one comes up any more.
    pub(super) fenced: Launch,
    /// How many processes there were. The number tells apart by what each says that it is ready.
    pub(super) births: u64,
    pub(super) instance: Option<Instance>,
    /// The last report.
    pub(super) reported: Option<Observation>,
}

/// The instance that there is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Instance {
    pub(super) id: InstanceId,
    pub(super) launch: Launch,
    /// It was not ended, so its policy may start it again.
    pub(super) is_armed: bool,
    pub(super) program: Program,
    pub(super) process: ProcessIdentity,
}

impl Record {
    /// Of a computer that nobody has started.
    pub(super) fn new(computer: ComputerId) -> Record {
        Record { computer, fenced: Launch::NONE, births: 0, instance: None, reported: None }
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
        }
        Ok(is_news)
    }

    /// What no writer of this file has written, if anything. Files are edited by others.
    pub(super) fn impossibility(&self, expected: &ComputerId) -> Option<&'static str> {
        if self.computer != *expected {
            return Some("it is of another computer");
        }
        let instance = self.instance.as_ref()?;
        if instance.launch.is_newer_than(self.fenced) {
            return Some("its instance is beyond the fence");
        }
        if instance.process.pid < 1 {
            return Some("its process has no pid");
        }
        (self.births == 0).then_some("its instance was never born")
    }
}
