//! A counterexample that was written to a file, played back by the model of today.

use clap::ValueEnum;
use outlive_spec::protocol::Protocol;

use super::{Entry, Profile};
use crate::engine::recovery::can_recover;
use crate::engine::walk::walk;
use crate::report::counterexample::{Counterexample, FORMAT, Origin, ShownStep};

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

/// Walks the path again, and says it again as the model sees it now.
pub(super) fn replay<E: Entry>(entry: &E, found: &Counterexample) -> Result<Counterexample, ReplayError> {
    if found.format != FORMAT {
        return Err(ReplayError::Format(found.format));
    }
    let variants = entry.variants();
    let variant = variants.iter().position(|info| info.name == found.variant);
    let variant = variant.ok_or_else(|| ReplayError::NoVariant(found.variant.clone()))?;
    let profile =
        Profile::from_str(&found.profile, false).map_err(|_| ReplayError::NoProfile(found.profile.clone()))?;
    let protocol = entry.build(variant, profile);
    let properties = protocol.properties();
    let place = properties.iter().position(|property| property.name == found.property);
    let place = place.ok_or_else(|| ReplayError::NoProperty(found.property.clone()))?;
    let start = protocol.initial().into_iter().nth(found.start).ok_or(ReplayError::NoStart(found.start))?;
    let actions = find_actions(&protocol, start.clone(), &found.steps)?;
    let steps = walk(&protocol, found.start, &actions).expect("each was taken a moment ago");
    let is_dead_end = place == properties.len() - 1;
    let is_broken = if is_dead_end {
        !can_recover(&protocol, steps.last().map_or(&start, |step| &step.after))
    } else {
        steps.last().is_some_and(|step| step.broken.has(place))
    };
    if !is_broken {
        return Err(ReplayError::NotBroken(found.property.clone()));
    }
    let (property, profile_name) = (&properties[place], found.profile.as_str());
    let origin =
        Origin { variant: variants[variant].name, profile: profile_name, property, is_dead_end, start: found.start };
    Ok(Counterexample::of(&protocol, &entry.build(0, profile), origin, &steps))
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
