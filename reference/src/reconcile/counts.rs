//! What became of the rows of a list, counted so that it adds up.

use std::ops::AddAssign;

use super::Acted;

/// What became of the rows of one list. Each row that was listed is counted once more, in one of the lines below it.
#[must_use = "what has failed is told nowhere else but in the log"]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Rows that had a turn, or were passed by.
    pub listed: usize,
    /// An operation was driven to its end.
    pub settled: usize,
    /// What was seen was written. A deletion that follows from it was driven to its end, or somebody else is at it.
    pub written: usize,
    /// There was nothing to do.
    pub nothing: usize,
    /// Somebody is at work on it: in this process, an owner of whom no death is proven, or a turn that is not over.
    pub passed_by: usize,
    /// Somebody else was quicker.
    pub lost: usize,
    /// It failed, and has its turn in the next pass.
    pub failed: usize,
    /// Its turn was ended by force.
    pub dropped: usize,
    /// Lists that were not read to their end, because no more rows were to have a turn. No row is counted here.
    pub capped: usize,
    /// Lists that broke off with an error, and so are incomplete. No row is counted here.
    pub lists_broken: usize,
}

impl Counts {
    pub(super) fn note(&mut self, acted: &Acted) {
        let line = match acted {
            Acted::Settled => &mut self.settled,
            Acted::Written { .. } => &mut self.written,
            Acted::Nothing => &mut self.nothing,
            Acted::PassedBy => &mut self.passed_by,
            Acted::Lost => &mut self.lost,
            Acted::Failed(_) | Acted::Panicked => &mut self.failed,
        };
        *line += 1;
    }

    /// Whether each row is counted once.
    pub fn add_up(&self) -> bool {
        let Counts { listed, settled, written, nothing, passed_by, lost, failed, dropped, capped: _, lists_broken: _ } =
            *self;
        listed == settled + written + nothing + passed_by + lost + failed + dropped
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.listed += other.listed;
        self.settled += other.settled;
        self.written += other.written;
        self.nothing += other.nothing;
        self.passed_by += other.passed_by;
        self.lost += other.lost;
        self.failed += other.failed;
        self.dropped += other.dropped;
        self.capped += other.capped;
        self.lists_broken += other.lists_broken;
    }
}

/// What became of the rows of both lists.
#[must_use = "what has failed is told nowhere else but in the log"]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Operations that were under way.
    pub under_way: Counts,
    /// Computers that were held against the provider.
    pub sweep: Counts,
}
