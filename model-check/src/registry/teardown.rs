//! The teardown protocol, as the command knows it.

use outlive_spec::protocol::VariantInfo;
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::bounds::{self, Bounds};
use outlive_spec::teardown::check::Check;
use outlive_spec::teardown::rules::Rules;
use outlive_spec::teardown::state::World;
use outlive_spec::teardown::variants::VARIANTS;

use super::{Entry as _, Facts, GuardInfo, Profile};
use crate::report::checked::Expected;

/// See [`outlive_spec::teardown`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry;

/// Variants whose harm needs an outsider at the name, beside one instance of ours.
const WITH_OUTSIDERS: &[&str] = &["adopt-by-name", "chase-the-unnamed", "release-on-replaced"];

/// Variants whose harm needs that several instances have one name. Where one at a time holds it, the old one is dead
/// before the new one exists.
const WITH_SHARED_NAMES: &[&str] = &["update-loses-pointer", "touch-keeps-instance", "outbox-keyed-by-name"];

/// Variants whose harm needs a kill that is two steps.
const WITH_TWO_STEPS: &[&str] = &["check-then-act-ungated", "gate-dies-with-its-worker"];

/// Variants whose harm needs a second trash.
const WITH_TRASHES: &[&str] = &["request-outlives-the-restore"];

/// Variants whose harm needs a deadline.
const WITH_DEADLINES: &[&str] = &["kill-by-age"];

/// Variants whose harm needs the next owner.
const WITH_OWNERS: &[&str] = &["intent-not-doomed", "adopt-ignores-outbox"];

const ATOMIC: &[World] = &[World::Atomic];
const SHARED_NAMES: &[World] = &[World::SharedNames];
const TWO_STEPS: &[World] = &[World::CheckThenAct];

/// The bounds within which a variant is searched. The right rules are searched within all that the profile has; a
/// variant within those that its harms need.
pub fn bounds_of(variant: &str, profile: Profile) -> Bounds {
    match (profile, variant) {
        (Profile::Smoke, "right") => bounds::SMOKE,
        (Profile::Ci, "right") => bounds::CI,
        (Profile::Nightly, "right") => bounds::NIGHTLY,
        (_, name) => narrow(name, bounds::LEAST),
    }
}

/// The bounds within which a variant is searched for behaviours without end. They are wide enough for the loops that
/// were reviewed. Nobody claims that a variant has no other loop, so there is no need to go further.
pub fn bounds_of_loops(variant: &str) -> Bounds {
    match variant {
        "right" => bounds::ENDLESS,
        name => narrow(name, Bounds { nodes: false, ..bounds::ENDLESS }),
    }
}

/// The same model for questions about endless behaviours, which are asked of single pointers.
pub fn endless(protocol: Teardowns) -> Teardowns {
    Teardowns { rules: Rules { watches: true, ..protocol.rules }, ..protocol }
}

fn narrow(variant: &str, bounds: Bounds) -> Bounds {
    let among = |names: &[&str]| names.contains(&variant);
    let worlds = match variant {
        name if WITH_SHARED_NAMES.contains(&name) => SHARED_NAMES,
        name if WITH_TWO_STEPS.contains(&name) => TWO_STEPS,
        _ => ATOMIC,
    };
    Bounds {
        worlds,
        owners: if among(WITH_OWNERS) { 2 } else { 1 },
        trashes: if among(WITH_TRASHES) { 2 } else { 1 },
        tokens: if among(WITH_OUTSIDERS) { 1 } else { 2 },
        outsiders: usize::from(among(WITH_OUTSIDERS)),
        deadlines: among(WITH_DEADLINES),
        ..bounds
    }
}

impl super::Entry for Entry {
    type Protocol = Teardowns;

    fn build(&self, variant: usize, profile: Profile) -> Teardowns {
        let (info, rules) = VARIANTS[variant];
        Teardowns { rules, bounds: bounds_of(info.name, profile) }
    }

    fn build_endless(&self, variant: usize, _: Profile) -> Teardowns {
        let (info, rules) = VARIANTS[variant];
        endless(Teardowns { rules, bounds: bounds_of_loops(info.name) })
    }
}

impl Facts for Entry {
    fn variants(&self) -> Vec<VariantInfo> {
        VARIANTS.iter().map(|(info, _)| *info).collect()
    }

    fn bounds(&self, variant: usize, profile: Profile) -> String {
        in_words(&self.build(variant, profile).bounds)
    }

    fn bounds_endless(&self, variant: usize, profile: Profile) -> String {
        in_words(&self.build_endless(variant, profile).bounds)
    }

    fn guards(&self) -> Vec<GuardInfo> {
        let info =
            |check: &Check| GuardInfo { name: check.name(), requirement: check.requirement(), what: check.what() };
        Check::ALL.iter().map(info).collect()
    }

    fn expected(&self) -> Expected {
        Expected { variant_only: &["adopt"], never_refused: &[] }
    }

    fn reviewed(&self, profile: Profile) -> &'static str {
        match profile {
            Profile::Smoke => include_str!("../../tests/tables/teardown.smoke.txt"),
            Profile::Ci => include_str!("../../tests/tables/teardown.ci.txt"),
            Profile::Nightly => include_str!("../../tests/tables/teardown.nightly.txt"),
        }
    }

    fn arrows(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[
            ("call", "worker", "provider"),
            ("record", "provider", "store"),
            ("orphan", "provider", "store"),
            ("attach", "store", "owner"),
            ("list", "store", "worker"),
            ("claim", "worker", "store"),
            ("send", "worker", "provider"),
            ("hear", "provider", "worker"),
            ("release", "worker", "store"),
            ("note", "worker", "store"),
            ("give-up", "worker", "store"),
            ("refuse-purge", "store", "owner"),
            ("refuse-renew", "store", "owner"),
            ("refuse-attach", "store", "owner"),
            ("refuse-intend", "store", "worker"),
            ("refuse-create", "provider", "worker"),
            ("refuse-record", "store", "worker"),
            ("refuse-close", "store", "worker"),
            ("refuse-claim", "store", "worker"),
            ("refuse-kill", "provider", "worker"),
        ]
    }
}

/// How far a search goes, for people.
pub(crate) fn in_words(bounds: &Bounds) -> String {
    let Bounds { worlds, owners, trashes, tokens, instances, intents, outsiders, deadlines, nodes, workers, page } =
        bounds;
    let has = |flag: &bool| if *flag { "yes" } else { "no" };
    format!(
        "kinds of providers: {}; owners: {owners}; trashes: {trashes}; tokens: {tokens}, open at once: {intents}; \
         instances: {instances}, of which outsiders: {outsiders}; deadlines: {}; nodes that are cut off: {}; workers: \
         {workers}; read at once: {page}",
        worlds.len(),
        has(deadlines),
        has(nodes),
    )
}
