//! What the generated blocks of the pages say: asked of the models, the search, and the reviewed tables.

use std::cell::RefCell;
use std::collections::BTreeMap;

use outlive_model_check::conform::limits::LIMITS;
use outlive_model_check::conform::tally::Window;
use outlive_model_check::engine::limits::Limits;
use outlive_model_check::exit::Exit;
use outlive_model_check::registry::{Ask, Assumptions, FAMILIES, Family, Profile};
use outlive_model_check::report::checked::Checked;
use outlive_model_check::report::counterexample::{Counterexample, Length};
use outlive_model_check::report::markdown::{Growth, growth_table};
use outlive_model_check::report::{mermaid, reviewed};
use outlive_spec::induction::Inductive as _;
use outlive_spec::protocol::Broken;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::SMOKE;
use outlive_spec::snapshot::variants::RIGHT;

use crate::tables::table;
use crate::traceability;

/// Makes blocks by name. A variant that several blocks ask for is searched once.
#[derive(Default)]
pub(crate) struct Generator {
    searched: RefCell<BTreeMap<String, Checked>>,
}

impl Generator {
    /// The block of this name.
    ///
    /// # Errors
    /// If nobody generates it, or it asks for what is not there.
    pub(crate) fn block(&self, name: &str) -> Result<String, String> {
        let words: Vec<&str> = name.split(' ').collect();
        match words[..] {
            ["variants"] => Ok(variants()),
            ["variant-changes"] => Ok(variant_changes()),
            ["properties"] => Ok(properties()),
            ["guards"] => Ok(guards()),
            ["profiles"] => Ok(profiles()),
            ["growth"] => Ok(growth()),
            ["smaller-bounds"] => Ok(smaller_bounds()),
            ["limits"] => Ok(limits()),
            ["kill-rates"] => Ok(include_str!("../conform/kill-rates.md").to_owned()),
            ["danger-windows"] => Ok(danger_windows()),
            ["exit-codes"] => Ok(exit_codes()),
            ["invariant"] => Ok(invariant()),
            ["fairness"] => Ok(fairness()),
            ["traceability"] => Ok(traceability::page()),
            ["state-diagram"] => Ok(state_diagram()),
            ["lock-scenarios"] => Ok(lock_scenarios()),
            ["lock-guards"] => Ok(lock_guards()),
            ["counterexample", variant, property] => self.counterexample(variant, property),
            ["first-steps", variant, property, longer] => self.first_steps(variant, property, longer),
            ["same-counterexample", variant, property, other] => self.same_counterexample(variant, property, other),
            _ => Err(format!("nobody generates `{name}`")),
        }
    }

    /// A counterexample as a picture.
    fn counterexample(&self, variant: &str, property: &str) -> Result<String, String> {
        let found = self.found(variant, property)?;
        let picture = mermaid::sequence(&found, &snapshot().lanes(), snapshot().arrows());
        let (length, sentence) = (found.length().in_words(), &found.sentence);
        Ok(format!("```mermaid\n{picture}```\n\nBroken in {length}: {sentence}.\n"))
    }

    /// A counterexample that another of the same variant, which stands above it, goes on from.
    fn first_steps(&self, variant: &str, property: &str, longer: &str) -> Result<String, String> {
        let (found, longer_one) = (self.found(variant, property)?, self.found(variant, longer)?);
        if !longer_one.steps.starts_with(&found.steps) {
            return Err(format!("`{variant}` breaks `{property}` by other steps than `{longer}`"));
        }
        let (length, sentence) = (found.length().in_words(), &found.sentence);
        Ok(format!("Broken in {length}, the first of those above: {sentence}.\n"))
    }

