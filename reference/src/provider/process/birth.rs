//! The birth of a process, which is held until somebody has written down who it is.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use super::identity::ProcessIdentity;
use super::program::Program;

/// Waits for a line, and becomes the program. If the pipe closes instead, whoever would have written is dead, and
/// nobody knows of us.
///
/// A shell does that without any code of ours between fork and exec, where hardly any is allowed. It stays the same
/// process, pid and start time included.
const HOLD: &str = r#"read -r go && exec "$@" </dev/null"#;

/// How a program is told by which file it says that it is ready.
const READY: &str = "OUTLIVE_READY";

/// A process that exists and does nothing yet. Dropping it ends it.
pub(super) struct Held {
    pub(super) child: Child,
    /// None once it was let go.
    pub(super) pipe: Option<ChildStdin>,
    identity: ProcessIdentity,
}

impl Held {
    pub(super) fn spawn(boot_id: &str, program: &Program, ready: &Path) -> io::Result<Held> {
        let mut child = Command::new("/bin/sh")
            .args(["-c", HOLD, "sh", &program.path])
            .args(&program.arguments)
            .env_clear()
            .envs(&program.variables)
            .env(READY, ready)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // What ends the control plane at its terminal does not end its computers.
            .process_group(0)
            .spawn()?;
        let pipe = child.stdin.take();
        let pid = child.id().cast_signed();
        match ProcessIdentity::of(boot_id, pid) {
            Ok(identity) => Ok(Held { child, pipe, identity }),
            Err(error) => {
                drop(pipe);
                // The shell exits now. It is our child, and nobody else knows of it.
                let _ = child.wait();
                Err(error)
            }
        }
    }

    pub(super) fn identity(&self) -> &ProcessIdentity {
        &self.identity
    }

    /// Lets it become its program.
    pub(super) fn release(mut self) {
        if let Some(mut pipe) = self.pipe.take() {
            // If it has died meanwhile, it has exited: whoever looks sees that.
            let _ = pipe.write_all(b"go\n");
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(pipe) = self.pipe.take() {
            drop(pipe);
            // The shell exits now. It is our child, and nobody else knows of it.
            let _ = self.child.wait();
        }
    }
}
