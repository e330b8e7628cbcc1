//! The trace check can fail, and fails for the right reason.

mod schema;
mod traces;
mod walks;
