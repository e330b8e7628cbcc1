//! Where traces come from. A verdict that explains itself reads twice, so a stream is spooled first.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A trace that can be read from its beginning, as often as needed.
#[derive(Debug)]
pub struct Input {
    name: String,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Path(PathBuf),
    Spooled(File),
    Memory(Arc<[u8]>),
}

fn spooled(stream: &mut dyn Read) -> io::Result<Content> {
    let mut spool = tempfile::tempfile()?;
    io::copy(stream, &mut spool)?;
    Ok(Content::Spooled(spool))
}

impl Input {
    /// The file at this path, or standard input for `-`.
    ///
    /// # Errors
    /// Standard input or a pipe cannot be read, or not be spooled. A file is opened only when it is read.
    pub fn new(path: &Path) -> io::Result<Input> {
        if path == Path::new("-") {
            return Ok(Input { name: "standard input".to_owned(), content: spooled(&mut io::stdin().lock())? });
        }
        // A named pipe, or the output of another command that a shell passes as a path: what is read from it is gone.
        let is_a_stream = std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        let content = if is_a_stream { spooled(&mut File::open(path)?)? } else { Content::Path(path.to_owned()) };
        Ok(Input { name: path.display().to_string(), content })
    }

    /// Text that is at hand.
    pub fn text(name: &str, text: impl Into<Vec<u8>>) -> Input {
        Input { name: name.to_owned(), content: Content::Memory(text.into().into()) }
    }

    /// What a message calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads it from its beginning. One reading of a spooled stream at a time.
    pub(super) fn open(&self) -> io::Result<Box<dyn Read>> {
        Ok(match &self.content {
            Content::Path(path) => Box::new(File::open(path)?),
            Content::Spooled(file) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                Box::new(file)
            }
            Content::Memory(bytes) => Box::new(Cursor::new(bytes.clone())),
        })
    }
}
