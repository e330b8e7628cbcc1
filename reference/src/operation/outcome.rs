//! How operations end, and why one is left under way.

use std::time::Duration;

use crate::error::{ProviderError, StoreError};
use crate::id::Launch;
use crate::store::operation::{Phase, Standing};
use crate::sync::Arc;

/// How [`super::ControlPlane::start`] ended.
#[must_use = "a start that has failed, or was not begun, has brought up nothing"]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Started {
    /// It runs, and was admitted.
    Ready {
        /// As this launch.
        launch: Launch,
    },
    /// It is over, and the row says that it is an error. If the launch comes up later all the same, a sweep finds it.
    Failed {
        /// The launch that was tried.
        launch: Launch,
        /// Why nothing came of it.
        cause: StartFailure,
    },
    /// It cannot begin here: what may run is stopped first, and what is under way is waited for.
    Refused {
        /// What is said of the computer.
        phase: Phase,
    },
    /// A stop, a deletion or another owner has taken its place. What it has brought up is theirs to end.
    Overtaken {
        /// What is so instead.
        current: Standing,
    },
}

/// Why nothing came of a start.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StartFailure {
    /// The provider does not do it, and has changed nothing.
    Refused(Arc<ProviderError>),
    /// The launch was ended at the provider, or its instance is gone: it never comes up again.
    Fenced {
        /// Neither this launch nor an older one does.
        up_to: Launch,
    },
    /// Its instance has exited, and its restart policy has not started it again in time.
    Exited,
    /// Nobody knows: the time for it is over.
    OutOfPatience,
}

/// How [`super::ControlPlane::stop`] ended.
#[must_use = "a stop that was overtaken may leave something that runs"]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Stopped {
    /// The provider has proven it.
    Stopped {
        /// No launch up to this one runs, nor ever will.
        up_to: Launch,
    },
    /// There is nothing to stop: it is stopped already, or a deletion is under way or over.
    Refused {
        /// What is said of the computer.
        phase: Phase,
    },
    /// A deletion or another owner has taken its place, the stop that is under way belongs to another owner who lives,
    /// or the computer was started again since.
    Overtaken {
        /// What is so instead.
        current: Standing,
    },
}

/// How [`super::ControlPlane::delete`] ended.
#[must_use = "a deletion that was overtaken may leave something that runs"]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Deleted {
    /// The provider has proven it, and has taken the instance away.
    Gone {
        /// No launch up to this one runs, nor ever will.
        up_to: Launch,
    },
    /// It was gone before.
    Refused {
        /// What is said of the computer.
        phase: Phase,
    },
    /// The deletion that is under way belongs to another owner, who lives or has just taken it over.
    Overtaken {
        /// What is so instead.
        current: Standing,
    },
}

/// Why an operation was not driven to its end, or a look or a report not taken to its own. What was begun stays under
/// way, and the next pass of a [`crate::Reconciler`] drives it on.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperationError {
    /// The store failed.
    #[error("the store failed; if the operation was begun, the next pass drives it on")]
    Store(#[source] Arc<StoreError>),
    /// The provider has given no answer that can be used.
    #[error(
        "the provider gave no usable answer about {launch}; what is under way stays so, and the next pass asks again"
    )]
    Provider {
        /// The launch that the provider was asked about.
        launch: Launch,
        /// What the provider said.
        #[source]
        source: Arc<ProviderError>,
    },
    /// The provider has not answered in time. The call may still take effect.
    #[error(
        "the provider was silent about {launch} for {limit:?}; what is under way stays so, and the next pass asks again"
    )]
    Silent {
        /// The launch that the provider was asked about.
        launch: Launch,
        /// How long it was waited for.
        limit: Duration,
    },
    /// Whether the owner is dead could not be found out.
    #[error("whether the owner of the operation is dead could not be found out; the next pass asks again")]
    Liveness(#[source] Arc<std::io::Error>),
    /// The control plane is draining, and begins nothing any more. Of a restart the stop may be done; of a sweep the
    /// deletion may be begun, which the next pass drives on.
    #[error("this control plane is shutting down; ask another")]
    Draining,
}

impl OperationError {
    /// Whether the same may succeed later, without any repair here.
    pub fn is_transient(&self) -> bool {
        match self {
            OperationError::Store(source) => source.is_transient(),
            OperationError::Provider { source, .. } => source.is_transient(),
            OperationError::Silent { .. } | OperationError::Liveness(_) => true,
            OperationError::Draining => false,
        }
    }
}

impl From<StoreError> for OperationError {
    fn from(source: StoreError) -> OperationError {
        OperationError::Store(Arc::new(source))
    }
}
