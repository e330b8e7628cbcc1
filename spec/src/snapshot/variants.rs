//! Every rule that was shipped or proposed for the snapshot protocol. Each is [`RIGHT`] but for what it names.

use super::check::{Check, Checks};
use super::rules::{Admits, Resolves, Rules, Stamps};

/// The rules that hold.
pub const RIGHT: Rules = Rules {
    without: Checks::NONE,
    stamps: Stamps::BeforeTheCall,
    admits: Admits::Current,
    resolves: Resolves::TheStoredPage,
    registration_mints: true,
    reset_mints: true,
    reset_opens_before_the_wipe: false,
    resets_are_resumed: true,
    rollback_mints: true,
    refusals_are_typed: true,
    refused_saves_are_given_up: true,
    forgets: true,
};

/// The code that incident A found: it knew nothing but the counter.
const COUNTER: Rules =
    Rules { stamps: Stamps::Never, admits: Admits::GenerationOnly, resolves: Resolves::TheStoredPageIfKnown, ..RIGHT };

const fn without(checks: &[Check]) -> Rules {
    Rules { without: Checks::of(checks), ..RIGHT }
}

variants! {
    "right" "A12 A15 A30 A33" "the rules that hold" RIGHT;
    "generation-only" "A01 A02 A08 A10"
        "a save lands if there is no stored page, or above its generation; nobody looks at the incarnation"
        COUNTER;
    "floor-kept-across-reset" "A07 A08"
        "generation only, and the store remembers the highest generation that a reset deleted"
        Rules { admits: Admits::GenerationAboveTheDeleted, ..COUNTER };
    "not-equal" "A09"
        "generation only; after a reset all but the deleted generation may land"
        Rules { admits: Admits::GenerationOtherThanTheDeleted, ..COUNTER };
    "mint-on-reset-only" "A03 A04 A06"
        "a process that registers is given the current incarnation; nothing is minted for it"
        Rules { registration_mints: false, ..RIGHT };
    "mint-on-start-only" "A11 A28"
        "a reset mints nothing, and the process keeps its incarnation across the wipe"
        Rules { reset_mints: false, ..RIGHT };
    "unknown-accepted" "A16 A17 A22 A24"
        "a page without an incarnation is compared by its generation only"
        Rules {
            stamps: Stamps::BeforeTheCallIfKnown,
            admits: Admits::CurrentIfKnown,
            resolves: Resolves::TheStoredPageIfKnown,
            ..RIGHT
        };
    "any-different-wins" "A21"
        "a save lands if its incarnation is not the stored one, or above the stored generation"
        Rules { admits: Admits::AnyOther, ..RIGHT };
    "delete-without-fence" "A01 A15"
        "a save is compared with the stored page alone, by incarnation and then by generation"
        Rules { admits: Admits::AboveTheStoredPage, ..RIGHT };
    "read-after" "A20"
        "the gateway asks for the incarnation once it has the answer"
        Rules { stamps: Stamps::AfterTheAnswer, ..RIGHT };
    "no-expected-incarnation" "A20"
        "the computer answers whatever incarnation the call names"
        without(&[Check::AnswerIsForUs]);
    "mint-before-wipe" "A12"
        "the claim mints the new incarnation and opens it for saves; the wipe comes later"
        Rules { reset_opens_before_the_wipe: true, ..without(&[Check::SaveWhileOpen]) };
    "save-during-reset" "A12"
        "saves of the old incarnation land until the reset ends"
        without(&[Check::SaveWhileOpen]);
    "wipe-forgotten-on-crash" "A32"
        "a reset whose gateway has died is not driven on by another"
        Rules { resets_are_resumed: false, ..RIGHT };
    "finish-without-wipe" "A32"
        "a reset's end does not compare what was wiped with the current incarnation"
        without(&[Check::FinishWipedCurrent]);
    "wipe-any" "A32"
        "the computer obeys a wipe whatever incarnation it names"
        without(&[Check::WipeIsForUs]);
    "reset-unconditional" "A05"
        "a reset does not say which incarnation it was decided on"
        without(&[Check::ClaimFollows]);
    "register-unconditional" "A04"
        "a registration does not say which incarnation it follows"
        without(&[Check::RegisterFollows]);
    "resolve-any-page" "A16"
        "a reference resolves against whatever page is stored"
        without(&[Check::ResolveIsCurrent]);
    "act-unresolved" "A18"
        "an act whose reference does not resolve is forwarded with an empty element"
        without(&[Check::ForwardIsResolved]);
    "far-side-generation-only" "A19 A28"
        "the computer acts on a page of its newest generation, whatever the incarnation"
        without(&[Check::ActIsForUs]);
    "refuse-silently" "A05"
        "a save that is refused is reported as stored"
        Rules { refusals_are_typed: false, ..RIGHT };
    "rollback-keeps-generation" "X11"
        "a rollback puts the older page back under its old name, and mints nothing"
        Rules { rollback_mints: false, ..RIGHT };
    "rollback-past-reset" "X11"
        "a rollback may go back to a page from before the last reset"
        without(&[Check::RollbackIsSinceReset]);
    "rollback-during-reset" "X11"
        "a rollback may land while a reset is under way"
        without(&[Check::RollbackWhileOpen]);
    "rollback-unconditional" "X11"
        "a rollback does not say which incarnation it replaces"
        without(&[Check::RollbackFollows]);
    "retry-same-save" "A05 A32"
        "a refused save is sent again as it is, and nothing else is begun"
        Rules { refused_saves_are_given_up: false, ..RIGHT };
    "second-gateway-stale-cache" "A26 A27"
        "a gateway resolves against the page that it has loaded, not the stored one"
        Rules { resolves: Resolves::TheCache, ..RIGHT };
}
