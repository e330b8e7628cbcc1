//! What a command has found, one sentence at a time: what annotations, SARIF and JUnit are made from.

use super::checked::{Checked, PropertyChecked};
use super::counterexample::{Counterexample, Ending};
use super::text::replay_command;
use crate::conform::render::verdict;
use crate::conform::report::{Divergence, Report, Verdict};

/// What a command has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Findings {
    /// The command, for instance `check`.
    pub suite: String,
    /// Everything that was looked at.
    pub cases: Vec<Case>,
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// What was looked at, for instance `snapshot / right`.
    pub group: String,
    /// What should hold of it: the name of a property, the id of a requirement, or a few words.
    pub rule: String,
    /// The same as a sentence.
    pub sentence: String,
    /// Whether it does.
    pub end: End,
    /// Where in a file, if it is about one.
    pub place: Option<Place>,
}

/// Whether something holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// It does.
    Holds,
    /// It does not, and why.
    Fails(String),
    /// Nobody knows, and why.
    Unknown(String),
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file as it was named, or from the root of the repository.
    pub file: String,
    /// From 1.
    pub line: u64,
    /// From 1.
    pub column: u64,
}

impl Findings {
    /// Those that do not hold, with the reason, or of which nobody knows.
    pub fn wrong(&self) -> impl Iterator<Item = (&Case, &str)> {
        self.cases.iter().filter_map(|case| match &case.end {
            End::Holds => None,
            End::Fails(why) | End::Unknown(why) => Some((case, why.as_str())),
        })
    }
}

/// How searches are to be read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// Whether only the right rules must hold, and every other variant is there to be broken.
    pub is_table: bool,
    /// Whether a guard that never refuses anything fails.
    pub denies_unreached: bool,
    /// How the table differs from the reviewed one; nothing if the two were not compared.
    pub differences: Option<&'a [String]>,
}

/// Of searches.
pub fn of_searches(rows: &[Checked], reading: Reading<'_>) -> Vec<Case> {
    let must_hold = |row: &&Checked| !reading.is_table || row.is_right();
    let mut cases: Vec<Case> = rows.iter().filter(must_hold).flat_map(of_search).collect();
    if reading.denies_unreached {
        cases.extend(rows.iter().flat_map(|row| row.vacuous.iter().map(|finding| vacuous(row, finding))));
    }
    // What must not hold is told only where it was cut short, so that nobody takes it for a pass.
    let others = rows.iter().filter(|row| !must_hold(row) && row.truncated.is_some());
    cases.extend(others.map(|row| Case { end: unknown(row), ..about(row, "searched", "the search is complete") }));
    cases.extend(reading.differences.map(as_reviewed).unwrap_or_default());
    cases
}

fn of_search(row: &Checked) -> Vec<Case> {
    let case = |property: &PropertyChecked| {
        let end = match (&property.counterexample, &row.truncated) {
            (Some(found), _) => End::Fails(broken(found)),
            (None, Some(_)) => unknown(row),
            (None, None) => End::Holds,
        };
        // A rule breaks the sentence, and no line of a rule can be named: so the place is where the sentence stands.
        let is_of_a_loop = |found: &Counterexample| matches!(found.ending, Ending::Loop { .. });
        let is_a_response = property.counterexample.as_ref().is_some_and(is_of_a_loop);
        let module = if is_a_response { "responses" } else { "properties" };
        let file = format!("spec/src/{}/{module}.rs", row.protocol);
        Case { end, place: Some(Place { file, line: 1, column: 1 }), ..about(row, &property.name, &property.sentence) }
    };
    row.properties.iter().map(case).collect()
}

fn about(row: &Checked, rule: &str, sentence: &str) -> Case {
    Case {
        group: format!("{} / {}", row.protocol, row.variant),
        rule: rule.to_owned(),
        sentence: sentence.to_owned(),
        end: End::Holds,
        place: None,
    }
}

fn unknown(row: &Checked) -> End {
    End::Unknown(format!("cut short: {}", row.truncated.as_deref().unwrap_or_default()))
}

fn vacuous(row: &Checked, finding: &str) -> Case {
    Case { end: End::Fails(finding.to_owned()), ..about(row, "reached", "nothing is vacuous") }
}

fn broken(found: &Counterexample) -> String {
    let steps = found.steps.iter().enumerate();
    let steps = steps.map(|(at, step)| format!("{}. {}: {}\n", at + 1, step.lane, step.action));
    format!(
        "{} is broken in {}: {}\n{}replay: {}",
        found.requirement,
        found.length().in_words(),
        found.sentence,
        steps.collect::<String>(),
        replay_command(found)
    )
}

/// One case for the whole table if it is as reviewed, and else one for each difference.
fn as_reviewed(differences: &[String]) -> Vec<Case> {
    let case = |end| Case {
        group: "variants".to_owned(),
        rule: "as-reviewed".to_owned(),
        sentence: "every variant breaks what was reviewed, in as many steps".to_owned(),
        end,
        place: None,
    };
    match differences {
        [] => vec![case(End::Holds)],
        differences => differences.iter().map(|difference| case(End::Fails(difference.clone()))).collect(),
    }
}

/// Of a trace.
pub fn of_trace(report: &Report) -> Vec<Case> {
    let (rule, sentence, place) = match (&report.divergence, &report.unreadable) {
        (Some(divergence), _) => of_divergence(divergence),
        (None, Some(unreadable)) => ("readable".to_owned(), "a trace can be read".to_owned(), Some(&unreadable.place)),
        (None, None) => ("conforms".to_owned(), "a trace is a behaviour of the model".to_owned(), None),
    };
    let why = || [verdict(report)].into_iter().chain(report.doubts.iter().cloned()).collect::<Vec<_>>().join("\n");
    let end = match report.verdict {
        Verdict::Conforms => End::Holds,
        Verdict::Diverges => End::Fails(report.divergence.as_ref().map_or_else(why, explained)),
        Verdict::DangerMissing | Verdict::NothingChecked => End::Fails(why()),
        Verdict::Inconclusive => End::Unknown(why()),
        Verdict::Unreadable => End::Fails(report.unreadable.as_ref().map_or_else(why, ToString::to_string)),
    };
    // What concerns no line is said of the file as a whole.
    let whole = || Place { file: report.files.first().cloned().unwrap_or_default(), line: 1, column: 1 };
    let place = place.map_or_else(whole, |place| Place {
        file: place.file.clone(),
        line: place.line.max(1),
        column: place.column.max(1),
    });
    vec![Case { group: report.files.join(", "), rule, sentence, end, place: Some(place) }]
}

fn of_divergence(divergence: &Divergence) -> (String, String, Option<&crate::conform::unreadable::Place>) {
    let rule = divergence.requirement.map_or("row", |requirement| requirement.id());
    (rule.to_owned(), divergence.sentence.clone(), Some(&divergence.line.place))
}

fn explained(divergence: &Divergence) -> String {
    let Divergence { step, found, against, .. } = divergence;
    let mut why = format!("{}: {step}: found {found}, against {against}", divergence.sentence);
    for known in &divergence.explained_by {
        why += &format!("\nthe whole trace is a behaviour of {}: {}", known.variant, known.change);
    }
    why
}
