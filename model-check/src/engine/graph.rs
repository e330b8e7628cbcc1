//! The graph of a search, kept whole: what questions about infinite behaviours are asked of.

use outlive_spec::protocol::{Classes, Cut, Outlook, Protocol};

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
    /// The classes of which a step is possible, also if a bound keeps it from being taken.
    pub possible: Classes,
}

impl Standing {
    /// What the state says. A state beyond which a bound has cut something off counts as answered: what lies there was
    /// not searched.
    pub(super) fn of<P: Protocol>(far: &P, state: &P::State, cut: Cut) -> Standing {
        let mut standing = Standing { possible: possible_classes(far, state), ..Standing::default() };
        for response in 0..far.responses().len() {
            match far.outlook(response, state) {
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

    /// The classes of which a step is possible here.
    pub fn possible(&self, state: u32) -> Classes {
        self.edges_of(state).fold(self.standings[state as usize].possible, |all, edge| all | self.edge(edge).classes)
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

/// A place or a count, of states or of edges.
pub(super) fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("more than 2^32 states or edges do not fit a machine")
}

/// The classes of which a step is possible that changes something.
pub(super) fn possible_classes<P: Protocol>(far: &P, state: &P::State) -> Classes {
    let (mut proposals, mut next, mut possible) = (Vec::new(), state.clone(), Classes::NONE);
    far.actions(state, &mut proposals);
    for action in proposals.iter().filter(|action| far.may_change(action)) {
        let classes = far.classes_of(state, action);
        // Most are of a class of which a step is known to be possible.
        if classes.without(possible).is_empty() || far.apply(&mut next, action).is_err() {
            continue;
        }
        far.forgive(&mut next);
        if next != *state {
            possible = possible | classes;
            next.clone_from(state);
        }
    }
    possible
}
