//! Which fields an action needs and which it may have: a field that would be ignored is refused, so that nothing seems
//! checked which is not.

mod shapes;

use outlive_spec::trace::{Event, NUMBER_LIMIT, Outcome, Phase, Verb};

use super::fault::Fault;
use super::unreadable::Kind;
use shapes::{Shape, shape, shape_of_a_call};

const INCARNATION: u16 = 1;
const GENERATION: u16 = 1 << 1;
const EXPECTED: u16 = 1 << 2;
const MINTED: u16 = 1 << 3;
const LIFE: u16 = 1 << 4;
const BY: u16 = 1 << 5;
const BECAUSE: u16 = 1 << 6;
const OPERATION: u16 = 1 << 7;
const LAUNCH: u16 = 1 << 8;
const REVISION: u16 = 1 << 9;
const MARK: u16 = 1 << 10;
const KIND: u16 = 1 << 11;
const CONDITION: u16 = 1 << 12;
const ENDING: u16 = 1 << 13;
const CONCLUSION: u16 = 1 << 14;
const NAMES: [&str; 15] = [
    "incarnation",
    "generation",
    "expected",
    "minted",
    "life",
    "by",
    "because",
    "operation",
    "launch",
    "revision",
    "mark",
    "kind",
    "condition",
    "ending",
    "conclusion",
];

/// Whether an event speaks of a call rather than of its effect: that it was made, how it ended, or that nobody knows.
#[inline]
pub(super) fn is_of_a_call(event: &Event<'_>) -> bool {
    matches!(event.phase, Phase::Begin | Phase::End) || event.outcome == Outcome::Unknown
}

#[inline]
fn given(event: &Event<'_>) -> u16 {
    let bit = |is_given: bool, bit: u16| if is_given { bit } else { 0 };
    bit(event.incarnation.is_some(), INCARNATION)
        | bit(event.generation.is_some(), GENERATION)
        | bit(event.expected.is_some(), EXPECTED)
        | bit(event.minted.is_some(), MINTED)
        | bit(event.life.is_some(), LIFE)
        | bit(event.by.is_some(), BY)
        | bit(event.because.is_some(), BECAUSE)
        | bit(event.operation.is_some(), OPERATION)
        | bit(event.launch.is_some(), LAUNCH)
        | bit(event.revision.is_some(), REVISION)
        | bit(event.mark.is_some(), MARK)
        | bit(event.kind.is_some(), KIND)
        | bit(event.condition.is_some(), CONDITION)
        | bit(event.ending.is_some(), ENDING)
        | bit(event.conclusion.is_some(), CONCLUSION)
}

/// Checks that the event has the fields of its action.
#[inline]
pub(super) fn check(event: &Event<'_>) -> Result<(), Fault> {
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
    if is_of_a_call && (event.row.is_some() || event.standing.is_some()) {
        let field = if event.row.is_some() { "row" } else { "standing" };
        let message = "a row is that after the effect, which is not here".to_owned();
        return Err(Fault::Unreadable { field: Some(field), kind: Kind::WrongFields, message });
    }
    exact("sequence", event.sequence)?;
    exact("commit", event.commit.unwrap_or(0))
}

/// Checks that an event shows no row of another protocol.
#[inline]
pub(super) fn has_no(field: &'static str, is_given: bool) -> Result<(), Fault> {
    if !is_given {
        return Ok(());
    }
    let message = format!("`{field}` is the row of another protocol");
    Err(Fault::Unreadable { field: Some(field), kind: Kind::WrongFields, message })
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
fn exact(field: &'static str, number: u64) -> Result<(), Fault> {
    if number < NUMBER_LIMIT {
        return Ok(());
    }
    let message = format!("`{field}` is {number}: from 2^53 on, half of the world's JSON readers round");
    Err(Fault::Unreadable { field: Some(field), kind: Kind::NumberTooLarge, message })
}

/// A number that the model can count with.
#[inline]
pub(super) fn small(field: &'static str, number: Option<u64>) -> Result<Option<u32>, Fault> {
    let Some(number) = number else { return Ok(None) };
    // One below the largest, so that the model can always count one further.
    if let Some(small) = u32::try_from(number).ok().filter(|small| *small < u32::MAX) {
        return Ok(Some(small));
    }
    exact(field, number)?;
    let message = format!("`{field}` has {number}: this check counts to {}", u32::MAX - 1);
    Err(Fault::Unreadable { field: Some(field), kind: Kind::NumberTooLarge, message })
}

fn first(fields: u16) -> &'static str {
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
