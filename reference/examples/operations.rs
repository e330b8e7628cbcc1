//! A control plane that starts, stops and deletes processes of this host, with the passes that look after them.
//!
//! ```text
//! cargo run -p outlive --example operations
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
    use std::sync::Arc;

    use outlive::clock::Timer;
    use outlive::operation::{Started, Until};
    use outlive::provider::process::{ProcessLiveness, ProcessProvider, Program};
    use outlive::store::{Create, Store};
    use outlive::{ComputerId, ControlPlane, Reconciler, SqliteOptions, SqliteStore};
    use tokio::sync::oneshot;

    pub(super) async fn main() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let store = Arc::new(SqliteStore::open(folder.path().join("outlive.db"), SqliteOptions::new())?);
        let provider = ProcessProvider::open(folder.path().join("records"), |_| program())?;

        // The process is the owner of what it begins, and its death is what others wait for.
        let liveness = ProcessLiveness::new()?;
        let own = liveness.own_name()?;
        println!("this control plane is {own}");
        let plane = ControlPlane::new(own, store.clone(), provider, liveness, Timer::new(tokio::time::sleep));

        // Passes go on beside it, until they are told to stop.
        let (stop, stopped) = oneshot::channel::<()>();
        let passes = Reconciler::new(plane.clone());
        let passes = tokio::spawn(async move { passes.run_until(async move { drop(stopped.await) }).await });

        let id = ComputerId::new("worker-7")?;
        let _ = store.create(Create { computer: id.clone() }).await?;
        let started = plane.start(&id).await?;
        println!("start: {started:?}");
        if let Started::Ready { launch } = started {
            println!("wait: {:?}", plane.wait(&id, Until::Ready, launch).await?);
        }
        println!("restart: {:?}", plane.restart(&id).await?);
        println!("stop: {:?}", plane.stop(&id).await?);
        println!("delete: {:?}", plane.delete(&id).await?);

        // First the passes, then whatever else is under way here.
        let _ = stop.send(());
        println!("passes: {:?}", passes.await?);
        plane.drain().await;
        Ok(())
    }

    /// It says that it is ready, and sleeps.
    fn program() -> Program {
        Program::new("/bin/sh").argument("-c").argument(": > \"$OUTLIVE_READY\" && exec sleep 600")
    }
}
