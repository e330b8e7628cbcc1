//! Where results go, and how a command fails.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use super::{Color, Format, Global};
use crate::exit::Exit;
use crate::report::paint::Paint;

/// Standard output and what the user asked of it.
pub struct Console {
    out: Quiet<BufWriter<Box<dyn Write>>>,
    /// How results are written.
    pub format: Format,
    /// Only what is wrong.
    pub quiet: bool,
    /// What was counted too.
    pub verbose: bool,
    /// Whether to use colour on standard output.
    pub paint: Paint,
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
            format: global.format,
            quiet: global.quiet,
            verbose: global.verbose,
            paint: Paint(wants_colour),
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

    /// Prints one JSON document.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.out, value).map_err(io::Error::from)?;
        writeln!(self.out)?;
        Ok(())
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
