//! The snapshot protocol, as the command knows it.

use outlive_spec::protocol::VariantInfo;
use outlive_spec::snapshot::bounds::Bounds;
use outlive_spec::snapshot::check::Check;
use outlive_spec::snapshot::variants::VARIANTS;
use outlive_spec::snapshot::{Snapshot, bounds};

use super::{GuardInfo, Profile};
use crate::report::checked::Expected;

/// See [`outlive_spec::snapshot`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry;

/// Where each message may also be one that names nobody, the bounds of the others give eighteen million states and not
/// one counterexample more.
const ALL_TWICE: Bounds = Bounds { lives: 3, incarnations: 3, ..bounds::CI };

impl super::Entry for Entry {
    type Protocol = Snapshot;

    fn build(&self, variant: usize, profile: Profile) -> Snapshot {
        let (info, rules) = VARIANTS[variant];
        let bounds = match profile {
            Profile::Smoke => bounds::SMOKE,
            Profile::Ci if info.name == "unknown-accepted" => ALL_TWICE,
            Profile::Ci => bounds::CI,
        };
        Snapshot { rules, bounds }
    }

    fn variants(&self) -> Vec<VariantInfo> {
        VARIANTS.iter().map(|(info, _)| *info).collect()
    }

    fn bounds(&self, variant: usize, profile: Profile) -> String {
        let bounds = self.build(variant, profile).bounds;
        format!(
            "{} lives, {} incarnations, {} generations, {} gateways; in flight at once {} calls, {} saves, {} wipes, {} acts",
            bounds.lives,
            bounds.incarnations,
            bounds.generations,
            bounds.gateways,
            bounds.calls,
            bounds.saves,
            bounds.wipes,
            bounds.acts
        )
    }

    fn guards(&self) -> Vec<GuardInfo> {
        let info =
            |check: &Check| GuardInfo { name: check.name(), requirement: check.requirement(), what: check.what() };
        Check::ALL.iter().map(info).collect()
    }

    fn expected(&self) -> Expected {
        Expected { variant_only: &["stamp", "forward"], never_refused: &[] }
    }

    fn reviewed(&self, profile: Profile) -> &'static str {
        match profile {
            Profile::Smoke => include_str!("../../tests/tables/snapshot.smoke.txt"),
            Profile::Ci => include_str!("../../tests/tables/snapshot.ci.txt"),
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
