//! `demo`: the reference under load, killed, resumed, and judged.

use super::{Console, DemoArgs, Failure};
use crate::demo::{Demo, DemoError, DemoReport, HistoricVerdict, render};
use crate::exit::Exit;
use crate::report::findings::{self, Case, End, Findings};

/// Runs `demo`.
///
/// # Errors
/// If the reference or a file fails.
pub fn run(args: &DemoArgs, console: &mut Console) -> Result<Exit, Failure> {
    if args.under_load {
        let database = args.database.clone();
        let database = database.ok_or_else(|| Failure::Usage("--under-load needs a --database".to_owned()))?;
        demo(args, database).run_under_load().map_err(failure)?;
        return Ok(Exit::Holds);
    }
    let report = show(args)?;
    let findings = Findings { suite: "demo".to_owned(), cases: cases(&report) };
    console.show(&report, Some(findings), |out, style| match style.quiet && report.is_right() {
        true => Ok(()),
        false => render::text(out, &report, style.paint),
    })?;
    Ok(Exit::of_code(report.exit))
}

/// What was shown, one sentence at a time.
pub fn cases(report: &DemoReport) -> Vec<Case> {
    let case = |group: &str, rule: &str, sentence: &str, end| Case {
        group: group.to_owned(),
        rule: rule.to_owned(),
        sentence: sentence.to_owned(),
        end,
        place: None,
    };
    let lost = match report.lost.as_slice() {
        [] => End::Holds,
        lost => End::Fails(lost.join(", ")),
    };
    let mut cases = vec![case("demo", "acknowledged", "nothing that was acknowledged is lost", lost)];
    cases.extend(findings::of_trace(&report.conformance));
    cases.extend(report.historic.iter().map(|verdict| {
        let HistoricVerdict { variant, tells, expected, refused_by, is_right, .. } = verdict;
        let refused_by = refused_by.as_deref().unwrap_or("nothing");
        let end =
            if *is_right { End::Holds } else { End::Fails(format!("refused by {refused_by}, not by {expected}")) };
        case("historic stores", variant, tells, end)
    }));
    cases
}

/// Runs it on the named file, or on one that is gone afterwards unless something was wrong.
///
/// # Errors
/// If the reference or a file fails.
pub fn show(args: &DemoArgs) -> Result<DemoReport, Failure> {
    if let Some(database) = &args.database {
        let demo = demo(args, database.clone());
        if let Some(path) = [&demo.database, &demo.trace()].into_iter().find(|path| path.exists()) {
            let message = format!("{} exists; the demo needs a file of its own", path.display());
            return Err(Failure::Usage(message));
        }
        return demo.run().map_err(failure);
    }
    let mut folder = tempfile::Builder::new().prefix("outlive-demo-").tempdir()?;
    let report = demo(args, folder.path().join("demo.sqlite")).run().map_err(failure)?;
    folder.disable_cleanup(!report.is_right());
    Ok(report)
}

fn demo(args: &DemoArgs, database: std::path::PathBuf) -> Demo {
    Demo { database, seed: args.seed, computers: args.computers, tasks: args.tasks, rounds: args.rounds }
}

fn failure(error: DemoError) -> Failure {
    let mut message = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    match error {
        DemoError::NotKilled => Failure::Usage(message),
        DemoError::Io(_)
        | DemoError::Store(_)
        | DemoError::Historic(_)
        | DemoError::NotSettled { .. }
        | DemoError::UnderLoad => Failure::Reference(message),
    }
}
