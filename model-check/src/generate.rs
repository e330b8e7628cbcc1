//! From the model to tests: scripts that take an implementation along every edge of the bounded graph.
//!
//! # Theory of operation
//!
//! The graph of a small search is kept with its edges (`graph.rs`), and covered by paths that start where every
//! behaviour starts (`cover.rs`). Each path is one script (`script.rs`): what is done, with the values that its author
//! uses, and what must come of it. Messages that the search has forgotten, since they are dead, are delivered once more
//! on the way. The words are those of the trace format. A driver for an implementation is a loop over the steps; those
//! of the reference stand in `model-check/tests/generate`.
//!
//! All this is of any protocol. What a protocol adds (`protocol.rs`) is how one of its paths is told: which fields of
//! an event are used and which come out, and which messages arrive late.
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
mod operation;
mod protocol;
pub mod script;
mod snapshot;

use std::io;

use clap::ValueEnum;
use outlive_spec::operation::Operations;
use outlive_spec::snapshot::Snapshot;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use graph::Graph;
use protocol::{Scripted, Teller};
use script::{Header, Line, Script};

/// What the scripts cover together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cover {
    /// Every step that the search at the bounds `smoke` takes.
    Edges,
    /// In every state of a smaller search, all that anybody can try: what the model takes, and what it refuses.
    States,
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
    /// How many edges no script can tell, since nobody who plays it could take them: a wipe that cannot be told from
    /// another one that is awaited, or a call of the start before the first.
    pub unscripted: u64,
}

/// Who takes the lines.
type Take<'a> = &'a mut dyn FnMut(&Line) -> io::Result<()>;

/// The scripts of one protocol.
#[derive(Clone, Copy)]
pub struct Scripts {
    /// The protocol.
    pub protocol: &'static str,
    write: fn(Cover, Take<'_>) -> io::Result<Summary>,
}

/// Every protocol of which there are scripts.
pub const SCRIPTS: &[Scripts] = &[Scripts::of::<Snapshot>(), Scripts::of::<Operations>()];

impl Scripts {
    const fn of<P: Scripted>() -> Scripts {
        Scripts { protocol: P::PROTOCOL, write: write::<P> }
    }

    /// Those of the protocol of this name.
    pub fn named(protocol: &str) -> Option<&'static Scripts> {
        SCRIPTS.iter().find(|scripts| scripts.protocol == protocol)
    }

    /// Generates the scripts, one line after the other, the header first.
    ///
    /// # Errors
    /// Those of whoever takes the lines.
    pub fn generate(&self, cover: Cover, take: Take<'_>) -> io::Result<Summary> {
        (self.write)(cover, take)
    }
}

fn write<P: Scripted>(cover: Cover, take: Take<'_>) -> io::Result<Summary> {
    let protocol = P::of(cover);
    take(&Line::Header(Header::of(&protocol, cover)))?;
    let graph = Graph::explore(protocol, cover);
    let mut summary =
        Summary { states: graph.states(), edges: graph.edges(), unscripted: graph.unscripted(), ..Summary::default() };
    for path in cover::paths(&graph) {
        let script = tell(&graph, &path, summary.scripts);
        summary.scripts += 1;
        summary.steps += script.steps.len() as u64;
        take(&Line::Script(script))?;
    }
    Ok(summary)
}

/// Tells the path.
fn tell<P: Scripted>(graph: &Graph<P>, path: &[u32], script: u64) -> Script {
    let mut teller = graph.protocol().teller();
    let mut steps = Vec::new();
    for edge in path.iter().map(|at| graph.edge(*at)) {
        teller.tell(&graph.state(edge.to), &edge.action, &mut steps);
    }
    Script { script, steps }
}
