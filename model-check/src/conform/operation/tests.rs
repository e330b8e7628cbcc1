//! The mapping is an index into the model's own actions, and adds none.

#![allow(clippy::wildcard_enum_match_arm, reason = "one kind of action is set apart from all others")]

use outlive_spec::operation::Operations as Model;
use outlive_spec::protocol::Protocol;
use outlive_spec::trace::Header;

use super::walk::{Size, Walk};
use super::*;
use crate::conform::judge::Judge;

const SIZE: Size = Size { computers: 2, gateways: 2, deaths: 4, events: 600 };

#[test]
fn what_events_mean_is_what_the_model_proposes() {
    let model = Model { rules: RIGHT, bounds: FAR };
    let (mut proposed, mut others) = (0, 0);
    for seed in 0..40 {
        let walk = Walk::new(seed, SIZE);
        let header: Header = serde_json::from_str(&walk.header()).expect("a header");
        let mut judge = Judge::<Operations>::new(RIGHT, &[header]);
        for line in walk {
            let event: Event<'_> = serde_json::from_str(&line).expect("an event");
            let mut track = judge.presents(&event.computer).track().clone();
            let said = judge.say(&event).expect("a walk writes whole events");
            track.meet(&said);
            let action = track.action(&RIGHT, &said);
            let mut actions = Vec::new();
            model.actions(&track.state, &mut actions);
            match action {
                _ if actions.contains(&action) => proposed += 1,
                // Who comes in place of the dead is nobody's business yet.
                Action::Crash(..) | Action::Refuse(..) => others += 1,
                other => panic!("{other} is new to the model, seed {seed}: {line}"),
            }
            judge.retake(&event).unwrap_or_else(|fault| panic!("seed {seed}: {fault:?}: {line}"));
        }
    }
    println!("{proposed} proposed, {others} refusals of what is not proposed any more, and deaths");
    assert!(proposed > 4 * others);
}

#[test]
fn a_long_walk_remembers_a_bounded_past() {
    let size = Size { computers: 1, gateways: 2, deaths: 200, events: 20_000 };
    let walk = Walk::new(7, size);
    let header: Header = serde_json::from_str(&walk.header()).expect("a header");
    let mut judge = Judge::<Operations>::new(RIGHT, &[header]);
    for line in walk {
        let event: Event<'_> = serde_json::from_str(&line).expect("an event");
        judge.retake(&event).unwrap_or_else(|fault| panic!("{fault:?}: {line}"));
        let presents = judge.presents(&event.computer);
        let State { gateways, calls, reports, .. } = presents.track().state();
        assert!(calls.len() <= CALLS && reports.len() <= REPORTS, "{} calls, {} reports", calls.len(), reports.len());
        assert!(gateways.len() <= 2, "those that have died are gone: {gateways:?}");
        assert!(presents.open_calls() <= 2, "each gateway waits for one answer");
    }
}
