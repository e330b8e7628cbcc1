//! The operation protocol, as the command knows it.

use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::{self, Bounds};
use outlive_spec::operation::check::Check;
use outlive_spec::operation::variants::VARIANTS;
use outlive_spec::protocol::VariantInfo;
use outlive_spec::requirement::Requirement;

use super::{Entry as _, Facts, GuardInfo, Profile};
use crate::report::checked::Expected;

/// See [`outlive_spec::operation`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry;

/// Requirements that never refuse anything in a search, each with the reason.
const NEVER_REFUSED: &[(Requirement, &str)] = &[
    (
        Requirement::Reconcile3,
        "a look at a revision that has passed is forgotten at once; without forgetting, it is refused",
    ),
    (Requirement::Reconcile11, "a report behind the row is forgotten at once; without forgetting, it is refused"),
];

/// The variant that holds where there is but one gateway, until it dies. With two it is `gate-without-claim`.
const ALONE: &str = "gate-of-one-process";

/// Variants whose harm needs a report. The others break in as many steps where there is none.
const WITH_REPORTS: &[&str] = &["report-of-any-launch", "list-absence-prunes", "silence-leaves-the-mark"];

/// Variants that keep marks in memory, so that looks are over later. They break in as many steps where no gateway dies,
/// and the computer is started once.
const WITH_MARKS: &[&str] = &["act-before-first-read", "mark-in-memory"];

/// Variants whose first harms need a second launch, and no report. What the others break where there is but one, they
/// break in as many steps; `settle-unchecked` breaks more with two.
const WITH_TWO_LAUNCHES: &[&str] = &["revision-check-only", "no-launch-check", "recovery-rotates"];

/// Variants in which looks are never over, so that reports would give millions of states and no shorter path. A gateway
/// that dies gives none either.
const LARGE: &[&str] = &["defer-while-pending-only", "stale-field-in-fresh-read", "gate-held-over-io"];

/// The bounds within which a variant is searched. The right rules are searched within all that the profile has; a
/// variant within those that its harms need.
pub fn bounds_of(variant: &str, profile: Profile) -> Bounds {
    let without_reports = Bounds { marks: 0, reports: 0, ..bounds::SMOKE };
    match (profile, variant) {
        (Profile::Ci, "right") => bounds::CI,
        (Profile::Nightly, "right") => bounds::NIGHTLY,
        (Profile::Smoke, "right") => bounds::SMOKE,
        (_, ALONE) => Bounds { gateways: 1, ..without_reports },
        (Profile::Ci | Profile::Nightly, name) if LARGE.contains(&name) => without_reports,
        (Profile::Ci | Profile::Nightly, name) if WITH_MARKS.contains(&name) => Bounds { lives: 2, ..bounds::SMOKE },
        (Profile::Ci | Profile::Nightly, _) => bounds::SMOKE,
        (Profile::Smoke, name) if WITH_REPORTS.contains(&name) => Bounds { gateways: 1, lives: 2, ..bounds::SMOKE },
        (Profile::Smoke, name) if WITH_MARKS.contains(&name) => {
            Bounds { launches: 1, gateways: 1, lives: 2, ..bounds::SMOKE }
        }
        (Profile::Smoke, name) if WITH_TWO_LAUNCHES.contains(&name) => without_reports,
        (Profile::Smoke, _) => Bounds { launches: 1, ..without_reports },
    }
}

/// The bounds within which a variant is searched for behaviours without end. They are wide enough for the loops that
/// were reviewed. Nobody claims that a variant has no other loop, so there is no need to go further.
pub fn bounds_of_loops(variant: &str) -> Bounds {
    match variant {
        ALONE => Bounds { launches: 2, unclaimed: 2, gateways: 1, ..bounds::ENDLESS },
        // They give hundreds of thousands of states more with a second launch or look, and the same loops.
        name if LARGE.contains(&name) || WITH_MARKS.contains(&name) => {
            Bounds { launches: 1, unclaimed: 1, looks: 1, ..bounds::ENDLESS }
        }
        _ => Bounds { launches: 2, unclaimed: 2, ..bounds::ENDLESS },
    }
}

impl super::Entry for Entry {
    type Protocol = Operations;

    fn build(&self, variant: usize, profile: Profile) -> Operations {
        let (info, rules) = VARIANTS[variant];
        Operations { rules, bounds: bounds_of(info.name, profile) }
    }

    fn build_endless(&self, variant: usize, profile: Profile) -> Operations {
        let (info, rules) = VARIANTS[variant];
        let bounds = match profile {
            Profile::Ci | Profile::Nightly if variant == 0 => bounds::ENDLESS,
            Profile::Smoke | Profile::Ci | Profile::Nightly => bounds_of_loops(info.name),
        };
        Operations { rules, bounds }
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
        Expected { variant_only: &["yield"], never_refused: NEVER_REFUSED }
    }

    fn reviewed(&self, profile: Profile) -> &'static str {
        match profile {
            Profile::Smoke => include_str!("../../tests/tables/operation.smoke.txt"),
            Profile::Ci => include_str!("../../tests/tables/operation.ci.txt"),
            Profile::Nightly => include_str!("../../tests/tables/operation.nightly.txt"),
        }
    }

    fn arrows(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        &[
            ("start", "gateway", "store"),
            ("start-unclaimed", "gateway", "store"),
            ("stop", "gateway", "store"),
            ("delete", "gateway", "store"),
            ("recover", "gateway", "store"),
            ("send", "gateway", "provider"),
            ("hear", "provider", "gateway"),
            ("settle", "gateway", "store"),
            ("read", "store", "gateway"),
            ("get", "provider", "gateway"),
            ("conclude", "gateway", "store"),
            ("report", "provider", "gateway"),
            ("deliver", "gateway", "store"),
            ("refuse-start", "store", "gateway"),
            ("refuse-stop", "store", "gateway"),
            ("refuse-delete", "store", "gateway"),
            ("refuse-recover", "store", "gateway"),
            ("refuse-arrive", "provider", "gateway"),
            ("refuse-settle", "store", "gateway"),
            ("refuse-conclude", "store", "gateway"),
            ("refuse-deliver", "store", "gateway"),
        ]
    }
}

/// How far a search goes, for people.
pub(crate) fn in_words(bounds: &Bounds) -> String {
    let Bounds { launches, unclaimed, marks, gateways, lives, looks, calls, reports } = bounds;
    format!(
        "launches: {launches}, of which without a claim: {unclaimed}; numbered reports: {marks}; gateways: {lives}, of \
         which at once: {gateways}; in flight at once: looks {looks}, calls {calls}, reports {reports}"
    )
}
