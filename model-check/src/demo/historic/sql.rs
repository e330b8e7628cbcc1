//! The statements of the historic stores: what was shipped or proposed, beside what it should have been.
//!
//! A statement decides by the number of rows that it changes (or, for `RESOLVE`, finds). Nothing here is shared with
//! `outlive`, whose statements are its own.

/// The statements of one store. Each may look at `:computer`, `:incarnation`, `:generation`, `:expected` and `:minted`.
#[derive(Clone, Copy)]
pub(super) struct Statements {
    pub(super) register: &'static str,
    pub(super) save: &'static str,
    pub(super) claim: &'static str,
    pub(super) finish: &'static str,
    pub(super) resolve: &'static str,
    pub(super) rollback: &'static str,
}

/// Statements without a flaw, from which each historic store differs.
pub(super) const SOUND: Statements = Statements {
    register: "UPDATE computers SET incarnation = :minted WHERE computer = :computer AND incarnation = :expected",
    save: "UPDATE computers SET page_incarnation = :incarnation, page_generation = :generation
           WHERE computer = :computer AND resetting = 0 AND incarnation = :incarnation
             AND (page_incarnation IS NOT :incarnation OR page_generation < :generation)",
    claim: "UPDATE computers SET resetting = 1, deleted = max(deleted, coalesce(page_generation, 0)),
                page_incarnation = NULL, page_generation = NULL
            WHERE computer = :computer AND resetting = 0 AND incarnation = :expected",
    finish: "UPDATE computers SET resetting = 0, incarnation = :minted, since = :minted
             WHERE computer = :computer AND resetting = 1 AND incarnation = :incarnation",
    resolve: "SELECT 1 FROM computers WHERE computer = :computer AND page_incarnation = :incarnation
                AND page_generation = :generation AND incarnation = :incarnation",
    rollback: "UPDATE computers SET incarnation = :minted, page_incarnation = :incarnation,
                   page_generation = :generation
               WHERE computer = :computer AND resetting = 0 AND incarnation = :expected AND since <= :incarnation",
};

/// The code that incident A found.
pub(super) const SAVE_BY_GENERATION: &str =
    "UPDATE computers SET page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND resetting = 0 AND (page_generation IS NULL OR page_generation < :generation)";

/// Its first repair: the highest generation that was deleted keeps the dead page out, and every fresh one.
pub(super) const SAVE_ABOVE_THE_DELETED: &str =
    "UPDATE computers SET page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND resetting = 0 AND :generation > max(deleted, coalesce(page_generation, 0))";

/// Its second: satisfies both tests that were supplied, and lets in the case that happens.
pub(super) const SAVE_OTHER_THAN_THE_DELETED: &str =
    "UPDATE computers SET page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND resetting = 0
       AND CASE WHEN page_generation IS NULL THEN :generation != deleted ELSE page_generation < :generation END";

/// The rule that shipped in the end: of two pages of different incarnations, the one that comes later wins.
pub(super) const SAVE_OF_ANY_OTHER: &str =
    "UPDATE computers SET page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND resetting = 0
       AND (page_incarnation IS NOT :incarnation OR page_generation < :generation)";

/// Ordered, but only against the row; and a reset deletes the row.
pub(super) const SAVE_ABOVE_THE_ROW: &str =
    "UPDATE computers SET page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND resetting = 0
       AND (page_incarnation IS NULL OR (page_incarnation, page_generation) < (:incarnation, :generation))";

/// Nobody told the store that a reset is under way.
pub(super) const SAVE_DURING_RESET: &str =
    "UPDATE computers SET page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND incarnation = :incarnation
       AND (page_incarnation IS NOT :incarnation OR page_generation < :generation)";

/// The last to register wins, also when it is long dead.
pub(super) const REGISTER_UNCONDITIONALLY: &str =
    "UPDATE computers SET incarnation = incarnation + 1 WHERE computer = :computer";

/// A new process is the same computer, is it not? Only the first of all needs a name.
pub(super) const REGISTER_WITHOUT_MINTING: &str =
    "UPDATE computers SET incarnation = max(incarnation, 1) WHERE computer = :computer AND incarnation = :expected";

/// The button says reset, whatever its presser saw.
pub(super) const CLAIM_UNCONDITIONALLY: &str =
    "UPDATE computers SET resetting = 1, page_incarnation = NULL, page_generation = NULL
     WHERE computer = :computer AND resetting = 0";

/// The fresh incarnation is there at once, and the wipe comes when it comes.
pub(super) const CLAIM_AND_OPEN: &str =
    "UPDATE computers SET resetting = 1, incarnation = :minted, page_incarnation = NULL, page_generation = NULL
     WHERE computer = :computer AND resetting = 0 AND incarnation = :expected";

/// Nothing was recreated, so nothing is renamed.
pub(super) const FINISH_WITHOUT_MINTING: &str =
    "UPDATE computers SET resetting = 0 WHERE computer = :computer AND resetting = 1 AND incarnation = :incarnation";

/// Somebody said that it was wiped.
pub(super) const FINISH_WHATEVER_WAS_WIPED: &str =
    "UPDATE computers SET resetting = 0, incarnation = :minted, since = :minted
     WHERE computer = :computer AND resetting = 1";

/// There is a row, so the reference is good.
pub(super) const RESOLVE_ANY_ROW: &str = "SELECT 1 FROM computers WHERE computer = :computer
    AND page_incarnation = :incarnation AND page_generation = :generation";

/// The older page comes back under its old name, and so do those who knew it.
pub(super) const ROLLBACK_WITHOUT_MINTING: &str =
    "UPDATE computers SET page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND resetting = 0 AND incarnation = :expected";

/// What was wiped comes back, since somebody remembered it.
pub(super) const ROLLBACK_PAST_A_RESET: &str =
    "UPDATE computers SET incarnation = :minted, page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND resetting = 0 AND incarnation = :expected";

/// A rollback does not ask whether a reset is under way.
pub(super) const ROLLBACK_DURING_RESET: &str =
    "UPDATE computers SET incarnation = :minted, page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND incarnation = :expected AND since <= :incarnation";

/// Pressed twice, it goes back twice.
pub(super) const ROLLBACK_UNCONDITIONALLY: &str =
    "UPDATE computers SET incarnation = :minted, page_incarnation = :incarnation, page_generation = :generation
     WHERE computer = :computer AND resetting = 0 AND since <= :incarnation";
