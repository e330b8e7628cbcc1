//! `doctor`: what a trace could be checked for, and what it lacks. It looks at what is recorded, not at whether it is
//! right.

use std::collections::BTreeSet;

use outlive_spec::trace::{Event, Header, Outcome, Phase, Side, Verb};
use schemars::JsonSchema;
use serde::Serialize;

use super::input::Input;
use super::operation::Operations;
use super::reading::Reading;
use super::report::{Opened, Report, Verdict};
use super::snapshot::Snapshots;
use super::track::Track;
use super::unreadable::Unreadable;
use super::{Options, check, fields};
use crate::exit::Exit;

/// What was found out about a trace.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Examination {
    /// The files as they were named.
    pub files: Vec<String>,
    /// What `conform` says of it.
    pub verdict: Verdict,
    /// What it lacks, the worst first.
    pub findings: Vec<Finding>,
    /// Each guard of the model, with how many events it decided about.
    pub guards: Vec<Decided>,
    /// What cannot be read; the rest is then about the lines before it.
    pub unreadable: Option<Unreadable>,
}

/// Something that a trace lacks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// How much it matters.
    pub weight: Weight,
    /// What it is, with how often.
    pub what: String,
    /// What cannot be seen for it.
    pub hides: String,
}

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// There can be no pass.
    PreventsAVerdict,
    /// A pass says less than it could.
    WeakensAVerdict,
    /// Nothing of the kind happened, so nothing was judged about it.
    WasNotSeen,
}

impl Weight {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Weight::PreventsAVerdict => "no pass",
            Weight::WeakensAVerdict => "weaker",
            Weight::WasNotSeen => "not seen",
        }
    }
}

/// A guard, with how often it had something to decide.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Decided {
    /// Its name.
    pub guard: String,
    /// The requirement for which it stands.
    pub requirement: String,
    /// How many events it decided about.
    pub events: u64,
}

impl Examination {
    /// As the end of the command: whether a check of this trace could pass.
    pub fn exit(&self) -> Exit {
        let prevents = self.findings.iter().any(|finding| finding.weight == Weight::PreventsAVerdict);
        match self.verdict {
            Verdict::Unreadable => Exit::Unreadable,
            Verdict::NothingChecked => Exit::NothingChecked,
            Verdict::Conforms | Verdict::Diverges | Verdict::DangerMissing | Verdict::Inconclusive => {
                if prevents {
                    Exit::Inconclusive
                } else {
                    Exit::Holds
                }
            }
        }
    }
}

/// Looks at a trace, and has it checked as well.
pub fn examine(inputs: &[Input]) -> Examination {
    let report = check(inputs, &Options::default());
    let mut seen = Seen::default();
    // What cannot be read is in the report.
    let _unreadable = seen.read(inputs);
    let mut findings = seen.findings(&report);
    findings.sort_by_key(|finding| finding.weight);
    let guards = match report.protocol.as_str() {
        Operations::PROTOCOL => seen.guards::<Operations>(),
        _ => seen.guards::<Snapshots>(),
    };
    Examination { files: report.files, verdict: report.verdict, findings, guards, unreadable: report.unreadable }
}

const VERBS: usize = Verb::ALL.len();

/// What the lines carry.
struct Seen {
    headers: Vec<Header>,
    events: u64,
    by_verb: [u64; VERBS],
    without_commit: u64,
    /// Effects in the store, and those of them that show the row.
    effects: u64,
    with_row: u64,
    /// Events that could bear the name of an operation, and those of them that do.
    nameable: u64,
    named: u64,
    unknown: u64,
    /// Processes that have spoken for a computer, and for a gateway.
    far: BTreeSet<String>,
    near: BTreeSet<String>,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen {
            headers: Vec::new(),
            events: 0,
            by_verb: [0; VERBS],
            without_commit: 0,
            effects: 0,
            with_row: 0,
            nameable: 0,
            named: 0,
            unknown: 0,
            far: BTreeSet::new(),
            near: BTreeSet::new(),
        }
    }
}

impl Seen {
    fn read(&mut self, inputs: &[Input]) -> Result<(), Unreadable> {
        let (mut reading, headers) = Reading::open(inputs)?;
        self.headers = headers;
        while let Some(line) = reading.next()? {
            self.note(&line.event()?);
        }
        Ok(())
    }

