//! What the snapshot model says of itself, before any search.

use outlive_spec::packed::{Fields, Reader, Words, Writer};
use outlive_spec::protocol::Protocol;
use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::action::{Action, Attempt};
use outlive_spec::snapshot::bounds::SMOKE;
use outlive_spec::snapshot::check::{Check, Checks};
use outlive_spec::snapshot::properties::Holds;
use outlive_spec::snapshot::registered;
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::state::{
    Act, Call, Cited, Gateway, Generation, Incarnation, Life, Question, Stamp, State, WipeCall,
};
use outlive_spec::snapshot::variants::{RIGHT, VARIANTS};

#[test]
fn a_new_computer_becomes_the_registered_one_by_ask_register_and_learn() {
    let mut state = State::default();
    let question = Question { life: Life(1), expected: Incarnation(0) };
    for action in [Action::Ask(question), Action::Register(question, Incarnation(1)), Action::Learn(Incarnation(1))] {
        RIGHT.apply(&mut state, &action).unwrap_or_else(|guard| panic!("{action}: {guard}"));
    }
    assert_eq!(state, registered());
}

#[test]
fn a_refused_step_leaves_the_state_as_it_was() {
    let call = Call { stamp: Stamp::Is(Incarnation(1)) };
    let mut state = registered();
    RIGHT.apply(&mut state, &Action::Begin(call)).unwrap();
    let before = state.clone();
    for action in [
        Action::Begin(Call { stamp: Stamp::Unknown }),
        Action::Answer(call, Generation(2)),
        Action::Restart(Life(1)),
        Action::Learn(Incarnation(2)),
        Action::Refuse(Attempt::Answer(call), Requirement::Restart3),
    ] {
        let refusal = RIGHT.apply(&mut state, &action);
        assert!(refusal.is_err(), "{action} was admitted");
        assert_eq!(state, before, "{action} left a trace");
    }
}

#[test]
fn save_5_a_refusal_names_both_values() {
    let mut state = registered();
    let guard = RIGHT.apply(&mut state, &Action::Learn(Incarnation(2))).unwrap_err();
    assert_eq!(guard.requirement, Requirement::Restart4);
    assert_eq!(
        guard.to_string(),
        "RESTART-4: a life learns its incarnation only from the answer to its own last question; \
         found incarnation 2, against nothing"
    );
}

#[test]
fn a_guard_that_is_left_out_admits_what_it_refused() {
    let mut lax = RIGHT;
    lax.without = Checks::of(&[Check::ReplyIsOurs]);
    let learn = Action::Learn(Incarnation(2));
    assert!(RIGHT.apply(&mut registered(), &learn).is_err());
    assert!(lax.apply(&mut registered(), &learn).is_ok());
}

#[test]
fn a_call_is_remembered_while_the_next_process_may_be_the_one_that_is_called() {
    // 1. A gateway calls incarnation 1. 2. The process dies. 3. A registration that mints nothing makes the next
    //    process incarnation 1 as well, and the call arrives.
    let call = Call { stamp: Stamp::Is(Incarnation(1)) };
    let question = Question { life: Life(2), expected: Incarnation(1) };
    let steps = |minted| {
        let before = [Action::Begin(call), Action::Restart(Life(2)), Action::Ask(question)];
        [&before[..], &[Action::Register(question, minted), Action::Learn(minted)]].concat()
    };
    let called = |rules: Rules, minted| {
        let mut state = registered();
        for action in steps(minted) {
            rules.apply(&mut state, &action).unwrap_or_else(|guard| panic!("{action}: {guard}"));
        }
        rules.apply(&mut state, &Action::Answer(call, Generation(1)))
    };
    let mints_nothing = Rules { registration_mints: false, ..RIGHT };
    assert_eq!(called(mints_nothing, Incarnation(1)), Ok(()));
    let refused = called(RIGHT, Incarnation(2)).map_err(|guard| guard.requirement);
    assert_eq!(refused, Err(Requirement::Restart3));
}

#[test]
fn a_harm_that_is_forgiven_leaves_nothing_behind() {
    let mut rules = RIGHT;
    rules.without = Checks::of(&[Check::ForwardIsResolved]);
    let (model, cited) =
        (Snapshot { rules, bounds: SMOKE }, Cited { stamp: Stamp::Is(Incarnation(1)), ..Cited::default() });
    let mut state = registered();
    model.apply(&mut state, &Action::Forward(cited)).unwrap();
    let before = state.clone();
    model.apply(&mut state, &Action::Perform(Act { cited, resolved: None })).unwrap();
    assert!(model.broken(&state).has(Holds::NothingActsUnresolved as usize));
    model.forgive(&mut state);
    assert!(model.broken(&state).is_empty());
    assert_eq!(state, before);
}

