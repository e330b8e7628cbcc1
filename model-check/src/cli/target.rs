//! In which forms results are written, and where.

use std::path::PathBuf;

use clap::ValueEnum;

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs: one JSON document.
    Json,
    /// Annotations of a GitHub job, and a summary of its step.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, for whatever shows tests.
    Junit,
}

/// A form with the place where it goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The form.
    pub format: Format,
    /// The file; standard output if there is none.
    pub file: Option<PathBuf>,
}

impl Target {
    /// Reads `json` or `json=report.json`.
    ///
    /// # Errors
    /// If there is no such form, or the file has no name.
    pub fn parse(text: &str) -> Result<Target, String> {
        let (word, file) = text.split_once('=').map_or((text, None), |(word, file)| (word, Some(file)));
        let format = Format::from_str(word, false)
            .map_err(|_| format!("there is no format `{word}`; there is text, json, github, sarif, junit"))?;
        match file {
            Some("") => Err(format!("`{text}` names no file")),
            file => Ok(Target { format, file: file.map(PathBuf::from) }),
        }
    }
}

impl Format {
    /// As it is written on a command line.
    pub fn word(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Github => "github",
            Format::Sarif => "sarif",
            Format::Junit => "junit",
        }
    }
}
