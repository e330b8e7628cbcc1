//! The exhaustive search over any [`Protocol`](outlive_spec::protocol::Protocol).
//!
//! # Theory of operation
//!
//! Breadth first, one state after the other in the order in which they were found. So the first step that breaks a
//! property ends a shortest path to it, and the same path each time. The visited set is exact: it stores the packed
//! states themselves, and compares them. A state is unpacked once; its proposals are taken in place, one after the
//! other, on a copy that is mended after each. Threads expand runs of states side by side, and what they find is taken
//! in the order of the runs; so neither a verdict nor a path depends on how many there are.
//!
//! What must come about is judged on the graph of a search that keeps its edges (`liveness.rs`).
//!
//! # Ground rules
//!
//! - A verdict is *holds* only if every reachable state was expanded. A search that was cut says by what, and at which
//!   depth; that is never a pass.
//! - A broken property does not end a path, and one property never hides another: what a step has broken is noted,
//!   forgiven, and searched behind.
//! - Every count is a count of something that the search did: what was proposed, taken, refused, and by which guard.
//!
//! # What is not here
//!
//! Any knowledge of a protocol. Which states differ in names alone, which steps fairness is about and what is settled,
//! the protocol says.

mod expand;
pub mod graph;
pub mod induction;
pub mod limits;
pub mod liveness;
mod outcome;
pub mod phases;
pub mod recovery;
pub mod retrace;
mod search;
pub mod simulate;
pub mod statistics;
mod trail;
mod visited;
pub mod walk;

pub use outcome::{Outcome, Verdict, Violation};
pub use search::{Explored, Progress, Question, explore, search};
