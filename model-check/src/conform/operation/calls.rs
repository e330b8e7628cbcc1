//! Calls whose moment is open: those of the store, and questions to the provider, which are answered between two lines.

use outlive_spec::operation::action::Action;
use outlive_spec::operation::rules::{Rules, observed};
use outlive_spec::operation::state::*;
use outlive_spec::trace::{Event, Phase as Moment, Side, Verb};

use super::{Operations, Shown, Told, Words, call, concluded, observation, outcome};
use crate::conform::track::{Cause, Said, Track};

/// The answer that is awaited from this `send` on.
pub(super) fn answer_to(send: &Said<'_, '_, Operations>) -> (Event<'static>, Words) {
    let (process, computer) = (send.event.process.to_string(), send.event.computer.to_string());
    let Event { kind, launch, .. } = *send.event;
    let event = Event { kind, launch, ..Event::new(process, Moment::Commit, Verb::Hear, computer) };
    (event, Words { row: None, ..send.words })
}

/// Lets the call happen, and says what it tells: a question, what is so at this moment.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is no question is a call of the store")]
pub(super) fn happen(
    track: &mut Operations,
    rules: &Rules,
    said: &Said<'_, '_, Operations>,
) -> Result<Option<Told>, Cause<Shown>> {
    track.meet(said);
    let gateway = said.words.gateway;
    match said.event.action {
        Verb::Get => {
            let look = track.state.gateways.get(gateway).and_then(|memory| memory.look);
            let seen = observed(&track.state, look.map_or(track.state.row.launch, |look| look.launch));
            rules.apply(&mut track.state, &Action::Get(gateway, seen))?;
            Ok(Some(Told::Seen(seen)))
        }
        Verb::Hear => {
            let Call { kind, launch } = call(said);
            let so = rules.outcome(&track.state, &Operation { kind, launch, stage: Stage::Sent });
            let drives = track.state.gateways.get(gateway).and_then(|memory| memory.operation);
            let Some(so) = so.filter(|_| drives.map(Operation::call) == Some(call(said))) else {
                return Err(Cause::Operation);
            };
            let mark = track.state.provider.mark;
            rules.apply(&mut track.state, &Action::Hear(gateway, so, mark))?;
            Ok(Some(Told::Heard(so, mark)))
        }
        verb => {
            let launch = match verb {
                Verb::Start | Verb::StartUnclaimed => Launch(track.state.row.launch.0 + 1),
                _ => said.words.launch,
            };
            let conclusion = track.conclusion(rules, said);
            track.apply(rules, &Said { words: Words { launch, ..said.words }, ..*said })?;
            Ok(match verb {
                Verb::Start | Verb::StartUnclaimed => Some(Told::Launch(launch)),
                Verb::Conclude | Verb::Deliver => Some(Told::Conclusion(conclusion)),
                _ => None,
            })
        }
    }
}

/// An operation that has lost is dropped, and so is a look that was in vain.
#[allow(clippy::wildcard_enum_match_arm, reason = "whoever has asked for something else has nothing in mind")]
pub(super) fn hear_of_a_refusal(state: &mut State, end: &Said<'_, '_, Operations>) {
    let Some(memory) = state.gateways.get_mut(end.words.gateway) else { return };
    match end.event.action {
        Verb::Conclude => memory.look = None,
        Verb::Settle => memory.operation = memory.operation.filter(|it| it.call() != call(end)),
        _ => {}
    }
}

/// What the end of a call, or its logged effect, says that it has told. A refusal tells nothing but its reason.
#[allow(clippy::wildcard_enum_match_arm, reason = "all others tell nothing")]
pub(super) fn told(said: &Said<'_, '_, Operations>) -> Option<Told> {
    match said.event.action {
        _ if said.event.because.is_some() => None,
        Verb::Get => Some(Told::Seen(observation(said))),
        Verb::Hear => Some(Told::Heard(outcome(said.event), said.words.mark)),
        Verb::Start | Verb::StartUnclaimed => said.event.launch.map(|_| Told::Launch(said.words.launch)),
        Verb::Conclude | Verb::Deliver => said.event.conclusion.map(|told| Told::Conclusion(concluded(told))),
        _ => None,
    }
}

/// A question is known by who asks and what about; a call of the store by its name.
pub(super) fn is_named_alike(call: &Event<'_>, event: &Event<'_>) -> bool {
    match is_a_question(call) {
        true => call.process == event.process && call.kind == event.kind && same_launch_if_heard(call, event),
        false => call.operation.is_some() && call.operation == event.operation,
    }
}

/// The launch of a `hear` is that of its call; of a `get` it is the answer.
fn same_launch_if_heard(call: &Event<'_>, event: &Event<'_>) -> bool {
    call.action != Verb::Hear || call.launch == event.launch
}

fn is_a_question(call: &Event<'_>) -> bool {
    call.action.side() == Side::Gateway
}

pub(super) fn is_the_same(call: &Said<'_, '_, Operations>, said: &Said<'_, '_, Operations>) -> bool {
    let (begun, event) = (call.event, said.event);
    let answers = matches!(begun.action, Verb::Get | Verb::Start | Verb::StartUnclaimed);
    let is_of_it = answers || begun.launch == event.launch;
    let shows_the_same =
        begun.action != Verb::Deliver || (begun.condition, begun.mark) == (event.condition, event.mark);
    let ends_alike = begun.action != Verb::Settle || begun.ending == event.ending;
    is_of_it && shows_the_same && ends_alike && begun.kind == event.kind
}

/// Whether it can never happen again: whoever has made it is dead, nobody waits for the answer any more, or what it
/// names has passed.
#[allow(clippy::wildcard_enum_match_arm, reason = "the others may happen as long as the computer is there")]
pub(super) fn is_over(state: &State, said: &Said<'_, '_, Operations>) -> bool {
    let Row { phase, launch, mark, .. } = state.row;
    let Some(memory) = state.gateways.get(said.words.gateway) else { return true };
    match said.event.action {
        Verb::Get => memory.look.is_none_or(|look| look.seen.is_some()),
        Verb::Hear => memory.operation.is_none_or(|it| it.call() != call(said) || it.stage != Stage::Sent),
        Verb::Conclude => memory.look.is_none_or(|look| look.seen.is_none()),
        Verb::Settle | Verb::Recover => said.words.launch < launch || phase == Phase::Gone,
        Verb::Deliver => said.words.mark <= mark || phase == Phase::Gone,
        _ => phase == Phase::Gone,
    }
}

/// Whoever has died hears of nothing, and whoever looks anew does not wait for what it has asked before.
pub(super) fn is_forgotten(call: &Event<'_>, event: &Event<'_>) -> bool {
    let looks_anew = call.action == Verb::Get && event.action == Verb::Read;
    call.process == event.process && (event.action == Verb::Crash || looks_anew)
}
