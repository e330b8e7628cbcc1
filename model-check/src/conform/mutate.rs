//! Mutations of traces: what a wrong implementation, a wrong recorder or a forger could have written instead. The
//! sequences are renumbered, so that the model must notice, and not the gap.

use serde_json::{Map, Value, json};

use super::causes::causes;
use crate::random::Random;
use outlive_spec::trace::Verb;

/// The events of a trace, without its header.
pub type Events = Vec<Map<String, Value>>;

macro_rules! mutations {
    ($($name:ident $word:literal $sentence:literal $survives:literal)*) => {
        /// A way to spoil a trace.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Mutation { $(#[doc = $sentence] $name,)* }

        impl Mutation {
            /// All of them.
            pub const ALL: &'static [Mutation] = &[$(Mutation::$name),*];

            /// For tables.
            pub fn name(self) -> &'static str { match self { $(Mutation::$name => $word,)* } }

            /// Why what is spoiled so can be a behaviour all the same.
            pub fn survives(self) -> &'static str { match self { $(Mutation::$name => $survives,)* } }
        }
    };
}

mutations! {
    Drop "drop" "An event is missing."
        "a read, a refusal or an act changes nothing; nobody asks for what came last"
    Duplicate "duplicate" "An event stands twice."
        "messages may be repeated, and reads too"
    Reorder "reorder" "Two neighbouring events of a computer have changed places."
        "steps that do not touch each other have no order"
    StaleGeneration "stale generation" "A generation is one too low."
        "another page that was handed out is meant, or one that is refused as well"
    SwappedIncarnation "swapped incarnation" "An incarnation is that of the life before or after."
        "a message to another life is refused for the same reason"
    FlippedOutcome "flipped outcome" "What was refused was done, or the other way round."
        "a call of unknown outcome may have been done"
    ForgedExpectation "forged expectation" "An expected incarnation is that of the life before or after."
        "a decision on another life is refused for the same reason"
    ForgedMinting "forged minting" "An incarnation is minted that is one lower or higher."
        "where no row is shown, an incarnation may be passed over"
    ForgedCause "forged cause" "What was refused was refused for another reason."
        "none may"
    ForgedRow "forged row" "The row after a step is another one."
        "none may"
    SwappedComputer "swapped computer" "An event is that of another computer."
        "both computers have seen the like"
    OtherLife "other life" "A life bears the name of another one."
        "a question of a dead life is refused, whoever asks"
    OtherOperation "other operation" "An event bears the name of another operation."
        "both operations have sent the like"
}

/// Spoils one event, if the random choice fell on one that can be spoiled so. Says which event it was.
pub fn mutate(mutation: Mutation, events: &[Map<String, Value>], random: &mut Random) -> Option<(Events, usize)> {
    let mut events = events.to_vec();
    let at = random.below(events.len());
    match mutation {
        Mutation::Drop => drop(events.remove(at)),
        Mutation::Duplicate => events.insert(at, events[at].clone()),
        Mutation::Reorder => {
            let is_next = |other: &Map<String, Value>| other["computer"] == events[at]["computer"];
            let next = at + 1 + events[at + 1..].iter().position(is_next)?;
            events.swap(at, next);
            // The other's place in the order, not only its line.
            let (first, second) = (events[at].get("commit").cloned(), events[next].get("commit").cloned());
            set(&mut events[at], "commit", second);
            set(&mut events[next], "commit", first);
        }
        Mutation::StaleGeneration => lower(&mut events[at], "generation")?,
        Mutation::SwappedIncarnation => shift(&mut events[at], "incarnation", random)?,
        Mutation::ForgedExpectation => shift(&mut events[at], "expected", random)?,
        Mutation::ForgedMinting => shift(&mut events[at], "minted", random)?,
        Mutation::ForgedCause => forge_cause(&mut events[at], random)?,
        Mutation::ForgedRow => forge_row(&mut events[at], random)?,
        Mutation::SwappedComputer => rename(&mut events, at, "computer", random)?,
        Mutation::FlippedOutcome => flip(&mut events[at], random)?,
        Mutation::OtherLife => rename(&mut events, at, "life", random)?,
        Mutation::OtherOperation => rename(&mut events, at, "operation", random)?,
    }
    renumber(&mut events);
    Some((events, at))
}

fn set(event: &mut Map<String, Value>, field: &str, value: Option<Value>) {
    match value {
        Some(value) => drop(event.insert(field.to_owned(), value)),
        None => drop(event.remove(field)),
    }
}

