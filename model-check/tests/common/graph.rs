//! A graph as a protocol: nodes are states, edges are actions.

use std::fmt;

use outlive_spec::guard::{Guard, Value};
use outlive_spec::protocol::{Broken, Class, Classes, Cut, Lane, Outlook, Property, Protocol, Response};
use outlive_spec::requirement::Requirement;

/// Starts at node 0.
#[derive(Clone, Copy)]
pub(crate) struct Graph {
    pub(crate) edges: &'static [(u8, u8)],
    /// Edges that are no progress.
    pub(crate) faults: &'static [(u8, u8)],
    /// Edges that are proposed, and refused.
    pub(crate) refused: &'static [(u8, u8)],
    /// Nodes that break the first property.
    pub(crate) bad: &'static [u8],
    pub(crate) unsettled: &'static [u8],
    /// Nodes beyond which a bound cuts something off.
    pub(crate) cut: &'static [u8],
    /// Nodes that differ in names alone: each with the one that stands for it.
    pub(crate) alike: &'static [(u8, u8)],
    /// Somebody waits in every node for the first of them.
    pub(crate) responses: &'static [Response],
    /// Every edge is of the first of them.
    pub(crate) classes: &'static [Class],
}

impl Graph {
    pub(crate) const EMPTY: Graph = Graph {
        edges: &[],
        faults: &[],
        refused: &[],
        bad: &[],
        unsettled: &[],
        cut: &[],
        alike: &[],
        responses: &[],
        classes: &[],
    };
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node(pub(crate) u8);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}

const PROPERTIES: &[Property] = &[
    Property { requirement: Requirement::Save1, name: "is-good", sentence: "no node is bad", broken_by: "" },
    Property { requirement: Requirement::Reset5, name: "settles", sentence: "every node settles", broken_by: "" },
];

impl Protocol for Graph {
    type State = Node;
    type Action = Edge;
    type Packed = u8;

    fn name(&self) -> &'static str {
        "graph"
    }

    fn initial(&self) -> Vec<Node> {
        vec![Node(0)]
    }

    fn apply(&self, state: &mut Node, edge: &Edge) -> Result<(), Guard> {
        if self.refused.contains(&(edge.from, edge.to)) {
            return Err(Guard { requirement: Requirement::Save3, found: Value::Nothing, against: Value::Nothing });
        }
        assert_eq!(state.0, edge.from, "only the edges of a node are proposed");
        state.0 = edge.to;
        Ok(())
    }

    fn actions(&self, state: &Node, out: &mut Vec<Edge>) -> Cut {
        out.extend(self.edges.iter().filter(|edge| edge.0 == state.0).map(|&(from, to)| Edge { from, to }));
        if self.cut.contains(&state.0) { Cut::ByABound } else { Cut::Nothing }
    }

    fn properties(&self) -> &'static [Property] {
        PROPERTIES
    }

    fn broken(&self, state: &Node) -> Broken {
        Broken(u64::from(self.bad.contains(&state.0)))
    }

    fn harms(&self, _: &Node) -> Broken {
        Broken::default()
    }

    fn forgive(&self, _: &mut Node) {}

    fn far(&self) -> Self {
        *self
    }

    fn is_settled(&self, state: &Node) -> bool {
        !self.unsettled.contains(&state.0)
    }

    fn is_progress(&self, _: &Node, edge: &Edge) -> bool {
        !self.faults.contains(&(edge.from, edge.to))
    }

    fn represent(&self, state: &mut Node) {
        let stands = self.alike.iter().find(|alike| alike.0 == state.0);
        state.0 = stands.map_or(state.0, |alike| alike.1);
    }

    fn outlook(&self, _: usize, _: &Node) -> Outlook {
        Outlook::Waits
    }

    fn classes_of(&self, _: &Node, _: &Edge) -> Classes {
        if self.classes.is_empty() { Classes::NONE } else { Classes::only(0) }
    }

    fn responses(&self) -> &'static [Response] {
        self.responses
    }

    fn classes(&self) -> &'static [Class] {
        self.classes
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["edge"]
    }

    fn kind(&self, _: &Edge) -> usize {
        0
    }

    fn refuses_by(&self, _: &Edge) -> Option<Requirement> {
        None
    }

    fn lane(&self, _: &Edge) -> Lane {
        Lane("walker")
    }

    fn lanes(&self) -> &'static [Lane] {
        &[Lane("walker")]
    }

    fn phase(&self, _: &Node) -> &'static str {
        "somewhere"
    }

    fn describe(&self, state: &Node) -> Vec<(&'static str, String)> {
        vec![("at", state.0.to_string())]
    }

    fn pack(&self, state: &Node) -> u8 {
        state.0
    }

    fn unpack(&self, packed: &u8) -> Node {
        Node(*packed)
    }
}
