//! What a gate costs, and whether it is fair.
//!
//! `cargo bench -p outlive-benches --bench gate`
//!
//! A gate that nobody waits for is compared with the least that a table of locks could do: under a mutex of the
//! standard library, an insert into a `BTreeMap` and later a removal, with the same keys. Wanted is a ratio of at most
//! three. Both are measured while nothing else is in the table, and while 10,000 other computers are.
//!
//! Then 64 tasks take the gates of 10,000 computers, half of the time those of a few that everybody wants. Wanted is
//! that nobody is overtaken, and that nobody is lost: who waits for ever would keep the bench from ending.

#![expect(clippy::disallowed_types, reason = "the baseline is a mutex of the standard library")]

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::hint::black_box;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use outlive::ComputerId;
use outlive::locks::{LifecycleGuard, Locks};
use outlive_benches::{median, thread_cpu_time};

const COMPUTERS: usize = 10_000;
/// Of these, so many are wanted by everybody.
const BUSY: usize = 8;
const TASKS: usize = 64;
const OPERATIONS: usize = 10_000;
const ROUNDS: usize = 9;
/// Longer than all tasks take, on any machine.
const PATIENCE: Duration = Duration::from_secs(300);

fn main() {
    let computers: Vec<ComputerId> = (0..COMPUTERS).map(|at| computer(&format!("computer-{at}"))).collect();
    println!("a gate that nobody waits for, CPU time of one operation, median of {ROUNDS} interleaved rounds");
    uncontended("nothing else is held", &computers, &[]);
    let others: Vec<ComputerId> = (0..COMPUTERS).map(|at| computer(&format!("another-{at}"))).collect();
    uncontended("10,000 others are held", &computers, &others);
    fair(computers);
}

fn computer(name: &str) -> ComputerId {
    ComputerId::new(name).expect("a name")
}

// ---------------------------------------------------------------------------------------------------- uncontended

fn uncontended(what: &str, computers: &[ComputerId], others: &[ComputerId]) {
    let locks = Locks::new(());
    let mut tickets: Vec<_> = others.iter().map(|_| locks.ticket()).collect();
    let held: Vec<_> =
        tickets.iter_mut().zip(others).map(|(ticket, id)| at_once(ticket.lock_for(id.clone()))).collect();
    let map = Mutex::new(others.iter().cloned().map(|id| (id, 0)).collect());
    let (mut gates, mut inserts) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        gates.push(nanoseconds(computers, |id| {
            let mut ticket = locks.ticket();
            drop(black_box(at_once(ticket.lock_for(id.clone()))));
        }));
        inserts.push(nanoseconds(computers, |id| insert_and_remove(&map, id)));
    }
    drop(held);
    let (gates, inserts) = (median(gates), median(inserts));
    println!("  {what}: gate {gates:.0} ns, insert and remove {inserts:.0} ns");
    println!("    gate / insert and remove = {:.2} (wanted: at most 3)", gates / inserts);
}

fn insert_and_remove(map: &Mutex<BTreeMap<ComputerId, u64>>, id: &ComputerId) {
    map.lock().expect("nobody panics").insert(id.clone(), 1);
    black_box(map.lock().expect("nobody panics").remove(id));
}

/// The outcome of a future that waits for nobody.
fn at_once<F: Future>(future: F) -> F::Output {
    let Poll::Ready(outcome) = pin!(future).poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("somebody holds the gate");
    };
    outcome
}

fn nanoseconds(computers: &[ComputerId], work: impl Fn(&ComputerId)) -> f64 {
    const REPEATS: usize = 10;
    let start = thread_cpu_time();
    (0..REPEATS).for_each(|_| computers.iter().for_each(&work));
    (thread_cpu_time() - start).as_secs_f64() * 1e9 / (REPEATS * computers.len()) as f64
}

// ------------------------------------------------------------------------------------------------------ fairness

