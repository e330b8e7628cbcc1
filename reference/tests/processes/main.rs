//! What only a provider of real processes can show: deaths from outside, pids that are given out again, and control
//! planes that die or share a folder.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that cannot go on has failed")]

mod control_plane;
mod world;

use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command};

use outlive::provider::process::{ProcessIdentity, ProcessProvider, Program, RestartPolicy, Revival};
use outlive::provider::{Condition, Get, Observation, Provider, Start, StartOutcome, Watch};
use outlive::{ComputerId, InstanceId, Launch, Mark, ProviderError};
use serde_json::{Value, json};
use world::{NOBODY, World, kill};

fn computer() -> ComputerId {
    ComputerId::new("worker/7").unwrap()
}

fn launch(number: u64) -> Launch {
    Launch::try_from(number).unwrap()
}

async fn start(world: &World, provider: &ProcessProvider, number: u64) -> StartOutcome {
    let call = Start { computer: computer(), launch: launch(number) };
    provider.start(world.locks.sweep().io(), call).await.unwrap()
}

/// And until it is ready.
async fn started(world: &World, provider: &ProcessProvider, number: u64) -> InstanceId {
    let StartOutcome::Started { instance } = start(world, provider, number).await else { panic!("it is fenced") };
    until(world, provider, Condition::Up).await;
    instance
}

async fn get(world: &World, provider: &ProcessProvider) -> Result<Observation, ProviderError> {
    provider.get(world.locks.sweep().io(), Get { computer: computer(), launch: launch(1) }).await
}

async fn condition(world: &World, provider: &ProcessProvider) -> Option<Condition> {
    get(world, provider).await.unwrap().seen.map(|seen| seen.condition)
}

async fn stop(world: &World, provider: &ProcessProvider, up_to: u64) {
    let _ = provider.stop(world.locks.sweep().io(), computer(), launch(up_to)).await.unwrap();
}

async fn until(world: &World, provider: &ProcessProvider, expected: Condition) {
    let mut after = Mark::START;
    while condition(world, provider).await != Some(expected) {
        let call = Watch { computer: computer(), after };
        after = provider.watch(world.locks.sweep().io(), call).await.unwrap().mark;
        assert!(after.number() < 10, "it is never {expected:?}");
    }
}

#[tokio::test]
async fn what_is_killed_from_outside_has_exited() {
    let world = World::new();
    let provider = world.provider_of(world.idle());
    let _ = started(&world, &provider, 1).await;
    let pid = provider.process_of(&computer()).unwrap().unwrap().pid;
    kill(pid);
    until(&world, &provider, Condition::Exited).await;
    // It was our child, so nobody else would have reaped it.
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
}

#[tokio::test]
async fn a_program_that_is_not_there_has_exited() {
    let world = World::new();
    let provider = world.provider_of(Program::new("/bin/there-is-no-such-program"));
    let _ = start(&world, &provider, 1).await;
    until(&world, &provider, Condition::Exited).await;
}

#[tokio::test]
async fn what_is_no_program_is_refused_and_leaves_nothing() {
    let world = World::new();
    let provider = world.provider_of(world.idle().argument("a\0b"));
    let call = Start { computer: computer(), launch: launch(1) };
    let refused = provider.start(world.locks.sweep().io(), call).await.unwrap_err();
    assert!(matches!(&refused, ProviderError::Refused { .. }) && !refused.is_transient(), "{refused:?}");
    assert_eq!(get(&world, &provider).await.unwrap().seen, None);
}

#[tokio::test]
async fn a_policy_that_never_restarts_does_not() {
    let world = World::new();
    let provider = world.provider_of(world.idle().restart_policy(RestartPolicy::Never));
    let _ = started(&world, &provider, 1).await;
    kill(provider.process_of(&computer()).unwrap().unwrap().pid);
    until(&world, &provider, Condition::Exited).await;
    let turn = provider.revive(world.locks.sweep().io()).await.unwrap();
    assert_eq!(turn, Revival { looked_at: 1, left: 1, ..Revival::default() });
}

#[tokio::test]
async fn a_process_has_its_own_variables_and_its_own_group() {
    let world = World::new();
    let provider = world.provider_of(world.idle().variable("OF_ITS_OWN", "yes"));
    let _ = started(&world, &provider, 1).await;
    let pid = provider.process_of(&computer()).unwrap().unwrap().pid;
    let variables = String::from_utf8(std::fs::read(format!("/proc/{pid}/environ")).unwrap()).unwrap();
    assert!(variables.contains("OF_ITS_OWN=yes\0"), "{variables}");
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some() && !variables.contains("CARGO"), "{variables}");
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let group = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(2).unwrap();
    assert_eq!(group, pid.to_string());
}

// ------------------------------------------------------------------------------------------ who has the pid by now

/// Writes another process into the record.
fn edit(world: &World, change: impl FnOnce(&mut Value)) {
    let path = world.record();
    let mut record: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    change(&mut record);
    std::fs::write(&path, record.to_string()).unwrap();
}

/// A process that is nobody's computer.
struct Innocent(Child);

impl Innocent {
    fn new() -> Innocent {
        Innocent(Command::new("/bin/sleep").arg("600").spawn().unwrap())
    }

