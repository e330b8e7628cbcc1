//! What we have, in the words of a trace. Which word means which is all that is said here.

use outlive_spec::requirement::Requirement;
use outlive_spec::trace::{self as words, Event, Outcome};

use crate::provider::{Condition, Observation};
use crate::store::operation::{Conclusion, Ending, Kind, Phase, Standing};

pub(super) fn refused(event: &mut Event<'_>, because: Requirement) {
    event.outcome = Outcome::Refused;
    event.because = Some(because);
}

pub(super) fn kind(kind: Kind) -> words::Kind {
    match kind {
        Kind::Start => words::Kind::Start,
        Kind::Stop => words::Kind::Stop,
        Kind::Delete => words::Kind::Delete,
    }
}

pub(super) fn ending(ending: Ending) -> words::Ending {
    match ending {
        Ending::Failed => words::Ending::Failed,
        Ending::Admitted | Ending::Stopped | Ending::Removed => words::Ending::Done,
    }
}

pub(super) fn conclusion(conclusion: Option<Conclusion>) -> words::Conclusion {
    match conclusion {
        None => words::Conclusion::Nothing,
        Some(Conclusion::Ready) => words::Conclusion::Ready,
        Some(Conclusion::Error) => words::Conclusion::Error,
        Some(Conclusion::Prune) => words::Conclusion::Prune,
    }
}

/// What was seen, as launch, condition and mark.
pub(super) fn observe(event: &mut Event<'_>, seen: &Observation) {
    event.launch = Some(seen.launch.number());
    event.condition = Some(match seen.seen.as_ref().map(|it| it.condition) {
        None => words::Condition::Absent,
        Some(Condition::Booting) => words::Condition::Booting,
        Some(Condition::Up) => words::Condition::Up,
        Some(Condition::Exited) => words::Condition::Exited,
    });
    event.mark = Some(seen.mark.number());
}

pub(super) fn standing(row: Standing) -> words::Standing<'static> {
    let phase = match row.phase {
        Phase::Stopped => words::ComputerPhase::Stopped,
        Phase::Starting => words::ComputerPhase::Starting,
        Phase::Ready => words::ComputerPhase::Ready,
        Phase::Error => words::ComputerPhase::Error,
        Phase::Stopping => words::ComputerPhase::Stopping,
        Phase::Deleting => words::ComputerPhase::Deleting,
        Phase::Gone => words::ComputerPhase::Gone,
    };
    words::Standing {
        revision: row.revision.number(),
        phase,
        launch: row.launch.number(),
        owner: row.owner.map(|owner| String::from(owner).into()),
        mark: row.mark.number(),
    }
}
