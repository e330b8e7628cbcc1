//! Passes over all computers: what is under way and nobody drives is driven on, and what is said of the others is held
//! against the provider.
//!
//! # Theory of operation
//!
//! A pass takes no input. It lists rows, a page at a time, and acts on each: so to start a reconciler again, anywhere,
//! is as good as never to have stopped it. There are two lists:
//!
//! - *Under way.* An operation of our own whose gate is free has lost its driver, and is driven on. One of an owner
//!   that is proven dead, or of none, is taken over. Both keep their launch.
//! - *To sweep.* The row was read with the list, the provider is asked after that, and what follows is written over the
//!   revision that was read. A computer whose gate is held is passed by.
//!
//! Reports come unasked, one computer at a time ([`Reconciler::follow`], [`Reconciler::deliver`]). What they say is
//! written only ahead of the mark of the row, which is durable: so a report that was waiting while a control plane
//! started anew has no more effect than it would have had before (X4). That something is absent is only a reason to
//! ask.
//!
//! # Ground rules
//!
//! - To list and to act are two functions, so that a test can put a race between them. What is planned is pure.
//! - A row is counted once, whatever becomes of it, and an error of one row ends nothing but its own turn.
//! - A computer has one turn at a time in each list, and no turn waits for a gate. Each call of a turn has its limit of
//!   time, so a provider that hangs on one computer takes one place among [`Pace::concurrency`], and not for ever. Only
//!   [`Reconciler::follow`] waits without a limit.
//!
//! # What it does not do
//!
//! - It makes no decision of the store: what is written is decided in the step that writes it.
//! - It starts nothing and stops nothing that nobody has asked for, besides the deletion of what is gone.
//! - It has no task of its own: a pass is polled by whoever awaits it.

mod act;
mod counts;
mod crew;
mod plan;
mod report;

use std::future::{Future, pending};
use std::time::Duration;

use tracing::{instrument, warn};

pub use act::{Acted, Reason, Row};
pub use counts::{Counts, Totals};
pub use report::Told;

use crate::id::ComputerId;
use crate::operation::ControlPlane;
use crate::provider::Provider;
use crate::race::{both, either};
use crate::store::OperationStore;
use crate::store::operation::Liveness;
use crate::sync::{Arc, Mutex};
use crew::Crew;

/// How much is done at once, and how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Pace {
    /// How many computers have their turn at once, for each list. Default: 64.
    pub concurrency: usize,
    /// How many rows are read at once. Default: 200.
    pub page: usize,
    /// How many rows of a list have a turn in one pass. One that leaves others says so ([`Counts::capped`]), and the
    /// next one goes on behind them. Default: all.
    pub rows: usize,
    /// Between two looks at what is under way. Default: 5 seconds.
    pub under_way_interval: Duration,
    /// Between two sweeps. Default: 1 minute.
    pub sweep_interval: Duration,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            concurrency: 64,
            page: 200,
            rows: usize::MAX,
            under_way_interval: Duration::from_secs(5),
            sweep_interval: Duration::from_secs(60),
        }
    }
}

/// Looks after all computers of a store, beside the operations of one [`ControlPlane`], whose gates it heeds.
pub struct Reconciler<S, P, L> {
    plane: ControlPlane<S, P, L>,
    pace: Pace,
    places: Arc<Places>,
}

/// Behind which row each list goes on, if the last pass has left others.
#[derive(Default)]
struct Places {
    under_way: Mutex<Option<ComputerId>>,
    sweep: Mutex<Option<ComputerId>>,
}

impl Places {
    fn of(&self, reason: Reason) -> &Mutex<Option<ComputerId>> {
        match reason {
            Reason::UnderWay => &self.under_way,
            Reason::Sweep => &self.sweep,
        }
    }
}

impl<S, P, L> Clone for Reconciler<S, P, L> {
    fn clone(&self) -> Self {
        Reconciler { plane: self.plane.clone(), pace: self.pace, places: self.places.clone() }
    }
}

impl<S: OperationStore, P: Provider, L: Liveness> Reconciler<S, P, L> {
    /// A reconciler beside this control plane, with [`Pace::default`].
    pub fn new(plane: ControlPlane<S, P, L>) -> Reconciler<S, P, L> {
        Reconciler::with_pace(plane, Pace::default())
    }

    /// The same, at a pace of its own. At least one computer has its turn, and one row is read.
    pub fn with_pace(plane: ControlPlane<S, P, L>, pace: Pace) -> Reconciler<S, P, L> {
        let Pace { concurrency, page, rows, .. } = pace;
        let pace = Pace { concurrency: concurrency.max(1), page: page.max(1), rows: rows.max(1), ..pace };
        Reconciler { plane, pace, places: Arc::default() }
    }

