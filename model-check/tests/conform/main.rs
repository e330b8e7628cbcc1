//! The trace check can fail, and fails for the right reason.

mod walks;