/// Gives an event the name that another one has.
fn rename(events: &mut Events, at: usize, field: &str, random: &mut Random) -> Option<()> {
    let own = events[at].get(field)?.clone();
    let names: Vec<&Value> = events.iter().filter_map(|event| event.get(field)).collect();
    let other = names[random.below(names.len())].clone();
    if other == own {
        return None;
    }
    events[at].insert(field.to_owned(), other);
    Some(())
}

fn lower(event: &mut Map<String, Value>, field: &str) -> Option<()> {
    let lower = event.get(field)?.as_u64()?.checked_sub(1)?;
    event.insert(field.to_owned(), lower.into());
    Some(())
}

fn shift(event: &mut Map<String, Value>, field: &str, random: &mut Random) -> Option<()> {
    if random.is_chosen(500) {
        return lower(event, field);
    }
    let higher = event.get(field)?.as_u64()? + 1;
    event.insert(field.to_owned(), higher.into());
    Some(())
}

fn forge_cause(event: &mut Map<String, Value>, random: &mut Random) -> Option<()> {
    let said = event.get("because")?.clone();
    let others: Vec<&str> =
        causes(verb(event)?).iter().map(|cause| cause.id()).filter(|cause| said != *cause).collect();
    let cause = others.get(random.below(others.len().max(1)))?;
    event.insert("because".to_owned(), json!(cause));
    Some(())
}

fn forge_row(event: &mut Map<String, Value>, random: &mut Random) -> Option<()> {
    let row = event.get_mut("row")?.as_object_mut()?;
    match random.below(4) {
        0 => shift(row, "incarnation", random),
        1 => shift(row, "since", random),
        2 => {
            let is_resetting = row.get("resetting")?.as_bool()?;
            row.insert("resetting".to_owned(), json!(!is_resetting));
            Some(())
        }
        _ => {
            let page = row.get("page")?;
            let other = if page.is_null() { json!([1, 1]) } else { Value::Null };
            row.insert("page".to_owned(), other);
            Some(())
        }
    }
}

fn verb(event: &Map<String, Value>) -> Option<Verb> {
    serde_json::from_value(event.get("action")?.clone()).ok()
}

fn flip(event: &mut Map<String, Value>, random: &mut Random) -> Option<()> {
    let verb = verb(event)?;
    // What has only begun has no outcome.
    if event.get("phase").is_some_and(|phase| *phase == "begin") {
        return None;
    }
    // Whatever the row was, it cannot be known what it would have been.
    event.remove("row");
    match event.remove("outcome") {
        Some(_) => make_done(event, verb),
        None => make_refused(event, verb, random),
    }
}

fn make_done(event: &mut Map<String, Value>, verb: Verb) -> Option<()> {
    event.remove("because");
    let count_on = |event: &Map<String, Value>, field: &str| Some(event.get(field)?.as_u64()? + 1);
    match verb {
        Verb::Register | Verb::Rollback => set(event, "minted", count_on(event, "expected").map(Value::from)),
        Verb::Finish => set(event, "minted", count_on(event, "incarnation").map(Value::from)),
        Verb::Answer => set(event, "generation", Some(json!(1))),
        Verb::Wipe => return None,
        Verb::Restart | Verb::Ask | Verb::Learn | Verb::Begin | Verb::Save | Verb::Claim => {}
        Verb::SendWipe | Verb::Load | Verb::Resolve | Verb::Perform | Verb::Crash => {}
    }
    Some(())
}

fn make_refused(event: &mut Map<String, Value>, verb: Verb, random: &mut Random) -> Option<()> {
    let causes = causes(verb);
    let cause = causes.get(random.below(causes.len().max(1)))?;
    let unsaid: &[&str] = match verb {
        Verb::Register | Verb::Finish | Verb::Rollback => &["minted"],
        Verb::Answer => &["generation"],
        Verb::Wipe => &["life", "generation"],
        Verb::Save | Verb::Claim | Verb::Resolve | Verb::Perform => &[],
        Verb::Restart | Verb::Ask | Verb::Learn | Verb::Begin | Verb::SendWipe | Verb::Load | Verb::Crash => &[],
    };
    event.insert("outcome".to_owned(), json!("refused"));
    event.insert("because".to_owned(), json!(cause));
    unsaid.iter().for_each(|field| drop(event.remove(*field)));
    Some(())
}

/// Each process counts from 0 again.
fn renumber(events: &mut Events) {
    let mut next = std::collections::BTreeMap::<String, u64>::new();
    for event in events {
        let process = event.get("process").and_then(Value::as_str).unwrap_or_default().to_owned();
        let sequence = next.entry(process).or_default();
        event.insert("sequence".to_owned(), (*sequence).into());
        *sequence += 1;
    }
}
