//! What a provider does, as it tells the trace.

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Phase, Verb};

use super::words::{self, refused};
use super::{Protocol, Recorder, Written};
use crate::id::{ComputerId, Launch, ProviderName};
use crate::provider::Observation;
use crate::store::operation::Kind;

/// Records what a provider does, whoever has called it. Each method is named after what has happened, submits when it
/// is called, and returns a future that is done when the event is durable. So it is called where the step is done:
/// under the lock that orders the provider's steps, before anybody can see what was done.
///
/// A report is recorded where it gets its mark, behind the step that it tells of: exactly as it is told under this mark
/// ever after. That nobody is told of it, or that a list leaves it out, is no line.
///
/// The one that is made by default records nothing.
#[derive(Clone, Debug, Default)]
pub struct ProviderRecorder {
    recorder: Recorder,
    process: String,
}

/// What a provider says of its own steps.
impl ProviderRecorder {
    pub(super) fn new(recorder: Recorder, provider: &ProviderName) -> ProviderRecorder {
        let process = if recorder.is_on() { provider.to_string() } else { String::new() };
        ProviderRecorder { recorder, process }
    }

    /// Whether anything is recorded.
    pub fn is_on(&self) -> bool {
        self.recorder.is_on()
    }

    /// A call of this kind and launch has arrived, and was done.
    pub fn arrive(&self, computer: &ComputerId, kind: Kind, launch: Launch) -> Written {
        self.call(computer, kind, launch, None)
    }

    /// A call has arrived, and was refused: a start of a launch that was brought up, stopped or removed before. A
    /// repetition of the start whose instance is there is one of them: it brings up nothing.
    pub fn refuse_arrive(&self, computer: &ComputerId, kind: Kind, launch: Launch) -> Written {
        self.call(computer, kind, launch, Some(Requirement::Reconcile6))
    }

    /// The instance of this launch was admitted.
    pub fn admit(&self, computer: &ComputerId, launch: Launch) -> Written {
        self.step(Verb::Admit, computer, |event| event.launch = Some(launch.number()))
    }

    /// The instance of this launch has exited.
    pub fn exit(&self, computer: &ComputerId, launch: Launch) -> Written {
        self.step(Verb::Exit, computer, |event| event.launch = Some(launch.number()))
    }

    /// The restart policy has started the instance of this launch again.
    pub fn revive(&self, computer: &ComputerId, launch: Launch) -> Written {
        self.step(Verb::Revive, computer, |event| event.launch = Some(launch.number()))
    }

    /// The restart policy would have, and the instance was ended.
    pub fn refuse_revive(&self, computer: &ComputerId, launch: Launch) -> Written {
        self.step(Verb::Revive, computer, |event| {
            refused(event, Requirement::Reconcile14);
            event.launch = Some(launch.number());
        })
    }

    /// Somebody outside has removed the instance of this launch.
    pub fn vanish(&self, computer: &ComputerId, launch: Launch) -> Written {
        self.step(Verb::Vanish, computer, |event| event.launch = Some(launch.number()))
    }

    /// A report has got its mark.
    pub fn report(&self, report: &Observation) -> Written {
        self.step(Verb::Report, &report.computer, |event| words::observe(event, report))
    }

    fn call(&self, computer: &ComputerId, kind: Kind, launch: Launch, because: Option<Requirement>) -> Written {
        self.step(Verb::Arrive, computer, |event| {
            because.into_iter().for_each(|because| refused(event, because));
            event.kind = Some(words::kind(kind));
            event.launch = Some(launch.number());
        })
    }

    fn step(&self, action: Verb, computer: &ComputerId, fill: impl FnOnce(&mut Event<'static>)) -> Written {
        self.recorder.submit(Protocol::Operation, || {
            let mut event = Event::new(self.process.clone(), Phase::Commit, action, computer.to_string());
            fill(&mut event);
            event
        })
    }
}
