//! What is to be done about a row and what was seen of it: pure, so that each case is a test. The store decides again,
//! over the row of that moment.

use crate::provider::Observation;
use crate::store::operation::{Conclusion, Phase, Standing};

/// What a sweep does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Nothing can follow, and the row has come as far: the store is not asked.
    Nothing,
    /// The store is shown what was seen.
    Conclude,
}

impl Plan {
    /// By the row that was read before the provider, and its answer.
    pub(super) fn of(row: &Standing, seen: &Observation) -> Plan {
        let conclusion = Conclusion::of(seen.seen.as_ref().map(|it| it.condition));
        // RECONCILE-21, RECONCILE-22: an error that is up is ready, and what is ready and does not run is an error.
        let is_news = conclusion.is_some_and(|it| it.is_news(row.phase));
        // RECONCILE-11: or a report from before this look would be written after it.
        let counts = matches!(row.phase, Phase::Ready | Phase::Error) && seen.mark.is_beyond(row.mark);
        if is_news || counts { Plan::Conclude } else { Plan::Nothing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{ComputerId, InstanceId, Launch, Mark, OwnerName};
    use crate::provider::{Condition, Seen};

    const PHASES: [Phase; 7] =
        [Phase::Stopped, Phase::Starting, Phase::Ready, Phase::Error, Phase::Stopping, Phase::Deleting, Phase::Gone];

    fn plan(phase: Phase, condition: Option<Condition>) -> Plan {
        plan_at(phase, condition, Mark::START)
    }

    fn plan_at(phase: Phase, condition: Option<Condition>, mark: Mark) -> Plan {
        let launch = Launch::try_from(1).unwrap();
        let owner = phase.under_way().map(|_| OwnerName::new("owner").unwrap());
        let row = Standing { phase, launch, owner, ..Standing::unwritten() };
        let seen = condition.map(|condition| Seen { instance: InstanceId::new("instance").unwrap(), condition });
        Plan::of(&row, &Observation { computer: ComputerId::new("computer").unwrap(), launch, seen, mark })
    }

    #[test]
    fn reconcile_22_what_is_ready_and_does_not_run_is_shown_to_the_store() {
        assert_eq!(plan(Phase::Ready, Some(Condition::Exited)), Plan::Conclude);
        assert_eq!(plan(Phase::Ready, None), Plan::Conclude);
        assert_eq!(plan(Phase::Ready, Some(Condition::Up)), Plan::Nothing);
        assert_eq!(plan(Phase::Ready, Some(Condition::Booting)), Plan::Nothing);
    }

    #[test]
    fn reconcile_21_an_error_that_is_up_is_shown_to_the_store_and_nothing_else_of_it() {
        assert_eq!(plan(Phase::Error, Some(Condition::Up)), Plan::Conclude);
        for condition in [Some(Condition::Exited), Some(Condition::Booting), None] {
            assert_eq!(plan(Phase::Error, condition), Plan::Nothing, "{condition:?}");
        }
    }

    #[test]
    fn reconcile_11_the_row_comes_as_far_as_a_look_that_says_nothing_new() {
        let first = Mark::START.next().unwrap();
        for phase in PHASES {
            let counts = matches!(phase, Phase::Ready | Phase::Error);
            let expected = if counts { Plan::Conclude } else { Plan::Nothing };
            assert_eq!(plan_at(phase, Some(Condition::Booting), first), expected, "{phase:?}");
        }
    }

    /// What the plan leaves out, the store would not write either: it is asked in vain at most.
    #[test]
    fn whatever_could_be_written_is_shown_to_the_store() {
        for phase in PHASES {
            for condition in [Some(Condition::Up), Some(Condition::Exited), Some(Condition::Booting), None] {
                let could_be_written = Conclusion::of(condition).is_some_and(|it| it.over() == phase);
                let plan = plan(phase, condition);
                assert!(plan == Plan::Conclude || !could_be_written, "{phase:?}, {condition:?}");
            }
        }
    }
}
