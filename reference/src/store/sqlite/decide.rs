//! The decisions, each inside a transaction of its own.
//!
//! What changes a row is one UPDATE whose condition is the rule: what the condition names is what decides, and the
//! number of rows is the verdict. If no row was changed, a second read in the same transaction says why. What only
//! reads decides on one read, and `create` on whether there is a row.

use rusqlite::{Connection, params};

use super::failure::Fault;
use super::row::{self, body, number, standing};
use crate::id::Incarnation;
use crate::store::*;

pub(super) fn create(raw: &Connection, request: &Create) -> Result<CreateOutcome, Fault> {
    // An existing row is reported, and neither overwritten nor revived.
    if let Some(standing) = row::find(raw, &request.computer)? {
        return Ok(CreateOutcome::Exists { current: standing.incarnation });
    }
    raw.prepare_cached("INSERT INTO computer (id, incarnation, resetting, since) VALUES (?1, 0, 0, 0)")?
        .execute([request.computer.as_str()])?;
    Ok(CreateOutcome::Created)
}

pub(super) fn ask(raw: &Connection, request: &Ask) -> Result<Question, Fault> {
    Ok(Question::new(request.clone(), standing(raw, &request.computer)?.incarnation))
}

pub(super) fn register(raw: &Connection, question: &Question) -> Result<RegisterOutcome, Fault> {
    // RESTART-2: what is minted is above all before it, since the condition says which is the last.
    if let Some(minted) = question.expected.next() {
        // RESTART-1: a question of a dead process must not take the computer from the living one.
        let changed = raw
            .prepare_cached("UPDATE computer SET incarnation = ?3 WHERE id = ?1 AND incarnation = ?2")?
            .execute(params![question.computer.as_str(), number(question.expected), number(minted)])?;
        if changed == 1 {
            return Ok(RegisterOutcome::Registered { incarnation: minted });
        }
    }
    let current = standing(raw, &question.computer)?.incarnation;
    if current == question.expected {
        return Err(Fault::LastIncarnation(question.computer.clone()));
    }
    Ok(RegisterOutcome::Overtaken { current })
}

pub(super) fn begin(raw: &Connection, request: &Begin) -> Result<BeginOutcome, Fault> {
    // SAVE-1: read before the call, so that the page cannot be of an older life than it says.
    let incarnation = standing(raw, &request.computer)?.incarnation;
    Ok(match incarnation {
        Incarnation::NOBODY => BeginOutcome::NeverRegistered,
        incarnation => BeginOutcome::Begun { incarnation },
    })
}

pub(super) fn save(raw: &Connection, save: &Save) -> Result<SaveOutcome, Fault> {
    // RESET-2: what the wipe destroys must not be stored after the claim: `resetting = 0`.
    // SAVE-3: equality decides, since the page may be gone and leave nothing to compare with: `incarnation = ?2`.
    // Nobody's incarnation is no life, so no page is of it: `?2 > 0`.
    // SAVE-4: generations are compared within one incarnation only: `stamp IS NOT ?2 OR generation < ?3`.
    let changed = raw
        .prepare_cached(
            "UPDATE computer SET stamp = ?2, generation = ?3, body = ?4
             WHERE id = ?1 AND resetting = 0 AND incarnation = ?2 AND ?2 > 0 AND (stamp IS NOT ?2 OR generation < ?3)",
        )?
        .execute(params![
            save.computer.as_str(),
            number(save.page.incarnation),
            number(save.page.generation),
            &save.body[..]
        ])?;
    if changed == 1 { Ok(SaveOutcome::Stored) } else { why_not_saved(raw, save) }
}

fn why_not_saved(raw: &Connection, save: &Save) -> Result<SaveOutcome, Fault> {
    // SAVE-5: the cause is read in the transaction that refused, or another's doing would be reported.
    let now = standing(raw, &save.computer)?;
    let is_of_another = now.incarnation != save.page.incarnation || now.incarnation == Incarnation::NOBODY;
    match now.page {
        _ if now.is_resetting => Ok(SaveOutcome::Resetting { current: now.incarnation }),
        _ if is_of_another => Ok(SaveOutcome::Fenced { current: now.incarnation }),
        Some(stored) if save.page <= stored => Ok(SaveOutcome::Superseded { stored }),
        // RESTART-6: there is no other cause.
        _ => Err(Fault::impossible(&save.computer, "a save was refused without a cause")),
    }
}

pub(super) fn claim(raw: &Connection, claim: &Claim) -> Result<ClaimOutcome, Fault> {
    // RESET-1: decided on an older incarnation, it would wipe what its author never saw. The page goes now, since after
    // the wipe nobody may be left to delete it.
    let changed = raw
        .prepare_cached(
            "UPDATE computer SET resetting = 1, stamp = NULL, generation = NULL, body = NULL
             WHERE id = ?1 AND resetting = 0 AND incarnation = ?2",
        )?
        .execute(params![claim.computer.as_str(), number(claim.expected)])?;
    if changed == 1 {
        return Ok(ClaimOutcome::Claimed);
    }
    let now = standing(raw, &claim.computer)?;
    Ok(match now.is_resetting {
        true => ClaimOutcome::UnderWay { current: now.incarnation },
        false => ClaimOutcome::Moved { current: now.incarnation },
    })
}

