//! `check`: searches models, prints what is found, and says how it ends.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use schemars::JsonSchema;
use serde::Serialize;

use super::progress::ProgressLine;
use super::{CheckArgs, Console, Failure, Style, names};
use crate::engine::Progress;
use crate::engine::limits::Limits;
use crate::exit::Exit;
use crate::registry::{Ask, Family, Profile};
use crate::report::checked::Checked;
use crate::report::findings::{self, Findings, Reading};
use crate::report::reviewed::{self, Row};
use crate::report::{table, text};

/// What `check --format json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckReport {
    /// The exit code.
    pub exit: u8,
    /// Each search.
    pub checked: Vec<Checked>,
    /// How the outcomes differ from the reviewed table, where they are compared.
    pub differences: Vec<String>,
}

/// Runs `check`.
///
/// # Errors
/// If a name is unknown, or something cannot be written.
pub fn run(args: &CheckArgs, console: &mut Console) -> Result<Exit, Failure> {
    if let Some(directory) = &args.out_dir {
        // Before the search: whoever cannot write finds that out at once.
        fs::create_dir_all(directory).map_err(|source| Failure::Write { path: directory.clone(), source })?;
    }
    let report = search(args, console)?;
    if let Some(directory) = &args.out_dir {
        write_counterexamples(directory, &report.checked)?;
    }
    console.show(&report, Some(findings(&report, args)), |out, style| match args.all_variants {
        true => print_table(&report, out, style),
        false => print_each(args, &report, out, style),
    })?;
    Ok(Exit::of_code(report.exit))
}

/// What was found, one sentence at a time.
pub fn findings(report: &CheckReport, args: &CheckArgs) -> Findings {
    let is_compared = args.all_variants && args.is_whole();
    let reading = Reading {
        is_table: args.all_variants,
        denies_unreached: args.deny_unreached,
        differences: is_compared.then_some(&report.differences),
    };
    Findings { suite: "check".to_owned(), cases: findings::of_searches(&report.checked, reading) }
}

/// Searches what was asked for.
///
/// # Errors
/// If a name is unknown.
pub fn search(args: &CheckArgs, console: &Console) -> Result<CheckReport, Failure> {
    let families = match args.protocols.as_slice() {
        [] => names::protocols_that_know(args.variant.as_deref(), &args.property)?,
        named => named.iter().map(|name| names::protocol(name)).collect::<Result<_, _>>()?,
    };
    let mut report = CheckReport { exit: Exit::Holds.code(), checked: Vec::new(), differences: Vec::new() };
    let mut exit = Exit::Holds;
    for family in families {
        let asks = asks(family, args)?;
        let checked = search_all(family, &asks, args.threads, !console.quiet)?;
        if args.all_variants {
            let differences = if args.is_whole() { differences(family, args.profile, &checked)? } else { Vec::new() };
            exit = exit.or(exit_of_table(&checked, &differences, args));
            report.differences.extend(differences);
        } else {
            exit = checked.iter().fold(exit, |exit, checked| exit.or(checked.exit(args.deny_unreached)));
        }
        report.checked.extend(checked);
    }
    report.exit = exit.code();
    Ok(report)
}

impl CheckArgs {
    /// Whether the search was neither limited nor narrowed, so that the reviewed table must fit.
    fn is_whole(&self) -> bool {
        self.limits() == Limits::default() && self.property.is_empty() && !self.symmetry
    }

    fn limits(&self) -> Limits {
        Limits { timeout: self.timeout, max_states: self.max_states, max_depth: self.max_depth }
    }
}

fn asks(family: &dyn Family, args: &CheckArgs) -> Result<Vec<Ask>, Failure> {
    let properties = names::properties(family, &args.property)?;
    let variants: Vec<usize> = match &args.variant {
        _ if args.all_variants => (0..family.variants().len()).collect(),
        Some(name) => vec![names::variant(family, name)?],
        None => vec![0],
    };
    // Several variants are searched side by side, and one by all threads together.
    let threads = if variants.len() > 1 { 1 } else { usize::from(args.threads) };
    let CheckArgs { profile, symmetry, .. } = *args;
    let ask = |variant| Ask { variant, profile, properties, limits: args.limits(), threads, symmetry };
    Ok(variants.into_iter().map(ask).collect())
}

enum Message {
    Progress(usize, Progress),
    Done(usize, Box<Checked>),
}