    /// A counterexample that is the same path as that of another variant, which stands elsewhere on the page.
    fn same_counterexample(&self, variant: &str, property: &str, other: &str) -> Result<String, String> {
        let (found, known) = (self.found(variant, property)?, self.found(other, property)?);
        if found.steps != known.steps {
            return Err(format!("`{variant}` and `{other}` break `{property}` by different paths"));
        }
        let (length, sentence) = (found.length().in_words(), &found.sentence);
        Ok(format!("Broken in {length}, the same as those of `{other}`: {sentence}.\n"))
    }

    /// A counterexample. It is searched at the small bounds, and must be as short as the one that was reviewed at the
    /// large ones.
    fn found(&self, variant: &str, property: &str) -> Result<Counterexample, String> {
        let place = snapshot().variants().iter().position(|known| known.name == variant);
        let place = place.ok_or_else(|| format!("there is no variant `{variant}`"))?;
        let mut searched = self.searched.borrow_mut();
        let checked = searched.entry(variant.to_owned()).or_insert_with(|| search(place));
        let found = checked.broken().find(|(broken, _)| broken.name == property).map(|(_, found)| found);
        let found = found.ok_or_else(|| format!("`{variant}` does not break `{property}`"))?;
        let shortest = reviewed_length(variant, property);
        if shortest != Some(found.length()) {
            return Err(format!("`{variant}` breaks `{property}` in {}; reviewed: {shortest:?}", found.steps.len()));
        }
        Ok(found.clone())
    }
}

fn snapshot() -> &'static dyn Family {
    FAMILIES[0]
}

fn search(variant: usize) -> Checked {
    let all = (0..snapshot().properties().len()).fold(Broken::default(), |mut all, place| {
        all.add(place);
        all
    });
    let (profile, limits) = (Profile::Smoke, Limits::default());
    let ask = Ask { variant, profile, properties: all, limits, threads: 1, symmetry: false };
    snapshot().check(&ask, &mut |_| {})
}

fn rows_reviewed(profile: Profile) -> Vec<reviewed::Row> {
    reviewed::parse(snapshot().reviewed(profile)).expect("the reviewed table is well formed")
}

fn reviewed_length(variant: &str, property: &str) -> Option<Length> {
    let rows = rows_reviewed(Profile::Ci);
    rows.iter().find(|row| row.variant == variant)?.lengths.get(property).copied()
}

/// Each variant by each property, with the properties numbered as in the table of properties.
fn variants() -> String {
    let properties = snapshot().properties();
    let mut head: Vec<String> = vec!["variant".to_owned(), "states".to_owned()];
    head.extend((1..=properties.len()).map(|number| number.to_string()));
    let rows = rows_reviewed(Profile::Ci).into_iter().map(|row| {
        let length = |name: &str| row.lengths.get(name).map_or_else(|| "-".to_owned(), Length::to_string);
        let lengths = properties.iter().map(|property| length(property.name));
        [row.variant.clone(), row.states.to_string()].into_iter().chain(lengths).collect()
    });
    table(&head.iter().map(String::as_str).collect::<Vec<_>>(), &rows.collect::<Vec<_>>())
}

fn variant_changes() -> String {
    let rows = snapshot().variants();
    let rows = rows.iter().map(|it| vec![it.name.to_owned(), it.origin.to_owned(), it.change.to_owned()]);
    table(&["variant", "rows", "change"], &rows.collect::<Vec<_>>())
}

fn properties() -> String {
    let rows = snapshot().properties().into_iter().enumerate().map(|(at, property)| {
        let id = property.requirement.id().to_owned();
        vec![
            (at + 1).to_string(),
            id,
            property.name.to_owned(),
            property.broken_by.to_owned(),
            property.sentence.to_owned(),
        ]
    });
    table(&["no", "requirement", "property", "broken by", "sentence"], &rows.collect::<Vec<_>>())
}

fn guards() -> String {
    let rows = snapshot().guards();
    let rows = rows.iter().map(|it| vec![it.requirement.id().to_owned(), it.name.to_owned(), it.what.to_owned()]);
    table(&["requirement", "guard", "compares"], &rows.collect::<Vec<_>>())
}