    /// If it was taken for ours, it was reaped by the provider.
    fn lives(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    /// As it stands in a record that is about it.
    fn identity(&self, like: &ProcessIdentity) -> ProcessIdentity {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        let start_time = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().parse().unwrap();
        ProcessIdentity { boot_id: like.boot_id.clone(), pid: self.0.id().cast_signed(), start_time }
    }
}

impl Drop for Innocent {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The record of a computer names this process instead. What do a read and a stop make of it?
async fn taken_for_ours(change: impl FnOnce(ProcessIdentity) -> ProcessIdentity) -> (Option<Condition>, bool) {
    let (world, mut innocent) = (World::new(), Innocent::new());
    let provider = world.provider_of(world.idle());
    let _ = started(&world, &provider, 1).await;
    let ours = provider.process_of(&computer()).unwrap().unwrap();
    let named = change(innocent.identity(&ours));
    edit(&world, |record| record["instance"]["process"] = serde_json::to_value(&named).unwrap());
    let seen = condition(&world, &provider).await;
    stop(&world, &provider, 1).await;
    (seen, innocent.lives())
}

#[tokio::test]
async fn a_pid_that_was_given_out_again_is_not_ours() {
    let is_spared = (Some(Condition::Exited), true);
    let younger = |it: ProcessIdentity| ProcessIdentity { start_time: it.start_time - 1, ..it };
    assert_eq!(taken_for_ours(younger).await, is_spared);
    let of_another_boot = |it: ProcessIdentity| ProcessIdentity { boot_id: "another".to_owned(), ..it };
    assert_eq!(taken_for_ours(of_another_boot).await, is_spared);
    // Were nothing wrong with it, it would be ours, and would die: so the above shows something.
    assert_eq!(taken_for_ours(|it| it).await, (Some(Condition::Up), false));
}

#[tokio::test]
async fn a_pid_that_is_a_thread_by_now_is_not_ours() {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let numbers = threads.map(|thread| thread.file_name().to_str().unwrap().parse::<i32>().unwrap());
    let own = std::process::id().cast_signed();
    let thread = numbers.into_iter().find(|number| *number != own).expect("a test has a thread of its own");
    let (seen, lives) = taken_for_ours(|it| ProcessIdentity { pid: thread, ..it }).await;
    assert_eq!((seen, lives), (Some(Condition::Exited), true));
}

// -------------------------------------------------------------------------------------------------- what is damaged

#[tokio::test]
async fn a_damaged_record_is_not_taken_for_nothing() {
    let changes: [fn(&mut Value); 6] = [
        |record| *record = json!("no record"),
        |record| record["computer"] = json!("another"),
        |record| record["fenced"] = json!(0),
        |record| record["births"] = json!(0),
        |record| record["instance"]["process"]["pid"] = json!(-1),
        |record| record["more"] = json!(1),
    ];
    for change in changes {
        let world = World::new();
        let provider = world.provider_of(world.idle().restart_policy(RestartPolicy::Always));
        let _ = started(&world, &provider, 1).await;
        edit(&world, change);
        let text = std::fs::read_to_string(world.record()).unwrap();
        let answer = get(&world, &provider).await;
        assert!(matches!(answer, Err(ProviderError::Nonsense { .. })), "{text} gave {answer:?}");
        assert_eq!(provider.list(world.locks.sweep().io()).await.unwrap(), []);
        let turn = provider.revive(world.locks.sweep().io()).await.unwrap();
        assert_eq!(turn, Revival { looked_at: 1, failed: 1, ..Revival::default() }, "{text}");
        assert_eq!(world.processes().len(), 1);
    }
}

#[tokio::test]
async fn others_do_not_read_what_programs_are_told() {
    let world = World::new();
    let provider = world.provider_of(world.idle().variable("SECRET", "secret"));
    let _ = started(&world, &provider, 1).await;
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(world.record()), mode(world.records())), (0o600, 0o700));
}

// -------------------------------------------------------------------------------------------- several control planes

#[tokio::test]
async fn the_fence_holds_between_two_control_planes() {
    let world = World::new();
    let (one, other) = (world.provider_of(world.idle()), world.provider_of(world.idle()));
    let instance = started(&world, &one, 2).await;
    assert_eq!(start(&world, &other, 1).await, StartOutcome::Fenced { up_to: launch(2) });
    assert_eq!(started(&world, &other, 2).await, instance);
    stop(&world, &other, 3).await;
    assert_eq!(start(&world, &one, 3).await, StartOutcome::Fenced { up_to: launch(3) });
    assert_eq!(world.processes(), NOBODY);
}

#[tokio::test]
async fn of_starts_that_race_the_newest_alone_runs() {
    let world = World::new();
    let providers: Vec<_> = (0..2).map(|_| world.provider_of(world.idle())).collect();
    let sweep = world.locks.sweep();
    let calls = (1..=8).map(|number| Start { computer: computer(), launch: launch(number) });
    let racing = calls.zip(providers.iter().cycle()).map(|(call, provider)| provider.start(sweep.io(), call));
    // Each has a thread of its own from here on.
    let racing: Vec<_> = racing.collect();
    for outcome in racing {
        let _ = outcome.await.unwrap();
    }
    let there = get(&world, &providers[0]).await.unwrap();
    until(&world, &providers[0], Condition::Up).await;
    let process = providers[0].process_of(&computer()).unwrap().unwrap();
    assert_eq!((there.launch, world.processes()), (launch(8), vec![process.pid]));
}

#[tokio::test]
async fn a_provider_that_is_opened_again_finds_its_children() {
    let world = World::new();
    let instance = started(&world, &world.provider_of(world.idle()), 1).await;
    let provider = world.provider_of(world.idle());
    let seen = get(&world, &provider).await.unwrap().seen.unwrap();
    assert_eq!((seen.instance, seen.condition), (instance, Condition::Up));
    stop(&world, &provider, 1).await;
    assert_eq!(world.processes(), NOBODY);
}