pub(super) fn send_wipe(raw: &Connection, request: &SendWipe) -> Result<SendWipeOutcome, Fault> {
    // RESET-5: it asks nobody who has claimed the reset.
    let now = standing(raw, &request.computer)?;
    Ok(match now.is_resetting {
        true => SendWipeOutcome::Send { incarnation: now.incarnation },
        false => SendWipeOutcome::NotResetting { current: now.incarnation },
    })
}

pub(super) fn finish(raw: &Connection, finish: &Finish) -> Result<FinishOutcome, Fault> {
    if let Some(minted) = finish.wiped.next() {
        // RESET-4: whoever registered during the reset shows what the wipe of a former life left alone.
        let changed = raw
            .prepare_cached(
                "UPDATE computer SET incarnation = ?3, since = ?3, resetting = 0
                 WHERE id = ?1 AND resetting = 1 AND incarnation = ?2",
            )?
            .execute(params![finish.computer.as_str(), number(finish.wiped), number(minted)])?;
        if changed == 1 {
            return Ok(FinishOutcome::Finished { minted });
        }
    }
    let Standing { incarnation: current, is_resetting, .. } = standing(raw, &finish.computer)?;
    if is_resetting && current == finish.wiped {
        return Err(Fault::LastIncarnation(finish.computer.clone()));
    }
    Ok(match is_resetting {
        true => FinishOutcome::NotWiped { current },
        false => FinishOutcome::NotResetting { current },
    })
}

pub(super) fn load(raw: &Connection, request: &Load) -> Result<LoadOutcome, Fault> {
    // SAVE-9: what an agent is shown is what its references resolve against.
    let standing = standing(raw, &request.computer)?;
    let body = standing.page.map(|_| body(raw, &request.computer)).transpose()?;
    Ok(LoadOutcome { standing, body })
}

pub(super) fn resolve(raw: &Connection, resolve: &Resolve) -> Result<ResolveOutcome, Fault> {
    let now = standing(raw, &resolve.computer)?;
    // RESET-6: a page of another incarnation shows elements that the computer may no longer have.
    if now.page == Some(resolve.cited) && resolve.cited.incarnation == now.incarnation {
        return Ok(ResolveOutcome::Resolved { body: body(raw, &resolve.computer)? });
    }
    Ok(ResolveOutcome::Stale { current: now.incarnation, stored: now.page })
}

pub(super) fn rollback(raw: &Connection, rollback: &Rollback) -> Result<RollbackOutcome, Fault> {
    if let Some(minted) = rollback.expected.next() {
        // SAVE-7: sent twice, it would undo what was done since the first time: `incarnation = ?2`. It mints, so that
        // neither a late save nor the running process can pass for what was put back.
        // SAVE-8: what was wiped stays wiped, also for those who remember it: `since <= ?3`. And what was never minted,
        // or is nobody's, nobody can have loaded: `?3 BETWEEN 1 AND incarnation`.
        let changed = raw
            .prepare_cached(
                "UPDATE computer SET incarnation = ?6, stamp = ?3, generation = ?4, body = ?5
                 WHERE id = ?1 AND resetting = 0 AND incarnation = ?2 AND since <= ?3 AND ?3 BETWEEN 1 AND incarnation",
            )?
            .execute(params![
                rollback.computer.as_str(),
                number(rollback.expected),
                number(rollback.to.incarnation),
                number(rollback.to.generation),
                &rollback.body[..],
                number(minted)
            ])?;
        if changed == 1 {
            return Ok(RollbackOutcome::RolledBack { minted });
        }
    }
    why_not_rolled_back(raw, rollback)
}

fn why_not_rolled_back(raw: &Connection, rollback: &Rollback) -> Result<RollbackOutcome, Fault> {
    // SAVE-5: as for a save, the first cause is told, and is read in the transaction that refused.
    let Standing { incarnation: current, is_resetting, since, .. } = standing(raw, &rollback.computer)?;
    let of = rollback.to.incarnation;
    if is_resetting {
        return Ok(RollbackOutcome::Resetting { current });
    }
    if current != rollback.expected {
        return Ok(RollbackOutcome::Moved { current });
    }
    if of.was_minted_before(since) {
        return Ok(RollbackOutcome::Wiped { since });
    }
    if of == Incarnation::NOBODY || current.was_minted_before(of) {
        return Ok(RollbackOutcome::NeverMinted { current });
    }
    Err(Fault::LastIncarnation(rollback.computer.clone()))
}
