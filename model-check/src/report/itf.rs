//! A counterexample in the Informal Trace Format, which the tools around TLA+, Apalache and Quint read.
//!
//! A variable of that format has one type in all states: a field that is a number everywhere is an integer, and any
//! other a text. What was done is a variable too, named as Quint's tools for model-based testing name it.

use serde_json::{Map, Value, json};

use super::counterexample::Counterexample;

const DESCRIPTION: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// The variable that says which action has led to a state.
pub const ACTION: &str = "mbt::actionTaken";

/// The counterexample as a document of that format.
pub fn trace(found: &Counterexample) -> Value {
    let states = found.states();
    let last = states.last().map_or(&[][..], Vec::as_slice);
    let names: Vec<&str> = last.iter().map(|field| field.name.as_str()).collect();
    // A field that comes only later was nothing until then.
    let value = |place: usize, name: &str| {
        states[place].iter().find(|field| field.name == name).map_or("none", |field| field.value.as_str())
    };
    let is_number = |name: &str| (0..states.len()).all(|place| value(place, name).parse::<u64>().is_ok());
    let mut variables = vec![ACTION.to_owned()];
    variables.extend(names.iter().map(|name| variable(name)));
    let shown = (0..states.len()).map(|place| {
        let action = place.checked_sub(1).map_or("init", |step| found.steps[step].kind.as_str());
        let mut state = Map::new();
        state.insert("#meta".to_owned(), meta(found, place));
        state.insert(ACTION.to_owned(), json!(action));
        for &name in &names {
            let value = value(place, name);
            let value = if is_number(name) { json!({ "#bigint": value }) } else { json!(value) };
            state.insert(variable(name), value);
        }
        Value::Object(state)
    });
    let mut trace = json!({
        "#meta": {
            "format": "ITF",
            "format-description": DESCRIPTION,
            "source": format!("{} / {}", found.protocol, found.variant),
            "status": "violation",
            "description": format!("breaks {} {}: {}", found.requirement, found.property, found.sentence),
        },
        "vars": variables,
        "states": shown.collect::<Vec<_>>(),
    });
    let back = found.cycle().start;
    // What repeats with other numbers goes back to no state of this path.
    if !found.cycle().is_empty() && states.last() == states.get(back) {
        trace["loop"] = json!(back);
    }
    trace
}

fn meta(found: &Counterexample, place: usize) -> Value {
    match place.checked_sub(1).map(|step| &found.steps[step]) {
        None => json!({ "index": place }),
        Some(step) => json!({ "index": place, "lane": step.lane, "step": step.action }),
    }
}

/// A name as TLA+ can write it: `store: page` becomes `store_page`.
fn variable(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}