    /// The control plane whose gates it heeds.
    pub fn control_plane(&self) -> &ControlPlane<S, P, L> {
        &self.plane
    }

    /// One pass over both lists: what is under way, and then what is to be swept.
    ///
    /// # Guarantees
    /// Of a list that was read to its end, from its beginning: RECONCILE-19, RECONCILE-20: what was under way all the
    /// time has had its turn, and what nobody drove was driven. RECONCILE-21, RECONCILE-22: what was ready or an error
    /// all the time was held against the provider. One that was capped, or has broken off, says so, and the next pass
    /// goes on where it ended. Each row that was listed is counted once.
    ///
    /// # Assumptions
    /// ASSUME-9, ASSUME-10 and ASSUME-12, of the provider; ASSUME-11, that the dead stay dead.
    ///
    /// # Outcomes
    /// What became of the rows, counted for each list.
    ///
    /// # Errors
    /// None: what has failed is counted, told to the log, and has its turn in the next pass. A list that breaks off
    /// says so in its counts.
    ///
    /// # Cancellation
    /// What was begun is under way, and the next pass goes on.
    #[instrument(name = "outlive.pass", skip_all)]
    pub async fn pass(&self) -> Totals {
        let (under_way, sweep) =
            (self.round_to_the_end(Reason::UnderWay).await, self.round_to_the_end(Reason::Sweep).await);
        Totals { under_way, sweep }
    }

    /// Passes, again and again, until it is told to stop. Then no turn begins any more, and those that have begun are
    /// waited for.
    ///
    /// # Guarantees
    /// Those of [`Reconciler::pass`], again and again. A turn that takes long delays no other computer's, as long as
    /// fewer than [`Pace::concurrency`] of its list do.
    ///
    /// # Assumptions
    /// Those of [`Reconciler::pass`].
    ///
    /// # Outcomes
    /// What became of the rows, counted over all passes.
    ///
    /// # Errors
    /// None, as in a pass.
    ///
    /// # Cancellation
    /// As for [`Reconciler::pass`].
    pub async fn run_until(&self, stop: impl Future<Output = ()>) -> Totals {
        self.run_until_forced(stop, pending()).await
    }

    /// The same, with a second signal: what has begun is dropped then. It stays under way, and whoever comes next
    /// drives it on.
    ///
    /// # Guarantees, Assumptions, Outcomes, Errors, Cancellation
    /// Those of [`Reconciler::run_until`]. The force counts only after the stop.
    pub async fn run_until_forced(&self, stop: impl Future<Output = ()>, force: impl Future<Output = ()>) -> Totals {
        let (mut resumes, mut sweeps) = (Crew::new(), Crew::new());
        {
            let resume = self.again_and_again(Reason::UnderWay, &mut resumes);
            let sweep = self.again_and_again(Reason::Sweep, &mut sweeps);
            // Neither ends by itself.
            either(stop, either(resume, sweep)).await;
        }
        either(both(resumes.finish(), sweeps.finish()), force).await;
        Totals { under_way: resumes.end(), sweep: sweeps.end() }
    }

    async fn round_to_the_end(&self, reason: Reason) -> Counts {
        let mut crew = Crew::new();
        self.round(reason, &mut crew).await;
        crew.finish().await;
        crew.end()
    }

    async fn again_and_again<'r>(&'r self, reason: Reason, crew: &mut Crew<'r>) {
        let interval = match reason {
            Reason::UnderWay => self.pace.under_way_interval,
            Reason::Sweep => self.pace.sweep_interval,
        };
        loop {
            self.round(reason, crew).await;
            crew.beside(self.plane.timer().sleep(interval)).await;
        }
    }

    /// Lists once, and begins the turn of each row. Who still has one from before is passed by.
    async fn round<'r>(&'r self, reason: Reason, crew: &mut Crew<'r>) {
        // Always from the beginning, whatever stands behind the cap would never have its turn.
        let place = self.places.of(reason);
        let (mut after, mut rows_left) = (place.lock().take(), self.pace.rows);
        loop {
            let page = match crew.beside(self.list(reason, after.clone())).await {
                Ok(page) => page,
                Err(error) => {
                    warn!(reason = reason.word(), %error, "a list has broken off");
                    crew.counts.lists_broken += 1;
                    *place.lock() = after;
                    return;
                }
            };
            if page.is_empty() {
                return;
            }
            for row in page {
                if rows_left == 0 {
                    crew.counts.capped += 1;
                    *place.lock() = after;
                    return;
                }
                rows_left -= 1;
                after = Some(row.computer.clone());
                crew.until_fewer_than(self.pace.concurrency).await;
                crew.begin(row.computer.clone(), || self.act(row));
            }
        }
    }
}
