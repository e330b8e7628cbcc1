//! What the generated blocks say of each protocol. Whoever lists another one in [`FAMILIES`] has it on these pages.

use outlive_model_check::registry::{Assumptions, FAMILIES, Family, Profile};
use outlive_model_check::report::counterexample::Length;
use outlive_model_check::report::{mermaid, reviewed};

use crate::tables::table;

/// The protocol of this name.
///
/// # Errors
/// If there is none.
pub(crate) fn named(name: &str) -> Result<&'static dyn Family, String> {
    let family = FAMILIES.iter().find(|family| family.name() == name);
    family.copied().ok_or_else(|| format!("there is no protocol `{name}`"))
}

/// The protocol that has this variant, and the variant's place in it.
///
/// # Errors
/// If none has it, or more than one.
pub(crate) fn with_variant(variant: &str) -> Result<(&'static dyn Family, usize), String> {
    let place = |family: &dyn Family| family.variants().iter().position(|known| known.name == variant);
    let found: Vec<_> = FAMILIES.iter().filter_map(|family| Some((*family, place(*family)?))).collect();
    match found[..] {
        [one] => Ok(one),
        [] => Err(format!("there is no variant `{variant}`")),
        _ => Err(format!("several protocols have a variant `{variant}`")),
    }
}

/// The same of each protocol, under a heading of this level.
pub(crate) fn of_each(level: &str, say: fn(&dyn Family) -> String) -> String {
    let sections = FAMILIES.iter().map(|family| {
        let (name, said) = (family.name(), say(*family));
        format!("{level} The {name} protocol\n\n{}\n", said.trim_end())
    });
    sections.collect::<Vec<_>>().join("\n")
}

/// The rows of the reviewed table.
pub(crate) fn rows_reviewed(family: &dyn Family, profile: Profile) -> Vec<reviewed::Row> {
    reviewed::parse(family.reviewed(profile)).expect("the reviewed table is well formed")
}

/// All that the page of variants has of one protocol.
pub(crate) fn variants(family: &dyn Family) -> String {
    let name = family.name();
    format!(
        "What each variant breaks; `model-check check {name} --variant NAME` prints each counterexample:\n\n{}\n\
         The properties by their numbers:\n\n{}\n\
         What each variant changes:\n\n{}\n\
         What is searched within other bounds than the right rules are:\n\n{}",
        broken(family),
        properties(family),
        changes(family),
        other_bounds(family)
    )
}

/// Each variant by each property, with the properties numbered as in the table of properties.
fn broken(family: &dyn Family) -> String {
    let properties = family.properties();
    let mut head: Vec<String> = vec!["variant".to_owned(), "states".to_owned()];
    head.extend((1..=properties.len()).map(|number| number.to_string()));
    let rows = rows_reviewed(family, Profile::Ci).into_iter().map(|row| {
        let length = |name: &str| row.lengths.get(name).map_or_else(|| "-".to_owned(), Length::to_string);
        let lengths = properties.iter().map(|property| length(property.name));
        [row.variant.clone(), row.states.to_string()].into_iter().chain(lengths).collect()
    });
    table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &rows.collect::<Vec<_>>())
}

fn properties(family: &dyn Family) -> String {
    let rows = family.properties().into_iter().enumerate().map(|(at, property)| {
        let number = (at + 1).to_string();
        [&number, property.requirement.id(), property.name, property.broken_by, property.sentence].map(str::to_owned)
    });
    table(&["no", "requirement", "property", "broken by", "sentence"], &rows.map(Vec::from).collect::<Vec<_>>())
}

fn changes(family: &dyn Family) -> String {
    let rows = family.variants();
    let rows = rows.iter().map(|it| vec![it.name.to_owned(), it.origin.to_owned(), it.change.to_owned()]);
    table(&["variant", "rows", "change"], &rows.collect::<Vec<_>>())
}

/// The bounds that some variant has and the right rules have not, each with all variants that have them.
fn other_bounds(family: &dyn Family) -> String {
    let usual = family.bounds(0, Profile::Ci);
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (variant, info) in family.variants().into_iter().enumerate() {
        let bounds = family.bounds(variant, Profile::Ci);
        match rows.iter_mut().find(|row| row[0] == bounds) {
            Some(row) => row[1] += &format!(", {}", info.name),
            None if bounds == usual => {}
            None => rows.push(vec![bounds, info.name.to_owned()]),
        }
    }
    table(&["bounds", "variants"], &rows)
}

/// How far each profile goes.
pub(crate) fn profiles(family: &dyn Family) -> String {
    let row = |profile: Profile| {
        let rows = rows_reviewed(family, profile);
        let states = rows.iter().find(|row| row.variant == "right").map_or(0, |row| row.states);
        vec![profile.to_string(), states.to_string(), family.bounds(0, profile)]
    };
    table(&["profile", "states", "bounds"], &Profile::ALL.map(row))
}

/// What each sentence on what must come about assumes.
pub(crate) fn fairness(family: &dyn Family) -> String {
    let mut rows = Vec::new();
    for Assumptions { property, weak, strong, finitely } in family.assumptions() {
        let groups = [
            (weak, "at last, while it stays possible"),
            (strong, "at last, if it is possible again and again"),
            (finitely, "not for ever"),
        ];
        for (steps, how) in groups {
            rows.extend(steps.into_iter().map(|it| vec![property.clone(), it.class, it.sentence, how.to_owned()]));
        }
    }
    table(&["property", "step", "what happens", "how often"], &rows)
}

/// The phases of the right rules.
pub(crate) fn state_diagram(family: &dyn Family) -> String {
    let phases = family.phases(0, Profile::Smoke);
    format!("```mermaid\n{}```\n", mermaid::states(&phases, family.kinds()))
}

/// By what a trace is judged.
pub(crate) fn guards(family: &dyn Family) -> String {
    let rows = family.guards();
    let rows = rows.iter().map(|it| vec![it.requirement.id().to_owned(), it.name.to_owned(), it.what.to_owned()]);
    table(&["requirement", "guard", "compares"], &rows.collect::<Vec<_>>())
}

#[test]
fn what_is_not_there_is_noticed() {
    assert_eq!(named("nothing").err().as_deref(), Some("there is no protocol `nothing`"));
    assert_eq!(with_variant("nothing").err().as_deref(), Some("there is no variant `nothing`"));
    assert_eq!(with_variant("right").err().as_deref(), Some("several protocols have a variant `right`"));
}
