//! What an event of each action must have, and what it may.

#![allow(clippy::wildcard_enum_match_arm, reason = "most actions mint nothing and ask nothing")]

use outlive_spec::trace::{Event, Outcome, Phase, Verb};

use super::*;

/// What an event of this action, phase and outcome has: what it must have, and what it may.
pub(super) struct Shape {
    pub(super) phase: Phase,
    pub(super) needs: u16,
    pub(super) may_have: u16,
}

/// None, where the action is no call of the store, whose outcome can get lost.
pub(super) fn shape_of_a_call(event: &Event<'_>) -> Option<Shape> {
    let (needs, may_have) = match event.action {
        Verb::Register => (LIFE | EXPECTED, 0),
        Verb::Save => (GENERATION, INCARNATION),
        Verb::Claim => (EXPECTED, 0),
        Verb::Finish => (INCARNATION, 0),
        Verb::Rollback => (GENERATION | EXPECTED, INCARNATION),
        Verb::Restart | Verb::Ask | Verb::Learn | Verb::Begin | Verb::Answer | Verb::SendWipe => return None,
        Verb::Wipe | Verb::Load | Verb::Resolve | Verb::Perform | Verb::Crash => return None,
        Verb::Start | Verb::StartUnclaimed => (0, 0),
        Verb::Stop | Verb::Delete => (0, 0),
        Verb::Recover => (KIND | LAUNCH, 0),
        Verb::Settle => (KIND | LAUNCH | ENDING, 0),
        Verb::Conclude => (0, 0),
        Verb::Deliver => (LAUNCH | CONDITION | MARK, 0),
        Verb::Get | Verb::Hear => return shape_of_a_question(event),
        Verb::Send | Verb::Arrive | Verb::Admit | Verb::Fail | Verb::Read => return None,
        Verb::Exit | Verb::Revive | Verb::Vanish | Verb::Report => return None,
    };
    // Whoever makes the call may have chosen the incarnation, and whoever has heard of its end knows it.
    let (tells, may_choose) = match event.action {
        Verb::Register | Verb::Finish | Verb::Rollback => (MINTED, MINTED),
        Verb::Start | Verb::StartUnclaimed => (LAUNCH, 0),
        Verb::Conclude | Verb::Deliver => (CONCLUSION, 0),
        _ => (0, 0),
    };
    let (told, may_tell) = match (event.phase, event.outcome) {
        (Phase::End, Outcome::Done) => (tells, 0),
        (Phase::End, Outcome::Refused) => (BECAUSE, 0),
        _ => (0, may_choose),
    };
    // Begin and end are a pair only by their name.
    let (named, may_be_named) = if event.phase == Phase::Commit { (0, OPERATION) } else { (OPERATION, 0) };
    let phase = if matches!(event.phase, Phase::Begin | Phase::End) { event.phase } else { Phase::Commit };
    let has_an_outcome_already = event.phase == Phase::Begin && event.outcome != Outcome::Done;
    (!has_an_outcome_already).then_some(Shape {
        phase,
        needs: needs | told | named,
        may_have: may_have | may_tell | may_be_named,
    })
}

/// A question to the provider: its begin and its end are told apart from the moment of the answer, which is between
/// them. Nobody answers with a refusal, and an answer that is lost is no answer.
fn shape_of_a_question(event: &Event<'_>) -> Option<Shape> {
    let (asked, answered) = match event.action {
        Verb::Get => (0, LAUNCH | CONDITION | MARK),
        // The call that was sent is its begin.
        Verb::Hear => (KIND | LAUNCH, ENDING | MARK),
        _ => return None,
    };
    match (event.phase, event.outcome) {
        (Phase::Begin, Outcome::Done) if event.action == Verb::Get => {
            Some(Shape { phase: Phase::Begin, needs: asked, may_have: 0 })
        }
        (Phase::End, Outcome::Done) => Some(Shape { phase: Phase::End, needs: asked | answered, may_have: 0 }),
        _ => None,
    }
}

