//! A counterexample that was written to a file, played back by the model of today.

use clap::ValueEnum;
use outlive_spec::protocol::Protocol;

use super::{Entry, Family, Profile};
use crate::engine::liveness::waits_in_vain;
use crate::engine::recovery::can_recover;
use crate::engine::retrace::close_up;
use crate::engine::walk::{Step, walk};
use crate::report::counterexample::{Counterexample, Ending, FORMAT, Origin, ShownStep};

/// Why a counterexample cannot be played back.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// It was written by another version.
    #[error("its format is {0}, and this program reads {FORMAT}")]
    Format(u32),
    /// The variant is unknown.
    #[error("there is no variant `{0}` any more")]
    NoVariant(String),
    /// The property is unknown.
    #[error("there is no property `{0}` any more")]
    NoProperty(String),
    /// The profile is unknown.
    #[error("there is no profile `{0}` any more")]
    NoProfile(String),
    /// The path does not start anywhere.
    #[error("the model has no start number {0}")]
    NoStart(usize),
    /// The model does not propose a step.
    #[error("step {step} (`{exact}`) is not proposed by the model any more")]
    NotProposed {
        /// Counted from one.
        step: usize,
        /// The action.
        exact: String,
    },
    /// The model refuses a step.
    #[error("step {step} is refused by the model: {guard}")]
    Refused {
        /// Counted from one.
        step: usize,
        /// Why.
        guard: String,
    },
    /// Nothing is broken at the end.
    #[error("the path can be walked, but `{0}` is not broken at its end")]
    NotBroken(String),
}

/// Walks the path again, and describes it anew as the model sees it now.
pub(super) fn replay<E: Entry>(entry: &E, found: &Counterexample) -> Result<Counterexample, ReplayError> {
    if found.format != FORMAT {
        return Err(ReplayError::Format(found.format));
    }
    let variants = entry.variants();
    let variant = variants.iter().position(|info| info.name == found.variant);
    let variant = variant.ok_or_else(|| ReplayError::NoVariant(found.variant.clone()))?;
    let profile =
        Profile::from_str(&found.profile, false).map_err(|_| ReplayError::NoProfile(found.profile.clone()))?;
    let names = entry.properties().into_iter().map(|property| property.name);
    let place = names.into_iter().position(|name| name == found.property);
    let place = place.ok_or_else(|| ReplayError::NoProperty(found.property.clone()))?;
    let first_response = entry.build(variant, profile).properties().len();
    let (searched, right) = match place < first_response {
        true => (entry.build(variant, profile), entry.build(0, profile)),
        false => (entry.build_endless(variant, profile), entry.build_endless(0, profile)),
    };
    // A path is shown with the names that a real one has, and those no bound limits.
    let (protocol, right) = (searched.far(), right.remembering());
    let start = protocol.initial().into_iter().nth(found.start).ok_or(ReplayError::NoStart(found.start))?;
    let actions = find_actions(&protocol, start.clone(), &found.steps)?;
    let steps = walk(&protocol, found.start, &actions).expect("each was taken a moment ago");
    let path = Path { found, start: &start, steps: &steps };
    let is_broken = match place.checked_sub(first_response) {
        None => path.breaks(&searched, place),
        Some(response) => path.waits_in_vain(&protocol, response),
    };
    if !is_broken {
        return Err(ReplayError::NotBroken(found.property.clone()));
    }
    let property = &entry.properties()[place];
    let (variant, profile_name) = (variants[variant].name, profile.name());
    let origin = Origin { variant, profile: profile_name, symmetry: found.symmetry, property, start: found.start };
    Ok(Counterexample::of(&protocol, &right, origin, found.ending.clone(), &steps))
}

/// The path of a file, walked again.
struct Path<'a, P: Protocol> {
    found: &'a Counterexample,
    start: &'a P::State,
    steps: &'a [Step<P>],
}

impl<P: Protocol> Path<'_, P> {
    fn breaks(&self, searched: &P, property: usize) -> bool {
        let is_dead_end = property == searched.properties().len() - 1;
        match (&self.found.ending, self.steps.last()) {
            (Ending::DeadEnd, last) if is_dead_end => {
                let mut state = last.map_or(self.start, |step| &step.after).clone();
                close_up(searched, self.found.symmetry, &mut state);
                !can_recover(searched, &state)
            }
            (Ending::Harm, Some(last)) => last.broken.has(property),
            (Ending::Harm | Ending::DeadEnd | Ending::Loop { .. }, _) => false,
        }
    }

    fn waits_in_vain(&self, protocol: &P, response: usize) -> bool {
        let Ending::Loop { steps: cycle, .. } = self.found.ending else { return false };
        let fairness = protocol.responses()[response].fairness;
        waits_in_vain(protocol, response, fairness, self.start, self.steps, cycle)
    }
}

/// The proposals that the steps name. Only what the model itself proposes can be played back, so that no file can make
/// it do what it would not.
fn find_actions<P: Protocol>(
    protocol: &P,
    mut state: P::State,
    steps: &[ShownStep],
) -> Result<Vec<P::Action>, ReplayError> {
    let mut proposals = Vec::new();
    let mut actions = Vec::with_capacity(steps.len());
    for (at, ShownStep { exact, .. }) in steps.iter().enumerate() {
        let step = at + 1;
        proposals.clear();
        protocol.actions(&state, &mut proposals);
        let action = proposals.iter().find(|action| format!("{action:?}") == *exact);
        let action = *action.ok_or_else(|| ReplayError::NotProposed { step, exact: exact.clone() })?;
        let taken = protocol.apply(&mut state, &action);
        taken.map_err(|guard| ReplayError::Refused { step, guard: guard.to_string() })?;
        protocol.forgive(&mut state);
        actions.push(action);
    }
    Ok(actions)
}
