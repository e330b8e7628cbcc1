//! The trace check can fail, and fails for the right reason.

mod agreement;
mod command;
mod doctor;
mod edits;
mod inputs;
mod mutations;
mod naive;
mod open_calls;
mod open_operations;
mod operations;
mod page;
mod pasted;
mod pointing;
mod remembered;
mod schema;
mod traces;
mod walks;
mod windows;
