//! Stores, gateways and computers with a flaw that somebody shipped or proposed, each driven into the race that it
//! loses. Where the flaw was a store's, real SQL decides wrongly. Where it was a gateway's or a computer's, it fails to
//! look at something. The trace check must refuse each for its own reason, and find the variant that explains it. If it
//! accepted one, the check would prove nothing.
//!
//! Each is named after the variant of the model that has the same rule. Two variants are not here, since no trace shows
//! them: `wipe-forgotten-on-crash` and `retry-same-save` do no wrong step. They only wait for ever.

mod scripts;
mod sql;
mod world;

use outlive_spec::requirement::Requirement;

use sql::{SOUND, Statements};
use world::{Blindness, World};

/// A store or a computer with a historic flaw.
pub struct Historic {
    /// The variant of the model that has the same rule.
    pub variant: &'static str,
    /// What it did, in one sentence.
    pub tells: &'static str,
    /// The requirement by which its trace must be refused.
    pub refused_by: Requirement,
    statements: Statements,
    blindness: Blindness,
    script: fn(&mut World) -> rusqlite::Result<()>,
}

impl Historic {
    /// Runs it into its race, and returns its trace.
    ///
    /// # Errors
    /// If SQLite fails, which for a database in memory means a broken statement.
    pub fn run(&self) -> rusqlite::Result<String> {
        let mut world = World::new(self.variant, self.statements, self.blindness)?;
        (self.script)(&mut world)?;
        Ok(world.into_trace())
    }
}

/// It fails to look at nothing.
const SIGHTED: Blindness = Blindness { calls: false, wipes: false, acts: false };

macro_rules! historic {
    ($($variant:literal $refused_by:ident $tells:literal $statements:expr, $blindness:expr, $script:ident;)*) => {
        /// All of them.
        pub const HISTORIC: &[Historic] = &[$(Historic {
            variant: $variant,
            tells: $tells,
            refused_by: Requirement::$refused_by,
            statements: $statements,
            blindness: $blindness,
            script: scripts::$script,
        },)*];
    };
}

historic! {
    "generation-only" Save3 "a save that was in flight across a reset brought the wiped page back"
        Statements { save: sql::SAVE_BY_GENERATION, ..SOUND }, SIGHTED, late_save_after_reset;
    "floor-kept-across-reset" Save5 "the dead page stayed out, and so did every page of the fresh computer"
        Statements { save: sql::SAVE_ABOVE_THE_DELETED, ..SOUND }, SIGHTED, fresh_save_under_the_floor;
    "not-equal" Save3 "only the very page that was deleted stayed out, and the next one of the dead life came in"
        Statements { save: sql::SAVE_OTHER_THAN_THE_DELETED, ..SOUND }, SIGHTED, late_save_after_reset;
    "any-different-wins" Save3 "a page of a dead process replaced the page of the living one"
        Statements { save: sql::SAVE_OF_ANY_OTHER, ..SOUND }, SIGHTED, late_save_after_restart;
    "delete-without-fence" Save3 "with the row went the order, and a wiped page was inserted again"
        Statements { save: sql::SAVE_ABOVE_THE_ROW, ..SOUND }, SIGHTED, late_save_after_reset;
    "save-during-reset" Reset2 "a page was stored after its computer had been wiped, and before the reset was over"
        Statements { save: sql::SAVE_DURING_RESET, ..SOUND }, SIGHTED, late_save_during_reset;
    "mint-before-wipe" Restart1 "the fresh incarnation was open while the computer was still to be wiped"
        Statements { claim: sql::CLAIM_AND_OPEN, save: sql::SAVE_DURING_RESET, ..SOUND }, SIGHTED,
        save_of_a_process_that_registers_during_reset;
    "mint-on-reset-only" Restart2 "a restarted process went by its predecessor's name, and counted from one again"
        Statements { register: sql::REGISTER_WITHOUT_MINTING, ..SOUND }, SIGHTED, restart_under_the_old_name;
    "mint-on-start-only" Reset4 "the container survived the reset, and so did everything that was in flight to it"
        Statements { finish: sql::FINISH_WITHOUT_MINTING, ..SOUND }, SIGHTED, reset_under_the_old_name;
    "register-unconditional" Restart1 "a question of a dead process took the computer from the living one"
        Statements { register: sql::REGISTER_UNCONDITIONALLY, ..SOUND }, SIGHTED, late_registration;
    "reset-unconditional" Reset1 "a reset that was asked for twice wiped what was made after the first"
        Statements { claim: sql::CLAIM_UNCONDITIONALLY, ..SOUND }, SIGHTED, reset_asked_for_twice;
    "finish-without-wipe" Reset4 "a reset ended, and the process that had registered meanwhile was never wiped"
        Statements { finish: sql::FINISH_WHATEVER_WAS_WIPED, ..SOUND }, SIGHTED, finish_after_a_registration;
    "unknown-accepted" Save1 "a call named no incarnation, so its page could be compared with nothing"
        SOUND, SIGHTED, call_that_names_nobody;
    "read-after" Save6 "a dead page was stamped with the incarnation that was current when it arrived"
        SOUND, SIGHTED, stamp_after_the_answer;
    "no-expected-incarnation" Restart3 "the computer answered a call that was meant for its predecessor"
        SOUND, Blindness { calls: true, ..SIGHTED }, answer_for_another;
    "wipe-any" Reset3 "a wipe that arrived late wiped a computer that nobody had reset"
        SOUND, Blindness { wipes: true, ..SIGHTED }, late_wipe;
    "far-side-generation-only" Restart5 "a click on a wiped page was performed after the wipe, since the counter had not moved"
        SOUND, Blindness { acts: true, ..SIGHTED }, late_act;
    "resolve-any-page" Reset6 "a reference into the page of a dead process resolved"
        Statements { resolve: sql::RESOLVE_ANY_ROW, ..SOUND }, SIGHTED, resolve_after_restart;
    "act-unresolved" Reset7 "an act whose reference did not resolve was forwarded all the same"
        SOUND, SIGHTED, forward_unresolved;
    "second-gateway-stale-cache" Reset6 "a gateway resolved against a row that another had deleted"
        SOUND, SIGHTED, resolve_from_cache;
    "refuse-silently" Save3 "a save that changed nothing was reported as stored"
        SOUND, SIGHTED, silent_refusal;
    "rollback-keeps-generation" Save7 "what was rolled back came in again, since nothing told it apart"
        Statements { rollback: sql::ROLLBACK_WITHOUT_MINTING, ..SOUND }, SIGHTED, rollback_under_the_old_name;
    "rollback-past-reset" Save8 "a rollback brought a wiped page back"
        Statements { rollback: sql::ROLLBACK_PAST_A_RESET, ..SOUND }, SIGHTED, rollback_past_reset;
    "rollback-during-reset" Reset2 "a rollback landed between the claim and the wipe"
        Statements { rollback: sql::ROLLBACK_DURING_RESET, ..SOUND }, SIGHTED, rollback_during_reset;
    "rollback-unconditional" Save7 "a rollback that was sent twice undid what was done after the first"
        Statements { rollback: sql::ROLLBACK_UNCONDITIONALLY, ..SOUND }, SIGHTED, rollback_sent_twice;
}
