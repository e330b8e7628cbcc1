//! Nothing in the model is padding: where a variable stands still, or a kind of action is never proposed, it shows in
//! what is broken or in what else can be reached.

mod common;

use std::sync::LazyLock;

use common::crippled::{Crippled, Freeze, Missing};
use common::padding::{self, Whole, is_noticed};
use outlive_model_check::registry::snapshot::bounds_of_loops;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, SMOKE};
use outlive_spec::snapshot::state::State;
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};

macro_rules! freezes {
    ($($($field:ident).+),* $(,)?) => {
        /// Every variable of the state.
        const FREEZES: &[(&str, Freeze<State>)] =
            &[$((stringify!($($field).+), |before, after| after.$($field).+ = before.$($field).+.clone())),*];
    };
}

freezes! {
    store.incarnation, store.is_resetting, store.since, store.page, store.deleted,
    process.life, process.incarnation, process.generation, process.reply,
    gateways, shown, calls, saves, questions, wipes, acts, is_retrying,
    ghost.first_unwiped, ghost.first_kept, ghost.owes_a_wipe, ghost.harms,
}

/// The smallest bounds at which most variants still break.
const SMALL: Bounds = Bounds { lives: 2, incarnations: 3, gateways: 2, wipes: 2, acts: 1, ..SMOKE };

/// Every variant.
static WHOLE: LazyLock<Vec<Whole<Snapshot>>> = LazyLock::new(|| {
    let whole = VARIANTS.iter().map(|&(info, rules)| {
        Whole::new(Snapshot { rules, bounds: SMALL }, Snapshot { rules, bounds: bounds_of_loops(info.name) })
    });
    whole.collect()
});

#[test]
fn a_variable_that_stands_still_is_noticed_by_others() {
    common::for_each(FREEZES, |&(name, freeze)| {
        assert!(is_noticed(&WHOLE, Missing::Change(freeze), Some(freeze)), "nothing depends on `{name}`");
    });
}

#[test]
fn a_kind_of_step_that_nobody_takes_is_noticed() {
    padding::assert_steps_are_missed(&WHOLE);
}

#[test]
fn a_kind_of_refusal_that_nobody_takes_is_noticed_by_the_coverage() {
    let right = Snapshot { rules: RIGHT, bounds: SMALL };
    padding::assert_refusals_are_covered(&right, |missing| Crippled { inner: right, missing });
}

#[test]
fn nothing_missing_is_nothing_noticed() {
    padding::assert_nothing_missing_is_nothing_noticed(&WHOLE[0], FREEZES[0].1);
}
