//! Nothing in the model is padding: where a variable stands still, or a kind of action is never proposed, it shows in
//! what is broken or in what else can be reached.

use outlive_model_check::registry::operation::bounds_of_loops;
use outlive_spec::operation::Operations;
use outlive_spec::operation::action::KINDS;
use outlive_spec::operation::bounds::Bounds;
use outlive_spec::operation::state::{Memory, State};
use outlive_spec::operation::variants::VARIANTS;

use crate::crippled::{Crippled, Freeze, Missing, reachable};
use crate::{common, small};

macro_rules! freezes {
    ($($name:literal $freeze:expr;)*) => { const FREEZES: &[(&str, Freeze<State>)] = &[$(($name, $freeze)),*]; };
}

freezes! {
    "row.revision" |before, after| after.row.revision = before.row.revision;
    "row.phase" |before, after| after.row.phase = before.row.phase;
    "row.launch" |before, after| after.row.launch = before.row.launch;
    "row.owner" |before, after| after.row.owner = before.row.owner;
    "row.mark" |before, after| after.row.mark = before.row.mark;
    "provider.instance" |before, after| after.provider.instance = before.provider.instance;
    "instance.condition" |before, after| {
        let was = before.provider.instance.map(|it| it.condition).unwrap_or_default();
        after.provider.instance.iter_mut().for_each(|it| it.condition = was);
    };
    "instance.is_armed" |before, after| {
        let was = before.provider.instance.is_some_and(|it| it.is_armed);
        after.provider.instance.iter_mut().for_each(|it| it.is_armed = was);
    };
    "provider.fence" |before, after| after.provider.fence = before.provider.fence;
    "provider.mark" |before, after| after.provider.mark = before.provider.mark;
    "gateways" |before, after| after.gateways = before.gateways.clone();
    "memory.operation" |before, after| each(before, after, |was, is| is.operation = was.operation);
    "memory.look" |before, after| each(before, after, |was, is| is.look = was.look);
    "memory.heard" |before, after| each(before, after, |was, is| is.heard = was.heard);
    "look.overlaps" |before, after| each(before, after, |was, is| {
        let was = was.look.is_some_and(|look| look.overlaps);
        is.look.iter_mut().for_each(|look| look.overlaps = was);
    });
    "calls" |before, after| after.calls = before.calls.clone();
    "reports" |before, after| after.reports = before.reports.clone();
    "ghost.was_admitted" |before, after| after.ghost.was_admitted = before.ghost.was_admitted;
    "ghost.harms" |before, after| after.ghost.harms = before.ghost.harms;
}

/// Does it to what each gateway that lived before remembers.
fn each(before: &State, after: &mut State, freeze: impl Fn(&Memory, &mut Memory)) {
    for is in after.gateways.iter_mut() {
        before.gateways.get(is.gateway).into_iter().for_each(|was| freeze(was, is));
    }
}

/// Within the smallest bounds at which the variant still breaks.
fn crippled(variant: usize, missing: Missing<State>) -> Crippled<Operations> {
    let small = small(variant);
    Crippled { inner: Operations { bounds: Bounds { launches: 1, ..small.bounds }, ..small }, missing }
}

/// What is broken in how many steps, and which phases there are.
fn looks_the_same(variant: usize, missing: Missing<State>) -> bool {
    let look = |missing| {
        let protocol = crippled(variant, missing);
        let outcome = common::search_all(&protocol);
        (common::lengths(&protocol, &outcome), outcome.statistics.phases.into_keys().collect::<Vec<_>>())
    };
    look(Missing::Nothing) == look(missing)
}

/// Who waits in vain in behaviours without end, and for how long.
fn waits_the_same(variant: usize, missing: Missing<State>) -> bool {
    let (info, rules) = VARIANTS[variant];
    let inner = Operations { rules, bounds: bounds_of_loops(info.name) };
    let waits = |missing| common::endless_lengths(&Crippled { inner, missing });
    waits(Missing::Nothing) == waits(missing)
}

/// Whether some variant looks otherwise, reaches something else, or keeps somebody waiting where this is missing.
fn is_noticed(missing: Missing<State>, hide: Option<Freeze<State>>) -> bool {
    let reaches_the_same =
        |variant| reachable(&crippled(variant, Missing::Nothing), hide) == reachable(&crippled(variant, missing), hide);
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

/// A refusal changes little, so that most are missed only by the coverage: under the right rules each is taken, and one
/// that is not fails the main job.
#[test]
fn a_kind_of_refusal_that_nobody_takes_is_noticed_by_the_coverage() {
    let taken = |missing| common::search_all(&Crippled { inner: small(0), missing }).statistics.kinds;
    let whole = taken(Missing::Nothing);
    for kind in (0..KINDS.len()).filter(|kind| KINDS[*kind].starts_with("refuse-")) {
        assert!(whole[kind].taken > 0, "{} is never taken", KINDS[kind]);
        assert_eq!(taken(Missing::Kind(kind))[kind].taken, 0);
    }
}

#[test]
fn nothing_missing_is_nothing_noticed() {
    assert!(looks_the_same(0, Missing::Nothing) && waits_the_same(0, Missing::Nothing));
    let everything = || reachable(&crippled(0, Missing::Nothing), None);
    assert_eq!(everything(), everything());
}
