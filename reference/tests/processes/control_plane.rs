//! A control plane that is killed: this test once more, in a process of its own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use outlive::provider::Condition;

use super::{condition, started, stop};
use crate::world::{NOBODY, World};

const TEST: &str = "control_plane::what_a_control_plane_has_started_outlives_it";
/// Set for the process that is killed.
const FOLDER: &str = "OUTLIVE_KILLED_FOLDER";
const STARTED: &str = "it is started";

#[tokio::test]
async fn what_a_control_plane_has_started_outlives_it() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return be_killed(Path::new(&folder)).await;
    }
    let world = World::new();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([TEST, "--exact", "--nocapture"]).env(FOLDER, world.folder());
    let mut control_plane = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(control_plane.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.ends_with(STARTED)), "it has started nothing");
    control_plane.kill().unwrap();
    control_plane.wait().unwrap();

    // It is a child of somebody else by now, who may reap it or not.
    let provider = world.provider_of(world.idle());
    assert_eq!(condition(&world, &provider).await, Some(Condition::Up));
    assert_eq!(world.processes().len(), 1);
    stop(&world, &provider, 1).await;
    assert_eq!(condition(&world, &provider).await, Some(Condition::Exited));
    assert_eq!(world.processes(), NOBODY);
}

async fn be_killed(folder: &Path) {
    let world = World::of_another(folder);
    let _ = started(&world, &world.provider_of(world.idle()), 1).await;
    println!("{STARTED}");
    // Nobody writes, so it waits until it is killed.
    let _ = std::io::stdin().lines().next();
    panic!("nobody has killed the process");
}
