//! What a process says of its saves until it is killed: a line before each is sent, and a line once it is decided. So
//! the reader of the lines knows after the kill what was acknowledged and what was not. Of the save at which it is
//! killed the process keeps the decision back. Otherwise every save might be decided by chance before the kill arrives,
//! and the run would show nothing about a save that was under way.

use std::collections::BTreeMap;
use std::future::pending;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use outlive::{ComputerId, PageName};

/// Where the lines go.
#[derive(Debug)]
pub(super) struct Journal {
    is_spoken: bool,
    /// The save whose decision is kept back.
    killed_at: Option<u64>,
    next: AtomicU64,
}

impl Journal {
    /// Says nothing.
    pub(super) fn silent() -> Journal {
        Journal { is_spoken: false, killed_at: None, next: AtomicU64::new(1) }
    }

    /// Speaks on standard output, until the process is killed at this save.
    pub(super) fn spoken(killed_at: u64) -> Journal {
        Journal { is_spoken: true, killed_at: Some(killed_at), next: AtomicU64::new(1) }
    }

    /// A save is about to be sent. Returns its number, counted from 1.
    pub(super) fn sent(&self, computer: &ComputerId, page: PageName) -> u64 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (incarnation, generation) = (page.incarnation.number(), page.generation.number());
        self.say(format_args!("sent {number} {computer} {incarnation} {generation}\n"));
        number
    }

    /// The store has decided. Of the save at which the process is killed it says nothing, and waits for the kill.
    pub(super) async fn decided(&self, number: u64, is_stored: bool) {
        if self.killed_at == Some(number) {
            return pending().await;
        }
        let word = if is_stored { "stored" } else { "refused" };
        self.say(format_args!("{word} {number}\n"));
    }

    fn say(&self, line: std::fmt::Arguments<'_>) {
        if self.is_spoken {
            let mut out = io::stdout().lock();
            // If nobody listens any more, the reader is dead and this process is about to be.
            let _ = out.write_fmt(line).and_then(|()| out.flush());
        }
    }
}

/// A save as the trace names it: computer, incarnation, generation.
pub(super) type SaveName = (String, u64, u64);

/// What was heard from a process that is dead now.
#[derive(Default, Debug)]
pub(super) struct Heard {
    sent: BTreeMap<u64, SaveName>,
    stored: Vec<SaveName>,
}

impl Heard {
    /// Takes one line.
    pub(super) fn take(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["sent", number, computer, incarnation, generation] => {
                if let (Ok(number), Ok(incarnation), Ok(generation)) =
                    (number.parse(), incarnation.parse(), generation.parse())
                {
                    self.sent.insert(number, ((*computer).to_owned(), incarnation, generation));
                }
            }
            [word, number] => {
                let save = number.parse().ok().and_then(|number: u64| self.sent.remove(&number));
                self.stored.extend(save.filter(|_| *word == "stored"));
            }
            _ => {}
        }
    }

    /// How many saves were acknowledged as stored.
    pub(super) fn stored(&self) -> &[SaveName] {
        &self.stored
    }

    /// How many saves were sent and not heard of again.
    pub(super) fn unacknowledged(&self) -> usize {
        self.sent.len()
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::{Heard, Journal};

    #[test]
    fn what_was_sent_is_unacknowledged_until_it_is_decided() {
        let mut heard = Heard::default();
        for line in ["sent 0 c-1 1 1", "sent 1 c-2 1 1", "sent 2 c-3 4 2", "stored 0", "refused 1", "sto"] {
            heard.take(line);
        }
        assert_eq!(heard.stored(), [("c-1".to_owned(), 1, 1)]);
        assert_eq!(heard.unacknowledged(), 1);
    }

    #[test]
    fn of_the_save_at_which_it_is_killed_nobody_hears() {
        let journal = Journal { killed_at: Some(2), ..Journal::silent() };
        let decided = |number| pin!(journal.decided(number, true)).poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!([1, 2, 3].map(decided), [Poll::Ready(()), Poll::Pending, Poll::Ready(())]);
    }
}
