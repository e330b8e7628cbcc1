//! Nothing in the model is padding: where a variable stands still, or a kind of action is never proposed, it shows in
//! what is broken or in what else can be reached.

use std::sync::LazyLock;

use outlive_model_check::registry::teardown::{bounds_of_loops, endless};
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::bounds::Bounds;
use outlive_spec::teardown::state::State;
use outlive_spec::teardown::variants::{RIGHT, VARIANTS};

use crate::common::crippled::{Crippled, Freeze, Missing};
use crate::common::padding::{self, Whole, is_noticed};
use crate::{common, small};

macro_rules! freezes {
    ($($name:literal $freeze:expr;)*) => { const FREEZES: &[(&str, Freeze<State>)] = &[$(($name, $freeze)),*]; };
}

freezes! {
    "tenure.owner" |before, after| after.tenure.owner = before.tenure.owner;
    "tenure.phase" |before, after| after.tenure.phase = before.tenure.phase;
    "tenure.trashes" |before, after| after.tenure.trashes = before.tenure.trashes;
    "record" |before, after| after.record = before.record;
    "record.instance" |before, after| each(before, after, |was, is| is.instance = was.instance);
    "record.phase" |before, after| each(before, after, |was, is| is.phase = was.phase);
    "record.requested" |before, after| each(before, after, |was, is| is.requested = was.requested);
    "record.is_overdue" |before, after| each(before, after, |was, is| is.is_overdue = was.is_overdue);
    "record.attempts" |before, after| each(before, after, |was, is| is.attempts = was.attempts);
    "record.turn" |before, after| each(before, after, |was, is| is.turn = was.turn);
    "intents" |before, after| after.intents = before.intents.clone();
    "newest_token" |before, after| after.newest_token = before.newest_token;
    "pointers" |before, after| after.pointers = before.pointers.clone();
    "provider.made" |before, after| after.provider.made = before.provider.made.clone();
    "provider.newest" |before, after| after.provider.newest = before.provider.newest;
    "provider.revoked" |before, after| after.provider.revoked = before.provider.revoked.clone();
    "provider.deletes" |before, after| after.provider.deletes = before.provider.deletes.clone();
    "creates" |before, after| after.creates = before.creates.clone();
    "kills" |before, after| after.kills = before.kills.clone();
    "workers" |before, after| after.workers = before.workers;
    "ghost.licensed" |before, after| after.ghost.licensed = before.ghost.licensed.clone();
    "ghost.is_requested" |before, after| after.ghost.is_requested = before.ghost.is_requested;
    "ghost.had_record" |before, after| after.ghost.had_record = before.ghost.had_record;
    "ghost.watched" |before, after| after.ghost.watched = before.ghost.watched;
    "ghost.harms" |before, after| after.ghost.harms = before.ghost.harms;
}

type Record = outlive_spec::teardown::state::Record;

/// Does it to a record that was there before.
fn each(before: &State, after: &mut State, freeze: impl Fn(&Record, &mut Record)) {
    for (was, is) in before.record.iter().zip(after.record.iter_mut()) {
        freeze(was, is);
    }
}

/// Within bounds at which most variants still break.
fn narrow(variant: usize) -> Teardowns {
    let small = small(variant);
    if variant > 0 {
        return small;
    }
    let bounds =
        Bounds { owners: 2, tokens: 1, instances: 2, outsiders: 1, deadlines: true, nodes: true, ..small.bounds };
    Teardowns { bounds, ..small }
}

static WHOLE: LazyLock<Vec<Whole<Teardowns>>> = LazyLock::new(|| {
    let whole = VARIANTS.iter().enumerate().map(|(variant, &(info, rules))| {
        let loops = endless(Teardowns { rules, bounds: bounds_of_loops(info.name) });
        let loops = if variant == 0 { endless(Teardowns { rules: RIGHT, ..narrow(0) }) } else { loops };
        Whole::new(narrow(variant), loops)
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
    padding::assert_refusals_are_covered(&narrow(0), |missing| Crippled { inner: narrow(0), missing });
}

#[test]
fn nothing_missing_is_nothing_noticed() {
    padding::assert_nothing_missing_is_nothing_noticed(&WHOLE[0], FREEZES[0].1);
}
