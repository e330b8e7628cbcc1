//! A provider that answers after a fixed time, or at once, and never for one computer.

#![expect(clippy::disallowed_types, reason = "what it knows is behind a mutex of the standard library")]

use std::collections::HashMap;
use std::future::{Future, pending};
use std::sync::Mutex;
use std::time::Duration;

use outlive::locks::IoPermit;
use outlive::provider::*;
use outlive::{ComputerId, InstanceId, Launch, Mark, Provider, ProviderError};

pub(crate) struct Quick {
    call: Duration,
    blocked: Option<ComputerId>,
    there: Mutex<HashMap<ComputerId, (Launch, Condition, Mark)>>,
}

impl Quick {
    pub(crate) fn new(call: Duration, blocked: Option<ComputerId>) -> Quick {
        Quick { call, blocked, there: Mutex::default() }
    }

    /// What has changed without a call: the next of its changes.
    pub(crate) fn put(&self, computer: ComputerId, launch: Launch, condition: Condition) {
        let mut there = self.there.lock().expect("nobody panics");
        let before = there.get(&computer).map_or(Mark::START, |(_, _, mark)| *mark);
        there.insert(computer, (launch, condition, before.next().expect("a mark")));
    }

    async fn answered(&self, computer: &ComputerId) {
        if self.blocked.as_ref() == Some(computer) {
            pending::<()>().await;
        }
        if self.call > Duration::ZERO {
            tokio::time::sleep(self.call).await;
        }
    }

    pub(crate) fn observation(&self, computer: ComputerId, asked: Launch) -> Observation {
        let there = self.there.lock().expect("nobody panics").get(&computer).copied();
        let instance = || InstanceId::new("instance").expect("a name");
        let seen = there.map(|(_, condition, _)| Seen { instance: instance(), condition });
        let (launch, mark) = there.map_or((asked, Mark::START), |(launch, _, mark)| (launch, mark));
        Observation { computer, launch, seen, mark }
    }
}

impl Provider for Quick {
    async fn start(&self, _: IoPermit<'_>, call: Start) -> Result<StartOutcome, ProviderError> {
        self.answered(&call.computer).await;
        self.put(call.computer, call.launch, Condition::Up);
        Ok(StartOutcome::Started { instance: InstanceId::new("instance").expect("a name") })
    }

    async fn end(&self, _: IoPermit<'_>, call: End) -> Result<Ended, ProviderError> {
        self.answered(&call.computer).await;
        self.put(call.computer.clone(), call.up_to, Condition::Exited);
        Ok(Ended { computer: call.computer, up_to: call.up_to, mark: Mark::START })
    }

    async fn get(&self, _: IoPermit<'_>, call: Get) -> Result<Observation, ProviderError> {
        self.answered(&call.computer).await;
        Ok(self.observation(call.computer, call.launch))
    }

    async fn list(&self, _: IoPermit<'_>) -> Result<Vec<Observation>, ProviderError> {
        Ok(Vec::new())
    }

    fn watch(&self, _: IoPermit<'_>, _: Watch) -> impl Future<Output = Result<Observation, ProviderError>> + Send {
        pending()
    }
}
