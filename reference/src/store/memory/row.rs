//! The row of one computer, and the decisions on it. Each asks first and writes last, so that a refusal leaves the row
//! as it was.

use bytes::Bytes;

use crate::id::{Incarnation, PageName};
use crate::store::*;

/// What is kept about one computer.
pub(super) struct Row {
    current: Incarnation,
    is_resetting: bool,
    since: Incarnation,
    page: Option<(PageName, Bytes)>,
}

impl Row {
    /// The row of a computer of which no process has registered yet.
    pub(super) fn nobodys() -> Row {
        Row { current: Incarnation::NOBODY, is_resetting: false, since: Incarnation::NOBODY, page: None }
    }

    pub(super) fn standing(&self) -> Standing {
        Standing {
            incarnation: self.current,
            is_resetting: self.is_resetting,
            since: self.since,
            page: self.page.as_ref().map(|(name, _)| *name),
        }
    }

    /// What follows the current incarnation. RESTART-2: above all before it, or nothing.
    fn next(&self, computer: &ComputerId) -> Result<Incarnation, StoreError> {
        self.current.next().ok_or_else(|| StoreError::LastIncarnation { computer: computer.clone() })
    }

    pub(super) fn ask(&mut self, ask: &Ask) -> Result<Question, StoreError> {
        Ok(Question::new(ask.clone(), self.current))
    }

    pub(super) fn register(&mut self, question: &Question) -> Result<RegisterOutcome, StoreError> {
        // RESTART-1: a question of a dead process must not take the computer from the living one.
        if question.expected != self.current {
            return Ok(RegisterOutcome::Overtaken { current: self.current });
        }
        self.current = self.next(&question.computer)?;
        Ok(RegisterOutcome::Registered { incarnation: self.current })
    }

    pub(super) fn begin(&mut self, _: &Begin) -> Result<BeginOutcome, StoreError> {
        // SAVE-1: read before the call, so that the page cannot be of an older life than it says.
        Ok(match self.current {
            Incarnation::NOBODY => BeginOutcome::NeverRegistered,
            incarnation => BeginOutcome::Begun { incarnation },
        })
    }

    pub(super) fn save(&mut self, save: &Save) -> Result<SaveOutcome, StoreError> {
        let current = self.current;
        // RESET-2: what the wipe destroys must not be stored after the claim.
        if self.is_resetting {
            return Ok(SaveOutcome::Resetting { current });
        }
        // SAVE-3: equality decides, since the page may be gone and leave nothing to compare with. Nobody's incarnation
        // is no life, so no page is of it.
        if save.page.incarnation != current || current == Incarnation::NOBODY {
            return Ok(SaveOutcome::Fenced { current });
        }
        // SAVE-4: pages of two incarnations do not compare, so another life's page never keeps this one out.
        Ok(match self.page {
            Some((stored, _)) if save.page <= stored => SaveOutcome::Superseded { stored },
            // RESTART-6: nothing else keeps it out.
            _ => {
                self.page = Some((save.page, save.body.clone()));
                SaveOutcome::Stored
            }
        })
    }

    pub(super) fn claim(&mut self, claim: &Claim) -> Result<ClaimOutcome, StoreError> {
        let current = self.current;
        if self.is_resetting {
            return Ok(ClaimOutcome::UnderWay { current });
        }
        // RESET-1: decided on an older incarnation, it would wipe what its author never saw.
        if claim.expected != current {
            return Ok(ClaimOutcome::Moved { current });
        }
        self.is_resetting = true;
        self.page = None;
        Ok(ClaimOutcome::Claimed)
    }

    pub(super) fn send_wipe(&mut self, _: &SendWipe) -> Result<SendWipeOutcome, StoreError> {
        // RESET-5: it asks nobody who has claimed the reset.
        Ok(match self.is_resetting {
            true => SendWipeOutcome::Send { incarnation: self.current },
            false => SendWipeOutcome::NotResetting { current: self.current },
        })
    }

    pub(super) fn finish(&mut self, finish: &Finish) -> Result<FinishOutcome, StoreError> {
        let current = self.current;
        if !self.is_resetting {
            return Ok(FinishOutcome::NotResetting { current });
        }
        // RESET-4: whoever registered during the reset shows what the wipe of a former life left alone.
        if finish.wiped != current {
            return Ok(FinishOutcome::NotWiped { current });
        }
        let minted = self.next(&finish.computer)?;
        (self.current, self.since, self.is_resetting) = (minted, minted, false);
        Ok(FinishOutcome::Finished { minted })
    }

    pub(super) fn load(&mut self, _: &Load) -> Result<LoadOutcome, StoreError> {
        // SAVE-9: what an agent is shown is what its references resolve against.
        let body = self.page.as_ref().map(|(_, body)| body.clone());
        Ok(LoadOutcome { standing: self.standing(), body })
    }

    pub(super) fn resolve(&mut self, resolve: &Resolve) -> Result<ResolveOutcome, StoreError> {
        let current = self.current;
        Ok(match &self.page {
            // RESET-6: a page of another incarnation shows elements that the computer may no longer have.
            Some((stored, body)) if *stored == resolve.cited && stored.incarnation == current => {
                ResolveOutcome::Resolved { body: body.clone() }
            }
            other => ResolveOutcome::Stale { current, stored: other.as_ref().map(|(stored, _)| *stored) },
        })
    }

    pub(super) fn rollback(&mut self, rollback: &Rollback) -> Result<RollbackOutcome, StoreError> {
        let current = self.current;
        if self.is_resetting {
            return Ok(RollbackOutcome::Resetting { current });
        }
        // SAVE-7: sent twice, it would undo what was done since the first time.
        if rollback.expected != current {
            return Ok(RollbackOutcome::Moved { current });
        }
        // SAVE-8: what was wiped stays wiped, also for those who remember it; and what was never minted, or is
        // nobody's, nobody can have loaded.
        let of = rollback.to.incarnation;
        if of.was_minted_before(self.since) {
            return Ok(RollbackOutcome::Wiped { since: self.since });
        }
        if of == Incarnation::NOBODY || current.was_minted_before(of) {
            return Ok(RollbackOutcome::NeverMinted { current });
        }
        self.current = self.next(&rollback.computer)?;
        self.page = Some((rollback.to, rollback.body.clone()));
        Ok(RollbackOutcome::RolledBack { minted: self.current })
    }
}

#[cfg(test)]
impl Row {
    /// A row after which nothing can be minted.
    pub(super) fn of_the_last_incarnation() -> Row {
        let last = Incarnation::try_from(crate::id::NUMBER_LIMIT - 1).unwrap();
        Row { current: last, ..Row::nobodys() }
    }
}
