//! Forgetting what is refused for ever hides nothing: without it, every variant breaks the same in as many steps.

use outlive_model_check::registry::Profile;
use outlive_model_check::registry::operation::bounds_of;
use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::Bounds;
use outlive_spec::operation::rules::Rules;
use outlive_spec::operation::variants::{RIGHT, VARIANTS};
use outlive_spec::requirement::Requirement;

use crate::common;

/// Nothing ever leaves a set here, so that the caps must hold all that can be sent. Most harms need but one launch.
fn narrow(variant: &str) -> Bounds {
    let Bounds { marks, reports, gateways, .. } = bounds_of(variant, Profile::Smoke);
    Bounds { launches: 1, unclaimed: 1, marks, reports, gateways, lives: 2, looks: 1, calls: 6 }
}

#[test]
fn without_forgetting_every_variant_breaks_the_same_in_as_many_steps() {
    common::for_each(VARIANTS, |(info, rules)| {
        let forgets = Operations { rules: *rules, bounds: narrow(info.name) };
        let remembers = Operations { rules: Rules { forgets: false, ..*rules }, ..forgets };
        let (short, long) = (common::search_all(&forgets), common::search_all(&remembers));
        assert_eq!(common::lengths(&forgets, &short), common::lengths(&remembers, &long), "{}", info.name);
        assert!(short.statistics.states <= long.statistics.states, "{}", info.name);
    });
}

/// What the list of requirements that never forbid anything says of two of them.
#[test]
fn reconcile_3_and_reconcile_11_are_refused_where_nothing_is_forgotten() {
    let remembers = Operations { rules: Rules { forgets: false, ..RIGHT }, bounds: narrow("right") };
    let statistics = common::search_all(&remembers).statistics;
    for requirement in [Requirement::Reconcile3, Requirement::Reconcile11] {
        assert!(statistics.refused_by(requirement) > 0, "{requirement}");
    }
}

/// Revisions are compared for equality alone, so that true numbers make more states and no other harm.
#[test]
fn with_true_revisions_every_variant_breaks_the_same_in_as_many_steps() {
    common::for_each(VARIANTS, |(info, rules)| {
        let bounds = Bounds { marks: 0, lives: 2, launches: 1, ..narrow(info.name) };
        let reuses = Operations { rules: *rules, bounds };
        let counts = Operations { rules: Rules { reuses_revisions: false, ..*rules }, bounds };
        let limits = outlive_model_check::engine::limits::Limits { max_depth: Some(9), ..Default::default() };
        let question = outlive_model_check::engine::Question {
            limits,
            // A dead end is no matter of depth, so that a search which is cut cannot tell it.
            ..outlive_model_check::engine::Question::EVERYTHING
        };
        let lengths = |protocol: &Operations| {
            let outcome = outlive_model_check::engine::search(protocol, &question, &mut |_| ());
            let lengths = common::lengths(protocol, &outcome);
            lengths.into_iter().filter(|(name, _)| name != "settled-is-reachable").collect::<Vec<_>>()
        };
        assert_eq!(lengths(&reuses), lengths(&counts), "{}", info.name);
    });
}
