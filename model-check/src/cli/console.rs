//! Where results go, and how a command fails.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::forms::{Forms, append_summary};
use super::{Color, Format, Global, Target};
use crate::exit::Exit;
use crate::report::findings::Findings;
use crate::report::paint::Paint;

/// Standard output and what the user asked of it.
pub struct Console {
    out: Quiet<BufWriter<Box<dyn Write>>>,
    /// How results are written on standard output.
    format: Format,
    files: Vec<(Format, PathBuf)>,
    /// Only what is wrong.
    pub quiet: bool,
    /// What was counted too.
    pub verbose: bool,
    /// Whether to use colour on standard output.
    pub paint: Paint,
}

/// How text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether it has colour.
    pub paint: Paint,
    /// Only what is wrong.
    pub quiet: bool,
    /// What was counted too.
    pub verbose: bool,
}

/// Why a command has no verdict.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line makes no sense.
    #[error("{0}")]
    Usage(String),
    /// There was nothing to check.
    #[error("{0}")]
    NothingChecked(String),
    /// An input that cannot be read as what it should be.
    #[error("{0}")]
    Unreadable(String),
    /// A file that cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Standard output cannot be written.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
    /// The reference, or what it stands on, has failed.
    #[error("{0}")]
    Reference(String),
    /// A bug of this program.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Failure {
    /// How the process ends.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::NothingChecked(_) => Exit::NothingChecked,
            Failure::Unreadable(_) => Exit::Unreadable,
            Failure::Write { .. } | Failure::Output(_) | Failure::Reference(_) | Failure::Internal(_) => Exit::Internal,
        }
    }
}

impl Console {
    /// The console of this process.
    pub(super) fn of_process(global: &Global) -> Self {
        let wants_colour = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty()),
        };
        Console {
            out: Quiet { out: BufWriter::new(Box::new(io::stdout())), is_closed: false },
            format: Format::Text,
            files: Vec::new(),
            quiet: global.quiet,
            verbose: global.verbose,
            paint: Paint(wants_colour),
        }
    }

    /// Takes note of the forms that were asked for.
    ///
    /// # Errors
    /// If two of them are to be written on standard output.
    pub(super) fn accept(&mut self, targets: &[Target]) -> Result<(), Failure> {
        let mut on_standard_output = None;
        for Target { format, file } in targets {
            match file {
                Some(file) => self.files.push((*format, file.clone())),
                None if on_standard_output.is_none() => on_standard_output = Some(*format),
                None => {
                    let message = "only one format can go to standard output; write another as FORMAT=FILE";
                    return Err(Failure::Usage(message.to_owned()));
                }
            }
        }
        self.format = on_standard_output.unwrap_or(Format::Text);
        Ok(())
    }

    /// Writes a report in every form that was asked for. A command that judges nothing has no findings.
    ///
    /// # Errors
    /// If something cannot be written, or a form was asked for that needs findings.
    pub fn show<R: Serialize>(
        &mut self,
        report: &R,
        findings: Option<Findings>,
        text: impl Fn(&mut dyn Write, Style) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let forms = Forms { report, findings, text };
        let asked = || [self.format].into_iter().chain(self.files.iter().map(|file| file.0));
        // Before anything is written: half of the results would look like all of them.
        asked().try_for_each(|format| forms.check(format))?;
        let style = Style { paint: self.paint, quiet: self.quiet, verbose: self.verbose };
        let document = forms.document(self.format, style)?;
        self.out.write_all(document.as_bytes())?;
        let plain = Style { paint: Paint(false), quiet: false, ..style };
        for (format, path) in &self.files {
            let document = forms.document(*format, plain)?;
            std::fs::write(path, document).map_err(|source| Failure::Write { path: path.clone(), source })?;
        }
        match &forms.findings {
            Some(findings) if asked().any(|format| format == Format::Github) => append_summary(findings),
            _ => Ok(()),
        }
    }

    /// Where results go.
    pub fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Writes what was held back.
    ///
    /// # Errors
    /// If it cannot be written. That nobody reads it is no error.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Says on standard error why there is no verdict.
    pub(super) fn fail(&mut self, failure: &Failure) -> Exit {
        let _ = self.out.flush();
        let _ = writeln!(io::stderr(), "model-check: {failure}");
        failure.exit()
    }
}

/// Once its reader is gone it swallows what it gets: the verdict is still worth an exit code.
struct Quiet<W> {
    out: W,
    is_closed: bool,
}

impl<W: Write> Quiet<W> {
    fn tolerate<T>(&mut self, result: io::Result<T>, otherwise: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for Quiet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let result = self.out.write(bytes);
        self.tolerate(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let result = self.out.flush();
        self.tolerate(result, ())
    }
}
