//! What a computer runs.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a computer runs, and what is done when it exits. It is stored in the folder of its provider, variables
/// included, in files that only their owner can read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    pub(super) path: String,
    pub(super) arguments: Vec<String>,
    pub(super) variables: BTreeMap<String, String>,
    pub(super) restart_policy: RestartPolicy,
    pub(super) grace: Duration,
}

/// What is done when an instance exits that nobody has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestartPolicy {
    /// It is started again, as the same instance.
    Always,
    /// It stays as it is.
    Never,
}

impl Program {
    /// Runs this file, which is named by its whole path. Without more it has no arguments and no variables, is not
    /// started again, and has five seconds to end.
    pub fn new(path: impl Into<String>) -> Program {
        Program {
            path: path.into(),
            arguments: Vec::new(),
            variables: BTreeMap::new(),
            restart_policy: RestartPolicy::Never,
            grace: Duration::from_secs(5),
        }
    }

    /// With one more argument.
    pub fn argument(mut self, argument: impl Into<String>) -> Program {
        self.arguments.push(argument.into());
        self
    }

    /// With this variable in its environment.
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Program {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// What is done when it exits.
    pub fn restart_policy(mut self, policy: RestartPolicy) -> Program {
        self.restart_policy = policy;
        self
    }

    /// How long it may take to end after SIGTERM. Then it is killed.
    pub fn grace(mut self, grace: Duration) -> Program {
        self.grace = grace;
        self
    }
}
