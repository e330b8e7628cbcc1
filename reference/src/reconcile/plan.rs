//! What is to be done about a row and what was seen of it: pure, so that each case is a test. The store decides again,
//! over the row of that moment.

use crate::provider::Observation;
use crate::store::operation::{Conclusion, Standing};

/// What a sweep does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Nothing can follow, so the store is not asked.
    Nothing,
    /// The store is shown what was seen.
    Conclude,
}

impl Plan {
    /// By the row that was read before the provider, and its answer.
    pub(super) fn of(row: &Standing, seen: &Observation) -> Plan {
        let conclusion = Conclusion::of(seen.seen.as_ref().map(|it| it.condition));
        // RECONCILE-21, RECONCILE-22: an error that is up is ready, and what is ready and does not run is an error.
        if conclusion.is_some_and(|it| it.is_news(row.phase)) { Plan::Conclude } else { Plan::Nothing }
    }
}
