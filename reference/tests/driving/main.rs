//! Operations that are driven, and passes that look after them: on stores and providers of both kinds, with a race or a
//! fault at each step.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod agreement;
mod odd;
mod pends;
#[cfg(target_os = "linux")]
mod processes;
mod resume;
mod start;
mod stop;
mod sweep;
mod world;
