//! What the generated blocks of the pages say: asked of the models, the search, and the reviewed tables.

use std::cell::RefCell;
use std::collections::BTreeMap;

use outlive_model_check::conform::Window;
use outlive_model_check::conform::limits::LIMITS;
use outlive_model_check::conform::{operation, snapshot};
use outlive_model_check::engine::limits::Limits;
use outlive_model_check::exit::Exit;
use outlive_model_check::registry::{Ask, Family, Profile};
use outlive_model_check::report::checked::Checked;
use outlive_model_check::report::counterexample::{Counterexample, Length};
use outlive_model_check::report::markdown::{Growth, growth_table};
use outlive_model_check::report::mermaid;
use outlive_spec::induction::Inductive as _;
use outlive_spec::protocol::Broken;
use outlive_spec::snapshot::Snapshot;
use outlive_spec::snapshot::bounds::SMOKE;
use outlive_spec::snapshot::variants::RIGHT;

use crate::tables::table;
use crate::{families, traceability};

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
            ["variants"] => Ok(families::of_each("##", families::variants)),
            ["profiles"] => Ok(families::of_each("###", families::profiles)),
            ["fairness"] => Ok(families::of_each("###", families::fairness)),
            ["state-diagram", name] => Ok(families::state_diagram(families::named(name)?)),
            ["guards", name] => Ok(families::guards(families::named(name)?)),
            ["growth"] => Ok(growth()),
            ["limits"] => Ok(limits()),
            ["kill-rates", "snapshot"] => Ok(include_str!("../conform/kill-rates/snapshot.md").to_owned()),
            ["kill-rates", "operation"] => Ok(include_str!("../conform/kill-rates/operation.md").to_owned()),
            ["danger-windows"] => Ok(danger_windows()),
            ["danger-windows", "operation"] => {
                Ok(table(&["window", "what happens in it"], &windows(operation::WINDOWS)))
            }
            ["exit-codes"] => Ok(exit_codes()),
            ["invariant"] => Ok(invariant()),
            ["traceability"] => Ok(traceability::page()),
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
        let family = families::with_variant(variant)?.0;
        let picture = mermaid::sequence(&found, &family.lanes(), family.arrows());
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
        let (family, place) = families::with_variant(variant)?;
        let mut searched = self.searched.borrow_mut();
        let checked = searched.entry(variant.to_owned()).or_insert_with(|| search(family, place));
        let found = checked.broken().find(|(broken, _)| broken.name == property).map(|(_, found)| found);
        let found = found.ok_or_else(|| format!("`{variant}` does not break `{property}`"))?;
        let shortest = reviewed_length(family, variant, property);
        if shortest != Some(found.length()) {
            return Err(format!("`{variant}` breaks `{property}` in {}; reviewed: {shortest:?}", found.steps.len()));
        }
        Ok(found.clone())
    }
}

fn search(family: &dyn Family, variant: usize) -> Checked {
    let all = (0..family.properties().len()).fold(Broken::default(), |mut all, place| {
        all.add(place);
        all
    });
    let (profile, limits) = (Profile::Smoke, Limits::default());
    let ask = Ask { variant, profile, properties: all, limits, threads: 1, symmetry: false };
    family.check(&ask, &mut |_| {})
}

fn reviewed_length(family: &dyn Family, variant: &str, property: &str) -> Option<Length> {
    let rows = families::rows_reviewed(family, Profile::Ci);
    rows.iter().find(|row| row.variant == variant)?.lengths.get(property).copied()
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

fn limits() -> String {
    let rows = LIMITS.iter().map(|it| vec![it.most.to_string(), it.what.to_owned(), it.beyond.to_owned()]);
    table(&["at most", "of what", "beyond it"], &rows.collect::<Vec<_>>())
}

fn danger_windows() -> String {
    let of = |protocol: &'static str, windows: Vec<Vec<String>>| {
        windows.into_iter().map(move |row| [vec![protocol.to_owned()], row].concat())
    };
    let rows = of("snapshot", windows(snapshot::WINDOWS)).chain(of("operation", windows(operation::WINDOWS)));
    table(&["protocol", "window", "what happens in it"], &rows.collect::<Vec<_>>())
}

fn windows(windows: &[Window]) -> Vec<Vec<String>> {
    windows.iter().map(|it| vec![it.name.to_owned(), it.sentence.to_owned()]).collect()
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
pub(crate) fn named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" = ").unwrap_or_else(|| panic!("`{line}` has no name")))
}
