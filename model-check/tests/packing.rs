//! The packed form is a state, all of it: nothing is lost, and no two states become one.

mod common;

use common::packing::assert_packed_alone;
use outlive_spec::protocol::Protocol;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, SMOKE};
use outlive_spec::snapshot::check::{Check, Checks};
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::state::*;
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

const SMALL: Bounds = Bounds { lives: 2, incarnations: 3, gateways: 1, ..SMOKE };

fn model() -> Snapshot {
    Snapshot { rules: RIGHT, bounds: SMOKE }
}

#[test]
fn every_state_that_any_rules_reach_comes_back_and_is_packed_alone() {
    let variants = VARIANTS.iter().map(|(info, rules)| (info.name, *rules));
    let cripples = Check::ALL.iter().map(|&check| (check.name(), Rules { without: Checks::of(&[check]), ..RIGHT }));
    let every: Vec<_> = variants.chain(cripples).collect();
    common::for_each(&every, |&(name, rules)| {
        assert_packed_alone(name, &Snapshot { rules, bounds: SMALL }, usize::MAX);
    });
}

fn incarnation() -> impl Strategy<Value = Incarnation> {
    (0..4u32).prop_map(Incarnation)
}

fn life() -> impl Strategy<Value = Life> {
    (0..5u32).prop_map(Life)
}

fn generation() -> impl Strategy<Value = Generation> {
    (0..4u32).prop_map(Generation)
}

fn stamp() -> impl Strategy<Value = Stamp> {
    prop_oneof![Just(Stamp::Unknown), Just(Stamp::Pending), incarnation().prop_map(Stamp::Is)]
}

fn cited() -> impl Strategy<Value = Cited> {
    (stamp(), generation()).prop_map(|(stamp, generation)| Cited { stamp, generation })
}

fn save() -> impl Strategy<Value = Save> {
    (cited(), life(), incarnation()).prop_map(|(cited, life, incarnation)| Save {
        cited,
        page: Page { life, incarnation, generation: cited.generation },
    })
}

fn act() -> impl Strategy<Value = Act> {
    (cited(), option::of(save())).prop_map(|(cited, save)| Act { cited, resolved: save.map(|save| save.page) })
}

fn wipe() -> impl Strategy<Value = WipeCall> {
    (option::of((0..2u32).prop_map(Gateway)), incarnation()).prop_map(|(by, incarnation)| WipeCall { by, incarnation })
}

fn memory() -> impl Strategy<Value = Memory> {
    prop_oneof![Just(Memory::Nothing), Just(Memory::Claimed), incarnation().prop_map(Memory::Wiped)]
}

fn state() -> impl Strategy<Value = State> {
    let store = (incarnation(), any::<bool>(), incarnation(), option::of(save()), generation()).prop_map(
        |(incarnation, is_resetting, since, page, deleted)| Store { incarnation, is_resetting, since, page, deleted },
    );
    let process = (life(), option::of(incarnation()), generation(), option::of(incarnation()))
        .prop_map(|(life, incarnation, generation, reply)| Process { life, incarnation, generation, reply });
    let ghost = (life(), incarnation(), any::<bool>()).prop_map(|(first_unwiped, first_kept, owes_a_wipe)| Ghost {
        first_unwiped,
        first_kept,
        owes_a_wipe,
        ..Ghost::default()
    });
    let messages = (
        vec(stamp(), 0..3),
        vec(save(), 0..4),
        vec((life(), incarnation()), 0..2),
        vec(wipe(), 0..3),
        vec(act(), 0..3),
        vec(save(), 0..2),
    );
    (store, process, ghost, messages, any::<bool>(), [memory(), memory()]).prop_map(
        |(store, process, ghost, messages, is_retrying, memories)| {
            let mut state = State { store, process, ghost, is_retrying, ..State::default() };
            let (calls, saves, questions, wipes, acts, shown) = messages;
            calls.into_iter().for_each(|stamp| state.calls.insert(Call { stamp }));
            saves.into_iter().for_each(|save| state.saves.insert(save));
            questions.into_iter().for_each(|(life, expected)| state.questions.insert(Question { life, expected }));
            wipes.into_iter().for_each(|wipe| state.wipes.insert(wipe));
            acts.into_iter().for_each(|act| state.acts.insert(act));
            shown.into_iter().for_each(|save| state.shown.insert(save));
            for (gateway, memory) in memories.into_iter().enumerate() {
                state.gateways.set(Gateway(gateway as u32), memory);
            }
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
