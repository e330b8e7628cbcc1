//! The folder: one record for each computer, replaced as a whole, and changed under a lock.
//!
//! The lock is a file of its own, since a record is replaced by another file. The kernel gives it up when whoever holds
//! it dies.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::failure::{lost, refused};
use super::record::Record;
use crate::error::ProviderError;
use crate::id::{ComputerId, SnapshotId};

pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn open(path: &Path) -> Result<Folder, ProviderError> {
        // Whole, since a child is told of a file in it, and has another current directory.
        let path = std::path::absolute(path).map_err(refused("finding", path))?;
        DirBuilder::new().recursive(true).mode(0o700).create(&path).map_err(refused("making", &path))?;
        Ok(Folder { path })
    }

    /// A file of one computer. Its name is a digest of the computer's, which may be any text.
    pub(super) fn file(&self, computer: &ComputerId, ending: &str) -> PathBuf {
        self.path.join(format!("{}.{ending}", SnapshotId::of(computer.as_str().as_bytes())))
    }

    /// The file by which a process says that it is ready.
    pub(super) fn ready(&self, computer: &ComputerId, birth: u64) -> PathBuf {
        self.file(computer, &format!("{birth}.ready"))
    }

    /// Every computer that has a record; an error for each record that cannot be believed.
    pub(super) fn computers(&self) -> Result<Vec<Result<ComputerId, ProviderError>>, ProviderError> {
        let mut computers = Vec::new();
        for entry in std::fs::read_dir(&self.path).map_err(lost("reading", &self.path))? {
            let path = entry.map_err(lost("reading", &self.path))?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                computers.extend(self.whose(&path).transpose());
            }
        }
        Ok(computers)
    }

    /// None if it is gone.
    fn whose(&self, path: &Path) -> Result<Option<ComputerId>, ProviderError> {
        let Some(Record { computer, .. }) = read(path)? else { return Ok(None) };
        if self.file(&computer, "json") != path {
            return Err(nonsense(path, "it is of another computer"));
        }
        Ok(Some(computer))
    }

    /// The record as it stood at some moment; none if the computer was never heard of.
    pub(super) fn read(&self, computer: &ComputerId) -> Result<Option<Record>, ProviderError> {
        let path = self.file(computer, "json");
        let record = read(&path)?;
        match record.as_ref().and_then(|record| record.impossibility(computer)) {
            Some(what) => Err(nonsense(&path, what)),
            None => Ok(record),
        }
    }

    /// Waits until nobody else changes this record. Nobody keeps it for longer than a few files take.
    pub(super) fn lock(&self, computer: &ComputerId) -> Result<Locked<'_>, ProviderError> {
        let (file, path) = self.open_lock(computer)?;
        file.lock().map_err(lost("locking", &path))?;
        Ok(Locked { folder: self, computer: computer.clone(), lock: file })
    }

    /// The same, or nothing if somebody else has it.
    pub(super) fn try_lock(&self, computer: &ComputerId) -> Result<Option<Locked<'_>>, ProviderError> {
        let (file, path) = self.open_lock(computer)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Locked { folder: self, computer: computer.clone(), lock: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(lost("locking", &path)(error)),
        }
    }

    fn open_lock(&self, computer: &ComputerId) -> Result<(File, PathBuf), ProviderError> {
        let path = self.file(computer, "lock");
        let file = private().open(&path).map_err(lost("opening", &path))?;
        Ok((file, path))
    }
}

/// The record of one computer, which nobody else changes meanwhile.
pub(super) struct Locked<'f> {
    folder: &'f Folder,
    computer: ComputerId,
    lock: File,
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        // Closing would not do: a child of another call, between its fork and its exec, has the file open as well.
        let _ = self.lock.unlock();
    }
}

impl Locked<'_> {
    pub(super) fn read(&self) -> Result<Record, ProviderError> {
        let record = self.folder.read(&self.computer)?;
        Ok(record.unwrap_or_else(|| Record::new(self.computer.clone())))
    }

    /// Replaces the record. It is on the disk when this returns.
    pub(super) fn write(&self, record: &Record) -> Result<(), ProviderError> {
        let (path, draft) = (self.folder.file(&self.computer, "json"), self.folder.file(&self.computer, "draft"));
        write_draft(&draft, record).map_err(lost("writing", &draft))?;
        std::fs::rename(&draft, &path).map_err(lost("replacing", &path))?;
        // The name is durable once the folder is.
        File::open(&self.folder.path).and_then(|folder| folder.sync_all()).map_err(lost("syncing", &self.folder.path))
    }
}

fn write_draft(draft: &Path, record: &Record) -> io::Result<()> {
    let mut file = private().truncate(true).open(draft)?;
    file.write_all(&serde_json::to_vec(record)?)?;
    file.sync_all()
}

/// For our owner alone: programs have secrets in their variables.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).mode(0o600);
    options
}

fn read(path: &Path) -> Result<Option<Record>, ProviderError> {
    match std::fs::read(path) {
        Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|error| nonsense(path, &error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(lost("reading", path)(error)),
    }
}

fn nonsense(path: &Path, what: &str) -> ProviderError {
    ProviderError::Nonsense { what: format!("{} is damaged: {what}", path.display()) }
}
