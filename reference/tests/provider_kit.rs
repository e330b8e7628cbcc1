//! Both providers are held to the same list.

#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

#[cfg(target_os = "linux")]
#[path = "processes/world.rs"]
mod world;

use std::sync::Arc;

use outlive::ComputerId;
use outlive::testing::FakeProvider;
use outlive::testing::provider_kit::{self, Outside};

/// As many as the list has. A kit that forgets one would pass.
const BEHAVIOURS: usize = 21;

struct ByHand<'a>(&'a FakeProvider);

impl Outside for ByHand<'_> {
    async fn admit(&self, computer: &ComputerId) {
        assert!(self.0.admit(computer));
    }

    async fn exit(&self, computer: &ComputerId) {
        assert!(self.0.exit(computer));
    }

    async fn revive(&self, computer: &ComputerId) {
        let _ = self.0.revive(computer);
    }
}

#[tokio::test]
async fn a_provider_in_memory_behaves() {
    let provider = Arc::new(FakeProvider::new());
    assert_eq!(provider_kit::hold(&provider, &ByHand(&provider)).await, BEHAVIOURS);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_provider_of_processes_behaves() {
    let world = world::World::new();
    let provider = world.provider();
    let outside = world::ByPipe { world: &world, provider: &provider };
    assert_eq!(provider_kit::hold(&provider, &outside).await, BEHAVIOURS);
    assert_eq!(world.processes(), world::NOBODY);
}
