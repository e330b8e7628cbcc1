//! The library's values as the words of the trace format.

use outlive::provider::{self, Observation};
use outlive::store::operation::{Kind, Phase};
use outlive_spec::trace;

pub(crate) fn kind_of(kind: trace::Kind) -> Kind {
    match kind {
        trace::Kind::Start => Kind::Start,
        trace::Kind::Stop => Kind::Stop,
        trace::Kind::Delete => Kind::Delete,
    }
}

pub(crate) fn condition(seen: &Observation) -> trace::Condition {
    match seen.seen.as_ref().map(|seen| seen.condition) {
        Some(provider::Condition::Booting) => trace::Condition::Booting,
        Some(provider::Condition::Up) => trace::Condition::Up,
        Some(provider::Condition::Exited) => trace::Condition::Exited,
        None => trace::Condition::Absent,
    }
}

pub(crate) fn phase(phase: Phase) -> trace::ComputerPhase {
    match phase {
        Phase::Stopped => trace::ComputerPhase::Stopped,
        Phase::Starting => trace::ComputerPhase::Starting,
        Phase::Ready => trace::ComputerPhase::Ready,
        Phase::Error => trace::ComputerPhase::Error,
        Phase::Stopping => trace::ComputerPhase::Stopping,
        Phase::Deleting => trace::ComputerPhase::Deleting,
        Phase::Gone => trace::ComputerPhase::Gone,
    }
}
