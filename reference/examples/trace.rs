//! Records what a store decides, and prints the trace, ready for `model-check conform -`.
//!
//! ```text
//! cargo run -p outlive --example trace | cargo run -p outlive-model-check -- conform -
//! ```

use std::error::Error;
use std::io;
use std::sync::Arc;

use outlive::snapshot::{Begun, Resolved};
use outlive::testing::{CounterKind, SimulatedComputer};
use outlive::trace::Protocol;
use outlive::{ComputerId, Gateway, GatewayName, SqliteOptions, SqliteStore, Store};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let options = SqliteOptions::new().recording();
    let store = Arc::new(SqliteStore::open(folder.path().join("outlive.db"), options)?);
    let gateway = Gateway::new(store.clone(), GatewayName::new("gateway-1")?);
    let id = ComputerId::new("browser-7")?;
    let _ = gateway.create(&id).await?;
    let computer = SimulatedComputer::start(store.clone(), id.clone(), CounterKind::SurvivesAWipe).await?;
    let _ = computer.register().await?;

    // A page is saved, and the agent clicks on it.
    let Begun::Ticket(ticket) = gateway.begin(&id).await? else { return Err("nobody to call".into()) };
    let answer = computer.answer(ticket.call(), b"a page").await?.map_err(|_| "it is another")?;
    let _ = gateway.save(&ticket, &answer).await?;
    if let Resolved::Forward { act, .. } = gateway.resolve(&id, answer.page).await? {
        let _ = computer.perform(&act).await?;
    }

    // A second delivery of the same save, and one that comes after a reset: both are refused, for different reasons.
    let _ = gateway.save(&ticket, &answer).await?;
    let seen = gateway.standing(&id).await?.incarnation;
    let _ = gateway.reset(&id, seen, &computer).await?;
    let _ = gateway.save(&ticket, &answer).await?;

    store.recorder().export(Protocol::Snapshot, &mut io::stdout()).await?;
    Ok(())
}
