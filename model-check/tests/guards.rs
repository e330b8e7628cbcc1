//! Every guard is needed: where it alone is left out, something notices.

mod common;
#[path = "common/noticed.rs"]
mod noticed;

use noticed::{BY_TRACES, BY_VARIANTS};
use outlive_spec::snapshot::bounds::SMOKE;
use outlive_spec::snapshot::check::{Check, Checks};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::RIGHT;

fn breaks_something(rules: Rules, check: Check) -> bool {
    let rules = Rules { without: rules.without.and(Checks::of(&[check])), ..rules };
    !common::search_snapshot(rules, SMOKE).violations.is_empty()
}

fn is_listed(check: Check) -> bool {
    BY_TRACES.contains(&check) || BY_VARIANTS.iter().any(|(listed, _)| *listed == check)
}

#[test]
fn each_guard_left_out_alone_breaks_a_property_or_is_listed_with_who_notices() {
    common::for_each(Check::ALL, |&check| {
        let (breaks, is_listed) = (breaks_something(RIGHT, check), is_listed(check));
        assert!(breaks || is_listed, "nobody notices that {} is left out", check.name());
        assert!(!breaks || !is_listed, "{} is noticed by the search, and need not be listed", check.name());
    });
}

#[test]
fn no_guard_is_listed_twice() {
    for &check in Check::ALL {
        let times = BY_TRACES.iter().chain(BY_VARIANTS.iter().map(|(listed, _)| listed)).filter(|it| **it == check);
        assert!(times.count() <= 1, "{}", check.name());
    }
}

#[test]
fn a_guard_of_a_variant_is_what_breaks_it() {
    for &(check, variant) in BY_VARIANTS {
        let rules = common::rules(variant);
        let with = common::search_snapshot(rules, SMOKE);
        let without = common::search_snapshot(Rules { without: Checks::of(&[check]), ..rules }, SMOKE);
        let lengths =
            |outcome: &common::Found| outcome.violations.iter().map(|it| it.actions.len()).collect::<Vec<_>>();
        assert_ne!(lengths(&with), lengths(&without), "{variant} is the same without {}", check.name());
    }
}
