//! How each state was first reached: six bytes a state, and the path is played back.

use outlive_spec::protocol::Protocol;

/// For each state its parent, and the place of the action among the parent's proposals.
#[derive(Default)]
pub(super) struct Trail {
    parents: Vec<u32>,
    proposals: Vec<u16>,
}

/// A state that was not reached from another.
const NONE: u32 = u32::MAX;

impl Trail {
    /// The next state is where a behaviour starts: the `start`-th.
    pub(super) fn start(&mut self, start: usize) {
        self.parents.push(NONE);
        self.proposals.push(place(start));
    }

    /// The next state was reached from `parent` by the proposal at this place.
    pub(super) fn reach(&mut self, parent: u32, proposal: usize) {
        self.parents.push(parent);
        self.proposals.push(place(proposal));
    }

    /// Where the path to this state starts, and its actions.
    pub(super) fn path<P: Protocol>(&self, protocol: &P, state: u32) -> (usize, Vec<P::Action>) {
        let mut places = Vec::new();
        let mut at = state as usize;
        while self.parents[at] != NONE {
            places.push(usize::from(self.proposals[at]));
            at = self.parents[at] as usize;
        }
        let start = usize::from(self.proposals[at]);
        let mut state = protocol.initial().swap_remove(start);
        let mut proposals = Vec::new();
        let mut actions = Vec::with_capacity(places.len());
        for place in places.into_iter().rev() {
            proposals.clear();
            protocol.actions(&state, &mut proposals);
            let action = proposals[place];
            protocol.apply(&mut state, &action).expect("what was taken once is taken again");
            protocol.forgive(&mut state);
            actions.push(action);
        }
        (start, actions)
    }
}

fn place(place: usize) -> u16 {
    u16::try_from(place).expect("no state proposes 65,536 actions")
}
