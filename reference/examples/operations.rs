//! A control plane that starts, stops and deletes processes of this host, with the passes that look after them. It
//! prints the trace of all that was done, ready for `model-check conform -`, and says on standard error what goes on.
//!
//! ```text
//! cargo run -p outlive --example operations | cargo run -p outlive-model-check -- conform -
//! ```

use std::error::Error;

#[cfg(target_os = "linux")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    linux::main().await
}

#[cfg(not(target_os = "linux"))]
fn main() -> Result<(), Box<dyn Error>> {
    Err("the provider of processes runs under Linux".into())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::error::Error;
    use std::io;
    use std::sync::Arc;

    use outlive::clock::Timer;
    use outlive::operation::{Limits, Started, Until};
    use outlive::provider::process::{ProcessLiveness, ProcessProvider, Program};
    use outlive::store::{Create, Store};
    use outlive::trace::Protocol;
    use outlive::{ComputerId, ControlPlane, ProviderName, Reconciler, SqliteOptions, SqliteStore};
    use tokio::sync::oneshot;

    pub(super) async fn main() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        // One recorder for all three that act, so that their events stand in one order.
        let options = SqliteOptions::new().recording();
        let store = Arc::new(SqliteStore::open(folder.path().join("outlive.db"), options)?);
        let recorder = store.recorder();
        let seen = recorder.provider(&ProviderName::new("processes")?);
        let provider = ProcessProvider::open_recording(folder.path().join("records"), |_| program(), seen)?;

        // The process is the owner of what it begins, and its death is what others wait for.
        let liveness = ProcessLiveness::new()?;
        let own = liveness.own_name()?;
        eprintln!("this control plane is {own}");
        let (timer, limits) = (Timer::new(tokio::time::sleep), Limits::default());
        let plane = ControlPlane::recording(own, store.clone(), provider, liveness, timer, limits, recorder.clone());

        // Passes go on beside it, until they are told to stop.
        let (stop, stopped) = oneshot::channel::<()>();
        let passes = Reconciler::new(plane.clone());
        let passes = tokio::spawn(async move { passes.run_until(async move { drop(stopped.await) }).await });

        let id = ComputerId::new("worker-7")?;
        let _ = store.create(Create { computer: id.clone() }).await?;
        let started = plane.start(&id).await?;
        eprintln!("start: {started:?}");
        if let Started::Ready { launch } = started {
            eprintln!("wait: {:?}", plane.wait(&id, Until::Ready, launch).await?);
        }
        eprintln!("restart: {:?}", plane.restart(&id).await?);
        eprintln!("stop: {:?}", plane.stop(&id).await?);
        eprintln!("delete: {:?}", plane.delete(&id).await?);

        // First the passes, then whatever else is under way here.
        let _ = stop.send(());
        eprintln!("passes: {:?}", passes.await?);
        plane.drain().await;
        recorder.export(Protocol::Operation, &mut io::stdout()).await?;
        Ok(())
    }

    /// It says that it is ready, and sleeps.
    fn program() -> Program {
        Program::new("/bin/sh").argument("-c").argument(": > \"$OUTLIVE_READY\" && exec sleep 600")
    }
}
