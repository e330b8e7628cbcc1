//! How each state was first reached: four bytes a state, and the path is played back.

/// For each state its parent.
#[derive(Default)]
pub(super) struct Trail {
    parents: Vec<u32>,
}

/// A state that was not reached from another.
const NONE: u32 = u32::MAX;

impl Trail {
    /// The next state is where a behaviour starts.
    pub(super) fn start(&mut self) {
        self.parents.push(NONE);
    }

    /// The next state was reached from `parent`.
    pub(super) fn reach(&mut self, parent: u32) {
        self.parents.push(parent);
    }

    /// The states from a start to this one.
    pub(super) fn path(&self, state: u32) -> Vec<u32> {
        let mut path = vec![state];
        let mut at = state;
        while self.parents[at as usize] != NONE {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        path
    }
}
