//! From the model to tests: scripts that take an implementation along every edge of the bounded graph.
//!
//! # Theory of operation
//!
//! The graph of a small search is kept with its edges (`graph.rs`), and covered by paths that start where every
//! behaviour starts (`cover.rs`). Each path is one script (`script.rs`): what is done, with the values that its author
//! uses, and what must come of it. Messages that the search has forgotten, since they are dead, are delivered once more
//! on the way (`late.rs`). The words are those of the trace format. A driver for an implementation is a loop over the
//! steps; that of the reference stands in `model-check/tests/generate`.
//!
//! # Ground rules
//!
//! - A script knows no state of the model, only what can be seen of an implementation: outcomes, rows, and what is
//!   read.
//! - Numbers are those of the model, which counts by one. An implementation that passes incarnations over maps them.
//! - What cannot be told is counted, and nothing else is left out.
//!
//! # What is not here
//!
//! The least number of paths: the cover is greedy, so an edge may stand in several scripts.

mod cover;
mod graph;
mod late;
pub mod script;

use std::io;

use clap::ValueEnum;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, SMOKE};
use outlive_spec::snapshot::variants::RIGHT;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use graph::Graph;
use script::{Header, Line};

/// What the scripts cover together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cover {
    /// Every step that the search at the bounds `smoke` takes.
    Edges,
    /// In every state of a smaller search, all that anybody can try: what the model takes, and what it refuses.
    States,
}

/// The bounds at which every state meets every attempt.
const SMALL: Bounds = Bounds {
    lives: 3,
    incarnations: 3,
    generations: 1,
    gateways: 1,
    questions: 4,
    calls: 2,
    saves: 1,
    wipes: 2,
    acts: 1,
    shown: 1,
};

impl Cover {
    fn bounds(self) -> Bounds {
        match self {
            Cover::Edges => SMOKE,
            Cover::States => SMALL,
        }
    }
}

/// What was generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// How many scripts.
    pub scripts: u64,
    /// How many steps they have together.
    pub steps: u64,
    /// How many states the graph has.
    pub states: u64,
    /// How many edges are covered.
    pub edges: u64,
    /// How many edges no script can tell: wipes whose sender has died and has sent the same wipe again since, so that
    /// nobody can say which of the two is obeyed.
    pub unscripted: u64,
}

/// The protocol of which scripts are generated.
pub const PROTOCOL: &str = "snapshot";

/// Generates the scripts, one line after the other, the header first.
///
/// # Errors
/// Those of whoever takes the lines.
pub fn generate(cover: Cover, take: &mut dyn FnMut(&Line) -> io::Result<()>) -> io::Result<Summary> {
    let bounds = cover.bounds();
    let graph = Graph::explore(Snapshot { rules: RIGHT, bounds }, cover);
    take(&Line::Header(Header::new(cover, &bounds)))?;
    let mut summary =
        Summary { states: graph.states(), edges: graph.edges(), unscripted: graph.unscripted(), ..Summary::default() };
    for path in cover::paths(&graph) {
        let script = script::tell(&graph, &path, summary.scripts, bounds.gateways);
        summary.scripts += 1;
        summary.steps += script.steps.len() as u64;
        take(&Line::Script(script))?;
    }
    Ok(summary)
}
