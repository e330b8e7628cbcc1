//! Why an event was not taken, as far as the first reading knows.

use super::limits::{OPEN, PRESENTS, SHOWN};
use super::track::Cause;
use super::unreadable::Kind;

/// Why an event was not taken.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is no event of such a trace.
    Unreadable {
        /// What to point at.
        field: Option<&'static str>,
        /// What kind of thing is wrong.
        kind: Kind,
        /// What is wrong.
        message: String,
    },
    /// Too little is known.
    Inconclusive(String),
    /// The model has no such step. Why not is found out by the second reading.
    Diverges,
}

impl<R> From<Cause<R>> for Fault {
    fn from(cause: Cause<R>) -> Fault {
        let doubt = match cause {
            Cause::Guard(_) | Cause::Row { .. } | Cause::Operation => return Fault::Diverges,
            Cause::Forgotten => format!(
                "whether what it speaks of was ever there is not known: of each computer, only the {SHOWN} newest are \
                 remembered"
            ),
            Cause::TooManyOpen => format!("the outcomes of more than {OPEN} calls are open at once"),
            Cause::TooManyPresents => {
                format!("calls whose outcome is open leave more than {PRESENTS} states possible at once")
            }
        };
        Fault::Inconclusive(doubt)
    }
}
