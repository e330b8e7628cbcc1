//! Results in every form that `--format` can ask for.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::{Failure, Format, Style};
use crate::report::findings::Findings;
use crate::report::{github, junit, sarif};

/// Where GitHub collects the summaries of steps. It is read where the format `github` is asked for, and nowhere else.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// What is to be written.
pub(super) struct Forms<'a, R, T> {
    pub(super) report: &'a R,
    /// Nothing, where a command judges nothing.
    pub(super) findings: Option<Findings>,
    pub(super) text: T,
}

impl<R: Serialize, T: Fn(&mut dyn Write, Style) -> io::Result<()>> Forms<'_, R, T> {
    /// Fails if the command has no such form.
    pub(super) fn check(&self, format: Format) -> Result<(), Failure> {
        match format {
            Format::Text | Format::Json => Ok(()),
            Format::Github | Format::Sarif | Format::Junit => self.findings(format).map(drop),
        }
    }

    /// The whole of it in one form.
    pub(super) fn document(&self, format: Format, style: Style) -> Result<String, Failure> {
        match format {
            Format::Text => {
                let mut bytes = Vec::new();
                (self.text)(&mut bytes, style)?;
                String::from_utf8(bytes).map_err(|error| Failure::Internal(error.to_string()))
            }
            Format::Json => json(self.report),
            Format::Github => Ok(github::annotations(self.findings(format)?)),
            Format::Sarif => json(&sarif::document(self.findings(format)?)),
            Format::Junit => {
                let document = junit::document(self.findings(format)?);
                document.map_err(|error| Failure::Internal(error.to_string()))
            }
        }
    }

    fn findings(&self, format: Format) -> Result<&Findings, Failure> {
        let message = || format!("this command judges nothing, and has no `{}`", format.word());
        self.findings.as_ref().ok_or_else(|| Failure::Usage(message()))
    }
}

/// One JSON document.
fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(text + "\n")
}

/// Adds to the summary of the step, if this is a step.
pub(super) fn append_summary(findings: &Findings) -> Result<(), Failure> {
    let Some(path) = std::env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Ok(());
    };
    let mut options = OpenOptions::new();
    let file = options.append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(github::summary(findings).as_bytes()));
    written.map_err(|source| Failure::Write { path, source })
}
