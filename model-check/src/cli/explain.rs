//! `explain`: what a name or an id means.

use outlive_spec::requirement::Requirement;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Console, ExplainArgs, Failure, names};
use crate::exit::Exit;
use crate::registry::FAMILIES;
use crate::report::checked::Expected;

/// One meaning of a name. `explain --format json` prints all that the name has.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Meaning {
    /// What sort of name it is.
    is: &'static str,
    /// The name or id.
    name: String,
    /// In plain English.
    means: String,
    /// What else there is to know.
    more: Vec<String>,
}

pub(super) fn run(args: &ExplainArgs, console: &mut Console) -> Result<Exit, Failure> {
    let all = meanings();
    let id = args.id.as_str();
    let found: Vec<&Meaning> = all.iter().filter(|meaning| meaning.name.eq_ignore_ascii_case(id)).collect();
    if found.is_empty() {
        let known: Vec<&str> = all.iter().map(|meaning| meaning.name.as_str()).collect();
        return Err(Failure::Usage(names::unknown("name", id, &known)));
    }
    console.show(&found, None, |out, style| {
        found.iter().try_for_each(|meaning| {
            let name = style.paint.strong(&meaning.name);
            writeln!(out, "{name} ({}): {}", meaning.is, meaning.means)?;
            meaning.more.iter().try_for_each(|line| writeln!(out, "  {line}"))
        })
    })?;
    Ok(Exit::Holds)
}

fn meanings() -> Vec<Meaning> {
    let mut all: Vec<Meaning> = Requirement::ALL.iter().map(|requirement| of_requirement(*requirement)).collect();
    for family in FAMILIES {
        let properties = family.properties();
        all.extend(properties.iter().map(|property| Meaning {
            is: "property",
            name: property.name.to_owned(),
            means: property.sentence.to_owned(),
            more: vec![
                format!("requirement: {} {}", property.requirement, property.requirement.sentence()),
                format!("broken by the variant: {}", property.broken_by),
            ],
        }));
        all.extend(family.guards().iter().map(|guard| Meaning {
            is: "guard",
            name: guard.name.to_owned(),
            means: format!("compares {}", guard.what),
            more: vec![format!("requirement: {} {}", guard.requirement, guard.requirement.sentence())],
        }));
        all.extend(family.variants().iter().map(|info| Meaning {
            is: "variant",
            name: info.name.to_owned(),
            means: info.change.to_owned(),
            more: vec![
                format!("rows of docs/origins.md: {}", info.origin),
                format!("see it break: model-check check {} --variant {}", family.name(), info.name),
            ],
        }));
        all.extend(family.kinds().iter().map(|kind| Meaning {
            is: "action",
            name: (*kind).to_owned(),
            means: action(kind, family.expected()),
            more: vec![format!("protocol: {}", family.name())],
        }));
    }
    all.extend(Exit::ALL.iter().map(|exit| Meaning {
        is: "exit code",
        name: exit.code().to_string(),
        means: exit.meaning().to_owned(),
        more: Vec::new(),
    }));
    all
}

fn of_requirement(requirement: Requirement) -> Meaning {
    let mut more = Vec::new();
    for family in FAMILIES {
        let of_it = family.properties().into_iter().filter(|property| property.requirement == requirement);
        more.extend(of_it.map(|property| format!("property {}: {}", property.name, property.sentence)));
        let guards = family.guards().into_iter().filter(|guard| guard.requirement == requirement);
        more.extend(guards.map(|guard| format!("guard {}: compares {}", guard.name, guard.what)));
    }
    Meaning { is: "requirement", name: requirement.id().to_owned(), means: requirement.sentence().to_owned(), more }
}

/// The words of a trace say what an action is; a refusal is of the action that it refuses.
fn action(kind: &str, expected: Expected) -> String {
    use outlive_spec::trace::Verb;
    let verb = |word: &str| Verb::ALL.iter().find(|verb| verb.word() == word).map(|verb| verb.sentence());
    match kind.strip_prefix("refuse-") {
        Some(refused) => format!("whoever is asked to {refused} does not, and names the requirement that forbids it"),
        None if expected.variant_only.contains(&kind) => "only variants do it".to_owned(),
        None => verb(kind).unwrap_or("it keeps a search small, and no trace shows it").to_owned(),
    }
}
