//! Nothing in the model is padding: where a variable stands still, or a kind of action is never proposed, some variant
//! shows it.

mod common;
#[path = "common/crippled.rs"]
mod crippled;

use std::collections::BTreeMap;

use crippled::{Crippled, FREEZES, Missing};
use outlive_spec::protocol::Protocol;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::KINDS;
use outlive_spec::snapshot::bounds::{Bounds, SMOKE};
use outlive_spec::snapshot::variants::VARIANTS;

/// The smallest bounds at which most variants still break.
const SMALL: Bounds = Bounds { lives: 2, incarnations: 3, gateways: 2, wipes: 2, acts: 1, ..SMOKE };

/// What a reader of the results would see: what is broken in how many steps, which kinds are taken, what is refused by
/// what, and which phases there are.
type Seen = (BTreeMap<String, usize>, Vec<bool>, Vec<bool>, Vec<&'static str>);

fn seen(variant: usize, missing: Missing) -> Seen {
    let protocol = Crippled { inner: Snapshot { rules: VARIANTS[variant].1, bounds: SMALL }, missing };
    let outcome = common::search_all(&protocol);
    let taken = outcome.statistics.kinds.iter().enumerate();
    // That a kind that is not proposed is not taken says nothing.
    let taken = taken.map(|(kind, count)| count.taken > 0 || missing == Missing::Kind(kind)).collect();
    let refused = outcome.statistics.guards.iter().map(|count| *count > 0).collect();
    let phases = outcome.statistics.phases.keys().copied().collect();
    (common::lengths(&protocol, &outcome), taken, refused, phases)
}

/// The first variant that shows that something is missing.
fn who_notices(missing: Missing) -> Option<&'static str> {
    let notices = |variant: &usize| {
        let (mut whole, mut crippled) = (seen(*variant, Missing::Nothing), seen(*variant, missing));
        if let Missing::Kind(kind) = missing {
            (whole.1[kind], crippled.1[kind]) = (true, true);
        }
        whole != crippled
    };
    (0..VARIANTS.len()).find(notices).map(|variant| VARIANTS[variant].0.name)
}

#[test]
fn a_variable_that_stands_still_is_noticed() {
    common::for_each(FREEZES, |(name, freeze)| {
        assert!(who_notices(Missing::Change(*freeze)).is_some(), "nobody notices that `{name}` stands still");
    });
}

#[test]
fn a_kind_of_action_that_is_never_proposed_is_noticed() {
    let kinds: Vec<usize> = (0..KINDS.len()).collect();
    common::for_each(&kinds, |&kind| {
        let notices = who_notices(Missing::Kind(kind)).is_some();
        assert_eq!(notices, !NOTICED_BY_COUNTS.contains(&KINDS[kind]), "{}", KINDS[kind]);
    });
}

/// A refusal that shows nothing but itself: what is refused changes no state, and its requirement refuses other things
/// too. Coverage counts it, and a kind that is never taken under the right rules fails `--deny-unreached`.
const NOTICED_BY_COUNTS: &[&str] = &[];

#[test]
fn nothing_missing_is_nothing_noticed() {
    assert_eq!(who_notices(Missing::Nothing), None);
}

#[test]
fn every_kind_is_the_kind_of_something() {
    let outcome = common::search_snapshot(VARIANTS[0].1, SMALL);
    assert_eq!(outcome.statistics.kinds.len(), Snapshot { rules: VARIANTS[0].1, bounds: SMALL }.kinds().len());
}
