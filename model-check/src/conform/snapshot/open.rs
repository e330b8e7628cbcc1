//! Calls of the store whose outcome is open: when they are over, and what nobody has told.

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::rules::Rules;
use outlive_spec::snapshot::state::Incarnation;
use outlive_spec::trace::{Event, Outcome, Verb};

use super::{Numbers, Row, Snapshots, Words};
use crate::conform::track::{Cause, Said, Track};

/// Lets the call happen. An incarnation that nobody has told is the next one.
pub(super) fn happen(
    track: &mut Snapshots,
    rules: &Rules,
    call: &Said<'_, '_, Snapshots>,
) -> Result<Option<Incarnation>, Cause<Row>> {
    let minted = match call.event.minted {
        Some(_) => call.words.numbers.minted,
        None => track.state.store.incarnation.0 + 1,
    };
    let numbers = Numbers { minted, ..call.words.numbers };
    track.apply(rules, &Said { words: Words { numbers, ..call.words }, ..*call })?;
    let mints = matches!(call.event.action, Verb::Register | Verb::Finish | Verb::Rollback);
    Ok(mints.then_some(Incarnation(minted)))
}

pub(super) fn is_the_same(call: &Said<'_, '_, Snapshots>, said: &Said<'_, '_, Snapshots>) -> bool {
    let (minted, other) = (call.event.minted, said.event.minted);
    let mints_the_same = minted.is_none() || other.is_none() || minted == other;
    let values = |numbers: Numbers| (numbers.incarnation, numbers.generation, numbers.expected);
    let is_like_it = values(call.words.numbers) == values(said.words.numbers) && call.event.life == said.event.life;
    is_like_it && mints_the_same
}

/// Whether it is refused for ever: the incarnation that it names is over, and the model refuses it for that; or the
/// model has forgotten the page that it saves, which it does only with what is refused for ever.
pub(super) fn is_over(track: &Snapshots, rules: &Rules, call: &Said<'_, '_, Snapshots>) -> bool {
    let Numbers { incarnation, generation, expected, .. } = call.words.numbers;
    let (verb, current) = (call.event.action, track.state.store.incarnation);
    let named = if matches!(verb, Verb::Save | Verb::Finish) { incarnation } else { Some(expected) };
    let is_former = named.is_some_and(|named| Incarnation(named) < current);
    if is_former {
        let refused = happen(&mut track.clone(), rules, call);
        return matches!(refused, Err(Cause::Guard(guard)) if is_fence(guard.requirement));
    }
    let process = &track.state.process;
    let was_answered = process.incarnation.is_some()
        && process.incarnation == named.map(Incarnation)
        && generation <= process.generation.0;
    let is_remembered = || track.state.saves.iter().any(|save| save.cited.generation.0 == generation);
    verb == Verb::Save && was_answered && !is_remembered()
}

/// Whether it refuses what names a former incarnation.
fn is_fence(requirement: Requirement) -> bool {
    use Requirement::{Reset1, Reset4, Restart1, Save3, Save7};
    matches!(requirement, Save3 | Restart1 | Reset1 | Reset4 | Save7)
}

/// A process that has died waits for no end: a computer's with its life, and a gateway.
pub(super) fn is_forgotten(call: &Event<'_>, event: &Event<'_>) -> bool {
    match call.action == Verb::Register {
        true => event.outcome == Outcome::Done && matches!(event.action, Verb::Restart | Verb::Wipe),
        false => event.action == Verb::Crash && event.process == call.process,
    }
}
