//! Random walks, far beyond what a search can visit: many restarts, many resets, long histories.
//!
//! A walk proves nothing. It is cheap, so it may go where no search goes, and the same seed walks the same way again.
//! What it finds is long; so steps are left out, one after the other, as long as the rest is still a path that breaks
//! the property.

use outlive_spec::protocol::Protocol;

use super::walk::walk;
use crate::random::Random;

/// Where to walk.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    /// Of the first walk; each further one has the next.
    pub seed: u64,
    /// How many.
    pub walks: u64,
    /// How many steps each takes at most.
    pub steps: u64,
}

/// How far they have come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many were begun.
    pub walks: u64,
    /// The steps that were taken.
    pub taken: u64,
}

/// How many steps are taken between two looks at the clock.
const STEPS_BETWEEN_REPORTS: u64 = 1 << 12;

const FAULTS_ARE_ONE_IN: usize = 12;

/// What walks have come by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walked<A> {
    /// How many were begun.
    pub walks: u64,
    /// The steps that were taken.
    pub taken: u64,
    /// The steps that were refused.
    pub refused: u64,
    /// How often each kind was taken.
    pub kinds: Vec<u64>,
    /// The first harm.
    pub harm: Option<Harm<A>>,
}

/// A walk that breaks a property by its last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harm<A> {
    /// The seed of the walk.
    pub seed: u64,
    /// The place of the property.
    pub property: usize,
    /// The place of the start.
    pub start: usize,
    /// How many steps the walk had taken.
    pub walked: usize,
    /// Those that are needed.
    pub actions: Vec<A>,
}

/// Walks until a property is broken, or to the end. `watch` is told from time to time how it goes.
pub fn simulate<P: Protocol>(protocol: &P, walks: Walks, watch: &mut dyn FnMut(&Progress)) -> Walked<P::Action> {
    let kinds = vec![0; protocol.kinds().len()];
    let mut walked = Walked { walks: 0, taken: 0, refused: 0, kinds, harm: None };
    for seed in (0..walks.walks).map(|walk| walks.seed.wrapping_add(walk)) {
        walked.walks += 1;
        walked.harm = one_walk(protocol, seed, walks.steps, &mut walked, watch);
        if walked.harm.is_some() {
            break;
        }
    }
    walked
}

fn one_walk<P: Protocol>(
    protocol: &P,
    seed: u64,
    steps: u64,
    walked: &mut Walked<P::Action>,
    watch: &mut dyn FnMut(&Progress),
) -> Option<Harm<P::Action>> {
    let mut random = Random::new(seed);
    let starts = protocol.initial();
    let start = random.below(starts.len());
    let (mut state, mut actions, mut proposals) = (starts[start].clone(), Vec::new(), Vec::new());
    for _ in 0..steps {
        proposals.clear();
        protocol.actions(&state, &mut proposals);
        let action = loop {
            // A state in which nothing is possible ends the walk.
            if proposals.is_empty() {
                return None;
            }
            let action = proposals.swap_remove(choose(protocol, &state, &proposals, &mut random));
            match protocol.apply(&mut state, &action) {
                Ok(()) => break action,
                Err(_) => walked.refused += 1,
            }
        };
        walked.taken += 1;
        if walked.taken.is_multiple_of(STEPS_BETWEEN_REPORTS) {
            watch(&Progress { walks: walked.walks, taken: walked.taken });
        }
        walked.kinds[protocol.kind(&action)] += 1;
        actions.push(action);
        let broken = protocol.broken(&state).0;
        if broken != 0 {
            let property = broken.trailing_zeros() as usize;
            let length = actions.len();
            return Some(Harm {
                seed,
                property,
                start,
                walked: length,
                actions: needed(protocol, start, property, actions),
            });
        }
        protocol.forgive(&mut state);
    }
    None
}

/// The place of a proposal. Left to chance alone, faults and demands would end everything before it has begun; and a
/// kind that is proposed in many forms would leave no room for the others.
fn choose<P: Protocol>(protocol: &P, state: &P::State, proposals: &[P::Action], random: &mut Random) -> usize {
    let wants_progress = random.below(FAULTS_ARE_ONE_IN) != 0;
    let fits = |at: &usize| protocol.is_progress(state, &proposals[*at]) == wants_progress;
    let mut places: Vec<usize> = (0..proposals.len()).filter(fits).collect();
    if places.is_empty() {
        places.extend(0..proposals.len());
    }
    let mut kinds: Vec<usize> = places.iter().map(|at| protocol.kind(&proposals[*at])).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let kind = kinds[random.below(kinds.len())];
    places.retain(|at| protocol.kind(&proposals[*at]) == kind);
    places[random.below(places.len())]
}

/// The steps without those that the harm does not need, the last ones tried first.
fn needed<P: Protocol>(protocol: &P, start: usize, property: usize, mut actions: Vec<P::Action>) -> Vec<P::Action> {
    let harms = |actions: &[P::Action]| {
        let steps = walk(protocol, start, actions);
        steps.is_ok_and(|steps| steps.last().is_some_and(|last| last.broken.has(property)))
    };
    loop {
        let before = actions.len();
        for at in (0..actions.len()).rev() {
            let mut fewer = actions.clone();
            fewer.remove(at);
            if harms(&fewer) {
                actions = fewer;
            }
        }
        if actions.len() == before {
            return actions;
        }
    }
}