fn profiles() -> String {
    let row = |profile: Profile| {
        let rows = rows_reviewed(profile);
        let states = rows.iter().find(|row| row.variant == "right").map_or(0, |row| row.states);
        vec![profile.to_string(), states.to_string(), snapshot().bounds(0, profile)]
    };
    table(&["profile", "states", "bounds"], &Profile::ALL.map(row))
}

/// From the reviewed numbers, which `growth.rs` holds against the search.
fn growth() -> String {
    let row = |line: &str| {
        let (what, counts) = line.split_once(" = ")?;
        let (states, depth) = counts.split_once(' ')?;
        Some(Growth {
            what: what.to_owned(),
            states: states.parse().ok()?,
            depth: depth.parse().ok()?,
            verdict: "holds".to_owned(),
        })
    };
    let lines = include_str!("../tables/snapshot.growth.txt").lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| row(line).unwrap_or_else(|| panic!("`{line}` is no row of the table of growth")));
    growth_table(&rows.collect::<Vec<_>>())
}

/// The variants that are not searched as far as the right rules are.
fn smaller_bounds() -> String {
    let usual = snapshot().bounds(0, Profile::Ci);
    let rows = snapshot().variants().into_iter().enumerate().filter_map(|(variant, info)| {
        let bounds = snapshot().bounds(variant, Profile::Ci);
        (bounds != usual).then(|| vec![info.name.to_owned(), bounds])
    });
    table(&["variant", "bounds"], &rows.collect::<Vec<_>>())
}

fn limits() -> String {
    let rows = LIMITS.iter().map(|it| vec![it.most.to_string(), it.what.to_owned(), it.beyond.to_owned()]);
    table(&["at most", "of what", "beyond it"], &rows.collect::<Vec<_>>())
}

fn danger_windows() -> String {
    let rows = Window::ALL.iter().map(|it| vec![it.name().to_owned(), it.sentence().to_owned()]);
    table(&["window", "what happens in it"], &rows.collect::<Vec<_>>())
}

fn exit_codes() -> String {
    let rows = Exit::ALL.iter().map(|exit| vec![exit.code().to_string(), exit.meaning().to_owned()]);
    table(&["code", "meaning"], &rows.collect::<Vec<_>>())
}

fn invariant() -> String {
    let clauses = Snapshot { rules: RIGHT, bounds: SMOKE }.clauses();
    let rows = clauses.iter().map(|clause| vec![clause.name.replace('_', "-"), clause.sentence.to_owned()]);
    table(&["clause", "sentence"], &rows.collect::<Vec<_>>())
}

/// What each sentence on what must come about assumes.
fn fairness() -> String {
    let mut rows = Vec::new();
    for Assumptions { property, weak, strong, finitely } in snapshot().assumptions() {
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

/// From the reviewed numbers, which the scenarios hold against loom.
fn lock_scenarios() -> String {
    let rows = named(include_str!("../../../loom-tests/executions.txt")).map(|(scenario, executions)| {
        let (two, three) = executions.split_once(' ').unwrap_or_else(|| panic!("`{scenario}` has two numbers"));
        vec![scenario.to_owned(), two.to_owned(), three.to_owned()]
    });
    table(&["scenario", "two preemptions", "three"], &rows.collect::<Vec<_>>())
}

/// From what the script has found that removes them.
fn lock_guards() -> String {
    let rows = named(include_str!("../../../loom-tests/guards.txt"));
    let rows = rows.map(|(guard, noticed)| vec![guard.to_owned(), noticed.to_owned()]);
    table(&["guard", "what notices that it is missing"], &rows.collect::<Vec<_>>())
}

/// The lines `name = what` of a file, without its comments.
fn named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" = ").unwrap_or_else(|| panic!("`{line}` has no name")))
}

fn state_diagram() -> String {
    let phases = snapshot().phases(0, Profile::Smoke);
    format!("```mermaid\n{}```\n", mermaid::states(&phases, snapshot().kinds()))
}
