//! Looks up the names that were typed. If there is none such, the message says what there is.

use outlive_spec::protocol::{Broken, Property};

use super::Failure;
use crate::registry::{FAMILIES, Family};

/// The protocol of this name.
pub(super) fn protocol(name: &str) -> Result<&'static dyn Family, Failure> {
    let known = FAMILIES.iter().map(|family| family.name());
    let place = place("protocol", name, known.collect())?;
    Ok(FAMILIES[place])
}

/// The protocols that know all of these names: where no protocol is named, a variant of one alone is asked of that one.
pub(super) fn protocols_that_know(
    variant: Option<&str>,
    properties: &[String],
) -> Result<Vec<&'static dyn Family>, Failure> {
    let knows = |family: &&dyn Family| {
        let knows_variant = variant.is_none_or(|name| self::variant(*family, name).is_ok());
        knows_variant && self::properties(*family, properties).is_ok()
    };
    let families: Vec<&dyn Family> = FAMILIES.iter().copied().filter(knows).collect();
    if families.is_empty() {
        let known: Vec<&str> = FAMILIES.iter().flat_map(|family| family.variants()).map(|info| info.name).collect();
        variant.map_or(Ok(0), |name| place("variant", name, known))?;
        let all: Vec<_> = FAMILIES.iter().flat_map(|family| family.properties()).collect();
        of_names(&all, properties)?;
        return Err(Failure::Usage("no protocol has all of these names".to_owned()));
    }
    Ok(families)
}

/// The place of the variant of this name.
pub(super) fn variant(family: &dyn Family, name: &str) -> Result<usize, Failure> {
    place("variant", name, family.variants().iter().map(|info| info.name).collect())
}

/// The properties of these names, or of the requirements of these ids; all of them if none is named.
pub(super) fn properties(family: &dyn Family, names: &[String]) -> Result<Broken, Failure> {
    let properties = family.properties();
    if names.is_empty() {
        return Ok((0..properties.len()).fold(Broken::default(), with));
    }
    of_names(&properties, names)
}

fn of_names(properties: &[Property], names: &[String]) -> Result<Broken, Failure> {
    let mut chosen = Broken::default();
    for name in names {
        let means = |place: &usize| {
            properties[*place].name == name || properties[*place].requirement.id().eq_ignore_ascii_case(name)
        };
        let places: Vec<usize> = (0..properties.len()).filter(means).collect();
        if places.is_empty() {
            place("property", name, properties.iter().map(|property| property.name).collect())?;
        }
        chosen = places.into_iter().fold(chosen, with);
    }
    Ok(chosen)
}

fn with(mut properties: Broken, place: usize) -> Broken {
    properties.add(place);
    properties
}

fn place(what: &str, name: &str, known: Vec<&str>) -> Result<usize, Failure> {
    known.iter().position(|candidate| *candidate == name).ok_or_else(|| Failure::Usage(unknown(what, name, &known)))
}

/// A message that helps: what is near to what was typed, or else everything.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let mut near: Vec<(usize, &str)> = known.iter().map(|candidate| (distance(name, candidate), *candidate)).collect();
    near.sort_unstable();
    let is_near = |(distance, candidate): &(usize, &str)| {
        *distance <= candidate.len() / 3 + 1 || candidate.contains(name) || name.contains(candidate)
    };
    let close: Vec<&str> = near.iter().filter(|entry| is_near(entry)).take(3).map(|entry| entry.1).collect();
    let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if close.is_empty() {
        format!("there is no {what} `{name}`; there is {}", list(known))
    } else {
        format!("there is no {what} `{name}`; did you mean {}?", list(&close))
    }
}

/// How many letters must be changed, added or dropped.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (place, known) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *known);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}
