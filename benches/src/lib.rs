//! What the benches share.

use std::fs;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What this process has used of all processors. Wall time says how busy the machine was, and this what the work costs.
pub fn cpu_time() -> Duration {
    used(ClockId::ProcessCPUTime)
}

/// What this thread alone has used.
pub fn thread_cpu_time() -> Duration {
    used(ClockId::ThreadCPUTime)
}

fn used(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanoseconds.unwrap_or_default())
}

/// A line of this process's status, in KiB, for instance `VmHWM:`, the most memory that it ever had. Linux alone has
/// it; it is 0 elsewhere.
pub fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The one in the middle.
///
/// # Panics
/// If there is none.
pub fn median(mut values: Vec<f64>) -> f64 {
    assert!(!values.is_empty(), "nothing was measured");
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
