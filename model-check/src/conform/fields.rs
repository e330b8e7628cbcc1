//! Which fields an action needs and which it may have: a field that would be ignored is refused, so that nothing seems
//! checked which is not.

use outlive_spec::trace::{Event, NUMBER_LIMIT, Outcome, Phase, Verb};

use super::fault::Fault;
use super::unreadable::Kind;

/// The numbers of an event, small enough to count with.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Numbers {
    pub(super) incarnation: Option<u32>,
    pub(super) generation: u32,
    pub(super) expected: u32,
    pub(super) minted: u32,
}

const INCARNATION: u8 = 1;
const GENERATION: u8 = 1 << 1;
const EXPECTED: u8 = 1 << 2;
const MINTED: u8 = 1 << 3;
const LIFE: u8 = 1 << 4;
const BY: u8 = 1 << 5;
const BECAUSE: u8 = 1 << 6;
const OPERATION: u8 = 1 << 7;
const NAMES: [&str; 8] = ["incarnation", "generation", "expected", "minted", "life", "by", "because", "operation"];

/// What an event of this action, phase and outcome has: what it must have, and what it may.
struct Shape {
    phase: Phase,
    needs: u8,
    may_have: u8,
}

/// Whether an event speaks of a call rather than of its effect: that it was made, how it ended, or that nobody knows.
#[inline]
pub(super) fn is_of_a_call(event: &Event<'_>) -> bool {
    matches!(event.phase, Phase::Begin | Phase::End) || event.outcome == Outcome::Unknown
}