/// One operation, in the order of one clock that all tasks share.
#[derive(Clone, Copy)]
struct Turn {
    computer: usize,
    /// Before it came.
    asked: u64,
    /// After it had the gate, or a place in the queue.
    queued: u64,
    /// When it had the gate.
    granted: u64,
}

fn fair(computers: Vec<ComputerId>) {
    // That the measure can fail: the second came when the first had its place, and went before it.
    let first = Turn { computer: 0, asked: 0, queued: 1, granted: 5 };
    let second = Turn { computer: 0, asked: 2, queued: 3, granted: 4 };
    assert_eq!(overtaken(vec![first, second]), 1);
    let (tell, told) = mpsc::channel();
    let start = Instant::now();
    thread::spawn(move || tell.send(turns(computers)));
    let turns = told.recv_timeout(PATIENCE).expect("nobody waits for ever");
    let spent = start.elapsed();
    assert_eq!(turns.len(), TASKS * OPERATIONS, "an operation is lost");
    let waited = turns.iter().filter(|turn| turn.granted > turn.queued + 1).count();
    let overtaken = overtaken(turns);
    println!("{TASKS} tasks, {COMPUTERS} computers, {} operations, {spent:.1?}", TASKS * OPERATIONS);
    println!("  {waited} saw others come or go between their place and their gate");
    println!("  overtaken: {overtaken} (wanted: 0)");
    assert!(waited > OPERATIONS, "nobody had to wait, so nobody could be overtaken");
    assert_eq!(overtaken, 0, "whoever came first has been passed over");
}

fn turns(computers: Vec<ComputerId>) -> Vec<Turn> {
    let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("a runtime");
    let (locks, clock, computers) = (Arc::new(Locks::new(0_u64)), Arc::new(AtomicU64::new(0)), Arc::new(computers));
    let tasks: Vec<_> =
        (0..TASKS).map(|task| runtime.spawn(operate(task, locks.clone(), clock.clone(), computers.clone()))).collect();
    runtime.block_on(async {
        let mut turns = Vec::new();
        for task in tasks {
            turns.extend(task.await.expect("no task panics"));
        }
        turns
    })
}

async fn operate(
    task: usize,
    locks: Arc<Locks<u64>>,
    clock: Arc<AtomicU64>,
    computers: Arc<Vec<ComputerId>>,
) -> Vec<Turn> {
    let tick = || clock.fetch_add(1, Ordering::SeqCst);
    let mut turns = Vec::with_capacity(OPERATIONS);
    for at in 0..OPERATIONS {
        let wanted = (at * TASKS + task) * 7919;
        let computer = wanted % if at % 2 == 0 { BUSY } else { COMPUTERS };
        let mut ticket = locks.ticket();
        let mut gate = pin!(ticket.lock_for(computers[computer].clone()));
        let asked = tick();
        let first = poll_fn(|context| Poll::Ready(gate.as_mut().poll(context))).await;
        let queued = tick();
        let mut gate: LifecycleGuard<'_, u64> = match first {
            Poll::Ready(gate) => gate,
            Poll::Pending => gate.await,
        };
        turns.push(Turn { computer, asked, queued, granted: tick() });
        *gate.global() += 1;
        // As a call of a provider would: others come meanwhile.
        tokio::task::yield_now().await;
    }
    turns
}

/// How many had their turn before one whose place in the queue was certain when they came.
fn overtaken(mut turns: Vec<Turn>) -> usize {
    turns.sort_by_key(|turn| (turn.computer, turn.granted));
    let of_one_computer = turns.chunk_by(|one, next| one.computer == next.computer);
    let count = of_one_computer.map(|turns| {
        let mut first_place_after = u64::MAX;
        let ahead = turns.iter().rev().filter(|turn| {
            let is_ahead = first_place_after < turn.asked;
            first_place_after = first_place_after.min(turn.queued);
            is_ahead
        });
        ahead.count()
    });
    count.sum()
}
