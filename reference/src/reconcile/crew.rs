//! The turns that are under way at once: one for each computer, and each counted once.

use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use futures_util::stream::{FuturesUnordered, Stream};

use super::{Acted, Counts};
use crate::id::ComputerId;

type Turn<'r> = Pin<Box<dyn Future<Output = (ComputerId, Acted)> + Send + 'r>>;

pub(super) struct Crew<'r> {
    at_work: FuturesUnordered<Turn<'r>>,
    computers: BTreeSet<ComputerId>,
    pub(super) counts: Counts,
}

impl<'r> Crew<'r> {
    pub(super) fn new() -> Crew<'r> {
        Crew { at_work: FuturesUnordered::new(), computers: BTreeSet::new(), counts: Counts::default() }
    }

    /// Begins the turn of a computer, unless it has one already: it is passed by then.
    pub(super) fn begin<F: Future<Output = Acted> + Send + 'r>(
        &mut self,
        computer: ComputerId,
        turn: impl FnOnce() -> F,
    ) {
        self.counts.listed += 1;
        if self.computers.insert(computer.clone()) {
            let turn = turn();
            self.at_work.push(Box::pin(async move { (computer, turn.await) }));
        } else {
            self.counts.note(&Acted::PassedBy);
        }
    }

    /// Waits for something else, and lets the turns go on meanwhile.
    pub(super) async fn beside<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = pin!(other);
        poll_fn(|context| {
            while self.poll_one(context) == Poll::Ready(true) {}
            other.as_mut().poll(context)
        })
        .await
    }

    /// Waits until there is a place for another turn.
    pub(super) async fn until_fewer_than(&mut self, limit: usize) {
        poll_fn(|context| {
            while self.at_work.len() >= limit {
                if self.poll_one(context).is_pending() {
                    return Poll::Pending;
                }
            }
            Poll::Ready(())
        })
        .await;
    }

    /// Waits until all turns are over.
    pub(super) async fn finish(&mut self) {
        self.until_fewer_than(1).await;
    }

    /// What became of all rows. Turns that are not over are dropped.
    pub(super) fn end(mut self) -> Counts {
        self.counts.dropped += self.at_work.len();
        assert!(self.counts.add_up(), "a row is lost or counted twice: {:?}", self.counts);
        self.counts
    }

    /// Counts a turn that is over, if there is one; false if there is none at all.
    fn poll_one(&mut self, context: &mut Context<'_>) -> Poll<bool> {
        Pin::new(&mut self.at_work).poll_next(context).map(|done| {
            let Some((computer, acted)) = done else { return false };
            self.computers.remove(&computer);
            self.counts.note(&acted);
            true
        })
    }
}
