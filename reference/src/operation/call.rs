//! One call of the provider: bounded in time, and seen in a span.

use std::future::Future;

use tracing::{Instrument, field, info_span};

use super::{ControlPlane, OperationError};
use crate::error::ProviderError;
use crate::id::{ComputerId, Launch, Mark};
use crate::locks::IoPermit;
use crate::provider::{Get, Observation, Provider, Watch};
use crate::race::either;
use crate::store::OperationStore;
use crate::store::operation::Liveness;
use crate::sync::Arc;

/// Why there is no answer.
pub(crate) enum Unanswered {
    /// The provider says so, or the transport.
    Error(ProviderError),
    /// The time is over. The call may still take effect.
    Silent,
}

impl<S: OperationStore, P: Provider, L: Liveness> ControlPlane<S, P, L> {
    /// Waits for the answer as long as one call may take.
    pub(super) async fn call<T>(
        &self,
        verb: &'static str,
        (computer, launch): (&ComputerId, Launch),
        call: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<T, Unanswered> {
        let launch = launch.number();
        let span = info_span!("provider.call", verb, %computer, launch, outcome = field::Empty);
        let answer = self.timer().within(self.limits().call, call.instrument(span.clone())).await;
        let (told, answer) = match answer {
            Some(Ok(answer)) => ("answered", Ok(answer)),
            Some(Err(error)) => (word(&error), Err(Unanswered::Error(error))),
            None => ("silent", Err(Unanswered::Silent)),
        };
        span.record("outcome", told);
        answer
    }

    /// Asks the authority what there is.
    pub(crate) async fn get(
        &self,
        io: IoPermit<'_>,
        computer: &ComputerId,
        launch: Launch,
    ) -> Result<Observation, Unanswered> {
        let call = Get { computer: computer.clone(), launch };
        let seen = self.call("get", (computer, launch), self.provider().get(io, call)).await?;
        if seen.computer != *computer {
            let what = format!("asked about {computer}, it tells of {}", seen.computer);
            return Err(Unanswered::Error(ProviderError::Nonsense { what }));
        }
        Ok(seen)
    }

    /// Waits until the provider has something to tell, or until it is time to ask. What it tells is only a hint, so
    /// nothing is made of it but a question. `told` is how far it has told before.
    pub(super) async fn until_news(&self, io: IoPermit<'_>, computer: &ComputerId, after: Mark, told: &mut Mark) {
        if told.is_beyond(after) {
            // What it reads lags behind what it tells: to ask again at once might never end.
            return self.timer().sleep(self.limits().poll_interval).await;
        }
        let report = self.provider().watch(io, Watch { computer: computer.clone(), after });
        let news = async {
            match report.await {
                Ok(report) if report.computer == *computer && report.mark.is_beyond(after) => *told = report.mark,
                // It is no news, or there is nobody to tell it: to ask again at once would never end.
                Ok(_) | Err(_) => std::future::pending().await,
            }
        };
        either(news, self.timer().sleep(self.limits().poll_interval)).await;
    }
}

fn word(error: &ProviderError) -> &'static str {
    match error {
        ProviderError::Transport { .. } => "lost",
        ProviderError::Refused { .. } => "refused",
        ProviderError::Nonsense { .. } => "nonsense",
    }
}

impl Unanswered {
    /// Of an operation that stays under way.
    pub(crate) fn about(self, launch: Launch, limit: std::time::Duration) -> OperationError {
        match self {
            Unanswered::Error(source) => OperationError::Provider { launch, source: Arc::new(source) },
            Unanswered::Silent => OperationError::Silent { launch, limit },
        }
    }
}
