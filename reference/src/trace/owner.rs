//! What an owner of operations asks of a provider, and what it hears, as it tells the trace.

use outlive_spec::trace::{Event, Phase, Verb};

use super::words;
use super::{Protocol, Recorder, Written};
use crate::id::{ComputerId, Launch, Mark, OwnerName};
use crate::provider::Observation;
use crate::store::operation::{Ending, Kind};

/// Records what one process of a control plane asks of a provider, and what it hears. What it asks of the store, the
/// store records.
///
/// What the provider has answered was so at a moment between the question and its answer, which nobody but the provider
/// knows. So a question is recorded before it is asked, and its answer once it has come, both durably: await the one
/// before the call goes out, and the other before anything is made of it.
#[derive(Clone, Debug)]
pub struct OwnerRecorder {
    recorder: Recorder,
    owner: String,
}

/// What an owner says of its own steps.
impl OwnerRecorder {
    pub(super) fn new(recorder: Recorder, owner: &OwnerName) -> OwnerRecorder {
        let owner = if recorder.is_on() { owner.to_string() } else { String::new() };
        OwnerRecorder { recorder, owner }
    }

    /// Whether anything is recorded.
    pub fn is_on(&self) -> bool {
        self.recorder.is_on()
    }

    /// It is about to call the provider for its operation, which is what the call asks for: before the first call. One
    /// that is made again is the same message, and need not be told again.
    pub fn send(&self, computer: &ComputerId, kind: Kind, launch: Launch) -> Written {
        self.step(Verb::Send, Phase::Observe, computer, |event| {
            event.kind = Some(words::kind(kind));
            event.launch = Some(launch.number());
        })
    }

    /// It has heard how its operation has ended, and how far the provider's reports had come: what it settles with. It
    /// is an answer to what was sent, and is told once.
    pub fn hear(&self, computer: &ComputerId, launch: Launch, ending: Ending, mark: Mark) -> Written {
        self.step(Verb::Hear, Phase::End, computer, |event| {
            event.kind = Some(words::kind(ending.kind()));
            event.launch = Some(launch.number());
            event.ending = Some(words::ending(ending));
            event.mark = Some(mark.number());
        })
    }

    /// It gives its start up, whatever the provider may say of it later: before anything was sent, because the provider
    /// has refused or fenced it, or without an answer that ends it. It settles the start as failed, with
    /// [`Mark::START`].
    pub fn fail(&self, computer: &ComputerId, launch: Launch) -> Written {
        self.step(Verb::Fail, Phase::Observe, computer, |event| event.launch = Some(launch.number()))
    }

    /// Its sweep, which has read the row, is about to read the provider.
    pub fn begin_get(&self, computer: &ComputerId) -> Written {
        self.step(Verb::Get, Phase::Begin, computer, |_| ())
    }

    /// Its sweep has read the provider.
    pub fn end_get(&self, seen: &Observation) -> Written {
        self.step(Verb::Get, Phase::End, &seen.computer, |event| words::observe(event, seen))
    }

    fn step(
        &self,
        action: Verb,
        phase: Phase,
        computer: &ComputerId,
        fill: impl FnOnce(&mut Event<'static>),
    ) -> Written {
        self.recorder.submit(Protocol::Operation, || {
            let mut event = Event::new(self.owner.clone(), phase, action, computer.to_string());
            fill(&mut event);
            event
        })
    }
}
