//! Nothing in the model is padding: where a variable stands still, or a kind of action is never proposed, it shows in
//! what is broken or in what else can be reached.

use std::sync::LazyLock;

use outlive_model_check::registry::operation::bounds_of_loops;
use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::Bounds;
use outlive_spec::operation::rules::Rules;
use outlive_spec::operation::state::{Memory, State};
use outlive_spec::operation::variants::{RIGHT, VARIANTS};

use crate::common::crippled::{Crippled, Freeze, Missing};
use crate::common::padding::{self, Whole, is_noticed};
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
    "ghost.come_to" |before, after| after.ghost.come_to = before.ghost.come_to;
    "ghost.harms" |before, after| after.ghost.harms = before.ghost.harms;
}

/// Does it to what each gateway that lived before remembers.
fn each(before: &State, after: &mut State, freeze: impl Fn(&Memory, &mut Memory)) {
    for is in after.gateways.iter_mut() {
        before.gateways.get(is.gateway).into_iter().for_each(|was| freeze(was, is));
    }
}

/// Within bounds at which most variants still break. Only the right rules have more than one gateway at once.
fn narrow(variant: usize) -> Operations {
    let small = small(variant);
    let gateways = if variant == 0 { 2 } else { 1 };
    Operations { bounds: Bounds { launches: 1, gateways, lives: gateways + 1, ..small.bounds }, ..small }
}

/// Every variant, and the right rules forgetting nothing: a step that moves the mark forgets the reports behind it, so
/// that where the mark stands still nobody else would show it.
static WHOLE: LazyLock<Vec<Whole<Operations>>> = LazyLock::new(|| {
    let whole = VARIANTS.iter().enumerate().map(|(variant, &(info, rules))| {
        Whole::new(narrow(variant), Operations { rules, bounds: bounds_of_loops(info.name) })
    });
    let alone = Bounds { gateways: 1, lives: 2, ..narrow(0).bounds };
    let remembering = Operations { rules: Rules { forgets: false, ..RIGHT }, bounds: alone };
    whole.chain([Whole::new(remembering, remembering)]).collect()
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
    padding::assert_refusals_are_covered(&small(0), |missing| Crippled { inner: narrow(0), missing });
}

#[test]
fn nothing_missing_is_nothing_noticed() {
    padding::assert_nothing_missing_is_nothing_noticed(&WHOLE[0], FREEZES[0].1);
}
