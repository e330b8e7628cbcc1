//! The files of the repository, as text.

use std::fs;
use std::path::{Path, PathBuf};

/// A file, with its path from the root of the repository.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is a folder of the workspace")
}

/// Every file whose name ends with one of these, in order. What is built or hidden is left out, but for `.ci`.
pub(crate) fn sources(extensions: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository can be listed") {
            let path = entry.expect("a folder of the repository can be listed").path();
            if path.is_dir() && is_ours(&path) {
                folders.push(path);
            } else if path.is_file() && extensions.iter().any(|extension| name(&path).ends_with(extension)) {
                found.push(read(&path));
            }
        }
    }
    found.sort_by(|one, two| one.path.cmp(&two.path));
    found
}

fn is_ours(folder: &Path) -> bool {
    let name = name(folder);
    !matches!(name.as_str(), "target" | "traces-failed") && (!name.starts_with('.') || name == ".ci")
}

fn read(path: &Path) -> Source {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let relative = path.strip_prefix(root()).expect("it was found under the root");
    Source { path: relative.to_string_lossy().replace('\\', "/"), text }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The path of a file of the repository on this machine.
pub(crate) fn place(path: &str) -> PathBuf {
    root().join(path)
}
