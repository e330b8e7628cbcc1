//! `conform`: recorded traces against the models.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{ConformArgs, Console, Failure, Format, Require};
use crate::conform::render::{self, Colors};
use crate::conform::report::{Report, Verdict};
use crate::conform::{self, Input, Options};
use crate::exit::Exit;

/// Runs `conform`.
///
/// # Errors
/// If a file is not there, standard input cannot be read, or a result not be written. What is wrong with a trace is in the report.
pub fn run(args: &ConformArgs, console: &mut Console) -> Result<Exit, Failure> {
    check_protocol(args)?;
    check_existence(&args.traces)?;
    let inputs: Result<Vec<Input>, io::Error> = args.traces.iter().map(|path| Input::new(path)).collect();
    let inputs = inputs.map_err(|error| Failure::Unreadable(format!("standard input cannot be read: {error}")))?;
    let requires_danger_windows = args.require == Some(Require::DangerWindows);
    let report = conform::check(&inputs, &Options { requires_danger_windows, ..Options::default() });
    if let Some(dir) = &args.out_dir {
        write_files(dir, &report)?;
    }
    match console.format {
        Format::Json => console.json(&report)?,
        Format::Text if console.quiet && report.verdict == Verdict::Conforms => {}
        Format::Text => {
            let colors = if console.paint.0 { Colors::Always } else { Colors::Never };
            write!(console.out(), "{}", render::text(&report, colors))?;
        }
    }
    Ok(report.verdict.exit())
}

fn check_protocol(args: &ConformArgs) -> Result<(), Failure> {
    match args.protocol.as_deref() {
        None | Some(conform::PROTOCOL) => Ok(()),
        Some(other) => {
            Err(Failure::Usage(format!("unknown protocol `{other}`: traces are judged of `{}`", conform::PROTOCOL)))
        }
    }
}

/// A file that is not there says nothing about an implementation, not even that its trace is bad.
pub(super) fn check_existence(traces: &[PathBuf]) -> Result<(), Failure> {
    let is_missing = |path: &&PathBuf| path.as_os_str() != "-" && matches!(path.try_exists(), Ok(false));
    match traces.iter().find(is_missing) {
        Some(path) => Err(Failure::NothingChecked(format!("nothing was checked (no file {})", path.display()))),
        None => Ok(()),
    }
}

fn write_files(dir: &Path, report: &Report) -> Result<(), Failure> {
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        fs::write(&path, text).map_err(|source| Failure::Write { path, source })
    };
    fs::create_dir_all(dir).map_err(|source| Failure::Write { path: dir.to_owned(), source })?;
    let json = serde_json::to_string_pretty(report).map_err(|error| Failure::Internal(error.to_string()))?;
    write("conform.json", &format!("{json}\n"))?;
    if let Some(minimised) = report.divergence.as_ref().and_then(|divergence| divergence.minimised.as_ref()) {
        write("minimised.jsonl", &(minimised.lines.join("\n") + "\n"))?;
    }
    write("conform.txt", &render::text(report, Colors::Never))
}
