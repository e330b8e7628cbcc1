//! `list`: what there is.

use std::io::{self, Write};

use outlive_spec::trace::FORMAT;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Console, Failure};
use crate::conform::limits::{LIMITS, Limit};
use crate::exit::Exit;
use crate::registry::{Assumptions, FAMILIES, Family, Profile, Steps};

/// What there is of one protocol. `list --format json` prints one of each.
#[derive(Serialize, JsonSchema)]
pub(super) struct Listed {
    /// For instance `snapshot`.
    protocol: &'static str,
    /// The rules that hold, and those that do not; about: rows of `docs/origins.md`.
    variants: Vec<Named>,
    /// What must hold; about: the requirement.
    properties: Vec<Named>,
    /// The kinds of actions.
    actions: &'static [&'static str],
    /// What forbids a step; about: the requirement.
    guards: Vec<Named>,
    /// What each property that says what must come about assumes of the world.
    assumptions: Vec<Assumptions>,
    /// How far a search goes in each profile.
    bounds: Vec<Named>,
}

/// One thing that can be asked for by its name.
#[derive(Serialize, JsonSchema)]
struct Named {
    /// The name.
    name: String,
    /// In plain English.
    what: String,
    /// Where it belongs, if anywhere.
    about: String,
}

pub(super) fn run(console: &mut Console) -> Result<Exit, Failure> {
    let listed: Vec<Listed> = FAMILIES.iter().map(|family| listed(*family)).collect();
    console.show(&listed, None, |out, _| {
        listed.iter().try_for_each(|listed| print(out, listed))?;
        limits(out)
    })?;
    Ok(Exit::Holds)
}

fn listed(family: &dyn Family) -> Listed {
    let named = |name: &str, what: &str, about: &str| Named {
        name: name.to_owned(),
        what: what.to_owned(),
        about: about.to_owned(),
    };
    Listed {
        protocol: family.name(),
        variants: family.variants().iter().map(|info| named(info.name, info.change, info.origin)).collect(),
        properties: family
            .properties()
            .iter()
            .map(|property| named(property.name, property.sentence, property.requirement.id()))
            .collect(),
        actions: family.kinds(),
        guards: family.guards().iter().map(|guard| named(guard.name, guard.what, guard.requirement.id())).collect(),
        assumptions: family.assumptions(),
        bounds: Profile::ALL
            .iter()
            .map(|profile| named(&profile.to_string(), &family.bounds(0, *profile), ""))
            .collect(),
    }
}

fn print(out: &mut dyn Write, listed: &Listed) -> io::Result<()> {
    writeln!(out, "protocol {}", listed.protocol)?;
    let groups = [
        ("variants", &listed.variants),
        ("properties", &listed.properties),
        ("guards", &listed.guards),
        ("bounds", &listed.bounds),
    ];
    for (title, entries) in groups {
        writeln!(out, "\n  {title}")?;
        let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
        for Named { name, what, about } in entries {
            let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
            writeln!(out, "    {name:<width$}  {what}{about}")?;
        }
    }
    writeln!(out, "\n  actions\n    {}", listed.actions.join(" "))?;
    listed.assumptions.iter().try_for_each(|of| assumptions(out, of))
}

fn assumptions(out: &mut dyn Write, of: &Assumptions) -> io::Result<()> {
    let Assumptions { property, weak, strong, finitely } = of;
    writeln!(out, "\n  {property} assumes")?;
    let groups = [
        ("at last, while it stays possible", weak),
        ("at last, if possible again and again", strong),
        ("not for ever", finitely),
    ];
    for (how, steps) in groups.into_iter().filter(|group| !group.1.is_empty()) {
        writeln!(out, "    {how}")?;
        for Steps { class, sentence } in steps {
            writeln!(out, "      {class:<10}  {sentence}")?;
        }
    }
    Ok(())
}

fn limits(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nlimits of a trace check (format {FORMAT})")?;
    for Limit { what, most, beyond } in LIMITS {
        writeln!(out, "    {most:>16}  {what}; beyond, {beyond}")?;
    }
    Ok(())
}
