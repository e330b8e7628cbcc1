//! The snapshot protocol, as the command knows it.

use outlive_spec::induction::Scope;
use outlive_spec::protocol::VariantInfo;
use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::bounds::Bounds;
use outlive_spec::snapshot::check::Check;
use outlive_spec::snapshot::variants::VARIANTS;
use outlive_spec::snapshot::{Snapshot, bounds};

use super::{Entry as _, Facts, GuardInfo, Profile, inducting};
use crate::engine::induction;
use crate::report::checked::Expected;
use crate::report::inducted::Inducted;

/// See [`outlive_spec::snapshot`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry;

/// Requirements that never refuse anything in a search, each with the reason. Rejected traces show their guards at
/// work, and a test shows that each of these guards is missed where it is left out.
const NEVER_REFUSED: &[(Requirement, &str)] = &[
    (Requirement::Save2, "a search proposes only the next generation"),
    (Requirement::Save3, "a save that is over is forgotten at once; without forgetting, it is refused"),
    (Requirement::Save4, "a save below the row is forgotten at once; without forgetting, it is refused"),
    (Requirement::Save6, "a search delivers only what was sent"),
    (Requirement::Save8, "a page from before the last reset is forgotten at once; without forgetting, it is refused"),
    (Requirement::Save9, "a search loads only what there is"),
    (Requirement::Reset5, "under the right rules every gateway may drive a reset on"),
    (Requirement::Restart4, "a search lets only the living process ask, once, and learn only the answer"),
];

/// Variants that are searched within smaller bounds, but for a night. Hardly any message is refused for ever there, so
/// the default bounds give three to thirty-four million states, and neither another counterexample nor a shorter one.
const LARGE: &[&str] = &[
    "floor-kept-across-reset",
    "not-equal",
    "unknown-accepted",
    "no-expected-incarnation",
    "wipe-any",
    "register-unconditional",
    "far-side-generation-only",
];
const NARROW: Bounds = Bounds { lives: 3, incarnations: 3, ..bounds::CI };

/// Variants that are searched for behaviours without end within three lives: no such behaviour of theirs takes a
/// fourth.
const LARGE_WITHOUT_END: &[&str] =
    &["floor-kept-across-reset", "not-equal", "unknown-accepted", "no-expected-incarnation", "mint-on-start-only"];

/// The bounds within which a variant is searched for behaviours without end. They are wide enough for the loops that
/// were reviewed. Nobody claims that a variant has no other loop, so there is no need to go further.
pub fn bounds_of_loops(variant: &str) -> Bounds {
    let most = if LARGE_WITHOUT_END.contains(&variant) { 3 } else { 4 };
    Bounds { lives: most, incarnations: most, ..bounds::ENDLESS }
}

impl super::Entry for Entry {
    type Protocol = Snapshot;

    fn build(&self, variant: usize, profile: Profile) -> Snapshot {
        let (info, rules) = VARIANTS[variant];
        let bounds = match profile {
            Profile::Smoke => bounds::SMOKE,
            Profile::Nightly if variant == 0 => bounds::NIGHTLY,
            Profile::Ci if LARGE.contains(&info.name) => NARROW,
            Profile::Ci | Profile::Nightly => bounds::CI,
        };
        Snapshot { rules, bounds }
    }

    fn build_endless(&self, variant: usize, profile: Profile) -> Snapshot {
        let (info, rules) = VARIANTS[variant];
        let bounds = match profile {
            Profile::Ci | Profile::Nightly if variant == 0 => bounds::ENDLESS,
            Profile::Smoke | Profile::Ci | Profile::Nightly => bounds_of_loops(info.name),
        };
        Snapshot { rules, bounds }
    }

    fn induct(
        &self,
        variant: usize,
        profile: Profile,
        watch: &mut dyn FnMut(&induction::Progress),
    ) -> Option<Inducted> {
        let scope = match profile {
            Profile::Smoke => Scope { ids: 2, counts: 1, messages: 1 },
            Profile::Ci => Scope { ids: 2, counts: 2, messages: 2 },
            Profile::Nightly => Scope { ids: 3, counts: 1, messages: 2 },
        };
        let variant_name = VARIANTS[variant].0.name;
        Some(inducting::inducted(&self.build(variant, profile), variant_name, scope, watch))
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
        Expected { variant_only: &["stamp", "forward"], never_refused: NEVER_REFUSED }
    }

    fn reviewed(&self, profile: Profile) -> &'static str {
        match profile {
            Profile::Smoke => include_str!("../../tests/tables/snapshot.smoke.txt"),
            Profile::Ci => include_str!("../../tests/tables/snapshot.ci.txt"),
            Profile::Nightly => include_str!("../../tests/tables/snapshot.nightly.txt"),
        }
    }

    fn arrows(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[
            ("ask", "computer", "store"),
            ("register", "store", "computer"),
            ("begin", "gateway", "computer"),
            ("answer", "computer", "gateway"),
            ("save", "gateway", "store"),
            ("claim", "gateway", "store"),
            ("send-wipe", "gateway", "computer"),
            ("finish", "gateway", "store"),
            ("load", "store", "gateway"),
            ("resolve", "gateway", "computer"),
            ("forward", "gateway", "computer"),
            ("rollback", "gateway", "store"),
            ("refuse-register", "store", "computer"),
            ("refuse-answer", "computer", "gateway"),
            ("refuse-save", "store", "gateway"),
            ("refuse-claim", "store", "gateway"),
            ("refuse-wipe", "computer", "gateway"),
            ("refuse-finish", "store", "gateway"),
            ("refuse-perform", "computer", "gateway"),
            ("refuse-rollback", "store", "gateway"),
        ]
    }
}

/// How far a search goes, for people.
pub(crate) fn in_words(bounds: &Bounds) -> String {
    let Bounds { lives, incarnations, generations, gateways, questions, calls, saves, wipes, acts, shown } = bounds;
    let pages = if *shown == 1 { "page" } else { "pages" };
    format!(
        "{lives} lives, {incarnations} incarnations, {generations} generations, {gateways} gateways; in flight at once \
         {questions} questions, {calls} calls, {saves} saves, {wipes} wipes, {acts} acts; {shown} {pages} shown"
    )
}
