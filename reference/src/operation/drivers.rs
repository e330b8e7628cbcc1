//! Who drives an operation at this moment, and is told to look at its row again.

use std::collections::BTreeMap;

use tokio::sync::Notify;

use crate::id::ComputerId;
use crate::sync::{Arc, Mutex};

/// One driver for each computer at most, since it holds the gate.
#[derive(Default)]
pub(super) struct Drivers {
    driving: Mutex<BTreeMap<ComputerId, Arc<Notify>>>,
}

impl Drivers {
    /// From here on until it is dropped, whoever replaces the operation reaches its driver. The caller holds the gate,
    /// and has not yet begun or read what it drives: what replaces that comes later, and finds it here.
    pub(super) fn enter(&self, computer: &ComputerId) -> Driver<'_> {
        let signal = Arc::new(Notify::new());
        self.driving.lock().insert(computer.clone(), signal.clone());
        Driver { drivers: self, computer: computer.clone(), signal }
    }

    /// Has whoever drives the computer look at its row. What is there it reads for itself: by now it may drive
    /// something that nobody has replaced.
    pub(super) fn look_again(&self, computer: &ComputerId) {
        // It keeps until the driver listens.
        self.driving.lock().get(computer).into_iter().for_each(|signal| signal.notify_one());
    }
}

pub(super) struct Driver<'d> {
    drivers: &'d Drivers,
    computer: ComputerId,
    signal: Arc<Notify>,
}

impl Driver<'_> {
    pub(super) async fn is_told(&self) {
        self.signal.notified().await;
    }
}

impl Drop for Driver<'_> {
    fn drop(&mut self) {
        self.drivers.driving.lock().remove(&self.computer);
    }
}
