//! The mapping is an index into the model's own actions, and adds none.

#![allow(clippy::wildcard_enum_match_arm, reason = "one kind of action is set apart from all others")]

use outlive_spec::protocol::Protocol;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::{Bounds, FAR};
use outlive_spec::snapshot::variants::RIGHT;
use outlive_spec::trace::Header;

use super::walk::{Size, Walk};
use super::*;
use crate::conform::judge::Judge;

const GATEWAYS: u32 = 3;

#[test]
fn what_events_mean_is_what_the_model_proposes() {
    let model = Snapshot { rules: RIGHT, bounds: Bounds { gateways: GATEWAYS, ..FAR } };
    let (mut proposed, mut again, mut dead) = (0, 0, 0);
    for seed in 0..20 {
        let walk = Walk::new(seed, Size { computers: 2, gateways: GATEWAYS, events: 500 });
        let header: Header = serde_json::from_str(&walk.header()).expect("a header");
        let mut judge = Judge::<Snapshots>::new(RIGHT, &[header]);
        for line in walk {
            let event: Event<'_> = serde_json::from_str(&line).expect("an event");
            let presents = judge.presents(&event.computer);
            let track = presents.track();
            let said = judge.say(&event).expect("a walk writes whole events");
            let action = track.action(&RIGHT, &said);
            let mut actions = Vec::new();
            model.actions(&track.state, &mut actions);
            match action {
                _ if actions.contains(&action) => proposed += 1,
                // The search forgets a message that is refused for ever; a trace may still show its refusal.
                Action::Refuse(..) => dead += 1,
                // The search takes no step that changes nothing.
                _ => {
                    let mut after = track.clone();
                    after.step(&RIGHT, &said).expect("a walk conforms");
                    after.state.ghost = track.state.ghost;
                    assert_eq!(after.state, track.state, "{action} is new to the model: {line}");
                    again += 1;
                }
            }
            judge.retake(&event).expect("a walk conforms");
        }
    }
    println!("{proposed} proposed, {again} without effect, {dead} refusals of what is dead");
    assert!(proposed > again + dead);
}

#[test]
fn a_computer_remembers_a_bounded_past() {
    let mut walk = Walk::new(5, Size { computers: 1, gateways: GATEWAYS, events: 60_000 });
    let header: Header = serde_json::from_str(&walk.header()).expect("a header");
    let mut judge = Judge::<Snapshots>::new(RIGHT, &[header]);
    let size = |track: &Snapshots| {
        let state = &track.state;
        let messages =
            state.saves.len() + state.calls.len() + state.questions.len() + state.wipes.len() + state.acts.len();
        messages + state.shown.len() + track.lives.iter().count() + track.operations.len()
    };
    let mut largest = [0, 0];
    for at in 0..60_000 {
        let line = walk.next().expect("a long walk");
        let event: Event<'_> = serde_json::from_str(&line).expect("an event");
        judge.retake(&event).expect("a walk conforms");
        let half = &mut largest[at / 30_000];
        *half = size(judge.presents(&event.computer).track()).max(*half);
    }
    assert!(largest[1] <= 2 * largest[0] && largest[1] < 200, "{largest:?} things are remembered");
}
