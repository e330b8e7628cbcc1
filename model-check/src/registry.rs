//! The protocols by name, with their types erased: what a command line can ask for.

use std::fmt;

use outlive_spec::protocol::{Broken, Property, Protocol, VariantInfo};
use outlive_spec::requirement::Requirement;

use crate::engine::limits::Limits;
use crate::engine::phases::{Phases, phases};
use crate::engine::walk::walk;
use crate::engine::{Outcome, Progress, Question, search};
use crate::report::checked::{Checked, Expected, GuardChecked, KindChecked, is_right, property, vacuity};
use crate::report::counterexample::{Counterexample, Origin};

mod replay;
pub(crate) mod snapshot;

pub use replay::ReplayError;

/// Every protocol.
pub const FAMILIES: &[&dyn Family] = &[&snapshot::Entry];

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Profile {
    /// A look in a few seconds.
    Smoke,
    /// For every push.
    Ci,
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Profile::Smoke => "smoke",
            Profile::Ci => "ci",
        })
    }
}

/// A guard as people ask for it.
#[derive(Clone, Copy, Debug)]
pub struct GuardInfo {
    /// Its name in code.
    pub name: &'static str,
    /// The requirement for which it stands.
    pub requirement: Requirement,
    /// What it compares.
    pub what: &'static str,
}

/// What there is to know of a protocol without running it.
pub trait Facts: Sync {
    /// The variants; the first is right.
    fn variants(&self) -> Vec<VariantInfo>;

    /// The bounds in words. Nearly every variant is searched within the same.
    fn bounds(&self, variant: usize, profile: Profile) -> String;

    /// The guards.
    fn guards(&self) -> Vec<GuardInfo>;

    /// What a search of the right rules never reaches, and why.
    fn expected(&self) -> Expected;

    /// The reviewed table.
    fn reviewed(&self, profile: Profile) -> &'static str;

    /// The kinds of actions that reach another lane: kind, from, to.
    fn arrows(&self) -> &'static [(&'static str, &'static str, &'static str)];
}

/// One protocol, as its own module in [`crate::registry`] describes it: whoever adds one implements this and [`Facts`],
/// and lists it in [`FAMILIES`].
pub trait Entry: Facts {
    /// The model.
    type Protocol: Protocol + Clone + 'static;

    /// The model under the rules of the variant at this place.
    fn build(&self, variant: usize, profile: Profile) -> Self::Protocol;
}

/// One protocol, whatever its types.
pub trait Family: Facts {
    /// For instance `snapshot`.
    fn name(&self) -> &'static str;

    /// What must hold.
    fn properties(&self) -> &'static [Property];

    /// The kinds of actions.
    fn kinds(&self) -> &'static [&'static str];

    /// The lanes of a sequence diagram.
    fn lanes(&self) -> Vec<&'static str>;

    /// Searches one variant.
    fn check(&self, ask: &Ask, watch: &mut dyn FnMut(&Progress)) -> Checked;

    /// Plays a counterexample back.
    ///
    /// # Errors
    /// Why it cannot be.
    fn replay(&self, found: &Counterexample) -> Result<Counterexample, ReplayError>;

    /// The state diagram of one variant.
    fn phases(&self, variant: usize, profile: Profile) -> Phases;

    /// Serves stateright's Explorer until the process ends.
    fn explore(&self, variant: usize, profile: Profile, address: std::net::SocketAddr);
}

/// What is asked of one search.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// The place of the variant.
    pub variant: usize,
    /// The bounds.
    pub profile: Profile,
    /// The properties by their places.
    pub properties: Broken,
    /// The limits.
    pub limits: Limits,
}

impl<E: Entry> Family for E {
    fn name(&self) -> &'static str {
        self.build(0, Profile::Smoke).name()
    }

    fn properties(&self) -> &'static [Property] {
        self.build(0, Profile::Smoke).properties()
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.build(0, Profile::Smoke).kinds()
    }

    fn lanes(&self) -> Vec<&'static str> {
        self.build(0, Profile::Smoke).lanes().iter().map(|lane| lane.0).collect()
    }

    fn check(&self, ask: &Ask, watch: &mut dyn FnMut(&Progress)) -> Checked {
        let protocol = self.build(ask.variant, ask.profile);
        let question = Question { properties: ask.properties, limits: ask.limits };
        let outcome = search(&protocol, &question, watch);
        checked(self, &protocol, ask, &outcome)
    }

    fn replay(&self, found: &Counterexample) -> Result<Counterexample, ReplayError> {
        replay::replay(self, found)
    }

    fn phases(&self, variant: usize, profile: Profile) -> Phases {
        phases(&self.build(variant, profile))
    }

    fn explore(&self, variant: usize, profile: Profile, address: std::net::SocketAddr) {
        use stateright::Model;
        outlive_spec::second_opinion::SecondOpinion(self.build(variant, profile)).checker().serve(address);
    }
}

fn checked<E: Entry>(
    entry: &E,
    protocol: &E::Protocol,
    ask: &Ask,
    outcome: &Outcome<<E::Protocol as Protocol>::Action>,
) -> Checked {
    let info = entry.variants()[ask.variant];
    let right = entry.build(0, ask.profile);
    let profile = ask.profile.to_string();
    let settled = protocol.properties().len() - 1;
    let asked = protocol.properties().iter().enumerate().filter(|(place, _)| ask.properties.has(*place));
    let properties = asked.map(|(place, sentence)| {
        let violation = outcome.violations.iter().find(|violation| violation.property == place);
        let counterexample = violation.map(|violation| {
            let steps = walk(protocol, violation.start, &violation.actions).expect("the search took these steps");
            let is_dead_end = place == settled;
            let start = violation.start;
            let origin = Origin { variant: info.name, profile: &profile, property: sentence, is_dead_end, start };
            Counterexample::of(protocol, &right, origin, &steps)
        });
        property(sentence, counterexample)
    });
    let statistics = &outcome.statistics;
    let kinds = protocol.kinds().iter().zip(&statistics.kinds);
    let kinds: Vec<KindChecked> = kinds
        .map(|(name, count)| KindChecked { name: (*name).to_owned(), taken: count.taken, refused: count.refused })
        .collect();
    let mut guarded: Vec<Requirement> = entry.guards().iter().map(|guard| guard.requirement).collect();
    guarded.dedup();
    let is_judged = is_right(&info) && outcome.truncation.is_none();
    let expected = entry.expected();
    let vacuous = is_judged.then(|| vacuity(&kinds, &statistics.guards, &guarded, expected));
    let refused = |requirement: &Requirement| GuardChecked {
        requirement: requirement.id().to_owned(),
        refused: statistics.refused_by(*requirement),
        never: expected.never_refused.iter().find(|never| never.0 == *requirement).map(|never| never.1.to_owned()),
    };
    Checked {
        protocol: protocol.name().to_owned(),
        variant: info.name.to_owned(),
        change: info.change.to_owned(),
        origin: info.origin.to_owned(),
        verdict: outcome.verdict().to_string(),
        truncated: outcome.truncation.map(|truncation| truncation.to_string()),
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth(),
        seconds: statistics.elapsed.as_secs_f64(),
        properties: properties.collect(),
        profile: profile.clone(),
        bounds: entry.bounds(ask.variant, ask.profile),
        kinds,
        guards: guarded.iter().map(refused).collect(),
        phases: statistics.phases.iter().map(|(phase, states)| ((*phase).to_owned(), *states)).collect(),
        depths: statistics.depths.clone(),
        vacuous: vacuous.unwrap_or_default(),
    }
}
