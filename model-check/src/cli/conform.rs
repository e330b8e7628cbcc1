//! `conform`: recorded traces against the models.

use std::io;
use std::path::{Path, PathBuf};

use super::{ConformArgs, Console, Failure, Require, names, report};
use crate::conform::render::{self, Colors};
use crate::conform::report::{Report, Verdict};
use crate::conform::{self, Input, Options};
use crate::exit::Exit;
use crate::registry::Profile;
use crate::report::findings::{self, Findings};
use crate::report::html;

/// Runs `conform`.
///
/// # Errors
/// If a file is not there, standard input or a pipe cannot be read, or a result cannot be written. What is wrong with a
/// trace is in the report.
pub fn run(args: &ConformArgs, console: &mut Console) -> Result<Exit, Failure> {
    check_protocol(args)?;
    let inputs = inputs(&args.traces)?;
    let requires_danger_windows = args.require == Some(Require::DangerWindows);
    let report = conform::check(&inputs, &Options { requires_danger_windows, ..Options::default() });
    check_that_it_is_of(args, &report)?;
    if let Some(dir) = &args.out_dir {
        write_files(dir, &report)?;
    }
    let findings = Findings { suite: "conform".to_owned(), cases: findings::of_trace(&report) };
    console.show(&report, Some(findings), |out, style| {
        if style.quiet && report.verdict == Verdict::Conforms {
            return Ok(());
        }
        let colors = if style.paint.0 { Colors::Always } else { Colors::Never };
        write!(out, "{}", render::text(&report, colors))
    })?;
    Ok(report.verdict.exit())
}

fn check_protocol(args: &ConformArgs) -> Result<(), Failure> {
    match args.protocol.as_deref() {
        Some(other) if !conform::PROTOCOLS.contains(&other) => {
            let known = conform::PROTOCOLS.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(" and ");
            Err(Failure::Usage(format!("unknown protocol `{other}`: traces are judged of {known}")))
        }
        None | Some(_) => Ok(()),
    }
}

/// A trace of another protocol is not what was meant to be checked.
fn check_that_it_is_of(args: &ConformArgs, report: &Report) -> Result<(), Failure> {
    match args.protocol.as_deref() {
        Some(wanted) if wanted != report.protocol && report.lines.headers > 0 => {
            Err(Failure::Usage(format!("the trace is of the protocol `{}`, not of `{wanted}`", report.protocol)))
        }
        None | Some(_) => Ok(()),
    }
}

/// The traces that were named. A file that is not there says nothing about an implementation, not even that its trace
/// is bad.
pub(super) fn inputs(traces: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let is_missing = |path: &&PathBuf| path.as_os_str() != "-" && matches!(path.try_exists(), Ok(false));
    if let Some(path) = traces.iter().find(is_missing) {
        return Err(Failure::NothingChecked(format!("nothing was checked: there is no file {}", path.display())));
    }
    let inputs: Result<Vec<Input>, io::Error> = traces.iter().map(|path| Input::new(path)).collect();
    inputs.map_err(|error| Failure::Unreadable(format!("standard input or a pipe cannot be read: {error}")))
}

fn write_files(dir: &Path, found: &Report) -> Result<(), Failure> {
    let write = |name: &str, text: &str| report::write(&dir.join(name), text);
    let links = report::make_links(dir, None)?;
    let subject = names::protocol(&found.protocol)?.subject(0, Profile::Ci);
    let json = serde_json::to_string_pretty(found).map_err(|error| Failure::Internal(error.to_string()))?;
    write("conform.json", &format!("{json}\n"))?;
    if let Some(minimised) = found.divergence.as_ref().and_then(|divergence| divergence.minimised.as_ref()) {
        write("minimised.jsonl", &(minimised.lines.join("\n") + "\n"))?;
    }
    write("conform.html", &html::refused(found, &subject, &links))?;
    write("conform.txt", &render::text(found, Colors::Never))
}