/// None, where the action has no such outcome.
#[inline]
pub(super) fn shape(verb: Verb, is_refused: bool) -> Option<Shape> {
    let (phase, needs, may_have) = match (verb, is_refused) {
        (Verb::Restart, false) => (Phase::Commit, LIFE, 0),
        (Verb::Ask, false) => (Phase::Observe, LIFE | EXPECTED, 0),
        (Verb::Register, false) => (Phase::Commit, LIFE | EXPECTED | MINTED, OPERATION),
        (Verb::Register, true) => (Phase::Commit, LIFE | EXPECTED, OPERATION),
        (Verb::Learn, false) => (Phase::Commit, INCARNATION, 0),
        // Not to name an incarnation is what the model refuses, not what cannot be read.
        (Verb::Begin, false) => (Phase::Observe, 0, INCARNATION | OPERATION),
        (Verb::Answer, false) => (Phase::Commit, GENERATION, INCARNATION | OPERATION),
        (Verb::Answer, true) => (Phase::Commit, 0, INCARNATION | OPERATION),
        (Verb::Save, _) => (Phase::Commit, GENERATION, INCARNATION | OPERATION),
        (Verb::Claim, _) => (Phase::Commit, EXPECTED, OPERATION),
        (Verb::SendWipe, false) => (Phase::Observe, INCARNATION, 0),
        (Verb::Wipe, false) => (Phase::Commit, INCARNATION | GENERATION | LIFE | BY, 0),
        (Verb::Wipe, true) => (Phase::Commit, INCARNATION, BY),
        (Verb::Finish, false) => (Phase::Commit, INCARNATION | MINTED, OPERATION),
        (Verb::Finish, true) => (Phase::Commit, INCARNATION, OPERATION),
        (Verb::Load, false) => (Phase::Observe, 0, INCARNATION | GENERATION),
        (Verb::Resolve, _) => (Phase::Observe, GENERATION, INCARNATION | OPERATION),
        (Verb::Perform, _) => (Phase::Commit, GENERATION, INCARNATION | OPERATION),
        (Verb::Rollback, false) => (Phase::Commit, GENERATION | EXPECTED | MINTED, INCARNATION | OPERATION),
        (Verb::Rollback, true) => (Phase::Commit, GENERATION | EXPECTED, INCARNATION | OPERATION),
        (Verb::Crash, false) => (Phase::Marker, 0, 0),
        (Verb::Start | Verb::StartUnclaimed, false) => (Phase::Commit, LAUNCH, OPERATION),
        (Verb::Start, true) => (Phase::Commit, 0, OPERATION),
        (Verb::Stop | Verb::Delete, _) => (Phase::Commit, 0, OPERATION),
        (Verb::Recover, _) => (Phase::Commit, KIND | LAUNCH, OPERATION),
        (Verb::Send, false) => (Phase::Observe, KIND | LAUNCH, 0),
        (Verb::Arrive, _) => (Phase::Commit, KIND | LAUNCH, 0),
        (Verb::Hear, false) => (Phase::Observe, KIND | LAUNCH | ENDING | MARK, 0),
        (Verb::Fail, false) => (Phase::Observe, LAUNCH, 0),
        (Verb::Settle, _) => (Phase::Commit, KIND | LAUNCH | ENDING, OPERATION),
        (Verb::Read, false) => (Phase::Observe, REVISION | LAUNCH, 0),
        (Verb::Get, false) => (Phase::Observe, LAUNCH | CONDITION | MARK, 0),
        (Verb::Conclude, false) => (Phase::Commit, CONCLUSION, OPERATION),
        (Verb::Conclude, true) => (Phase::Commit, CONCLUSION, OPERATION),
        (Verb::Admit | Verb::Exit | Verb::Revive | Verb::Vanish, false) => (Phase::Commit, LAUNCH, 0),
        (Verb::Revive, true) => (Phase::Commit, LAUNCH, 0),
        (Verb::Report, false) => (Phase::Commit, LAUNCH | CONDITION | MARK, 0),
        (Verb::Deliver, false) => (Phase::Commit, LAUNCH | CONDITION | MARK | CONCLUSION, OPERATION),
        (Verb::Deliver, true) => (Phase::Commit, LAUNCH | CONDITION | MARK, OPERATION),
        (Verb::Restart | Verb::Ask | Verb::Learn | Verb::Begin | Verb::SendWipe | Verb::Load | Verb::Crash, true) => {
            return None;
        }
        (Verb::StartUnclaimed | Verb::Send | Verb::Hear | Verb::Fail | Verb::Read | Verb::Get, true) => return None,
        (Verb::Admit | Verb::Exit | Verb::Vanish | Verb::Report, true) => return None,
    };
    let because = if is_refused { BECAUSE } else { 0 };
    Some(Shape { phase, needs: needs | because, may_have })
}
