//! What a provider answers.

use serde::{Deserialize, Serialize};

use crate::error::ProviderError;
use crate::id::{ComputerId, InstanceId, Launch, Mark};
use crate::provider::End;

/// How a start has ended.
#[must_use = "a start that is fenced has brought up nothing"]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartOutcome {
    /// This is the instance of the launch. How it is, [`crate::Provider::get`] says.
    Started {
        /// The instance.
        instance: InstanceId,
    },
    /// The launch was ended, overtaken, or brought up before and is over. Nothing was changed.
    Fenced {
        /// Neither this launch nor an older one ever comes up any more.
        up_to: Launch,
    },
}

/// What a provider says of one computer, as an answer or as a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// Whose instance it is.
    pub computer: ComputerId,
    /// The launch of the instance that is there. If none is: the one that was asked for, and in a report the newest
    /// that the provider has heard of.
    pub launch: Launch,
    /// The instance, if one is there.
    pub seen: Option<Seen>,
    /// Its place in the provider's order of the reports on this computer. An answer has the place of the last report
    /// before it.
    pub mark: Mark,
}

/// An instance that is there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Its id.
    pub instance: InstanceId,
    /// How it is.
    pub condition: Condition,
}

/// How an instance is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// It runs, and is not admitted yet.
    Booting,
    /// It runs, and is admitted.
    Up,
    /// It does not run. Its restart policy may start it again, unless it was ended.
    Exited,
}

/// What whoever writes a provider answers to an [`End`], once none of these launches runs or can come up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Of which computer.
    pub computer: ComputerId,
    /// Up to which launch.
    pub up_to: Launch,
    /// The place of the last report before that.
    pub mark: Mark,
}

/// The authority has said that no launch of a computer up to this one runs, nor ever will again.
///
/// There is no other way to make one than to call [`crate::Provider::stop`] or [`crate::Provider::remove`]. That
/// something is missing in a list, that nobody answers, or that time has passed, proves nothing.
#[must_use = "whoever asked for a death waits for its proof"]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofOfDeath(Ended);

impl ProofOfDeath {
    /// The answer proves what was asked for, and no more.
    pub(super) fn of(call: &End, ended: Ended) -> Result<ProofOfDeath, ProviderError> {
        // The death of another computer, or of older launches alone, proves nothing of this one.
        if ended.computer != call.computer || ended.up_to != call.up_to {
            let (End { computer, up_to, .. }, Ended { computer: other, up_to: told, .. }) = (call, ended);
            let what = format!("asked to end {computer} up to {up_to}, it says that it has ended {other} up to {told}");
            return Err(ProviderError::Nonsense { what });
        }
        Ok(ProofOfDeath(ended))
    }

    /// Whose instances they were.
    pub fn computer(&self) -> &ComputerId {
        &self.0.computer
    }

    /// The newest launch that is dead.
    pub fn up_to(&self) -> Launch {
        self.0.up_to
    }

    /// The place of the last report before the proof. Reports up to it are of the time before.
    pub fn mark(&self) -> Mark {
        self.0.mark
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::EndKind;

    #[test]
    fn an_answer_about_another_computer_or_launch_proves_nothing() {
        let (computer, other) = (ComputerId::new("a").unwrap(), ComputerId::new("b").unwrap());
        let up_to = |number| Launch::try_from(number).unwrap();
        let call = End { computer: computer.clone(), up_to: up_to(2), kind: EndKind::Stop };
        let answers = [(&computer, 2, true), (&other, 2, false), (&computer, 1, false), (&computer, 3, false)];
        for (computer, told, is_proof) in answers {
            let ended = Ended { computer: computer.clone(), up_to: up_to(told), mark: Mark::START };
            match ProofOfDeath::of(&call, ended) {
                Ok(proof) => assert!(is_proof, "{proof:?}"),
                Err(error) => assert!(!is_proof && matches!(error, ProviderError::Nonsense { .. }), "{error:?}"),
            }
        }
    }
}
