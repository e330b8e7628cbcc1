//! What a control-plane process does first: it looks for resets that another has left half done, and drives them on.
//!
//! ```text
//! cargo run -p outlive --example resume_resets
//! ```

use std::error::Error;
use std::sync::Arc;

use outlive::snapshot::ResetOutcome;
use outlive::store::ClaimOutcome;
use outlive::testing::{CounterKind, SimulatedComputer};
use outlive::{ComputerId, Gateway, GatewayName, SqliteOptions, SqliteStore, Store};

/// How many are looked at at once.
const PAGE: usize = 200;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let store = Arc::new(SqliteStore::open(folder.path().join("outlive.db"), SqliteOptions::new())?);
    let id = ComputerId::new("browser-7")?;
    let computer = leave_a_reset_half_done(&store, &id).await?;

    let gateway = Gateway::new(store.clone(), GatewayName::new("gateway-2")?);
    let mut last = None;
    loop {
        let under_way = store.resets_under_way(last, PAGE).await?;
        for id in &under_way {
            println!("{id}: {:?}", drive_on(&gateway, id, &computer).await?);
        }
        last = under_way.last().cloned();
        if last.is_none() {
            return Ok(());
        }
    }
}

/// A gateway claims a reset, has the computer wiped, and dies before it can say so.
async fn leave_a_reset_half_done(
    store: &Arc<SqliteStore>,
    id: &ComputerId,
) -> Result<SimulatedComputer<SqliteStore>, Box<dyn Error>> {
    let gateway = Gateway::new(store.clone(), GatewayName::new("gateway-1")?);
    let _ = gateway.create(id).await?;
    let computer = SimulatedComputer::start(store.clone(), id.clone(), CounterKind::StartsAgain).await?;
    let _ = computer.register().await?;
    let seen = gateway.standing(id).await?.incarnation;
    assert_eq!(gateway.claim(id, seen).await?, ClaimOutcome::Claimed);
    let order = gateway.send_wipe(id).await?.map_err(|_| "no reset is under way")?;
    outlive::snapshot::Computer::wipe(&computer, &order).await?;
    Ok(computer)
}

/// The process that was wiped must know who it is before it can be wiped again: so it registers, and the next try ends
/// the reset.
async fn drive_on(
    gateway: &Gateway<SqliteStore>,
    id: &ComputerId,
    computer: &SimulatedComputer<SqliteStore>,
) -> Result<ResetOutcome, Box<dyn Error>> {
    let outcome = gateway.drive_reset(id, computer).await?;
    let ResetOutcome::Waiting { .. } = outcome else { return Ok(outcome) };
    let _ = computer.register().await?;
    Ok(gateway.drive_reset(id, computer).await?)
}
