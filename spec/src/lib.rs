//! The formal models of Outlive, and the trace format.
//!
//! # Background
//!
//! Stateful compute that can be reset, restarted, billed and purged keeps losing to the same few races: a record and
//! the thing that it records live at different speeds, and a message about one life arrives in another. Each model here
//! is one protocol in which that can happen, small enough to be searched completely.
//!
//! # How to read a model
//!
//! Start with the head of its file: the background, the theory of operation, the ground rules. Then its state, its
//! actions, and its rules, where each guard stands under the requirement that it serves. Then its variants: rules
//! that somebody shipped or proposed, each of which breaks a property. The search is elsewhere, in `model-check`; here
//! is no I/O, no clock and no randomness.
//!
//! # Two readers
//!
//! With the default feature `model` this is the whole specification. Without it only [`trace`] and [`requirement`] are
//! left, the words that an implementation shares with its judge. A rule that both used could not catch itself.

#[cfg(feature = "model")]
#[macro_use]
mod declare;
#[cfg(feature = "model")]
pub mod guard;
#[cfg(feature = "model")]
pub mod induction;
#[cfg(feature = "model")]
pub mod operation;
#[cfg(feature = "model")]
pub mod packed;
#[cfg(feature = "model")]
pub mod protocol;
pub mod requirement;
#[cfg(feature = "model")]
pub mod second_opinion;
#[cfg(feature = "model")]
pub mod set;
#[cfg(feature = "model")]
pub mod snapshot;
#[cfg(feature = "model")]
pub mod teardown;
pub mod trace;
