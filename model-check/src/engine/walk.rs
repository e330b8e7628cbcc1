//! One path, step by step, for people and for the replay of a counterexample.

use outlive_spec::guard::Guard;
use outlive_spec::protocol::{Broken, Protocol};

/// One step of a path, with the states on both sides.
#[derive(Clone, Debug)]
pub struct Step<P: Protocol> {
    /// What was done.
    pub action: P::Action,
    /// The state in which it was done.
    pub before: P::State,
    /// What became of it.
    pub after: P::State,
    /// What this step has broken.
    pub broken: Broken,
}

/// Walks the path.
///
/// # Errors
/// The number of the first step that is refused, and the guard that refuses it.
pub fn walk<P: Protocol>(protocol: &P, start: usize, actions: &[P::Action]) -> Result<Vec<Step<P>>, (usize, Guard)> {
    let mut state = protocol.initial().swap_remove(start);
    let mut steps = Vec::with_capacity(actions.len());
    for (at, action) in actions.iter().enumerate() {
        let before = state.clone();
        protocol.apply(&mut state, action).map_err(|guard| (at, guard))?;
        let broken = protocol.broken(&state);
        protocol.forgive(&mut state);
        steps.push(Step { action: *action, before, after: state.clone(), broken });
    }
    Ok(steps)
}
