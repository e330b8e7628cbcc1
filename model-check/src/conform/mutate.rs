//! Mutations of traces: what a wrong implementation, a wrong recorder or a forger could have written instead. The
//! sequences are renumbered, so that the model must notice, and not the gap.

use serde_json::{Map, Value, json};

use super::causes::causes;
use crate::random::Random;
use outlive_spec::trace::Verb;

/// The events of a trace, without its header.
pub type Events = Vec<Map<String, Value>>;

macro_rules! mutations {
    ($($name:ident $protocols:tt $word:literal $sentence:literal $survives:literal)*) => {
        /// A way to spoil a trace.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Mutation { $(#[doc = $sentence] $name,)* }

        impl Mutation {
            /// All of them.
            pub const ALL: &'static [Mutation] = &[$(Mutation::$name),*];

            /// For tables.
            pub fn name(self) -> &'static str { match self { $(Mutation::$name => $word,)* } }

            /// The protocols whose traces can be spoiled so.
            pub fn protocols(self) -> &'static [&'static str] { match self { $(Mutation::$name => &$protocols,)* } }

            /// Why what is spoiled so can be a behaviour all the same.
            pub fn survives(self) -> &'static str { match self { $(Mutation::$name => $survives,)* } }
        }
    };
}

mutations! {
    Drop ["snapshot", "operation"] "drop" "An event is missing."
        "a read, a refusal or an act changes nothing; nobody asks for what came last"
    Duplicate ["snapshot", "operation"] "duplicate" "An event stands twice."
        "messages may be repeated, and reads too"
    Reorder ["snapshot", "operation"] "reorder" "Two neighbouring events of a computer have changed places."
        "steps that do not touch each other have no order"
    StaleGeneration ["snapshot"] "stale generation" "A generation is one too low."
        "another page that was handed out is meant, or one that is refused as well"
    SwappedIncarnation ["snapshot"] "swapped incarnation" "An incarnation is that of the life before or after."
        "a message to another life is refused for the same reason"
    FlippedOutcome ["snapshot", "operation"] "flipped outcome" "What was refused was done, or the other way round."
        "a call of unknown outcome may have been done"
    ForgedExpectation ["snapshot"] "forged expectation" "An expected incarnation is that of the life before or after."
        "a decision on another life is refused for the same reason"
    ForgedMinting ["snapshot"] "forged minting" "An incarnation is minted that is one lower or higher."
        "where no row is shown, an incarnation may be passed over"
    ForgedCause ["snapshot", "operation"] "forged cause" "What was refused was refused for another reason."
        "none may"
    ForgedRow ["snapshot", "operation"] "forged row" "The row after a step is another one."
        "none may"
    SwappedComputer ["snapshot", "operation"] "swapped computer" "An event is that of another computer."
        "both computers have seen the like"
    OtherLife ["snapshot"] "other life" "A life bears the name of another one."
        "a question of a dead life is refused, whoever asks"
    OtherOperation ["snapshot"] "other operation" "An event bears the name of another operation."
        "both operations have sent the like"
    SwappedLaunch ["operation"] "swapped launch" "A launch is that of the start before or after."
        "a call or a report of another launch is refused for the same reason"
    ForgedRevision ["operation"] "forged revision" "A sweep has read the row before or after."
        "none may"
    ForgedMark ["operation"] "forged mark" "A place in the provider's order is one too low or too high."
        "a report that is refused for something else is refused all the same"
    OtherCondition ["operation"] "other condition" "Something else was seen at the provider."
        "where the outcome is refused or moot, nobody looks at what was seen"
    OtherEnding ["operation"] "other ending" "An operation has ended otherwise."
        "an outcome that has lost changes nothing, whatever it is"
    OtherConclusion ["operation"] "other conclusion" "Something else was written of what was seen."
        "none may"
    OtherKind ["operation"] "other kind" "An operation of another kind is meant."
        "a call that was overtaken is refused, whatever it is"
    OtherProcess ["operation"] "other process" "An event is that of another process."
        "processes do the same things"
}

impl Mutation {
    /// Those of this protocol.
    pub fn of(protocol: &str) -> impl Iterator<Item = Mutation> {
        Mutation::ALL.iter().copied().filter(move |mutation| mutation.protocols().contains(&protocol))
    }
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
        Mutation::SwappedLaunch => shift(&mut events[at], "launch", random)?,
        Mutation::ForgedRevision => shift(&mut events[at], "revision", random)?,
        Mutation::ForgedMark => shift(&mut events[at], "mark", random)?,
        Mutation::OtherCondition => say(&mut events[at], "condition", &["booting", "up", "exited", "absent"], random)?,
        Mutation::OtherEnding => say(&mut events[at], "ending", &["done", "failed"], random)?,
        Mutation::OtherConclusion => {
            say(&mut events[at], "conclusion", &["nothing", "ready", "error", "prune"], random)?
        }
        Mutation::OtherKind => say(&mut events[at], "kind", &["start", "stop", "delete"], random)?,
        Mutation::OtherProcess => rename(&mut events, at, "process", random)?,
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

/// Has an event say another one of these words.
fn say(event: &mut Map<String, Value>, field: &str, words: &[&str], random: &mut Random) -> Option<()> {
    let said = event.get(field)?.clone();
    let others: Vec<&&str> = words.iter().filter(|word| said != **word).collect();
    event.insert(field.to_owned(), json!(others[random.below(others.len())]));
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
    if let Some(standing) = event.get_mut("standing").and_then(Value::as_object_mut) {
        return forge_standing(standing, random);
    }
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

fn forge_standing(row: &mut Map<String, Value>, random: &mut Random) -> Option<()> {
    match random.below(5) {
        0 => shift(row, "revision", random),
        1 => shift(row, "launch", random),
        2 => shift(row, "mark", random),
        3 => say(row, "phase", &["stopped", "starting", "ready", "error", "stopping", "deleting", "gone"], random),
        _ if row.get("owner")?.is_null() => None,
        _ => {
            row.insert("owner".to_owned(), Value::Null);
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
    event.remove("standing");
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
        Verb::Start => set(event, "launch", Some(json!(1))),
        Verb::Deliver => set(event, "conclusion", Some(json!("error"))),
        Verb::StartUnclaimed | Verb::Stop | Verb::Delete | Verb::Recover | Verb::Send | Verb::Arrive => {}
        Verb::Admit | Verb::Hear | Verb::Fail | Verb::Settle | Verb::Read | Verb::Get | Verb::Conclude => {}
        Verb::Exit | Verb::Revive | Verb::Vanish | Verb::Report => {}
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
        Verb::Start => &["launch"],
        Verb::Deliver => &["conclusion"],
        Verb::StartUnclaimed | Verb::Stop | Verb::Delete | Verb::Recover | Verb::Send | Verb::Arrive => &[],
        Verb::Admit | Verb::Hear | Verb::Fail | Verb::Settle | Verb::Read | Verb::Get | Verb::Conclude => &[],
        Verb::Exit | Verb::Revive | Verb::Vanish | Verb::Report => &[],
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
