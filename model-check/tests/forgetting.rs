//! Forgetting what is refused for ever hides nothing: without it, every variant breaks the same in as many steps.

mod common;

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, SMOKE};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};

/// Nothing ever leaves a set here, so that the caps must hold everything that can be sent.
const SMALL: Bounds =
    Bounds { lives: 2, incarnations: 3, generations: 2, gateways: 1, calls: 6, saves: 6, wipes: 4, acts: 4, ..SMOKE };

#[test]
fn without_forgetting_every_variant_breaks_the_same_in_as_many_steps() {
    common::for_each(VARIANTS, |(info, rules)| {
        let forgets = Snapshot { rules: *rules, bounds: SMALL };
        let remembers = Snapshot { rules: Rules { forgets: false, ..*rules }, bounds: SMALL };
        let (short, long) = (common::search_all(&forgets), common::search_all(&remembers));
        assert_eq!(common::lengths(&forgets, &short), common::lengths(&remembers, &long), "{}", info.name);
        assert!(short.statistics.states <= long.statistics.states, "{}", info.name);
    });
}

/// What the list of requirements that never forbid anything says of three of them.
#[test]
fn save_3_save_4_and_save_8_are_refused_where_nothing_is_forgotten() {
    let outcome = common::search_snapshot(Rules { forgets: false, ..RIGHT }, SMALL);
    for requirement in [Requirement::Save3, Requirement::Save4, Requirement::Save8] {
        assert!(outcome.statistics.refused_by(requirement) > 0, "{requirement}");
    }
}
