//! From what the operating system says to what a caller can do about it.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::ProviderError;

#[derive(Debug, thiserror::Error)]
#[error("{doing} {path} failed")]
struct Failure {
    doing: &'static str,
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// Nobody knows what has become of the call: for whatever fails after the first thing was changed, and for reads.
pub(super) fn lost(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ProviderError {
    let path = path.to_owned();
    move |source| ProviderError::transport(Failure { doing, path, source })
}

/// Nothing was changed, and nothing will be before somebody mends it.
pub(super) fn refused(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ProviderError {
    let path = path.to_owned();
    move |source| ProviderError::refused(Failure { doing, path, source })
}