#[test]
fn variants_have_names_of_their_own_and_differ_from_the_right_rules() {
    let mut names: Vec<_> = VARIANTS.iter().map(|(info, _)| info.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), VARIANTS.len());
    for (info, rules) in &VARIANTS[1..] {
        assert_ne!(*rules, RIGHT, "{} changes nothing", info.name);
    }
}

#[test]
fn every_guard_fits_the_set() {
    assert!(Check::ALL.len() <= 64);
    for &check in Check::ALL {
        assert!(Checks::of(&[check]).has(check));
        assert!(!Checks::NONE.has(check));
    }
}

/// These parts, one after the other.
fn written<const N: usize>(parts: &[Fields]) -> Words<N> {
    let mut words = Words::default();
    let mut to = Writer::new(&mut words);
    parts.iter().for_each(|part| to.put(*part));
    to.finish();
    words
}

#[test]
fn packed_fields_come_back_across_word_borders() {
    let fields = [(1, 1), (0x7fff_ffff, 31), (5, 3), (0xdead_beef, 32), (9, 4), (0x00ab_cdef, 24), (0x0012_3456, 25)];
    // Alone, several together, and some across the border.
    let parts: [&[_]; 4] = [&fields[..1], &fields[1..2], &fields[2..5], &fields[5..]];
    let parts = parts.map(|part| part.iter().fold(Fields::default(), |all, &(value, width)| all.with(value, width)));
    let mut from = Reader::new(written::<2>(&parts));
    for (value, width) in fields {
        assert_eq!(from.get(width), value);
    }
}

#[test]
fn a_part_of_64_bits_fills_a_word() {
    let full = Fields::default().with(0xdead_beef, 32).with(0xffff_ffff, 32);
    let mut from = Reader::new(written::<2>(&[full, Fields::default().with(1, 1)]));
    assert_eq!([from.get(32), from.get(32), from.get(1)], [0xdead_beef, 0xffff_ffff, 1]);
}

#[test]
fn words_that_differ_anywhere_are_not_equal() {
    let zero = written::<2>(&[]);
    for place in 0..128 {
        let bit = |at| Fields::default().with(u32::from(at == place), 1);
        let one = written::<2>(&(0..128).map(bit).collect::<Vec<_>>());
        assert_ne!(one, zero, "bit {place}");
        assert_eq!(one, written::<2>(&(0..128).map(bit).collect::<Vec<_>>()));
    }
}

#[test]
fn words_that_differ_twice_in_the_same_bit_are_not_equal() {
    let word = |low| Fields::default().with(low, 32).with(0, 32);
    assert_ne!(written::<2>(&[word(1), word(1)]), written::<2>(&[]), "one difference hides the other");
}

#[test]
fn the_last_field_of_a_full_form_comes_back() {
    let mut from = Reader::new(written::<1>(&[Fields::default().with(1, 32).with(0xdead_beef, 32)]));
    assert_eq!([from.get(32), from.get(32)], [1, 0xdead_beef]);
}

#[test]
#[should_panic(expected = "outgrew the packed form")]
fn a_value_that_does_not_fit_is_no_silent_merge() {
    written::<1>(&[Fields::default().with(8, 3).with(1, 1)]);
}

#[test]
#[should_panic(expected = "outgrew the packed form")]
fn two_values_that_do_not_fit_do_not_make_up_for_each_other() {
    written::<1>(&[Fields::default().with(8, 3).with(8, 3)]);
}

#[test]
#[should_panic(expected = "outgrew the packed form")]
fn fields_that_are_too_many_are_no_silent_merge() {
    written::<2>(&[Fields::default().with(0, 32).with(0, 32).with(0, 1)]);
}

#[test]
#[should_panic(expected = "outgrew the 1 words of the packed form")]
fn a_word_too_many_is_no_silent_merge() {
    written::<1>(&[Fields::default().with(0, 32).with(0, 32), Fields::default().with(0, 1)]);
}

#[test]
fn restart_4_a_wipe_begins_another_life() {
    let mut state = registered();
    for action in [Action::Claim(Gateway(0), Incarnation(1)), Action::SendWipe(Gateway(0), Incarnation(1))] {
        RIGHT.apply(&mut state, &action).unwrap();
    }
    let wipe = WipeCall { by: Some(Gateway(0)), incarnation: Incarnation(1) };
    let guard = RIGHT.apply(&mut state, &Action::Wipe(wipe, Life(1), Generation(0))).unwrap_err();
    assert_eq!(guard.requirement, Requirement::Restart4);
    RIGHT.apply(&mut state, &Action::Wipe(wipe, Life(2), Generation(0))).unwrap();
}
