//! The moments in which a wrong implementation of the snapshot protocol goes wrong.

use outlive_spec::requirement::Requirement;
use outlive_spec::snapshot::state::{Gateway, Memory, State};
use outlive_spec::trace::{Outcome, Verb};

use super::Snapshots;
use crate::conform::track::{Said, Window};

const RESET_WHILE_SAVING: usize = 0;
const LATE_SAVE: usize = 1;
const RESTART_WHILE_CALLED: usize = 2;
const CRASH_WHILE_RESETTING: usize = 3;
const LATE_REGISTRATION: usize = 4;
const LATE_WIPE: usize = 5;

/// In the order of the numbers above.
pub const WINDOWS: &[Window] = &[
    Window { name: "reset-while-saving", sentence: "a reset was claimed while a save was in flight" },
    Window { name: "late-save", sentence: "a late save was refused by the fence" },
    Window { name: "restart-while-called", sentence: "a computer restarted between a call and its answer" },
    Window {
        name: "crash-while-resetting",
        sentence: "a gateway crashed that had sent a wipe, before the reset was ended",
    },
    Window { name: "late-registration", sentence: "a registration was refused, since another came first" },
    Window { name: "late-wipe", sentence: "a computer refused a wipe that was meant for another life" },
];

/// The window that the event opens if it is taken, seen from before it is.
#[inline]
#[allow(clippy::wildcard_enum_match_arm, reason = "most steps open none")]
pub(super) fn window(track: &Snapshots, said: &Said<'_, '_, Snapshots>) -> Option<usize> {
    let (state, event) = (&track.state, said.event);
    let window = match (event.action, event.outcome) {
        (Verb::Claim, Outcome::Done) if !state.saves.is_empty() => RESET_WHILE_SAVING,
        (Verb::Save, Outcome::Refused) if event.because == Some(Requirement::Save3) => LATE_SAVE,
        (Verb::Restart, Outcome::Done) if track.unanswered > 0 => RESTART_WHILE_CALLED,
        (Verb::Crash, Outcome::Done) if drives_a_reset(state, said.words.gateway) => CRASH_WHILE_RESETTING,
        (Verb::Register, Outcome::Refused) => LATE_REGISTRATION,
        (Verb::Wipe, Outcome::Refused) => LATE_WIPE,
        _ => return None,
    };
    Some(window)
}

/// Whether a reset loses something if this gateway dies: its wipe is under way, or it alone has heard of one. A gateway
/// that only claimed the reset leaves nothing behind in the model, for whoever comes next sees the claim in the row.
fn drives_a_reset(state: &State, gateway: Gateway) -> bool {
    let has_sent_a_wipe = state.wipes.iter().any(|wipe| wipe.by == Some(gateway));
    let has_heard = state.gateways.get(gateway) != Memory::Nothing;
    state.store.is_resetting && (has_sent_a_wipe || has_heard)
}