/// None, where the action is no call of the store, whose outcome can get lost.
fn shape_of_a_call(event: &Event<'_>) -> Option<Shape> {
    let (needs, may_have) = match event.action {
        Verb::Register => (LIFE | EXPECTED, 0),
        Verb::Save => (GENERATION, INCARNATION),
        Verb::Claim => (EXPECTED, 0),
        Verb::Finish => (INCARNATION, 0),
        Verb::Rollback => (GENERATION | EXPECTED, INCARNATION),
        Verb::Restart | Verb::Ask | Verb::Learn | Verb::Begin | Verb::Answer | Verb::SendWipe => return None,
        Verb::Wipe | Verb::Load | Verb::Resolve | Verb::Perform | Verb::Crash => return None,
    };
    let mints = if matches!(event.action, Verb::Register | Verb::Finish | Verb::Rollback) { MINTED } else { 0 };
    // Whoever makes the call may have chosen the incarnation, and whoever has heard of its end knows it.
    let (told, may_tell) = match (event.phase, event.outcome) {
        (Phase::End, Outcome::Done) => (mints, 0),
        (Phase::End, Outcome::Refused) => (BECAUSE, 0),
        _ => (0, mints),
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

/// None, where the action has no such outcome.
#[inline]
fn shape(verb: Verb, is_refused: bool) -> Option<Shape> {
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
        (Verb::Restart | Verb::Ask | Verb::Learn | Verb::Begin | Verb::SendWipe | Verb::Load | Verb::Crash, true) => {
            return None;
        }
    };
    let because = if is_refused { BECAUSE } else { 0 };
    Some(Shape { phase, needs: needs | because, may_have })
}

#[inline]
fn given(event: &Event<'_>) -> u8 {
    let bit = |is_given: bool, bit: u8| if is_given { bit } else { 0 };
    bit(event.incarnation.is_some(), INCARNATION)
        | bit(event.generation.is_some(), GENERATION)
        | bit(event.expected.is_some(), EXPECTED)
        | bit(event.minted.is_some(), MINTED)
        | bit(event.life.is_some(), LIFE)
        | bit(event.by.is_some(), BY)
        | bit(event.because.is_some(), BECAUSE)
        | bit(event.operation.is_some(), OPERATION)
}

/// Checks that the event has the fields of its action, and reads its numbers.
#[inline]
pub(super) fn check(event: &Event<'_>) -> Result<Numbers, Fault> {
    let verb = event.action.word();
    let is_refused = event.outcome == Outcome::Refused;
    let is_of_a_call = is_of_a_call(event);
    let shape = if is_of_a_call { shape_of_a_call(event) } else { shape(event.action, is_refused) };
    let Some(Shape { phase, needs, may_have }) = shape else { return Err(no_such_event(event)) };
    if event.phase != phase {
        let message = format!("the phase of a `{verb}` is `{}`", phase_word(phase));
        return Err(Fault::Unreadable { field: Some("phase"), kind: Kind::WrongFields, message });
    }
    let given = given(event);
    // An incarnation says nothing without the generation that it is of.
    let needs = if event.action == Verb::Load && given & INCARNATION != 0 { GENERATION } else { needs };
    if given & needs != needs {
        let message = format!("{} needs `{}`", title(verb, is_refused), first(needs & !given));
        return Err(Fault::Unreadable { field: Some("action"), kind: Kind::WrongFields, message });
    }
    if given & !(needs | may_have) != 0 {
        let field = first(given & !(needs | may_have));
        let message = format!("{} has no `{field}`", title(verb, is_refused));
        return Err(Fault::Unreadable { field: Some(field), kind: Kind::WrongFields, message });
    }
    if is_of_a_call && event.row.is_some() {
        let message = "a row is that after the effect, which is not here".to_owned();
        return Err(Fault::Unreadable { field: Some("row"), kind: Kind::WrongFields, message });
    }
    numbers(event)
}

/// What is wrong with an event whose action does not go with its phase and outcome.
fn no_such_event(event: &Event<'_>) -> Fault {
    let verb = event.action.word();
    let (field, message) = if event.phase == Phase::Begin && event.outcome != Outcome::Done {
        ("outcome", "what has only begun has no outcome yet".to_owned())
    } else if event.outcome == Outcome::Unknown {
        (
            "outcome",
            format!("the outcome of a `{verb}` is known to whoever takes it: only a call of the store can get lost"),
        )
    } else if is_of_a_call(event) {
        ("phase", format!("a `{verb}` is no call of the store, and has no begin and no end"))
    } else {
        ("outcome", format!("a `{verb}` cannot be refused"))
    };
    Fault::Unreadable { field: Some(field), kind: Kind::WrongFields, message }
}

#[inline]
fn numbers(event: &Event<'_>) -> Result<Numbers, Fault> {
    if let Some(row) = &event.row {
        let page = row.page.unwrap_or_default();
        [row.incarnation, row.since, page.0, page.1].into_iter().try_for_each(|it| small("row", Some(it)).map(drop))?;
    }
    exact("sequence", event.sequence)?;
    exact("commit", event.commit.unwrap_or(0))?;
    Ok(Numbers {
        incarnation: small("incarnation", event.incarnation)?,
        generation: small("generation", event.generation)?.unwrap_or(0),
        expected: small("expected", event.expected)?.unwrap_or(0),
        minted: small("minted", event.minted)?.unwrap_or(0),
    })
}

#[inline]
fn exact(field: &'static str, number: u64) -> Result<(), Fault> {
    if number < NUMBER_LIMIT {
        return Ok(());
    }
    let message = format!("`{field}` is {number}: from 2^53 on, half of the world's JSON readers round");
    Err(Fault::Unreadable { field: Some(field), kind: Kind::NumberTooLarge, message })
}

#[inline]
fn small(field: &'static str, number: Option<u64>) -> Result<Option<u32>, Fault> {
    let Some(number) = number else { return Ok(None) };
    // One below the largest, so that the model can always count one further.
    if let Some(small) = u32::try_from(number).ok().filter(|small| *small < u32::MAX) {
        return Ok(Some(small));
    }
    exact(field, number)?;
    let message = format!("`{field}` has {number}: this check counts to {}", u32::MAX - 1);
    Err(Fault::Unreadable { field: Some(field), kind: Kind::NumberTooLarge, message })
}

fn first(fields: u8) -> &'static str {
    NAMES[fields.trailing_zeros() as usize]
}

fn title(verb: &str, is_refused: bool) -> String {
    if is_refused { format!("a refused `{verb}`") } else { format!("a `{verb}`") }
}

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Commit => "commit",
        Phase::Begin => "begin",
        Phase::End => "end",
        Phase::Observe => "observe",
        Phase::Marker => "marker",
    }
}