/// Searches several variants, some at once. The results stand in the order of the questions.
fn search_all(family: &dyn Family, asks: &[Ask], threads: u16, is_loud: bool) -> Result<Vec<Checked>, Failure> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut found: Vec<Option<Checked>> = asks.iter().map(|_| None).collect();
    let names = family.variants();
    let mut line = ProgressLine::new(is_loud);
    std::thread::scope(|scope| {
        for _ in 0..usize::from(threads).min(asks.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((at, ask)) = take(next, asks) {
                    let mut watch = |progress: &Progress| drop(sender.send(Message::Progress(at, *progress)));
                    let checked = family.check(ask, &mut watch);
                    drop(sender.send(Message::Done(at, Box::new(checked))));
                }
            });
        }
        drop(sender);
        let mut done = 0;
        for message in receiver {
            match message {
                Message::Progress(at, progress) => {
                    line.show(done, asks.len(), names[asks[at].variant].name, &progress);
                }
                Message::Done(at, checked) => {
                    found[at] = Some(*checked);
                    done += 1;
                }
            }
        }
    });
    line.clear();
    let found: Option<Vec<Checked>> = found.into_iter().collect();
    found.ok_or_else(|| Failure::Internal("a search has ended without a result".to_owned()))
}

fn take<'a>(next: &AtomicUsize, asks: &'a [Ask]) -> Option<(usize, &'a Ask)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    asks.get(at).map(|ask| (at, ask))
}

pub(super) fn differences(family: &dyn Family, profile: Profile, checked: &[Checked]) -> Result<Vec<String>, Failure> {
    let table = reviewed::parse(family.reviewed(profile)).map_err(|bad| Failure::Internal(bad.to_string()))?;
    let found: Vec<Row> = checked.iter().map(Row::from).collect();
    Ok(reviewed::differences(&table, &found))
}

/// A variant is there to be broken; only the right rules must hold. That the variants break as they were reviewed to is
/// what makes this a check that could fail.
fn exit_of_table(checked: &[Checked], differences: &[String], args: &CheckArgs) -> Exit {
    let right = checked.iter().take(1).map(|right| right.exit(args.deny_unreached));
    let truncated = checked.iter().filter(|row| row.truncated.is_some()).map(|_| Exit::Truncated);
    let differs = differences.iter().map(|_| Exit::Vacuous);
    right.chain(truncated).chain(differs).fold(Exit::Holds, Exit::or)
}

/// Prints the table of all variants, and how it differs from what was reviewed.
///
/// # Errors
/// If it cannot be written.
pub fn print_table(report: &CheckReport, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let paint = style.paint;
    if !style.quiet {
        for rows in report.checked.chunk_by(|one, other| one.protocol == other.protocol) {
            table::variants(out, rows, paint)?;
        }
    }
    for row in report.checked.iter().filter(|row| row.is_right() && row.verdict != "holds") {
        text::checked(out, row, paint, false)?;
    }
    for finding in report.checked.iter().flat_map(|row| &row.vacuous) {
        writeln!(out, "{}: {finding}", paint.bad("vacuous"))?;
    }
    for difference in &report.differences {
        writeln!(out, "{} {difference}", paint.bad("not as reviewed:"))?;
    }
    let exit = Exit::of_code(report.exit);
    let verdict = if exit == Exit::Holds {
        paint.good("the right rules hold, and every variant breaks as reviewed")
    } else {
        paint.bad(exit.meaning())
    };
    writeln!(out, "{verdict}")
}

fn print_each(args: &CheckArgs, report: &CheckReport, out: &mut dyn Write, style: Style) -> io::Result<()> {
    let Style { paint, quiet, verbose } = style;
    for checked in &report.checked {
        if quiet && checked.exit(args.deny_unreached) == Exit::Holds {
            continue;
        }
        text::checked(out, checked, paint, verbose)?;
        for (_, found) in checked.broken() {
            if let Some(directory) = &args.out_dir {
                let file = directory.join(found.file_name());
                writeln!(out, "written: {0} (model-check replay {0})", file.display())?;
            }
        }
    }
    Ok(())
}

fn write_counterexamples(directory: &Path, checked: &[Checked]) -> Result<(), Failure> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Failure::Write { path, source }
    };
    for (_, found) in checked.iter().flat_map(Checked::broken) {
        let path = directory.join(found.file_name());
        let mut text = serde_json::to_string_pretty(found).map_err(|error| Failure::Internal(error.to_string()))?;
        text.push('\n');
        fs::write(&path, text).map_err(failed(&path))?;
    }
    Ok(())
}
