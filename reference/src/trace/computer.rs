//! What the process of one computer does by itself, as it tells the trace.

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{Event, Phase, Verb};

use super::words::refused;
use super::{Protocol, Recorder, Written};
use crate::id::{ComputerId, GatewayName, Generation, Incarnation, LifeName, OperationName, PageName, process_name};

/// Records what the process of one computer does by itself. Each method submits when it is called, and returns a future
/// that is done when the event is durable; so call it before anybody can see what was done.
#[derive(Clone, Debug)]
pub struct ComputerRecorder {
    recorder: Recorder,
    process: String,
    computer: ComputerId,
}

/// What a computer says of its own steps.
impl ComputerRecorder {
    pub(super) fn new(recorder: Recorder, computer: &ComputerId) -> ComputerRecorder {
        ComputerRecorder { recorder, process: process_name(computer), computer: computer.clone() }
    }

    /// Its process has died, and another starts under this name of a life.
    pub fn restart(&self, life: &LifeName) -> Written {
        self.step(Verb::Restart, |event| event.life = Some(life.to_string().into()))
    }

    /// The process has learned that it is this incarnation.
    pub fn learn(&self, incarnation: Incarnation) -> Written {
        self.step(Verb::Learn, |event| event.incarnation = Some(incarnation.number()))
    }

    /// It answers a call with this page.
    pub fn answer(&self, page: PageName, operation: Option<&OperationName>) -> Written {
        self.step(Verb::Answer, |event| of_page(event, page, operation))
    }

    /// It refuses a call that names this incarnation.
    pub fn refuse_answer(&self, called: Incarnation, operation: Option<&OperationName>) -> Written {
        self.step(Verb::Answer, |event| {
            refused(event, Requirement::Restart3);
            event.incarnation = Some(called.number());
            event.operation = operation.map(|operation| operation.to_string().into());
        })
    }

    /// It obeys the wipe of this incarnation, sent by this gateway: a life begins, and counts on from this generation,
    /// or from the beginning.
    pub fn wipe(
        &self,
        incarnation: Incarnation,
        by: &GatewayName,
        life: &LifeName,
        counts_on_from: Option<Generation>,
    ) -> Written {
        self.step(Verb::Wipe, |event| {
            event.incarnation = Some(incarnation.number());
            event.by = Some(by.to_string().into());
            event.life = Some(life.to_string().into());
            event.generation = Some(counts_on_from.map_or(0, Generation::number));
        })
    }

    /// It refuses a wipe that names this incarnation.
    pub fn refuse_wipe(&self, incarnation: Incarnation, by: &GatewayName) -> Written {
        self.step(Verb::Wipe, |event| {
            refused(event, Requirement::Reset3);
            event.incarnation = Some(incarnation.number());
            event.by = Some(by.to_string().into());
        })
    }

    /// It acts on this page.
    pub fn perform(&self, page: PageName, operation: Option<&OperationName>) -> Written {
        self.step(Verb::Perform, |event| of_page(event, page, operation))
    }

    /// It refuses to act on this page.
    pub fn refuse_perform(&self, page: PageName, operation: Option<&OperationName>) -> Written {
        self.step(Verb::Perform, |event| {
            refused(event, Requirement::Restart5);
            of_page(event, page, operation);
        })
    }

    fn step(&self, action: Verb, fill: impl FnOnce(&mut Event<'static>)) -> Written {
        self.recorder.submit(Protocol::Snapshot, || {
            let mut event = Event::new(self.process.clone(), Phase::Commit, action, self.computer.to_string());
            fill(&mut event);
            event
        })
    }
}

fn of_page(event: &mut Event<'_>, page: PageName, operation: Option<&OperationName>) {
    event.incarnation = Some(page.incarnation.number());
    event.generation = Some(page.generation.number());
    event.operation = operation.map(|operation| operation.to_string().into());
}
