//! A second judge of endless behaviours, which knows no components: it tries every set of states.
//!
//! A behaviour that goes on for ever goes, from some moment on, through the states of one set again and again, and
//! through no others; or it rests in one state. The more steps it takes again and again, the fairer it is: fairness
//! only asks for steps that are not taken. So of each set it is enough to look at the behaviour that takes every step
//! within the set that may be taken for ever.

use outlive_model_check::engine::graph::{Edge, Graph, Standing};
use outlive_model_check::engine::liveness::{Lasso, Witness};
use outlive_spec::protocol::{Classes, Fairness};

/// A graph as it was drawn, so that this judge asks nothing of the other one's.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    starts: Vec<u32>,
    standings: Vec<Standing>,
    /// In the order of the states from which they lead; so their places are those in the graph.
    edges: Vec<(u32, Edge)>,
}

impl Drawn {
    pub(crate) fn new(starts: Vec<u32>, standings: Vec<Standing>, mut edges: Vec<(u32, Edge)>) -> Drawn {
        edges.sort_by_key(|edge| edge.0);
        Drawn { starts, standings, edges }
    }

    /// The same for the engine.
    pub(crate) fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        graph.starts.clone_from(&self.starts);
        for (state, standing) in (0..).zip(&self.standings) {
            graph.add_state(*standing);
            self.edges_of(state).for_each(|edge| graph.add_edge(edge));
        }
        graph
    }

    fn edges_of(&self, state: u32) -> impl Iterator<Item = Edge> {
        self.edges.iter().filter(move |edge| edge.0 == state).map(|edge| edge.1)
    }

    fn waits(&self, state: u32) -> bool {
        self.standings[state as usize].waits == 1 && !self.is_answered(state)
    }

    fn is_answered(&self, state: u32) -> bool {
        self.standings[state as usize].answered == 1
    }

    fn is_possible(&self, class: usize, state: u32) -> bool {
        self.standings[state as usize].possible.has(class) || self.edges_of(state).any(|edge| edge.classes.has(class))
    }

    fn start(&self) -> Vec<(u32, bool)> {
        self.starts.iter().map(|&start| self.go_on(false, start)).collect()
    }

    /// A state, and whether somebody waits there who has begun to wait there or before.
    fn go_on(&self, waits: bool, to: u32) -> (u32, bool) {
        (to, (waits && !self.is_answered(to)) || self.waits(to))
    }

    fn step(&self, (state, waits): (u32, bool), place: u32) -> (u32, bool) {
        let (from, edge) = self.edges[place as usize];
        assert_eq!(from, state, "there is no such step here");
        self.go_on(waits, edge.to)
    }
}

/// The length of the shortest way to wait in vain: to a state that is waited in, of a set that can be gone through for
/// ever without an answer.
pub(crate) fn shortest_stem(graph: &Drawn, fairness: Fairness) -> Option<usize> {
    let sets = 1..1u32 << graph.standings.len();
    let states = sets.filter(|set| is_fair_and_unanswered(graph, *set, fairness)).fold(0, |all, set| all | set);
    let mut reached = graph.start();
    // A shortest way comes to no state twice: at most once without anybody who waits, and once with.
    for steps in 0..=2 * graph.standings.len() {
        if reached.iter().any(|&(state, waits)| waits && states >> state & 1 == 1) {
            return Some(steps);
        }
        let ahead = |&(state, waits): &(u32, bool)| graph.edges_of(state).map(move |edge| graph.go_on(waits, edge.to));
        reached = reached.iter().flat_map(ahead).collect();
        reached.sort_unstable();
        reached.dedup();
    }
    None
}

fn is_fair_and_unanswered(graph: &Drawn, set: u32, fairness: Fairness) -> bool {
    let has = |state: u32| set >> state & 1 == 1;
    let states: Vec<u32> = (0..graph.standings.len() as u32).filter(|state| has(*state)).collect();
    let within = |from: u32| graph.edges_of(from).filter(|edge| has(edge.to) && !edge.classes.meets(fairness.finitely));
    let reaches_all = |from: u32| {
        let mut reached = 1u32 << from;
        for _ in &states {
            let ahead = states.iter().filter(|state| reached >> **state & 1 == 1).flat_map(|state| within(*state));
            reached = ahead.fold(reached, |all, edge| all | 1 << edge.to);
        }
        reached == set
    };
    let taken = states.iter().flat_map(|state| within(*state)).fold(Classes::NONE, |all, edge| all | edge.classes);
    states.iter().all(|state| !graph.is_answered(*state) && reaches_all(*state))
        && fairness.weak.iter().all(|class| taken.has(class) || !states.iter().all(|it| graph.is_possible(class, *it)))
        && fairness
            .strong
            .iter()
            .all(|class| taken.has(class) || !states.iter().any(|it| graph.is_possible(class, *it)))
}

/// Walks the lasso, and holds each thing that it claims against the graph.
pub(crate) fn assert_is_one(graph: &Drawn, fairness: Fairness, lasso: &Lasso) {
    assert!(graph.starts.contains(&lasso.start), "it starts nowhere");
    let mut at = graph.go_on(false, lasso.start);
    for &edge in &lasso.stem {
        at = graph.step(at, edge);
    }
    let (entry, mut loop_states) = (at, vec![at.0]);
    assert!(entry.1, "nobody waits where the loop begins");
    for &edge in &lasso.cycle {
        at = graph.step(at, edge);
        loop_states.push(at.0);
    }
    assert_eq!(at.0, entry.0, "the loop does not close");
    assert!(loop_states.iter().all(|state| !graph.is_answered(*state)), "the answer comes");
    let taken: Vec<Classes> = lasso.cycle.iter().map(|edge| graph.edges[*edge as usize].1.classes).collect();
    assert!(taken.iter().all(|classes| !classes.meets(fairness.finitely)), "what is finite is repeated for ever");
    let is_taken = |class: usize| taken.iter().any(|classes| classes.has(class));
    for class in fairness.weak.iter() {
        assert!(
            is_taken(class) || !loop_states.iter().all(|it| graph.is_possible(class, *it)),
            "not weakly fair to {class}"
        );
    }
    for class in fairness.strong.iter() {
        assert!(
            is_taken(class) || !loop_states.iter().any(|it| graph.is_possible(class, *it)),
            "not strongly fair to {class}"
        );
    }
    assert_eq!(lasso.witnesses.len(), fairness.weak.iter().chain(fairness.strong.iter()).count());
    for witness in &lasso.witnesses {
        let is_so = match *witness {
            Witness::Taken { class, step } => taken[step].has(class),
            Witness::Impossible { class, after } => !graph.is_possible(class, loop_states[after]),
            Witness::NeverPossible { class } => !loop_states.iter().any(|state| graph.is_possible(class, *state)),
        };
        assert!(is_so, "{witness:?} is not so");
    }
}
