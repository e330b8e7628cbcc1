//! The snapshot protocol, as the command knows it.

use outlive_spec::protocol::VariantInfo;
use outlive_spec::snapshot::check::Check;
use outlive_spec::snapshot::variants::VARIANTS;
use outlive_spec::snapshot::{Snapshot, bounds};

use super::{GuardInfo, Profile};
use crate::report::checked::Expected;

/// See [`outlive_spec::snapshot`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry;

impl super::Entry for Entry {
    type Protocol = Snapshot;

    fn build(&self, variant: usize, profile: Profile) -> Snapshot {
        let bounds = match profile {
            Profile::Smoke => bounds::SMOKE,
            Profile::Ci => bounds::CI,
        };
        Snapshot { rules: VARIANTS[variant].1, bounds }
    }

    fn variants(&self) -> Vec<VariantInfo> {
        VARIANTS.iter().map(|(info, _)| *info).collect()
    }

    fn bounds(&self, profile: Profile) -> String {
        let bounds = self.build(0, profile).bounds;
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
