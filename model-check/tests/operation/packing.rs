//! The packed form is a state, all of it: nothing is lost, and no two states become one.

use outlive_spec::operation::Operations;
use outlive_spec::operation::bounds::{Bounds, SMOKE};
use outlive_spec::operation::check::{Check, Checks};
use outlive_spec::operation::rules::Rules;
use outlive_spec::operation::state::*;
use outlive_spec::operation::variants::{RIGHT, VARIANTS};
use outlive_spec::protocol::Protocol;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::common::{self, packing::assert_packed_alone};

const SMALL: Bounds = Bounds { launches: 1, lives: 2, ..SMOKE };

fn model() -> Operations {
    Operations { rules: RIGHT, bounds: SMOKE }
}

#[test]
fn every_state_that_any_rules_reach_comes_back_and_is_packed_alone() {
    let variants = VARIANTS.iter().map(|(info, rules)| (info.name, *rules));
    let cripples = Check::ALL.iter().map(|&check| (check.name(), Rules { without: Checks::of(&[check]), ..RIGHT }));
    let every: Vec<_> = variants.chain(cripples).collect();
    common::for_each(&every, |&(name, rules)| {
        let states = assert_packed_alone(name, &Operations { rules, bounds: SMALL }, 10_000);
        assert!(states > 500, "{name} has {states} states");
    });
}

fn launch() -> impl Strategy<Value = Launch> {
    (0..8u32).prop_map(Launch)
}

fn mark() -> impl Strategy<Value = Mark> {
    (0..8u32).prop_map(Mark)
}

fn gateway() -> impl Strategy<Value = Gateway> {
    (0..8u32).prop_map(Gateway)
}

fn revision() -> impl Strategy<Value = Revision> {
    (0..16u32).prop_map(Revision)
}

fn phase() -> impl Strategy<Value = Phase> {
    use Phase::*;
    prop_oneof![Just(Stopped), Just(Starting), Just(Ready), Just(Error), Just(Stopping), Just(Deleting), Just(Gone)]
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Start), Just(Kind::Stop), Just(Kind::Delete)]
}

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![Just(Condition::Booting), Just(Condition::Up), Just(Condition::Exited)]
}

fn observation() -> impl Strategy<Value = Observation> {
    (launch(), option::of(condition()), mark()).prop_map(|(launch, seen, mark)| Observation { launch, seen, mark })
}

fn operation() -> impl Strategy<Value = Operation> {
    let heard = (any::<bool>(), mark())
        .prop_map(|(done, mark)| Stage::Heard(if done { Outcome::Done } else { Outcome::Failed }, mark));
    let stage = prop_oneof![Just(Stage::Begun), Just(Stage::Sent), heard];
    (kind(), launch(), stage).prop_map(|(kind, launch, stage)| Operation { kind, launch, stage })
}

fn look() -> impl Strategy<Value = Look> {
    (revision(), launch(), option::of(observation()), any::<bool>())
        .prop_map(|(revision, launch, seen, overlaps)| Look { revision, launch, seen, overlaps })
}

fn memory() -> impl Strategy<Value = Memory> {
    (gateway(), option::of(operation()), option::of(look()), option::of(mark()))
        .prop_map(|(gateway, operation, look, heard)| Memory { gateway, operation, look, heard })
}

fn instance() -> impl Strategy<Value = Instance> {
    (launch(), condition(), any::<bool>()).prop_map(|(launch, condition, is_armed)| Instance {
        launch,
        condition,
        is_armed,
    })
}

fn state() -> impl Strategy<Value = State> {
    let row = (revision(), phase(), launch(), option::of(gateway()), mark())
        .prop_map(|(revision, phase, launch, owner, mark)| Row { revision, phase, launch, owner, mark });
    let provider = (option::of(instance()), launch(), mark()).prop_map(|(instance, fence, mark)| Provider {
        instance,
        fence,
        mark,
    });
    let messages = (vec((kind(), launch()), 0..4), vec(observation(), 0..3));
    (row, provider, vec(memory(), 0..3), messages, any::<bool>()).prop_map(
        |(row, provider, memories, (calls, reports), was_admitted)| {
            let mut state = State { row, provider, ..State::default() };
            state.gateways = Gateways::with(memories.into_iter());
            state.ghost.was_admitted = was_admitted;
            calls.into_iter().for_each(|(kind, launch)| state.calls.insert(Call { kind, launch }));
            reports.into_iter().for_each(|report| state.reports.insert(report));
            state
        },
    )
}

proptest! {
    #[test]
    fn any_state_comes_back(state in state()) {
        prop_assert_eq!(model().unpack(&model().pack(&state)), state);
    }

    #[test]
    fn two_states_are_packed_alike_only_if_they_are_alike(one in state(), other in state()) {
        prop_assert_eq!(model().pack(&one) == model().pack(&other), one == other);
    }
}
