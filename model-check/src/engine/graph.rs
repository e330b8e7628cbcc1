//! The graph of a search, kept whole: what questions about infinite behaviours are asked of.

use outlive_spec::protocol::{Classes, Cut, Outlook, Protocol};

use super::visited::Visited;

/// Every state that a search has found, by its place, with the steps that lead away from it.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Where behaviours start.
    pub starts: Vec<u32>,
    /// What each state says of each response.
    standings: Vec<Standing>,
    /// Where each state's edges begin.
    begins: Vec<u32>,
    edges: Vec<Edge>,
}

/// A step that changed something. One that changes nothing is stuttering: it counts neither as taken nor as enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The place of the state where it leads.
    pub to: u32,
    /// The place of its action among the proposals of the state where it begins.
    pub proposal: u16,
    /// The classes to which it belongs.
    pub classes: Classes,
}

/// What a state says of the responses, as bits by their places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Somebody begins to wait here, or still does.
    pub waits: u32,
    /// What is waited for is here, or lies beyond a bound of the search.
    pub answered: u32,
}

impl Standing {
    /// Whether this response is waited for, and not there.
    fn is_open(self, response: usize) -> bool {
        self.waits & !self.answered & bit(response) != 0
    }
}

impl Graph {
    /// The next state. Its edges follow.
    pub fn add_state(&mut self, standing: Standing) {
        self.begins.push(to_u32(self.edges.len()));
        self.standings.push(standing);
    }

    /// A step from the last state.
    pub fn add_edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.standings.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.standings.is_empty()
    }

    /// The places of the edges of a state.
    pub fn edges_of(&self, state: u32) -> std::ops::Range<u32> {
        let next = state as usize + 1;
        self.begins[state as usize]..self.begins.get(next).copied().unwrap_or(to_u32(self.edges.len()))
    }

    /// The edge at this place.
    #[inline]
    pub fn edge(&self, edge: u32) -> Edge {
        self.edges[edge as usize]
    }

    /// The classes of which a step can be taken here.
    pub fn enabled(&self, state: u32) -> Classes {
        self.edges_of(state).fold(Classes::default(), |all, edge| all | self.edge(edge).classes)
    }

    /// Whether the response is waited for in this state, and not there.
    pub fn is_open(&self, state: u32, response: usize) -> bool {
        self.standings[state as usize].is_open(response)
    }

    /// Whether the response is there.
    pub fn is_answered(&self, state: u32, response: usize) -> bool {
        self.standings[state as usize].answered & bit(response) != 0
    }
}

fn bit(response: usize) -> u32 {
    1 << response
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("more than 2^32 states or edges do not fit a machine")
}

/// A graph with the states at its places.
pub struct Recorded<P: Protocol> {
    /// The graph.
    pub graph: Graph,
    states: Visited<P::Packed>,
}

impl<P: Protocol> Recorded<P> {
    /// The state at this place.
    pub fn state(&self, protocol: &P, place: u32) -> P::State {
        protocol.unpack(&self.states.get(place))
    }
}

/// Searches the protocol, with one state for all that differ only in names, and keeps the graph.
///
/// # Errors
/// A limit was reached. A graph without its rest answers no question about infinite behaviours.
pub fn record<P: Protocol>(protocol: &P, max_states: usize) -> Result<Recorded<P>, usize> {
    let mut recorded = Recorded { graph: Graph::default(), states: Visited::new() };
    let Recorded { graph, states } = &mut recorded;
    for mut state in protocol.initial() {
        protocol.forgive(&mut state);
        protocol.represent(&mut state);
        let (place, is_new) = states.insert(protocol.pack(&state));
        if is_new {
            graph.starts.push(place);
        }
    }
    let (mut at, mut proposals) = (0, Vec::new());
    while (at as usize) < states.len() {
        if states.len() > max_states {
            return Err(states.len());
        }
        let state: P::State = protocol.unpack(&states.get(at));
        proposals.clear();
        let cut = protocol.actions(&state, &mut proposals);
        graph.add_state(standing(protocol, &state, cut));
        let mut next = state.clone();
        for (proposal, action) in proposals.iter().enumerate() {
            if protocol.apply(&mut next, action).is_err() {
                continue;
            }
            protocol.forgive(&mut next);
            if next == state {
                continue;
            }
            protocol.represent(&mut next);
            if next != state {
                let (to, _) = states.insert(protocol.pack(&next));
                let classes = protocol.classes_of(&state, action);
                graph.add_edge(Edge { to, proposal: proposal as u16, classes });
            }
            next.clone_from(&state);
        }
        at += 1;
    }
    Ok(recorded)
}

fn standing<P: Protocol>(protocol: &P, state: &P::State, cut: Cut) -> Standing {
    let mut standing = Standing::default();
    for response in 0..protocol.responses().len() {
        match protocol.outlook(response, state) {
            Outlook::Nothing => {}
            Outlook::Waits => standing.waits |= bit(response),
            Outlook::Answered => standing.answered |= bit(response),
        }
    }
    if cut == Cut::ByABound {
        standing.answered = u32::MAX;
    }
    standing
}
