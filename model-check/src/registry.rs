//! The protocols by name, with their types erased: what a command can ask for.

use std::fmt;

use outlive_spec::protocol::{Broken, Class, Classes, Fairness, Property, Protocol, Response, VariantInfo};
use outlive_spec::requirement::Requirement;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::Progress;
use crate::engine::induction;
use crate::engine::limits::Limits;
use crate::engine::phases::{Phases, phases};
use crate::engine::simulate::{self, Walks};
use crate::report::checked::{Checked, Expected};
use crate::report::counterexample::Counterexample;
use crate::report::inducted::Inducted;
use crate::report::reviewed;
use crate::report::simulated::Simulated;
use crate::report::subject::Subject;

mod checking;
mod inducting;
pub mod operation;
mod replay;
mod simulating;
pub mod snapshot;
pub mod teardown;

pub use replay::ReplayError;

/// Every protocol.
pub const FAMILIES: &[&dyn Family] = &[&snapshot::Entry, &operation::Entry, &teardown::Entry];

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Profile {
    /// A look in a few seconds.
    Smoke,
    /// For every push.
    Ci,
    /// For a night: minutes, and gigabytes.
    Nightly,
}

impl Profile {
    /// From the smallest to the largest.
    pub const ALL: [Profile; 3] = [Profile::Smoke, Profile::Ci, Profile::Nightly];

    /// For instance `smoke`.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Smoke => "smoke",
            Profile::Ci => "ci",
            Profile::Nightly => "nightly",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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

    /// The bounds in words. Most variants are searched within the same ones.
    fn bounds(&self, variant: usize, profile: Profile) -> String;

    /// The bounds of the search for what must come about, in words. They limit what a state mentions at once, not how
    /// much there was before.
    fn bounds_endless(&self, variant: usize, profile: Profile) -> String;

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

    /// The same model within the bounds of the search for what must come about.
    fn build_endless(&self, variant: usize, profile: Profile) -> Self::Protocol;

    /// See [`Family::induct`]. Not every protocol has an invariant that is meant to be inductive.
    fn induct(
        &self,
        _variant: usize,
        _profile: Profile,
        _watch: &mut dyn FnMut(&induction::Progress),
    ) -> Option<Inducted> {
        None
    }
}

/// One protocol, whatever its types.
pub trait Family: Facts {
    /// For instance `snapshot`.
    fn name(&self) -> &'static str;

    /// What must hold, and then what must come about.
    fn properties(&self) -> Vec<Property>;

    /// What each response assumes of the world.
    fn assumptions(&self) -> Vec<Assumptions>;

    /// The kinds of actions.
    fn kinds(&self) -> &'static [&'static str];

    /// The lanes of a sequence diagram.
    fn lanes(&self) -> Vec<&'static str>;

    /// Searches one variant.
    fn check(&self, ask: &Ask, watch: &mut dyn FnMut(&Progress)) -> Checked;

    /// Tries whether the invariant is kept by every step of the variant; nothing, if the protocol has no such
    /// invariant.
    fn induct(&self, variant: usize, profile: Profile, watch: &mut dyn FnMut(&induction::Progress))
    -> Option<Inducted>;

    /// What a page says of the variant. The number of states is the one that was reviewed.
    fn subject(&self, variant: usize, profile: Profile) -> Subject {
        let info = self.variants()[variant];
        let reviewed = reviewed::parse(self.reviewed(profile)).unwrap_or_default();
        let states = reviewed.iter().find(|row| row.variant == info.name).map(|row| row.states);
        Subject {
            change: info.change.to_owned(),
            origin: info.origin.to_owned(),
            bounds: self.bounds(variant, profile),
            states,
            bounds_endless: self.bounds_endless(variant, profile),
            states_endless: None,
            lanes: self.lanes(),
            arrows: self.arrows(),
        }
    }

    /// Walks at random under the rules of the variant, with no bound but that of generations.
    fn simulate(&self, variant: usize, walks: Walks, watch: &mut dyn FnMut(&simulate::Progress)) -> Simulated;

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
    /// How many threads the search takes.
    pub threads: usize,
    /// Whether only one of all states is searched that differ in names alone.
    pub symmetry: bool,
}

/// What a response, a sentence on what must come about, assumes of the world.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Assumptions {
    /// The name of the response.
    pub property: String,
    /// Weak fairness: if a step of this class stays possible, one is taken at last.
    pub weak: Vec<Steps>,
    /// Strong fairness: if a step of this class is possible again and again, one is taken at last.
    pub strong: Vec<Steps>,
    /// Steps of this class are taken only finitely often.
    pub finitely: Vec<Steps>,
}

/// A class of steps, about which fairness assumes something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Steps {
    /// For instance `learn`.
    pub class: String,
    /// Which steps these are, as a sentence.
    pub sentence: String,
}

impl Assumptions {
    fn of(classes: &[Class], response: &Response) -> Self {
        let steps = |place: usize| Steps {
            class: classes[place].name.to_owned(),
            sentence: classes[place].sentence.to_owned(),
        };
        let steps = |of: Classes| of.iter().map(steps).collect();
        let Fairness { weak, strong, finitely } = response.fairness;
        Assumptions {
            property: response.property.name.to_owned(),
            weak: steps(weak),
            strong: steps(strong),
            finitely: steps(finitely),
        }
    }
}

impl<E: Entry> Family for E {
    fn name(&self) -> &'static str {
        self.build(0, Profile::Smoke).name()
    }

    fn properties(&self) -> Vec<Property> {
        let protocol = self.build(0, Profile::Smoke);
        let responses = protocol.responses().iter().map(|response| response.property);
        protocol.properties().iter().copied().chain(responses).collect()
    }

    fn assumptions(&self) -> Vec<Assumptions> {
        let protocol = self.build(0, Profile::Smoke);
        protocol.responses().iter().map(|response| Assumptions::of(protocol.classes(), response)).collect()
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.build(0, Profile::Smoke).kinds()
    }

    fn lanes(&self) -> Vec<&'static str> {
        self.build(0, Profile::Smoke).lanes().iter().map(|lane| lane.0).collect()
    }

    fn check(&self, ask: &Ask, watch: &mut dyn FnMut(&Progress)) -> Checked {
        checking::check(self, ask, watch)
    }

    fn induct(
        &self,
        variant: usize,
        profile: Profile,
        watch: &mut dyn FnMut(&induction::Progress),
    ) -> Option<Inducted> {
        Entry::induct(self, variant, profile, watch)
    }

    fn simulate(&self, variant: usize, walks: Walks, watch: &mut dyn FnMut(&simulate::Progress)) -> Simulated {
        simulating::simulated(self, variant, walks, watch)
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
