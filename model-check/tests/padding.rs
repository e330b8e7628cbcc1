//! Nothing in the model is padding: where a variable stands still, or a kind of action is never proposed, it shows in
//! what is broken or in what else can be reached.

mod common;
#[path = "common/crippled.rs"]
mod crippled;

use crippled::{Crippled, Freeze, Missing, hidden, reachable};
use outlive_model_check::registry::snapshot::bounds_of_loops;
use outlive_spec::protocol::Protocol as _;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::KINDS;
use outlive_spec::snapshot::bounds::{Bounds, SMOKE};
use outlive_spec::snapshot::state::State;
use outlive_spec::snapshot::variants::VARIANTS;

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

fn crippled(variant: usize, missing: Missing<State>, bounds: Bounds) -> Crippled<Snapshot> {
    Crippled { inner: Snapshot { rules: VARIANTS[variant].1, bounds }, missing }
}

/// What is broken in how many steps, and which phases there are.
fn looks_the_same(variant: usize, missing: Missing<State>) -> bool {
    let look = |missing| {
        let protocol = crippled(variant, missing, SMALL);
        let outcome = common::search_all(&protocol);
        (common::lengths(&protocol, &outcome), outcome.statistics.phases.into_keys().collect::<Vec<_>>())
    };
    look(Missing::Nothing) == look(missing)
}

/// Who waits in vain in behaviours without end, and for how long.
fn waits_the_same(variant: usize, missing: Missing<State>) -> bool {
    let bounds = bounds_of_loops(VARIANTS[variant].0.name);
    let waits = |missing| common::endless_lengths(&crippled(variant, missing, bounds));
    waits(Missing::Nothing) == waits(missing)
}

/// Whether some variant looks otherwise, reaches something else, or keeps somebody waiting where this is missing.
fn is_noticed(missing: Missing<State>, hide: Option<Freeze<State>>) -> bool {
    let reached = |variant, missing| {
        let protocol = crippled(variant, missing, SMALL);
        let states = reachable(&protocol);
        hide.map_or_else(|| states.clone(), |hide| hidden(&protocol.initial()[0], &states, hide))
    };
    let reaches_the_same = |variant| reached(variant, Missing::Nothing) == reached(variant, missing);
    let every = 0..VARIANTS.len();
    every.clone().any(|variant| !looks_the_same(variant, missing) || !reaches_the_same(variant))
        || every.rev().any(|variant| !waits_the_same(variant, missing))
}

#[test]
fn a_variable_that_stands_still_is_noticed_by_others() {
    common::for_each(FREEZES, |&(name, freeze)| {
        assert!(is_noticed(Missing::Change(freeze), Some(freeze)), "nothing depends on `{name}`");
    });
}

#[test]
fn a_kind_of_step_that_nobody_takes_is_noticed() {
    let kinds: Vec<usize> = (0..KINDS.len()).filter(|kind| !KINDS[*kind].starts_with("refuse-")).collect();
    common::for_each(&kinds, |&kind| assert!(is_noticed(Missing::Kind(kind), None), "nobody misses `{}`", KINDS[kind]));
}

/// A refusal changes nothing, so that most are missed only by the coverage: under the right rules each is taken, and
/// one that is not fails the main job.
#[test]
fn a_kind_of_refusal_that_nobody_takes_is_noticed_by_the_coverage() {
    let taken = |missing| common::search_all(&crippled(0, missing, SMALL)).statistics.kinds;
    let whole = taken(Missing::Nothing);
    for kind in (0..KINDS.len()).filter(|kind| KINDS[*kind].starts_with("refuse-")) {
        assert!(whole[kind].taken > 0, "{} is never taken", KINDS[kind]);
        assert_eq!(taken(Missing::Kind(kind))[kind].taken, 0);
    }
}

#[test]
fn nothing_missing_is_nothing_noticed() {
    assert!(looks_the_same(0, Missing::Nothing));
    assert_eq!(reachable(&crippled(0, Missing::Nothing, SMALL)), reachable(&crippled(0, Missing::Nothing, SMALL)));
}
