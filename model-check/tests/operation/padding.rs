//! Nothing in the model is padding: where a variable stands still, or a kind of action is never proposed, it shows in
//! what is broken or in what else can be reached.

use std::collections::{BTreeMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use outlive_model_check::registry::operation::bounds_of_loops;
use outlive_model_check::report::counterexample::Length;
use outlive_spec::operation::Operations;
use outlive_spec::operation::action::KINDS;
use outlive_spec::operation::bounds::Bounds;
use outlive_spec::operation::state::{Memory, State};
use outlive_spec::operation::variants::VARIANTS;

use crate::crippled::{Crippled, Freeze, Missing, hidden, reachable};
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

/// Within bounds at which most variants still break. Only the right rules have more than one gateway at once.
fn crippled(variant: usize, missing: Missing<State>) -> Crippled<Operations> {
    let small = small(variant);
    let gateways = if variant == 0 { 2 } else { 1 };
    let bounds = Bounds { launches: 1, gateways, lives: gateways + 1, ..small.bounds };
    Crippled { inner: Operations { bounds, ..small }, missing }
}

/// The lengths by property, as far as they are known.
type Lengths = BTreeMap<String, Length>;

/// What is broken in how many steps, and which phases there are.
fn looks(variant: usize, missing: Missing<State>) -> (Lengths, Vec<&'static str>) {
    let protocol = crippled(variant, missing);
    let outcome = common::search_all(&protocol);
    (common::lengths(&protocol, &outcome), outcome.statistics.phases.into_keys().collect())
}

/// Who waits in vain in behaviours without end, and for how long.
fn waits(variant: usize, missing: Missing<State>) -> Lengths {
    let (info, rules) = VARIANTS[variant];
    common::endless_lengths(&Crippled { inner: Operations { rules, bounds: bounds_of_loops(info.name) }, missing })
}

/// One variant where nothing is missing. Each part is found once, and only if somebody gets that far.
#[derive(Default)]
struct Whole {
    reachable: OnceLock<HashSet<State>>,
    looks: OnceLock<(Lengths, Vec<&'static str>)>,
    waits: OnceLock<Lengths>,
}

/// Every variant.
static WHOLE: LazyLock<Vec<Whole>> = LazyLock::new(|| VARIANTS.iter().map(|_| Whole::default()).collect());

impl Whole {
    fn reaches_the_same(&self, variant: usize, missing: Missing<State>, hide: Option<Freeze<State>>) -> bool {
        let whole = self.reachable.get_or_init(|| reachable(&crippled(variant, Missing::Nothing)));
        let (like, found) = (State::default(), reachable(&crippled(variant, missing)));
        match hide {
            Some(hide) => hidden(&like, whole, hide) == hidden(&like, &found, hide),
            None => *whole == found,
        }
    }

    fn looks_the_same(&self, variant: usize, missing: Missing<State>) -> bool {
        *self.looks.get_or_init(|| looks(variant, Missing::Nothing)) == looks(variant, missing)
    }

    fn waits_the_same(&self, variant: usize, missing: Missing<State>) -> bool {
        *self.waits.get_or_init(|| waits(variant, Missing::Nothing)) == waits(variant, missing)
    }
}

/// Whether some variant reaches something else, looks otherwise, or keeps somebody waiting where this is missing. Most
/// of what can be missing shows in the first variant already.
fn is_noticed(missing: Missing<State>, hide: Option<Freeze<State>>) -> bool {
    let mut every = WHOLE.iter().enumerate();
    every
        .clone()
        .any(|(variant, it)| !it.reaches_the_same(variant, missing, hide) || !it.looks_the_same(variant, missing))
        || every.any(|(variant, it)| !it.waits_the_same(variant, missing))
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
    common::for_each(&kinds, |&kind| {
        assert!(is_noticed(Missing::Kind(kind), None), "nobody misses `{}`", KINDS[kind]);
    });
}

/// A refusal changes little, so that most are missed only by the coverage: under the right rules each is taken, and one
/// that is not fails the main job.
#[test]
fn a_kind_of_refusal_that_nobody_takes_is_noticed_by_the_coverage() {
    let whole = common::search_all(&small(0)).statistics.kinds;
    let taken = |missing| common::search_all(&crippled(0, missing)).statistics.kinds;
    for kind in (0..KINDS.len()).filter(|kind| KINDS[*kind].starts_with("refuse-")) {
        assert!(whole[kind].taken > 0, "{} is never taken", KINDS[kind]);
        assert_eq!(taken(Missing::Kind(kind))[kind].taken, 0);
    }
}

#[test]
fn nothing_missing_is_nothing_noticed() {
    let whole = &WHOLE[0];
    assert!(whole.reaches_the_same(0, Missing::Nothing, None) && whole.looks_the_same(0, Missing::Nothing));
    assert!(whole.waits_the_same(0, Missing::Nothing));
    let first = FREEZES[0].1;
    assert!(whole.reaches_the_same(0, Missing::Nothing, Some(first)));
}
