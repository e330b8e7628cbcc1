//! Headers and events as lines.

use serde::Serialize;

/// A line of a trace.
pub(crate) fn line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("the types of the trace format have only text keys, and no map")
}
