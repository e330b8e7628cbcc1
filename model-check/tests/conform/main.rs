//! The trace check can fail, and fails for the right reason.

mod agreement;
mod command;
mod inputs;
mod mutations;
mod naive;
mod operations;
mod remembered;
mod schema;
mod traces;
mod walks;
mod windows;
