//! The command, and the files that it writes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Runs the command in the root of the repository.
pub(crate) fn model_check(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_model-check"));
    command.args(args).current_dir(root()).env_remove("GITHUB_STEP_SUMMARY");
    command.output().unwrap()
}

/// What it prints, if it ends with this exit code.
pub(crate) fn print(args: &[&str], code: i32) -> String {
    let Output { status, stdout, stderr } = model_check(args);
    let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert_eq!(status.code(), Some(code), "{args:?}\n{stdout}\n{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stdout
}

/// The site at the small bounds, made once for all tests.
pub(crate) struct Site {
    folder: PathBuf,
}

pub(crate) static SITE: LazyLock<Site> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-site");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    let junit = format!("junit={}", folder.with_extension("xml").display());
    print(&["report", "--quiet", "--profile", "smoke", "-o", folder.to_str().unwrap(), "--format", &junit], 0);
    Site { folder }
});

impl Site {
    /// The same results as a document.
    pub(crate) fn junit(&self) -> String {
        std::fs::read_to_string(self.folder.with_extension("xml")).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The names of its files with this ending, in order.
    pub(crate) fn names(&self, ending: &str) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
        names.sort_unstable();
        names
    }
}
