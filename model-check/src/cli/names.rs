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
    place("variant", name, variants(family)).map_err(|error| of_another("variant", name, variants).unwrap_or(error))
}

fn variants(family: &dyn Family) -> Vec<&'static str> {
    family.variants().iter().map(|info| info.name).collect()
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
            let all = |family: &dyn Family| family.properties().iter().map(|property| property.name).collect();
            let known = properties.iter().map(|property| property.name).collect();
            place("property", name, known).map_err(|error| of_another("property", name, all).unwrap_or(error))?;
        }
        chosen = places.into_iter().fold(chosen, with);
    }
    Ok(chosen)
}

/// The name is known, but not where it was looked for.
fn of_another(what: &str, name: &str, names: impl Fn(&dyn Family) -> Vec<&'static str>) -> Option<Failure> {
    let another = FAMILIES.iter().find(|family| names(**family).contains(&name))?;
    Some(Failure::Usage(format!("the {what} `{name}` is one of the protocol `{}`", another.name())))
}

fn with(mut properties: Broken, place: usize) -> Broken {
    properties.add(place);
    properties
}

fn place(what: &str, name: &str, known: Vec<&str>) -> Result<usize, Failure> {
    known.iter().position(|candidate| *candidate == name).ok_or_else(|| Failure::Usage(unknown(what, name, &known)))
}

/// More names than that are not read in a line.
const FEW: usize = 12;

/// A message that helps: what is near to what was typed, or else everything, or where everything stands.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let mut near: Vec<(usize, &str)> =
        known.iter().map(|candidate| (strsim::levenshtein(name, candidate), *candidate)).collect();
    near.sort_unstable();
    // Of a long name people may have a word in mind.
    let has_word = |candidate: &str| candidate.split('-').any(|word| strsim::levenshtein(name, word) <= word.len() / 4);
    let is_near = |(distance, candidate): &(usize, &str)| {
        let is_part = candidate.contains(name) || name.contains(candidate);
        *distance <= candidate.len() / 3 + 1 || is_part || has_word(candidate)
    };
    let close: Vec<&str> = near.iter().filter(|entry| is_near(entry)).take(3).map(|entry| entry.1).collect();
    let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let help = match (close.is_empty(), known.len() <= FEW) {
        (false, _) => format!("did you mean {}?", list(&close)),
        (true, true) => format!("there is {}", list(known)),
        (true, false) => "`model-check list` shows what there is".to_owned(),
    };
    format!("there is no {what} `{name}`; {help}")
}
