//! What is going on, on standard error: rewritten on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::engine::{Progress, induction, simulate};

/// A line about what is going on.
pub(super) struct ProgressLine {
    is_wanted: bool,
    is_terminal: bool,
    last: Instant,
    is_shown: bool,
}

impl ProgressLine {
    pub(super) fn new(is_wanted: bool) -> Self {
        ProgressLine { is_wanted, is_terminal: io::stderr().is_terminal(), last: Instant::now(), is_shown: false }
    }

    /// Shows how a search goes, if it is time to.
    pub(super) fn show(&mut self, done: usize, all: usize, variant: &str, progress: &Progress) {
        if !self.is_time() {
            return;
        }
        let Progress { depth, transitions, states, queue, elapsed } = progress;
        let rate = *states as f64 / elapsed.as_secs_f64().max(0.001);
        let line = format!(
            "{done} of {all} done; {variant}: depth {depth}, {transitions} generated, {states} distinct, {queue} queued, \
             {rate:.0} states/s"
        );
        self.write(&line);
    }

    /// Shows how an induction goes, if it is time to.
    pub(super) fn show_induction(&mut self, progress: &induction::Progress) {
        if self.is_time() {
            let induction::Progress { states, steps } = progress;
            self.write(&format!("induction: {states} states, {steps} steps"));
        }
    }

    /// Shows how random walks go, if it is time to.
    pub(super) fn show_walks(&mut self, all: u64, progress: &simulate::Progress) {
        if self.is_time() {
            let simulate::Progress { walks, taken } = progress;
            self.write(&format!("walk {walks} of {all}: {taken} steps taken"));
        }
    }

    /// Whether anybody wants to know, and has not been told just now.
    fn is_time(&mut self) -> bool {
        let pause = if self.is_terminal { Duration::from_millis(250) } else { Duration::from_secs(5) };
        let is_time = self.is_wanted && self.last.elapsed() >= pause;
        if is_time {
            self.last = Instant::now();
        }
        is_time
    }

    /// Makes room for results.
    pub(super) fn clear(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
            self.is_shown = false;
        }
    }

    /// Nobody may be listening, and that is no reason to stop.
    fn write(&mut self, line: &str) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
            self.is_shown = true;
        } else {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}
