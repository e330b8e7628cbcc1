//! The trace check against parsing alone: a million events of 10,000 computers, one core.
//!
//! `cargo bench -p outlive-benches --bench conform`
//!
//! Both sides read the same bytes through the same reader, which finds the ends of lines with memchr, and parse each
//! line with serde_json into the same borrowed event. The raw side stops there, and ours judges. Wanted is a ratio of
//! at least 0.6, and a memory that does not grow with the length: each computer's is bounded, so four times the events
//! may take little more.

use std::env;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use outlive_benches::{cpu_time, median, memory};
use outlive_model_check::conform::report::Verdict;
use outlive_model_check::conform::snapshot::walk::{Size, Walk};
use outlive_model_check::conform::{Input, Options, check, parse};

const COMPUTERS: usize = 10_000;
const EVENTS: u64 = 1_000_000;
/// How much longer the trace is whose memory is compared. What is remembered of a computer fills up within its first
/// hundred events, so that a shorter one would say nothing.
const LONGER: u64 = 4;
const ROUNDS: usize = 5;

/// Names the trace whose check a process of its own measures.
const MEASURED: &str = "OUTLIVE_BENCH_PEAK_OF";

fn main() {
    if let Some(path) = env::var_os(MEASURED) {
        println!("{}", peak_of_check(Path::new(&path)));
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (long, longer) = (write(folder.path(), EVENTS), write(folder.path(), LONGER * EVENTS));
    println!("peak memory of a check, over {COMPUTERS} computers");
    for (path, events) in [(&long, EVENTS), (&longer, LONGER * EVENTS)] {
        println!("  {events:>9} events: {:>4} MiB above the start", peak_in_a_process(path));
    }
    let bytes = fs::read(&long).expect("the trace");
    let size = bytes.len() >> 20;
    let input = Input::text("walk", bytes);
    let (mut parsing, mut checking) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        parsing.push(cpu_seconds(|| assert_eq!(parse(std::slice::from_ref(&input)), Ok(EVENTS))));
        checking.push(cpu_seconds(|| judge(&input)));
    }
    let (parsing, checking) = (median(parsing), median(checking));
    let per_event = |seconds: f64| seconds * 1e9 / EVENTS as f64;
    println!("CPU time, median of {ROUNDS} interleaved rounds, {size} MiB");
    println!("  parse: {:>5.0} ns an event, {:.2} M events/s", per_event(parsing), 1e3 / per_event(parsing));
    println!("  check: {:>5.0} ns an event, {:.2} M events/s", per_event(checking), 1e3 / per_event(checking));
    println!("  parse / check = {:.2} (wanted: at least 0.60)", parsing / checking);
}

fn write(folder: &Path, events: u64) -> PathBuf {
    let path = folder.join(format!("{events}.jsonl"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let walk = Walk::new(1, Size { computers: COMPUTERS, gateways: 8, events });
    writeln!(file, "{}", walk.header()).expect("room for a line");
    for line in walk {
        writeln!(file, "{line}").expect("room for a line");
    }
    file.flush().expect("room for the rest");
    path
}

fn judge(input: &Input) {
    let report = check(std::slice::from_ref(input), &Options::default());
    assert_eq!(report.verdict, Verdict::Conforms, "a walk of the model conforms");
}

/// How many MiB a process grows to that does nothing but check the file. What this process has already been given would
/// hide it.
fn peak_in_a_process(path: &Path) -> u64 {
    let program = env::current_exe().expect("this program has a path");
    let measured = Command::new(program).env(MEASURED, path).output().expect("this program starts again");
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    String::from_utf8_lossy(&measured.stdout).trim().parse().expect("a number of MiB")
}

fn peak_of_check(path: &Path) -> u64 {
    let before = memory("VmRSS:");
    judge(&Input::new(path).expect("a path"));
    memory("VmHWM:").saturating_sub(before) >> 10
}

fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let start = cpu_time();
    work();
    (cpu_time() - start).as_secs_f64()
}