    fn note(&mut self, event: &Event<'_>) {
        let verb = event.action;
        self.events += 1;
        self.by_verb[verb as usize] += 1;
        self.without_commit += u64::from(event.commit.is_none());
        let is_an_effect = verb.side() == Side::Store && !fields::is_of_a_call(event);
        self.effects += u64::from(is_an_effect);
        self.with_row += u64::from(is_an_effect && (event.row.is_some() || event.standing.is_some()));
        let is_nameable = Snapshots::NAMEABLE.contains(&verb) || Operations::NAMEABLE.contains(&verb);
        self.nameable += u64::from(is_nameable);
        self.named += u64::from(is_nameable && event.operation.is_some());
        self.unknown += u64::from(event.outcome == Outcome::Unknown && event.phase != Phase::Begin);
        match verb.side() {
            Side::Computer | Side::Provider => drop(self.far.insert(event.process.to_string())),
            Side::Gateway => drop(self.near.insert(event.process.to_string())),
            Side::Store => {}
        }
    }

    fn count(&self, verb: Verb) -> u64 {
        self.by_verb[verb as usize]
    }

    fn guards<T: Track>(&self) -> Vec<Decided> {
        let decided = |&check: &T::Check| Decided {
            guard: T::info(check).name.to_owned(),
            requirement: T::info(check).requirement.id().to_owned(),
            events: T::decides_about(check).iter().map(|verb| self.count(*verb)).sum(),
        };
        T::CHECKS.iter().map(decided).collect()
    }

    // -- what is missing

    fn findings(&self, report: &Report) -> Vec<Finding> {
        let mut findings = Vec::new();
        // TRACE-6 stands in `doubts`: what the header itself says against a verdict.
        for doubt in report.doubts.iter().cloned() {
            findings.push(finding(Weight::PreventsAVerdict, doubt, "whatever was lost, or never logged"));
        }
        self.find_missing_sides(report.protocol == Operations::PROTOCOL, &mut findings);
        self.find_missing_fields(&mut findings);
        self.find_what_was_not_seen(report, &mut findings);
        findings
    }

    fn find_missing_sides(&self, is_of_operations: bool, findings: &mut Vec<Finding>) {
        if self.events == 0 {
            return;
        }
        if self.far.is_empty() {
            let (what, hides) = if is_of_operations {
                ("the provider does not log its own steps", "what was there in truth when somebody was told of it")
            } else {
                (
                    "no computer logs its own steps",
                    "its true incarnation, and so whether a page, a wipe or an act was that of another life",
                )
            };
            findings.push(finding(Weight::PreventsAVerdict, what.to_owned(), hides));
        }
        let both: Vec<&str> = self.far.intersection(&self.near).map(String::as_str).collect();
        if !both.is_empty() {
            let (far, they) = if is_of_operations { ("the provider", "it") } else { ("a computer", "a computer") };
            let what = format!("{} of {} processes speak for {far} and for a gateway", both.len(), self.far.len());
            let hides = format!("what {they} did that its gateway never heard of");
            let hides = hides.as_str();
            findings.push(finding(Weight::WeakensAVerdict, what, hides));
        }
    }

    fn find_missing_fields(&self, findings: &mut Vec<Finding>) {
        let mut weaker = |count: u64, of: u64, what: &str, hides: &str| {
            if count > 0 {
                findings.push(finding(Weight::WeakensAVerdict, format!("{count} of {of} {what}"), hides));
            }
        };
        let rowless = self.effects - self.with_row;
        weaker(
            rowless,
            self.effects,
            "steps of the store do not show the row",
            "a row that is not what the step says (TRACE-8)",
        );
        let nameless = self.nameable - self.named;
        weaker(
            nameless,
            self.nameable,
            "events do not name their operation",
            "an answer, a save or an act that was taken for another (TRACE-9)",
        );
        weaker(
            self.without_commit,
            self.events,
            "events have no commit number",
            "the order between files, and a line that was written out of order (TRACE-7)",
        );
        weaker(self.unknown, self.events, "outcomes are unknown", "which of both it was, until a later event tells");
    }

    fn find_what_was_not_seen(&self, report: &Report, findings: &mut Vec<Finding>) {
        let claimed = |verb: &Verb| self.headers.iter().any(|header| header.claims.contains(verb));
        let silent: Vec<&str> =
            Verb::of(&report.protocol).filter(|verb| claimed(verb) && self.count(*verb) == 0).map(Verb::word).collect();
        if !silent.is_empty() && self.events > 0 {
            let what = format!("claimed, and never logged: {}", silent.join(", "));
            findings.push(finding(Weight::WasNotSeen, what, "nothing, if it never happened"));
        }
        for Opened { sentence, .. } in report.windows.iter().filter(|opened| opened.count == 0) {
            let what = format!("it never occurred that {sentence}");
            findings.push(finding(Weight::WasNotSeen, what, "what the implementation does then"));
        }
    }
}

fn finding(weight: Weight, what: String, hides: &str) -> Finding {
    Finding { weight, what, hides: hides.to_owned() }
}
