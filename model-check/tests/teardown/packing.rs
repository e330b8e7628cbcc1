//! The packed form is a state, all of it: nothing is lost, and no two states become one.

use outlive_spec::protocol::Protocol;
use outlive_spec::set::{Item, Set};
use outlive_spec::teardown::Teardowns;
use outlive_spec::teardown::bounds::{Bounds, LEAST};
use outlive_spec::teardown::check::{Check, Checks};
use outlive_spec::teardown::rules::Rules;
use outlive_spec::teardown::state::*;
use outlive_spec::teardown::variants::{RIGHT, VARIANTS};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::common::{self, packing::assert_packed_alone};

const SMALL: Bounds = Bounds { outsiders: 1, deadlines: true, nodes: true, ..LEAST };

fn model() -> Teardowns {
    Teardowns { rules: RIGHT, bounds: LEAST }
}

#[test]
fn every_state_that_any_rules_reach_comes_back_and_is_packed_alone() {
    let variants = VARIANTS.iter().map(|(info, rules)| (info.name, *rules));
    let cripples = Check::ALL.iter().map(|&check| (check.name(), Rules { without: Checks::of(&[check]), ..RIGHT }));
    let every: Vec<_> = variants.chain(cripples).collect();
    common::for_each(&every, |&(name, rules)| {
        let rules = Rules { watches: true, ..rules };
        let states = assert_packed_alone(name, &Teardowns { rules, bounds: SMALL }, 10_000);
        assert!(states > 500, "{name} has {states} states");
    });
}

fn instance() -> impl Strategy<Value = Instance> {
    (0..8u32).prop_map(Instance)
}

fn token() -> impl Strategy<Value = Token> {
    (0..8u32).prop_map(Token)
}

fn owner() -> impl Strategy<Value = Owner> {
    (0..8u32).prop_map(Owner)
}

fn trash() -> impl Strategy<Value = TrashCount> {
    (0..8u32).prop_map(TrashCount)
}

fn tenure() -> impl Strategy<Value = Tenure> {
    let phase = prop_oneof![Just(OwnerPhase::Active), Just(OwnerPhase::Trashed), Just(OwnerPhase::Purged)];
    (owner(), phase, trash()).prop_map(|(owner, phase, trashes)| Tenure { owner, phase, trashes })
}

fn record() -> impl Strategy<Value = Record> {
    let phase = prop_oneof![Just(Phase::Live), Just(Phase::Killing), Just(Phase::TornDown)];
    (instance(), phase, option::of(trash()), any::<bool>(), 0..4u32, 0..8u32).prop_map(
        |(instance, phase, requested, is_overdue, attempts, turn)| Record {
            instance,
            phase,
            requested,
            is_overdue,
            attempts,
            turn: Turn(turn),
        },
    )
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![Just(Place::Outbox), Just(Place::Quarantine), Just(Place::DeadLetters)]
}

fn pointer() -> impl Strategy<Value = Pointer> {
    (instance(), place(), 0..4u32, 0..8u32).prop_map(|(instance, place, attempts, turn)| Pointer {
        instance,
        place,
        attempts,
        turn: Turn(turn),
    })
}

fn made() -> impl Strategy<Value = Made> {
    (instance(), option::of(token()), option::of(owner()), any::<bool>(), any::<bool>())
        .prop_map(|(instance, token, owner, lives, is_cut_off)| Made { instance, token, owner, lives, is_cut_off })
}

fn errand() -> impl Strategy<Value = Errand> {
    let found = prop_oneof![
        trash().prop_map(|trash| Found::Licensed(Licence::Teardown(trash))),
        Just(Found::Licensed(Licence::Deadline)),
        Just(Found::Claimed),
        place().prop_map(Found::Pointer),
    ];
    let answer = prop_oneof![
        Just(Answer::Killed),
        Just(Answer::Gone),
        Just(Answer::Lives),
        Just(Answer::Unreachable),
        Just(Answer::Unlisted),
        instance().prop_map(Answer::Replaced),
    ];
    let stage = prop_oneof![
        Just(Stage::Listed),
        any::<bool>().prop_map(|has_killed| Stage::Sent { has_killed }),
        answer.prop_map(Stage::Heard),
    ];
    (instance(), found, stage).prop_map(|(instance, found, stage)| Errand { instance, found, stage })
}

fn set<T: Item>(items: Vec<T>) -> Set<T> {
    let mut set = Set::default();
    items.into_iter().for_each(|item| set.insert(item));
    set
}

fn state() -> impl Strategy<Value = State> {
    let world = prop_oneof![Just(World::Atomic), Just(World::CheckThenAct), Just(World::SharedNames)];
    let provider = (world, vec(made(), 0..4), instance(), vec(token(), 0..3), vec(instance(), 0..2));
    let durable = (tenure(), option::of(record()), vec((token(), owner()), 0..3), vec(pointer(), 0..4));
    let under_way = (vec(token(), 0..3), vec(instance(), 0..3), option::of(errand()), option::of(errand()));
    let watched = (instance(), instance(), instance());
    let ghost = (vec(instance(), 0..3), any::<bool>(), any::<bool>(), watched);
    (provider, durable, token(), under_way, ghost).prop_map(
        |(provider, (tenure, record, intents, pointers), newest_token, (creates, kills, one, two), ghost)| {
            let (world, made, newest, revoked, deletes) = provider;
            let intents = intents.into_iter().map(|(token, owner)| Intent { token, owner }).collect();
            let (licensed, is_requested, had_record, (first, second, third)) = ghost;
            let ghost = Ghost { licensed: set(licensed), is_requested, had_record, ..Ghost::default() };
            State {
                tenure,
                record,
                intents: set(intents),
                newest_token,
                pointers: set(pointers),
                provider: Provider { world, made: set(made), newest, revoked: set(revoked), deletes: set(deletes) },
                creates: set(creates),
                kills: set(kills),
                workers: [one, two],
                ghost: Ghost { watched: [first, second, third], ..ghost },
            }
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
